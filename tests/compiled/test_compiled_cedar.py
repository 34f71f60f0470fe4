"""The compiled twins of `cedar` give what their definitions give, to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extractors.cedar_pages import SENTENCES, article
from tests.extractors.samples import PAGE_W, pieces
from transforms import compiled
from transforms.extractors import extract
from transforms.extractors.cedar import (
    cedar,
    cedar_blocks,
    cedar_choice,
    cedar_columns,
    cedar_features,
    cedar_hints,
    cedar_kinds,
    cedar_layout,
    cedar_likeness,
    cedar_model,
    cedar_names,
    cedar_scoring,
    cedar_surroundings,
    cedar_text,
    cedar_tree,
    cedar_votes,
)
from transforms.extractors.cedar.cedar_lookup import lookup
from transforms.extractors.html.tag_names import key

MODEST = settings(derandomize=True, max_examples=60, deadline=None)
TWINS: dict[ModuleType, tuple[str, ...]] = {
    cedar: ("_inside", "_written"),
    cedar_blocks: ("_type_mentions", "_gaps", "_shown", "_measured"),
    cedar_choice: ("_chosen",),
    cedar_columns: ("firsts",),
    cedar_features: ("_facts", "_own", "_neighbours", "_position", "_densities"),
    cedar_hints: ("_hints",),
    cedar_kinds: ("_sums",),
    cedar_layout: ("_laid_out",),
    cedar_likeness: ("_alike",),
    cedar_names: ("_tag", "_said"),
    cedar_scoring: ("_added", "_summed"),
    cedar_surroundings: ("container", "repetition", "sections", "whole"),
    cedar_text: ("_unescaped",),
    cedar_tree: ("_elements", "places"),
    cedar_votes: ("_voted",),
}
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"comments": "keep", "captions": "keep"},
    {"title": "drop", "comments": "drop", "captions": "drop"},
)


def definition(twin: Callable[..., Any]) -> Callable[..., Any]:
    return getattr(twin, "__wrapped__", twin)


def exactly(value: Any) -> Any:
    """What a value is, to the bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple | list):
        return [exactly(part) for part in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def both(twin: Callable[..., Any]) -> Callable[..., Any]:
    """The twin, checked at each call: its result, and what it writes into its arguments."""

    def checked(*arguments: Any) -> Any:
        copies = [part.copy() if isinstance(part, np.ndarray) else part for part in arguments]
        expected = definition(twin)(*copies)
        result = twin(*arguments)
        assert exactly(result) == exactly(expected), twin.__name__
        for given_array, copy in zip(arguments, copies, strict=True):
            if isinstance(copy, np.ndarray):
                assert given_array.tobytes() == copy.tobytes(), twin.__name__
        return result

    return checked


@contextmanager
def checked_twins() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module, names in TWINS.items():
            for name in names:
                patch.setattr(module, name, both(getattr(module, name)))
        yield


FRAGMENTS = [
    *("<p>", "</p>", "<li>", "</li>", "<ul>", "</ul>", "<div>", "</div>", "<br>", "<h1>", "</h1>", "<h2>"),
    *(
        "<table>",
        "<tr>",
        "<td>",
        "</td>",
        "<th>",
        "<caption>",
        "</table>",
        "<dl>",
        "<dt>",
        "<dd>",
        "<option>",
    ),
    *("<pre>", "</pre>", "<xmp>", "<b>", "</b>", "<a href=/x>", "<a HREF='#'>", "<a>", "</a>", "<a>href"),
    *(
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<svg>",
        "</svg>",
        "<video>",
        "<button>",
        "</body>",
    ),
    *("<article>", "<main>", "<nav>", "<footer>", "<figcaption>", "</figcaption>", "<section>", "</h2>"),
    *("<div class='nav main'>", '<div class="Article-body" id=content>', "<li class=aBC_dEf-gHI>"),
    *(
        "<p /class=/class=fooBar/id=x>",
        '<p class="',
        "<p class=x",
        "<p class='a\"b'>",
        "<p class=>",
        "<p id=''>",
    ),
    *("<div style='display:none'>", '<div STYLE="DISPLAY: NONE">', "<p style='visibility: hidden'>"),
    *("<p hidden>", '<p aria-hidden="true">', "<p title='hidden' hidden=''>", "<p aria-hidden=false>"),
    *("<section role=main itemprop=articleBody>", "<div class=comments><p class=comment>", "<p data-id=x>"),
    *("&amp;", "&nbsp", "&#160;", "&#x2003;", "&#0;", "&#99999999999;", "&#x110000;", "&nGt;", "&eacute;"),
    *(
        "&abc",
        "&",
        "&#",
        "&#x;",
        "&" + "a" * 40 + ";",
        "&#x0A;",
        "&nbsp0",
        "&#x85;",
        "&lt;p&gt;",
        "&am\x01p;",
    ),
    *(
        "\t",
        "\n",
        "  ",
        "\x00",
        "\x0b",
        "\x1c",
        "\x85",
        "\xa0",
        "\u1680",
        "\u2003",
        "\u2029",
        "\u205f",
        "\u3000",
    ),
    *("\u200b", "\x9f", "\x7f", "\ufffd", "\uffff", "\x1d", "\x01\x02\x03", "\r\n"),
    *(
        "Some more words. ",
        "A title, ",
        "Год.",
        "漢字。",
        "ไทย",
        "é",
        "😀",
        "\U00020000",
        "1,234.5",
        "| ",
        "«x»",
    ),
    *("<", ">", "<>", "</", "<!-- c -->", "<!--", "<script>x</script>", "<?x?>", "<p\n>", "<P ID=main>"),
    *('"@type": "Article"', '<div itemtype="x/Product">', '<meta og:type" content="article">', "hype type"),
]
NAMES = ["p", "li", "ul", "td", "tr", "table", "th", "div", "option", "h1", "h2", "b", "dd", "x"]
PAGES = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=5), max_size=60).map("".join),
    st.lists(st.sampled_from(FRAGMENTS), min_size=40, max_size=150).map("".join),
    pieces,
)


def read(page: str, options: dict[str, str]) -> None:
    with checked_twins():
        extraction = extract(page, "cedar", **options)
    assert len(extraction.blocks) == extraction.metrics.lines
    assert extraction.metrics.words == len(extraction.text.split())


def test_all_twins_are_used_where_they_were_compiled() -> None:
    for module, names in TWINS.items():
        for name in names:
            assert hasattr(getattr(module, name), "__wrapped__") == compiled.is_in_use(), name


@given(page=PAGES, options=st.sampled_from(OPTIONS))
@settings(MODEST, max_examples=250)
def test_pages_of_any_shape_give_the_same_at_each_step(page: str, options: dict[str, str]) -> None:
    read(page, options)


@pytest.mark.parametrize(
    "page",
    ["", ".", "<", "&", "\x00", "<p", "<p>", "é", PAGE_W, "<pre>\n a\n\n b \n</pre>.", "a&nbsp0à &nbspb"],
)
def test_small_pages_give_the_same_at_each_step(page: str) -> None:
    read(page, {})


@pytest.mark.parametrize("language", SENTENCES)
def test_articles_give_the_same_at_each_step(language: str) -> None:
    read(article(language), {})
    read(article(language, styled=False)[:-400], OPTIONS[1])


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 3000 + "a",
        "<div><p>a" * 1500,
        "<table><tr><td>a" * 800,
        "<a href=x>w " * 2000,
        "<p " + "/class=Ab" * 2000 + ">x",
        "<p " + "class='" * 2000 + ">x",
        "<p class=x>a. " * 5000,
        "&amp;" * 3000,
        "<h1>a b c d" * 300 + "<title>a b c",
        '"@type"' * 300 + "itemtype=" * 300,
        "<video>" * 500 + "</video>" * 500 + "x",
    ],
)
def test_floods_give_the_same_at_each_step(page: str) -> None:
    read(page, {})


def test_caps_give_the_same_at_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cedar_blocks, "MAX_BLOCKS", 7)
    read(article("en"), {})
    monkeypatch.setattr(cedar_blocks, "MAX_TAGS", 30)
    read(article("en"), {})


@given(text=st.text(alphabet="&#xX;09aAfFgG \xe9", max_size=60))
@MODEST
def test_references_are_found_in_any_text(text: str) -> None:
    both(cedar_text._unescaped)(text.encode(), lambda written: b"<" + written + b">")


@given(parts=st.lists(st.sampled_from([b'@type"', b"itemtype=", b'og:type"', b"yp", b"ype=", b"y", b'"'])))
@MODEST
def test_types_are_found_in_any_bytes(parts: list[bytes]) -> None:
    html = b"".join(parts * 3)
    both(cedar_blocks._type_mentions)(html, cedar_blocks._TYPE_MARKS, 2)
    both(cedar_blocks._type_mentions)(b"x" * 255 + html, cedar_blocks._TYPE_MARKS, 64)


@given(
    tags=st.lists(st.tuples(st.sampled_from(NAMES), st.booleans())),
    dead=st.integers(0, 5),
    search=st.integers(1, 24),
)
@MODEST
def test_elements_of_any_tags_are_the_same(tags: list[tuple[str, bool]], dead: int, search: int) -> None:
    keys = np.array([key(name) for name, _ in tags] or [0], np.uint64)
    ends = np.array([end for _, end in tags] or [True], bool)
    alive = np.arange(keys.size) % 6 != dead
    arguments = (keys, ends, alive, cedar_tree._NUMBERS, cedar_tree._RULES, search)
    _, _, opens, closes, turns, inside = both(cedar_tree._elements)(*arguments)
    gaps = np.arange(0, keys.size + 1, 1 + dead)
    both(cedar_tree.places)(gaps, turns, inside, opens, closes)


@given(seed=st.integers(0, 1 << 30), depth=st.integers(1, 5), blocks=st.sampled_from([0, 1, 31, 256, 700]))
@settings(MODEST, max_examples=25)
def test_scores_of_any_trees_are_the_same(seed: int, depth: int, blocks: int) -> None:
    chance = np.random.default_rng(seed)
    trees, columns = int(chance.integers(1, 9)), int(chance.integers(1, 6))
    some = np.array([-np.inf, -1, 0, 0.5, 1, np.inf, np.nan], np.float32)
    forest = cedar_model.Forest(
        tuple(map(str, range(columns))),
        chance.integers(0, columns, (trees, depth)),
        chance.choice(some[1:5], (trees, depth)),
        chance.integers(-(1 << 40), 1 << 40, (trees, 1 << depth)),
        3,
    )
    scorer = cedar_scoring.scorer(forest)
    values = chance.choice(some, (columns, blocks))
    arguments = (values, scorer.rows, scorer.thresholds, scorer.questions, scorer.begins, scorer.leaves)
    both(cedar_scoring._added)(*arguments)
    both(cedar_scoring._summed)(*arguments)


def test_trees_that_ask_for_what_is_not_there_are_refused() -> None:
    scorer = cedar._TABLE.first
    arguments = (scorer.rows, scorer.thresholds, scorer.questions, scorer.begins, scorer.leaves)
    with pytest.raises(IndexError):
        cedar_scoring._summed(np.zeros((1, 4), np.float32), *arguments)


@given(keys=st.lists(st.integers(0, 40) | st.integers(0, (1 << 64) - 1), max_size=200))
@MODEST
def test_equal_keys_are_found(keys: list[int]) -> None:
    both(cedar_columns.firsts)(np.array(keys, np.uint64))


def test_keys_made_to_collide_are_told_apart_in_time() -> None:
    inverse = pow(0xBF58476D1CE4E5B9, -1, 1 << 64)
    keys = np.arange(60_000, dtype=np.uint64) % np.uint64(50_000) * np.uint64(inverse)
    both(cedar_columns.firsts)(keys)


@given(
    scores=st.lists(st.integers(-(1 << 40), 1 << 40) | st.integers(-40, 40), min_size=1, max_size=80),
    likely=st.booleans(),
)
@MODEST
def test_choices_among_any_scores_are_the_same(scores: list[int], likely: bool) -> None:
    given_scores = np.array(scores, np.int64)
    units = np.abs(given_scores) % 7
    both(cedar_choice._chosen)(given_scores, units, likely, cedar_choice.STEPS)


def test_likelihoods_are_those_of_log_odds() -> None:
    scores = np.unique(np.concatenate([cedar_choice.STEPS + step for step in (-1, 0, 1)]))
    scores = np.concatenate((scores, [-(10**9), -300_000, 300_000, 10**9]))
    odds = np.exp(np.clip(scores / -cedar_model.UNIT, -30, 30))
    expected = np.rint(1000 / (1 + odds))
    assert (cedar_choice.likelihood(scores, cedar_choice.STEPS) == expected).all()


@pytest.mark.parametrize("count", [1, 7, 8, 9, 127, 128, 129, 2001])
def test_sums_are_added_in_the_same_order(count: int) -> None:
    chance = np.random.default_rng(count)
    values = (chance.standard_normal((3, count)) * 10.0 ** chance.integers(-8, 8, (3, count))).astype(
        np.float32
    )
    both(cedar_kinds._sums)(values, chance.random(count) * 1e5)


def test_lookup_finds_its_keys_and_no_others() -> None:
    numbers = {key(name): number for number, name in enumerate(["a", "b", "div", "textarea", "main"])}
    found = lookup(numbers).find(np.array([*numbers, 0, 1, key("c"), (1 << 64) - 1], np.uint64))
    assert found.tolist() == [0, 1, 2, 3, 4, -1, -1, -1, -1]
