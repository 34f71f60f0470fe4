"""A page cut into blocks: the text between block-level tags, counted, each in its element of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from transforms.extractors import cedar_text, cedar_tree, characters
from transforms.extractors.cedar_tree import Elements
from transforms.extractors.characters import SPACE, Bytes, Flags, Offsets, windows
from transforms.extractors.source import Source, remove_invisible
from transforms.extractors.tag_names import TagNames, key, tag_names
from transforms.extractors.tags import Tags, lex
from transforms.extractors.title import title

MAX_TAGS = 1 << 18
"""Tags that are read; the text after the last of them is not."""

MAX_BLOCKS = 1 << 16
"""Blocks that are judged; those after them are dropped."""

_UNSEEN_NAMES = (
    "title textarea iframe noembed noframes template svg math select datalist object canvas video audio"
)
_UNSEEN = np.array(sorted(map(key, _UNSEEN_NAMES.split())), np.uint64)

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

    def texts(self, blocks: Offsets) -> list[str]:
        """Some blocks as they read in the output."""
        text = self.coded.tobytes()
        ranges = zip(self.starts[blocks].tolist(), self.stops[blocks].tolist(), strict=True)
        return [cedar_text.readable(text[start:stop]) for start, stop in ranges]

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
        tags = Tags(tags.starts[:MAX_TAGS], tags.stops[:MAX_TAGS])
    names = tag_names(visible, tags)
    size = tags.starts.size
    dead = _dead_gaps(names)
    alive = ~dead[:-1] | ~dead[1:]
    parts = names.block_level & alive
    coded = _text(visible, tags, names, dead, parts)

    marks = ((coded & np.uint8(0xFE)) == cedar_text.BREAK).nonzero()[0]
    solid = (coded > SPACE) & ~characters.continuation(coded)
    gap_chars = np.add.reduceat(solid, marks, dtype=np.int64)
    breaks = np.concatenate(([0], parts.nonzero()[0] + 1))  # gaps that begin a block
    per_break = np.add.reduceat(gap_chars, breaks)
    shown = per_break.nonzero()[0][:MAX_BLOCKS]
    bounds = np.append(breaks, size + 1)
    first_gaps, last_gaps = bounds[shown], bounds[shown + 1] - 1
    edges = np.append(marks, coded.size)
    starts, stops = edges[first_gaps] + 1, edges[last_gaps + 1]

    byte_kinds = cedar_text.byte_kinds(coded)
    kinds, units = _counts(coded, byte_kinds, starts, stops)
    characters_at = solid.nonzero()[0]
    begin = characters_at[characters_at.searchsorted(starts)]
    end = characters_at[characters_at.searchsorted(stops) - 1]
    view = windows(coded.tobytes())
    linked_chars = gap_chars * _in_links(visible, tags, names, alive)
    linked = np.add.reduceat(linked_chars, breaks)[shown]

    tree = cedar_tree.elements(names, alive)
    turn = tree.turns.searchsorted(first_gaps) - 1  # the gap g stands behind tag g - 1
    nearest = np.append(tree.inside, 0)[turn]
    return Page(
        source,
        visible,
        tags,
        names,
        alive,
        title(visible, tags, names),
        coded,
        starts,
        stops,
        first_gaps,
        last_gaps,
        kinds,
        units,
        per_break[shown],
        linked,
        nearest,
        tree,
        first_gaps.searchsorted(tree.opens + 1),
        first_gaps.searchsorted(tree.closes, "right"),
        byte_kinds[end],
        view[begin],
        view[np.maximum(end - 5, begin)],
        schemas(html),
    )


SCHEMAS = {
    "article": (b"article", b"blogposting"),
    "product": (b"product",),
    "thread": (b"forumposting", b"qapage", b"question"),
    "list": (b"itemlist", b"collectionpage"),
}
"""Types of schema.org and Open Graph, in lower case, by what they speak for."""

_AT, _LINKED_DATA = np.uint8(ord("@")), b'@type"'
_TYPE_MARKS = (b"itemtype=", b'og:type"')
_TYPE_MENTIONS = 64


def schemas(html: bytes) -> tuple[bool, ...]:
    """What the page says it is, in the order of `SCHEMAS`: in JSON-LD, microdata or Open Graph."""
    # `@` is rare, and a single byte is found faster than a word.
    signs = (np.frombuffer(html, np.uint8) == _AT).nonzero()[0].tolist()
    linked_data = islice((at for at in signs if html.startswith(_LINKED_DATA, at)), _TYPE_MENTIONS)
    mentions = [_mention(html, at) for at in linked_data]
    for mark in _TYPE_MARKS:
        at = -1
        for _ in range(_TYPE_MENTIONS):
            at = html.find(mark, at + 1)
            if at < 0:
                break
            mentions.append(_mention(html, at))
    said = b"\n".join(mentions)
    return tuple(any(word in said for word in words) for words in SCHEMAS.values())


def _mention(html: bytes, at: int) -> bytes:
    return html[at : at + 60].lower().partition(b">")[0].partition(b",")[0]


def _dead_gaps(names: TagNames) -> Flags:
    """Marks the gaps inside of elements whose content is not shown as text: bool (t + 1,).

    An element reaches from a start tag to the next end tag of its name, if no other start tag comes before.
    """
    size = names.keys.size
    slot = np.minimum(_UNSEEN.searchsorted(names.keys), _UNSEEN.size - 1)
    found = (_UNSEEN[slot] == names.keys).nonzero()[0]
    slot = slot[found]
    order = slot.argsort(kind="stable")  # by name; in the order of the page for each
    found, slot = found[order], slot[order]
    ends = names.ends[found]
    pair = ((slot[:-1] == slot[1:]) & (ends[:-1] < ends[1:])).nonzero()[0]
    change = np.bincount(found[pair] + 1, minlength=size + 1)
    change -= np.bincount(found[pair + 1] + 1, minlength=size + 1)
    dead: Flags = change.cumsum() > 0
    return dead


def _text(html: bytes, tags: Tags, names: TagNames, dead: Flags, parts: Flags) -> Bytes:
    """The text of the page with a placeholder for each tag, and one before the first."""
    size = tags.starts.size
    lengths = np.empty(2 * size + 1, np.int64)
    lengths[0] = tags.starts[0] if size else len(html)
    lengths[1::2] = tags.stops - tags.starts
    lengths[2::2] = np.append(tags.starts[1:], len(html))[:size] - tags.stops
    stays = np.zeros(2 * size + 1, bool)
    stays[0::2] = ~dead
    mask = np.repeat(stays, lengths)
    mask[tags.starts] = True
    data = np.frombuffer(html, np.uint8)[mask]
    shown = np.where(dead, 0, lengths[0::2])
    marks = np.cumsum(shown[:-1]) + np.arange(size)
    data = np.concatenate((np.zeros(1, np.uint8), data))
    marks = np.concatenate(([0], marks + 1))
    pre = names.named("pre") | names.named("listing") | names.named("xmp")
    depth = np.zeros(size + 1, bool)
    if pre.any():
        # The last `pre` tag before a gap is a start tag.
        found = pre.nonzero()[0]
        last = found.searchsorted(np.arange(size + 1)) - 1
        depth = (last >= 0) & ~names.ends[found][last]
    return cedar_text.packed(data, marks, np.concatenate(([True], parts)), depth)


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


def _in_links(html: bytes, tags: Tags, names: TagNames, alive: Flags) -> Flags:
    """Marks the gaps whose last `a` tag is a start tag with a target: bool (t + 1,)."""
    anchors = (names.named("a") & alive).nonzero()[0]
    marks = np.zeros(tags.starts.size + 1, bool)
    if anchors.size:
        opens = ~names.ends[anchors]
        starts = anchors[opens]
        opens[opens] = _have_target(html, tags.starts[starts], tags.stops[starts])
        counts = np.diff(np.append(anchors, tags.starts.size))
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

BR = np.uint64(key("br"))
