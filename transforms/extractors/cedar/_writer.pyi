from cedar.transforms.extractors.html.characters import Flags
from cedar.transforms.extractors.segments._page import SegmentedPage

def write(page: SegmentedPage, kept: Flags) -> tuple[bytes, int, int, float]: ...
