from transforms.extractors.html.characters import Flags
from transforms.extractors.segments._page import SegmentedPage

def write(page: SegmentedPage, kept: Flags) -> tuple[bytes, int, int, float]: ...
