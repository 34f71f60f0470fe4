from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage

def complete(page: SegmentedPage, scores: Offsets, chosen: Flags, *, one_text: bool) -> Flags: ...
