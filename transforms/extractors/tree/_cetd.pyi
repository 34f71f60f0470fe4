from cedar.transforms.extractors.html.characters import Flags, Floats
from cedar.transforms.extractors.tree._tree import Tree

TOLERANCE: float

def mark_content(
    tree: Tree, density: Floats, sums: Floats, threshold_factor: float
) -> tuple[Flags, float | None]: ...
