"""What the elements of a tree hold, and the sums of their densities."""

from transforms.extractors.html.characters import Flags, Floats, Offsets
from transforms.extractors.tree._tree import Tree

def counted(tree: Tree, in_links: Flags) -> tuple[Offsets, Offsets, Offsets, Offsets]:
    """Count C, T, LC and LT of each element: see `densities.Counts`.

    Args:
        tree: the tree.
        in_links: bool (n,), links and what is in them.
    """

def density_sums(tree: Tree, densities: Floats, text_terms: Floats | None) -> Floats:
    """Sum up densities: see `densities.density_sums`."""
