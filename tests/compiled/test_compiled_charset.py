from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_pages import agree

from transforms.decode import charset

_EDGES = bytes.fromhex("61 80 8f 90 9f a0 bf c1 c2 df e0 e1 ed ef f0 f1 f4 f5 ff")


@pytest.mark.parametrize("final", [False, True])
def test_all_short_sequences_of_bytes_at_the_edges_of_ranges(final: bool) -> None:
    for size in range(4):
        for data in map(bytes, itertools.product(_EDGES, repeat=size)):
            assert agree(charset._utf8, data, final), data


@settings(max_examples=300)
@given(
    st.lists(st.text(max_size=6) | st.just("a" * 70), max_size=8).map("".join),
    st.integers(0, 4),
    st.booleans(),
)
def test_text_cut_anywhere(text: str, cut: int, final: bool) -> None:
    data = text.encode("utf-8", "replace")
    assert agree(charset._utf8, data[: len(data) - cut], final)


@given(
    st.lists(st.sampled_from([b"a" * 64, b"a" * 63, b"\xc3\xa9", b"\xff", b"\xe6\xbc"]), max_size=6).map(
        b"".join
    )
)
def test_what_is_invalid_is_found_where_it_begins(data: bytes) -> None:
    assert agree(charset._utf8, data, True)
    assert agree(charset._utf8, data, False)
