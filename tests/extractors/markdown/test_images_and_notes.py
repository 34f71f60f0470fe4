"""Images and footnotes of pages, where they are asked for, and what parsers read there."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options
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


NOTE = "<ol><li id=n1>Old ones. <a href='#r1'>↩</a></li></ol>"


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (f"<p>a<sup id=r1><a href='#n1'>1</a></sup> b</p>{NOTE}", "a[^1] b\n\n[^1]: Old ones."),
        (f"<p>a<sup>[<a href='#n1'>1</a>]</sup> b</p>{NOTE}", "a[^1] b\n\n[^1]: Old ones."),
        (f"<p>a<a href='#n1'><sup>*</sup></a> b</p>{NOTE}", "a[^1] b\n\n[^1]: Old ones."),
        (f"<p>a<a href='#n1' role=doc-noteref>1</a> b</p>{NOTE}", "a[^1] b\n\n[^1]: Old ones."),
        (f"<p><sup><a href='#n1'>1</a></sup>: b</p>{NOTE}", "[^1]\\: b\n\n[^1]: Old ones."),
        ("<p>a<sup><a href='#y'>1</a></sup><sup><a href='#x'>2</a></sup></p><p id=x>X</p>b<p id=y>Y</p>",
         "a[^1][^2]\n\nb\n\n[^1]: Y\n\n[^2]: X"),
        ("<p>a<sup><a href='#x'>1</a></sup> b<sup><a href='#x'>1</a></sup></p><p><a name=x></a>X</p>",
         "a[^1] b[^1]\n\n[^1]: X"),
        ("<p>a<sup id=r><a href='#x'>1</a></sup></p><p id=x><sup><a href='#r'>1</a></sup> X</p>",
         "a[^1]\n\n[^1]: X"),
        ("<p>a<sup><a href='#x'>1</a></sup></p><div id=x><p>X</p><p>Y</p></div><p>b</p>",
         "a[^1]\n\nb\n\n[^1]: X\n\n    Y"),
        ("<p>a <a href='#fn1'>[1]</a></p><p id=fn1><sup>1</sup> X</p>", "a [^1]\n\n[^1]: X"),
        ("<p>a<sup><a href='#x'>1</a></sup></p><div><sup id=x><a href='#r'>1</a></sup><p>X</p></div>",
         "a[^1]\n\n[^1]: X"),
        # What is no footnote: a way to a heading, to what stands before, to nothing, with words.
        ("<p>a<sup><a href='#x'>1</a></sup></p><h2 id=x>X</h2>", "a1\n\n## X"),
        ("<p id=x>X</p><p>a<sup><a href='#x'>1</a></sup></p>", "X\n\na1"),
        ("<p>a<sup><a href='#x'>1</a></sup></p>", "a1"),
        ("<p>a<sup><a href='#x'>see the pans</a></sup></p><p id=x>X</p>", "asee the pans\n\nX"),
        ("<p>a <a href='#x'>1</a></p><p id=x>X</p>", "a 1\n\nX"),
    ],
)  # fmt: skip
def test_footnotes_stand_at_the_end_on_request(html: str, written: str) -> None:
    assert markdown(html, footnotes="keep") == written


def test_a_reference_to_a_note_that_is_dropped_is_text() -> None:
    html = f"<p>a<sup><a href='#n1'>1</a></sup> b</p>{NOTE}"
    assert markdown(html, footnotes="keep", dropped=(1,)) == "a1 b"
    assert markdown(html) == "a1 b\n\n1. Old ones. ↩"


BODIES = st.sampled_from(
    ["two words", "<p>p</p><p>q</p>", "<ul><li>i</li></ul>", "<i>em</i> *", "[^1]: x", "1. x"]
)


@settings(max_examples=60)
@given(bodies=st.lists(BODIES, min_size=1, max_size=3), order=st.permutations(range(3)))
def test_a_parser_of_gfm_reads_each_footnote(bodies: list[str], order: list[int]) -> None:
    chosen = [number for number in order if number < len(bodies)]
    html = "".join(f"<p>a<sup><a href='#n{number}'>{number}</a></sup> b</p>" for number in chosen)
    html += "".join(f"<div id=n{number}>{body}</div>" for number, body in enumerate(bodies))
    written = markdown(html, footnotes="keep")
    made = github_flavored_markdown_to_html(written, Options.CMARK_OPT_FOOTNOTES)
    assert made.count('class="footnote-ref"') == len(bodies)
    assert len(re.findall(r'<li id="fn-?\d', made)) == len(bodies)
    assert "raw HTML omitted" not in made


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "html",
    [
        "<p>a" + "<sup><a href='#n'>1</a></sup>" * 10_000 + "<p id=n>b",
        "<p>a" + "<sup><a href='#n'>" * 10_000,
        "<p>a<sup><a href='#n'>1</a></sup>" + "<div id=n>" * 10_000 + "b",
        "<p>a" + "<img src=/x alt='[['>" * 10_000,
        "".join(f"<p>a<sup><a href='#n{n}'>1</a></sup><p id=n{n}>b" for n in range(5_000)),
    ],
)  # fmt: skip
def test_hostile_notes_and_images_are_written_in_no_time(html: str) -> None:
    assert markdown(html, images="keep", footnotes="keep").startswith("a")
