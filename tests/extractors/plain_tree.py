"""A slow, plain reading of trees and of CETD, node by node, to hold the fast one against."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lxml import etree
from reference import BLOCK_LEVEL

BLOCKS = frozenset(BLOCK_LEVEL.split())
UNSEEN = frozenset({"script", "style", "title", "iframe", "noframes", "noembed", "xmp", "template"})
LINKS = frozenset({"a", "button", "select"})


@dataclass(eq=False)
class Node:
    """An element; its children are texts and elements."""

    name: str
    parent: Node | None
    children: list[str | Node] = field(default_factory=list)

    @property
    def elements(self) -> list[Node]:
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def texts(self) -> list[str]:
        return [" ".join(child.split()) for child in self.children if isinstance(child, str)]

    def subtree(self) -> Iterator[Node]:
        yield self
        for child in self.elements:
            yield from child.subtree()

    @property
    def ancestors(self) -> list[Node]:
        return [] if self.parent is None else [self.parent, *self.parent.ancestors]

    @property
    def link(self) -> bool:
        return any(node.name in LINKS for node in (self, *self.ancestors))

    @property
    def c(self) -> int:
        return sum(len(text) for node in self.subtree() for text in node.texts)

    @property
    def t(self) -> int:
        return sum(1 for _ in self.subtree()) - 1

    @property
    def lc(self) -> int:
        return sum(len(text) for node in self.subtree() if node.link for text in node.texts)

    @property
    def lt(self) -> int:
        if self.link:
            return self.t
        wrappers = [c for c in self.elements if not c.link and c.lt == c.t != 0 and c.c == c.lc]
        links = [c for c in self.elements if c.link]
        return sum(c.lt for c in self.elements) + len(links) + len(wrappers)

    @property
    def density(self) -> float:
        return self.c / max(1, self.t)

    @property
    def density_sum(self) -> float:
        return sum(child.density for child in self.elements) + sum(map(len, self.texts))


def read(html: bytes, *, keep_hidden: bool = False) -> Node:
    """The tree of a page of one document; `html` alone is not checked for hiding attributes."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    return _node(etree.fromstring(html, parser), None, keep_hidden)


def _node(element: etree._Element, parent: Node | None, keep_hidden: bool) -> Node:
    node = Node(element.tag, parent)
    texts = [element.text or ""]
    for child in element:
        if not _goes(child, keep_hidden):
            node.children += [texts.pop(), _node(child, node, keep_hidden)]
            texts.append("")
        texts[-1] += child.tail or ""
    node.children.append(texts.pop())
    return node


def _goes(element: etree._Element, keep_hidden: bool) -> bool:
    if element.tag in UNSEEN:
        return True
    none = re.search(r"(?i)(?<![\w-])display\s*:\s*none(?![\w-])", element.get("style", ""))
    hidden = element.get("hidden") is not None or none is not None
    return hidden and not keep_hidden and element.tag not in {"html", "body"}


def cetd_ds(root: Node, factor: float = 1.0, *, path_text: bool = True) -> list[str]:
    """The lines of what CETD-DS keeps."""
    body = next((node for node in root.subtree() if node.name == "body"), root)
    best = _densest(body)
    path = [node for node in (best, *best.ancestors) if body in (node, *node.ancestors)]
    threshold = factor * min(node.density for node in path)
    content: set[Node] = set()
    around: set[Node] = set()

    def mark(node: Node) -> None:
        if node.density < threshold * (1 - 1e-9):
            return
        if node not in content:
            chosen = _densest(node)
            content.update(chosen.subtree())
            around.update(chosen.ancestors)
        for child in node.elements:
            mark(child)

    mark(body)
    inside = set(body.subtree())
    kept = (content | around if path_text else content) & inside
    return lines(body, kept)


def _densest(node: Node) -> Node:
    top = max(n.density_sum for n in node.subtree())
    return next(n for n in node.subtree() if n.density_sum >= top * (1 - 1e-9))


def lines(node: Node, kept: set[Node]) -> list[str]:
    """The text directly in the nodes of `kept`, a block a line."""
    found = "".join(_pieces(node, kept)).split("\x1e")
    return [" ".join(line.split()) for line in found if line.split()]


def _pieces(node: Node, kept: set[Node]) -> Iterator[str]:
    boundary = "\x1e" if node.name in BLOCKS else ""
    yield boundary
    for child in node.children:
        if isinstance(child, Node):
            yield from _pieces(child, kept)
        elif node in kept:
            yield child
        elif child.split():
            yield " "
    yield boundary


def assert_linear(function: Callable[[bytes], object], make: Callable[[int], bytes], size: int) -> None:
    """CPU time at most trebles for each doubling of the input, over two doublings."""
    small, large = make(size), make(4 * size)
    assert _seconds(lambda: function(large)) <= 9 * max(_seconds(lambda: function(small)), 0.005)


def _seconds(run: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)
