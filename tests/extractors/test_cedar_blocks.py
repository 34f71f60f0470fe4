"""How `cedar` cuts a page into blocks, and what it counts there."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

from transforms.extractors.cedar import (
    cedar_blocks,
    cedar_columns,
    cedar_features,
    cedar_hints,
    cedar_layout,
    cedar_tree,
)
from transforms.extractors.cedar.cedar_hints import GROUPS


def cut(page: str) -> cedar_blocks.Page:
    return cedar_blocks.cut(page.encode())


def texts(page: str) -> list[str]:
    found = cut(page)
    return [found.text(block) for block in range(found.starts.size)]


def paths(page: str) -> list[str]:
    """The names of the elements around each block."""
    found = cut(page)
    result = []
    for element in found.nearest.tolist():
        names = []
        while element:
            names.append(cedar_tree.ORDER[found.elements.codes[element]])
            element = int(found.elements.parents[element])
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
    ("text", "units"),
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
def test_words_are_counted_by_script_and_not_by_language(text: str, units: int) -> None:
    assert cut(f"<p>{text}").units.tolist() == [units]


@pytest.mark.parametrize("stop", list(".!?。！？؟۔।…"))
def test_sentences_end_in_any_script(stop: str) -> None:
    found = cut(f"<p>ab cd{stop} <b>ef</b>{stop}</p>")
    names, values = columns(found)
    assert values[names.index("own.stops")].tolist() == [2]
    assert values[names.index("own.ends_stop")].tolist() == [1]


def columns(page: cedar_blocks.Page) -> tuple[list[str], np.ndarray]:
    said = cedar_hints.hints(page)
    made = cedar_features.columns(page, said, cedar_layout.lay_out(page, said))
    return made.names, made.values


PAGE = (
    "<body><div class='site-nav'><a href=/1>One two</a> | <a href=/2>Three</a></div><div id=mainContent>"
    "<h1>A heading, here</h1><p>Some <a href=x>linked words</a> and plain ones.</p><p>Again: plain.</p>"
    "<ul class=related><li><a href=/3>See this</a></li><li><a href=/4>See that</a></li></ul></div></body>"
)


def test_columns_agree_with_a_plain_reading() -> None:
    page = cut(PAGE)
    names, values = columns(page)
    column = dict(zip(names, values, strict=True))
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


def test_columns_are_always_the_same_ones() -> None:
    names, _ = columns(cut(PAGE))
    assert columns(cut("x"))[0] == names
    assert len(set(names)) == len(names) <= cedar_columns.ROOM


def test_words_of_classes_ids_and_roles_are_heard() -> None:
    page = cut(PAGE.replace("<h1>", "<h1 role=navigation data-class=comment>"))
    said = cedar_hints.hints(page)
    heard = {
        cedar_tree.ORDER[page.elements.codes[element]]: name
        for name, row in zip(GROUPS, said.groups, strict=True)
        for element in np.flatnonzero(row)
    }
    assert heard == {"div": "nav", "h1": "nav", "ul": "related"} | {"div": heard["div"]}
    groups = dict(zip(GROUPS, said.groups, strict=True))
    assert groups["content"].sum() == 1
    assert groups["comment"].sum() == 0


def test_links_need_a_target() -> None:
    assert cut("<a name=top>all of this is plain").linked.tolist() == [0]
    assert cut("<a HREF=x>ab</a> cd").linked.tolist() == [2]


def test_types_that_a_page_claims_are_heard() -> None:
    page = '<script type="application/ld+json">{"@type": "NewsArticle"}</script><p>x'
    assert cut(page).schemas == (True, False, False, False)
    assert cut('<div itemtype="http://schema.org/Product">x').schemas == (False, True, False, False)
    assert cut('<meta property="og:type" content="article">x').schemas == (True, False, False, False)
