"""Pages with known text as rows to learn from: columns of their blocks, and what share of each is content.

Each page comes twice: as it is, and, in turn, in old markup or cut off after 60 %. Old markup has neither
attributes for style sheets nor elements that HTML 5 brought, so the trees do not lean on them, nor on what
stands at a page's end. Articles come once more with their content cut short, after some words, and their
surroundings as they are: news of a hundred words stands among as many teasers as an essay does. Pages with
known text have few of them; their copies teach that it is not the share of a page's words that makes an
article. Short copies come a second time: half of them beside rows of a homepage or a listing, where these are
content (beside an article they are not), and half in old markup.
"""

import base64
import io
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import zstandard
from numpy.typing import NDArray

from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors.cedar._features import measure
from cedar.transforms.extractors.cedar.columns import BLOCK_COLUMNS
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.scoring.metrics import lcs_columns, lowered, normalise

COPIES = {
    "as it is": 1.0,
    "old markup": 0.6,
    "cut off": 0.6,
    "short": 0.5,
    "among teasers": 0.5,
    "short, old markup": 0.5,
}
"""The copies of a page, and what they weigh: one of the second and the third; the last three of articles."""

_STYLING = re.compile(
    rb"""[\t\n\r ](?:class|id|role|itemprop|style)=(?:"[^"<>]*+"|'[^'<>]*+'|[^\t\n\r "'<>]++)""",
    re.IGNORECASE,
)
_SECTIONING = re.compile(
    rb"<(/?)(?:article|main|nav|header|footer|aside|section|figure|figcaption)(?=[\t\n\r />])", re.IGNORECASE
)
_MAX_WORDS = 60_000
_SECOND_PASS = 20
_FOUND_ELSEWHERE = 0.8
_MIN_ELSEWHERE = 4
_CUT = 0.6

CONTENT = 0.5
"""The share of a block's words from which the block counts as content."""

_MIN_SHORT, _MAX_SHORT = 30, 219
"""Words that a short copy has, but for those of its last block."""

_MIN_CUT = 60
"""Words that have to go, or the copy is none."""

EMPTY = "empty"
"""The kind of a page without content, which is none of `KINDS`."""

_TYPES = {
    "article": "article blog recipe science literature media",
    "thread": "thread forum qa",
    "listing": "listing homepage collection table",
    "product": "product",
    "reference": "reference documentation service government form job event profile other",
    EMPTY: EMPTY,
}
_MIN_TEASERS, _MAX_TEASERS = 30, 400
"""Words of the rows that are put beside short articles."""

_KINDS = {page_type: kind for kind, page_types in _TYPES.items() for page_type in page_types.split()}
"""The kind of each page type of the gold sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyOfPage:
    """Which copy of which page an example is; the pages of a group, a site, are not parted."""

    file: str
    group: str
    copy: str
    kind: str


@dataclass(frozen=True, slots=True)
class Example:
    """A copy of a page of n blocks, with what the trees learn from.

    Columns are float32 (len(BLOCK_COLUMNS), n), `word_tenths` int64 (n,); the shares of blocks that are
    content, and their lengths in words, float64 (n,). `gold` are the words of the known text, without a title
    that stands apart.
    """

    origin: CopyOfPage
    page: SegmentedPage
    values: NDArray[np.float32]
    word_tenths: Offsets
    shares: Floats
    lengths: Floats
    gold: tuple[str, ...]
    block_words: tuple[tuple[str, ...], ...]
    title_apart: bool


def read(path: Path, *, title_apart: bool) -> Iterator[Example]:
    """Read pages, a JSON object a line: `html_b64`, `text`, and if known `url`, `title` and `page_type`.

    The titles that known texts lack (`title_apart`) count as content all the same.
    """
    with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as plain:
        for number, line in enumerate(io.TextIOWrapper(plain, "utf-8", newline="\n")):
            record = json.loads(line)
            html = decode_text(base64.b64decode(record["html_b64"]), header_label=None, truncated=False).utf8
            gold = tokens(record["text"])
            wanted = tokens(record.get("title") or "") + gold if title_apart else gold
            host = record.get("site") or urlsplit(record.get("url") or "").hostname or ""
            group = ".".join(host.split(".")[-2:]) or f"{path.name}:{number}"
            kind = _KINDS[record.get("page_type") or "article"]
            for copy in ("as it is", ("old markup", "cut off")[number % 2]):
                origin = CopyOfPage(file=path.name, group=group, copy=copy, kind=kind)
                example = _example(_copied(html, copy), origin, wanted, gold=gold, title_apart=title_apart)
                if example:
                    yield example
                if example and copy == "as it is" and kind == "article":
                    yield from _shorter(example, number)


def _copied(html: bytes, copy: str) -> bytes:
    if copy == "old markup":
        return in_old_markup(html)
    if copy == "cut off":
        return html[: int(len(html) * _CUT)].decode(errors="ignore").encode()
    return html


def in_old_markup(html: bytes) -> bytes:
    """Return a page without attributes for style sheets, with `div` for elements that HTML 5 brought."""
    return _SECTIONING.sub(rb"<\1div", _STYLING.sub(b"", html))


def _shorter(example: Example, number: int) -> Iterator[Example]:
    """The copy of an article with less content: what is content of the blocks that are left is its text."""
    marks = kept_and_cut(example.shares, example.lengths, f"{example.origin.file}:{number}")
    if not marks:
        return
    left = np.flatnonzero((example.shares >= CONTENT) & ~marks[1])
    gold = [word for block in left for word in example.block_words[block]]
    short = _example(
        without_blocks(example.page, marks[1]),
        replace(example.origin, copy="short"),
        gold,
        gold=gold,
        title_apart=example.title_apart,
    )
    if short:
        yield short


def teasers(example: Example) -> bytes | None:
    """Return the source of the largest element that is rows of content of a listing, if there is one."""
    first, last = np.asarray(example.page.elements.first), np.asarray(example.page.elements.last)
    words, content = (
        np.concatenate(([0], np.cumsum(counts)))
        for counts in (example.lengths, example.lengths * (example.shares >= CONTENT))
    )
    inside, found = words[last] - words[first], content[last] - content[first]
    are_rows = (
        (inside >= _MIN_TEASERS) & (inside <= _MAX_TEASERS) & (found >= 0.9 * inside) & (last - first > 2)
    )
    are_rows[0] = False  # the page itself
    if not are_rows.any():
        return None
    ranges = _in_source(example.page, int(np.where(are_rows, inside, 0).argmax()))
    return example.page.source.original[slice(*ranges)] if ranges else None


def among_teasers(example: Example, rows: bytes, number: int) -> Example | None:
    """Return the copy of a short article beside rows of others, by turns before and after all its content."""
    content = np.flatnonzero(example.shares >= CONTENT)
    first, last = np.asarray(example.page.elements.first), np.asarray(example.page.elements.last)
    holds = np.flatnonzero((first <= content[:1]) & (last > content[-1:])) if content.size else content
    innermost = holds[np.argmin(last[holds] - first[holds])] if holds.size else 0
    ranges = _in_source(example.page, int(innermost)) if innermost else None
    if not ranges:
        return None
    html, place = example.page.source.original, ranges[number % 2]
    return _example(
        html[:place] + rows + html[place:],
        replace(example.origin, copy="among teasers"),
        example.gold,
        gold=example.gold,
        title_apart=example.title_apart,
    )


def short_in_old_markup(example: Example) -> Example | None:
    """Return the copy of a short article in old markup."""
    return _example(
        in_old_markup(example.page.source.original),
        replace(example.origin, copy="short, old markup"),
        example.gold,
        gold=example.gold,
        title_apart=example.title_apart,
    )


def _in_source(page: SegmentedPage, element: int) -> tuple[int, int] | None:
    """Where an element begins and ends in the page's source; none if it has no byte."""
    found = _source_ranges(page, element_ranges(page, np.arange(page.elements.count) == element))
    return (int(found[0, 0]), int(found[0, 1])) if found.size else None


def _example(
    html: bytes, origin: CopyOfPage, wanted: Sequence[str], *, gold: Sequence[str], title_apart: bool
) -> Example | None:
    page = SegmentedPage(html)
    count = page.blocks.count
    if not count:
        return None
    words = tuple(tuple(tokens(page.blocks.read(block))) for block in range(count))
    return Example(
        origin=origin,
        page=page,
        values=measure(page)[: len(BLOCK_COLUMNS)].copy(),
        word_tenths=np.asarray(page.blocks.word_tenths),
        shares=content_shares(words, wanted),
        lengths=np.array([len(block) for block in words], np.float64),
        gold=tuple(gold),
        block_words=words,
        title_apart=title_apart,
    )


def tokens(text: str) -> list[str]:
    """Words in lower case, as the measure has them that judges the table."""
    return lowered(normalise(text))


def content_shares(blocks: Sequence[Sequence[str]], gold: Sequence[str]) -> Floats:
    """Return the share of each of n blocks' words that belongs to the known text. float64 (n,), in [0, 1].

    Words count where they are part of a longest common subsequence. A block of which nearly all is in what is
    left of the known text, in order, counts as well: some texts do not follow the order of the page.
    """
    words = [word for block in blocks for word in block][:_MAX_WORDS]
    stops = np.cumsum([len(block) for block in blocks])
    in_page, in_gold = common(words, gold)
    elsewhere = np.zeros(len(words), bool)
    if np.count_nonzero(~in_gold) >= _SECOND_PASS:
        left = np.flatnonzero(~in_page)
        again, _ = common(
            list(compress(words, (~in_page).tolist())), list(compress(gold, (~in_gold).tolist()))
        )
        elsewhere[left[again]] = True

    def per_block(marks: Flags) -> Floats:
        sums = np.concatenate(([0], np.cumsum(marks)))
        ends = sums[np.minimum(stops, len(words))]
        counts: Floats = np.diff(ends, prepend=0).astype(np.float64)
        return counts

    lengths = np.diff(stops, prepend=0)
    first = per_block(in_page) / np.maximum(lengths, 1)
    both = first + per_block(elsewhere) / np.maximum(lengths, 1)
    moved = (both >= _FOUND_ELSEWHERE) & (lengths >= _MIN_ELSEWHERE)
    return np.where(moved, both, first)


def common(left: Sequence[str], right: Sequence[str]) -> tuple[Flags, Flags]:
    """Mark a longest common subsequence in both of two sequences: bool (len(left),), bool (len(right),)."""
    in_left, in_right = np.zeros(len(left), bool), np.zeros(len(right), bool)
    if not left or not right:
        return in_left, in_right
    size = (len(right) + 7) // 8
    rows = [column.to_bytes(size, "little") for column in lcs_columns(right, left)]
    i, j = len(left), len(right)
    while i and j:
        at = j - 1
        if rows[i - 1][at >> 3] >> (at & 7) & 1:
            j = at
            continue
        i -= 1
        if not i or rows[i - 1][at >> 3] >> (at & 7) & 1:
            in_left[i] = in_right[at] = True
            j = at
    return in_left, in_right


def kept_and_cut(shares: Floats, lengths: Floats, name: str) -> tuple[Flags, Flags] | None:
    """Mark the blocks of content, bool (n,), that stay in a short copy, and those that go.

    The page's name decides on the number of words. None where the content is short already.
    """
    words = _MIN_SHORT + zlib.crc32(name.encode()) % (_MAX_SHORT - _MIN_SHORT + 1)
    content = shares >= CONTENT
    own = lengths * content
    before = np.cumsum(own) - own
    cut = content & (before >= words)
    if own.sum() < words + _MIN_CUT or not cut.any():
        return None
    return content & ~cut, cut


def without_blocks(page: SegmentedPage, cut: Flags) -> bytes:
    """Return the source of a page without marked blocks, and without the elements that hold nothing else."""
    size = len(page.markup.html)
    starts = np.append(page.markup.tags.starts, size)
    stops = np.concatenate(([0], page.markup.tags.stops))
    of_blocks = np.stack(
        (stops[np.asarray(page.blocks.first_gaps)[cut]], starts[np.asarray(page.blocks.last_gaps)[cut]]), 1
    )
    ranges = _source_ranges(page, np.concatenate((of_blocks, element_ranges(page, _emptied(page, cut)))))
    left, end = [], 0
    for start, stop in ranges[np.argsort(ranges[:, 0], kind="stable")].tolist():
        left.append(page.source.original[end:start])
        end = max(end, stop)
    return b"".join((*left, page.source.original[end:]))


def _source_ranges(page: SegmentedPage, ranges: Offsets) -> Offsets:
    """Ranges of the markup, those of a byte or more, as ranges of the page's source: int64 (k, 2)."""
    ranges = ranges[ranges[:, 0] < ranges[:, 1]]
    first, last = (page.source.original_offsets(edge) for edge in (ranges[:, 0], ranges[:, 1] - 1))
    return np.stack((first, last + 1), 1)


def _emptied(page: SegmentedPage, cut: Flags) -> Flags:
    """Mark the elements of which all blocks go."""
    first, last = np.asarray(page.elements.first), np.asarray(page.elements.last)
    sums = np.concatenate(([0], np.cumsum(cut)))
    gone: Flags = (last > first) & (sums[last] - sums[first] == last - first)
    gone[0] = False  # the page itself
    return gone


def element_ranges(page: SegmentedPage, marks: Flags) -> Offsets:
    """Find where k marked elements, not the page itself, begin and end: int64 (k, 2), bytes of the markup."""
    elements, tags, html = page.elements, page.markup.tags, page.markup.html
    starts = np.append(tags.starts, len(html))
    stops = np.concatenate(([0], tags.stops))
    opens, closes = np.asarray(elements.opens)[marks], np.asarray(elements.closes)[marks]
    codes = np.append(np.asarray(page.markup.codes), 255)
    # The end tag goes, too, where the element has one of its own.
    own = np.array([html[start : start + 2] == b"</" for start in starts[closes].tolist()], bool)
    own &= codes[closes] == np.asarray(elements.codes)[marks]
    own &= closes < tags.count
    ends = np.where(own, stops[np.minimum(closes + 1, tags.count)], starts[closes])
    return np.stack((starts[opens], ends), 1)
