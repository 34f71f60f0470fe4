"""The fields of heads, next to what regular expressions find."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.model._fields import fields
from tests.helpers.shapes import assert_linear
from tests.oracles import fields as oracle

PARTS = (
    b"a",
    b"B-c",
    b"!",
    b":",
    b" ",
    b"\t",
    b"\r\n",
    b"\n",
    b"\r",
    b"\xe9",
    b"\xc3\xa9",
    b"\0",
    b"/",
    b"x y",
)


@given(
    st.lists(st.sampled_from(PARTS), max_size=40).map(b"".join),
    st.integers(-2, 50),
    st.integers(-2, 90),
    st.sampled_from([None, frozenset({"a", "b-c"}), frozenset({"b-c", "!"}), frozenset()]),
    st.booleans(),
)
def test_fields_are_those_that_regular_expressions_find(
    block: bytes, start: int, stop: int, names: frozenset[str] | None, utf8: bool
) -> None:
    found = oracle.fields(block[max(0, start) : max(0, stop)], utf8)
    wanted = tuple(one for one in found if names is None or one[0] in names)
    assert fields(block, start, stop, names, utf8) == wanted


@pytest.mark.parametrize("unit", [b"a:\n ", b"a\n", b"a", b"a:b\n", b"a: \n", b"\n "])
def test_heads_of_any_shape_are_read_in_linear_time(unit: bytes) -> None:
    assert_linear(lambda block: fields(block, 0, len(block)), lambda size: unit * (size // len(unit)), 2**18)
