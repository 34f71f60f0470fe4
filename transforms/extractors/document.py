"""A page as the line methods see it, and the way from a decision about its lines to an extraction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Annotated, Literal

import numpy as np

from transforms.extractors import author_code, characters, lines, reflow, source, tags, text, title
from transforms.extractors.characters import Flags, Offsets
from transforms.extractors.extraction import Block, Extraction, PageMetrics
from transforms.extractors.lines import Lines
from transforms.extractors.options import About
from transforms.extractors.smoothing import Floats, standard_deviation
from transforms.extractors.source import Source
from transforms.extractors.tag_names import TagNames, tag_names
from transforms.extractors.tags import Tags
from transforms.extractors.text import TextBytes


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOptions:
    """How a page is cut into lines, and how their characters are counted."""

    line_break: Annotated[
        reflow.LineBreak,
        About("where a single-line page breaks if the 65th character is in a tag"),
    ] = "before_text"
    blank_lines: Annotated[
        Literal["drop", "keep"],
        About("whether blank lines count as lines of ratio 0; smoothing=author-code always keeps them"),
    ] = "drop"
    chars: Annotated[
        Literal["raw", "decoded"],
        About("what x_i counts: characters as written, or the line as it reads in the output"),
    ] = "raw"
    head: Annotated[
        Literal["keep", "drop"],
        About("whether the head goes first; it stays where neither </head> nor <body follows"),
    ] = "keep"


@dataclass(frozen=True, slots=True)
class Document:
    """A page, its lines and their ratios.

    Attributes:
        source: the page without comments, scripts and styles.
        keep_blank: whether blank lines count.
        title: text of its `<title>`, or None.
        text: its text.
        tag_count: number of its tags.
        lines: its lines; n of them.
        ratios: T, float64 (n,).
        rendered: the lines with text as they read in the output; the parts of a broken line are one line.
        rendered_lines: int64, the line each of `rendered` is (the first part of a broken one).
    """

    source: Source
    keep_blank: bool
    title: str | None
    text: TextBytes
    tag_count: int
    lines: Lines
    ratios: Floats
    rendered: list[str]
    rendered_lines: Offsets

    @property
    def telling(self) -> bool:
        """Whether ratios can tell lines apart: the page has tags, and two lines of different ratio.

        Where they cannot, the whole page is content (CETR 2010, section 5.3, for pages without tags).
        """
        return self.tag_count > 0 and self.ratios.size > 1 and bool(np.ptp(self.ratios) > 0.0)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a method decided about the n lines of a page.

    Attributes:
        kept: bool (n,), the content lines.
        scores: float64 (n,), the number each line was judged by.
        threshold: the threshold that was applied, or None.
    """

    kept: Flags
    scores: Floats
    threshold: float | None


def keep_everything(scores: Floats) -> Decision:
    """The decision that all lines are content."""
    return Decision(np.ones(scores.size, bool), scores, None)


def read_document(html: bytes, options: LineOptions, *, as_author: bool = False) -> Document:
    """Reads a page into lines.

    Args:
        html: the page, valid UTF-8.
        options: how to cut and count.
        as_author: read it as the author's program does (see `author_code`): `line_break` and `blank_lines`
            are of no account then.

    Returns:
        The document.
    """
    page = source.remove_invisible(html, source.AUTHOR_CODE if as_author else source.HTML)
    whole = page
    if options.head == "drop" and (head := title.head(*_lexed(page.html))):
        page = page.without(*head)
    source_lines = page.html.splitlines()
    keep_blank = as_author or options.blank_lines == "keep"
    trimmed = lines.trim(source_lines, keep_blank=keep_blank)
    found, names = _lexed(trimmed.html)
    content = text.text_bytes(trimmed.html, found, names)
    cut = lines.read_lines(trimmed, content)
    if as_author:
        counted = author_code.read_lines(trimmed)
        cut = replace(cut, characters=counted.characters, tags=counted.tags)
    elif (single := reflow.single_line(source_lines)) is not None:
        row = lines.trim(source_lines[:single], keep_blank=keep_blank).starts.size
        cut = reflow.break_line(trimmed.html, content, found, cut, row, options.line_break)

    rendered, rendered_lines = _render(content, cut)
    counts = cut.characters
    if options.chars == "decoded":
        counts = _decoded_characters(content, cut, rendered, rendered_lines)
    heading = (
        title.title(whole.html, *_lexed(whole.html))
        if whole is not page
        else title.title(trimmed.html, found, names)
    )
    return Document(
        page,
        keep_blank,
        heading,
        content,
        found.starts.size,
        cut,
        lines.ratios(counts, cut.tags),
        rendered,
        rendered_lines,
    )


def _lexed(html: bytes) -> tuple[Tags, TagNames]:
    found = tags.lex(html)
    return found, tag_names(html, found)


def _render(content: TextBytes, cut: Lines) -> tuple[list[str], Offsets]:
    first, stop = cut.broken
    rows = np.arange(cut.starts.size)
    stops = cut.text_stops
    if stop:
        rows = np.delete(rows, slice(first + 1, stop))
        stops = stops.copy()
        stops[first] = stops[stop - 1]
    rows = rows[stops[rows] > cut.text_starts[rows]]
    return text.render_lines(content, stops[rows]), rows


def _decoded_characters(content: TextBytes, cut: Lines, rendered: list[str], rows: Offsets) -> Offsets:
    counts = np.zeros(cut.starts.size, np.int64)
    counts[rows] = [len(line) for line in rendered]
    first, stop = cut.broken
    counts[first:stop] = [len(_part(content, cut, row, row + 1)) for row in range(first, stop)]
    return counts


def _part(content: TextBytes, cut: Lines, first: int, stop: int) -> str:
    """The text of parts [first, stop) of a broken line; an entity belongs to the part where it begins."""
    begin, end = int(cut.text_starts[first]), int(cut.text_stops[stop - 1])
    if first > cut.broken[0]:
        begin = text.after_reference(content, begin)
    if stop < cut.broken[1]:
        end = text.after_reference(content, end)
    return text.render_range(content, begin, end)


def _kept_lines(document: Document, kept: Flags) -> list[str]:
    """The lines of the output. Neighbouring parts of a broken line join; a dropped one parts them."""
    first, stop = document.lines.broken
    rows, rendered = document.rendered_lines, document.rendered
    if kept[first:stop].all():
        return list(filter(None, compress(rendered, kept[rows].tolist())))
    before, behind = int(rows.searchsorted(first)), int(rows.searchsorted(stop))
    parts = [_part(document.text, document.lines, *run) for run in _runs(kept, first, stop)]
    return [
        line
        for line in (
            *compress(rendered[:before], kept[rows[:before]].tolist()),
            *parts,
            *compress(rendered[behind:], kept[rows[behind:]].tolist()),
        )
        if line
    ]


def _runs(kept: Flags, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """The maximal half-open runs of kept lines in [first, stop)."""
    edges = np.flatnonzero(np.diff(kept[first:stop], prepend=False, append=False)) + first
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def extraction(document: Document, decision: Decision) -> Extraction:
    """The extraction that follows from a decision about a document's lines."""
    kept = "\n".join(_kept_lines(document, decision.kept))
    rendered = document.rendered
    visible_lines = len(rendered) - rendered.count("")
    visible_chars = sum(map(len, rendered)) + max(0, visible_lines - 1)
    ratios = document.ratios
    metrics = PageMetrics(
        html_chars=characters.count(document.source.original),
        text_chars=len(kept),
        words=kept.count(" ") + kept.count("\n") + 1 if kept else 0,
        lines=ratios.size,
        content_lines=int(np.count_nonzero(decision.kept)),
        tags=document.tag_count,
        link_chars=document.text.link_chars,
        tag_ratio_mean=float(ratios.mean()) if ratios.size else None,
        tag_ratio_std=standard_deviation(ratios) if ratios.size else None,
        threshold=decision.threshold,
        content_ratio=len(kept) / visible_chars if visible_chars else 0.0,
    )
    return Extraction(kept, document.title, None, metrics, partial(_blocks, document, decision))


def _blocks(document: Document, decision: Decision) -> tuple[Block, ...]:
    cut = document.lines
    texts = [""] * cut.starts.size
    for row, line in zip(document.rendered_lines.tolist(), document.rendered, strict=True):
        texts[row] = line
    for row in range(*cut.broken):
        texts[row] = _part(document.text, cut, row, row + 1)
    starts, stops = _source_ranges(document)
    return tuple(
        Block(line, kept, score, start, stop, None)
        for line, kept, score, start, stop in zip(
            texts,
            decision.kept.tolist(),
            decision.scores.tolist(),
            starts.tolist(),
            stops.tolist(),
            strict=True,
        )
    )


def _source_ranges(document: Document) -> tuple[Offsets, Offsets]:
    """Where each line starts and stops in the page as given, int64 (n,) each, in code points."""
    cut = document.lines
    # Where each trimmed line starts in the page without comments, scripts and styles.
    untrimmed, lengths, position = [], [], 0
    for line in document.source.html.splitlines(keepends=True):
        body = lines.trimmed(line)
        if body or document.keep_blank:
            untrimmed.append(position + (line.find(body) if body else 0))
            lengths.append(len(body) + 1)
        position += len(line)
    begins = np.cumsum(lengths, dtype=np.int64) - lengths
    row = begins.searchsorted(cut.starts, "right") - 1
    shift = np.array(untrimmed, np.int64)[row] - begins[row]
    last = np.maximum(cut.stops - 1, cut.starts)
    starts = document.source.original_offsets(cut.starts + shift)
    stops = document.source.original_offsets(last + shift) + (cut.stops - last)
    inner = np.flatnonzero(characters.continuation(np.frombuffer(document.source.original, np.uint8)))
    return starts - inner.searchsorted(starts), stops - inner.searchsorted(stops)
