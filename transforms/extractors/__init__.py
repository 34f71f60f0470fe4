"""Main-content extraction: one file a method, named as the paper names it."""

from collections.abc import Mapping
from dataclasses import replace

from cedar.transforms.decode.given import check_url, looks_like_html, refuse_other_formats, utf8_of
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Block, Extraction, PageMetrics
from cedar.transforms.extractors.markdown.making import markdown_of
from cedar.transforms.extractors.options import About, Options
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
    """Extract the main content of one page, however long it takes; see `runtime.single_page.extract`."""
    record = checked_options(html, extractor, url, markdown=markdown, body_only=body_only, options=options)
    page = utf8_of(html)
    found = registry.run(registry.get(extractor), page, record)
    return completed(found, page, markdown, url=url)


def checked_options(
    html: object,
    extractor: str,
    url: str | None,
    *,
    markdown: MarkdownOptions | bool | None,
    body_only: bool,
    options: Mapping[str, object],
) -> Options:
    """Check the arguments of `extract`; return the options record. Raises ValueError or TypeError."""
    check_url(url)
    if not isinstance(body_only, bool):
        raise TypeError(f"body_only is True or False, not {body_only!r}")
    if not isinstance(markdown, MarkdownOptions | bool | None):
        raise TypeError(f"markdown is True or a cedar.MarkdownOptions(), not {markdown!r}")
    for option, instead in _ELSEWHERE.items():
        if option in options:
            raise ValueError(f"{extractor} has no option {option!r}: {instead}")
    refuse_other_formats(html)
    record = registry.parse_options(extractor, options, body_only=body_only)
    if markdown:
        registry.check_markdown(registry.get(extractor))
    return record


def completed(
    found: Extraction, page: bytes, markdown: MarkdownOptions | bool | None, *, url: str | None
) -> Extraction:
    """Return an extraction with its Markdown, if it is asked for; it says whether the page is HTML."""
    if not looks_like_html(page):
        found = replace(found, is_html=False)
    if not markdown:
        return found
    wanted = MarkdownOptions() if markdown is True else markdown
    return replace(found, markdown=markdown_of(found, wanted, url))
