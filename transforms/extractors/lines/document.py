"""A page as the line methods see it, and the way from a decision about its lines to an extraction.

A page counts as written in a single line if one source line, untrimmed, holds at least 90 % of its code
points, line terminators not counted (CETR 2010, section 5.3). That line is trimmed and then broken.
A break is due after every 65 characters, tags included. Outside of a tag it is made there. Inside of one it
is made before the next character outside of tags ("before_text") or right after the tag's `>` ("after_tag").
The parts are not trimmed, none is dropped, and they join with nothing between them.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

import numpy as np

from cedar.transforms.extractors.extraction import Block, Extraction, PageMetrics, Ranges
from cedar.transforms.extractors.html import characters
from cedar.transforms.extractors.html._source import Source
from cedar.transforms.extractors.html._text import count
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.html.title import head
from cedar.transforms.extractors.lines import _source_lines
from cedar.transforms.extractors.lines._lines import Lines, read_lines
from cedar.transforms.extractors.options import About

LineBreak = Literal["before_text", "after_tag"]

WIDTH = 65
"""Characters between the breaks of an overlong line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOptions:
    """How a page is cut into lines, and how their characters are counted."""

    line_break: Annotated[
        LineBreak, About("where a single-line page breaks if the 65th character is in a tag")
    ] = "before_text"
    blank_lines: Annotated[
        Literal["drop", "keep"], About("whether blank lines count as lines of ratio 0")
    ] = "drop"
    chars: Annotated[
        Literal["raw", "decoded"],
        About("what x_i counts: characters as written, or the line as it reads in the output"),
    ] = "raw"
    head: Annotated[
        Literal["keep", "drop"],
        About("whether the head is removed first; it is kept if neither </head> nor <body follows it"),
    ] = "keep"


@dataclass(slots=True)
class Document:
    """A page without comments, scripts and styles, its title, its n lines, and their T, float64 (n,).

    With the mean and the population standard deviation of T, and whether any two differ (`Lines.ratios`).
    """

    source: Source
    title: str | None
    lines: Lines
    ratios: Floats
    mean: float | None
    deviation: float | None
    differ: bool

    @property
    def telling(self) -> bool:
        """Whether ratios can tell lines apart: the page has tags, and two lines of different ratio.

        Where they cannot, the whole page is content (CETR 2010, section 5.3, for pages without tags).
        """
        return self.lines.text.tags.count > 0 and self.differ


@dataclass(slots=True)
class Decision:
    """What a method decided about the n lines of a page: content, bool (n,), by which scores, float64 (n,).

    `threshold` is the one that was applied, or None.
    """

    kept: Flags
    scores: Floats
    threshold: float | None


def keep_everything(scores: Floats) -> Decision:
    """Return the decision that all lines are content."""
    return Decision(np.ones(scores.size, bool), scores, None)


def read_document(html: bytes, options: LineOptions) -> Document:
    """Read a page of valid UTF-8 into lines."""
    reading = read_page(html, whole=True)
    page = reading.source
    if options.head == "drop" and (gone := head(page.tags)):
        page = page.without(*gone)
    lines = read_lines(page.html, page.tags, keep_blank=options.blank_lines == "keep")
    if single := _source_lines.single_line(page.html, lines):
        before_text = options.line_break == "before_text"
        lines = _source_lines.break_line(page.html, lines, single, width=WIDTH, before_text=before_text)
    decoded = None
    if options.chars == "decoded":
        decoded = np.array(list(map(len, _line_texts(lines))), np.int64)
    return Document(page, reading.title, lines, *lines.ratios(decoded))


def _joined_stops(lines: Lines) -> Offsets:
    """Find where lines stop, int64 (n,).

    The first part of a broken line stops where its last part does; the other parts are empty.
    """
    first, stop = lines.broken
    if not stop:
        return lines.table[:, 1]
    stops = lines.table[:, 1].copy()
    stops[first] = stops[stop - 1]
    stops[first + 1 : stop] = lines.table[first + 1 : stop, 0]
    return stops


def _line_texts(lines: Lines) -> list[str]:
    """Each line as it reads in the output, the parts of a broken one each on its own; "" without text."""
    texts = [""] * len(lines)
    stops = _joined_stops(lines)
    rows = (stops > lines.table[:, 0]).nonzero()[0]
    for row, line in zip(rows.tolist(), lines.text.line_texts(stops[rows]), strict=True):
        texts[row] = line
    for row in range(*lines.broken):
        texts[row] = _part(lines, row, row + 1)
    return texts


def _part(lines: Lines, first: int, stop: int) -> str:
    """Read parts [first, stop) of a broken line; an entity belongs to the part where it begins."""
    begin, end = int(lines.table[first, 0]), int(lines.table[stop - 1, 1])
    if first > lines.broken[0]:
        begin = lines.text.after_reference(begin)
    if stop < lines.broken[1]:
        end = lines.text.after_reference(end)
    return lines.text.range_text(begin, end)


def _kept_text(lines: Lines, kept: Flags) -> tuple[str, int, int]:
    """Return the text of the output, its number of words, and that of code points if all were kept.

    Neighbouring parts of a broken line join; a dropped one parts them.
    """
    first, stop = lines.broken
    if not stop:
        text, words, visible = lines.text.kept_text(lines.table, kept)
        return text, words, max(visible - 1, 0)
    edges = characters.edges(kept[first:stop]) + first
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    parts = [_part(lines, *run) for run in runs]
    whole = _part(lines, first, stop)
    before = lines.text.kept_text(lines.table[:first], kept[:first])
    after = lines.text.kept_text(lines.table[stop:], kept[stop:])
    text = "\n".join(piece for piece in (before[0], *parts, after[0]) if piece)
    words = before[1] + sum(part.count(" ") + bool(part) for part in parts) + after[1]
    return text, words, max(before[2] + len(whole) + bool(whole) + after[2] - 1, 0)


def decided(document: Document, decide: Callable[[Floats], Decision]) -> Extraction:
    """Return the extraction that follows from a decision about ratios; all stays where they tell nothing."""
    ratios = document.ratios
    return LineExtraction.of(document, decide(ratios) if document.telling else keep_everything(ratios))


@dataclass(slots=True, eq=False)
class LineExtraction(Extraction):
    """The lines of a page that a decision keeps."""

    document: Document = field(kw_only=True, repr=False)
    decision: Decision = field(kw_only=True, repr=False)

    @classmethod
    def of(cls, document: Document, decision: Decision) -> Self:
        """Return the extraction that follows from a decision about a document's lines."""
        lines = document.lines
        kept, words, visible = _kept_text(lines, decision.kept)
        text = lines.text
        counts = words, len(lines), decision.kept.tobytes().count(1), text.tags.count, text.link_chars
        spread = document.mean, document.deviation, decision.threshold
        ratio = len(kept) / visible if visible else 0.0
        # Positional: keywords take more time here.
        metrics = PageMetrics(count(document.source.original), len(kept), *counts, *spread, ratio)
        return cls(kept, document.title, metrics, document=document, decision=decision)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The lines; the score of each is what the decision judged it by, and its cue is T."""
        document, decision = self.document, self.decision
        starts, stops = characters.code_points(document.source.original, *_source_ranges(document))
        columns = (
            _line_texts(document.lines),
            decision.kept.tolist(),
            decision.scores.tolist(),
            starts.tolist(),
            stops.tolist(),
            document.ratios.tolist(),
        )
        return tuple(
            Block(text, kept, score, start, stop, cues=(("T", ratio),))
            for text, kept, score, start, stop, ratio in zip(*columns, strict=True)
        )

    @property
    def kept_ranges(self) -> Ranges:
        """Where each line that is kept starts and stops in the page as given, in bytes."""
        starts, stops = _source_ranges(self.document)
        return starts[self.decision.kept], stops[self.decision.kept]


def _source_ranges(document: Document) -> tuple[Offsets, Offsets]:
    """Find where each line starts and stops in the page as given, int64 (n,) each, in bytes."""
    source, lines = document.source, document.lines
    starts, stops = _source_lines.source_ranges(source.html, keep_blank=lines.keep_blank)
    first, stop = lines.broken
    if stop:
        parts = lines.parts
        starts = np.concatenate((starts[:first], parts[:-1], starts[first + 1 :]))
        stops = np.concatenate((stops[:first], parts[1:], stops[first + 1 :]))
    last = np.maximum(stops - 1, starts)
    span = stops - last
    return source.original_offsets(starts), source.original_offsets(last) + span
