"""What kind of page it is, and what follows for the choice of blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.cedar import kinds
from cedar.transforms.extractors.cedar._choice import choose
from cedar.transforms.extractors.cedar.model import KINDS, UNIT
from tests.oracles import cedar_choice

SAME = np.array([[0.0, 0.0], [1.0, 1.0]])


def scores(**given_scores: float) -> np.ndarray:
    return np.array([round(UNIT * given_scores.get(kind, -8.0)) for kind in KINDS])


@given(st.lists(st.integers(-(1 << 40), 1 << 40) | st.integers(-40_000, 40_000), min_size=5, max_size=5))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_of_what_claims_the_whole_and_more_each_kind_has_its_part(some: list[int]) -> None:
    likely = [cedar_choice.likelihood(score) for score in some]
    parts = [one * 1000 // max(sum(likely), 1000) for one in likely]
    of_one_text = parts[KINDS.index("article")] + parts[KINDS.index("product")]
    is_one_text = max(some[KINDS.index(kind)] for kind in ("thread", "listing", "reference")) <= 0
    expected = 1000 if is_one_text else 200 + 800 * of_one_text // 1000
    assert kinds.shared_doubt(np.array(some, np.int64)) == expected


def test_a_page_that_two_kinds_claim_is_half_of_each() -> None:
    assert kinds.shared_doubt(scores(thread=8)) == 200
    assert kinds.shared_doubt(scores(article=8, listing=8)) == 600
    assert kinds.shared_doubt(scores(article=8, product=8)) == 1000


@pytest.mark.parametrize("kind", ["thread", "listing", "reference"])
def test_all_doubt_is_one_unless_the_page_is_likely_of_many_parts(kind: str) -> None:
    assert kinds.shared_doubt(scores()) == kinds.shared_doubt(scores(**{kind: 0.0})) == 1000
    assert kinds.shared_doubt(scores(**{kind: 1 / UNIT})) == 200


@pytest.mark.parametrize(
    ("doubtful", "shared", "stays"), [(0.45, 0, True), (0.45, 1000, False), (0.6, 1000, True)]
)
def test_what_is_in_doubt_together_stays_where_it_is_likelier_content(
    doubtful: float, shared: int, stays: bool
) -> None:
    odds = round(UNIT * float(np.log(doubtful / (1 - doubtful))))
    found = choose(
        np.array([90_000, odds, odds, -90_000]),
        np.array([900, 500, 400, 900]),
        shared=shared,
        calibration=SAME,
    )
    assert found.kept.tolist() == [True, stays, stays, False]


def test_the_likeliest_blocks_stay_where_none_is_likely() -> None:
    found = choose(np.array([-80_000, -60_000, -90_000]), np.full(3, 10), shared=500, calibration=SAME)
    assert found.kept.tolist() == [False, True, False]
    assert 0 <= found.confidence < 0.05
