"""Learning the table of `cedar`."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.cedar._forest import Scorer
from cedar.transforms.extractors.html.characters import Offsets
from cedar.transforms.scoring.metrics import TextTokens
from lab.train import __main__ as train
from lab.train import boosting, examples
from lab.train.boosting import BoostingPlan
from lab.train.examples import CopyOfPage
from tests.extractors.cedar.pages import SENTENCES, article

words = st.lists(st.sampled_from("abcd"), max_size=14)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(words, words)
def test_the_common_subsequence_is_common_and_longest(left: list[str], right: list[str]) -> None:
    in_left, in_right = examples.common(left, right)
    found = [word for word, mark in zip(left, in_left, strict=True) if mark]
    assert found == [word for word, mark in zip(right, in_right, strict=True) if mark]
    lengths = np.zeros((len(left) + 1, len(right) + 1), int)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            same = lengths[i, j] + 1
            lengths[i + 1, j + 1] = same if a == b else max(lengths[i, j + 1], lengths[i + 1, j])
    assert len(found) == lengths[-1, -1]


def test_a_block_that_stands_elsewhere_in_the_text_counts() -> None:
    first = [f"a{i}" for i in range(40)]
    moved = [f"b{i}" for i in range(25)]
    shares = examples.content_shares([moved, first, ["x", "y"]], first + moved)
    assert shares.tolist() == [1, 1, 0]


def test_a_word_of_a_lesson_is_a_word_of_the_measure() -> None:
    text = "ภาษาไทย ดี ｶﾅ 々〆 Caf&eacute; a_b"
    assert examples.tokens(text) == TextTokens.of(text).lowered


def a_page(
    copy: str = "as it is", *, file: str = "a", kind: str = "article", group: str = "g", **more: Any
) -> Any:
    return SimpleNamespace(origin=CopyOfPage(file=file, group=group, copy=copy, kind=kind), **more)


def test_a_page_that_is_no_article_weighs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    some = {"shares": np.array([0.0, 1.0, 0.5]), "lengths": np.array([4.0, 0.0, 3.0])}
    pages = [a_page(**some), a_page("short", **some), a_page("cut off", kind="thread", **some)]
    asked = []

    def read(path: Path, *, title_apart: bool) -> list[Any]:
        asked.append((path, title_apart))
        return pages

    old = a_page("short, old markup", **some)
    monkeypatch.setattr(train.examples, "read", read)
    monkeypatch.setattr(train.examples, "short_in_old_markup", lambda page: old)
    lessons = train.gather([train._source("a::apart"), train._source("b:2")])
    assert asked == [(Path("a"), True), (Path("b"), False)]
    assert lessons.page_weights == pytest.approx([1, 0.5, 0.96, 2, 1, 1.92, 1])
    assert lessons.starts.tolist() == [0, 3, 6, 9, 12, 15, 18, 21]
    assert lessons.row_weights[:3] == pytest.approx([4.5 / 8.5, 0.5 / 8.5, 3.5 / 8.5])
    assert [part.sum() for part in np.split(lessons.row_weights, lessons.starts[1:-1])] == pytest.approx(
        lessons.page_weights
    )


def test_rows_are_scored_by_trees_that_did_not_see_their_part() -> None:
    folds, values = np.array([0, 1, 0, 2, 1]), np.arange(5, dtype=np.float32)[None]

    def grow(plan: object, seen: Offsets) -> model.Forest:
        return model.Forest(
            columns=("a",),
            stops=np.array([1]),
            features=np.array([0]),
            thresholds=np.array([2.5], np.float32),
            parted=np.zeros(1, np.uint8),
            leaves=np.array([0, 100], np.int32) + np.int32(seen.sum()),
        )

    rows: Any = SimpleNamespace(names=("a",), values=values, grow=grow)
    found = train._unseen(rows, folds, train.KIND)
    assert found.tolist() == [
        sum(np.flatnonzero(folds != folds[row])) + 100 * (row > 2.5) for row in range(5)
    ]


def test_the_f1_of_a_page_is_that_of_bags_of_words() -> None:
    page: Any = SimpleNamespace(block_words=(("a", "b"), ("c",), ("a", "d")), gold=("a", "a", "c", "x"))
    assert train._f1(page, np.array([True, False, True])) == pytest.approx(2 * 2 / (4 + 4))
    assert train._f1(page, np.array([False, True, False])) == pytest.approx(2 * 1 / (1 + 4))
    assert train._f1(page, np.zeros(3, bool)) == 0
    assert train._f1(SimpleNamespace(block_words=((),), gold=()), np.array([True])) == 1  # type: ignore[arg-type]


def test_what_is_expected_is_pooled_where_it_would_fall() -> None:
    expected = np.arange(16) / 16
    reached = np.repeat([0.1, 0.5, 0.3, 0.2, 0.6, 0.9, 0.8, 1.0], 2)
    found = train._calibration(expected, reached)
    assert found[:, 1] == pytest.approx([0.1, 1 / 3, 0.6, 0.85, 1.0], abs=1e-4)
    assert found[1, 0] == pytest.approx(expected[2:8].mean(), abs=1e-4)


TREES = """tree
version=v4

Tree=0
num_leaves=3
split_feature=4 1
threshold=1.0000000180025095e-35 0.25
left_child=-1 -2
right_child=1 -3
leaf_value=0.5 -0.25 1.5


Tree=1
num_leaves=1
leaf_value=0.125


Tree=2
num_leaves=4
split_feature=1 0 4
threshold=7.5 2.5000000000000004 3
left_child=1 2 -1
right_child=-2 -3 -4
leaf_value=1 2 3 4


end of trees
"""


def test_the_trees_of_lightgbm_part_leaf_after_leaf() -> None:
    found = boosting.forest(tuple("abcde"), TREES)
    assert found.columns == ("a", "b", "e")
    assert found.stops.tolist() == [2, 5]
    assert found.features.tolist() == [2, 1, 1, 0, 2]
    assert found.thresholds.tolist() == pytest.approx([0, 0.25, 7.5, 2.5, 3])
    assert found.parted.tolist() == [0, 1, 0, 0, 0]
    assert found.leaves.tolist() == [6_250, -1_250, 16_250, 10_000, 20_000, 30_000, 40_000]
    with pytest.raises(ValueError, match="too few rows"):
        boosting.forest(tuple("abcde"), "\n\nTree=0\nnum_leaves=1\nleaf_value=0.125\n")


def test_trees_find_what_decides_and_are_the_same_again() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    generator = np.random.default_rng(3)
    values = generator.random((5, 4000)).astype(np.float32)
    target = ((values[1] > 0.4) & (values[3] < 0.7)).astype(float)
    plan = BoostingPlan(trees=25, leaves=4, rate=0.3, rows=0.5, columns=0.9, min_rows=20)
    names, weights = tuple("abcde"), generator.random(4000) + 0.5
    texts = []
    for _ in range(2):
        rows = boosting.Rows.of(names, values, shares=target, weights=weights, plan=plan)
        texts.append(lightgbm.train(plan.options(), rows.data, plan.trees).model_to_string())
    assert texts[0] == texts[1]
    found = Scorer(model.aligned(rows.grow(plan), names)).scores(values)
    assert ((found > 0) == (target > 0.5)).mean() > 0.98
    theirs = lightgbm.Booster(model_str=texts[0]).predict(values.T, raw_score=True)
    assert found / model.UNIT == pytest.approx(theirs, abs=0.01)


def test_old_markup_has_neither_classes_nor_elements_of_html_5() -> None:
    new = b"<main id=a><article class='b c' style=d><h1>One</h1><sectional></article></main><FOOTER\nrole=x>"
    assert examples.in_old_markup(new) == b"<div><div><h1>One</h1><sectional></div></div><div>"
    wanted = examples.tokens("One")
    origin = CopyOfPage(file="a", group="g", copy="short", kind="article")
    short = examples._example(new, origin, wanted, gold=wanted, title_apart=True)
    assert short
    old = examples.short_in_old_markup(short)
    assert old
    assert (old.origin.copy, old.gold, old.title_apart) == ("short, old markup", ("one",), True)
    assert old.page.source.original == examples.in_old_markup(new)


def test_teasers_stand_beside_a_short_article_and_are_no_content_there() -> None:
    rows = "".join(
        f"<li><h3>Item {number}</h3><p>{number} more of these words</p></li>" for number in range(9)
    )
    around = "Home Shop Help Cart Account " * 4
    listing = f"<body><nav>{around}</nav><main><ul>{rows}</ul></main><footer>About us all</footer>"
    text = " ".join(f"Item {number} {number} more of these words" for number in range(9))
    words = examples.tokens(text)
    origin = CopyOfPage(file="a", group="g", copy="as it is", kind="listing")
    page = examples._example(listing.encode(), origin, words, gold=words, title_apart=False)
    assert page
    found = examples.teasers(page)
    assert found
    assert found.decode().startswith("<main>")
    assert found.decode().endswith("</main>")
    story = "<body><nav>Home Shop</nav><article><h1>A bridge</h1><p>It opens</p></article>"
    wanted = examples.tokens("A bridge It opens")
    short = examples._example(story.encode(), origin, wanted, gold=wanted, title_apart=False)
    assert short
    for number, order in enumerate(("<main>", "<article>")):
        beside = examples.among_teasers(short, found, number)
        assert beside
        html = beside.page.source.original.decode()
        assert html.index(order) == min(html.index("<main>"), html.index("<article>"))
        assert beside.origin.copy == "among teasers"
        content = [
            word for block in np.flatnonzero(beside.shares > 0.5) for word in beside.block_words[block]
        ]
        assert content == wanted


@pytest.mark.slow
def test_a_table_is_learned_from_a_file_and_is_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("lightgbm")
    small = BoostingPlan(trees=6, leaves=4, rate=0.3, rows=0.8, min_rows=2)
    for name in ("FIRST", "KIND", "SECOND"):
        monkeypatch.setattr(train, name, small)
    lines = []
    for number, language in enumerate(list(SENTENCES) * 5):
        text = "\n".join(f"{k} {SENTENCES[language] * 4}" for k in range(1, 7))
        page = base64.b64encode(article(language, styled=number % 2 == 0).encode()).decode()
        kind = ("article", "forum", "listing", "product", "service")[number % 5]
        record = {"url": f"http://{language}.example/", "text": text, "html_b64": page, "page_type": kind}
        lines.append(json.dumps(record | {"url": f"http://{language}{number}.org/"}))
    gold = []
    for name, some in (("one_a", lines[::2]), ("two_b", lines[1::2])):
        path = tmp_path / f"{name}.jsonl.zst"
        path.write_bytes(zstandard.compress("\n".join(some).encode()))
        gold += ["--gold", f"{path}:1:apart"]
    outputs = []
    for again in range(2):
        output = tmp_path / f"{again}.json"
        assert train.main([*gold, "--table-version", "7", "--output", str(output)]) == 0
        outputs.append(output.read_text())
    said = capsys.readouterr().err
    assert said.count("sites not seen: one, as it is: ") == 2
    assert said.count("sites not seen: two, short: ") == 2
    assert said.count(f"SHA-256 {hashlib.sha256(outputs[0].encode()).hexdigest()}") == 2
    assert outputs[0] == outputs[1]
    table = model.parse(outputs[0])
    assert table.version == "7"
    assert table.first.stops.size <= 6
    assert "vote.likely" in table.second.columns or any(n.startswith("vote") for n in table.second.columns)
