"""The compiled way from a byte a character to UTF-8 gives what Python's codecs give."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode._single_byte import to_utf8
from tests.oracles import single_byte as oracle

WESTERN = bytes(range(256)).decode("cp1252", "replace")
ODD = "".join(chr(i ^ 1) for i in range(128)) + "".join(chr(0x7C0 + i) for i in range(127)) + "\ufffd"
characters = st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])
tables = st.one_of(st.sampled_from([WESTERN, ODD]), st.text(characters, min_size=256, max_size=256))
pieces = st.one_of(st.binary(max_size=20), st.integers(0, 40).map(lambda count: b"<p>" * count))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(pieces, max_size=10).map(b"".join), tables)
def test_any_bytes_by_any_table(body: bytes, table: str) -> None:
    assert to_utf8(body, table) == oracle.to_utf8(body, table)


@pytest.mark.parametrize("table", [WESTERN, ODD])
def test_every_byte_at_every_place_of_a_word(table: str) -> None:
    for start in range(9):
        body = b"a" * start + bytes(range(256)) + b"a" * start
        assert to_utf8(body, table) == oracle.to_utf8(body, table)


def test_nothing_becomes_nothing() -> None:
    assert to_utf8(b"", WESTERN) == (b"", 0)
