import re

from cedar.transforms.extractors.html.characters import Flags, Offsets
from cedar.transforms.extractors.segments._page import SegmentedPage

NAME: re.Pattern[bytes]

def drop_controls(page: SegmentedPage, scores: Offsets, kept: Flags) -> None: ...
def drop_furniture(page: SegmentedPage, scores: Offsets, kept: Flags) -> None: ...
def captions(page: SegmentedPage) -> Flags: ...
