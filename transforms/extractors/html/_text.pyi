"""The text of a page outside of its tags, and how it reads in the output: see `_text.pyx`."""

from transforms.extractors.html._tags import Tags
from transforms.extractors.html.characters import Bytes, Flags, Offsets

def count(text: bytes) -> int:
    """Number of code points in UTF-8."""

def rendered(text: bytes) -> str:
    """Renders UTF-8 text without tags as one line: references decoded, blanks collapsed, controls dropped."""

class Text:
    """A page's text outside of its tags, with a placeholder of one byte for each of these.

    Attributes:
        tags: the page's tags; t of them.
        coded: uint8 (m,), the text: every byte of a blank is a space, tags are a space or NUL; its last byte
            stands for the end of the page.
        placeholders: int64 (t,), where each tag's placeholder is in `coded`.
        link_chars: code points, not blanks, whose last `a` tag before them is a start tag.
        line_ends: number of line ends of the page, in tags and out of them; CR LF counts for one, and so does
            the end of the page, unless a line end is before it.
    """

    tags: Tags
    coded: Bytes
    placeholders: Offsets
    link_chars: int
    line_ends: int
    def lengths(self, starts: Offsets, stops: Offsets) -> Offsets:
        """Counts the code points, placeholders included, of ranges [start, stop) of `coded`. int64 (m,)."""

    def page_offsets(self, offsets: Offsets) -> Offsets:
        """Where bytes of `coded` that belong to no tag, int64 (m,), stand in the page; int64 (m,)."""

    def after_reference(self, offset: int) -> int:
        """The end of the character reference that `offset` of `coded` cuts in two; `offset` if none."""

    def line_texts(self, stops: Offsets) -> list[str]:
        """Renders the whole page, cut into lines; "" where nothing is visible.

        Args:
            stops: int64 (n,), ascending, where each line ends in `coded`; the byte there is no part of a
                line. A line begins after the one before.
        """

    def kept_text(self, starts: Offsets, stops: Offsets, kept: Flags) -> tuple[str, int]:
        """Renders the lines that are kept, as `line_texts` does, and nothing else.

        Args:
            starts: int64 (n,), where each line starts in `coded`.
            stops: int64 (n,), where it ends, as for `line_texts`.
            kept: bool (n,), the lines to render.

        Returns:
            The lines in which anything is visible, joined by line feeds; and their number of words.
        """

    def range_text(self, start: int, stop: int) -> str:
        """Renders the range [start, stop) of `coded` as one line."""

    def visible_chars(self, starts: Offsets, stops: Offsets) -> int:
        """Counts the code points of the whole page in the output, line feeds between its lines included.

        Args:
            starts: int64 (n,), where each line starts in `coded`.
            stops: int64 (n,), where it ends; lines that do not end after their start are of no account.
        """
