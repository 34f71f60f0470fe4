"""Texts in pieces, some of them marked; and cut to where the first mark is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.drawing.words import Stretch

_WORD = 30  # characters within which a cut is moved to a blank


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and its mark: `missing`, `surplus`, `differs`, or ""."""

    text: str
    mark: str


def excerpt(
    text: str, stretches: Sequence[Stretch], room: int = 400, first: int | None = None
) -> tuple[Piece, ...]:
    """Cut a text to `room` characters around the first of some stretches, or around a character.

    Stretches [start, stop), rising, are marked as `differs`; without any the text's beginning stays.
    """
    if first is None:
        first = stretches[0][0] if stretches else 0
    start = max(0, first - room // 4)
    if start:
        blank = text.find(" ", start, min(first, start + _WORD))
        start = start if blank < 0 else blank + 1
    stop = min(len(text), start + room)
    if stop < len(text):
        blank = text.rfind(" ", max(stop - _WORD, start), stop)
        stop = stop if blank < 0 else blank
    return tuple(piece for piece in _pieces(text, stretches, start, stop) if piece.text)


def _pieces(text: str, stretches: Sequence[Stretch], start: int, stop: int) -> Iterator[Piece]:
    yield Piece("… " if start else "", "")
    end = start
    for first, last in stretches:
        if first >= stop:
            break
        if last > end:
            yield Piece(text[end : max(end, first)], "")
            yield Piece(text[max(end, first) : min(last, stop)], "differs")
            end = min(last, stop)
    yield Piece(text[end:stop], "")
    yield Piece(" …" if stop < len(text) else "", "")
