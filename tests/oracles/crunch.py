"""A slow, plain reading of Crunch, node by node, as its authors tell it; to hold the compiled one against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cedar.transforms.extractors.tree.crunch import CrunchSettings
from cedar.transforms.extractors.tree.tree import Tree


@dataclass(eq=False)
class Node:
    """An element, or a text: its name is empty then, and `tag` says which."""

    name: str
    attributes: dict[str, str]
    parent: Node | None
    text: str = ""
    tag: int = -1
    children: list[Node] = field(default_factory=list)

    @property
    def is_link(self) -> bool:
        return self.name == "a" and "href" in self.attributes

    @property
    def is_image_link(self) -> bool:
        if self.is_link:
            return any(child.name == "img" for child in self.children)
        return self.name == "img" and self.parent is not None and self.parent.is_link

    def drop(self) -> None:
        assert self.parent is not None
        self.parent.children = [child for child in self.parent.children if child is not self]

    def subtree(self) -> Iterator[Node]:
        yield self
        for child in self.children:
            yield from child.subtree()


def read(tree: Tree) -> Node:
    """The root of a tree, in which images hold their alternative texts as texts."""
    made = [Node(tree.name(each), tree.attributes(each), None) for each in range(tree.size)]
    starts = {int(start): each for each, start in enumerate(tree.opens.tolist())}
    for tag in range(tree.tags):
        if (each := starts.get(tag)) and (parent := int(tree.parents[each])) >= 0:
            made[each].parent = made[parent]
            made[parent].children.append(made[each])
        inside = int(tree.inside[tag])
        if inside >= 0 and tree.texts[tag] < tree.texts[tag + 1]:
            text = tree.text[tree.texts[tag] : tree.texts[tag + 1]].decode()
            made[inside].children.append(Node("", {}, made[inside], text, tag))
    return made[0]


class Walk:
    """The walk over a page."""

    def __init__(self, settings: CrunchSettings, cells: tuple[str, ...]) -> None:
        self.settings, self.cells = settings, cells
        both = settings.list_image_links == settings.list_text_links
        self.kind = "all" if both else "image" if settings.list_image_links else "text"

    def counts(self, node: Node) -> bool:
        """Whether a text or a link is of the kind that link lists are about."""
        return self.kind == "all" or (self.kind == "image") == node.is_image_link

    def walk(self, node: Node) -> None:
        settings = self.settings
        if node.name == "":
            return None
        if node.name in self.cells:
            self.cell(node)
        elif (settings.text_links and node.is_link and not node.is_image_link) or (
            settings.image_links and node.is_image_link
        ):
            return node.drop()
        elif node.name == "img":
            if not settings.image_alts or not node.children:
                node.drop()
            else:
                node.name = "alternative"
            return None
        elif node.name in settings.names:
            return node.drop()
        for child in list(node.children):
            self.walk(child)
        if node.name == "table" and node.parent is not None and self.is_empty(node):
            node.drop()
        return None

    def cell(self, node: Node) -> None:
        words = self.words(node)
        links = sum(each.is_link and self.counts(each) for each in node.subtree())
        if words == 0 or links / words > 0.25:
            for child in list(node.children):
                self.strip(child)

    def words(self, node: Node) -> float:
        if node.name == "":
            return len(node.text) / 5
        return sum(self.words(child) for child in node.children if not child.is_link and child.name != "img")

    def strip(self, node: Node) -> None:
        if node.name == "" or node.is_link:
            if self.counts(node):
                node.drop()
        elif node.name != "img":
            for child in list(node.children):
                self.strip(child)

    def is_empty(self, table: Node) -> bool:
        below = list(table.subtree())
        chars = sum(len(" ".join(each.text.split())) for each in below)
        return chars < self.settings.least_substance and not any(
            each.name in self.settings.substance for each in below
        )


def kept(tree: Tree, settings: CrunchSettings, cells: tuple[str, ...]) -> list[int]:
    """The tags after which a text that is not blank stays."""
    if not tree.size:
        return []
    root = read(tree)
    Walk(settings, cells).walk(root)
    return [each.tag for each in root.subtree() if each.tag >= 0 and each.text.split()]
