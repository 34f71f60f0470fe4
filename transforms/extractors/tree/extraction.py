"""From a decision about a tree's elements to an extraction."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Annotated, Generic, Literal, TypeVar

import numpy as np

from cedar.transforms.extractors.extraction import Block, Extraction, PageMetrics
from cedar.transforms.extractors.html._source import Source
from cedar.transforms.extractors.html._text import count as count_characters
from cedar.transforms.extractors.html._text import count_words
from cedar.transforms.extractors.html.characters import Flags, Floats
from cedar.transforms.extractors.html.title import title
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.tree._markup import as_html
from cedar.transforms.extractors.tree._tree import block_counts, count, joined, solid_chars
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """How a page becomes a tree."""

    hidden: Annotated[
        Literal["remove", "keep"],
        About("elements with a hidden attribute, or display: none in their style attribute"),
    ] = "remove"

    def tree(self, source: Source) -> Tree:
        """Parse a page that `visible_source` gave; raise TreeLimitError where it cannot be parsed whole."""
        return read_tree(source, keep_hidden=self.hidden == "keep")


_Options = TypeVar("_Options", bound=TreeOptions)


@dataclass(frozen=True, slots=True)
class TreeDecision:
    """What a method decided about the n elements of a page and the text after its t tags.

    `kept_elements`, bool (n,), are those whose tags stay, `kept_text`, bool (t,), the tags after which the
    text stays. `scores`, float64, are the numbers that elements (n,), or texts (t,) with `of_texts`, were
    judged by; a block's score is its innermost block-level element's, or its first text's. `sums`,
    float64 (n,), are the DensitySums of elements, if the decision looked at them.
    """

    kept_elements: Flags
    kept_text: Flags
    scores: Floats
    threshold: float | None
    of_texts: bool = False
    sums: Floats | None = None


def subtree_decision(tree: Tree, element: int | None, scores: Floats) -> TreeDecision:
    """Return the decision that one element, if any, stays with all that is in it, in its ancestors' tags."""
    kept = np.zeros(tree.size, bool)
    kept_text = np.zeros(tree.tags, bool)
    if element is not None:
        kept[element : tree.ends[element]] = True
        kept[: element + 1] |= tree.ends[: element + 1] > element
        kept_text[tree.opens[element] : tree.closes[element]] = True
    return TreeDecision(kept, kept_text, scores, None)


def text_decision(tree: Tree, kept_text: Flags, scores: Floats, *, threshold: float | None) -> TreeDecision:
    """Return the decision that texts of the body stay, in the tags of the elements in which they stand.

    Elements without text stay where the texts before and after them do. Flags and scores are (t,).
    """
    kept_text = kept_text & tree.body_text
    some = tree.chars > 0
    stays = some & kept_text
    kept = tree.text_sums(stays) > 0
    places = np.flatnonzero(some)
    if places.size:
        before = places.searchsorted(tree.opens) - 1
        between = (before >= 0) & (before + 1 < places.size) & (tree.text_sums(some) == 0)
        kept |= between & stays[places[before]] & stays.take(places.take(before + 1, mode="clip"))
    return TreeDecision(kept, kept_text, scores, threshold, of_texts=True)


@dataclass(frozen=True, slots=True)
class TreeMethod(Generic[_Options]):
    """A method of a function, which it decorates, that decides about the tree of a page."""

    decide: Callable[[Tree, _Options], TreeDecision]

    def __call__(self, html: bytes, options: _Options) -> Extraction:
        """Extract from a page of valid UTF-8; raise TreeLimitError where it cannot be parsed whole."""
        source = visible_source(html)
        tree = options.tree(source)
        return extraction(html, source, tree, decision=self.decide(tree, options))


def extraction(html: bytes, source: Source, tree: Tree, *, decision: TreeDecision) -> Extraction:
    """Return the extraction that follows from a decision; `source` is what `visible_source` left of `html`.

    A block with a part that stays and a part that goes counts as two.
    """
    lines = joined(tree, decision.kept_text)
    kept = lines.decode()
    visible = tree.body_text
    visible_chars = count(tree, visible)
    content_lines, other_lines = block_counts(tree, decision.kept_text)
    in_links = visible & tree.covered(tree.named("a"))[tree.inside]
    metrics = PageMetrics(
        html_chars=count_characters(html),
        text_chars=len(kept),
        words=count_words(lines),
        lines=content_lines + other_lines,
        content_lines=content_lines,
        tags=tree.size,
        link_chars=solid_chars(tree, in_links),
        threshold=decision.threshold,
        content_ratio=len(kept) / visible_chars if visible_chars else 0.0,
    )
    return TreeExtraction(kept, title(source.html, source.tags), metrics, tree=tree, decision=decision)


@dataclass(slots=True, eq=False)
class TreeExtraction(Extraction):
    """The elements and texts of a tree that a decision keeps."""

    tree: Tree = field(kw_only=True, repr=False)
    decision: TreeDecision = field(kw_only=True, repr=False)

    @property
    def html(self) -> str:
        """The kept elements and texts as HTML."""
        return as_html(self.tree, self.decision.kept_elements, self.decision.kept_text)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The texts of block-level elements; one of which only a part stays counts as two."""
        tree, decision = self.tree, self.decision
        paths = Paths(tree)
        found = []
        for kept in (True, False):
            chosen = tree.body_text & (decision.kept_text == kept)
            tags = np.flatnonzero(chosen & (tree.chars > 0))
            _, first = np.unique(tree.blocks[tags], return_index=True)
            for line, tag in zip(joined(tree, chosen).splitlines(), tags[first].tolist(), strict=True):
                element = int(tree.inside[tag])
                while not tree.block_level[element]:
                    element = int(tree.parents[element])
                score = float(decision.scores[tag if decision.of_texts else element])
                around = int(tree.parents[element])
                cues = () if decision.sums is None else (("DensitySum", float(decision.sums[around])),)
                found.append((tag, Block(line.decode(), kept, score, path=paths.path(element), cues=cues)))
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
        """Return the path of an element."""
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
