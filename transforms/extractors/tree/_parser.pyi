from typing import Any

from cedar.transforms.extractors.tree._tree import Tree

COMPILED_VERSION: tuple[int, int, int]

def tree_of_nodes(root: Any, max_depth: int, keep_hidden: bool) -> Tree: ...
