"""How wide the texts of a tree are, and how many words they have."""

from numpy import float32
from numpy.typing import NDArray

from transforms.extractors.html.characters import Offsets
from transforms.extractors.tree._tree import Tree

def text_extents(tree: Tree) -> tuple[NDArray[float32], Offsets]:
    """Measure the texts after a tree's t tags, runs of blanks as one.

    A word is a run between blanks; Han and kana are a word each.

    Returns:
        Widths in em, float32 (t,): one em for a character from U+2E80 on, half of one for others; words,
        int64 (t,).
    """
