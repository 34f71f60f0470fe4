from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage

def keep_stated(page: SegmentedPage, scores: Offsets, kept: Flags, *, one_text: bool) -> None: ...
