"""Removal of comments, scripts and styles: see `_source.pyx`."""

from transforms.extractors.html.characters import Offsets

class Source:
    """A page without what was removed from it.

    Attributes:
        original: the page as given, UTF-8.
        html: what is left.
        noted: the scripts of JSON-LD and of TeX that were removed: the bytes [start, stop) of each in
            `original`, and where it stood in `html`.
        kept: the half-open byte ranges of `original` that are left, in order, none empty.
    """

    original: bytes
    html: bytes
    noted: list[tuple[int, int, int]]
    @property
    def kept(self) -> tuple[tuple[int, int], ...]: ...
    def without(self, start: int, stop: int) -> Source:
        """The source without bytes [start, stop) of `html` too."""

    def original_offsets(self, offsets: Offsets) -> Offsets:
        """Where bytes of `html`, int64 (m,), each in [0, len(html)), stand in `original`; int64 (m,)."""

def remove_invisible(html: bytes, *, as_author: bool = False) -> Source:
    """Removes comments, scripts and styles from a page of UTF-8, or what CETR's author's program removes."""
