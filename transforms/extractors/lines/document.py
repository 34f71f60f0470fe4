"""A page as the line methods see it, and the way from a decision about its lines to an extraction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal

import numpy as np

from transforms.extractors.extraction import Block, Extraction, PageMetrics
from transforms.extractors.html import characters, source, tags, text, title
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.html.source import Source
from transforms.extractors.html.tag_names import TagNames, tag_names
from transforms.extractors.html.tags import Tags
from transforms.extractors.html.text_bytes import TextBytes
from transforms.extractors.lines import author_code, lines, reflow
from transforms.extractors.lines.lines import Lines
from transforms.extractors.lines.smoothing import Floats, mean_and_deviation
from transforms.extractors.options import About


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
    """

    source: Source
    keep_blank: bool
    title: str | None
    text: TextBytes
    tag_count: int
    lines: Lines
    ratios: Floats

    @property
    def telling(self) -> bool:
        """Whether ratios can tell lines apart: the page has tags, and two lines of different ratio.

        Where they cannot, the whole page is content (CETR 2010, section 5.3, for pages without tags).
        """
        return self.tag_count > 0 and lines.differ(self.ratios)


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
    found, names = _lexed(page.html)
    heading = title.title(page.html, found, names)
    if options.head == "drop" and (head := title.head(found, names)):
        page = page.without(*head)
        found, names = _lexed(page.html)
    keep_blank = as_author or options.blank_lines == "keep"
    content, cut = lines.read_lines(page.html, found, names, keep_blank=keep_blank)
    if as_author:
        cut = author_code.recount(page.html, cut)
    elif (single := reflow.single_line(page.html, content.line_ends, keep_blank=keep_blank)) is not None:
        cut = reflow.break_line(page.html, content, found, cut, single, options.line_break)
    document = Document(
        page,
        keep_blank,
        heading,
        content,
        found.starts.size,
        cut,
        lines.ratios(cut.characters, cut.tags),
    )
    if options.chars == "decoded":
        return replace(document, ratios=lines.ratios(_decoded_characters(document), cut.tags))
    return document


def _lexed(html: bytes) -> tuple[Tags, TagNames]:
    found = tags.lex(html)
    return found, tag_names(html, found)


def _joined_stops(cut: Lines) -> Offsets:
    """Where lines stop, int64 (n,): a broken one where its first part stands, its others at their start."""
    first, stop = cut.broken
    if not stop:
        return cut.text_stops
    stops = cut.text_stops.copy()
    stops[first] = stops[stop - 1]
    stops[first + 1 : stop] = cut.text_starts[first + 1 : stop]
    return stops


def _line_texts(document: Document) -> list[str]:
    """Each line as it reads in the output, the parts of a broken one each on its own; "" without text."""
    cut = document.lines
    texts = [""] * cut.text_starts.size
    stops = _joined_stops(cut)
    rows = (stops > cut.text_starts).nonzero()[0]
    for row, line in zip(rows.tolist(), text.render_lines(document.text, stops[rows]), strict=True):
        texts[row] = line
    for row in range(*cut.broken):
        texts[row] = _part(document.text, cut, row, row + 1)
    return texts


def _decoded_characters(document: Document) -> Offsets:
    return np.array(list(map(len, _line_texts(document))), np.int64)


def _part(content: TextBytes, cut: Lines, first: int, stop: int) -> str:
    """The text of parts [first, stop) of a broken line; an entity belongs to the part where it begins."""
    begin, end = int(cut.text_starts[first]), int(cut.text_stops[stop - 1])
    if first > cut.broken[0]:
        begin = text.after_reference(content, begin)
    if stop < cut.broken[1]:
        end = text.after_reference(content, end)
    return text.render_range(content, begin, end)


def _kept_text(document: Document, kept: Flags) -> tuple[str, int]:
    """The text of the output and its number of words.

    Neighbouring parts of a broken line join; a dropped one parts them.
    """
    cut, content = document.lines, document.text
    first, stop = cut.broken

    def rendered(rows: slice) -> tuple[str, int]:
        return text.render_kept(content, cut.text_starts[rows], cut.text_stops[rows], kept[rows])

    if not stop:
        return rendered(slice(None))
    parts = [_part(content, cut, *run) for run in _runs(kept, first, stop)]
    pieces = [
        rendered(slice(first)),
        *[(part, text.words(part)) for part in parts],
        rendered(slice(stop, None)),
    ]
    return "\n".join([piece for piece, _ in pieces if piece]), sum([words for _, words in pieces])


def _runs(kept: Flags, first: int, stop: int) -> Iterator[tuple[int, int]]:
    """The maximal half-open runs of kept lines in [first, stop)."""
    edges = characters.edges(kept[first:stop]) + first
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def extraction(document: Document, decision: Decision) -> Extraction:
    """The extraction that follows from a decision about a document's lines."""
    kept, words = _kept_text(document, decision.kept)
    cut = document.lines
    visible = text.visible_chars(document.text, cut.text_starts, _joined_stops(cut))
    ratios = document.ratios
    mean, deviation = mean_and_deviation(ratios) if ratios.size else (None, None)
    metrics = PageMetrics(
        html_chars=characters.count(document.source.original),
        text_chars=len(kept),
        words=words,
        lines=ratios.size,
        content_lines=int(np.count_nonzero(decision.kept)),
        tags=document.tag_count,
        link_chars=document.text.link_chars,
        tag_ratio_mean=mean,
        tag_ratio_std=deviation,
        threshold=decision.threshold,
        content_ratio=len(kept) / visible if visible else 0.0,
    )
    return Extraction(kept, document.title, None, metrics, partial(_blocks, document, decision))


def _blocks(document: Document, decision: Decision) -> tuple[Block, ...]:
    starts, stops = _source_ranges(document)
    return tuple(
        Block(line, kept, score, start, stop, None)
        for line, kept, score, start, stop in zip(
            _line_texts(document),
            decision.kept.tolist(),
            decision.scores.tolist(),
            starts.tolist(),
            stops.tolist(),
            strict=True,
        )
    )


def _source_ranges(document: Document) -> tuple[Offsets, Offsets]:
    """Where each line starts and stops in the page as given, int64 (n,) each, in code points."""
    starts, stops = lines.source_ranges(document.source.html, keep_blank=document.keep_blank)
    first, stop = document.lines.broken
    if stop:
        parts = document.lines.parts
        starts = np.concatenate((starts[:first], parts[:-1], starts[first + 1 :]))
        stops = np.concatenate((stops[:first], parts[1:], stops[first + 1 :]))
    last = np.maximum(stops - 1, starts)
    span = stops - last
    starts = document.source.original_offsets(starts)
    stops = document.source.original_offsets(last) + span
    inner = np.flatnonzero(characters.continuation(np.frombuffer(document.source.original, np.uint8)))
    return starts - inner.searchsorted(starts), stops - inner.searchsorted(stops)
