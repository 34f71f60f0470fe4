"""Markdown of a whole page, for methods that keep all of it or return HTML."""

from cedar.transforms.model.markdown_options import MarkdownOptions


def page_markdown(html: bytes, options: MarkdownOptions, url: str | None, *, drops_hidden: bool) -> str:
    """Write all of a page of valid UTF-8, or all but its head and what its markup hides, as Markdown."""
    # Imported here because it takes a moment.
    import numpy as np

    from cedar.transforms.extractors.markdown._document import write
    from cedar.transforms.extractors.segments._page import SegmentedPage

    page = SegmentedPage(html, whole=True)
    shown = page.shown() if drops_hidden else np.ones(page.elements.count, bool)
    return write(page, shown[np.asarray(page.elements.nearest)], options, url, shown)
