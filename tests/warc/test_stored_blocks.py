"""Stored blocks of deflate that may hold the byte after some bytes of a member."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.warc._stored_blocks import may_be_stored
from tests.oracles import stored_blocks


def header(length: int) -> bytes:
    return length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little")


@settings(max_examples=300, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(0, 400))
def test_as_defined(seed: int, size: int) -> None:
    chance = random.Random(seed)
    before = bytearray(chance.randbytes(size))
    for _ in range(chance.randrange(3)):
        at = chance.randrange(size + 1)
        before[at : at + 5] = bytes([chance.choice((0, 1, 0x3F, 0x40, 0xFF))]) + header(chance.randrange(500))
    assert may_be_stored(bytes(before)) is stored_blocks.may_be_stored(bytes(before))


@pytest.mark.parametrize("length", [1, 63, 64, 65, 65_534, 65_535])
def test_a_block_holds_the_byte_after_as_long_as_its_length_reaches_so_far(length: int) -> None:
    for first in (b"\0", b"\1", b"text and \x3f"):
        begun = first + header(length)
        assert may_be_stored(begun + bytes(range(7)) * 10_000) is False
        assert may_be_stored(begun + b"x" * (length - 1)) is True
        assert may_be_stored(begun + b"x" * length) is False
    assert may_be_stored(b"\x40" + header(length)) is False


def test_plain_text_shows_none() -> None:
    text = " ".join(f"the mill of {n} ground corn" for n in range(2_000)).encode()
    assert may_be_stored(text) is False
