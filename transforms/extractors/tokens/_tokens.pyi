"""Words among the tags of a page, and the stretch with the largest sum: see `_tokens.pyx`."""

from transforms.extractors.html._tags import Tags
from transforms.extractors.html._text import Text
from transforms.extractors.html.characters import Flags, Floats, Offsets

class Words:
    """The words of a page; w of them.

    Attributes:
        tokens: int64 (w,), which token each word is.
        starts: int64 (w,), first byte of each word in the text.
        stops: int64 (w,), byte after its last.
        blocks: int64 (w,), number of block-level tags before each word.
        fused: bool (w,), whether a word follows on the one before with nothing between them.
    """

    @property
    def tokens(self) -> Offsets: ...
    @property
    def starts(self) -> Offsets: ...
    @property
    def stops(self) -> Offsets: ...
    @property
    def blocks(self) -> Offsets: ...
    @property
    def fused(self) -> Flags: ...
    def __len__(self) -> int: ...

def words_of(text: Text) -> Words:
    """Finds the words of a page's text."""

def tag_lengths(html: bytes, tags: Tags) -> Offsets:
    """Number of code points of each tag of a page, int64 (t,)."""

def maximum_subsequence(values: Floats) -> tuple[int, int]:
    """The run of values whose sum is largest.

    Args:
        values: float64 (n,), whose partial sums are exact or the ties are not.

    Returns:
        The half-open range; of equal sums that with the earliest start, and then the earliest end. Empty if
        no sum is above 0.
    """
