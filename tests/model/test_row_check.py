"""What a column cannot hold is found, whatever else the row has."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.model.columns import Column, RowCheck

KINDS = ("string", "int32", "int64", "timestamp", "float32", "float64", "bool")
YEARS = -62_135_596_800_000_000, 253_402_300_799_999_999
BORDERS = [bound + step for bound in (*YEARS, 0, 2**31, -(2**31), 2**63, -(2**63)) for step in (-1, 0, 1)]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(BORDERS),
    st.integers(),
    st.floats(),
    st.sampled_from([3.4e38, -3.5e38, 3.4028235677973366e38]),
    st.text(st.characters() | st.characters(categories=["Cs"]), max_size=5),
    st.sampled_from(["", b"a", "\ud800", "é", (1,)]),
)


def is_held(kind: str, value: Any) -> bool:
    """Whether a column of the kind holds the value."""
    if value is None or kind == "bool":
        return True
    if kind == "string":
        return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)
    if kind in ("float32", "float64"):
        is_wide = kind == "float32" and isinstance(value, int | float) and math.isfinite(value)
        return isinstance(value, int | float) and not (is_wide and abs(value) >= 2**128 - 2**103)
    bits = 31 if kind == "int32" else 63
    least, most = YEARS if kind == "timestamp" else (-(2**bits), 2**bits - 1)
    return isinstance(value, int) and least <= value <= most


@given(st.lists(st.tuples(st.sampled_from(KINDS), VALUES), min_size=1, max_size=6))
def test_the_first_value_that_its_column_cannot_hold_is_named(row: list[tuple[str, Any]]) -> None:
    columns = tuple(Column(f"c{place}", kind, True, "") for place, (kind, _) in enumerate(row))
    try:
        held = [is_held(kind, value) for kind, value in row]
    except OverflowError:  # of a whole number that is no float
        held = []
    fault = RowCheck(columns).fault(tuple(value for _, value in row))
    if held:
        assert (fault is None) == all(held)
        assert fault is None or fault.startswith(f"c{held.index(False)} ({row[held.index(False)][0]}): ")


@pytest.mark.parametrize("value", ["\ud800", 7])
def test_a_column_that_was_encoded_before_is_looked_at_only_where_another_is_at_fault(value: object) -> None:
    columns = (Column("text", "string", False, ""), Column("number", "int32", False, ""))
    check = RowCheck(columns, apart="text")
    assert check.fault((value, 1)) is None
    assert str(check.fault((value, 2**31))).startswith("text (string): ")
