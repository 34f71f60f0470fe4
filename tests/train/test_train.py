"""Learning the table of `cedar`."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.train import alignment, boosting
from pipelines.train import command as train
from pipelines.train.boosting import BoostingPlan
from tests.extractors.cedar.pages import SENTENCES, article
from transforms.extractors.cedar import model
from transforms.extractors.cedar._forest import Scorer

words = st.lists(st.sampled_from("abcd"), max_size=14)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(words, words)
def test_the_common_subsequence_is_common_and_longest(left: list[str], right: list[str]) -> None:
    in_left, in_right = alignment.common(left, right)
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
    shares = alignment.content_shares([moved, first, ["x", "y"]], first + moved)
    assert shares.tolist() == [1, 1, 0]


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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    gold = tmp_path / "gold.jsonl.zst"
    gold.write_bytes(zstandard.compress("\n".join(lines).encode()))
    outputs = []
    for attempt in range(2):
        output = tmp_path / f"{attempt}.json"
        assert train.main(["--gold", f"{gold}:1:apart", "--table-version", "7", "--output", str(output)]) == 0
        outputs.append(output.read_text())
    assert outputs[0] == outputs[1]
    table = model.parse(outputs[0])
    assert table.version == "7"
    assert table.first.features.shape == (6, 4)
    assert "vote.likely" in table.second.columns or any(n.startswith("vote") for n in table.second.columns)
