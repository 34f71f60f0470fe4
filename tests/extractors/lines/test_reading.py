"""Removal, tags, lines and rendering: the fast reading against the plain one, and what each rule says."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.html._source import lex, remove_invisible
from cedar.transforms.extractors.html._tags import QUOTE_LIMIT, key
from cedar.transforms.extractors.html._text import count, rendered
from cedar.transforms.extractors.lines._lines import read_lines
from cedar.transforms.extractors.lines.document import Decision, LineExtraction, LineOptions, read_document
from tests.extractors.samples import pieces, single_lines
from tests.oracles import line_methods as reference

DEFAULT = LineOptions()


def visible(page: str) -> str:
    return remove_invisible(page.encode()).html.decode()


def tags(page: str) -> list[str]:
    html = page.encode()
    found = lex(html)
    return [html[a:b].decode() for a, b in zip(found.starts.tolist(), found.stops.tolist(), strict=True)]


def ratios(page: str, **options: object) -> list[float]:
    return [block.score for block in extract(page, "keep-all", **options).blocks]


def utf8(page: str) -> str:
    return page.encode(errors="replace").decode()


@given(pieces)
@settings(max_examples=200)
def test_removal_is_that_of_the_reference(page: str) -> None:
    page = utf8(page)
    assert visible(page) == "".join(page[i] for i in reference.visible(page))


@pytest.mark.parametrize(
    ("page", "left"),
    [
        ("<title>The <script> tag</title><p>a<script>b</script>c", "<title>The <script> tag</title><p>ac"),
        ("<title>The <b>, <i> and <style> tags</title>a", "<title>The <b>, <i> and <style> tags</title>a"),
        ("<TITLE>Arrows <!-- here</Title>a<!-- b -->c", "<TITLE>Arrows <!-- here</Title>ac"),
        ("<title>a<script>b</script></title>c", "<title>a</title>c"),
        ("<title>The <script> a</p>", "<title>The "),  # it does not end
        ("<textarea>a <!-- b</textarea>c", "<textarea>a <!-- b</textarea>c"),
        ("<p data-x='<script>'>a", "<p data-x='<script>'>a"),
        ("<a href='?q=<!--'>a</a>b<!-- c -->d", "<a href='?q=<!--'>a</a>bd"),
        ("<a href='?q=<!-- b -->'>a</a>", "<a href='?q=<!-- b -->'>a</a>"),
        ("<textarea><b><script>a</b></textarea>c", "<textarea><b><script>a</b></textarea>c"),
        ("<title>a<!-- b -->c<style>d</title>e", "<title>ac<style>d</title>e"),
        (
            "<title>a</title><p b='</title>'>c<script>d</title></script>e",
            "<title>a</title><p b='</title>'>ce",
        ),
        ("<a b='<script>c</script>d", "<a b='d"),  # the value does not end
        ("a <b <script>c</script>d", "a <b d"),
    ],
)
def test_scripts_and_comments_open_in_no_title_text_area_or_value(page: str, left: str) -> None:
    assert visible(page) == left


@pytest.mark.parametrize(
    ("page", "left"),
    [
        ('a<p>b<a class="c" href="https://d.example/e', "a<p>b"),
        ("a<img src='data:image/png;base64," + 9000 * "A", "a"),
        ("a</p", "a"),
        ("a<b c='>", "a<b c='>"),
        ("5 < 6", "5 < 6"),
        ("a<!-- b", "a"),
    ],
)
def test_a_tag_that_the_end_of_the_page_cuts_is_no_text(page: str, left: str) -> None:
    assert visible(page) == left


@pytest.mark.parametrize("quote", "\"'")
@pytest.mark.parametrize(
    "inside", ["<script>", "<style>a{}</style>", "<!-- ", "<textarea>", "<title>", "<SCRIPT a/>"]
)
def test_what_stands_in_a_value_neither_goes_nor_is_a_tag(inside: str, quote: str) -> None:
    for tag in (
        f"<img alt={quote}> {inside} {quote}>",
        f"<img alt = {quote}{inside}> {5000 * 'x'}{quote} />",
    ):
        page = f"<p>a{tag}b<script>c</script>d</p>"
        source = remove_invisible(page.encode())
        assert source.html.decode() == f"<p>a{tag}bd</p>"
        is_long = "textarea" in inside or "title" in inside  # the quote of a value without code closes early
        assert source.tags.count == 3 or (is_long and 5000 * "x" in tag)
        assert extract(page, "keep-all").text == "abd" or is_long


@pytest.mark.parametrize(
    ("page", "left", "text"),
    [
        # The next quote opens another value: the one before was forgotten.
        ('<a b="c>d</a><script e="f">g</script>h', '<a b="c>d</a>h', "dh"),
        ('<a b="c>d</a><script>e = "f"</script>h<i j="k">l', '<a b="c>d</a>h<i j="k">l', "dhl"),
        ('<a b="c>d</a><!-- e="f" -->g', '<a b="c>d</a>g', "dg"),
        ("<a b='c>d</a><style>e['f']{}</style>g", "<a b='c>d</a>g", "dg"),
        # A script or a style ends a tag that has no end; a comment is part of it.
        ("<a b <script>c</script>d", "<a b d", "d"),
        ("<a b='c <style>d</style>e", "<a b='c e", "e"),
        ("<! <script>a</script>b", "<! b", "b"),
        ("<a <!-- b -->c", "<a <!-- b -->c", "c"),
    ],
)
def test_a_value_without_its_quote_hides_no_script(page: str, left: str, text: str) -> None:
    assert visible(page) == left
    assert extract(page, "keep-all").text == text


@given(pieces)
@settings(max_examples=200)
def test_tags_are_those_of_the_reference(page: str) -> None:
    page = utf8(page)
    assert tags(page) == [page[slice(*tag)] for tag in reference.tags(page)]


def test_a_tag_longer_than_a_value_may_be_ends_outside_of_its_values() -> None:
    tag = "<a " + "b='x>\"' " * 1000 + ">"
    assert tags(tag + "text>") == [tag]


def test_a_value_that_does_not_close_within_the_limit_does_not_count() -> None:
    within = '<a b="' + "x" * (QUOTE_LIMIT - 2) + '>">'
    beyond = '<a b="' + "x" * (QUOTE_LIMIT - 1) + '>">'
    assert tags(within) == [within]
    assert tags(beyond) == [beyond[:-2]]


@pytest.mark.slow
@given(pieces | single_lines, st.sampled_from(["before_text", "after_tag"]), st.booleans(), st.randoms())
@settings(max_examples=250)
def test_lines_and_text_are_those_of_the_reference(
    page: str, line_break: str, keep_blank: bool, random: Random
) -> None:
    page = utf8(page)
    expected = reference.lines(page, keep_blank=keep_blank, line_break=line_break)
    options = LineOptions(line_break=line_break, blank_lines="keep" if keep_blank else "drop")
    document = read_document(page.encode(), options)
    assert document.lines.table[:, 2].tolist() == [line.x for line in expected]
    assert document.lines.table[:, 3].tolist() == [line.y for line in expected]
    kept = [random.random() < 0.6 for _ in expected]
    result = LineExtraction.of(document, Decision(np.array(kept, bool), document.ratios, None))
    assert result.text == reference.kept_text(expected, kept)
    assert [(b.text, b.kept, b.start, b.stop) for b in result.blocks] == [
        (line.text, k, line.start, line.stop) for line, k in zip(expected, kept, strict=True)
    ]
    everything = LineExtraction.of(document, Decision(np.ones(len(expected), bool), document.ratios, None))
    assert everything.metrics.content_ratio == (1.0 if everything.text else 0.0)


@given(pieces)
@settings(max_examples=200)
def test_decoded_characters_are_those_of_the_line_in_the_output(page: str) -> None:
    page = utf8(page)
    document = read_document(page.encode(), LineOptions(chars="decoded"))
    expected = [len(line.text) / max(1, line.y) for line in reference.lines(page)]
    assert document.ratios.tolist() == expected


@pytest.mark.parametrize(
    ("page", "left"),
    [
        ("a<!-- x -->b", "ab"),
        ("a<!-->b", "ab"),
        ("a<!--->b", "ab"),
        ("a<!---->b<p>c<!-- x -->d", "ab<p>cd"),
        ("a<!---!>b<p>c<!-- x -->d", "ad"),
        ("a<!----!>b<p>c<!-- x -->d", "ab<p>cd"),
        ("a<!-- x --!>b", "ab"),
        ("a<!-- x", "a"),
        ("a<script>'<!--'</script>b<!-- -->c", "abc"),
        ("a<!-- <script> -->b", "ab"),
        ("a<SCRIPT type=x>1 < 2</Script foo>b", "ab"),
        ("a<script>x", "a"),
        ("a<script>x</script", "a"),
        ("a<script src=x />b", "ab"),
        ("a<script src=x />b<script/>c", "abc"),
        ("a<script src=x />b</script>c", "ac"),
        ("a<scripture>b</scripture>", "a<scripture>b</scripture>"),
        ("a<style>p{}</style>b", "ab"),
        ("a<style>p{}</script>b", "a"),
        ("</script>a", "</script>a"),
    ],
)
def test_what_is_removed(page: str, left: str) -> None:
    assert visible(page) == left


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('<a title="x>y">z', ['<a title="x>y">']),
        ("<a title = 'x>y'>z", ["<a title = 'x>y'>"]),
        ('<a "x>y">z', ['<a "x>']),
        ('<a t="x>y z', ['<a t="x>']),
        ('<a t="x>y" z', ['<a t="x>']),
        ("<a <b> c>", ["<a <b>"]),
        ("1 < 2 <3> <é>", []),
        ("<a href=x", []),
        ("<!DOCTYPE html><?php ?></p ><br/>", ["<!DOCTYPE html>", "<?php ?>", "</p >", "<br/>"]),
        ("<a onclick=\"f('>')\">x", ["<a onclick=\"f('>')\">"]),
    ],
)
def test_what_is_a_tag(page: str, found: list[str]) -> None:
    assert tags(page) == found


@pytest.mark.parametrize(("length", "honoured"), [(4095, True), (4096, False)])
def test_a_quote_must_close_within_4096(length: int, honoured: bool) -> None:
    page = f'<a t=">{"x" * (length - 1)}">'
    assert tags(page) == [page if honoured else '<a t=">']


@pytest.mark.parametrize("end", [">", "/>", " x=1>", "\n>", "\t/>"])
def test_tag_names_are_read_whatever_ends_them(end: str) -> None:
    names = ["b", "BR", "blockquote", "h1", "x-p", "p1", "a", "td", "br2", "abbr"]
    html = "".join(f"<{name}{end}</{name}{end}" for name in names).encode()
    found = lex(html)
    assert found.ends.tolist() == [False, True] * len(names)
    assert found.keys.tolist() == [key(name) for name in names for _ in range(2)]
    assert found.block_level.tolist() == [
        n in ("BR", "blockquote", "h1", "td") for n in names for _ in range(2)
    ]


def test_ratios_of_algorithm_1() -> None:
    page = '<div id="author">James Smith</div>\n<div id="topnav">\n</div></div>\nA line without a tag\n1 < 2'
    assert ratios(page) == [5.5, 0.0, 0.0, 20.0, 5.0]


def test_a_tag_counts_on_the_line_where_it_starts() -> None:
    document = read_document(b"one <a\n href='x'\n  > two</a>", DEFAULT)
    assert document.lines.table[:, 2].tolist() == [4, 0, 4]
    assert document.lines.table[:, 3].tolist() == [1, 0, 1]


def test_entities_and_inner_blanks_count_as_written() -> None:
    assert ratios("<p>a&nbsp;  b</p>\n<p>漢字</p>") == [10 / 2, 2 / 2]


def test_removal_joins_lines() -> None:
    assert ratios("one <!--\n\n--> two\n<b>x</b>") == [8.0, 0.5]


@pytest.mark.parametrize("newline", ["\n", "\r", "\r\n"])
def test_lines_end_at_any_newline_and_blank_ones_go(newline: str) -> None:
    page = newline.join(["<p>a</p>", "", " \t", "\u3000", "b", ""])
    assert ratios(page) == [0.5, 1.0]
    kept = read_document(page.encode(), LineOptions(blank_lines="keep"))
    assert kept.ratios.tolist() == [0.5, 0.0, 0.0, 0.0, 1.0]


def test_a_single_line_breaks_after_65_characters() -> None:
    assert ratios("<p>" + 80 * "a" + "</p>") == [62.0, 18.0]


def test_a_single_line_breaks_before_the_text_behind_a_tag() -> None:
    page = 60 * "a" + '<a href="x.html">' + 10 * "b" + "</a>"
    assert ratios(page) == [60.0, 10.0]


def test_a_single_line_may_break_behind_the_tag() -> None:
    page = (60 * "a" + "<i class=abc><b>" + 70 * "b").encode()
    before, after = (
        read_document(page, LineOptions(line_break=choice)).lines for choice in ("before_text", "after_tag")
    )
    assert (before.table[:, 2].tolist(), before.table[:, 3].tolist()) == ([60, 65, 5], [2, 0, 0])
    assert (after.table[:, 2].tolist(), after.table[:, 3].tolist()) == ([60, 62, 8], [1, 1, 0])


def test_nine_tenths_of_the_untrimmed_characters_make_a_single_line() -> None:
    long = "<p>" + 177 * "x"
    assert len(ratios(long + "\n" + 20 * "y")) == 4
    assert len(ratios(long + "\n" + 21 * "y")) == 2
    assert len(ratios(long + "\n" + 10 * " " + 11 * "y")) == 2
    assert len(ratios(long.replace("x", "漢") + "\n" + 20 * "y")) == 4


def test_broken_lines_join_with_nothing_and_dropped_ones_with_a_newline() -> None:
    page = ("<b>" + "".join(f"w{i:03} " for i in range(60))).encode()
    document = read_document(page, DEFAULT)
    kept = np.ones(document.ratios.size, bool)
    whole = LineExtraction.of(document, Decision(kept, document.ratios, None)).text
    assert whole == " ".join(f"w{i:03}" for i in range(60))
    kept[1] = False
    parts = LineExtraction.of(document, Decision(kept, document.ratios, None)).text.split("\n")
    assert len(parts) == 2
    assert (whole.startswith(parts[0]), whole.endswith(parts[1])) == (True, True)


def test_an_entity_at_a_break_comes_out_whole_with_the_part_where_it_begins() -> None:
    page = ("<b>" + 60 * "x" + "&amp;" + 60 * "y").encode()
    document = read_document(page, DEFAULT)
    assert document.lines.table[:, 2].tolist() == [62, 63]
    for kept, text in (([1, 1], 60 * "x" + "&" + 60 * "y"), ([1, 0], 60 * "x" + "&"), ([0, 1], 60 * "y")):
        assert LineExtraction.of(document, Decision(np.array(kept, bool), document.ratios, None)).text == text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<td>a</td><td>b</td>", "a b"),
        ("a<br>b<br/>c", "a b c"),
        ("a<b>b</b><span>c</span>", "abc"),
        ("<li>a<LI>b", "a b"),
        ("&lt;p&gt; &amp;amp; &eacute;&#233;", "<p> &amp; éé"),
        ("a&nbsp;&#32; \u3000&emsp;b", "a b"),
        ("a\x00\x01b \x07 c\x7f\x81d&#129;", "ab cd"),
        ("a&#10;b&NewLine;c", "a b c"),
        ("a\x1eb", "a b"),
        ("x&shy;y\u200bz", "xyz"),
        ("&#" + "9" * 5000 + ";&#" + "0" * 5000 + "65;", "\ufffdA"),
        ("&notin; &notit; &unknown;", "∉ ¬it; &unknown;"),
    ],
)
def test_how_text_reads(page: str, text: str) -> None:
    assert extract(page, "keep-all").text == text
    assert extract(page + "\n<p>z", "keep-all").text == text + "\nz"


def test_no_named_entity_is_a_plain_space() -> None:
    from html.entities import html5

    assert " " not in "".join(html5.values())


@given(st.text())
def test_code_points_are_pythons(text: str) -> None:
    data = text.encode(errors="replace")
    assert count(data) == len(data.decode())


def test_every_blank_of_unicode_is_known() -> None:
    everything = [chr(code) for code in (*range(0xD800), *range(0xE000, 0x110000)) if chr(code) not in "<&"]
    html = "".join(everything).encode()
    text = read_lines(html, lex(html), keep_blank=False).text
    expected = "".join(" " * len(c.encode()) if c.isspace() else c for c in everything)
    assert text.coded[:-1].tobytes() == expected.encode()


@given(st.text())
def test_rendered_text_holds_no_controls(text: str) -> None:
    line = rendered(text.encode(errors="replace"))
    assert line == " ".join(line.split())
    assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in line)
