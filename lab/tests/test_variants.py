"""Pages in other forms: their text stays, what carries it changes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.scoring.gold import GoldSet
from cedar.transforms.scoring.metrics import words
from lab.variants import VARIANTS, _pieces, apply, write_sets

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
  <title>A  title</title>
  <style>p { color: red }</style>
  <script>if (a < b) { document.write("<p>no</p>"); }</script>
</head>
<body class="home">
  <!-- <p>commented out</p> -->
  <div id="top" class='x' role=main data-class="kept">
    <p class="lead">First <b>bold</b>,   then
    plain <a href="/x?a=1&amp;b=2" title="a > b">link</a> &amp; more.</p>
    <pre>two
  lines</pre>
    <ul><li>one</li> <li>two</li></ul>
  </div>
</body>
</html>
"""


def visible(page: bytes) -> list[str]:
    return words(extract(page, "keep-all").text)


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "truncated"])
def test_the_text_stays(variant: str) -> None:
    assert visible(apply(variant, PAGE.encode())) == visible(PAGE.encode())


def test_original_is_the_page_itself() -> None:
    page = PAGE.encode()
    assert apply("original", page) is page


def test_minified_is_one_line_without_blanks_beside_blocks() -> None:
    found = apply("minified", PAGE.encode()).decode()
    assert "\n" not in found
    assert "<ul><li>one</li><li>two</li></ul>" in found
    assert "First <b>bold</b>, then plain <a" in found


def test_pretty_puts_a_block_on_a_line() -> None:
    lines = apply("pretty", apply("minified", PAGE.encode())).decode().splitlines()
    stripped = [line.strip() for line in lines]
    assert "<li>" in stripped
    assert '<p class="lead">' in stripped
    assert "one" in stripped
    assert any(line.startswith("    ") for line in lines)


def test_truncated_keeps_the_first_part_and_no_half_character() -> None:
    page = "é".encode() * 100
    assert apply("truncated", page) == page[:120]
    assert apply("truncated", b"x" + page) == (b"x" + page)[:119]


def test_without_attributes_drops_class_id_and_role_only() -> None:
    found = apply("no-attributes", PAGE.encode()).decode()
    assert '<div data-class="kept">' in found
    assert '<a href="/x?a=1&amp;b=2" title="a > b">' in found
    assert "<body>" in found
    assert "color: red" in found


def test_noise_is_the_same_each_time_and_in_no_script() -> None:
    page = (PAGE + "<p>word word word word</p>" * 50).encode()
    found = apply("noised", page)
    assert found == apply("noised", page)
    assert found.count(b"<span>") > 5
    assert found.count(b"<div></div>") > 1
    assert b'document.write("<p>no</p>")' in found


def test_pieces_are_texts_tags_and_what_no_tag_is_read_in() -> None:
    page = (
        'a<!-- <p> --><p class="x > y">b < c<br/><SCRIPT>if (a<b) </p></SCRIPT>d<!DOCTYPE x></p><pre></pre>'
        '<title>t</title><style>p</stile>e<style>f</style x>g<?php ?></textarea>h<a "'
    )
    assert list(_pieces(page)) == [
        ("text", "", "a"),
        ("raw", "", "<!-- <p> -->"),
        ("tag", "p", '<p class="x > y">'),
        ("text", "", "b < c"),
        ("tag", "br", "<br/>"),
        ("tag", "script", "<SCRIPT>"),
        ("raw", "script", "if (a<b) </p>"),
        ("tag", "script", "</SCRIPT>"),
        ("text", "", "d"),
        ("tag", "", "<!DOCTYPE x>"),
        ("tag", "p", "</p>"),
        ("tag", "pre", "<pre>"),
        ("tag", "pre", "</pre>"),
        ("tag", "title", "<title>"),
        ("raw", "title", "t"),
        ("tag", "title", "</title>"),
        ("tag", "style", "<style>"),
        ("raw", "style", "p</stile>e<style>f"),
        ("tag", "style", "</style x>"),
        ("text", "", "g"),
        ("tag", "", "<?php ?>"),
        ("tag", "textarea", "</textarea>"),
        ("text", "", 'h<a "'),
    ]


@pytest.mark.parametrize(
    ("variant", "page", "made"),
    [
        ("minified", "<p><b> one</b> <!-- x --> two </p>  three  <br> four", (
            "<p><b>one</b> <!-- x --> two</p>three<br>four"
        )),
        ("minified", " \n<p><i>\ta</i>\n\tb", "<p><i>a</i> b"),
        ("pretty", "<div><p>one<br>two</p><hr></div> three", (
            "<div>\n <p>\n  one\n  <br>\n  two\n </p>\n <hr>\n</div>\nthree"
        )),
        ("pretty", "</p></p><p>a<pre>  b\n c</pre><i>d  e</i> f", (
            "</p>\n</p>\n<p>\n a\n <pre>  b\n c\n </pre>\n <i>d e</i> f"
        )),
        ("pretty", "<div>" * 43, "\n".join(" " * min(depth, 40) + "<div>" for depth in range(43))),
        ("no-attributes", "<p\tCLASS = a id='b c' role=\"d\" title=e>class=x</p>", "<p title=e>class=x</p>"),
    ],
)  # fmt: skip
def test_a_small_page_in_another_form(variant: str, page: str, made: str) -> None:
    assert apply(variant, page.encode()).decode() == made


def test_noise_is_in_a_tenth_of_the_words_and_before_a_tenth_of_the_small_blocks() -> None:
    words_wrapped = apply("noised", b"word " * 4000).count(b"<span>word</span>")
    before_blocks = apply("noised", b"<td>" * 4000).count(b"<div></div><td>")
    assert 320 < words_wrapped < 480
    assert 320 < before_blocks < 480
    assert apply("noised", b"<section>" * 400) == b"<section>" * 400


MARKUP = st.lists(
    st.sampled_from(
        [
            "<",
            ">",
            '"',
            "'",
            "<p>",
            "</p",
            "<!--",
            "-->",
            "<script>",
            "</SCRIPT>",
            "<pre class=a",
            " x ",
            "é",
            "\n",
            "/",
        ]
    ),
    max_size=40,
).map("".join)


@given(MARKUP)
def test_pieces_add_up_to_the_page(markup: str) -> None:
    pieces = list(_pieces(markup))
    assert "".join(source for *_, source in pieces) == markup
    assert all(source for *_, source in pieces)


@given(MARKUP)
def test_no_markup_is_too_broken(markup: str) -> None:
    for variant in VARIANTS:
        apply(variant, markup.encode()).decode()


@pytest.mark.parametrize(
    "piece", ["<", "<a ", '<a "', '<a ">', "<script>", "<!--", "<pre>", "<p class=", "</"]
)
def test_hostile_markup_takes_linear_time(piece: str) -> None:
    def cost(size: int) -> float:
        page = (piece * (size // len(piece))).encode()
        start = time.thread_time()
        for variant in VARIANTS:
            apply(variant, page)
        return time.thread_time() - start

    cost(5_000)
    assert cost(80_000) < 12 * max(cost(20_000), 0.01)


def test_forms_are_written_as_gold_sets_of_their_own(tmp_path: Path) -> None:
    gold = GoldSet.at(str(Path(__file__).parents[2] / "tests" / "gold" / "handmade"))
    plain, flat = write_sets(gold, ["minified"], tmp_path, limit=3)
    assert [path.name for path in (plain, flat)] == ["handmade.jsonl", "handmade-minified.jsonl"]
    before, after = (list(GoldSet.at(str(path)).read(range(3))) for path in (plain, flat))
    assert [page.text for page in before] == [page.text for page in after]
    assert [visible(page.html) for page in before] == [visible(page.html) for page in after]
    assert all(page.html.count(b"\n") <= 1 for page in after)
