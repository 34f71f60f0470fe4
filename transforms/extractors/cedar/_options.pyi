from cedar.transforms.extractors.html.characters import Flags
from cedar.transforms.extractors.segments._page import SegmentedPage

def apply_options(page: SegmentedPage, kept: Flags, options: object, *, apart: bool) -> None: ...
