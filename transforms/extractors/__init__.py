"""Main-content extraction: one file a method, named as the paper names it."""

from dataclasses import replace

from cedar.transforms.decode.given import check_url, utf8_of
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Block, Extraction, PageMetrics
from cedar.transforms.extractors.markdown.making import markdown_of
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.plugins import extractor
from cedar.transforms.extractors.registry import names
from cedar.transforms.model.markdown_options import MarkdownOptions

__all__ = ["About", "Block", "Extraction", "MarkdownOptions", "PageMetrics", "extract", "extractor", "names"]


def extract(
    html: bytes | bytearray | memoryview | str,
    extractor: str = registry.DEFAULT,
    url: str | None = None,
    *,
    markdown: MarkdownOptions | None = None,
    body_only: bool = False,
    **options: object,
) -> Extraction:
    """Extract the main content of one page.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
        extractor: one of `names()`.
        url: where the page is from: it makes the links of Markdown absolute.
        markdown: what Markdown keeps, where it is wanted: `cedar.MarkdownOptions()`.
        body_only: leave headline, comments and captions out: `title`, `comments`, `captions` are `drop`.
        **options: the extractor's options.

    Raises:
        ValueError: an unknown extractor, an unknown option, or a value that is not allowed; Markdown, or
            the body only, of a method that cannot write it.
        TypeError: an argument is of another type.
    """
    check_url(url)
    if not isinstance(body_only, bool):
        raise TypeError(f"body_only is True or False, not {body_only!r}")
    if not isinstance(markdown, MarkdownOptions | None):
        raise TypeError(f"markdown is a cedar.MarkdownOptions() or None, not {markdown!r}")
    method = registry.get(extractor)
    record = registry.parse_options(extractor, options, body_only=body_only)
    if markdown is None:
        return registry.run(method, utf8_of(html), record)
    registry.check_markdown(method)
    found = registry.run(method, utf8_of(html), record)
    return replace(found, markdown=markdown_of(found, markdown, url))
