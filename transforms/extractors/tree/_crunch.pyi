"""Crunch's walk over a tree, and the tree with alternative texts in it."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.tree._tree import Tree

KEPT: int
AD: int
LINK_LIST: int
TEXT_LINK: int
IMAGE_LINK: int
IMAGE: int
SWITCHED_OFF: int
EMPTY_TABLE: int

class Marks(Protocol):
    """What is asked of the n elements of a tree: see `crunch.Marked`."""

    @property
    def ads(self) -> Flags: ...
    @property
    def links(self) -> Flags: ...
    @property
    def image_links(self) -> Flags: ...
    @property
    def images(self) -> Flags: ...
    @property
    def switched_off(self) -> Flags: ...
    @property
    def lists(self) -> Flags: ...
    @property
    def tables(self) -> Flags: ...
    @property
    def substance(self) -> Flags: ...

class Walk(Protocol):
    """What a walk does: see `crunch.CrunchSettings`."""

    @property
    def list_image_links(self) -> bool: ...
    @property
    def list_text_links(self) -> bool: ...
    @property
    def text_links(self) -> bool: ...
    @property
    def image_links(self) -> bool: ...
    @property
    def image_alts(self) -> bool: ...
    @property
    def least_substance(self) -> int: ...

def with_alternatives(tree: Tree) -> Tree:
    """Copy a tree, with the alternative text of each image, where it is not blank, as text in it."""

def raw_chars(tree: Tree) -> Offsets:
    """Count the code points of the texts after a tree's tags, blanks as they are. int64 (t,)."""

def taken(tree: Tree, marks: Marks, walk: Walk) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Go through a tree once, from the top down; the first filter that applies acts.

    Returns:
        Which filter took each element, uint8 (n,), and each text, uint8 (t,): `KEPT` or another of these
        numbers.
    """
