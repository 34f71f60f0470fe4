"""How `cedar` cuts a page into blocks, and what it counts there."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from numpy.typing import NDArray

from cedar.transforms.extractors.cedar._features import measure
from cedar.transforms.extractors.cedar.columns import ALL_COLUMNS, BLOCK_COLUMNS
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import ELEMENTS, GROUPS


def read(page: str) -> SegmentedPage:
    return SegmentedPage(page.encode())


def texts(page: str) -> list[str]:
    blocks = read(page).blocks
    return [blocks.read(block) for block in range(blocks.count)]


def paths(page: str) -> list[str]:
    """The names of the elements around each block."""
    elements = read(page).elements
    result = []
    for element in elements.nearest:
        names = []
        while element:
            names.append(ELEMENTS[elements.codes[element]])
            element = elements.parents[element]
        result.append("/".join(reversed(names)))
    return result


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>a<p>b", ["p", "p"]),
        ("<p>a<div>b</div>c", ["p", "div", ""]),
        ("<ul><li>a<li>b<ul><li>c</ul>d</ul>e", ["ul/li", "ul/li", "ul/li/ul/li", "ul/li", ""]),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", ["table/tr/td", "table/tr/td", "table/tr/td", ""]),
        ("<div><table><td>a</div>b</table>c</div>d", ["div/table/td", "div/table/td", "div", ""]),
        ("<div>a</p></span>b</div>c", ["div", "div", ""]),
        ("<h1>a<h2>b</h2>c", ["h1", "h2", ""]),
        ("<dl><dt>a<dd>b<dt>c</dl>", ["dl/dt", "dl/dd", "dl/dt"]),
        ("<section><p>a</section>b", ["section/p", ""]),
    ],
)
def test_end_tags_are_implied_as_browsers_do(page: str, expected: list[str]) -> None:
    assert paths(page) == expected


def test_blocks_are_the_text_between_block_level_tags() -> None:
    assert texts("a<b>b</b><p>c &amp; d<br>e<td>f<span> g</span>") == ["ab", "c & d", "e", "f g"]
    assert texts("<p>&nbsp;</p><p>\x01</p><p>&#0;</p>x") == ["\ufffd", "x"]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h2>Pans<a class=headerlink href='#pans'>¶</a></h2>", ["Pans"]),
        ("<h2><a href='#pans'>#</a>Pans</h2>", ["Pans"]),
        ("<h2>Pans <a href='/kitchen#pans'> &sect;\u200b</a></h2>", ["Pans"]),
        ("<h2>Pans<a href='#pans'>\u200b</a></h2>", ["Pans"]),
        ("<dl><dt>pan()<a href='#pan'>&para;</a></dl>", ["pan()"]),
        ("<h2>C<a href='/sharp'>#</a></h2>", ["C#"]),
        ("<h2>Pans <a href='#pans'>below</a></h2>", ["Pans below"]),
        ("<p>Law <a href='#5'>§</a> 5", ["Law § 5"]),
        ("<h2>Pans</h2><p>Ticket <a href='#5'>#</a>5", ["Pans", "Ticket #5"]),
        ("<h2>Pans<span class='mw-editsection'>[<a href=/e>edit</a><span>]</span></span></h2>", ["Pans"]),
        ("<h2>Pans<span class='mw-headline'>: all</span></h2>", ["Pans: all"]),
        ("<h2 class='mw-editsection'>Pans</h2>", ["Pans"]),
    ],
)
def test_links_to_edit_a_section_and_marks_of_a_place_are_no_text(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


TEX = "<annotation encoding='application/x-tex'>x^2 &lt; 1</annotation>"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>so <math><mi>x</mi><mo>=</mo><mn>2</mn></math>.", ["so x=2."]),
        (
            f"<p>so <math><semantics><msup><mi>x</mi><mn>2</mn></msup>{TEX}</semantics></math>.",
            ["so x^2 < 1."],
        ),
        (
            "<p>so <math><mi>x</mi><annotation-xml>y</annotation-xml><annotation>z</annotation></math>.",
            ["so x."],
        ),
        (
            f"<p><span class='katex'><span class='katex-mathml'><math>{TEX}</math></span>"
            "<span class='katex-html'>x<sup>2</sup></span></span> holds",
            ["x^2 < 1 holds"],
        ),
        ("<p><span class='katex-html'>x<sup>2</sup></span> holds", ["x2 holds"]),
        (
            "<p><span class='mwe-math-mathml-inline' style='display: none'>"
            f"<math>{TEX}</math></span><img> holds",
            ["x^2 < 1 holds"],
        ),
        ("<p>x<span class=MJX_Assistive_MathML><math><mi>x</mi></math></span>", ["x"]),
        ("<p>so <math><mi>x</mi>", ["so x"]),
        ("<p>so <annotation>a note</annotation>", ["so a note"]),
    ],
)
def test_a_formula_is_its_tex_or_else_its_symbols_and_stands_once(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<table><tr><td class='gutter'><pre>1\n2</pre></td><td><pre>a\nb</pre></td></table>", ["a\nb"]),
        (
            "<pre><span class='lineno'> 1 </span>a = 1\n<span class=lineno> 2 </span>b = 2</pre>",
            ["a = 1\nb = 2"],
        ),
        ("<pre class='line-numbers x'>a = 1</pre>", ["a = 1"]),
        ("<div class='gutter'><p>A column apart.</div>", ["A column apart."]),
        ("<p>Mr <span class='ln'>Öz</span>", ["Mr Öz"]),
        ("<p>Room <b class='number'>7</b>", ["Room 7"]),
    ],
)
def test_line_numbers_of_code_are_no_text(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<x-card><template shadowrootmode=open><p>Seen.</p></template></x-card>", ["Seen."]),
        ("<x-card><template ShadowRootMode='closed'>Seen.<slot></slot></template>too</x-card>", ["Seen.too"]),
        ("<template>Not seen.</template>too", ["too"]),
        ("<template shadowrootmode=open>a<template>b</template>c</template>d", ["acd"]),
    ],
)
def test_a_template_is_seen_where_it_is_a_shadow_tree(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


@pytest.mark.parametrize(
    ("text", "tenths"),
    [
        ("three small words", 30),
        ("drei große Wörter", 30),
        ("Три слова тут", 30),
        ("ثلاث كلمات هنا", 30),
        ("तीन शब्द यहाँ", 30),
        ("세 단어 여기", 30),
        ("三个字词", 24),
        ("カタカナ", 24),
        ("สะพาน", 10),
        ("don't 3.5", 40),
        ("— … !", 0),
        ("😀 ok", 10),
    ],
)
def test_words_are_counted_by_script_and_not_by_language(text: str, tenths: int) -> None:
    assert list(read(f"<p>{text}").blocks.word_tenths) == [tenths]


@pytest.mark.parametrize("stop", list(".!?。！？؟۔।…"))
def test_sentences_end_in_any_script(stop: str) -> None:
    found = columns(f"<p>ab cd{stop} <b>ef</b>{stop}</p>")
    assert found["own.stops"].tolist() == [2]
    assert found["own.ends_stop"].tolist() == [1]


def columns(page: str) -> dict[str, NDArray[np.float32]]:
    return dict(zip(BLOCK_COLUMNS, measure(read(page)), strict=False))


PAGE = (
    "<body><div class='site-nav'><a href=/1>One two</a> | <a href=/2>Three</a></div><div id=mainContent>"
    "<h1>A heading, here</h1><p>Some <a href=x>linked words</a> and plain ones.</p><p>Again: plain.</p>"
    "<ul class=related><li><a href=/3>See this</a></li><li><a href=/4>See that</a></li></ul></div></body>"
)


def test_columns_agree_with_a_plain_reading() -> None:
    column = columns(PAGE)
    plain = [
        re.split(r"<[^>]*>", part)
        for part in re.split(r"</?(?:body|div|h1|p|ul|li)\b[^>]*>", PAGE)
        if re.sub(r"<[^>]*>", "", part).strip()
    ]
    shown = [html.unescape("".join(part)).strip() for part in plain]
    assert texts(PAGE) == shown
    words = [10 * len(re.findall(r"\w+", text)) for text in shown]
    assert column["own.units"].tolist() == words
    assert column["own.commas"].tolist() == [text.count(",") for text in shown]
    assert column["near.units+1"].tolist() == [*words[1:], 0]
    assert column["near.units-2"].tolist() == [0, 0, *words[:-2]]
    assert column["own.link_density"] == pytest.approx([11 / 12, 0, 11 / 28, 0, 1, 1])
    assert column["tag.heading"].tolist() == [0, 1, 0, 0, 0, 0]
    assert column["tag.li"].tolist() == [0, 0, 0, 0, 1, 1]
    assert column["same.siblings1"].tolist()[-2:] == [2, 2]
    assert column["around1.blocks"].tolist() == [6, 5, 5, 5, 2, 2]
    assert column["place.after_top"].tolist() == [-1, 0, 1, 2, 3, 4]
    assert column["page.blocks"].tolist() == [6] * 6


def test_each_column_has_a_name_of_its_own() -> None:
    assert len(set(ALL_COLUMNS)) == len(ALL_COLUMNS)
    assert measure(read("x")).shape == (len(ALL_COLUMNS), 1)


def test_words_of_classes_ids_and_roles_are_read() -> None:
    elements = read(PAGE.replace("<h1>", "<h1 role=navigation data-class=comment>")).elements
    said = {
        (ELEMENTS[elements.codes[element]], name)
        for group, name in enumerate(GROUPS)
        for element in np.flatnonzero(np.asarray(elements.groups) >> group & 1)
    }
    assert said >= {("h1", "nav"), ("ul", "related"), ("div", "nav"), ("div", "content")}
    groups = {name: (np.asarray(elements.groups) >> group & 1).sum() for group, name in enumerate(GROUPS)}
    assert groups["content"] == 1
    assert groups["comment"] == 0


def test_links_need_a_target() -> None:
    assert list(read("<a name=top>all of this is plain").blocks.linked) == [0]
    assert list(read("<a HREF=x>ab</a> cd").blocks.linked) == [2]


def test_types_that_a_page_claims_are_read() -> None:
    page = '<script type="application/ld+json">{"@type": "NewsArticle"}</script><p>x'
    assert read(page).schemas == (True, False, False, False)
    assert read('<div itemtype="http://schema.org/Product">x').schemas == (False, True, False, False)
    assert read('<meta property="og:type" content="article">x').schemas == (True, False, False, False)
