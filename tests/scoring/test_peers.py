"""Extractors by others: called as they want to be, and missed with a word on how to get them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cedar.transforms.scoring import peers

PAGE = "<p>é</p>".encode()


def text(name: str, options: str = "{}") -> str:
    return peers.bind(name, options)(PAGE).text


def test_a_missing_package_is_named_alone_so_that_cedar_is_not_installed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    for peer in peers.PEERS:
        with pytest.raises(ValueError, match=f"pip install {' '.join(peer.packages)}$"):
            peers.parse_options(peers.PREFIX + peer.name, {})


def test_an_unknown_peer_is_refused_with_a_list() -> None:
    with pytest.raises(ValueError, match="unknown peer 'peer:x'; there are: peer:resiliparse, "):
        peers.get("peer:x")


def test_modes_of_trafilatura(install: Callable[..., None]) -> None:
    calls: list[dict[str, Any]] = []

    def extract(page: str, **options: Any) -> str | None:
        calls.append(options)
        return None

    install("trafilatura", extract=extract)
    for mode in ("default", "fast", "precision", "recall"):
        assert text("peer:trafilatura", f'{{"mode":"{mode}"}}') == ""
    found = [{key for key in call if key != "include_comments"} for call in calls]
    assert found == [set(), {"fast"}, {"favor_precision"}, {"favor_recall"}]
    with pytest.raises(ValueError, match="mode must be default, fast, precision or recall"):
        peers.parse_options("peer:trafilatura", {"mode": "best"})


def test_resiliparse_is_asked_for_main_content(install: Callable[..., None]) -> None:
    def extract_plain_text(page: str, *, main_content: bool, **_: Any) -> str:
        return f"{page} {main_content}"

    install("resiliparse.extract.html2text", extract_plain_text=extract_plain_text)
    assert text("peer:resiliparse") == "<p>é</p> True"


def test_words_of_neighbours_in_what_readability_gives_are_not_fused(install: Callable[..., None]) -> None:
    class Document:
        def __init__(self, page: str) -> None:
            self.page = page

        def summary(self, *, html_partial: bool) -> str:
            return f"<div>{self.page}<p><a>b</a><a>c</a>d<br>e</p></div>"

    install("readability", Document=Document)
    assert text("peer:readability") == "é\nb\nc\nd\ne"


def test_justext_keeps_what_is_no_boilerplate(install: Callable[..., None]) -> None:
    class Paragraph:
        def __init__(self, text: str, is_boilerplate: bool) -> None:
            self.text, self.is_boilerplate = text, is_boilerplate

    def justext(page: str, words: frozenset[str], **options: Any) -> list[Paragraph]:
        return [Paragraph(page, False), Paragraph("nav", True), Paragraph(",".join(words), False)]

    install("justext", justext=justext, get_stoplist=lambda language: frozenset({language}))
    assert text("peer:justext") == "<p>é</p>\nEnglish"
    assert text("peer:justext", '{"language":"any"}') == "<p>é</p>\n"
