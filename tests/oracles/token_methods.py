"""Slow, plain readings of LQF, LP and LSI, node by node, to hold the fast ones against."""

from __future__ import annotations

from tests.oracles.trees import BLOCKS, Node, body_of, lines


def in_link(node: Node) -> bool:
    return any(n.name == "a" for n in (node, *node.ancestors))


def lqf(root: Node, bound: float = 0.5) -> list[str]:
    """The lines of what LQF keeps."""
    body = body_of(root)
    gone: set[Node] = set()

    def walk(node: Node) -> tuple[int, int]:
        chars = sum(map(len, node.texts))
        link_chars = chars if in_link(node) else 0
        for child in node.elements:
            more, linked = walk(child)
            chars, link_chars = chars + more, link_chars + linked
        if node.name in BLOCKS and node not in (root, body) and chars and link_chars / chars > bound:
            gone.update(node.subtree())
            return 0, 0
        return chars, link_chars

    walk(root)
    return lines(body, set(body.subtree()) - gone)


def lp(root: Node, k: int = 3) -> list[str]:
    """The lines of what LP keeps."""
    body = body_of(root)
    found = []
    waiting = [body]
    while waiting:
        node = waiting.pop(0)
        if any(sum(n.name == "a" for n in child.subtree()) >= k for child in node.elements):
            waiting = node.elements + waiting
        else:
            found.append(node)
    return lines(body, set(max(found, key=lambda node: node.c).subtree()))


def lsi(root: Node) -> list[str]:
    """The lines of what LSI keeps."""

    def increase(node: Node) -> float:
        fanout = len(node.elements) + sum(map(bool, node.texts))
        return node.c - node.c / fanout if fanout else 0.0

    body = body_of(root)
    return lines(body, set(max(body.subtree(), key=increase).subtree()))
