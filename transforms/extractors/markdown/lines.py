"""Lines before they are written: their text, its marks, formulas and images; addresses."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from urllib.parse import urljoin, urlsplit

from cedar.transforms.extractors.html._text import rendered
from cedar.transforms.extractors.html.addresses import MAX_ADDRESS_CHARS
from cedar.transforms.extractors.markdown.tex import MACRO, Delimiters, Formula, TexFound

STAND_IN = "\0"
"""Stands for a formula, an image or the like: no text has this character."""

NOTHING = "\1"
"""Stands for a macro, which shows nothing."""

_NONE = NOTHING + " "
_CODE = 8


@dataclass(frozen=True, slots=True)
class Insert:
    """Markdown in the place of the tags [first, last], and of the text between them.

    `written` has its form in a paragraph; `link` is the start tag of the link around it, or -1.
    """

    first: int
    last: int
    written: str
    link: int = -1

    @property
    def is_display(self) -> bool:
        """Whether it stands on a line of its own."""
        return False

    def inline(self, in_cell: bool) -> str:
        """Write it within a line."""
        return self.written.replace("|", "\\|") if in_cell else self.written

    def apart(self) -> None:
        """It has no other form on a line of its own."""


Run = tuple[int, int, int]
"""Characters [start, stop) of a line, and their style, or the negated tag of their link."""


@dataclass(slots=True)
class TextLine:
    """A line: its characters, a `STAND_IN` for each formula or image, and its marks."""

    text: str
    runs: list[Run] = field(default_factory=list)
    formulas: list[Formula | Insert] = field(default_factory=list)


def parts(line: TextLine, ranges: Iterable[tuple[int, int]]) -> list[TextLine]:
    """Cut parts out of a line, without blanks at their edges, in one pass over its runs and formulas.

    The ranges are the characters [start, stop) of each, in order; they do not overlap.
    """
    waiting = sorted(line.runs, reverse=True)
    running: list[Run] = []
    found = []
    known = before = 0
    for start, stop in ranges:
        text = line.text[start:stop]
        first = start + len(text) - len(text.lstrip(" "))
        text = text.strip(" ")
        last = first + len(text)
        while waiting and waiting[-1][0] < last:
            running.append(waiting.pop())
        running = [run for run in running if run[1] > first]
        runs = [(max(begin, first) - first, min(end, last) - first, mark) for begin, end, mark in running]
        known += line.text.count(STAND_IN, before, first)
        count = text.count(STAND_IN)
        found.append(TextLine(text, runs, line.formulas[known : known + count]))
        known += count
        before = last
    return found


def joined(lines: Sequence[TextLine], glue: str) -> TextLine:
    """One line of several, those that are empty left out."""
    whole: list[str] = []
    size = 0
    runs: list[Run] = []
    formulas: list[Formula | Insert] = []
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
    codes = sorted((first, last) for first, last, mark in whole.runs if mark == _CODE)
    found = []
    passed = 0  # pieces of code that end before a formula
    for each in delimiters.find(whole.text):
        while passed < len(codes) and codes[passed][1] <= each.start:
            passed += 1
        is_code = passed < len(codes) and codes[passed][0] < each.stop
        if not is_code and STAND_IN not in whole.text[each.start : each.stop]:
            found.append(each)
    if not found:
        return lines
    text: list[str] = []
    formulas: list[Formula | Insert] = []
    at = known = 0
    for each in found:
        piece = whole.text[at : each.start]
        count = piece.count(STAND_IN)
        formulas += whole.formulas[known : known + count]
        known += count
        text.append(piece)
        is_nothing = MACRO.match(each.tex) is not None
        text.append(NOTHING if is_nothing else STAND_IN)
        formulas += () if is_nothing else (each,)
        at = each.stop
    text.append(whole.text[at:])
    moved = _moved(found)
    runs = [(moved(first, True), moved(last, False), mark) for first, last, mark in whole.runs]
    joint = TextLine("".join(text), runs, [*formulas, *whole.formulas[known:]])
    ends = _places(joint.text, "\n")
    return parts(joint, zip([0, *(end + 1 for end in ends)], [*ends, len(joint.text)], strict=True))


def _moved(found: Sequence[TexFound]) -> Callable[[int, bool], int]:
    """Tell where characters are after formulas have shrunk to one each.

    What begins, or ends, at a place in a formula does so after it, or before it.
    """
    starts = [each.start for each in found]
    gone = [0, *accumulate(each.stop - each.start - 1 for each in found)]

    def moved(place: int, begins: bool) -> int:
        number = bisect_right(starts, place - 1)
        if number and place < found[number - 1].stop:
            return starts[number - 1] - gone[number - 1] + begins
        return place - gone[number]

    return moved


def apart(lines: Sequence[TextLine]) -> list[list[TextLine]]:
    """Paragraphs of lines, each formula that stands apart in one of its own."""
    alone = [line for line in lines if line.text.strip(_NONE)]
    if len(alone) == 1 and alone[0].text == STAND_IN:
        return [alone]
    out: list[list[TextLine]] = [[]]
    for line in alone:
        places = _places(line.text, STAND_IN)
        shown = [place for place, each in zip(places, line.formulas, strict=True) if each.is_display]
        edges = [0, *(edge for place in shown for edge in (place, place + 1)), len(line.text)]
        for number, part in enumerate(parts(line, pairwise(edges))) if shown else [(0, line)]:
            if number % 2:
                out += [[part], []]
            elif part.text:
                out[-1].append(part)
    return [paragraph for paragraph in out if paragraph]


def _places(text: str, character: str) -> list[int]:
    """Where a character stands in a text."""
    return [found.start() for found in re.finditer(character, text)]


_QUOTED = re.compile(r"[\x00-\x20()<>\\\"`|\x7f]")


def web_address(base: str | None, written: bytes) -> str | None:
    """Make an address of http or https absolute; None for others, too long ones, and places in the page."""
    address = rendered(written)
    if not address or address.startswith("#") or len(address) > MAX_ADDRESS_CHARS:
        return None
    try:
        absolute = urljoin(base or "", address)
        scheme = urlsplit(absolute).scheme
    except ValueError:
        return None
    if scheme not in ("http", "https") or len(absolute) > MAX_ADDRESS_CHARS:
        return None
    return _QUOTED.sub(lambda found: f"%{ord(found[0]):02X}", absolute)
