"""A slow, plain reading of CoreEx, node by node, to hold the fast one against."""

from __future__ import annotations

from tests.oracles.trees import Node, body_of, lines

IGNORED = frozenset({"script", "select", "form", "input", "textarea", "option"})


def is_ignored(node: Node) -> bool:
    return any(n.name in IGNORED for n in (node, *node.ancestors))


def counts(node: str | Node) -> tuple[int, int]:
    """The words and links of a text or an element."""
    if isinstance(node, str):
        return len(node.split()), 0
    if node.name in IGNORED:
        return 0, 0
    if node.name == "a":
        return 1, 1
    found = [counts(child) for child in node.children]
    return sum(words for words, _ in found), sum(links for _, links in found)


def members(node: Node, threshold: float) -> list[str | Node]:
    """S of an element."""
    found = []
    for child in node.children:
        words, links = counts(child)
        if words and (words - links) / words > threshold:
            found.append(child)
    return found


def score(node: Node, page_text: int, threshold: float, weight: float) -> float:
    """The score of an element."""
    if is_ignored(node) or any(n.name == "a" for n in (node, *node.ancestors)):
        return 0.0
    found = [counts(child) for child in members(node, threshold)]
    words, links = sum(words for words, _ in found), sum(links for _, links in found)
    return (1 - weight) * ((words - links) / words) + weight * words / page_text if words else 0.0


def coreex(root: Node, *, threshold: float = 0.9, weight: float = 0.01) -> list[str]:
    """The lines of what CoreEx keeps; every `a` is a link."""
    body = body_of(root)
    page_text = counts(body)[0]
    scores = {node: score(node, page_text, threshold, weight) for node in body.subtree()}
    top = max(scores.values())
    if not top:
        return []
    chosen = min((node for node, s in scores.items() if s == top), key=lambda node: len(node.ancestors))
    kept = {chosen}
    for child in members(chosen, threshold):
        if isinstance(child, Node):
            kept.update(node for node in child.subtree() if not is_ignored(node))
    return lines(body, kept)
