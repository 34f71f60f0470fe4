import numpy as np
from numpy.typing import NDArray

from transforms.extractors.tree._tree import Tree
from transforms.extractors.tree.crunch import CrunchSettings, Marked

KEPT: int
AD: int
LINK_LIST: int
TEXT_LINK: int
IMAGE_LINK: int
IMAGE: int
SWITCHED_OFF: int
EMPTY_TABLE: int

def with_alternatives(tree: Tree) -> Tree: ...
def taken(tree: Tree, marks: Marked, walk: CrunchSettings) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]: ...
