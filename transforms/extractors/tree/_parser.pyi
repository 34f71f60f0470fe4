"""The nodes of libxml2, read through the C interface that lxml offers."""

from typing import Any

from transforms.extractors.tree._tree import Tree

COMPILED_VERSION: tuple[int, int, int]
"""The libxml2 whose headers this module was compiled with."""

def tree_of_nodes(root: Any, max_depth: int, keep_hidden: bool) -> Tree:
    """Make the tree of what is seen in an element, by one walk over its nodes.

    Args:
        root: an `lxml.etree._Element`.
        max_depth: see `TreeBuilder`.
        keep_hidden: see `TreeBuilder`.

    Raises:
        TooDeepError: more elements than `max_depth` are open somewhere.
    """
