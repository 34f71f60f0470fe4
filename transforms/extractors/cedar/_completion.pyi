from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage

def complete(page: SegmentedPage, scores: Offsets, chosen: Flags, *, one_text: bool) -> Flags: ...
