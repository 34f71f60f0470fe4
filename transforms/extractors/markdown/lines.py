"""Lines of a paragraph before they are written: their text, what is marked in it, and its formulas."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from transforms.extractors.markdown.tex import Delimiters, is_macro

if TYPE_CHECKING:
    from transforms.extractors.markdown._formulas import Formula
    from transforms.extractors.markdown.inserts import Insert
    from transforms.extractors.markdown.tex import TexFound

STAND_IN = "\0"
"""Stands for a formula, an image or the like: no text has this character."""

NOTHING = "\1"
"""Stands for a macro, which shows nothing."""

_NONE = NOTHING + " "
_CODE = 8

Run = tuple[int, int, int]
"""Characters [start, stop) of a line, and what they are: a style, or a link by its tag, negated."""


@dataclass(slots=True)
class TextLine:
    """A line.

    Attributes:
        text: its characters, a `STAND_IN` for each formula.
        runs: what is marked.
        formulas: its formulas, images and the like, in order.
    """

    text: str
    runs: list[Run] = field(default_factory=list)
    formulas: list[Formula | TexFound | Insert] = field(default_factory=list)

    def part(self, start: int, stop: int) -> TextLine:
        """The characters [start, stop), blanks around them apart, with what is marked of them."""
        text = self.text[start:stop]
        start += len(text) - len(text.lstrip(" "))
        text = text.strip(" ")
        stop = start + len(text)
        runs = [
            (max(first, start) - start, min(last, stop) - start, mark)
            for first, last, mark in self.runs
            if first < stop and last > start
        ]
        before = self.text.count(STAND_IN, 0, start)
        return TextLine(text, runs, self.formulas[before : before + text.count(STAND_IN)])


def without_empty(line: TextLine) -> TextLine:
    """A line without what stands for nothing, and without a blank beside it."""
    gone = [not each.inline(False) for each in line.formulas]
    if not any(gone):
        return line
    kept: list[str] = []
    places = []  # of each character, and of the end
    number = size = 0
    for character in line.text:
        places.append(size)
        if character == STAND_IN:
            number += 1
            if gone[number - 1]:
                continue
        if character == " " and (not size or kept[-1] == " "):
            continue
        kept.append(character)
        size += 1
    places.append(size)
    runs = [(places[first], places[last], mark) for first, last, mark in line.runs]
    formulas = [each for each, is_gone in zip(line.formulas, gone, strict=True) if not is_gone]
    return TextLine("".join(kept), runs, formulas).part(0, size)


def joined(lines: Sequence[TextLine], glue: str) -> TextLine:
    """One line of several, those that are empty left out."""
    whole: list[str] = []
    size = 0
    runs: list[Run] = []
    formulas: list[Formula | TexFound | Insert] = []
    for line in lines:
        if not line.text.strip(_NONE):
            continue
        size += len(glue) if whole else 0
        runs += [(first + size, last + size, mark) for first, last, mark in line.runs]
        formulas += line.formulas
        whole.append(line.text)
        size += len(line.text)
    return TextLine(glue.join(whole), runs, formulas)


def with_formulas(lines: list[TextLine], delimiters: Delimiters) -> list[TextLine]:
    """Put formulas of the text in the place of their characters; lines that one reaches over are one."""
    whole = joined(lines, "\n")
    codes = [(first, last) for first, last, mark in whole.runs if mark == _CODE]
    found = [
        each
        for each in delimiters.find(whole.text)
        if STAND_IN not in whole.text[each.start : each.stop]
        and not any(first < each.stop and last > each.start for first, last in codes)
    ]
    if not found:
        return lines
    text: list[str] = []
    formulas: list[Formula | TexFound | Insert] = []
    at = known = 0
    for each in found:
        piece = whole.text[at : each.start]
        count = piece.count(STAND_IN)
        formulas += whole.formulas[known : known + count]
        known += count
        text.append(piece)
        is_nothing = is_macro(each.tex)
        text.append(NOTHING if is_nothing else STAND_IN)
        formulas += () if is_nothing else (each,)
        at = each.stop
    text.append(whole.text[at:])
    moved = _Moved(found)
    runs = [(moved.start(first), moved.stop(last), mark) for first, last, mark in whole.runs]
    return _split(TextLine("".join(text), runs, [*formulas, *whole.formulas[known:]]))


class _Moved:
    """Where characters are after formulas have shrunk to one each."""

    def __init__(self, found: Sequence[TexFound]) -> None:
        self._starts = [each.start for each in found]
        self._stops = [each.stop for each in found]
        self._gone = [0]
        for each in found:
            self._gone.append(self._gone[-1] + each.stop - each.start - 1)

    def start(self, place: int) -> int:
        """Where what begins at a place begins; after a formula that it is in."""
        number = bisect_right(self._starts, place - 1)
        if number and place < self._stops[number - 1]:
            return self._starts[number - 1] - self._gone[number - 1] + 1
        return place - self._gone[number]

    def stop(self, place: int) -> int:
        """Where what ends at a place ends; before a formula that it is in."""
        number = bisect_right(self._starts, place - 1)
        if number and place < self._stops[number - 1]:
            return self._starts[number - 1] - self._gone[number - 1]
        return place - self._gone[number]


def _split(whole: TextLine) -> list[TextLine]:
    """The lines of a text of several."""
    out, start = [], 0
    while start <= len(whole.text):
        stop = whole.text.find("\n", start)
        stop = len(whole.text) if stop < 0 else stop
        out.append(whole.part(start, stop))
        start = stop + 1
    return out


def apart(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Paragraphs of lines, each formula that stands apart in one of its own."""
    alone = [line for line in lines if line.text.strip(_NONE)]
    if len(alone) == 1 and alone[0].text == STAND_IN:
        return [alone]
    out: list[list[TextLine]] = [[]]
    for line in alone:
        start = number = 0
        for place, character in enumerate(line.text) if STAND_IN in line.text else ():
            if character != STAND_IN:
                continue
            number += 1
            if line.formulas[number - 1].is_display:
                before = line.part(start, place)
                out[-1] += [before] if before.text else []
                out += [[line.part(place, place + 1)], []]
                start = place + 1
        rest = line.part(start, len(line.text)) if start else line
        out[-1] += [rest] if rest.text else []
    return [paragraph for paragraph in out if paragraph]
