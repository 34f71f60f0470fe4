from cedar.transforms.extractors.html._tags import Tags
from cedar.transforms.extractors.html._text import Text
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets

class Words:
    tokens: Offsets
    starts: Offsets
    stops: Offsets
    blocks: Offsets
    fused: Flags
    def __len__(self) -> int: ...

def words_of(text: Text) -> Words: ...
def tag_lengths(html: bytes, tags: Tags) -> Offsets: ...
def maximum_subsequence(values: Floats) -> tuple[int, int]: ...
