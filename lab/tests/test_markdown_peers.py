"""Markdown by others: who converts it, and what is said where a package is missing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from lab.markdown_peers import writer


class Html2Text:
    """What html2text has."""

    def __init__(self, bodywidth: int) -> None:
        self.ignore_links = self.ignore_images = bodywidth != 0

    def handle(self, html: str) -> str:
        return f"html2text {html} {self.ignore_links and self.ignore_images}"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("peer:readability", "markdownify <p>a"),
        ("peer:readability:html2text", "html2text <p>a True"),
        ("readability:html-to-markdown", "html-to-markdown <p>a"),
    ],
)
def test_what_keeps_html_has_a_converter_write_it(
    name: str, written: str, install: Callable[..., None]
) -> None:
    def summary(html_partial: bool) -> str:
        assert html_partial
        return "<p>a"

    install("readability", Document=lambda _: SimpleNamespace(summary=summary))
    install("markdownify", markdownify=lambda html, **_: f"markdownify {html}")
    install("html2text", HTML2Text=Html2Text)
    install(
        "html_to_markdown",
        ConversionOptions=lambda **_: None,
        convert=lambda html, _: SimpleNamespace(content=f"html-to-markdown {html}"),
    )
    assert writer(name)("<p>a<p>b") == written


def test_resiliparse_is_asked_for_html_of_the_main_content(install: Callable[..., None]) -> None:
    def extract_plain_text(page: str, **given: Any) -> str:
        return f"{page} {sorted(given.items())}"

    install("resiliparse.extract.html2text", extract_plain_text=extract_plain_text)
    install("markdownify", markdownify=lambda html, **_: html)
    assert writer("resiliparse")("é") == "é [('main_content', True), ('preserve_formatting', 'minimal_html')]"


def test_trafilatura_that_finds_nothing_gives_nothing(install: Callable[..., None]) -> None:
    install("trafilatura", extract=lambda *_, **given: given.get("x"))
    assert writer("peer:trafilatura")("a") == ""


@pytest.mark.parametrize("name", ["peer:justext", "readability:pandoc"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="there are"):
        writer(name)
