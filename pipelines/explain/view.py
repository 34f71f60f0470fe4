"""What `cedar explain` shows of one method on one page, ready for a template."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby, islice
from typing import Any

import numpy as np

from pipelines.common.messages import visible
from pipelines.drawing.charts import BarPicture, Binning, ScatterPicture, bar_picture, scatter_picture
from pipelines.drawing.evidence import Axis, Bars, Control, Evidence, Outline, Scatter, Sheet, noun_of
from pipelines.drawing.words import Piece, WordAgreement, partners, pieces, stretches_of, words
from transforms.extractors.extraction import Block, Extraction

MAX_ROWS = 20_000
"""Blocks of the text that a page shows, over all methods."""

MAX_ROW_BYTES = 3_500_000
"""Bytes of these in the HTML, over all methods."""

MAX_MOVABLE = 20_000
"""Lines of a page up to which its threshold can be moved in the file."""

_TEXT_CHARS = 4000
_SOURCE_CHARS = 500
_ROW_BYTES = 180  # of a row besides its texts
_BEGUN, _BEGINNING = 4, 24  # texts that say what was dropped, and characters of each


@dataclass(frozen=True, slots=True)
class Explained:
    """A method's work on a page."""

    label: str
    options: str
    result: Extraction
    blocks: tuple[Block, ...]
    evidence: Evidence

    @property
    def noun(self) -> str:
        """What a block is: a line of the page, or another part of it."""
        return noun_of(self.result)


@dataclass(frozen=True, slots=True)
class Reference:
    """A text that the page's words are looked for in.

    For the legend, what a dropped word that it has is, and a kept one that it lacks; the agreement with gold.
    """

    text: str
    missing: str
    surplus: str
    agreement: WordAgreement | None


@dataclass(frozen=True, slots=True)
class Row:
    """A block as it is shown; `number` counts from 1."""

    number: int
    kept: bool
    pieces: tuple[Piece, ...]
    source: str
    reason: str
    numbers: str


@dataclass(frozen=True, slots=True)
class RowRun:
    """Rows in turn that were kept, or that were dropped: of these `beginning` has the first words."""

    kept: bool
    rows: tuple[Row, ...]
    beginning: str


@dataclass(frozen=True, slots=True)
class View:
    """One method's part of the page; the names say what each is."""

    work: Explained
    all_chars: int
    reference: Reference | None
    binned: str | None
    control: Control | None
    pictures: tuple[BarPicture | ScatterPicture | Sheet | Outline, ...]
    has_source: bool
    runs: tuple[RowRun, ...]
    left_out: str | None


def view(page: str, explained: Explained, reference: Reference | None, methods: int) -> View:
    """Return what is shown of a method."""
    evidence, blocks = explained.evidence, explained.blocks
    axis, rows = evidence.axis, tuple(_rows(page, explained, reference, methods))
    return View(
        work=explained,
        all_chars=_all_chars(explained),
        reference=reference,
        binned=_binned(axis),
        control=_control(evidence),
        pictures=tuple(
            bar_picture(axis, chart)
            if isinstance(chart, Bars)
            else scatter_picture(axis, chart)
            if isinstance(chart, Scatter)
            else chart
            for chart in evidence.charts
        ),
        has_source=any(block.start is not None for block in blocks),
        runs=tuple(_runs(rows)),
        left_out=(
            f"{len(blocks) - len(rows):,} more {explained.noun}s are left out here to keep this file small; "
            "the charts and the numbers above have all."
            if len(rows) < len(blocks)
            else None
        ),
    )


def script_data(explained: Explained) -> dict[str, Any]:
    """Return what the script reads of a method, for JSON."""
    evidence = explained.evidence
    axis, binning = evidence.axis, Binning.of(evidence.axis.size)
    data: dict[str, Any] = {"places": axis.size, "bin": binning.size}
    data |= {"noun": axis.noun, "block": explained.noun}
    if not axis.one_to_one:
        starts, stops = axis.starts.copy(), axis.stops
        starts[stops <= starts] = len(explained.blocks)
        data |= {
            "starts": np.minimum.reduceat(starts, binning.starts).tolist() if axis.size else [],
            "stops": np.maximum.reduceat(stops, binning.starts).tolist() if axis.size else [],
            "of_block": (axis.of_block[:MAX_ROWS] // binning.size).tolist(),
        }
    if axis.notes and binning.size == 1:
        data["notes"] = [visible(note) for note in axis.notes]
    if (control := _control(evidence)) is not None:
        modes = {mode.name: {"values": mode.values.tolist(), "unit": mode.unit} for mode in control.modes}
        data["control"] = {"chart": control.chart, "symbol": control.symbol, "modes": modes}
    return data


def marked_words(blocks: tuple[Block, ...], reference: str) -> list[list[Piece]]:
    """Cut blocks' texts: words that were dropped but stand in the reference, and the reverse."""
    found = [words(block.text) for block in blocks]
    keys = [word.key for row in found for word in row]
    again = iter(partners(keys, [word.key for word in words(reference)]))
    marked = []
    for block, row in zip(blocks, found, strict=True):
        # Of a kept block the words that the reference lacks, of a dropped one those that it has.
        flags = [(next(again) < 0) == block.kept for _ in row]
        mark = "surplus" if block.kept else "missing"
        marked.append(pieces(block.text, stretches_of(row, flags), mark))
    return marked


def _rows(page: str, explained: Explained, reference: Reference | None, methods: int) -> Iterator[Row]:
    blocks, evidence = explained.blocks, explained.evidence
    marked = marked_words(blocks, reference.text) if reference else None
    room = MAX_ROW_BYTES // methods
    for place, block in enumerate(blocks[: MAX_ROWS // methods]):
        shown = marked[place] if marked else [Piece(block.text, "")]
        source = "" if block.start is None else page[block.start : block.stop].strip()
        source = source if len(source) <= _SOURCE_CHARS else f"{source[:_SOURCE_CHARS]} …"
        texts = source, evidence.reasons[place], evidence.numbers[place]
        row = Row(place + 1, block.kept, tuple(_clipped_pieces(shown)), *texts)
        written = escape("".join((*(piece.text for piece in row.pieces), *texts)))
        room -= len(written.encode("utf-8", "replace")) + _ROW_BYTES
        if room < 0:
            return
        yield row


def _runs(rows: tuple[Row, ...]) -> Iterator[RowRun]:
    for kept, found in groupby(rows, key=lambda row: row.kept):
        run = tuple(found)
        texts = ("".join(piece.text for piece in row.pieces[:3]).strip() for row in run)
        beginning = " · ".join(islice((text[:_BEGINNING] for text in texts if text), _BEGUN))
        yield RowRun(kept, run, "" if kept else beginning)


def _clipped_pieces(pieces: list[Piece]) -> Iterator[Piece]:
    room = _TEXT_CHARS
    for place, piece in enumerate(pieces):
        if len(piece.text) > room:
            more = sum(len(rest.text) for rest in pieces[place:]) - room
            yield Piece(piece.text[:room], piece.mark)
            yield Piece(f" … {more:,} characters more", "")
            return
        room -= len(piece.text)
        yield piece


def _all_chars(explained: Explained) -> int:
    """Visible characters of the page, by the metrics where they tell."""
    metrics = explained.result.metrics
    if metrics.content_ratio > 0:
        return round(metrics.text_chars / metrics.content_ratio)
    shown = [len(block.text) for block in explained.blocks if block.text]
    return sum(shown) + max(0, len(shown) - 1)


def _control(evidence: Evidence) -> Control | None:
    """Return the threshold that can be moved in the page, if any."""
    return evidence.control if evidence.axis.size <= MAX_MOVABLE else None


def _binned(axis: Axis) -> str | None:
    size = Binning.of(axis.size).size
    if size == 1:
        return None
    return (
        f"The page has {axis.size:,} {axis.noun}s: in the charts {size} neighbours share a bar, "
        "which shows the largest of their values and is coloured if one of them was kept."
    )
