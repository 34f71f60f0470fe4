"""Mappings of few numbers: they say what a dictionary of the same would say."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.model.costs import Cost
from cedar.transforms.model.summaries import Packed


@given(st.dictionaries(st.text(), st.integers(0, 2**53)))
def test_counts_are_those_that_were_given(counts: dict[str, int]) -> None:
    packed = Packed(tuple(counts), list(counts.values()), int)
    assert packed == counts
    assert dict(packed) == counts
    assert list(packed) == list(counts)
    assert pickle.loads(pickle.dumps(packed)) == counts
    with pytest.raises(KeyError):
        packed["".join(counts) + "?"]


def test_values_of_several_numbers_are_made_of_them() -> None:
    costs = {"read": Cost(0.5, 1.0), "write": Cost(2.25, 0.0)}
    packed = Packed(("read", "write"), [0.5, 1.0, 2.25, 0.0], Cost)
    assert packed == costs
    assert repr(packed) == repr(costs)
