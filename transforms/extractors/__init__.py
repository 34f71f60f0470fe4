"""Main-content extraction: one file a method, named as the paper names it."""

from __future__ import annotations

from transforms.decode.given import utf8_of
from transforms.extractors import registry
from transforms.extractors.extraction import Block, Extraction, PageMetrics
from transforms.extractors.options import About
from transforms.extractors.plugins import extractor
from transforms.extractors.registry import names

__all__ = [
    "About",
    "Block",
    "Extraction",
    "PageMetrics",
    "extract",
    "extractor",
    "names",
]


def extract(
    html: bytes | str,
    extractor: str = registry.DEFAULT,
    url: str | None = None,  # noqa: ARG001 - part of the interface; line methods do not look at it
    **options: object,
) -> Extraction:
    """Extracts the main content of one page.

    Args:
        html: the page. Bytes are decoded as in the pipeline, without an HTTP header; in a string, lone
            surrogates become U+FFFD.
        extractor: one of `names()`.
        url: where the page is from; for methods that look at it.
        **options: the extractor's options.

    Returns:
        The extraction.

    Raises:
        ValueError: an unknown extractor, an unknown option, or a value that is not allowed.
    """
    method = registry.get(extractor)
    record = registry.parse_options(extractor, options)
    return registry.run(method, utf8_of(html), record)
