"""`cedar.extract`: what it takes besides a page, and what it refuses by saying what to write instead."""

from __future__ import annotations

import pickle

import pytest

from cedar.transforms.extractors import MarkdownOptions, extract
from cedar.transforms.extractors.segments._blocks import MAX_BLOCKS
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


def test_a_page_of_more_blocks_than_are_read_says_so() -> None:
    words = "<p>some words of text here"
    whole, cut = extract(words * MAX_BLOCKS), extract(words * (MAX_BLOCKS * 2))
    assert (whole.truncated, cut.truncated) == (False, True)
    assert whole.metrics.content_ratio == pytest.approx(1.0)
    assert cut.metrics.content_ratio == pytest.approx(0.5)
    assert pickle.loads(pickle.dumps(cut)).truncated
