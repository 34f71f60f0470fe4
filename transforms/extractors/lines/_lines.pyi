"""Lines, their characters and tags, and the text-to-tag ratio: see `_lines.pyx`."""

from transforms.extractors.html._tags import Tags
from transforms.extractors.html._text import Text
from transforms.extractors.html.characters import Floats, Offsets

class Lines:
    """The lines of a page; n of them, in order, all arrays int64 (n,) but `parts`.

    Attributes:
        text: the page's text.
        keep_blank: whether blank lines count, as empty ones.
        text_starts: where each line's text begins in `text.coded`.
        text_stops: where it ends; the byte there belongs to no line's text, unless the next line was broken
            off from this one. Less than `text_starts` for a line that lies inside of a tag.
        characters: x_i.
        tags: y_i.
        broken: first and one past the last of the lines that one overlong source line was broken into;
            they join with nothing between them. Both 0 if absent.
        parts: int64, the byte of the page where each of these lines starts, and where the last one stops.
    """

    text: Text
    keep_blank: bool
    broken: tuple[int, int]
    parts: Offsets
    @property
    def text_starts(self) -> Offsets: ...
    @property
    def text_stops(self) -> Offsets: ...
    @property
    def characters(self) -> Offsets: ...
    @property
    def tags(self) -> Offsets: ...
    def __len__(self) -> int: ...
    def ratios(self, characters: Offsets | None = None) -> Floats:
        """T_i = x_i / max(1, y_i), float64 (n,), with other characters, int64 (n,), if they are given."""

def read_lines(html: bytes, tags: Tags, *, keep_blank: bool) -> Lines:
    """Takes the text out of a page, finds its lines, and counts their characters and tags.

    Args:
        html: the page, valid UTF-8.
        tags: its tags.
        keep_blank: whether blank lines count, as empty ones.
    """

def differ(values: Floats) -> bool:
    """Whether two of the values, float64 (n,), are not the same."""
