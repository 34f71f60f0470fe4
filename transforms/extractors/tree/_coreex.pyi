"""CoreEx's counts and scores of a tree's elements."""

from typing import Protocol

from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.tree._tree import Tree

class WordCounts(Protocol):
    """The words and links of a tree: see `coreex.Counts`."""

    @property
    def page_text(self) -> int: ...
    @property
    def text(self) -> Offsets: ...
    @property
    def links(self) -> Offsets: ...
    @property
    def words(self) -> Offsets: ...

def counted(tree: Tree, words: Offsets, links: Flags, ignored: Flags) -> tuple[Offsets, Offsets, Offsets]:
    """Count `text`, `links` and `words` of `coreex.Counts`.

    Args:
        tree: the tree.
        words: int64 (t,), the words after each tag.
        links: bool (n,), the links; those in other links do not count.
        ignored: bool (n,), the elements that do not count, descendants included.
    """

def set_scores(tree: Tree, counts: WordCounts, members: Flags, text_weight: float) -> Floats:
    """Score the elements of the body; others have 0. float64 (n,), each in [0, 1].

    Args:
        tree: the tree.
        counts: its words and links.
        members: bool (n,), the elements that belong to the set S of their parent.
        text_weight: weight_text.
    """

def highest(tree: Tree, scores: Floats) -> int | None:
    """Find the element of the highest score: of equal ones the least deep, of these the first.

    Returns:
        The element; None where no score is above 0.
    """
