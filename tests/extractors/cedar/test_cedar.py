"""The extractor `cedar` on whole pages."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from cedar import extract
from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.cedar._features import find_prose
from cedar.transforms.extractors.cedar._options import apply_options
from cedar.transforms.extractors.cedar.cedar import CedarOptions
from cedar.transforms.extractors.html import reading
from cedar.transforms.extractors.segments import _blocks
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.extractors.cedar.pages import SENTENCES, article
from tests.extractors.samples import pieces
from tests.helpers.shapes import assert_linear

MODEST = settings(derandomize=True, max_examples=60, deadline=None)
WORDS = "The council said on Monday that the work, which took two years, is done at last. "
DIGEST = "bee980b8661ed783ef7ec0e9e80132bc8ac6da19b62713c7e467b22d4bf5de52"
"""Of the table: it changes when it is learned again, and the figures in docs/cedar.md with it."""

VERSION = "6"
"""What rows call that table: another table has another version."""

DOCUMENT = Path(__file__).parents[3] / "docs" / "cedar.md"

TEXT = f"<p>{WORDS * 3}</p>"


def text(page: str, **options: object) -> str:
    return extract(page, "cedar", **options).text


def body(inner: str, title: str = "A page") -> str:
    return f"<html><head><title>{title}</title></head><body><main>{inner}</main></body></html>"


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("styled", [True, False])
def test_the_article_stays_and_what_is_around_it_goes_in_any_script(language: str, styled: bool) -> None:
    lines = text(article(language, styled=styled)).split("\n")
    wanted = [f"{number} {SENTENCES[language] * 4}".strip() for number in range(1, 7)]
    assert [line for line in lines if line in wanted] == wanted
    assert len(lines) <= len(wanted) + 2
    assert "Xyzzy" not in "".join(lines)


def test_headings_paragraphs_items_rows_and_lines_of_code_stand_on_their_own() -> None:
    page = body(
        f"<h1>A bridge opens</h1>{TEXT}<h2>What was done</h2><ul><li>{WORDS}</li><li>{WORDS}</li></ul>"
        f"{TEXT}<table><tr><th>Year of work<th>Cost of work<tr><td>{WORDS}<td>{WORDS}</table>"
        f"<pre>def f(x):\n    return x  * 2\n\nprint(f(1))</pre>{TEXT}one<br>two<br>{WORDS}"
    )
    lines = text(page).split("\n")
    assert lines.count(WORDS.strip()) >= 2
    assert "A bridge opens" in lines
    assert f"{WORDS.strip()}\t{WORDS.strip()}" in lines
    at = lines.index("def f(x):")
    assert lines[at : at + 3] == ["def f(x):", "    return x  * 2", "print(f(1))"]


def test_words_neither_fuse_nor_break() -> None:
    page = body(
        f"{TEXT}<p>un<b>break</b>able&nbsp;words<br>next {WORDS}</p><div>{WORDS}<div>{WORDS}</div></div>"
    )
    lines = text(page).split("\n")
    assert "unbreakable words" in lines
    assert f"next {WORDS.strip()}" in lines


@pytest.mark.parametrize(
    ("block", "is_prose"),
    [
        (WORDS * 15, True),
        (WORDS * 9, False),  # short
        (f"<a href=/x>{WORDS * 3}</a>" + WORDS * 12, False),  # linked
        (WORDS.replace(".", "") * 15, False),  # without sentences
        (WORDS.replace("work", '"work": "w" | "k"') * 15, False),  # data
        (WORDS * 15 + "<br>" + "Other words. " * 300, False),  # less than half of the page
    ],
)
def test_prose_that_no_tag_parts_is_told_from_links_data_and_parts_of_a_page(
    block: str, is_prose: bool
) -> None:
    page = SegmentedPage(f"<div>{block}</div>".encode())
    assert (0 in find_prose(page)) == is_prose


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("size", [3_000, 30_000, 300_000])
def test_a_text_that_no_tag_parts_is_kept(language: str, size: int) -> None:
    sentences = SENTENCES[language]
    prose = (sentences * (size // len(sentences) + 1)).strip()
    nav = "<nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav>"
    page = (
        f"{nav}<h1>A page</h1><article><p>By Ann Lee</p><div>{prose}</div></article><footer>Imprint</footer>"
    )
    assert prose in text(page)
    data = '{"id":1,"text":"a. b","next":[2,3]},' * (size // 30)
    assert data not in text(f"{nav}<h1>A page</h1>{TEXT}<div>{data}</div>")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a href=/x>BioLite</a><a href=/y>Range 400</a>", "BioLite Range 400"),
        ("<i>i</i><b>Phone</b> <b>p</b><b>H</b> <a>Na</a><a>Cl</a> <b>5</b><b>G</b>", "iPhone pH NaCl 5G"),
        ("<b>Gr\u00f6\u00dfe</b><i></i><span>\u00dcber 400</span>", "Gr\u00f6\u00dfe \u00dcber 400"),
        (
            "<b>\u0414\u043e\u043c</b><b>\u041e\u043a\u043d\u043e</b>",
            "\u0414\u043e\u043c \u041e\u043a\u043d\u043e",
        ),
        ("<b>in 2024</b><img src=/x><i>Harbour</i>", "in 2024 Harbour"),
        ("<b>Mc</b>Donald and c<b>A</b>mel", "McDonald and cAmel"),
        ("<b>un</b><i>break</i><b>ABLE</b>", "unbreak ABLE"),
        ("<code><b>get</b><i>Value</i></code>", "getValue"),
        ("H<sub>2</sub>O and O<b>K</b>", "H2O and OK"),
        ("<a>tom77</a><time>4 Mar</time><a>reply</a>", "tom77 4 Mar reply"),
        (
            "<b>JOS\u00c9</b><time>m\u00e4rz</time>, <time>10</time>:<time>30</time>h",
            "JOS\u00c9 m\u00e4rz, 10:30h",
        ),
        ("<b>\u4f5c\u8005</b><time>2021\u5e74</time>", "\u4f5c\u80052021\u5e74"),
    ],
)
def test_a_capital_parts_inline_elements_that_a_style_sheet_sets_apart(markup: str, expected: str) -> None:
    assert expected in text(body(f"{TEXT}<p>{WORDS} {markup} {WORDS}</p>{TEXT}"))


def test_the_order_is_that_of_the_page_and_nothing_is_doubled() -> None:
    paragraphs = "".join(f"<p>Paragraph {number}: {WORDS * 2}</p>" for number in range(8))
    lines = text(body(paragraphs)).split("\n")
    assert lines == [f"Paragraph {number}: {WORDS * 2}".strip() for number in range(8)]


def test_scripts_styles_comments_attributes_and_what_is_not_shown_never_leak() -> None:
    page = body(
        f"<!-- leak -->{TEXT}<script>leak()</script><style>leak</style><p title=leak>{WORDS}</p>"
        f"<template><p>leak {WORDS}</p></template><svg><text>leak</text></svg>"
        f"<textarea>leak {WORDS}</textarea>"
        f"<iframe>leak {WORDS}</iframe><select><option>leak</option></select>{TEXT}",
        title="leak",
    )
    assert "leak" not in text(page)
    assert WORDS.strip() in text(page)


def test_what_a_noscript_or_an_unclosed_button_holds_is_text() -> None:
    assert WORDS.strip() in text(body(f"{TEXT}<noscript>{TEXT * 3}</noscript>"))
    assert text(body(f"<button>Go{TEXT * 6}")).count("council") == 18


@pytest.mark.parametrize("state", ["hidden", "HIDDEN", "style='color:red; Display : none'"])
def test_hidden_elements_are_known(state: str) -> None:
    page = body(f"{TEXT * 4}<div {state}><p>Secret words, few of them.</p></div>{TEXT}")
    read = SegmentedPage(page.encode())
    hidden = np.flatnonzero(read.elements.hidden)
    firsts = [int(read.elements.first[element]) for element in hidden]
    assert [read.blocks.read(block) for block in firsts] == ["Secret words, few of them."]


@pytest.mark.parametrize(
    "state",
    ["aria-hidden=true", "style='visibility:hidden'", "data-x='display:none'", "style='--display:none'"],
)
def test_what_takes_its_place_on_the_page_is_not_hidden(state: str) -> None:
    page = body(f"{TEXT * 4}<p {state}>Some more words.</p>{TEXT}")
    assert not any(SegmentedPage(page.encode()).elements.hidden)


def test_hidden_parts_of_the_text_are_dropped() -> None:
    secret = f"<p style='display:none'>Secret. {WORDS}</p>"
    page = body(f"<article>{TEXT * 3}{secret}{TEXT * 3}</article>")
    assert "Secret" in text(page.replace("display:none", "display:block"))
    assert "Secret" not in text(page)


def test_what_a_line_of_the_text_unfolds_stays_where_it_was_chosen() -> None:
    def stays(between: str) -> bool:
        fold = f"<p>What does it cost?</p>{between}<div hidden>Folded. {WORDS}</div>"
        page = SegmentedPage(
            body(f"<article>{TEXT * 3}<div class=fold>{fold}</div>{TEXT * 3}</article>").encode()
        )
        kept = np.ones(page.blocks.count, bool)
        apply_options(page, kept, CedarOptions(), apart=True)
        return "Folded" in " ".join(page.blocks.read(int(block)) for block in np.flatnonzero(kept))

    assert stays("")
    assert not stays(f"<p>{WORDS * 3}</p>")


@pytest.mark.parametrize(
    "asks", ["Please enable JavaScript.", "Bitte JavaScript einschalten.", "请启用javascript。"]
)
def test_what_asks_for_scripts_is_dropped_and_other_text_for_browsers_without_them_is_kept(asks: str) -> None:
    page = f"<article>{TEXT * 3}<noscript><p>{{}}</p></noscript>{TEXT * 3}</article>"
    assert asks not in text(body(page.format(f"{asks} {WORDS}")))
    assert asks in text(body(page.replace("noscript", "div").format(f"{asks} {WORDS}")))
    assert "Seen." in text(body(page.format(f"Seen. {WORDS}")))
    post = f"{TEXT * 8} {asks}"  # of a thousand characters or more
    assert asks in text(body(page.format(post)))


def test_text_that_a_script_shows_is_kept() -> None:
    page = body(f"<div hidden><article>{TEXT * 6}</article></div>")
    assert text(page).count("council") == 18


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        ("<span hidden>b<span>c</span>d</span>", "ae"),
        ("<span style='display:none'>b</span>", "ae"),
        ("<span hidden>b", "abe"),
        ("<img hidden>b</img>", "abe"),
        ("<span hidden>" + "<b>" * 256 + "b</span>", "abe"),
    ],
)
def test_hidden_inline_elements_leave_no_text(tag: str, found: str) -> None:
    blocks = SegmentedPage(body(f"<p>a{tag}e</p>").encode()).blocks
    assert [blocks.read(block) for block in range(blocks.count)] == [found]


def test_the_headline_is_kept_or_dropped_as_asked() -> None:
    page = article("en")
    headline = "The old bridge was"
    assert text(page).split("\n").count(headline) == 1
    assert headline not in text(page, title="drop").split("\n")
    assert text(page, title="drop").count("\n") == text(page).count("\n") - 1


def test_comments_are_kept_or_dropped_as_asked() -> None:
    comments = "".join(f"<li><b>Ann</b><p>I say {number}: {WORDS}</p></li>" for number in range(4))
    page = body(f"<h1>A bridge opens</h1>{TEXT * 5}<div id=comments><ol>{comments}</ol></div>")
    assert "I say 3" in text(page, comments="keep")
    assert "I say" not in text(page, comments="drop")
    assert TEXT[3:60] in text(page, comments="drop")


@pytest.mark.parametrize("comments", ["auto", "drop", "keep"])
@pytest.mark.parametrize("name", ["single comments-open", "disable-comments", "article comments_off"])
def test_an_article_that_says_whether_comments_are_open_is_none(name: str, comments: str) -> None:
    links = "".join(f"<li><a href=/{number}>Elsewhere on this day {number}</a>" for number in range(40))
    below = f"<div id=comments><p>I say: {WORDS}</p></div>" if comments == "drop" else ""
    paragraphs = "".join(TEXT.replace("Monday", f"day {day} of {day + 9}") for day in range(5))
    page = body(f"<div class='{name}'><h1>A page</h1>{paragraphs}{below}</div><nav><ul>{links}</ul></nav>")
    found = text(page, comments=comments)
    assert found.count("The council") == 15
    assert "Elsewhere" not in found
    assert "I say" not in found


def test_captions_are_kept_or_dropped_as_asked() -> None:
    page = body(
        f"{TEXT * 3}<figure><img src=x><figcaption>The bridge by night</figcaption></figure>{TEXT * 3}"
    )
    assert "The bridge by night" in text(page, captions="keep")
    assert "The bridge by night" not in text(page, captions="drop")


@pytest.mark.parametrize(
    "page",
    ["", " ", "<html></html>", "<!-- x -->", "<script>x</script>", "<p> &nbsp; </p>", "<title>x</title>"],
)
def test_a_page_without_text_gives_none(page: str) -> None:
    found = extract(page, "cedar")
    assert found.text == ""
    assert found.blocks == ()
    assert found.metrics.confidence == 0.0


def test_plain_text_is_kept() -> None:
    assert text(WORDS * 3) == (WORDS * 3).strip()


@MODEST
@given(pieces)
def test_any_page_gives_clean_text_and_the_same_text_again(page: str) -> None:
    found = extract(page, "cedar")
    assert found == extract(page, "cedar")
    assert not any(unicodedata.category(c) == "Cc" and c not in "\n\t" for c in found.text)
    assert all(line.strip() for line in found.text.split("\n")) or not found.text
    found.text.encode()
    assert 0 <= found.metrics.content_ratio <= 1
    assert found.metrics.confidence is not None
    assert 0 <= found.metrics.confidence <= 1
    for block in found.blocks:
        assert block.start is not None
        assert block.stop is not None
        assert 0 <= block.start <= block.stop <= len(page.encode("utf-8", "replace").decode())


def test_each_block_says_what_decided_about_it() -> None:
    page = article("de")
    found = extract(page, "cedar")
    assert found.metrics.lines == len(found.blocks)
    assert found.metrics.content_lines == sum(block.kept for block in found.blocks)
    for block in found.blocks:
        assert sum(value for _, value in block.cues) == pytest.approx(block.score, abs=1e-6)
        assert {"own", "near", "vote", "base"} <= {name for name, _ in block.cues}
    first = next(block for block in found.blocks if block.text.startswith("1 Die"))
    assert page[first.start : first.stop].strip() == f"1 {SENTENCES['de'] * 4}".strip()
    assert first.kept
    assert found.metrics.threshold is not None
    assert first.score >= found.metrics.threshold


def test_extracting_other_pages_in_between_changes_nothing() -> None:
    before = extract(article("en"), "cedar")
    extract(article("zh"), "cedar")
    assert extract(article("en"), "cedar") == before


FLOODS: dict[str, Callable[[int], str]] = {
    "open elements": lambda n: "<div>" * n + WORDS,
    "open elements with text": lambda n: "<div>a " * n,
    "end tags without a start": lambda n: "<div>" * (n // 2) + "</p></span></li>" * (n // 2) + WORDS,
    "lists in lists": lambda n: "<ul><li>a" * n,
    "tables in tables": lambda n: "<table><tr><td>a" * n,
    "attributes": lambda n: "<div " + "class=nav " * n + ">" + WORDS,
    "hidden attributes": lambda n: "<div " + "hidden " * n + ">" + WORDS,
    "hidden spans": lambda n: "<span hidden>" * n + WORDS,
    "line numbers": lambda n: "<i class=ln>1" * n + WORDS + "</i>" * n,
    "formulas": lambda n: "<math>" + "<annotation tex><template shadowrootmode>" * n + WORDS,
    "requests": lambda n: "<noscript>javascript" * n + WORDS,
    "values in values": lambda n: "<div " + "/class=Ab" * n + ">" + WORDS,
    "words of one class": lambda n: "<div class='" + "nav " * n + "'>" + WORDS,
    "headings like the title": lambda n: "<title>" + "a b " * n + "</title>" + "<h1>a b c d" * n,
    "links": lambda n: "<a href=x>w " * n,
    "types": lambda n: '"@type"' * n,
    "quotes": lambda n: '<a b="' * n,
    "references": lambda n: "&amp;" * n,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_floods_cost_linear_time(flood: Callable[[int], str]) -> None:
    assert_linear(extract, flood, 4_000)


def test_a_flood_of_blocks_is_read_up_to_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_blocks, "MAX_BLOCKS", 10)
    assert extract(body(TEXT * 40), "cedar").metrics.lines == 10
    monkeypatch.setattr(reading, "MAX_TAGS", 12)
    assert extract(body(TEXT * 40), "cedar").metrics.tags == 12


def test_the_table_is_whole() -> None:
    text = resources.files("cedar.transforms.extractors.cedar").joinpath(model.TABLE).read_bytes()
    assert hashlib.sha256(text).hexdigest() == DIGEST
    table = model.packaged()
    assert table.version == VERSION
    assert f"version {VERSION}, SHA-256 `{DIGEST}`" in DOCUMENT.read_text(encoding="utf-8")
    again = model.parse(model.to_json(table))
    assert model.to_json(again) == model.to_json(table)
    assert len(table.kinds) == len(model.KINDS)
    assert np.all(np.diff(table.calibration, axis=0) >= 0)
    assert table.calibration.min() >= 0
    assert table.calibration.max() <= 1


def test_a_table_that_does_not_fit_together_is_refused() -> None:
    table = json.loads(model.to_json(model.packaged()))
    table["first"]["columns"] = table["first"]["columns"][:1]
    with pytest.raises(ValueError, match="do not fit together"):
        model.parse(json.dumps(table))


def test_a_page_of_our_own_reads_as_it_always_did() -> None:
    page = body(
        "<nav><a href=/>Home</a> <a href=/n>News</a></nav><article><h1>A bridge opens</h1>"
        f"<p class=byline>By Ann</p>{TEXT}<h2>Costs</h2>{TEXT}<ul><li>{WORDS}</li></ul></article>"
        "<footer><a href=/c>Contact</a> &copy; 2020</footer>",
        title="A bridge opens - The News",
    )
    paragraph = (WORDS * 3).strip()
    assert text(page, title="drop").split("\n")[-4:] == [paragraph, "Costs", paragraph, WORDS.strip()]
    assert text(page).startswith("A bridge opens\n")
    assert "Home" not in text(page)
    assert "Contact" not in text(page)
