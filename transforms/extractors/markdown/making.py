"""Markdown of what a method kept: of its blocks, or of its HTML."""

from typing import TYPE_CHECKING

from cedar.transforms.model.markdown_options import MarkdownOptions

if TYPE_CHECKING:
    from cedar.transforms.extractors.extraction import Extraction


def markdown_of(found: "Extraction", options: MarkdownOptions, url: str | None) -> str | None:
    """Write what was kept of a page, that is from `url`, as CommonMark with tables and struck text of GFM.

    None if the extractor, or the one that stood in for it, keeps nothing but text.
    """
    return found.write_markdown(options, url)


def page_markdown(html: bytes, options: MarkdownOptions, url: str | None, *, drops_hidden: bool) -> str:
    """Write all of a page of valid UTF-8, or all but its head and what its markup hides, as Markdown."""
    # Here, where it is asked for: it takes a moment to import.
    import numpy as np

    from cedar.transforms.extractors.markdown._document import write
    from cedar.transforms.extractors.segments._page import SegmentedPage

    page = SegmentedPage(html, whole=True)
    shown = page.shown() if drops_hidden else np.ones(page.elements.count, bool)
    return write(page, shown[np.asarray(page.elements.nearest)], options, url, shown)
