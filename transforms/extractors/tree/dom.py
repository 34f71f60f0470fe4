"""The tree of a page as arrays, for the methods that work on a DOM.

libxml2 parses the page; its tree is written out once, as XML. There every `>` ends a tag and all tags pair
up, so array operations on these bytes find elements, parents and subtrees, and nothing walks the tree node
by node. An element's subtree is a range of elements and a range of tags: sums over it are differences of
cumulative sums.

What no browser shows as text is left out: comments, processing instructions, scripts, styles, titles, and
what stands inside of iframe, noframes, noembed, xmp and template; `noscript` stays, as without scripting.
What follows `</html>`, further documents included, belongs to the body, as in HTML5 (13.2.6.4.22); a further
document is a `div` there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from transforms.compiled import compiled
from transforms.extractors.html.characters import Flags, Offsets, windows
from transforms.extractors.html.source import remove_invisible
from transforms.extractors.html.tag_names import TagNames, key, tag_names
from transforms.extractors.html.tags import lex
from transforms.extractors.tree.dom_limits import TooDeepError, flatten
from transforms.model.caps import DEFAULT_CAPS, Caps

_GT, _SLASH = np.uint8(ord(">")), np.uint8(ord("/"))
_GT_NOT_LT = np.uint8(ord(">") - ord("<"))  # the one bit that tells them apart

_DROPPED = bytes(b for b in range(0x20) if not chr(b).isspace())
_ODD_BLANKS = b"\x0b\x0c\x1c\x1d\x1e\x1f"
_TO_SPACES = bytes.maketrans(_ODD_BLANKS, b" " * len(_ODD_BLANKS))

_UNSEEN = ("script", "style", "title", "iframe", "noframes", "noembed", "xmp", "template")

_GAP = rb"(?:[ \t\n]|&#(?:9|10|13);)*+"
_NONE = re.compile(rb"(?<![\w-])display" + _GAP + b":" + _GAP + rb"none(?![\w-])", re.IGNORECASE)
_QUOTE, _EQUALS = np.uint8(ord('"')), np.uint8(ord("="))
_BLANK = ord(" ")
_WINDOW = 8
TreeArrays = tuple[
    bytes, Offsets, Offsets, NDArray[np.uint64], Flags, Offsets, Offsets, Offsets, Offsets, Offsets, int
]
"""The fields of a `Tree` in their order, those of `names` among them."""

# An attribute's name up to its value; of `hidden` without the blank before, which is looked for apart.
_STYLE = np.uint64(int.from_bytes(b' style="', "little"))
_HIDDEN = np.uint64(int.from_bytes(b'hidden="', "little"))


@dataclass(frozen=True, slots=True)
class Tree:
    """A page's n elements in document order, and their t tags.

    Text belongs to the tag it follows: after a start tag it is the element's text, after an end tag its
    tail. An element's subtree, itself included, is the range [i, ends[i]) of elements; the text in it
    follows the tags [opens[i], closes[i]).

    Attributes:
        xml: the tree as UTF-8 XML; b"" for a page without elements.
        starts: int64 (t,), byte of each tag's `<` in `xml`.
        stops: int64 (t,), byte after its `>`.
        names: the tags' names.
        inside: int64 (t,), the element in which the text after each tag stands; -1 outside of the root.
        opens: int64 (n,), the tag that opens each element.
        closes: int64 (n,), the tag that closes it: `opens` again where that is `<name/>`.
        parents: int64 (n,), -1 for the root.
        ends: int64 (n,), the element after the last of its subtree.
        body: the first `body`, else the root.
    """

    xml: bytes
    starts: Offsets
    stops: Offsets
    names: TagNames
    inside: Offsets
    opens: Offsets
    closes: Offsets
    parents: Offsets
    ends: Offsets
    body: int

    @property
    def size(self) -> int:
        """Number of elements, n."""
        return self.opens.size

    @property
    def in_body(self) -> Flags:
        """Marks the body and its descendants. bool (n,)."""
        marks = np.zeros(self.size, bool)
        if self.size:
            marks[self.body : self.ends[self.body]] = True
        return marks

    @property
    def body_text(self) -> Flags:
        """Marks the tags after which the text is the body's. bool (t,)."""
        first, last = self.body_tags
        marks = np.zeros(self.starts.size, bool)
        marks[first:last] = True
        return marks

    @property
    def body_tags(self) -> tuple[int, int]:
        """The tags that open and close the body; (0, 0) in an empty tree."""
        return (int(self.opens[self.body]), int(self.closes[self.body])) if self.size else (0, 0)

    @property
    def depths(self) -> Offsets:
        """How many ancestors each element has. int64 (n,)."""
        ended = np.cumsum(np.bincount(self.ends, minlength=self.size + 1))
        return np.arange(self.size) - ended[:-1]

    def named(self, *names: str) -> Flags:
        """Marks the elements with one of these names. bool (n,)."""
        return _named(self.names.keys, self.opens, tuple(map(key, names)))

    def name(self, element: int) -> str:
        """The name of an element."""
        tag = self.opens[element]
        inner = self.xml[self.starts[tag] + 1 : self.stops[tag] - 1]
        return inner.split(b" ", 1)[0].rstrip(b"/").decode()

    def with_attribute(self, elements: Flags, name: str) -> Flags:
        """Marks those of the elements marked, bool (n,), that have an attribute. bool (n,)."""
        written = f' {name}="'.encode()  # in values, quotes are references
        return _with_attribute(self.xml, self.starts, self.stops, self.opens, elements, written)

    def covered(self, elements: Flags) -> Flags:
        """Marks the elements that are marked, and their descendants. bool (n,)."""
        return covered(elements, self.ends)

    def element_sums(self, values: Offsets | Flags) -> Offsets:
        """Sums over each subtree, its root included, of one value an element. int64 (n,)."""
        sums = _cumulative(values)
        return sums[self.ends] - sums[:-1]

    def text_sums(self, values: Offsets | Flags) -> Offsets:
        """Sums over the text in each subtree of one value a tag: that of the text after it. int64 (n,)."""
        return _text_sums(np.asarray(values, np.int64), self.opens, self.closes)


def _cumulative(values: Offsets | Flags) -> Offsets:
    sums = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


@compiled
def _text_sums(values: Offsets, opens: Offsets, closes: Offsets) -> Offsets:
    """`Tree.text_sums`."""
    sums = _cumulative(values)
    return sums[closes] - sums[opens]


@compiled
def _named(keys: NDArray[np.uint64], opens: Offsets, wanted: tuple[int, ...]) -> Flags:
    """Marks the elements whose names have one of the keys. bool (n,)."""
    marks = np.zeros(keys.size, bool)
    for one in wanted:
        marks |= keys == np.uint64(one)
    return marks[opens]


@compiled
def _with_attribute(
    xml: bytes, starts: Offsets, stops: Offsets, opens: Offsets, elements: Flags, written: bytes
) -> Flags:
    """Marks those of the elements marked whose start tags hold some bytes. bool (n,)."""
    tags = opens[elements]
    found = elements.copy()
    found[elements] = [
        xml.find(written, start, stop) >= 0
        for start, stop in zip(starts[tags].tolist(), stops[tags].tolist(), strict=True)
    ]
    return found


@compiled
def covered(elements: Flags, ends: Offsets) -> Flags:
    """Marks the elements that are marked, and their descendants.

    Args:
        elements: bool (n,).
        ends: int64 (n,), those of the tree.

    Returns:
        bool (n,).
    """
    marked = np.flatnonzero(elements)
    steps = np.bincount(marked, minlength=ends.size + 1)
    steps -= np.bincount(ends[marked], minlength=ends.size + 1)
    marks: Flags = np.cumsum(steps[:-1]) > 0
    return marks


def visible_source(html: bytes) -> bytes:
    """A page without scripts, styles, comments and control characters, for `read_tree`.

    Args:
        html: valid UTF-8 without a byte-order mark.
    """
    return remove_invisible(_without_controls(html)).html


def read_tree(html: bytes, caps: Caps = DEFAULT_CAPS, *, keep_hidden: bool) -> Tree:
    """Parses a page.

    Args:
        html: the page as `visible_source` gives it.
        caps: bounds of tags, attributes and depth.
        keep_hidden: whether elements stay that the markup hides: by a `hidden` attribute, or by
            `display: none` in a `style` attribute.

    Returns:
        Its tree; empty where nothing but comments, blanks and declarations is found.

    Raises:
        TreeLimitError: the page cannot be parsed whole (see `dom_limits`).
    """
    # Here, so that those who use line methods need not load lxml.
    from transforms.extractors.tree.dom_parser import tree_arrays

    try:
        return tree_of(tree_arrays(html, caps, keep_hidden))
    except TooDeepError:
        return tree_of(tree_arrays(flatten(html, caps.max_depth), caps, keep_hidden))


def _without_controls(html: bytes) -> bytes:
    """The page without control characters, and with spaces for blanks that HTML does not know as such.

    libxml2 would put U+FFFD in the place of both.
    """
    return html.translate(_TO_SPACES, _DROPPED) if _has_controls(html) else html


@compiled
def _has_controls(html: bytes) -> bool:
    """Whether a page has bytes below the space that are no blanks of HTML, or a form feed."""
    data = np.frombuffer(html, np.uint8)
    # Those before and behind the known ones, and between them.
    found = ((data < 0x09) | (data - 0x0E < 0x12)).any() or b"\x0b" in html or b"\x0c" in html
    return bool(found)


def tree_of(arrays: TreeArrays) -> Tree:
    """A tree of its fields."""
    xml, starts, stops, keys, are_ends, inside, opens, closes, parents, ends, body = arrays
    names = TagNames(keys, are_ends)
    return Tree(xml, starts, stops, names, inside, opens, closes, parents, ends, body)


@compiled
def seen_arrays(xml: bytes, max_depth: int, keep_hidden: bool) -> TreeArrays:
    """The tree of what is seen of a page that was parsed.

    Args:
        xml: the page as `dom_parser` writes it.
        max_depth: elements that may be open at once.
        keep_hidden: see `read_tree`.

    Raises:
        TooDeepError: more elements than `max_depth` are open somewhere.
    """
    tree = _lexed(xml, max_depth)
    goes = _unseen(tree)
    if not keep_hidden:
        goes |= _hidden(tree)
    tree = _without(tree, goes)
    return (
        tree.xml,
        tree.starts,
        tree.stops,
        tree.names.keys,
        tree.names.ends,
        tree.inside,
        tree.opens,
        tree.closes,
        tree.parents,
        tree.ends,
        tree.body,
    )


def _lexed(xml: bytes, max_depth: int) -> Tree:
    data = np.frombuffer(xml, np.uint8)
    brackets = np.flatnonzero((data | _GT_NOT_LT) == _GT)
    starts, last = brackets[0::2], brackets[1::2]
    if starts.size != last.size or (data[last] != _GT).any():
        # Odd names of elements and attributes hold `<`. A tag begins with the first one after the tag before.
        closes = data[brackets] == _GT
        last = brackets[closes]
        starts = brackets[np.append(0, np.flatnonzero(closes)[:-1] + 1)]
    stops = last + 1
    names = tag_names(xml, lex(xml))
    change = np.where(names.ends, np.int16(-1), np.int16(1))
    change[data[last - 1] == _SLASH] = 0
    levels = np.cumsum(change)  # how many elements are open after each tag
    if levels.max(initial=0) > max_depth:
        raise TooDeepError(f"{levels.max()} open elements")
    return _tree(xml, starts, stops, names, levels.astype(np.int16), change > 0)


def _tree(
    xml: bytes, starts: Offsets, stops: Offsets, names: TagNames, levels: NDArray[np.int16], starting: Flags
) -> Tree:
    """The tree that its tags make; `levels`, `starting` as `_last_of_level` has them."""
    begins = ~names.ends
    elements = np.cumsum(begins) - 1
    inside = _last_of_level(levels, elements, starting)
    opens = np.flatnonzero(begins)
    parents = inside[opens - 1]
    parents[:1] = -1
    closes = opens.copy()
    closing = np.flatnonzero(names.ends)
    closes[inside[closing - 1]] = closing
    ends = elements[closes] + 1
    return Tree(xml, starts, stops, names, inside, opens, closes, parents, ends, _body(names, opens))


def _last_of_level(levels: NDArray[np.int16], elements: Offsets, starts: Flags) -> Offsets:
    """For each tag the last element that a tag of the same level opened, up to it; -1 at level 0.

    Args:
        levels: int16 (t,).
        elements: int64 (t,), the element each tag opens, if it does.
        starts: bool (t,), whether it does.
    """
    order = levels.argsort(kind="stable")
    last = np.where(starts[order], np.arange(order.size), 0)
    np.maximum.accumulate(last, out=last)
    found = np.empty(order.size, np.int64)
    found[order] = elements[order[last]]
    found[levels == 0] = -1
    return found


def _unseen(tree: Tree) -> Flags:
    """Marks the elements that no browser shows as text. bool (n,)."""
    marks = tree.named(*_UNSEEN)
    found = np.flatnonzero(marks)
    # The names of elements are told apart by their beginnings alone.
    marks[found] = [tree.name(element) in _UNSEEN for element in found.tolist()]
    return marks


def _hidden(tree: Tree) -> Flags:
    """Marks the elements that their own tags hide. bool (n,).

    `html` and `body` are not among them: pages that hide these show them by script.
    """
    xml = tree.xml
    data = np.frombuffer(xml, np.uint8)
    values = (
        np.flatnonzero((data[1:] == _QUOTE) & (data[:-1] == _EQUALS)) + 2
    )  # where attributes' values begin
    values = values[values >= _WINDOW]
    begins = windows(xml)[values - _WINDOW]
    at = [value for value in values[begins == _HIDDEN].tolist() if xml[value - _WINDOW - 1] == _BLANK]
    styles = values[begins == _STYLE]
    stops = tree.stops[tree.starts.searchsorted(styles) - 1]
    for value, stop in zip(styles.tolist(), stops.tolist(), strict=True):
        # What ends a value may look like the beginning of one.
        if _NONE.search(xml, value, max(value, xml.find(b'"', value, stop))):
            at.append(value)
    hidden = np.zeros(tree.size, bool)
    if at:
        tags = tree.starts.searchsorted(at) - 1
        hidden[tree.opens.searchsorted(tags[at < tree.stops[tags]])] = True
        hidden &= ~tree.named("html", "body")
    return hidden


def _without(tree: Tree, elements: Flags) -> Tree:
    """The tree without the elements that are marked and all that is in them."""
    marked = np.flatnonzero(elements)
    if not marked.size:
        return tree
    outermost = np.ones(marked.size, bool)
    outermost[1:] = marked[1:] >= np.maximum.accumulate(tree.ends[marked])[:-1]
    roots = marked[outermost]
    first, last = tree.opens[roots], tree.closes[roots]
    starts, stops = tree.starts[first], tree.stops[last]
    edges = [0, *np.stack((starts, stops), 1).ravel().tolist(), len(tree.xml)]
    xml = b"".join([tree.xml[start:stop] for start, stop in zip(edges[0::2], edges[1::2], strict=True)])

    gone = _ranges(first, last + 1, tree.starts.size)
    stays = ~gone
    cut = np.zeros(tree.starts.size, np.int64)  # bytes that go at each tag
    cut[last] = stops - starts
    shift = np.cumsum(cut)[stays]
    tags = np.cumsum(stays) - 1  # the new numbers of tags and of elements
    kept = ~_ranges(roots, tree.ends[roots], tree.size)
    numbers = np.append(0, np.cumsum(kept))
    opens = tags[tree.opens[kept]]
    names = TagNames(tree.names.keys[stays], tree.names.ends[stays])
    return Tree(
        xml,
        tree.starts[stays] - shift,
        tree.stops[stays] - shift,
        names,
        numbers[tree.inside[stays] + 1] - 1,
        opens,
        tags[tree.closes[kept]],
        numbers[tree.parents[kept] + 1] - 1,
        numbers[tree.ends[kept]],
        _body(names, opens),
    )


def _ranges(starts: Offsets, stops: Offsets, size: int) -> Flags:
    """Marks what is in the half-open ranges, which are in order and do not overlap. bool (size,)."""
    steps = np.zeros(size + 1, np.int8)
    steps[starts] += 1
    steps[stops] -= 1
    marks: Flags = np.cumsum(steps[:-1], dtype=np.int8) > 0
    return marks


def _body(names: TagNames, opens: Offsets) -> int:
    """The first `body`, else the root."""
    bodies = np.flatnonzero(names.named("body")[opens])
    return int(bodies[0]) if bodies.size else 0
