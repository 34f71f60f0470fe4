"""A slow, plain reading of VIPS, node by node, to hold the compiled one against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cedar.transforms.extractors.tree.tree import Tree
from cedar.transforms.extractors.vips.vips import Boxes

_REPLACED = "button select textarea object embed video audio canvas svg iframe img input"
REPLACED = frozenset(_REPLACED.split())
KINDS = {"table": "table", "tr": "tr", "p": "p", "td": "td", "th": "td"}
RULES = {
    "inline": (2, 3, 4, 5, 6, 7, 9, 10, 12),
    "p": (2, 3, 4, 5, 6, 7, 9, 10, 12),
    "table": (2, 3, 8, 10, 13),
    "tr": (2, 3, 7, 8, 10, 13),
    "td": (2, 3, 4, 9, 10, 11, 13),
    "other": (2, 3, 4, 6, 7, 9, 10, 12),
}

Box = tuple[float, float, float, float]
Pixels = tuple[int, int, int, int]


@dataclass(eq=False)
class Node:
    """A node that is seen; boxes are left, top, width, height."""

    kind: str
    box: Box
    font: tuple[int, int]
    background: int
    is_block: bool
    tag: int = -1
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def area(self) -> float:
        return self.box[2] * self.box[3]

    @property
    def kids(self) -> list[Node]:
        return [child for child in self.children if child.kind != "hr"]

    @property
    def leaves(self) -> list[Node]:
        if self.kind in ("text", "leaf"):
            return [self]
        return [leaf for child in self.children for leaf in child.leaves]

    @property
    def is_text(self) -> bool:
        """Text, or virtual text."""
        return self.kind == "text" or (self.kind == "inline" and all(c.is_text for c in self.children))


@dataclass(eq=False)
class Block:
    """A block; without a node it is one that separators make of several."""

    node: Node | None
    degree: int
    is_final: bool = False
    weight: int = -1
    children: list[Block] = field(default_factory=list)


def visual_tree(tree: Tree, boxes: Boxes) -> Node | None:
    """The body and what is seen of it."""
    return _visible(tree, boxes, tree.body, 0xFFFFFF) if tree.size else None


def _visible(tree: Tree, boxes: Boxes, element: int, behind: int) -> Node | None:
    seen = boxes.elements[element]
    own = int(seen["background"])
    above = int(tree.parents[element])
    while own < 0 <= above and element == tree.body:
        own, above = int(boxes.elements["background"][above]), int(tree.parents[above])
    background = own if own >= 0 else behind
    font = (int(10 * seen["size"] + 0.5), int(seen["weight"]))
    name = tree.name(element)
    display = int(seen["display"])
    kind = KINDS.get(name, "inline" if display == 1 else "other")
    x, y, width, height = map(float, seen["box"])
    is_seen = bool(seen["visible"]) and _on_page(x, y, width, height)
    if element != tree.body and (name in REPLACED or name == "hr"):
        kind = "hr" if name == "hr" else "leaf"
        return Node(kind, (x, y, width, height), font, background, display == 3) if is_seen else None
    node = Node(kind, (x, y, width, height), font, background, display == 3)
    for child in _children(tree, element):
        if isinstance(child, tuple):
            below = _visible(tree, boxes, child[0], background)
        else:
            below = None
            box = tuple(map(float, boxes.texts[child]))
            if tree.chars[child] > 0 and seen["visible"] and _on_page(*box):
                below = Node("text", (box[0], box[1], box[2], box[3]), font, background, False, child)
        if below is not None:
            below.parent = node
            node.children.append(below)
    if not node.kids:
        return None
    if width <= 0 or height <= 0:
        left, top, right, bottom = around(node)
        node.box = (left, top, right - left, bottom - top)
    return node


def _children(tree: Tree, element: int) -> Iterator[tuple[int] | int]:
    """What is directly in an element: (element,), or the tag that a text follows."""
    below = [child for child in range(tree.size) if tree.parents[child] == element]
    starts = {int(tree.opens[child]): child for child in below}
    for tag in range(int(tree.opens[element]), int(tree.closes[element]) + 1):
        if tag in starts:
            yield (starts[tag],)
        if tag < tree.tags and tree.inside[tag] == element:
            yield tag


def _on_page(x: float, y: float, width: float, height: float) -> bool:
    return width > 0 and height > 0 and x + width > 0 and y + height > 0


def around(node: Node) -> Box:
    """Left, top, right and bottom of a node's leaves."""
    corners = [(x, y, x + w, y + h) for x, y, w, h in (leaf.box for leaf in node.leaves)]
    left, top, right, bottom = zip(*corners, strict=True)
    return min(left), min(top), max(right), max(bottom)


class Segmentation:
    """The rounds over a page; `decisions` has the rules that decided, and the nodes."""

    def __init__(self, page_area: float, threshold: float) -> None:
        self.page_area, self.threshold = max(1.0, page_area), threshold
        self.divided: set[Node] = set()
        self.decisions: list[tuple[Node, int]] = []

    def degree_of_size(self, node: Node) -> int:
        return 8 - sum(node.area / self.page_area >= share for share in (0.02, 0.1, 0.3))

    def run(self, body: Node) -> Block:
        top = Block(body, 1)
        work = [(top, 0)]
        while work:
            block, number = work.pop()
            assert block.node is not None
            if number > 30:
                continue
            pool = self.divide(block.node, block.node, {})
            if len(pool) == 1:
                if pool[0].node is not block.node:
                    block.node, block.degree = pool[0].node, max(block.degree, pool[0].degree)
                    if not pool[0].is_final:
                        work.append((block, number + 1))
                continue
            self.structure(block, pool, lines(block.node), 0)
            work += [(each, number + 1) for each in leaves(block) if each is not block and not each.is_final]
        return top

    def divide(self, node: Node, root: Node, held: dict[Node, int]) -> list[Block]:
        if node.kind in ("text", "leaf"):
            return [Block(node, 10, is_final=True)]
        if node.kind == "hr":
            return []
        if node in held:
            return [Block(node, held[node])]
        rule = next(rule for rule in RULES[node.kind] if self.applies(rule, node, root))
        self.decisions.append((node, rule))
        if rule == 4:
            return [Block(node, 10 if len({leaf.font for leaf in node.leaves}) == 1 else 9, is_final=True)]
        if rule in (9, 10, 11, 13):
            return [Block(node, self.degree_of_size(node))]
        if rule == 8:
            held |= {c: max(6, self.degree_of_size(c)) for c in node.kids if c.background != node.background}
        self.divided.add(node)
        return [block for child in node.children for block in self.divide(child, root, held)]

    def applies(self, rule: int, node: Node, root: Node) -> bool:
        kids = node.kids
        is_small = {9: node.area, 10: max(kid.area for kid in kids)}
        siblings = node.parent.children if node.parent else [node]
        before = siblings[siblings.index(node) - 1] if siblings[0] is not node else None
        return {
            2: len(kids) == 1 and kids[0].kind != "text",
            3: node is root and not all(kid.is_text for kid in kids),
            4: all(kid.is_text for kid in kids),
            5: any(kid.is_block for kid in kids if kid.kind != "text" and not kid.is_text),
            6: len(kids) < len(node.children),
            7: sum(kid.area for kid in kids) > node.area,
            8: any(kid.background != node.background for kid in kids),
            9: any(kid.is_text for kid in kids) and is_small[9] < self.threshold * root.area,
            10: is_small[10] < self.threshold * root.area,
            11: before is not None and before.kind != "hr" and before not in self.divided,
        }.get(rule, True)

    def structure(self, owner: Block, pool: list[Block], hrs: list[Node], level: int) -> None:
        """Put the blocks of a part below their owner, in a tree."""
        found = {axis: separators(pool, axis, hrs) for axis in (1, 0)} if len(pool) > 1 and level < 64 else {}
        heaviest = {axis: max((weight for weight, _ in each), default=-1) for axis, each in found.items()}
        if not heaviest or max(heaviest.values()) < 0:
            owner.children += pool
            for block in pool:
                block.degree = max(block.degree, owner.degree)
            return
        axis = 1 if heaviest[1] >= heaviest[0] else 0
        weight = heaviest[axis]
        if level:
            inner = Block(None, max(owner.degree, 1, 10 - (weight + 1) // 2))
            owner.children.append(inner)
            owner = inner
        owner.weight = weight
        ordered = in_order(pool, axis)
        cuts = [place for each, place in found[axis] if each == weight]
        for first, last in zip([0, *cuts], [*cuts, len(ordered)], strict=True):
            part = ordered[first:last]
            self.structure(owner, [block for block in pool if block in part], hrs, level + 1)


def leaves(block: Block) -> list[Block]:
    """The innermost blocks in a block."""
    return [leaf for child in block.children for leaf in leaves(child)] if block.children else [block]


def lines(node: Node) -> list[Node]:
    """The lines below a node."""
    return [node] if node.kind == "hr" else [line for child in node.children for line in lines(child)]


def seen(block: Block) -> Pixels:
    """Left, top, right and bottom of what one sees of a block: its own box where that has a colour."""
    node = block.node
    assert node is not None
    box = around(node)
    if node.parent is not None and node.background != node.parent.background:
        box = (node.box[0], node.box[1], node.box[0] + node.box[2], node.box[1] + node.box[3])
    return round(box[0]), round(box[1]), round(box[2]), round(box[3])


def in_order(pool: list[Block], axis: int) -> list[Block]:
    """By where blocks begin and end on an axis (1: from the top down); sorting is stable."""
    return sorted(pool, key=lambda block: (seen(block)[axis], seen(block)[axis + 2]))


def separators(pool: list[Block], axis: int, hrs: list[Node]) -> list[tuple[int, int]]:
    """The weight of each separator, and which block in order is the first after it."""
    ordered = in_order(pool, axis)
    ends = [seen(block)[axis + 2] for block in ordered]
    places = [
        place for place in range(1, len(ordered)) if seen(ordered[place])[axis] >= max(ends[:place]) - 1
    ]
    found = []
    for before, place, after in zip([0, *places], places, [*places[1:], len(ordered)], strict=False):
        start = max(ends[:place])
        end = max(start, seen(ordered[place])[axis])
        above = [block for block in ordered[before:place] if seen(block)[axis + 2] >= start - 1]
        below = [b for b in ordered[place:after] if seen(b)[axis] <= seen(ordered[place])[axis] + 1]
        weight = _of_width(end - start) + 2 * (_colours(above) != _colours(below))
        if axis == 1:
            weight += 2 * any(start - 1 <= hr.box[1] and hr.box[1] + hr.box[3] <= end + 1 for hr in hrs)
            weight += _of_fonts(above, below)
        found.append((max(0, weight), place))
    return found


def _of_width(width: int) -> int:
    if width <= 8:
        return 1
    return 2 if width <= 15 else min(12, 4 + 2 * ((width - 16) // 10))


def _colours(blocks: list[Block]) -> set[int]:
    return {block.node.background for block in blocks if block.node}


def _of_fonts(above: list[Block], below: list[Block]) -> int:
    upper = [leaf.font for block in above for leaf in _texts(block)]
    lower = [leaf.font for block in below for leaf in _texts(block)]
    if not upper or not lower:
        return 0
    if upper[-1] != lower[0]:
        return 4 if upper[-1][0] < lower[0][0] else 2
    return -2 if all(block.is_final and _texts(block) for block in (*above, *below)) else 0


def _texts(block: Block) -> list[Node]:
    return [leaf for leaf in block.node.leaves if leaf.kind == "text"] if block.node else []
