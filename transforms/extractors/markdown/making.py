"""Markdown of what a method kept: of its blocks, or of its HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transforms.model.markdown_options import MarkdownOptions

if TYPE_CHECKING:
    from transforms.extractors.extraction import Extraction


def markdown_of(found: Extraction, options: MarkdownOptions, url: str | None) -> str | None:
    """Write what was kept of a page as Markdown.

    Args:
        found: what a method made of the page.
        options: what is kept beside the text.
        url: where the page is from: it makes links absolute.

    Returns:
        CommonMark with tables and struck text of GFM; None where the method, or the one that stood in for it,
        keeps nothing but text.
    """
    if found.make_markdown is not None:
        return found.make_markdown(options, url)
    html = found.html
    if html is None:
        return None
    # Here, where it is asked for: it takes a moment to import.
    import numpy as np

    from transforms.extractors.cedar._page import SegmentedPage
    from transforms.extractors.markdown._document import write

    page = SegmentedPage(html.encode())
    return write(page, np.ones(page.blocks.count, bool), options, url)
