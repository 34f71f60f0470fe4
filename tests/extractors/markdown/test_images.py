"""Images of pages, where they are asked for, and what parsers read there."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cedar import MarkdownOptions
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.segments._page import SegmentedPage

PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
URL = "https://salt.example/pans/"


def markdown(html: str, dropped: tuple[int, ...] = (), **options: str) -> str:
    """The Markdown of a page without some of its blocks."""
    page = SegmentedPage(html.encode())
    kept = np.ones(page.blocks.count, bool)
    kept[list(dropped)] = False
    return write(page, kept, MarkdownOptions.of(options.items()), URL)


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<p>a <img src=/1.png alt='A [pan]'> b</p>", "a ![A [pan]](https://salt.example/1.png) b"),
        ("<p>a</p><img src=1.png><p>b</p>", "a\n\n![](https://salt.example/pans/1.png)\n\nb"),
        ("<p>a <img src='data:x' data-src=/1.png></p>", "a ![](https://salt.example/1.png)"),
        ("<p>a <img srcset='/1.png 1x, /2.png 2x'></p>", "a ![](https://salt.example/1.png)"),
        ("<p>a <img src='javascript:x()'> <img src=/1.png width=1> b</p>", "a b"),
        ("<p>a <img src=/1.png alt='*a* [b](c) $1'></p>", "a ![\\*a\\* \\[b\\](c) \\$1](https://salt.example/1.png)"),
        ("<p>a <a href=/b><img src=/1.png alt=a></a></p>", "a ![a](https://salt.example/1.png)"),
        ("<p>a</p><a href=/b><img src=/1.png alt=a></a><p>b</p>",
         "a\n\n![a](https://salt.example/1.png)\n\nb"),
        ("<h2>a <img src=/1.png></h2>", "## a ![](https://salt.example/1.png)"),
        ("<table><tr><th>a<th>b<tr><td><img src='/a|b' alt='c|d'><td>e</table>",
         "| a | b |\n| --- | --- |\n| ![c\\|d](https://salt.example/a%7Cb) | e |"),
        ("<pre>a <img src=/1.png> b</pre>", "```\na  b\n```"),
    ],
)  # fmt: skip
def test_images_are_there_on_request(html: str, written: str) -> None:
    assert markdown(html, images="keep") == written


@pytest.mark.parametrize(
    "figure",
    [
        "<figure><img src=/1.png><figcaption>Pan</figcaption></figure>",
        "<figure><figcaption><p>Pan</p></figcaption><img src=/1.png></figure>",
        "<div><img src=/1.png><p class=wp-caption-text>Pan</p></div>",
    ],
)
def test_an_image_stays_without_its_caption(figure: str) -> None:
    html = f"<p>a</p>{figure}<p>b</p>"
    assert markdown(html, dropped=(1,), images="keep") == "a\n\n![](https://salt.example/1.png)\n\nb"
    assert markdown(html, dropped=(1, 2), images="keep") == "a"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<p>a</p><a href=/b><img src=/1.png alt=c></a><p>b</p>",
         "a\n\n[![c](https://salt.example/1.png)](https://salt.example/b)\n\nb"),
        ("<p>a <a href=/b><img src=/1.png alt=c></a> b</p>",
         "a [![c](https://salt.example/1.png)](https://salt.example/b) b"),
        ("<p>a <a href=/b><img src=/1.png alt='c]'></a> b</p>",
         "a [![c\\]](https://salt.example/1.png)](https://salt.example/b) b"),
    ],
)  # fmt: skip
def test_images_keep_the_link_around_them(html: str, written: str) -> None:
    assert markdown(html, images="keep", links="keep") == written


def test_an_image_between_blocks_stays_with_them() -> None:
    html = "<div><p>a</p><p>b</p><img src=/1.png></div><div><p>c</p></div>"
    assert "![]" in markdown(html, images="keep")
    assert "![]" not in markdown(html, images="keep", dropped=(1,))


def test_an_image_in_a_link_is_a_link_with_links() -> None:
    html = "<p>a <a href=/b><img src=/1.png alt=a></a></p>"
    kept = "a [![a](https://salt.example/1.png)](https://salt.example/b)"
    assert markdown(html, images="keep", links="keep") == kept


@settings(max_examples=100)
@given(st.lists(st.sampled_from([*"ab[]()!*_`$|~\\ ", "](", "<b>", "&amp;"]), max_size=12).map("".join))
def test_the_description_of_an_image_is_read_as_its_words(described: str) -> None:
    alt = described.replace("&", "&amp;").replace("<", "&lt;").replace("'", "")
    written = markdown(f"<p>a <img src=/1.png alt='{alt}'> b</p>", images="keep")
    (tokens,) = (token.children or [] for token in PARSER.parse(written) if token.type == "inline")
    assert [token.type for token in tokens] == ["text", "image", "text"]
    letters = re.sub(r"[\s\[\]()]", "", described)
    assert re.sub(r"[\s\[\]()]", "", tokens[1].content) == letters or "\\" in tokens[1].content


@pytest.mark.timeout(20)
def test_hostile_images_are_written_in_no_time() -> None:
    assert markdown("<p>a" + "<img src=/x alt='[['>" * 10_000, images="keep").startswith("a")


def test_a_footnote_is_text_where_the_page_has_it() -> None:
    html = "<p>a<sup><a href='#n1'>1</a></sup> b</p><ol><li id=n1>Old ones. <a href='#r1'>↩</a></li></ol>"
    assert markdown(html) == "a1 b\n\n1. Old ones."


@pytest.mark.parametrize(
    ("base", "written"),
    [
        ("https://b.example/c/", "[a](https://b.example/c/d)"),
        ("https://b.example/" + "c/" * 1000, "[a](https://b.example/d)"),
        ("https://" + "b" * 3000 + ".example/", "a"),
        ("//b.example/" + "c" * 3000, "[a](https://b.example/d)"),
        ("https://[b/", "[a](https://salt.example/pans/d)"),
    ],
)
def test_a_base_that_is_too_long_counts_by_its_origin(base: str, written: str) -> None:
    assert markdown(f"<base href='{base}'><p><a href=d>a</a></p>", links="keep") == written
