"""Kept blocks as Markdown; see `_document.pyx`."""

from typing import Any

from transforms.extractors.segments._page import SegmentedPage
from transforms.model.markdown_options import MarkdownOptions

def write(
    page: SegmentedPage, kept: Any, options: MarkdownOptions, url: str | None, shown: Any = None
) -> str:
    """Writes blocks of a page as Markdown.

    Args:
        page: a page of n blocks.
        kept: bool (n,), the blocks that stay.
        options: what is kept besides its text.
        url: where the page is from: it makes links absolute.
        shown: bool (e,), elements in which all formulas and images stay; else those whose neighbours do.

    Returns:
        CommonMark with tables and struck text of GFM, without a line feed at the end.
    """
