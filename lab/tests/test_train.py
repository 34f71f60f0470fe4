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
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
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


def test_sums_of_bins_are_those_of_a_plain_loop() -> None:
    chance = np.random.default_rng(5)
    bins = chance.integers(0, 5, (3, 60)).astype(np.uint8)
    leaf, slope, curve = chance.integers(0, 4, 60).astype(np.uint8), chance.random(60), chance.random(60)
    found = boosting._histograms(bins, leaf, (slope, curve), (4, 5))
    for column, which, value in np.ndindex(3, 4, 5):
        rows = np.flatnonzero((leaf == which) & (bins[column] == value))
        assert found[column, which, value, 0] == sum(slope[rows].tolist())
        assert found[column, which, value, 1] == sum(curve[rows].tolist())


def test_a_word_of_a_lesson_is_a_word_of_the_measure() -> None:
    text = "ภาษาไทย ดี ｶﾅ 々〆 Caf&eacute; a_b"
    assert examples.tokens(text) == TextTokens.of(text).lowered


def test_a_level_asks_what_its_halves_are_worth_by_the_ridge_of_the_rows_seen() -> None:
    """Two questions: one parts 2 rows of slope 1, the other 8 rows of slope .6, out of 16; the rest is 0."""
    bins = np.zeros((2, 16), np.uint8)
    bins[0, :2], bins[1, 2:10] = 1, 1
    slope, curve = np.repeat([1.0, 0.6, 0.0], (2, 8, 6)), np.full(16, 0.25)

    def worth(rows: Flags, ridge: float) -> float:
        return sum(
            float(slope[half].sum()) ** 2 / (float(curve[half].sum()) + ridge) for half in (rows, ~rows)
        )

    for share, ridge in ((1.0, 1.0), (0.2, 1.0), (0.05, 1.0), (0.2, 40.0)):
        plan = BoostingPlan(trees=1, depth=1, ridge=ridge, rows=share)
        best = int(np.argmax([worth(row == 1, ridge * share) for row in bins]))
        assert boosting._questions(bins, np.array([1, 1]), slope, curve, plan) == [(best, 0)]


def test_as_many_values_as_bins_have_an_edge_each() -> None:
    values = np.arange(8, dtype=np.float32)
    assert boosting._edges(values, 8).tolist() == values[:-1].tolist()
    assert boosting._edges(values, 9).tolist() == values[:-1].tolist()
    assert boosting._edges(values, 7).size < 7


def a_page(
    copy: str = "as it is", *, file: str = "a", kind: str = "article", group: str = "g", **more: Any
) -> Any:
    return SimpleNamespace(origin=CopyOfPage(file=file, group=group, copy=copy, kind=kind), **more)


def test_pages_of_one_kind_and_copies_with_other_texts_say_little_of_kinds() -> None:
    copies = ("as it is", "without attributes", "cut off", "short")
    pages = [a_page(copy, file=file) for file in "ab" for copy in copies]
    pages.append(a_page(file="a", kind="thread"))
    weights = train._kind_weights(pages)
    assert weights[:4].tolist() == [1, 0.6, 0.6, 0.15]
    assert weights[4:8] == pytest.approx([0.2, 0.12, 0.12, 0.03])
    assert weights[8:].tolist() == [1]


def test_a_page_that_is_no_article_weighs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    some = {"shares": np.array([0.0, 1.0, 0.5]), "lengths": np.array([4.0, 0.0, 3.0])}
    pages = [a_page(**some), a_page("short", **some), a_page("cut off", kind="thread", **some)]
    asked = []

    def read(path: Path, *, title_apart: bool) -> list[Any]:
        asked.append((path, title_apart))
        return pages

    monkeypatch.setattr(train.examples, "read", read)
    lessons = train.gather([train._source("a::apart"), train._source("b:2")])
    assert asked == [(Path("a"), True), (Path("b"), False)]
    assert lessons.page_weights == pytest.approx([1, 0.5, 0.96, 2, 1, 1.92])
    assert lessons.starts.tolist() == [0, 3, 6, 9, 12, 15, 18]
    assert lessons.row_weights[:3] == pytest.approx([4.5 / 8.5, 0.5 / 8.5, 3.5 / 8.5])
    assert [part.sum() for part in np.split(lessons.row_weights, lessons.starts[1:-1])] == pytest.approx(
        lessons.page_weights
    )


def test_rows_are_scored_by_trees_that_did_not_see_their_part(monkeypatch: pytest.MonkeyPatch) -> None:
    folds = np.array([0, 1, 0, 3 - 1, 1])
    target, weight = np.arange(5.0), np.arange(5.0) + 10

    def grow(data: object, rows: Offsets, targets: Floats, weights: Floats, plan: object) -> Any:
        assert (targets.tolist(), weights.tolist()) == (target[rows].tolist(), weight[rows].tolist())
        return SimpleNamespace(scores=lambda _, asked: asked * 0.00016 + rows.sum())

    monkeypatch.setattr(boosting, "grow", grow)
    found = train._unseen(None, folds, target, weight, train.KIND)  # type: ignore[arg-type]
    unit = model.UNIT
    assert found.tolist() == [
        round(unit * (row * 0.00016 + sum(np.flatnonzero(folds != folds[row])))) for row in range(5)
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


def test_trees_find_what_decides_and_are_the_same_again() -> None:
    generator = np.random.default_rng(3)
    values = generator.random((4000, 5)).astype(np.float32)
    target = ((values[:, 1] > 0.4) & (values[:, 3] < 0.7)).astype(float)
    data = boosting.binned(tuple("abcde"), values)
    rows, plan = np.arange(4000), BoostingPlan(trees=25, depth=2, rate=0.3, rows=0.5, columns=0.9)
    grown = boosting.grow(data, rows, target, np.ones(4000), plan)
    assert ((grown.scores(data, rows) > 0) == (target > 0.5)).mean() > 0.98
    forest = grown.forest(data)
    asked = Scorer(forest).scores(
        np.ascontiguousarray(values.T[[data.names.index(name) for name in forest.columns]])
    )
    assert asked / model.UNIT == pytest.approx(grown.scores(data, rows), abs=0.01)
    again = boosting.grow(data, rows, target, np.ones(4000), plan)
    assert np.array_equal(again.leaves, grown.leaves)
    assert np.array_equal(again.features, grown.features)


@pytest.mark.slow
def test_a_table_is_learned_from_a_file_and_is_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = BoostingPlan(trees=6, rows=0.8)
    for name in ("FIRST", "KIND", "SECOND"):
        monkeypatch.setattr(train, name, small)
    lines = []
    for number, language in enumerate(SENTENCES):
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
    assert table.first.features.shape == (6, 4)
    assert "vote.likely" in table.second.columns or any(n.startswith("vote") for n in table.second.columns)
