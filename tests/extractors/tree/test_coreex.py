"""CoreEx: worked pages, a plain reading, and properties."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.tree.coreex import CoreExOptions, coreex
from cedar.transforms.extractors.tree.limits import TreeLimitError
from tests.extractors.samples import PAGE_W, pieces
from tests.extractors.tree_samples import ARTICLE, PAGE_W2, pages
from tests.helpers.shapes import assert_linear
from tests.oracles import coreex as plain_coreex
from tests.oracles import trees as plain_tree


def page_of(second_paragraph: str) -> str:
    return (
        f"<body><nav>{'<a href=x>a link</a> ' * 10}</nav><div><p>{'one ' * 100}</p>{second_paragraph}</div>"
        "<footer>four words of text <a href=x>imprint</a></footer>"
    )


def scores(page: str, **options: object) -> dict[str | None, float]:
    return {block.path: block.score for block in extract(page, "coreex", **options).blocks}


def test_one_link_in_a_paragraph_loses_it():
    page = page_of(f"<p>{'two ' * 79}<a href=x>a link</a></p>")
    assert extract(page, "coreex").text == " ".join(["one"] * 100)
    found = scores(page)
    assert found["/html/body/div/p[1]"] == pytest.approx(0.995128, abs=1e-6)
    assert found["/html/body/div/p[2]"] == pytest.approx(0.994051, abs=1e-6)


def test_without_the_link_the_body_wins_over_the_element_of_equal_score():
    page = page_of(f"<p>{'two ' * 79}</p>")
    found = extract(page, "coreex")
    assert found.text == "\n".join([" ".join(["one"] * 100), " ".join(["two"] * 79)])
    assert (found.html or "").startswith("<html><body><div><p>one ")
    with_note = scores(page.replace("<div>", "<div>note"))
    assert with_note["/html/body/div"] == pytest.approx(0.99 + 0.01 * 180 / 195)


def test_worked_pages():
    for page in (PAGE_W, PAGE_W2):
        found = extract(page, "coreex")
        assert found.text == ARTICLE
        assert found.metrics.threshold is None
    found = scores(PAGE_W)
    assert found["/html/body"] == pytest.approx(0.99 + 0.01 * 47 / 52)
    assert found["/html/body"] == pytest.approx(0.999038, abs=1e-6)
    assert found["/html/body/div"] == pytest.approx(0.990192, abs=1e-6)
    assert found["/html/body/ul/li[1]"] == 0.0


def test_a_link_is_one_word_whatever_is_in_it():
    page = page_of("<p>Some words and <a href=x>{}</a> of a paragraph.</p>")
    texts = [extract(page.format(inner), "coreex").text for inner in ("y", "", "a <b>longer</b> text")]
    assert texts[0] == texts[1] == texts[2]
    inside = [scores(page.format(inner))["/html/body/div/p[2]"] for inner in ("y", "a <b>longer</b> text")]
    assert inside[0] == inside[1]


def test_links_of_kept_children_are_kept_with_them():
    page = f"<body><p>{'word ' * 30}<a href=x>linked</a></p><p>{'word ' * 30}"
    assert "linked" not in extract(page, "coreex").text
    assert "linked" in extract(page, "coreex", text_weight=0.5).text


def test_anchors_without_an_address_are_links_by_choice():
    page = "<body><p>" + "word " * 20 + "<a name=x>named</a></p><p>" + "word " * 15 + "</p>"
    assert "named" in extract(page, "coreex").text
    assert "named" not in extract(page, "coreex", anchors="all").text
    assert (
        extract(page.replace("name=", "href="), "coreex").text == extract(page, "coreex", anchors="all").text
    )


def test_a_quoted_attribute_is_no_attribute():
    page = "<body><p>" + "word " * 20 + "<a title=' href=\"x\"'>named</a></p><p>" + "word " * 15 + "</p>"
    assert "named" in extract(page, "coreex").text


@pytest.mark.parametrize("name", ["select", "form", "textarea"])
def test_controls_are_not_there_at_all(name):
    inner = f"<option>{'no ' * 9}</option>" if name == "select" else "no " * 9
    found = extract(f"<body><p>words of the page <{name}>{inner}</{name}>", "coreex")
    assert found.text == "words of the page"
    assert f"<{name}" not in (found.html or "")
    assert max(block.score for block in found.blocks) == 1.0


def test_a_form_around_the_page_is_read_by_choice():
    page = "<body><form><p>words of the whole page</p></form><form><p>a search</p></form>"
    assert extract(page, "coreex").text == ""
    assert extract(page, "coreex", forms="unwrap").text == "words of the whole page"
    for options in ({"forms": "keep"}, {"variant": "modern"}):
        assert extract(page, "coreex", **options).text == "words of the whole page\na search"


def test_the_modern_variant_keeps_a_paragraph_with_a_link():
    page = page_of(f"<p>{'two ' * 79}<a href=x>a link</a></p>")
    assert extract(page, "coreex", variant="modern").text.count("two") == 79
    assert extract(page, "coreex", text_weight=0.1).text.count("two") == 79


def test_of_equal_scores_the_less_deep_and_then_the_earlier_wins():
    page = "<body><a href=x>l</a><i><b><p>{}</p></b></i><p>{}</p><p>{}</p>"
    one_each = page.format("one", "two", "six") + "<a href=x>l</a>" * 9
    # The body has the highest score: its set holds all three.
    assert extract(one_each, "coreex").text == "one\ntwo\nsix"
    link = " <a href=x>l</a>"
    deep, first, second = (f"<i><div>{words}{link}</div></i>" for words in ("a b c", "d e f", "g h i"))
    apart = f"<body><b>{deep}</b>{first}{second}"
    assert extract(apart, "coreex").text == "d e f"


@pytest.mark.parametrize(
    "page", ["", " ", "<!-- c -->", "<p></p>", "<a href=x>link</a>", "<form>x</form>", "<frameset><frame>"]
)
def test_pages_without_words_outside_of_links(page):
    found = extract(page, "coreex")
    assert (found.text, found.html) == ("", "")


def test_nested_links_are_one_link():
    page = "<body><p>word word<a href=x>out<object><a href=y>in</a></object></a></p>"
    (block, *_) = [b for b in extract(page, "coreex").blocks if b.path == "/html/body/p"]
    assert block.score == pytest.approx(0.99 + 0.01 * 2 / 3)


@settings(max_examples=30)
@given(pages, st.sampled_from([0.9, 0.5, 0.0, 0.99]), st.sampled_from([0.01, 0.1, 0.5, 1.0]))
def test_a_plain_reading_of_the_paper_gives_the_same_text(page, threshold, weight):
    expected = plain_coreex.coreex(plain_tree.read(page.encode()), threshold=threshold, weight=weight)
    options = CoreExOptions(threshold=threshold, text_weight=weight, anchors="all")
    assert coreex(page.encode(), options).text.splitlines() == expected


@settings(max_examples=25)
@given(pages | pieces)
def test_what_holds_of_every_result(page):
    found = extract(page, "coreex")
    assert found.text == "\n".join(block.text for block in found.blocks if block.kept)
    assert found.metrics.lines == len(found.blocks)
    assert all(0.0 <= block.score <= 1.0 + 1e-12 for block in found.blocks)


@settings(max_examples=25)
@given(st.integers(1, 60), st.integers(0, 9))
def test_words_without_links_never_lower_the_winners_score(words, more):
    page = "<body><ul><li><a href=x>l</a></ul><div>{}<a href=y>l</a></div>"
    before, after = (
        max(b.score for b in extract(page.format("word " * n), "coreex").blocks)
        for n in (words, words + more)
    )
    assert after >= before or np.isclose(after, before)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div><p>Some text with a <a href='/x'>link</a>.</p></div>" * (n // 56),
        lambda n: b"<div>x" * (n // 6),
        lambda n: b"<a href>x" * (n // 9),
        lambda n: b"<a name=x><i></a>" * (n // 17),
        lambda n: b"<form>x<p>" * (n // 10),
    ],
)
def test_time_grows_with_the_page_not_with_its_square(make):
    def extracted(page: bytes) -> None:
        with contextlib.suppress(TreeLimitError):
            extract(page, "coreex")

    assert_linear(extracted, make, 1 << 15)
