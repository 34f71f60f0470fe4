"""The formulas of a well-formed document, and which of them stay; to hold the compiled finders against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

SAID = (
    "data-latex",
    "data-tex",
    "data-expr",
    "data-math",
    "data-formula",
    "data-equation",
    "data-katex",
    "alttext",
)
"""Attributes that say a formula, the first that is there."""

WRAPPERS = frozenset({"katex", "katex-display", "MathJax", "MathJax_Display", "mwe-math-element"})
DISPLAYED = frozenset({"katex-display", "MathJax_Display"})


@dataclass(frozen=True)
class Element:
    """An element, and what is in it: elements and texts."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    inner: Sequence[Element | str] = ()

    @property
    def classes(self) -> frozenset[str]:
        return frozenset(self.attributes.get("class", "").split())

    @property
    def tags(self) -> int:
        """How many tags it is written with."""
        inner = sum(each.tags for each in self.inner if isinstance(each, Element))
        return inner + (1 if self.name == "img" else 2)

    def all(self) -> Iterator[Element]:
        """Itself and all elements in it, in order."""
        yield self
        for each in self.inner:
            if isinstance(each, Element):
                yield from each.all()


@dataclass(frozen=True)
class Found:
    """A formula: the tags [first, last] that it reaches over, what it says, and whether it stands apart."""

    first: int
    last: int
    tex: str
    is_display: bool


def html(nodes: Sequence[Element | str]) -> str:
    return "".join(escape(node, quote=False) if isinstance(node, str) else _element(node) for node in nodes)


def _element(node: Element) -> str:
    said = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    return f"<{node.name}{said}>" + (f"{html(node.inner)}</{node.name}>" if node.name != "img" else "")


def formulas(nodes: Sequence[Element | str], before: int = 0) -> list[Found]:
    """The formulas of nodes, the first of whose tags has the number `before`; none is in another."""
    found = []
    for node in nodes:
        if isinstance(node, str):
            continue
        tex = formula(node)
        if tex is not None:
            found.append(Found(before, before + node.tags - 1, tex, is_display(node)))
        else:
            found += formulas(node.inner, before + 1)
        before += node.tags
    return found


def formula(node: Element) -> str | None:
    """What an element says, if it is a formula."""
    if node.name == "img":
        return (
            node.attributes["alt"] if "latex" in node.classes or node.attributes["alt"][:1] == "\\" else None
        )
    says = any(name in node.attributes for name in SAID[:-1]) and "alttext" not in node.attributes
    if not (
        node.name in ("math", "mjx-container")
        or (node.name in ("span", "div", "p") and (node.classes & WRAPPERS or says))
    ):
        return None
    annotations = [str(each.inner[0]) for each in node.all() if each.name == "annotation"]
    said = [each.attributes[name] for each in node.all() for name in SAID if name in each.attributes]
    mathml = [signs(each) for each in node.all() if each.name == "math"][:1]
    return next((source for source in [*reversed(annotations), *said, *mathml] if source), None)


def signs(math: Element) -> str:
    """MathML of nothing but identifiers."""
    return " ".join(str(each.inner[0]) for each in math.all() if each.name == "mi")


def is_display(node: Element) -> bool:
    """Whether a formula stands apart: it, or what is in it, says so."""
    if node.name == "img":
        return bool(node.classes & DISPLAYED)
    return any(
        each.attributes.get("display") in ("block", "true") or bool(each.classes & DISPLAYED)
        for each in node.all()
    )


@dataclass(frozen=True)
class Block:
    """A block: its tags [first, last), and after how many of the page's tags its words stand."""

    first: int
    last: int
    words: frozenset[int]

    def is_within(self, found: Found) -> bool:
        """Whether it has no word but in a formula."""
        return all(found.first < gap <= found.last for gap in self.words)


@dataclass(frozen=True)
class Around:
    """An element: its tags [open, close), and the blocks in it."""

    tags: range
    blocks: range


def place(found: Found, blocks: Sequence[Block], elements: Sequence[Around], kept: Sequence[bool]) -> str:
    """Where a formula stays: "in 3" is block 3, "before 3" before it, and "" nowhere."""
    home = max((number for number, block in enumerate(blocks) if block.first <= found.first), default=-1)
    rendered = [number for number, block in enumerate(blocks) if found.first < block.first <= found.last]
    after = max([home, *rendered]) + 1
    stays = any(kept[number] for number in rendered)
    before = home
    if home >= 0 and found.first < blocks[home].last:
        if kept[home]:
            return f"in {home}"
        if not stays and not blocks[home].is_within(found):
            return ""
        before = home - 1
    return f"before {after}" if stays or _has_kept_neighbours(found, (before, after), elements, kept) else ""


def _has_kept_neighbours(
    found: Found, beside: tuple[int, int], elements: Sequence[Around], kept: Sequence[bool]
) -> bool:
    """Whether of two blocks those stay that are in the innermost element around a formula that has one."""
    for element in reversed([each for each in elements if found.first in each.tags]):
        own = [number for number in beside if number in element.blocks]
        if own:
            return all(kept[number] for number in own)
    return False
