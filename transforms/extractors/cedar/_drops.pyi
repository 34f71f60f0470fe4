import re

from transforms.extractors.html.characters import Flags, Offsets
from transforms.extractors.segments._page import SegmentedPage

NAME: re.Pattern[bytes]

def drop_furniture(page: SegmentedPage, scores: Offsets, kept: Flags) -> None: ...
def captions(page: SegmentedPage) -> Flags: ...
