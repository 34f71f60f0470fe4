"""The text of a tree as it reads in the output, and how much of it there is.

Shrunk text has no control characters, and a space for each run of blanks. Block-level elements, `br` among
them, part words and lines; others leave nothing in the text.
"""

from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.tree._tree import Tree

def joined(tree: Tree, kept: Flags) -> bytes:
    """Write the blocks of part of a tree's text, as they read in the output.

    Where a part of a block goes, a space parts what stays.

    Args:
        tree: the tree.
        kept: bool (t,), the tags after which the text stays.

    Returns:
        UTF-8, a line for each block of which some text stays, in order.
    """

def count(tree: Tree, kept: Flags) -> int:
    """Count the code points that `joined` would write, line feeds included.

    Args:
        tree: the tree.
        kept: bool (t,), as in `joined`; of each block all or nothing.
    """

def solid_chars(tree: Tree, kept: Flags) -> int:
    """Count the code points, blanks left out, of the text after the tags marked in `kept`, bool (t,)."""

def words(tree: Tree) -> Offsets:
    """Count the words, runs between blanks, after each tag. int64 (t,)."""

def block_counts(tree: Tree, kept: Flags) -> tuple[int, int]:
    """Count the blocks of the body of which some text is kept, and those of which some is not.

    Args:
        tree: the tree.
        kept: bool (t,), the tags after which the text stays.
    """
