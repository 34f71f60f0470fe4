"""`cedar.extract`: what it takes besides a page, and what it refuses by saying what to write instead."""

from __future__ import annotations

import json
import pickle
import re

import pytest

from cedar import MarkdownOptions, extract
from cedar.transforms.extractors.extraction import GivenExtraction
from cedar.transforms.extractors.segments import _blocks
from cedar.transforms.metadata import metadata

PAGE = "<h1>The mill</h1>" + "<p>The tide mill turned again on Saturday, for the first time in years.</p>" * 5


@pytest.mark.parametrize("head", [b"%PDF-1.4 ", b"\x89PNG\r\n", b"PK\x03\x04", b"\x1f\x8b\x08", b"GIF89a"])
def test_a_page_of_another_format_is_refused(head: bytes) -> None:
    for page in (head + b"x" * 99, bytearray(head), memoryview(head)):
        with pytest.raises(ValueError, match="PDF"):
            extract(page)
        with pytest.raises(ValueError, match="PDF"):
            metadata(page)


def test_a_string_of_another_format_is_refused_and_a_text_about_one_is_not() -> None:
    with pytest.raises(ValueError, match="PDF"):
        extract("%PDF-1.7 " + "x" * 99)
    assert extract(f"<p>%PDF-1.7 is how a PDF begins.{PAGE}").text


def test_markdown_may_be_asked_for_by_true() -> None:
    assert extract(PAGE, markdown=True).markdown == extract(PAGE, markdown=MarkdownOptions()).markdown
    assert extract(PAGE, markdown=False).markdown is None
    with pytest.raises(TypeError, match="markdown is True or"):
        extract(PAGE, markdown="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("option", "instead"),
    [("with_metadata", "cedar.metadata"), ("with_markdown", "markdown=True"), ("with_html", ".html")],
)
def test_options_of_the_command_are_named_as_they_are_called_here(option: str, instead: str) -> None:
    with pytest.raises(ValueError, match=instead):
        extract(PAGE, **{option: True})  # type: ignore[arg-type]


def test_a_page_of_more_blocks_than_are_read_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_blocks, "MAX_BLOCKS", 5000)
    words = "<p>some words of text here"
    whole, cut = extract(words * 5000), extract(words * 10_000)
    assert (whole.truncated, cut.truncated) == (False, True)
    assert whole.metrics.content_ratio == pytest.approx(1.0)
    assert cut.metrics.content_ratio == pytest.approx(0.5, abs=1e-4)
    assert pickle.loads(pickle.dumps(cut)).truncated


@pytest.mark.parametrize(
    ("page", "is_html"),
    [
        (PAGE, True),
        ("<!DOCTYPE html><p>words", True),
        ("\n <article><p>words</p></article>", True),
        ("<span>words</span>", True),
        ('{"body": "<p>words</p>"}', False),
        ('<rss version="2.0"><channel><title>words</title></channel></rss>', False),
        ('<?xml version="1.0"?><feed><title>words</title></feed>', False),
        ("some words", False),
        ("", False),
    ],
)
def test_a_result_says_whether_the_page_is_html(page: str, is_html: bool) -> None:
    assert extract(page).is_html is is_html
    assert extract(page.encode(), "cetd-ds").is_html is is_html


def test_a_result_is_a_dict_that_json_takes() -> None:
    told = json.loads(json.dumps(extract(PAGE, markdown=True).to_dict()))
    assert told["text"].startswith("The mill\nThe tide mill")
    assert told["markdown"].startswith("# The mill")
    assert told["metrics"]["lines"] == 6
    assert (told["fallback"], told["truncated"], told["is_html"]) == (None, False, True)


def test_a_notebook_shows_the_text_and_folds_what_was_dropped() -> None:
    page = f"<title>T & <b></title><nav><ul><li><a href=/>Home &lt;script&gt;</a></li></ul></nav>{PAGE}"
    shown = extract(page)._repr_html_()
    kept, folded = (
        shown.replace(re.findall("<details>.*?</details>", shown)[0], ""),
        re.findall("<details>(.*?)</details>", shown),
    )
    assert "The tide mill turned" in kept
    assert "T &amp; &lt;b&gt;" in kept
    assert len(folded) == 1
    assert "1 block dropped" in folded[0]
    assert "Home &lt;script&gt;" in folded[0]
    assert "<script" not in shown


@pytest.mark.parametrize(
    "words", ["<p>A sentence of a page & more.", "<p>A sentence.<ul><li><a href=/>x</a></ul>"]
)
def test_what_a_notebook_shows_of_a_long_page_is_under_100_kb(words: str) -> None:
    shown = extract(words * 20_000)._repr_html_()
    assert 50_000 < len(shown.encode()) <= 100_000
    assert "more blocks are not shown" in shown
    assert shown.endswith("</div>")


def test_a_notebook_shows_the_text_of_an_extraction_without_blocks() -> None:
    found = GivenExtraction("one <line>\nanother", None, extract(PAGE).metrics)
    assert "one &lt;line&gt;</p>" in found._repr_html_()
