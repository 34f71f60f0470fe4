"""Boxes of a page that something else lays out: the page as it is handed over, and what comes back.

What lays a page out must know Cedar's own tree, not another parser's: so it gets that tree as XML, each
element with its number, and the page's own `style` elements; and hands boxes back by these numbers, and those
of texts by the element and their place among its texts. Scripts are not in it, nor `meta`.
"""

import json
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import NO_METRICS, Extraction
from cedar.transforms.extractors.tree.extraction import extraction
from cedar.transforms.extractors.tree.limits import TreeLimitError
from cedar.transforms.extractors.tree.tree import Tree, visible_source
from cedar.transforms.extractors.vips import vips
from cedar.transforms.extractors.vips._styles import SEEN
from cedar.transforms.extractors.vips.vips import Boxes

NUMBER = "data-cedar-number"
"""The attribute that has an element's number."""

FACTORY = "cedar.transforms.extractors.vips.rendering:bind"
"""What the page guard calls; see `cedar.transforms.runtime.guard`."""

ASK, TELL, ESTIMATE = b"\x01", b"\x02", b"\x03"
"""What a page is sent to the guard's child with: to be numbered, with boxes, or to be done without."""

_SIZES = struct.Struct("<qqqdd")  # bytes of the boxes, elements, texts; width and height of the page
_TEXT = np.dtype([("element", "<i4"), ("place", "<i4"), ("box", "<f4", 4)])
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9._-]*")
_LEADING_AWAY = ("meta", "base", "script")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SPACE = 'xmlns="http://www.w3.org/1999/xhtml"'
_MOST_STYLE = 1 << 20  # characters


@dataclass(frozen=True, slots=True)
class Rendered:
    """What was laid out of a page: by element and by text, as `Boxes` has it, and the size of the page."""

    elements: NDArray[np.void]
    texts: NDArray[np.void]
    width: float
    height: float

    @staticmethod
    def empty(elements: int, texts: int, width: float, height: float) -> "Rendered":
        """Room for this many elements and texts, none of which is seen."""
        made = np.zeros(elements, SEEN)
        made["background"] = -1
        return Rendered(made, np.zeros(texts, _TEXT), width, height)

    def packed(self) -> bytes:
        """All of it as bytes."""
        arrays = self.elements.tobytes() + self.texts.tobytes()
        head = _SIZES.pack(len(arrays), self.elements.size, self.texts.size, self.width, self.height)
        return head + arrays


def unpacked(data: bytes) -> tuple[Rendered, bytes]:
    """Read what `packed` wrote, and what follows it; raise ValueError for something else."""
    try:
        length, elements, texts, width, height = _SIZES.unpack_from(data)
    except struct.error as error:
        raise ValueError("no boxes") from error
    start, middle = _SIZES.size, _SIZES.size + elements * SEEN.itemsize
    stop = middle + texts * _TEXT.itemsize
    if min(elements, texts) < 0 or stop - start != length or stop > len(data):
        raise ValueError("boxes of another size")
    by_element = np.frombuffer(data, SEEN, elements, start)
    by_text = np.frombuffer(data, _TEXT, texts, middle)
    return Rendered(by_element, by_text, width, height), data[stop:]


def numbered(tree: Tree, html: bytes) -> str:
    """A tree as XHTML, its elements numbered, with the style sheets that stand in the page."""
    return "".join(_pieces(tree, html))


def _pieces(tree: Tree, html: bytes) -> Iterator[str]:
    opens, closes = tree.opens.tolist(), tree.closes.tolist()
    # What is not a name for XML, or would lead away from the page, has another.
    names = [tree.name(element) for element in range(tree.size)]
    names = [name if _NAME.fullmatch(name) and name not in _LEADING_AWAY else "span" for name in names]
    head = f"<head><style>{_plain(chr(10).join(style_sheets(html)))}</style></head>"
    is_whole = bool(names) and names[0] == "html" and closes[0] > 0
    yield "" if is_whole else f"<html {_SPACE}>{head}"
    for tag, element in enumerate(tree.of_tags.tolist()):
        if tag != opens[element]:
            yield f"</{names[element]}>"
        else:
            is_root = is_whole and element == 0
            yield f'<{names[element]} {_SPACE if is_root else ""} {NUMBER}="{element}"'
            for name, value in tree.attributes(element).items():
                if _NAME.fullmatch(name) and name not in ("xmlns", NUMBER):
                    yield f" {name}={quoteattr(_NOT_XML.sub('', value))}"
            yield "/>" if closes[element] == tag else ">"
            yield head if is_root else ""
        yield _plain(tree.text[tree.texts[tag] : tree.texts[tag + 1]].decode())
    yield "" if is_whole else "</html>"


def _plain(text: str) -> str:
    return escape(_NOT_XML.sub("", text)) if text else ""


def style_sheets(html: bytes) -> list[str]:
    """The contents of a page's `style` elements, but those for other media than a screen."""
    lowered, found, room, at = html.lower(), [], _MOST_STYLE, 0
    while room > 0 and (start := lowered.find(b"<style", at)) >= 0:
        inside = lowered.find(b">", start) + 1
        stop = lowered.find(b"</style", inside)
        if not inside or stop < 0:
            break
        tag = lowered[start:inside]
        if b"media" not in tag or b"screen" in tag or b"all" in tag:
            found.append(html[inside:stop].decode("utf-8", "replace")[:room])
            room -= len(found[-1])
        at = stop
    return found


def boxes_of(tree: Tree, rendered: Rendered) -> Boxes:
    """The boxes of a tree; raises ValueError where they are of another one."""
    made, said = rendered.elements, rendered.texts
    if made.size != tree.size:
        raise ValueError(f"boxes of {made.size} elements for {tree.size}")
    texts = np.zeros((tree.tags, 4), np.float32)
    some = np.flatnonzero((np.diff(tree.texts) > 0) & (tree.inside >= 0))
    inside = tree.inside[some]
    # The tags of each element's texts stand together, and in their order, when sorted by element.
    order = some[np.argsort(inside, kind="stable")]
    firsts = np.searchsorted(np.sort(inside), np.arange(tree.size + 1))
    element, place = said["element"].astype(np.int64), said["place"].astype(np.int64)
    fits = (element >= 0) & (element < tree.size) & (place >= 0)
    fits &= firsts[np.where(fits, element, 0)] + place < firsts[np.where(fits, element, 0) + 1]
    texts[order[firsts[element[fits]] + place[fits]]] = said["box"][fits]
    elements = made.copy()
    elements["box"] = np.nan_to_num(made["box"], posinf=1e7, neginf=-1e7).clip(-1e7, 1e7)
    elements["size"] = np.nan_to_num(made["size"], nan=16.0, posinf=1000.0, neginf=0.0).clip(0.0, 1000.0)
    texts = np.nan_to_num(texts, posinf=1e7, neginf=-1e7).clip(-1e7, 1e7)
    return Boxes(elements, texts, rendered.width, rendered.height)


def bind(name: str, options_text: str) -> Callable[[bytes], Extraction]:
    """`vips` in the guard's child, for a worker with a browser: it asks for the page, and tells the boxes."""
    record = registry.parse_options(name, json.loads(options_text))
    assert isinstance(record, vips.VipsOptions)
    options = record
    estimating = replace(options, layout="estimate")
    estimate = registry.bind(name, registry.options_json(estimating))

    def method(message: bytes) -> Extraction:
        if message[:1] == ASK:
            return Extraction(_asked(message[1:], options), None, None, NO_METRICS, tuple)
        if message[:1] == TELL:
            rendered, html = unpacked(message[1:])
            source = visible_source(html)
            tree = options.tree(source)
            page = vips.segmented_page(tree, boxes_of(tree, rendered))
            return extraction(html, source, tree, vips.decision(tree, options, page))
        return estimate(message.removeprefix(ESTIMATE))

    return method


def _asked(html: bytes, options: vips.VipsOptions) -> str:
    """The page to be laid out; nothing for one whose tree cannot be held."""
    try:
        tree = options.tree(visible_source(html))
    except TreeLimitError:
        return ""
    return numbered(tree, html)
