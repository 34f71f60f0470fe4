"""Cedar: blocks of a page, scored by a small learned table; the set of the best expected F1 stays.

The method, in the order of the code:

1. The page's own bytes are cut at block-level tags; no parser builds a tree (`cedar_blocks`). A stack over
   the block-level tags says which element each block stands in (`cedar_tree`).
2. Each block is measured: its length, links and punctuation, its tag, its neighbours, its place, the
   densities of the elements around it, where it stands to the densest of them, what classes and roles say,
   what repeats (`cedar_features`, `cedar_surroundings`). These are the signals of CETR, CETD, CoreEx, BTE and
   of others after them.
3. A table of oblivious trees makes one score of them: log-odds of being content (`cedar_model`,
   `cedar_scoring`).
4. The set of blocks of the greatest expected F1 stays (`cedar_choice`); options decide what golds dispute.
5. What stays is written in the order of the page, a block a line; cells of one row share a line, and `pre`
   keeps its lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar import (
    cedar_blocks,
    cedar_choice,
    cedar_features,
    cedar_hints,
    cedar_kinds,
    cedar_layout,
    cedar_model,
    cedar_scoring,
    cedar_text,
    cedar_votes,
)
from transforms.extractors.cedar.cedar_blocks import Page
from transforms.extractors.cedar.cedar_choice import Choice
from transforms.extractors.cedar.cedar_hints import GROUPS, Hints
from transforms.extractors.cedar.cedar_model import KINDS, Forest, Table
from transforms.extractors.cedar.cedar_scoring import Scorer
from transforms.extractors.cedar.cedar_tree import CODE
from transforms.extractors.extraction import Block, Extraction, PageMetrics
from transforms.extractors.html import characters
from transforms.extractors.html.characters import Bytes, Flags, Offsets
from transforms.extractors.options import About


@dataclass(frozen=True, slots=True)
class _Ready:
    """The learned table, lined up with the columns of pages.

    Attributes:
        first: scores blocks by what they are.
        kinds: scores pages by what they are.
        second: scores blocks by all that is known.
        trees: the trees of `second`.
        calibration: as in `cedar_model.Table`.
    """

    first: Scorer
    kinds: Scorer
    second: Scorer
    trees: Forest
    calibration: NDArray[np.float64]


def _ready(table: Table) -> _Ready:
    """Lines the table up with the columns that pages have, by those of the smallest page."""
    page = cedar_blocks.cut(b".")
    said = cedar_hints.hints(page)
    layout = cedar_layout.lay_out(page, said)
    made = cedar_features.columns(page, said, layout)
    first = cedar_scoring.aligned(table.first, made.names)
    summary = cedar_kinds.summary_names(made.names)
    kinds = cedar_scoring.joined([cedar_scoring.aligned(kind, summary) for kind in table.kinds])
    cedar_votes.add_to(made, page, said, layout, np.zeros(1, np.int64))
    cedar_kinds.add_to(made, np.zeros(len(KINDS), np.int64))
    second = cedar_scoring.aligned(table.second, made.names)
    scorer = cedar_scoring.scorer
    return _Ready(scorer(first), scorer(kinds), scorer(second), second, table.calibration)


_TABLE = _ready(cedar_model.packaged())


@dataclass(frozen=True, slots=True, kw_only=True)
class CedarOptions:
    """Options of `cedar`: what people mean by content where they do not agree."""

    title: Annotated[
        Literal["keep", "drop"],
        About("whether the headline belongs to the text"),
    ] = "keep"
    comments: Annotated[
        Literal["auto", "keep", "drop"],
        About("readers' comments: dropped from articles and kept in threads, always kept, or always dropped"),
    ] = "auto"
    captions: Annotated[
        Literal["auto", "keep", "drop"],
        About("captions of figures and tables: as the page suggests, always inside of the text, or never"),
    ] = "auto"


def cedar(html: bytes, options: CedarOptions) -> Extraction:
    """Extracts the content of a page of valid UTF-8."""
    page = cedar_blocks.cut(html)
    if not page.starts.size:
        return _nothing(html, page)
    said = cedar_hints.hints(page)
    layout = cedar_layout.lay_out(page, said)
    made = cedar_features.columns(page, said, layout)
    first = _TABLE.first.scores(made.values)
    kinds = cedar_kinds.kind_scores(_TABLE.kinds, cedar_kinds.summary(made.values, page.units))
    cedar_votes.add_to(made, page, said, layout, first)
    cedar_kinds.add_to(made, kinds)
    scores = _TABLE.second.scores(made.values)
    choice = cedar_choice.choose(
        scores, page.units, likely=cedar_kinds.keeps_the_likely(kinds), calibration=_TABLE.calibration
    )
    kept = _as_asked(page, said, layout.headings, choice.kept, options, cedar_kinds.has_comments_apart(kinds))
    elements = page.elements
    written, words = _written(
        page.coded,
        page.starts,
        page.stops,
        kept,
        page.nearest,
        elements.codes,
        elements.parents,
        page.last - page.first == 1,
        _CELLS,
        CODE["tr"],
    )
    text = written.decode()
    metrics = _metrics(html, page, kept, len(text), words, choice)
    return Extraction(text, page.title, None, metrics, partial(_blocks, page, kept, scores, made.values))


def _nothing(html: bytes, page: Page) -> Extraction:
    metrics = PageMetrics(
        html_chars=characters.count(html),
        text_chars=0,
        words=0,
        lines=0,
        content_lines=0,
        tags=page.tags.starts.size,
        link_chars=0,
        tag_ratio_mean=None,
        tag_ratio_std=None,
        threshold=None,
        content_ratio=0.0,
        confidence=0.0,
    )
    return Extraction("", page.title, None, metrics, tuple)


def _metrics(
    html: bytes, page: Page, kept: Flags, text_chars: int, words: int, choice: Choice
) -> PageMetrics:
    return PageMetrics(
        html_chars=characters.count(html),
        text_chars=text_chars,
        words=words,
        lines=kept.size,
        content_lines=int(np.count_nonzero(kept)),
        tags=page.tags.starts.size,
        link_chars=int(page.linked.sum()),
        tag_ratio_mean=None,
        tag_ratio_std=None,
        threshold=choice.threshold,
        content_ratio=float(page.chars[kept].sum() / page.chars.sum()),
        confidence=choice.confidence,
    )


def _as_asked(
    page: Page, said: Hints, headings: Offsets, kept: Flags, options: CedarOptions, apart: bool
) -> Flags:
    """The choice after what the options say of comments, captions and the headline."""
    kept = kept.copy()
    comments = _parts(page, said.groups[_COMMENT])
    if options.comments == "keep":
        kept |= comments & (page.units > 2 * _SHORT)
    elif options.comments == "drop" or (apart and page.units[kept & ~comments].sum() >= _ENOUGH):
        kept &= ~comments
    if options.captions != "auto":
        codes = page.elements.codes
        marks = (codes == CODE["figcaption"]) | (codes == CODE["caption"])
        captions = _inside(marks, page.first, page.last, page.units, _ALL)
        span = kept.nonzero()[0]
        if options.captions == "drop":
            kept &= ~captions
        elif span.size:
            kept[span[0] : span[-1]] |= captions[span[0] : span[-1]]
    headlines = _headlines(page, headings)
    if options.title == "drop":
        kept[headlines] = False
    elif headlines and kept.any() and not any(kept[headline] for headline in headlines):
        first = int(kept.argmax())
        near = [headline for headline in headlines if 0 < first - headline <= _HEADLINE_REACH]
        kept[near[-1:]] = True
    return kept


_HEADLINE_REACH = 20
"""How many blocks before the text the headline may stand."""


_COMMENT = list(GROUPS).index("comment")

_ENOUGH = 1000
"""Tenths of words without which an article is none but for its comments."""

_ALL = 11
"""More tenths of a page's words than any element holds."""

_SHORT = 30
"""Tenths of words: blocks of comment sections up to twice this are names, dates and buttons."""


def _parts(page: Page, marks: Flags) -> Flags:
    """Marks the blocks inside of marked elements that hold less than nine tenths of the page's text."""
    return _inside(marks, page.first, page.last, page.units, 9)


@compiled
def _inside(marks: Flags, first: Offsets, last: Offsets, units: Offsets, tenths: int) -> Flags:
    """Marks the blocks inside of marked elements: bool (n,).

    Args:
        marks: bool (e,), some elements.
        first: int64 (e,), as in `Page`.
        last: int64 (e,), as in `Page`.
        units: int64 (n,), tenths of words.
        tenths: what such an element holds less than of the page's words, in tenths.
    """
    sums = np.concatenate(([0], np.cumsum(units)))
    marks = marks & (10 * (sums[last] - sums[first]) < tenths * max(int(sums[-1]), 1))
    count = units.size + 1
    change = np.bincount(first[marks], minlength=count) - np.bincount(last[marks], minlength=count)
    inside: Flags = np.cumsum(change)[:-1] > 0
    return inside


def _headlines(page: Page, headings: Offsets) -> list[int]:
    """The blocks that are the page's headline: headings that read as its title does, or its only `h1`."""
    tops = (headings == 1).nonzero()[0][:_HEADINGS].tolist()
    title = (page.title or "").casefold()
    alike = [
        block
        for block in (*tops, *(headings == 2).nonzero()[0][:_HEADINGS].tolist())
        if page.units[block] >= _SHORT and page.text(block).casefold() in title
    ]
    return alike or tops[:1] * (len(tops) == 1)


_HEADINGS = 16
"""How many headings of each of the first two levels may be the headline."""


_CELLS = (CODE["td"], CODE["th"])


@compiled
def _written(
    coded: Bytes,
    starts: Offsets,
    stops: Offsets,
    kept: Flags,
    nearest: Offsets,
    codes: Offsets,
    parents: Offsets,
    single: Flags,
    cells: tuple[int, int],
    row: int,
) -> tuple[bytes, int]:
    """Writes the blocks that stay.

    Args:
        coded: uint8 (m,), as in `Page`.
        starts: int64 (n,), as in `Page`.
        stops: int64 (n,), as in `Page`.
        kept: bool (n,), the blocks that stay.
        nearest: int64 (n,), as in `Page`.
        codes: int64 (e,), as in `Elements`.
        parents: int64 (e,), as in `Elements`.
        single: bool (e,), elements of one block.
        cells: the codes of cells.
        row: the code of table rows.

    Returns:
        A line for each block, or for the cells of a row; and the number of words.
    """
    in_row = single & np.isin(codes, cells) & (codes[parents] == row)
    rows = np.where(in_row[nearest], parents[nearest], -1)
    text = coded.tobytes()
    lines: list[str] = []
    line = -1
    words = 0
    for block in kept.nonzero()[0].tolist():
        block_text = cedar_text.readable(text[starts[block] : stops[block]])
        if not block_text:
            continue
        if rows[block] >= 0 and rows[block] == line:
            lines[-1] += "\t" + block_text
        else:
            lines.append(block_text)
        line = rows[block]
        words += len(block_text.split())
    return "\n".join(lines).encode(), words


def _blocks(page: Page, kept: Flags, scores: Offsets, values: NDArray[np.float32]) -> tuple[Block, ...]:
    groups, added = cedar_scoring.cues(_TABLE.trees, values)
    starts, stops = page.source_ranges()
    return tuple(
        Block(
            page.text(block),
            bool(kept[block]),
            float(scores[block]) / cedar_model.UNIT,
            int(starts[block]),
            int(stops[block]),
            None,
            tuple(zip(groups, added[:, block].tolist(), strict=True)),
        )
        for block in range(kept.size)
    )
