"""Markdown of a page by other extractors; those that keep HTML have a converter write it.

`trafilatura` writes Markdown itself. `resiliparse` and `readability` keep HTML, which `markdownify`,
`html2text` or `html-to-markdown` converts, without links and images: `readability:html2text`.
"""

from __future__ import annotations

from collections.abc import Callable

PREFIX = "peer:"
Writer = Callable[[str], str]


def writer(name: str) -> Writer:
    """The function from a page to its Markdown; raises ValueError for an unknown name, ImportError."""
    extractor, _, converter = name.removeprefix(PREFIX).partition(":")
    if extractor == "trafilatura" and not converter:
        return _trafilatura()
    if extractor not in _HTML:
        raise ValueError(f"unknown peer {name!r}; there are: trafilatura, {', '.join(_HTML)}")
    if converter and converter not in _CONVERTERS:
        raise ValueError(f"unknown converter {converter!r}; there are: {', '.join(_CONVERTERS)}")
    html_of, markdown_of = _HTML[extractor](), _CONVERTERS[converter or "markdownify"]()
    return lambda page: markdown_of(html_of(page))


def _trafilatura() -> Writer:
    import trafilatura

    return lambda page: (
        trafilatura.extract(
            page,
            output_format="markdown",
            include_formatting=True,
            include_tables=True,
            include_comments=False,
        )
        or ""
    )


def _resiliparse() -> Writer:
    from resiliparse.extract.html2text import extract_plain_text

    return lambda page: str(extract_plain_text(page, main_content=True, preserve_formatting="minimal_html"))


def _readability() -> Writer:
    import readability

    return lambda page: str(readability.Document(page).summary(html_partial=True))


def _markdownify() -> Writer:
    import markdownify

    return lambda html: str(markdownify.markdownify(html, heading_style="ATX", strip=["a", "img"]))


def _html2text() -> Writer:
    import html2text

    def convert(html: str) -> str:
        converter = html2text.HTML2Text(bodywidth=0)
        converter.ignore_links = converter.ignore_images = True
        return str(converter.handle(html))

    return convert


def _html_to_markdown() -> Writer:
    import html_to_markdown

    chosen = html_to_markdown.ConversionOptions(skip_images=True)
    return lambda html: html_to_markdown.convert(html, chosen).content or ""


_HTML = {"resiliparse": _resiliparse, "readability": _readability}
_CONVERTERS = {
    "markdownify": _markdownify,
    "html2text": _html2text,
    "html-to-markdown": _html_to_markdown,
}
