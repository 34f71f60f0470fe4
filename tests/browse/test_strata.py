"""Samples by strata."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.browse.rows import sample_evenly


@given(st.lists(st.integers(0, 6), max_size=200), st.integers(1, 250))
def test_strata_are_chosen_from_alike_and_no_room_is_left(kinds: list[int], number: int) -> None:
    codes = np.array(kinds, np.int32)
    chosen = sample_evenly(codes, number)
    assert chosen.size == min(number, codes.size)
    assert (np.diff(chosen) > 0).all()
    sizes, taken = (np.bincount(of, minlength=7) for of in (codes, codes[chosen]))
    cut = taken[taken < sizes]
    assert not cut.size or taken.max() <= cut.min() + 1  # only what is whole has fewer


def test_rows_of_a_stratum_are_evenly_spaced() -> None:
    assert sample_evenly(np.zeros(100, np.int32), 4).tolist() == [12, 37, 62, 87]
