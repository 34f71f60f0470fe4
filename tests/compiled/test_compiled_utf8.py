"""The compiled survey of UTF-8 says what Python's codec says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.decode.utf8 import survey

defined = getattr(survey, "__wrapped__", survey)

LEADS = bytes([0x00, 0x1B, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF])
MORE = bytes([0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF])
odd_bytes = st.lists(st.sampled_from(LEADS + MORE), max_size=12).map(bytes)
pieces = st.one_of(
    odd_bytes,
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace")),
    st.integers(0, 200).map(lambda count: b"a" * count),
    st.sampled_from(
        [b"\xef\xbf\xbd", b"\xf0\x9f\x98\x80", b"\xe4\xb8\xad", b"<meta charset=x>", b"\0", b"\x1b"]
    ),
)


@settings(derandomize=True, deadline=None, max_examples=600)
@given(st.lists(pieces, max_size=12).map(b"".join), st.booleans())
def test_odd_sequences_among_text(body: bytes, final: bool) -> None:
    assert survey(body, final) == defined(body, final)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(min_size=1, max_size=200), st.integers(0, 4), st.booleans())
def test_text_that_is_cut(text: str, cut: int, final: bool) -> None:
    body = text.encode("utf-8", "replace") * 3
    body = body[: len(body) - cut]
    assert survey(body, final) == defined(body, final)


@pytest.mark.parametrize("final", [True, False])
def test_every_pair_of_bytes(final: bool) -> None:
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for behind in (b"", b"\x80", b"\xbf\xbf", b"\xbf\xbfa"):
                body = bytes((first, second)) + behind
                assert survey(body, final) == defined(body, final), body


@pytest.mark.parametrize("at", [0, 1, 7, 8, 63, 64, 65, 127, 128, 199])
@pytest.mark.parametrize("byte", [b"\0", b"\x1b", b"\xff", b"\xc3\xa9"])
def test_what_matters_is_seen_wherever_it_stands(at: int, byte: bytes) -> None:
    body = b"a" * at + byte + b"a" * (200 - at)
    assert survey(body, True) == defined(body, True)


def test_nothing_is_valid() -> None:
    assert survey(b"", True) == (0, 0, False)
