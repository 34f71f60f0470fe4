from cedar.transforms.extractors.html.characters import Bytes, Offsets
from cedar.transforms.extractors.tree._tree import Tree
from cedar.transforms.extractors.tree.crunch import CrunchSettings

KEPT: int
AD: int
LINK_LIST: int
TEXT_LINK: int
IMAGE_LINK: int
IMAGE: int
SWITCHED_OFF: int
EMPTY_TABLE: int

def with_alternatives(tree: Tree) -> Tree: ...
def taken(tree: Tree, marks: Offsets, walk: CrunchSettings) -> tuple[Bytes, Bytes]: ...
