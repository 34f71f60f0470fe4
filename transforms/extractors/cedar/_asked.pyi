from cedar.transforms.extractors.html.characters import Flags
from cedar.transforms.extractors.segments._page import SegmentedPage

def do_as_asked(page: SegmentedPage, kept: Flags, options: object, *, apart: bool) -> None: ...
