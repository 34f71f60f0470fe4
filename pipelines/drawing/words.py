"""Words of two texts aligned (a text and its gold, two methods, two duplicates), and excerpts with marks.

The alignment is a patience diff: runs of words that occur exactly once in both texts are matched, in the
longest order that both share; the words between them are compared in the same way with shorter runs. It is
linear for similar texts, and gives up early for others.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter

from cedar.transforms.scoring.metrics import Agreement

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+")
_RUNS = (6, 2, 1)  # words of a run, the longest first
_SMALL = 40_000  # pairs of words that are still compared in full
_WORD_CHARS = 30  # a cut is moved by at most so many characters, to a space

Stretch = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: its key for comparison, and its characters [start, stop)."""

    key: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class WordAgreement:
    """How two bags of words agree; `missing` words are of gold alone, `surplus` words of the text alone."""

    shares: Agreement
    missing: int
    surplus: int


def words(text: str) -> list[Word]:
    """Return the words of a text: runs of letters and digits, in lower case; each CJK character is one."""
    return [Word(match[0].lower(), match.start(), match.end()) for match in _WORD.finditer(text)]


def agreement(text: str, gold: str) -> WordAgreement:
    """Compare the words of a text with the words of its gold, in any order."""
    ours = Counter(word.key for word in words(text))
    theirs = Counter(word.key for word in words(gold))
    common = (ours & theirs).total()
    shares = Agreement.of(common, ours.total(), theirs.total())
    return WordAgreement(shares, theirs.total() - common, ours.total() - common)


def differences(first: str, second: str) -> tuple[list[Stretch], list[Stretch]]:
    """Return the stretches [start, stop) of each text whose words are not aligned with words of the other."""
    texts = words(first), words(second)
    found = partners([word.key for word in texts[0]], [word.key for word in texts[1]])
    taken = set(found)
    return (
        list(stretches_of(texts[0], [partner < 0 for partner in found])),
        list(stretches_of(texts[1], [place not in taken for place in range(len(texts[1]))])),
    )


def stretches_of(page_words: Sequence[Word], marked: Sequence[bool]) -> Iterator[Stretch]:
    """Yield the stretches [start, stop) of runs of words that are marked."""
    for is_marked, run in groupby(zip(page_words, marked, strict=True), key=itemgetter(1)):
        if is_marked:
            stretch = [word for word, _ in run]
            yield stretch[0].start, stretch[-1].stop


def partners(ours: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """Return for each word of `ours` the index of its match in `theirs`, or -1; indices rise."""
    matched = [-1] * len(ours)
    waiting = [(0, len(ours), 0, len(theirs), 0)]
    while waiting:
        low, high, other_low, other_high, level = waiting.pop()
        while low < high and other_low < other_high and ours[low] == theirs[other_low]:
            matched[low] = other_low
            low, other_low = low + 1, other_low + 1
        while low < high and other_low < other_high and ours[high - 1] == theirs[other_high - 1]:
            matched[high - 1] = other_high - 1
            high, other_high = high - 1, other_high - 1
        if low == high or other_low == other_high:
            continue
        if level == len(_RUNS):
            if (high - low) * (other_high - other_low) <= _SMALL:
                matcher = SequenceMatcher(None, ours[low:high], theirs[other_low:other_high], autojunk=False)
                for first, second, size in matcher.get_matching_blocks():
                    start = other_low + second
                    matched[low + first : low + first + size] = range(start, start + size)
            continue
        anchors = _anchors(ours[low:high], theirs[other_low:other_high], _RUNS[level])
        if not anchors:
            waiting.append((low, high, other_low, other_high, level + 1))
            continue
        edge, other_edge = low, other_low
        for place, other in anchors:
            waiting.append((edge, low + place, other_edge, other_low + other, level))
            matched[low + place] = other_low + other
            edge, other_edge = low + place + 1, other_low + other + 1
        waiting.append((edge, high, other_edge, other_high, level))
    return matched


def given_words(ours: Sequence[str], theirs: Sequence[str]) -> tuple[list[bool], list[str]]:
    """Give each word of `theirs` to at most one equal word of `ours`, in the order of both as far as it goes.

    Returns for each word of `ours` whether it was given one, and the words of `theirs` that are left.
    """
    found = partners(ours, theirs)
    aligned = set(found)
    left = Counter(word for place, word in enumerate(theirs) if place not in aligned)
    is_given = []
    for word, partner in zip(ours, found, strict=True):
        if partner < 0 and left[word]:  # it stands elsewhere in the order of `theirs`
            left[word] -= 1
            is_given.append(True)
        else:
            is_given.append(partner >= 0)
    rest = []
    for place, word in enumerate(theirs):
        if place not in aligned and left[word]:
            left[word] -= 1
            rest.append(word)
    return is_given, rest


def _anchors(ours: Sequence[str], theirs: Sequence[str], run: int) -> list[tuple[int, int]]:
    """Return the places of runs that occur once in both, in the longest order that both share."""
    once, other_once = _single(ours, run), _single(theirs, run)
    pairs = [(place, other_once[key]) for key, place in once.items() if key in other_once]
    return list(_longest_rising(pairs))


def _single(keys: Sequence[str], run: int) -> dict[tuple[str, ...], int]:
    """Return the runs that occur once, with their places, in order."""
    places: dict[tuple[str, ...], int] = {}
    again = set()
    for place, key in enumerate(zip(*(keys[ahead:] for ahead in range(run)), strict=False)):
        if key in places:
            again.add(key)
        else:
            places[key] = place
    return {key: place for key, place in places.items() if key not in again}


def _longest_rising(pairs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the longest subsequence of pairs that rises in the second number; the first already rises."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, other) in enumerate(pairs):
        length = bisect_left(tails, other)
        before.append(last[length - 1] if length else -1)
        tails[length : length + 1] = [other]
        last[length : length + 1] = [index]
    chain = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return reversed(chain)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text, and its mark: `missing`, `surplus`, `differs`, or ""."""

    text: str
    mark: str


def excerpt(
    text: str, stretches: Sequence[Stretch], room: int = 400, *, first: int | None = None
) -> tuple[Piece, ...]:
    """Cut a text to `room` characters around the first stretch, or around the character `first`.

    Stretches [start, stop), rising, are marked as `differs`. Without any, the text begins the excerpt.
    """
    if first is None:
        first = stretches[0][0] if stretches else 0
    start = max(0, first - room // 4)
    if start:
        blank = text.find(" ", start, min(first, start + _WORD_CHARS))
        start = start if blank < 0 else blank + 1
    stop = min(len(text), start + room)
    if stop < len(text):
        blank = text.rfind(" ", max(stop - _WORD_CHARS, start), stop)
        stop = stop if blank < 0 else blank
    inner = pieces(text, stretches, "differs", part=(start, stop))
    return tuple([Piece("… ", "")] * bool(start) + inner + [Piece(" …", "")] * (stop < len(text)))


def pieces(text: str, stretches: Iterable[Stretch], mark: str, *, part: Stretch | None = None) -> list[Piece]:
    """Split a text, or a part of it, into pieces; stretches [start, stop), rising, get the mark."""
    end, stop = part or (0, len(text))
    found = []
    for first, last in stretches:
        if end < last and first < stop:
            found += [
                Piece(text[end : max(end, first)], ""),
                Piece(text[max(end, first) : min(last, stop)], mark),
            ]
            end = min(last, stop)
    return [piece for piece in (*found, Piece(text[end:stop], "")) if piece.text]
