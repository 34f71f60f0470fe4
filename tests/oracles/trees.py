"""A slow, plain reading of trees and of CETD, node by node, to hold the fast one against."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from tests.oracles.hidden import hides
from tests.oracles.line_methods import BLOCK_LEVEL

BLOCKS = frozenset(BLOCK_LEVEL.split())
UNSEEN = frozenset({"script", "style", "title", "iframe", "noframes", "noembed", "xmp", "template"})
LINKS = frozenset({"a", "button", "select"})


@dataclass(eq=False)
class Node:
    """An element; its children are texts and elements. What is asked of it is asked when all are there."""

    name: str
    parent: Node | None
    children: list[str | Node] = field(default_factory=list)

    @cached_property
    def elements(self) -> list[Node]:
        return [child for child in self.children if isinstance(child, Node)]

    @cached_property
    def texts(self) -> list[str]:
        return [" ".join(child.split()) for child in self.children if isinstance(child, str)]

    def subtree(self) -> Iterator[Node]:
        yield self
        for child in self.elements:
            yield from child.subtree()

    @cached_property
    def ancestors(self) -> list[Node]:
        return [] if self.parent is None else [self.parent, *self.parent.ancestors]

    @cached_property
    def link(self) -> bool:
        return any(node.name in LINKS for node in (self, *self.ancestors))

    @cached_property
    def c(self) -> int:
        return sum(len(text) for node in self.subtree() for text in node.texts)

    @cached_property
    def t(self) -> int:
        return sum(1 for _ in self.subtree()) - 1

    @cached_property
    def lc(self) -> int:
        return sum(len(text) for node in self.subtree() if node.link for text in node.texts)

    @cached_property
    def lt(self) -> int:
        if self.link:
            return self.t
        wrappers = [c for c in self.elements if not c.link and c.lt == c.t != 0 and c.c == c.lc]
        links = [c for c in self.elements if c.link]
        return sum(c.lt for c in self.elements) + len(links) + len(wrappers)

    @cached_property
    def density(self) -> float:
        return self.c / max(1, self.t)

    @cached_property
    def density_sum(self) -> float:
        return sum(child.density for child in self.elements) + sum(map(len, self.texts))

    def composite_density(self, ratio: float, *, author_base: bool = False) -> float:
        if not self.c:
            return 0.0
        c, t, lc, lt = self.c, self.t or 1, self.lc, self.lt or 1
        base = math.log(c / (c - lc or 1) * (lc or author_base) + ratio * c + math.e)
        return c / t * math.log(c / (lc or 1) * t / lt, base)

    def composite_density_sum(self, ratio: float, *, author_base: bool = False) -> float:
        if not self.elements:
            return self.composite_density(ratio, author_base=author_base)
        total = sum(child.composite_density(ratio, author_base=author_base) for child in self.elements)
        if not self.link:
            for length in filter(None, map(len, self.texts)):
                total += length * math.log(length, math.log(ratio * length + math.e))
        return total


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
    return not keep_hidden and hides(element.tag, dict(element.attrib))


def body_of(root: Node) -> Node:
    """The first body, or the root."""
    return next((node for node in root.subtree() if node.name == "body"), root)


def cetd_ds(root: Node, factor: float = 1.0, *, path_text: bool = True) -> list[str]:
    """The lines of what CETD-DS keeps."""
    nodes = list(root.subtree())
    density = {node: node.density for node in nodes}
    sums = {node: node.density_sum for node in nodes}
    return _with_density_sums(root, density, sums, factor, path_text=path_text)


def cectd_ds(root: Node, factor: float = 1.0, *, author_base: bool = False) -> list[str]:
    """The lines of what CECTD-DS keeps."""
    body = body_of(root)
    if not body.lc:
        return lines(body, set(body.subtree()))
    ratio = body.lc / body.c
    nodes = list(root.subtree())
    density = {node: node.composite_density(ratio, author_base=author_base) for node in nodes}
    sums = {node: node.composite_density_sum(ratio, author_base=author_base) for node in nodes}
    return _with_density_sums(root, density, sums, factor, path_text=True)


def cectd_s(root: Node, factor: float = 1.0) -> list[str]:
    """The lines of what CECTD-S keeps."""
    body = body_of(root)
    if not body.lc:
        return lines(body, set(body.subtree()))
    ratio = body.lc / body.c
    threshold = factor * body.composite_density(ratio)
    kept: set[Node] = set()
    for node in body.subtree():
        density = [child.composite_density(ratio) for child in node.elements]
        for i, child in enumerate(node.elements):
            weights = {j: w for j, w in ((i - 1, 1), (i, 2), (i + 1, 1)) if 0 <= j < len(density)}
            mean = sum(w * density[j] for j, w in weights.items()) / sum(weights.values())
            if mean >= threshold * (1 - 1e-9):
                kept.update([*child.subtree(), *child.ancestors])
    return lines(body, kept)


def _with_density_sums(
    root: Node, density: dict[Node, float], sums: dict[Node, float], factor: float, *, path_text: bool
) -> list[str]:
    def densest(node: Node) -> Node:
        top = max(sums[n] for n in node.subtree())
        return next(n for n in node.subtree() if sums[n] >= top * (1 - 1e-9))

    body = body_of(root)
    best = densest(body)
    path = [node for node in (best, *best.ancestors) if body in (node, *node.ancestors)]
    threshold = factor * min(density[node] for node in path)
    content: set[Node] = set()
    around: set[Node] = set()

    def mark(node: Node) -> None:
        if density[node] < threshold * (1 - 1e-9):
            return
        if node not in content:
            chosen = densest(node)
            content.update(chosen.subtree())
            around.update(chosen.ancestors)
        for child in node.elements:
            mark(child)

    mark(body)
    return lines(body, (content | around if path_text else content) & set(body.subtree()))


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
