"""What `cedar` finds in pages of any shape is what plain loops find there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.cedar import _choice, _features, model
from cedar.transforms.extractors.cedar._forest import Scorer
from cedar.transforms.extractors.cedar._votes import vote
from cedar.transforms.extractors.cedar._writer import write
from cedar.transforms.extractors.cedar.columns import BLOCK_COLUMNS, VOTES
from cedar.transforms.extractors.segments._arithmetic import firsts
from cedar.transforms.extractors.segments._page import SegmentedPage
from cedar.transforms.extractors.segments.names import ELEMENTS, GROUPS
from tests.extractors.cedar.fragments import PAGES, PAGES_OF_PARTS
from tests.extractors.cedar.pages import SENTENCES, article
from tests.oracles import cedar_choice, cedar_columns, cedar_pages, cedar_votes

MODEST = settings(derandomize=True, max_examples=60, deadline=None)
SMALL = [
    *(
        "",
        ".",
        "<",
        "&",
        "\x00",
        "<p",
        "<p>",
        "<p>a",
        "é",
        "<pre>\n a\n\n b \n</pre>.",
        "a&nbsp0à &nbspb c\x7fd",
    ),
    "<p /class=/class=fooBar/id=x>a<p class='a\"b'>b",
    "<td>a<tr><td>b<li>c<table><tr><td>d</div>e</table>f",
    "<div>a</p></span>b</div>c<h1>d<h2>e</h2>f",
    "<title>Of the sea and land - It</title>x<div><h2>Of the sea<h2>Of the sea and land</h2><p>A<h3>y</h3>z",
    "<title>Of the sea and land - Site</title><p>x<div>Of the sea and land<p>A. B</div><h1>y</h1>z<h1>u</h1>",
    "<title>Other</title><p>x<div><h1>Of the sea</h1><p>A. B</div>z<p>x<p>x ",
]


CARDS = "".join(
    f"<li class=card><img src={i}.png><h3><a href=/{i}>Rope {i}</a></h3><p>${i}.50<p>{i % 3} m{' of tow' * i}"
    for i in range(1, 12)
)
FACTS = "".join(f"<tr><th>Measure {i}<td>{i} kg{'<td>or so' * (i == 4)}" for i in range(5))
POSTS = "".join(
    f"<div class=post><b class=name>rower{i}</b><br>9:0{i}<p>{SENTENCES['en'] * i}<p>Yes.</p></div>"
    for i in range(5)
)
FORM = (
    "<form><p>Name<input><p>Town<input type=text><select><option>a<option>b</select>"
    "<p>Send<input type=submit></form>"
)


@pytest.mark.parametrize("cut", [1, 3, 9])
def test_parts_of_pages_are_found_as_plain_loops_find_them(cut: int) -> None:
    page = (
        f"<html><body><h1>Ropes</h1><ul>{CARDS}</ul><table>{FACTS}</table><div>{POSTS}</div>{FORM}<p>The end."
    )
    check(page)
    check(page[: len(page) * cut // 10])


@given(page=PAGES_OF_PARTS)
@MODEST
def test_forms_cards_and_facts_of_any_shape_are_read_as_plain_loops_read_them(page: str) -> None:
    check(page)


def test_rows_of_facts_have_cells_and_forms_have_fields() -> None:
    page = SegmentedPage(f"<html><body><h1>Ropes</h1><table>{FACTS}</table>{FORM}".encode())
    values = dict(zip(BLOCK_COLUMNS, _features.measure(page), strict=False))
    label, value, name = (
        [page.blocks.read(block) for block in range(page.blocks.count)].index(text)
        for text in ("Measure 2", "2 kg", "Name")
    )
    assert values["item.count"][label] == 5
    assert (values["cell.texts"][label], values["cell.digits"][value]) == (1, 1)
    assert (values["field.after"][name], values["field.in_form"][name]) == (1, 3)


def check(page: str) -> None:
    """Holds all that is found in a page against plain loops."""
    html = page.encode()
    found, plain = SegmentedPage(html), cedar_pages.read(html)
    check_blocks(found, plain)
    check_elements(found, plain)
    if plain.blocks:
        check_columns(found, plain)


@pytest.mark.parametrize("others", [62, 63, 64])
@pytest.mark.parametrize("tag", ["h2", "p"])
def test_the_first_64_headings_and_texts_are_compared_with_the_title(tag: str, others: int) -> None:
    head = "<html lang=en><head><title>Of the sea and land</title></head><body>"
    texts = [*(f"Other words stand in text {i}" for i in range(others)), "Of the sea and land"]
    page = head + "".join(f"<{tag}>{text}</{tag}>" for text in texts) + f"<div>{SENTENCES['en']}</div>"
    assert SegmentedPage(page.encode()).title_match.block == (others if others < 64 else -1)
    check(page)


def check_blocks(found: SegmentedPage, plain: cedar_pages.Page) -> None:
    blocks = found.blocks
    assert found.markup.title == plain.title
    assert [blocks.read(i) for i in range(blocks.count)] == [block.shown for block in plain.blocks]
    assert list(blocks.first_gaps) == [block.first_gap for block in plain.blocks]
    assert list(blocks.last_gaps) == [block.last_gap for block in plain.blocks]
    assert list(blocks.word_tenths) == [block.words for block in plain.blocks]
    assert list(blocks.chars) == [block.chars for block in plain.blocks]
    assert list(blocks.linked) == [block.linked for block in plain.blocks]


def check_elements(found: SegmentedPage, plain: cedar_pages.Page) -> None:
    elements, number = found.elements, {id(element): i for i, element in enumerate(plain.elements)}
    assert ["", *(ELEMENTS[code] for code in list(elements.codes)[1:])] == [e.name for e in plain.elements]
    assert list(elements.parents) == [number[id(e.parent or e)] for e in plain.elements]
    assert list(elements.opens) == [e.opens for e in plain.elements]
    assert list(elements.closes) == [e.closes for e in plain.elements]
    assert list(elements.nearest) == [number[id(e)] for e in plain.nearest]
    assert list(elements.hidden) == [e.hidden for e in plain.elements]
    groups = [{name for bit, name in enumerate(GROUPS) if mask >> bit & 1} for mask in list(elements.groups)]
    assert groups == [e.groups for e in plain.elements]
    signatures = np.asarray(elements.signatures)
    for i, one in enumerate(plain.elements):
        for j, other in enumerate(plain.elements[:i]):
            assert (signatures[i] == signatures[j]) == (one.signature == other.signature)


def check_columns(found: SegmentedPage, plain: cedar_pages.Page) -> None:
    values = _features.measure(found)
    wanted = cedar_columns.columns(plain, found.schemas)
    assert set(wanted) == set(BLOCK_COLUMNS)
    for name in BLOCK_COLUMNS:
        column = values[BLOCK_COLUMNS.index(name)]
        np.testing.assert_array_equal(column, np.array(wanted[name], np.float32), err_msg=name)
    scores = (np.arange(len(plain.blocks)) * 7919 % 61 - 30) * 1500
    room = np.empty((len(VOTES), scores.size), np.float32)
    vote(found, scores, room)
    wanted = cedar_votes.votes(plain, scores.tolist())
    assert set(wanted) == set(VOTES)
    for name, column in zip(VOTES, room, strict=True):
        np.testing.assert_array_equal(column, np.array(wanted[name], np.float32), err_msg=name)


@pytest.mark.slow
@given(page=PAGES)
@settings(MODEST, max_examples=120)
def test_pages_of_any_shape_are_read_as_plain_loops_read_them(page: str) -> None:
    check(page)


@pytest.mark.parametrize("page", SMALL)
def test_small_pages_are_read_as_plain_loops_read_them(page: str) -> None:
    check("<html lang=en><body>" + page)


@pytest.mark.parametrize("language", SENTENCES)
def test_articles_are_read_as_plain_loops_read_them(language: str) -> None:
    check(article(language))
    check(article(language, styled=False)[:-400])


def test_texts_that_repeat_are_counted() -> None:
    page = SegmentedPage(b"<p>The same text</p><p>another text</p><p>The same text</p><p>The same text.</p>")
    values = dict(zip(BLOCK_COLUMNS, _features.measure(page), strict=False))
    assert values["same.texts"].tolist() == [2, 1, 2, 1]
    assert values["same.again"].tolist() == [0, 0, 1, 0]


@given(page=PAGES, seed=st.integers(0, 1 << 30))
@MODEST
def test_what_stays_is_written_block_by_block(page: str, seed: int) -> None:
    html = page.encode()
    found, plain = SegmentedPage(html), cedar_pages.read(html)
    kept = np.random.default_rng(seed).random(len(plain.blocks)) < 0.7
    lines: list[str] = []
    row = None
    for block, element, stays in zip(plain.blocks, plain.nearest, kept, strict=True):
        if not stays or not block.shown:
            continue
        is_cell = element.name in ("td", "th") and element.last - element.first == 1
        around = element.parent if is_cell and element.parent and element.parent.name == "tr" else None
        if around is not None and around is row:
            lines[-1] += "\t" + block.shown
        else:
            lines.append(block.shown)
        row = around
    text, words, count, share = write(found, kept)
    chars = np.asarray(found.blocks.chars)
    assert (count, share) == (kept.sum(), chars[kept].sum() / max(chars.sum(), 1))
    assert text.decode() == "\n".join(lines)
    assert words == len(text.decode().split())


def grown(chance: np.random.Generator, columns: int, trees: int, greatest: int) -> model.Forest:
    """Trees that grew by chance."""
    sizes = chance.integers(1, 40, trees)
    questions, leaves = int(sizes.sum()), int(sizes.sum()) + trees
    return model.Forest(
        columns=tuple(map(str, range(columns))),
        stops=sizes.cumsum(),
        features=chance.integers(0, columns, questions),
        thresholds=chance.choice(np.array([-1, 0, 0.5, 1], np.float32), questions),
        parted=np.concatenate([chance.integers(0, np.arange(1, size + 1)) for size in sizes]).astype(
            np.uint8
        ),
        leaves=chance.choice([-greatest, 1 - greatest, 0, greatest - 1], leaves).astype(np.int32),
    )


@given(
    seed=st.integers(0, 1 << 30),
    blocks=st.sampled_from([0, 1, 2, 63, 64, 65, 128, 300]),
    greatest=st.sampled_from([3, 1 << 15, 1_000_000]),
)
@settings(MODEST, max_examples=40)
def test_scores_are_sums_over_plain_walks_down_the_trees(seed: int, blocks: int, greatest: int) -> None:
    chance = np.random.default_rng(seed)
    columns = int(chance.integers(1, 6))
    forest = grown(chance, columns, int(chance.integers(1, 30)), greatest)
    some = np.array([-np.inf, -1, 0, 0.5, 1, np.inf, np.nan], np.float32)
    values = chance.choice(some, (columns, blocks))
    scorer = Scorer(forest)
    found = scorer.scores(values).tolist()
    scorer.is_wide = False  # as on machines that cannot
    assert found == scorer.scores(values).tolist()
    assert found == [cedar_choice.score(forest, values[:, block].tolist()) for block in range(blocks)]


def test_what_columns_add_sums_to_the_score() -> None:
    chance = np.random.default_rng(4)
    forest = replace(grown(chance, 3, 20, 9_000), columns=("a.x", "b.y", "a.z"))
    values = chance.choice(np.array([-1, 0, 0.5, 1, 2], np.float32), (3, 50))
    names, added = model.cues(forest, values)
    assert names == ("a", "b", "base")
    assert added.sum(0) == pytest.approx(Scorer(forest).scores(values) / model.UNIT)
    # A column that no tree asks about adds nothing; without questions about a group all of it is in the base.
    alone = replace(forest, features=np.ones_like(forest.features))
    assert model.cues(alone, values)[0] == ("b", "base")


def test_trees_that_do_not_fit_together_are_refused() -> None:
    forest = model.packaged().first
    with pytest.raises(ValueError, match="1 columns instead of the"):
        Scorer(forest).scores(np.zeros((1, 4), np.float32))
    for broken in (
        {"features": forest.features + len(forest.columns)},
        {"parted": np.full_like(forest.parted, 255)},
        {"stops": forest.stops[:-1]},
        {"thresholds": forest.thresholds[1:]},
        {"leaves": np.full_like(forest.leaves, 1 << 30)},
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            replace(forest, **broken)  # type: ignore[arg-type]


@given(
    scores=st.lists(st.integers(-(1 << 40), 1 << 40) | st.integers(-40, 40), min_size=1, max_size=80),
    shared=st.integers(0, 1000),
)
@MODEST
def test_the_best_set_is_found_among_all(scores: list[int], shared: int) -> None:
    words = [abs(score) % 7 for score in scores]
    points = np.sort(np.random.default_rng(shared).random((3, 2)), axis=0)
    found, calibrated = (
        _choice.choose(np.array(scores), np.array(words), shared=shared, calibration=calibration)
        for calibration in (np.array([[0.0, 0.0], [1.0, 1.0]]), points)
    )
    wanted, wanted_f1 = cedar_choice.choose(scores, words, shared=shared)
    assert set(np.flatnonzero(found.kept).tolist()) == wanted
    assert found.threshold == min(scores[block] for block in wanted) / model.UNIT
    assert found.confidence == pytest.approx(wanted_f1, abs=1e-12)
    assert calibrated.confidence == np.interp(found.confidence, points[:, 0], points[:, 1])
    assert found.likeliest == max(map(cedar_choice.likelihood, scores))
    assert found.tenths == sum(words[block] for block in wanted)


def test_likelihoods_are_those_of_log_odds() -> None:
    near = np.linspace(-320_000, 320_000, 20_001).astype(np.int64)
    scores = np.concatenate((near, [-(10**9), 10**9, 0]))
    assert _choice.likelihoods(scores).tolist() == [
        cedar_choice.likelihood(score) for score in scores.tolist()
    ]


@given(keys=st.lists(st.integers(0, 40) | st.integers(0, (1 << 64) - 1), max_size=200))
@MODEST
def test_equal_keys_are_found(keys: list[int]) -> None:
    assert firsts(np.array(keys, np.uint64).view(np.int64)).tolist() == [keys.index(key) for key in keys]


def test_keys_made_to_collide_are_told_apart_in_time() -> None:
    inverse = pow(0xBF58476D1CE4E5B9, -1, 1 << 64)
    numbers = np.arange(60_000, dtype=np.uint64) % np.uint64(50_000)
    found = firsts((numbers * np.uint64(inverse)).view(np.int64))
    assert np.array_equal(found, numbers.astype(np.int64))


@pytest.mark.parametrize("count", [1, 7, 8, 9, 127, 2001])
def test_means_are_those_of_words_and_of_blocks(count: int) -> None:
    chance = np.random.default_rng(count)
    values = (chance.standard_normal((3, count)) * 10.0 ** chance.integers(-4, 4, (3, count))).astype(
        np.float32
    )
    words = chance.integers(0, 5000, count)
    weights = np.maximum(words, 1)
    found = _features.means(values, words)[:, 0]
    assert found[:3] == pytest.approx(values.astype(float) @ weights / weights.sum(), rel=1e-6)
    assert found[3:] == pytest.approx(values.astype(float).mean(1), rel=1e-6)
    asked = _features.means(values, words, np.array([0, 1, 0], np.uint8))[:, 0]
    assert asked.tolist() == [0, found[1], 0, 0, found[4], 0]
