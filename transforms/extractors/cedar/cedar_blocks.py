"""A page cut into blocks: the text between block-level tags, counted, each in its element of the tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.cedar import cedar_text, cedar_tree
from transforms.extractors.cedar.cedar_lookup import Lookup, lookup
from transforms.extractors.cedar.cedar_tree import Elements
from transforms.extractors.html import characters
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets, windows
from transforms.extractors.html.source import Source, remove_invisible
from transforms.extractors.html.tag_names import TagNames, key, tag_names
from transforms.extractors.html.tags import Tags, lex
from transforms.extractors.html.title import title

MAX_TAGS = 1 << 18
"""Tags that are read; the text after the last of them is not."""

MAX_BLOCKS = 1 << 16
"""Blocks that are judged; those after them are dropped."""

_ANCHOR, _PREFORMATTED, _UNSEEN = 0, 1, 2
_UNSEEN_NAMES = (
    "title textarea iframe noembed noframes template svg math select datalist object canvas video audio"
)
_CLASSES = lookup(
    {
        key("a"): _ANCHOR,
        **dict.fromkeys(map(key, ("pre", "listing", "xmp")), _PREFORMATTED),
        **{key(name): _UNSEEN + number for number, name in enumerate(_UNSEEN_NAMES.split())},
    }
)
"""Names that say something of the text around their tags; elements whose content is not shown come last."""

WORD, HAN, THAI = 10, 6, 2
"""What a word, an ideograph and a character of a script that parts no words weigh, in tenths of a word."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of t tags, n blocks and e elements.

    Attributes:
        source: the page as given, and what of it is left without comments, scripts and styles.
        html: what is left, up to `MAX_TAGS` tags.
        tags: its tags.
        names: their names.
        alive: bool (t,), the tags outside of elements whose content is not shown.
        title: text of its `<title>`, or None.
        coded: uint8 (m,), its text (`cedar_text.packed`).
        starts: int64 (n,), where each block begins in `coded`: behind the placeholder of a tag.
        stops: int64 (n,), where it ends: at the placeholder of the next tag that parts blocks.
        first_gaps: int64 (n,), the number of tags before each block.
        last_gaps: int64 (n,), the number of tags before its end.
        kinds: int64 (n, KINDS), bytes of each kind.
        units: int64 (n,), tenths of words.
        chars: int64 (n,), code points that are no blanks.
        linked: int64 (n,), those inside of links.
        nearest: int64 (n,), the innermost element around each block.
        elements: the elements.
        first: int64 (e,), the first block inside of each element.
        last: int64 (e,), one past its last block.
        last_kinds: uint8 (n,), the kind of the last character of each block.
        heads: uint64 (n,), the first bytes of each block.
        tails: uint64 (n,), its last bytes.
        schemas: whether the page says of itself that it is an article, a product, a thread, a list.
    """

    source: Source
    html: bytes
    tags: Tags
    names: TagNames
    alive: Flags
    title: str | None
    coded: Bytes
    starts: Offsets
    stops: Offsets
    first_gaps: Offsets
    last_gaps: Offsets
    kinds: NDArray[np.int64]
    units: Offsets
    chars: Offsets
    linked: Offsets
    nearest: Offsets
    elements: Elements
    first: Offsets
    last: Offsets
    last_kinds: Bytes
    heads: NDArray[np.uint64]
    tails: NDArray[np.uint64]
    schemas: tuple[bool, ...]

    def text(self, block: int) -> str:
        """A block as it reads in the output."""
        return cedar_text.readable(self.coded[self.starts[block] : self.stops[block]].tobytes())

    def source_ranges(self) -> tuple[Offsets, Offsets]:
        """Where the blocks' source begins and ends in the page as given: int64 (n,) each, in code points."""
        behind = np.concatenate(([0], self.tags.stops))
        before = np.append(self.tags.starts, len(self.html))
        starts = self.source.original_offsets(behind[self.first_gaps])
        stops = self.source.original_offsets(np.maximum(before[self.last_gaps] - 1, 0)) + 1
        inner = (characters.continuation(np.frombuffer(self.source.original, np.uint8))).nonzero()[0]
        return starts - inner.searchsorted(starts), stops - inner.searchsorted(stops)


def cut(html: bytes) -> Page:
    """Cuts a page into blocks.

    Args:
        html: valid UTF-8.
    """
    source = remove_invisible(html)
    visible = source.html
    tags = lex(visible)
    if tags.starts.size > MAX_TAGS:
        visible = visible[: int(tags.starts[MAX_TAGS])]
        tags = tags.first_few(MAX_TAGS)
    names = tag_names(visible, tags)
    alive, parts, dead, linked, preformatted = _gaps(
        visible, tags.starts, tags.stops, names.keys, names.ends, names.block_level, _CLASSES
    )
    text = _shown(visible, tags.starts, tags.stops, parts, dead, preformatted)
    coded, starts, stops, first_gaps, last_gaps, kinds, units, chars, link_chars, last_kinds, heads, tails = (
        _measured(cedar_text.unescaped(text), linked, cedar_text.CODE_POINTS, MAX_BLOCKS)
    )
    tree = cedar_tree.elements(names, alive)
    nearest, first, last = cedar_tree.places(first_gaps, tree.turns, tree.inside, tree.opens, tree.closes)
    return Page(
        source,
        visible,
        tags,
        names,
        alive,
        title(visible, tags),
        coded,
        starts,
        stops,
        first_gaps,
        last_gaps,
        kinds,
        units,
        chars,
        link_chars,
        nearest,
        tree,
        first,
        last,
        last_kinds,
        heads,
        tails,
        schemas(html),
    )


SCHEMAS = {
    "article": (b"article", b"blogposting"),
    "product": (b"product",),
    "thread": (b"forumposting", b"qapage", b"question"),
    "list": (b"itemlist", b"collectionpage"),
}
"""Types of schema.org and Open Graph, in lower case, by what they speak for."""

_TYPE_MARKS = (b'@type"', b"itemtype=", b'og:type"')
_TYPE_MENTIONS = 64


def schemas(html: bytes) -> tuple[bool, ...]:
    """What the page says it is, in the order of `SCHEMAS`: in JSON-LD, microdata or Open Graph."""
    said = b"\n".join([_mention(html, at) for at in _type_mentions(html, _TYPE_MARKS, _TYPE_MENTIONS)])
    return tuple(any(word in said for word in words) for words in SCHEMAS.values())


@compiled
def _type_mentions(html: bytes, marks: tuple[bytes, ...], most: int) -> list[int]:
    """Where the marks stand, each of them `most` times at most, ascending.

    Args:
        html: the page.
        marks: what is looked for; each ends with `ype` and one byte more.
        most: how many of each are found.
    """
    found = []
    for mark in marks:
        at = -1
        for _ in range(most):
            at = html.find(mark, at + 1)
            if at < 0:
                break
            found.append(at)
    return sorted(found)


def _mention(html: bytes, at: int) -> bytes:
    return html[at : at + 60].lower().partition(b">")[0].partition(b",")[0]


@compiled
def _gaps(
    html: bytes,
    starts: Offsets,
    stops: Offsets,
    keys: NDArray[np.uint64],
    ends: Flags,
    block_level: Flags,
    classes: Lookup,
) -> tuple[Flags, Flags, Flags, Flags, Flags]:
    """Marks tags, and the gaps before, between and behind them.

    Args:
        html: the page.
        starts: int64 (t,), where its tags begin.
        stops: int64 (t,), where they end.
        keys: uint64 (t,), their names.
        ends: bool (t,), whether each is an end tag.
        block_level: bool (t,), whether it is of a block-level element.
        classes: `_CLASSES`.

    Returns:
        bool (t,), tags outside of what is not shown; bool (t,), those of them that part blocks;
        bool (t + 1,) each, gaps inside of elements whose content is not shown as text, gaps inside of links,
        and gaps inside of `pre`.
    """
    kinds = classes.find(keys)
    dead = _dead_gaps(kinds, ends)
    alive = ~dead[:-1] | ~dead[1:]
    linked = _in_links(html, starts, stops, ends, (kinds == _ANCHOR) & alive)
    # The last `pre` tag before a gap inside of one is a start tag.
    found = (kinds == _PREFORMATTED).nonzero()[0]
    preformatted = np.zeros(keys.size + 1, bool)
    if found.size:
        last = found.searchsorted(np.arange(keys.size + 1)) - 1
        preformatted = (last >= 0) & ~ends[found][last]
    return alive, block_level & alive, dead, linked, preformatted


def _dead_gaps(kinds: Offsets, ends: Flags) -> Flags:
    """Marks the gaps inside of elements whose content is not shown as text: bool (t + 1,).

    An element reaches from a start tag to the next end tag of its name, if no other start tag comes before.
    """
    found = (kinds >= _UNSEEN).nonzero()[0]
    order = kinds[found].argsort(kind="stable")  # by name; in the order of the page for each
    found = found[order]
    kind, end = kinds[found], ends[found]
    pair = ((kind[:-1] == kind[1:]) & (end[:-1] < end[1:])).nonzero()[0]
    change = np.bincount(found[pair] + 1, minlength=kinds.size + 1)
    change -= np.bincount(found[pair + 1] + 1, minlength=kinds.size + 1)
    dead: Flags = change.cumsum() > 0
    return dead


def _in_links(html: bytes, starts: Offsets, stops: Offsets, ends: Flags, is_anchor: Flags) -> Flags:
    """Marks the gaps whose last `a` tag is a start tag with a target: bool (t + 1,)."""
    anchors = is_anchor.nonzero()[0]
    marks = np.zeros(starts.size + 1, bool)
    if anchors.size:
        opens = ~ends[anchors]
        opening = anchors[opens]
        opens[opens] = _have_target(html, starts[opening], stops[opening])
        counts = np.diff(np.append(anchors, starts.size))
        marks[anchors[0] + 1 :] = np.repeat(opens, counts)
    return marks


def _have_target(html: bytes, starts: Offsets, stops: Offsets) -> Flags:
    """Whether `href` stands in each of the tags of an `a`: bool, as many."""
    have: Flags = (windows(html)[starts + 3] & _FOUR_BYTES | _FOUR_BLANKS) == _HREF  # most begin `<a href`
    others = (~have).nonzero()[0]
    ranges = zip(starts[others].tolist(), stops[others].tolist(), strict=True)
    have[others] = [b"href" in html[start:stop].lower() for start, stop in ranges]
    return have


_FOUR_BYTES, _FOUR_BLANKS = np.uint64(0xFFFFFFFF), np.uint64(0x20202020)
_HREF = np.uint64(key("href"))


@compiled
def _shown(
    html: bytes, starts: Offsets, stops: Offsets, parts: Flags, dead: Flags, preformatted: Flags
) -> bytes:
    """The text of the page (`cedar_text.cleaned`) with a placeholder before the first tag and for each."""
    size = starts.size
    lengths = np.empty(2 * size + 1, np.int64)
    lengths[0] = starts[0] if size else len(html)
    lengths[1::2] = stops - starts
    lengths[2::2] = np.append(starts[1:], len(html))[:size] - stops
    stays = np.zeros(2 * size + 1, bool)
    stays[0::2] = ~dead
    mask = np.repeat(stays, lengths)
    mask[starts] = True
    data = np.frombuffer(html, np.uint8)[mask]
    shown = np.where(dead, 0, lengths[0::2])
    marks = np.cumsum(shown[:-1]) + np.arange(size)
    data = np.concatenate((np.zeros(1, np.uint8), data))
    marks = np.concatenate(([0], marks + 1))
    return cedar_text.cleaned(data, marks, np.concatenate(([True], parts)), preformatted)


_Measures = tuple[
    Bytes,
    Offsets,
    Offsets,
    Offsets,
    Offsets,
    NDArray[np.int64],
    Offsets,
    Offsets,
    Offsets,
    Bytes,
    NDArray[np.uint64],
    NDArray[np.uint64],
]


@compiled
def _measured(text: bytes, in_links: Flags, code_points: Bytes, max_blocks: int) -> _Measures:
    """Finds the blocks of a text, and counts what is in each.

    Args:
        text: the text as `_shown` makes it, references decoded.
        in_links: bool (t + 1,), the gaps inside of links.
        code_points: `cedar_text.CODE_POINTS`.
        max_blocks: how many blocks are found at most.

    Returns:
        `coded`, `starts`, `stops`, `first_gaps`, `last_gaps`, `kinds`, `units`, `chars`, `linked`,
        `last_kinds`, `heads` and `tails` of a `Page`.
    """
    coded = cedar_text.shrunk(text)
    marks = ((coded & np.uint8(0xFE)) == cedar_text.BREAK).nonzero()[0]
    solid = (coded > SPACE) & ~characters.continuation(coded)
    gap_chars = np.add.reduceat(solid, marks, dtype=np.int64)
    breaks = (coded[marks] == cedar_text.BREAK).nonzero()[0]  # gaps that begin a block
    per_break = np.add.reduceat(gap_chars, breaks)
    shown = per_break.nonzero()[0][:max_blocks]
    bounds = np.append(breaks, marks.size)
    first_gaps, last_gaps = bounds[shown], bounds[shown + 1] - 1
    edges = np.append(marks, coded.size)
    starts, stops = edges[first_gaps] + 1, edges[last_gaps + 1]

    byte_kinds = cedar_text.byte_kinds(coded, code_points)
    kinds, units = _counts(coded, byte_kinds, starts, stops)
    characters_at = solid.nonzero()[0]
    begin = characters_at[characters_at.searchsorted(starts)]
    end = characters_at[characters_at.searchsorted(stops) - 1]
    view = windows(coded.tobytes())
    return (
        coded,
        starts,
        stops,
        first_gaps,
        last_gaps,
        kinds,
        units,
        per_break[shown],
        np.add.reduceat(gap_chars * in_links, breaks)[shown],
        byte_kinds[end],
        view[begin],
        view[np.maximum(end - 5, begin)],
    )


def _counts(coded: Bytes, kinds: Bytes, starts: Offsets, stops: Offsets) -> tuple[NDArray[np.int64], Offsets]:
    """Bytes of each kind and tenths of words in each block."""
    count = starts.size
    owners = np.full((count + 1, 2), count * cedar_text.KINDS)  # what is before a block, and the block
    owners[:-1, 1] = np.arange(count) * cedar_text.KINDS
    edges = np.empty((count + 1, 2), np.int64)
    edges[:-1, 0], edges[:-1, 1], edges[-1] = starts, stops, coded.size
    lengths = np.diff(edges.ravel(), prepend=0)
    counted = np.bincount(owners.ravel().repeat(lengths) + kinds, minlength=(count + 1) * cedar_text.KINDS)
    table = counted.reshape(count + 1, cedar_text.KINDS)[:count]
    begins = cedar_text.word_starts(kinds)
    words = begins.searchsorted(stops) - begins.searchsorted(starts)
    units = WORD * words + HAN * table[:, cedar_text.IDEOGRAPH] + THAI * table[:, cedar_text.UNSPACED]
    return table, units


BR = np.uint64(key("br"))
