"""A tree written as markup: all of it as XML, or what is kept of it as HTML."""

from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.tree._tree import Tree

def as_xml(tree: Tree) -> tuple[bytes, Offsets, Offsets]:
    """Write a tree as XML: UTF-8, no declaration, `>` at the end of tags alone.

    Returns:
        The XML, and where in it each tag starts and stops, int64 (t,) each, half-open.
    """

def as_html(tree: Tree, kept_elements: Flags, kept_text: Flags) -> str:
    """Write what is kept of a tree as HTML.

    Args:
        tree: the tree.
        kept_elements: bool (n,), the elements whose tags stay.
        kept_text: bool (t,), the tags after which the text stays.
    """
