"""Where in a tree the content is, by sums of densities (Sun, Song, Liao, SIGIR 2011, section 4)."""

from transforms.extractors.html.characters import Flags, Floats
from transforms.extractors.tree._tree import Tree

TOLERANCE: float
"""Densities and sums that differ by less, relatively, are equal."""

def mark_content(
    tree: Tree, density: Floats, sums: Floats, threshold_factor: float
) -> tuple[Flags, float | None]:
    """Find the content of a page.

    Args:
        tree: the tree; only its body is looked at.
        density: of its elements, float64 (n,).
        sums: their DensitySums, float64 (n,).
        threshold_factor: lambda.

    Returns:
        The elements that are content, bool (n,), descendants of content included, and the threshold; None
        for a tree without elements.
    """

def kept(tree: Tree, content: Flags, path_text: bool) -> tuple[Flags, Flags]:
    """Mark what stays: content, and the ancestors around it.

    Args:
        tree: the tree.
        content: bool (n,), the content, descendants included.
        path_text: whether text stays that stands directly in the ancestors of content.

    Returns:
        The elements of which the tags stay, bool (n,), and the tags after which the text does, bool (t,).
    """
