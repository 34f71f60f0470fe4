"""Main-content extraction: one file a method, named as the paper names it."""

from dataclasses import replace

from cedar.transforms.decode.given import check_url, refuse_other_formats, utf8_of
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Block, Extraction, PageMetrics
from cedar.transforms.extractors.markdown.making import markdown_of
from cedar.transforms.extractors.options import About
from cedar.transforms.extractors.plugins import extractor
from cedar.transforms.extractors.registry import names
from cedar.transforms.model.markdown_options import MarkdownOptions

__all__ = ["About", "Block", "Extraction", "MarkdownOptions", "PageMetrics", "extract", "extractor", "names"]

_ELSEWHERE = {
    "with_metadata": "call cedar.metadata(html, url=url)",
    "metadata": "call cedar.metadata(html, url=url)",
    "with_markdown": "write markdown=True",
    "with_html": "read .html of the result",
}
"""What options of the command are called here."""


def extract(
    html: bytes | bytearray | memoryview | str,
    extractor: str = registry.DEFAULT,
    url: str | None = None,
    *,
    markdown: MarkdownOptions | bool | None = None,
    body_only: bool = False,
    **options: object,
) -> Extraction:
    """Extract the main content of one page.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
        extractor: one of `names()`.
        url: where the page is from: it makes the links of Markdown absolute.
        markdown: True, or what Markdown keeps (`cedar.MarkdownOptions(links="keep")`), to write it, too.
        body_only: leave headline, comments and captions out: `title`, `comments`, `captions` are `drop`.
        **options: the extractor's options.

    Raises:
        ValueError: an unknown extractor, an unknown option, or a value that is not allowed; Markdown, or
            the body only, of an extractor that cannot write it; a page that begins as a PDF, a picture or an
            archive does.
        TypeError: an argument is of another type.
    """
    check_url(url)
    if not isinstance(body_only, bool):
        raise TypeError(f"body_only is True or False, not {body_only!r}")
    if not isinstance(markdown, MarkdownOptions | bool | None):
        raise TypeError(f"markdown is True or a cedar.MarkdownOptions(), not {markdown!r}")
    for option, instead in _ELSEWHERE.items():
        if option in options:
            raise ValueError(f"{extractor} has no option {option!r}: {instead}")
    refuse_other_formats(html)
    method = registry.get(extractor)
    record = registry.parse_options(extractor, options, body_only=body_only)
    if not markdown:
        return registry.run(method, utf8_of(html), record)
    wanted = MarkdownOptions() if markdown is True else markdown
    registry.check_markdown(method)
    found = registry.run(method, utf8_of(html), record)
    return replace(found, markdown=markdown_of(found, wanted, url))
