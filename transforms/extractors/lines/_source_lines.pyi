"""Lines as they stand in the page as written: see `_source_lines.pyx`."""

from transforms.extractors.html.characters import Offsets
from transforms.extractors.lines._lines import Lines

SINGLE_LINE_SHARE: float
"""Share of the page's code points from which on one line is the page."""

def source_ranges(html: bytes, *, keep_blank: bool) -> tuple[Offsets, Offsets]:
    """Where the lines of a page are.

    Args:
        html: the page, UTF-8.
        keep_blank: whether blank lines count, as empty ones.

    Returns:
        First byte of each trimmed line, and the byte after its last. int64 (n,) each.
    """

def recount(html: bytes, lines: Lines) -> None:
    """Counts characters and tags of a page's lines, blank ones and all, as the author's program does."""

def single_line(html: bytes, lines: Lines) -> tuple[int, int, int] | None:
    """The line that is the page: which one, its first byte, trimmed, and the byte after its last.

    Returns:
        None if no line holds `SINGLE_LINE_SHARE` of the page's code points, or it is blank.
    """

def break_line(
    html: bytes, lines: Lines, single: tuple[int, int, int], *, width: int, before_text: bool
) -> Lines:
    """Breaks one line of a page.

    Args:
        html: the page.
        lines: its lines.
        single: which of them to break, as `single_line` says it.
        width: characters between breaks.
        before_text: whether a break inside of tags goes after all that have nothing between them.

    Returns:
        All lines, with the parts in the place of the line; as they are if it is too short to be broken.
    """
