"""Markdown by others: who converts it, and what is said where a package is missing."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from cedar.transforms.scoring.contest import Contestant
from cedar.transforms.scoring.peers import MARKDOWN


class Html2Text:
    """What html2text has."""

    def __init__(self, bodywidth: int) -> None:
        self.ignore_links = self.ignore_images = bodywidth != 0

    def handle(self, html: str) -> str:
        return f"html2text {html} {self.ignore_links and self.ignore_images}"


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ("{}", "markdownify <p>a"),
        ('{"converter":"html2text"}', "html2text <p>a True"),
        ('{"converter":"html-to-markdown"}', "html-to-markdown <p>a"),
    ],
)
def test_what_keeps_html_has_a_converter_write_it(
    options: str, written: str, install: Callable[..., None]
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
    assert MARKDOWN.bind("peer:readability", options)(b"<p>a<p>b").text == written


def test_resiliparse_is_asked_for_html_of_the_main_content(install: Callable[..., None]) -> None:
    def extract_plain_text(page: str, **given: Any) -> str:
        return f"{page} {sorted(given.items())}"

    install("resiliparse.extract.html2text", extract_plain_text=extract_plain_text)
    install("markdownify", markdownify=lambda html, **_: html)
    found = MARKDOWN.bind("peer:resiliparse", "{}")("é".encode()).text
    assert found == "é [('main_content', True), ('preserve_formatting', 'minimal_html')]"


def test_trafilatura_that_finds_nothing_gives_nothing(install: Callable[..., None]) -> None:
    install("trafilatura", extract=lambda *_, **given: given.get("x"))
    assert MARKDOWN.bind("peer:trafilatura", "{}")(b"a").text == ""


def test_a_missing_package_or_converter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "html2text" else name)
    assert MARKDOWN.is_installed("peer:readability")
    with pytest.raises(ValueError, match="peer:readability needs html2text, which is not installed: pip ins"):
        Contestant.of("r", "peer:readability", (("converter", "html2text"),), writes_markdown=True)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert not any(map(MARKDOWN.is_installed, MARKDOWN.names()))


def test_options_of_peers_are_checked(install: Callable[..., None]) -> None:
    install("readability")
    with pytest.raises(ValueError, match="converter must be markdownify, html2text or html-to-markdown"):
        MARKDOWN.parse_options("peer:readability", {"converter": "pandoc"})
