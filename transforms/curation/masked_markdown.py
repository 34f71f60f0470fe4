"""Masks in Markdown, found in its visible text, so that no mark hides an address or is cut by one."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cedar.transforms.extractors.markdown._escaping import begun, escaped
from cedar.transforms.extractors.markdown._unmarked import (
    CODE_PAIR,
    CODE_SPAN,
    DESCRIPTION,
    EMPHASIS_PAIR,
    PROSE,
    Unmarked,
    may_hold_personal,
)

Span = tuple[int, int, int]
"""A half-open range of bytes of a text, and the kind of personal data that stands there."""

_BESIDE_MARKS = 1 | 2 | 4 | 8 | 16 | 32
"""Places around a text that loses its marks, for `escaped`: marks, a cell, dollars, links."""

_NUMBER_SIGNS = re.compile(rb"(^| )(#+)$")
"""Number signs that would end a heading."""


@dataclass(slots=True)
class _Region:
    """A range [start, stop) of the source to write anew: the visible bytes [first, last), masked."""

    first: int
    last: int
    start: int
    stop: int
    spans: list[Span]


def masked_markdown(markdown: str, find: Callable[[str], Sequence[Span]], word: Callable[[int], str]) -> str:
    """Replace personal data in the visible text, descriptions and addresses of Markdown that Cedar wrote.

    A mark that begins or ends within an address goes, with its other end. Marks around an address stay,
    unless a parser would no longer read them.

    Args:
        word: returns the replacement of the next span of a kind, in the order of the text.

    Raises UnicodeEncodeError: the Markdown holds a lone surrogate.
    """
    source = markdown.encode()
    if not may_hold_personal(source):
        return markdown
    seen = Unmarked(source)
    spans = find(seen.text.decode())
    if not spans:
        return markdown
    regions = _regions(seen, spans)
    edits = [(region.start, region.stop, _written(seen, region, word)) for region in regions]
    edits = _apart(edits)
    return _applied(source, seen, _apart([*edits, *_edits_of_marks(source, seen, edits)])).decode()


def _regions(seen: Unmarked, spans: Sequence[Span]) -> list[_Region]:
    """Return the parts to write anew: each address, with code that reaches into it but does not hold it."""
    codes = sorted(pair[1:] for pair in seen.pairs if pair[0] == CODE_PAIR)
    ends = [code[3] for code in codes]
    regions: list[_Region] = []
    for span in spans:
        first, last, _ = span
        region = _Region(first, last, int(seen.starts[first]), int(seen.stops[last - 1]), [span])
        if seen.kinds[first] in (PROSE, CODE_SPAN):
            _take_code(seen, region, codes, number=bisect_right(ends, region.start))
            _take_neighbours(seen, region)
        while regions and region.first < regions[-1].last:  # both reach into the same code
            before = regions.pop()
            region.first, region.start = min(before.first, region.first), min(before.start, region.start)
            region.last, region.stop = max(before.last, region.last), max(before.stop, region.stop)
            region.spans = before.spans + region.spans
        regions.append(region)
    return regions


def _take_code(seen: Unmarked, region: _Region, codes: Sequence[Sequence[int]], *, number: int) -> None:
    """Extend a region over spans of code, from the one of a number on, that hold a part of its address."""
    start, stop = region.start, region.stop
    while number < len(codes) and codes[number][0] < stop:
        opened, inside, outside, closed = codes[number]
        number += 1
        if inside <= start and stop <= outside:  # all of the address is code
            continue
        while region.first and inside <= seen.starts[region.first - 1] < outside:
            region.first -= 1
        while region.last < len(seen.text) and inside <= seen.starts[region.last] < outside:
            region.last += 1
        region.start, region.stop = min(region.start, opened), max(region.stop, closed)


def _take_neighbours(seen: Unmarked, region: _Region) -> None:
    """Extend a region over a backslash or a low line next to it, which is a mark next to a word."""
    before, after = region.first - 1, region.last
    is_next = before >= 0 and seen.stops[before] == region.start and seen.kinds[before] == PROSE
    if is_next and seen.text[before] in b"\\_" and seen.kinds[region.first] == PROSE:
        region.first, region.start = before, int(seen.starts[before])
    is_next = after < len(seen.text) and seen.starts[after] == region.stop and seen.kinds[after] == PROSE
    if is_next and seen.text[after] in b"_" and seen.kinds[after - 1] == PROSE:
        region.last, region.stop = after + 1, int(seen.stops[after])


def _written(seen: Unmarked, region: _Region, word: Callable[[int], str]) -> bytes:
    """Write a region: words in place of addresses, and as prose the rest of code that is no code any more."""
    kind_of_place = seen.kinds[region.first]
    holds_marks = region.start < seen.starts[region.first]
    is_prose = kind_of_place in (PROSE, DESCRIPTION) or (kind_of_place == CODE_SPAN and holds_marks)

    def text(first: int, last: int) -> str:
        found = seen.text[first:last].decode()
        return escaped(found, last - first, _BESIDE_MARKS) if is_prose else found

    written = []
    at = region.first
    for first, last, kind in region.spans:
        written += [text(at, first), word(kind)]
        at = last
    written.append(text(at, region.last))
    return "".join(written).encode()


Edit = tuple[int, int, bytes]
"""A half-open range of bytes of the source, and the bytes to write in its place."""


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    """Return edits in order, without those within another one: of an address whose link goes."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if not found or edit[0] >= found[-1][1]:
            found.append(edit)
    return found


def _edits_of_marks(source: bytes, seen: Unmarked, edits: Sequence[Edit]) -> list[Edit]:
    """Take away marks that have one end in an edit, and those that no parser reads as marks next to one."""
    starts = [start for start, _, _ in edits]
    stops = [stop for _, stop, _ in edits]

    def holder(place: int) -> int:
        """Return the number of the edit that holds a place of the source, or -1."""
        number = bisect_right(starts, place) - 1
        return number if number >= 0 and place < stops[number] else -1

    found: list[Edit] = []
    for kind, start, after_start, end, after_end in seen.pairs:
        opens, closes = holder(start), holder(end)
        if opens >= 0 and closes >= 0:
            continue
        if kind == EMPHASIS_PAIR and opens < 0 and closes < 0:
            mark = source[start : start + 1]
            first, last = _run_around(source, start, after_start, mark=mark)
            is_lost = _has(starts, last) and not _is_beside_mark(source, first, -1)
            first, last = _run_around(source, end, after_end, mark=mark)
            is_lost |= _has(stops, first) and not _is_beside_mark(source, last, 1)
            if not is_lost:
                continue
        elif opens < 0 and closes < 0:
            continue
        if opens < 0:
            found.append((start, after_start, b""))
        if closes < 0:
            found.append((end, after_end, b""))
    return found


def _has(places: Sequence[int], place: int) -> bool:
    """Whether a place is one of those in order."""
    number = bisect_left(places, place)
    return number < len(places) and places[number] == place


_MAX_RUN = 16
"""Marks in a row that are looked at: Cedar writes fewer."""
_MAX_BYTES = 4
"""Bytes of a character in UTF-8."""


def _run_around(source: bytes, start: int, stop: int, *, mark: bytes) -> tuple[int, int]:
    """Return the range of the marks of one character in a row with those in [start, stop)."""
    first, last = max(0, start - _MAX_RUN), stop + _MAX_RUN
    before, after = source[first:start], source[stop:last]
    return start - len(before) + len(before.rstrip(mark)), stop + len(after) - len(after.lstrip(mark))


def _is_beside_mark(source: bytes, place: int, step: int) -> bool:
    """Whether the character before `place`, or after it, lets marks between it and punctuation be marks."""
    if step < 0:
        character = source[max(0, place - _MAX_BYTES) : place].decode("utf-8", "ignore")[-1:]
    else:
        character = source[place : place + _MAX_BYTES].decode("utf-8", "ignore")[:1]
    return not character or character.isspace() or unicodedata.category(character)[0] in "PS"


def _applied(source: bytes, seen: Unmarked, edits: Sequence[Edit]) -> bytes:
    """Make edits, in order and apart from each other; keep changed lines from being read as other syntax."""
    out = []
    at = 0
    number = 0
    headings = set(seen.headings)
    for line in sorted([*seen.paragraphs, *headings]):
        start, stop = line
        while number < len(edits) and edits[number][1] <= start:
            out += [source[at : edits[number][0]], edits[number][2]]
            at = edits[number][1]
            number += 1
        if number == len(edits):
            break
        if edits[number][0] >= stop:
            continue
        out.append(source[at:start])
        at = start
        content = []
        while number < len(edits) and edits[number][0] < stop:
            content += [source[at : edits[number][0]], edits[number][2]]
            at = edits[number][1]
            number += 1
        written = b"".join([*content, source[at:stop]])
        at = stop
        if line in headings:
            out.append(_NUMBER_SIGNS.sub(rb"\1\\\2", written))
        else:
            out.append(begun(written.decode()).encode())
    for start, stop, written in edits[number:]:
        out += [source[at:start], written]
        at = stop
    out.append(source[at:])
    return b"".join(out)
