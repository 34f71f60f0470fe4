"""What a page's structure is, read from Markdown by a parser of CommonMark, and how two structures agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from cedar.transforms.scoring.metrics import bag_overlap, edit_distance

if TYPE_CHECKING:
    from markdown_it.token import Token


AXES = ("text", "head", "level", "item", "table", "teds", "code", "lang", "quote", "math")
"""What is measured, in the order of the tables."""

_WORD = re.compile(
    r"[\u2e80-\u2fff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|[^\W\u2e80-\u2fff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_MATH = re.compile(
    r"(?<!\\)\$\$([^$]{1,10000})\$\$|(?<![\\$\w])\$(?![\s$])([^$\n]{1,10000})(?<![\s\\])\$(?![\d$])"
)
_LOOSE = re.compile(r"\\(?:displaystyle|left|right|[,;!:]|quad)(?![A-Za-z])|\s|[.,]$")
_ITEM_CHARS = 80
_MAX_HEADS = 60
_MAX_NODES = 160
_MAX_CHARS = 20_000

Grid = tuple[tuple[str, ...], ...]


@dataclass(slots=True)
class Structure:
    """The structure of a page: words in lower case, quoted ones in `quotes`, and its parts in their order.

    Headings have a level and a text, list items a depth, a kind and a beginning, tables the texts of their
    cells, blocks of code a language and a text; formulas are without blanks.
    """

    words: list[str] = field(default_factory=list)
    heads: list[tuple[int, str]] = field(default_factory=list)
    items: list[tuple[int, str, str]] = field(default_factory=list)
    tables: list[Grid] = field(default_factory=list)
    code: list[tuple[str, str]] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    math: list[str] = field(default_factory=list)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; each Han and kana character is one."""
    return _WORD.findall(text.lower())


def structure_of(markdown: str) -> Structure:
    """Read the structure of a page from its Markdown (CommonMark, with the tables of GFM)."""
    from markdown_it import MarkdownIt

    found = Structure()
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(markdown)
    lists: list[str] = []
    quotes = 0
    rows: list[list[str]] = []
    heading = ""
    begins_item = False
    for token in tokens:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            lists.append("ol" if kind[0] == "o" else "ul")
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif kind == "list_item_open":
            begins_item = True
        elif kind in ("blockquote_open", "blockquote_close"):
            quotes += 1 if kind.endswith("open") else -1
        elif kind in ("heading_open", "heading_close"):
            heading = token.tag if kind.endswith("open") else ""
        elif kind == "tr_open":
            rows.append([])
        elif kind == "table_close":
            found.tables.append(tuple(map(tuple, rows)))
            rows = []
        elif kind in ("fence", "code_block", "inline"):
            text = _visible(token) if kind == "inline" else token.content
            found.words += words_of(text)
            if quotes:
                found.quotes += words_of(text)
            if kind != "inline":
                language = token.info.split()[0].lower() if token.info.strip() else ""
                found.code.append((language, "\n".join(map(str.rstrip, text.strip("\n").split("\n")))))
                continue
            said = " ".join(words_of(text))
            if heading and said:
                found.heads.append((int(heading[1]), said))
            if rows:
                rows[-1].append(said)
            if lists and begins_item:
                found.items.append((len(lists), lists[-1], said[:_ITEM_CHARS]))
                begins_item = False
            found.math += _formulas(token)
    return found


def _visible(token: Token) -> str:
    """Return the text that a line shows."""
    return "".join(
        "\n" if inner.type in ("softbreak", "hardbreak") else inner.content for inner in token.children or ()
    )


def _formulas(token: Token) -> list[str]:
    """Return the formulas of a paragraph, as it is written, but for those in code."""
    written = token.content
    for inner in token.children or ():
        if inner.type == "code_inline":
            written = written.replace(inner.content, " ", 1)
    found = (next(filter(None, match.groups())) for match in _MATH.finditer(written))
    return [
        tex for each in found if (tex := _LOOSE.sub("", each.strip())) and not re.fullmatch(r"[\d.,]+", tex)
    ]


def agreements(gold: Structure, found: Structure) -> dict[str, float | None]:
    """Measure how a structure agrees with gold: for each of `AXES` in [0, 1], None without gold."""
    return {
        "text": f1(gold.words, found.words),
        "head": f1([text for _, text in gold.heads], [text for _, text in found.heads]),
        "level": _levels(gold.heads, found.heads),
        "item": f1(gold.items, found.items),
        "table": f1(_relations(gold.tables), _relations(found.tables)),
        "teds": _teds(gold.tables, found.tables),
        "code": _alike(_joined(gold.code), _joined(found.code)) if gold.code else None,
        "lang": _languages(gold.code, found.code),
        "quote": f1(gold.quotes, found.quotes),
        "math": _alike("\n".join(gold.math), "\n".join(found.math)) if gold.math else None,
    }


def f1(gold: Sequence[Hashable], found: Sequence[Hashable]) -> float | None:
    """F1 of two multisets; None without gold."""
    if not gold:
        return None
    return 2 * bag_overlap(gold, found) / (len(gold) + len(found))


def _levels(gold: Sequence[tuple[int, str]], found: Sequence[tuple[int, str]]) -> float | None:
    """Of pairs of common headings, the share whose levels are in the same order."""
    levels = {text: level for level, text in reversed(found)}
    both = [(level, levels[text]) for level, text in gold if text in levels][:_MAX_HEADS]
    pairs = [(_order(a[0], b[0]), _order(a[1], b[1])) for i, a in enumerate(both) for b in both[i + 1 :]]
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else None


def _order(one: int, other: int) -> int:
    return (one > other) - (one < other)


def _relations(tables: Iterable[Grid]) -> list[tuple[str, str, str]]:
    """Neighbours of cells that are not empty, to the right and below (ICDAR 2013, table competition)."""
    found = []
    for rows in tables:
        width = max(map(len, rows), default=0)
        columns = [[row[place] if place < len(row) else "" for row in rows] for place in range(width)]
        for name, lines in (("right", rows), ("below", columns)):
            for line in lines:
                filled = [cell for cell in line if cell]
                found += [(one, other, name) for one, other in pairwise(filled)]
    return found


def _teds(gold: Sequence[Grid], found: Sequence[Grid]) -> float | None:
    """Take the mean of 1 - distance / nodes over tables (Zhong et al. 2020), matched by words; or None."""
    if not gold:
        return None
    left = [(_tree(table), Counter(" ".join(map(" ".join, table)).split())) for table in found]
    total = 0.0
    for table in gold:
        words = Counter(" ".join(map(" ".join, table)).split())
        tree = _tree(table)
        if tree.size > _MAX_NODES:
            return None
        best = max(left, key=lambda each: sum((words & each[1]).values()), default=None)
        if best is not None and best[0].size <= _MAX_NODES:
            total += 1 - tree_distance(tree, best[0]) / max(tree.size, best[0].size)
            left.remove(best)
    return total / max(len(gold), len(found))


def _tree(table: Grid) -> OrderedTree:
    rows = tuple(OrderedTree("tr", "", tuple(OrderedTree("td", cell) for cell in row)) for row in table)
    return OrderedTree("table", "", rows)


def _joined(code: Iterable[tuple[str, str]]) -> str:
    return "\n".join(text for _, text in code)


def _alike(gold: str, found: str) -> float:
    """1 - edits / length of the longer."""
    gold, found = gold[:_MAX_CHARS], found[:_MAX_CHARS]
    return 1 - edit_distance(gold, found) / max(len(gold), len(found), 1)


def _languages(gold: Sequence[tuple[str, str]], found: Sequence[tuple[str, str]]) -> float | None:
    """Of blocks of code with a language, the share that is there with the same one."""
    named = [(language, " ".join(words_of(text))) for language, text in gold if language]
    known = {" ".join(words_of(text)): language for language, text in found}
    return sum(known.get(text) == language for language, text in named) / len(named) if named else None


@dataclass(frozen=True, slots=True)
class OrderedTree:
    """A node of a name, its text, and the nodes under it; `size` is their number with itself.

    Nodes of two names are as far apart as a node and none, two texts as their edits over the longer's length.
    """

    name: str
    text: str = ""
    inner: tuple[OrderedTree, ...] = ()
    size: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(tree.size for tree in self.inner))

    def nodes(self) -> Iterator[OrderedTree]:
        """Yield the nodes, each after those under it."""
        for tree in self.inner:
            yield from tree.nodes()
        yield self


def tree_distance(one: OrderedTree, other: OrderedTree) -> float:
    """Find the least cost of nodes put in and out, 1 each, and of changes that make one tree the other."""
    ours, theirs = list(one.nodes()), list(other.nodes())

    @cache
    def distance(start: int, stop: int, other_start: int, other_stop: int) -> float:
        """Of two forests, each a range of nodes: what becomes of their last nodes decides."""
        if start == stop or other_start == other_stop:
            return stop - start + other_stop - other_start
        left, right = ours[stop - 1], theirs[other_stop - 1]
        first, other_first = stop - left.size, other_stop - right.size
        below = distance(first, stop - 1, other_first, other_stop - 1)
        return min(
            distance(start, stop - 1, other_start, other_stop) + 1,
            distance(start, stop, other_start, other_stop - 1) + 1,
            distance(start, first, other_start, other_first) + (below + _change(left, right)),
        )

    return distance(0, one.size, 0, other.size)


def _change(one: OrderedTree, other: OrderedTree) -> float:
    if one.name != other.name:
        return 1.0
    if one.text == other.text:
        return 0.0
    return edit_distance(one.text, other.text) / max(len(one.text), len(other.text))
