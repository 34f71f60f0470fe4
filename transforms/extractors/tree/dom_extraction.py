"""From a decision about a tree's elements to an extraction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Annotated, Literal, TypeVar

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.extraction import Block, Extraction, PageMetrics
from transforms.extractors.html import characters
from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.html.tag_names import key
from transforms.extractors.html.tags import lex
from transforms.extractors.html.title import title
from transforms.extractors.lines.smoothing import Floats
from transforms.extractors.options import About
from transforms.extractors.tree.dom import Tree, read_tree, visible_source
from transforms.extractors.tree.dom_text import TreeText, tree_text
from transforms.model.caps import DEFAULT_CAPS, Caps

_VOID_NAMES = """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr
"""
_VOID = np.array(sorted(map(key, _VOID_NAMES.split())), np.uint64)
_TITLE = re.compile(rb"<[Tt][Ii][Tt][Ll][Ee](?=[\t\n\f\r />])")
_TITLE_END = re.compile(rb"</[Tt][Ii][Tt][Ll][Ee](?=[\t\n\f\r />])")


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """How a page becomes a tree."""

    hidden: Annotated[
        Literal["remove", "keep"],
        About("elements with a hidden attribute, or display: none in their style attribute"),
    ] = "remove"


_Options = TypeVar("_Options", bound=TreeOptions)


@dataclass(frozen=True, slots=True)
class TreeDecision:
    """What a method decided about the n elements of a page and the text after its t tags.

    Attributes:
        kept_elements: bool (n,), the elements whose tags stay.
        kept_text: bool (t,), the tags after which the text stays.
        scores: float64, the number each element (n,) or text (t,) was judged by. A block's score is that of
            its innermost block-level element, or of its first text.
        threshold: the threshold that was applied, or None.
        of_texts: whether `scores` are those of texts.
    """

    kept_elements: Flags
    kept_text: Flags
    scores: Floats
    threshold: float | None
    of_texts: bool = False


def subtree_decision(tree: Tree, element: int | None, scores: Floats) -> TreeDecision:
    """The decision that one element of the body stays with all that is in it, in its ancestors' tags.

    Args:
        tree: the tree.
        element: the element; None if nothing stays.
        scores: float64 (n,), the number each element was judged by.
    """
    kept = np.zeros(tree.size, bool)
    kept_text = np.zeros(tree.starts.size, bool)
    if element is not None:
        kept[element : tree.ends[element]] = True
        kept[: element + 1] |= tree.ends[: element + 1] > element
        kept_text[tree.opens[element] : tree.closes[element]] = True
    return TreeDecision(kept, kept_text, scores, None)


def text_decision(
    tree: Tree, text: TreeText, kept_text: Flags, scores: Floats, threshold: float | None
) -> TreeDecision:
    """The decision that texts of the body stay, in the tags of the elements in which they stand.

    Elements without text stay where the texts before and after them do.

    Args:
        tree: the tree.
        text: its text.
        kept_text: bool (t,), the tags after which the text stays.
        scores: float64 (t,), the number each text was judged by.
        threshold: the threshold that was applied, or None.
    """
    kept_text = kept_text & tree.body_text
    some = text.chars > 0
    stays = some & kept_text
    kept = tree.text_sums(stays) > 0
    places = np.flatnonzero(some)
    if places.size:
        before = places.searchsorted(tree.opens) - 1
        between = (before >= 0) & (before + 1 < places.size) & (tree.text_sums(some) == 0)
        kept |= between & stays[places[before]] & stays.take(places.take(before + 1, mode="clip"))
    return TreeDecision(kept, kept_text, scores, threshold, of_texts=True)


def extract_from_tree(
    html: bytes,
    decide: Callable[[Tree, TreeText, _Options], TreeDecision],
    options: _Options,
    caps: Caps = DEFAULT_CAPS,
) -> Extraction:
    """Extracts from a page with a method that decides about its tree.

    Args:
        html: the page, valid UTF-8.
        decide: the method.
        options: its options.
        caps: bounds of the tree.

    Raises:
        TreeLimitError: the page cannot be parsed whole.
    """
    source = visible_source(html)
    tree = read_tree(source, caps, keep_hidden=options.hidden == "keep")
    text = tree_text(tree)
    return extraction(html, source, tree, text, decide(tree, text, options))


def extraction(html: bytes, source: bytes, tree: Tree, text: TreeText, decision: TreeDecision) -> Extraction:
    """The extraction that follows from a decision.

    A block of which one part stays and another goes counts as two.

    Args:
        html: the page as given.
        source: what `visible_source` left of it.
        tree: its tree.
        text: the text of that.
        decision: the decision.
    """
    joined = text.joined(decision.kept_text)
    kept = joined.decode()
    visible = tree.body_text
    visible_chars = text.count(visible)
    content_lines, other_lines = _lines(text.blocks, text.chars, *tree.body_tags, decision.kept_text)
    in_links = visible & tree.covered(tree.named("a"))[tree.inside]
    metrics = PageMetrics(
        html_chars=characters.count(html),
        text_chars=len(kept),
        words=_words(joined),
        lines=content_lines + other_lines,
        content_lines=content_lines,
        tags=tree.size,
        link_chars=text.solid_chars(in_links),
        tag_ratio_mean=None,
        tag_ratio_std=None,
        threshold=decision.threshold,
        content_ratio=len(kept) / visible_chars if visible_chars else 0.0,
    )
    return Extraction(
        kept,
        _title(source),
        partial(_html, tree, decision),
        metrics,
        partial(_blocks, tree, text, decision),
    )


def _title(source: bytes) -> str | None:
    """The page's title as all methods find it; most often what precedes the first `</title` has it."""
    end = _TITLE_END.search(source)
    found = _title_in(source[: end.end() + 1]) if end else None
    return _title_in(source) if found is None and _TITLE.search(source) else found


def _title_in(source: bytes) -> str | None:
    found = lex(source)
    return title(source, found)


@compiled
def _words(joined: bytes) -> int:
    """How many words lines hold that have single blanks between them."""
    return joined.count(b" ") + joined.count(b"\n") + 1 if joined else 0


@compiled
def _lines(blocks: Offsets, chars: Offsets, first: int, last: int, kept_text: Flags) -> tuple[int, int]:
    """In how many blocks some text of the tags [first, last) is kept, and in how many some is not."""
    some = chars[first:last] > 0
    kept = some & kept_text[first:last]
    return _distinct(blocks[first:last][kept]), _distinct(blocks[first:last][some & ~kept])


def _distinct(ascending: Offsets) -> int:
    return int(np.count_nonzero(np.diff(ascending))) + (ascending.size > 0)


def _html(tree: Tree, decision: TreeDecision) -> str:
    """The tags and the text that stay."""
    size = tree.starts.size
    elements = np.empty(size, np.int64)
    elements[tree.opens] = elements[tree.closes] = np.arange(tree.size)
    stays = np.empty(2 * size, bool)
    stays[0::2] = decision.kept_elements[elements]
    stays[1::2] = decision.kept_text
    bounds = np.empty(2 * size + 1, np.int64)
    bounds[0:-1:2] = tree.starts
    bounds[1::2] = tree.stops
    bounds[-1] = len(tree.xml)
    edges = bounds[np.flatnonzero(np.diff(stays, prepend=False, append=False))].tolist()

    # XML's <div/> is <div></div> in HTML.
    empty = np.flatnonzero((tree.opens == tree.closes) & decision.kept_elements)
    keys = tree.names.keys[tree.opens[empty]]
    empty = empty[_VOID[np.minimum(_VOID.searchsorted(keys), _VOID.size - 1)] != keys]
    slashes = iter((tree.stops[tree.opens[empty]] - 2).tolist())
    names = map(tree.name, empty.tolist())
    pieces = []
    slash = next(slashes, -1)
    for first, stop in zip(edges[0::2], edges[1::2], strict=True):
        start = first
        while start <= slash < stop:
            pieces += [tree.xml[start:slash], f"></{next(names)}>".encode()]
            start = slash + 2
            slash = next(slashes, -1)
        pieces.append(tree.xml[start:stop])
    return b"".join(pieces).decode()


def _blocks(tree: Tree, text: TreeText, decision: TreeDecision) -> tuple[Block, ...]:
    paths = Paths(tree)
    parts = tree.names.block_level
    found = []
    for kept in (True, False):
        chosen = tree.body_text & (decision.kept_text == kept)
        tags = np.flatnonzero(chosen & (text.chars > 0))
        _, first = np.unique(text.blocks[tags], return_index=True)
        for line, tag in zip(text.lines(chosen), tags[first].tolist(), strict=True):
            element = int(tree.inside[tag])
            while not parts[tree.opens[element]]:
                element = int(tree.parents[element])
            score = float(decision.scores[tag if decision.of_texts else element])
            found.append((tag, Block(line.decode(), kept, score, None, None, paths.path(element))))
    return tuple(block for _, block in sorted(found, key=itemgetter(0)))


class Paths:
    """Paths of a tree's elements, as XPath writes them: an index where siblings share a name."""

    def __init__(self, tree: Tree) -> None:
        self._names = [tree.name(element) for element in range(tree.size)]
        self._parents = tree.parents.tolist()
        siblings = list(zip(self._parents, self._names, strict=True))
        self._of_name = Counter(siblings)
        seen: Counter[tuple[int, str]] = Counter()
        self._places = []
        for sibling in siblings:
            seen[sibling] += 1
            self._places.append(seen[sibling])
        self._known = {-1: ""}

    def path(self, element: int) -> str:
        """The path of an element."""
        way = []
        while element not in self._known:
            way.append(element)
            element = self._parents[element]
        for below in reversed(way):
            name = self._names[below]
            index = f"[{self._places[below]}]" if self._of_name[self._parents[below], name] > 1 else ""
            self._known[below] = f"{self._known[self._parents[below]]}/{name}{index}"
            element = below
        return self._known[element]
