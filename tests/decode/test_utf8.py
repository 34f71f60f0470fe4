"""The compiled survey of UTF-8 says what Python's codec says, and so do its weights."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode._utf8 import survey, weigh
from tests.oracles import utf8 as oracle

LEADS = bytes([0x00, 0x1B, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF])
MORE = bytes([0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF])
odd_bytes = st.lists(st.sampled_from(LEADS + MORE), max_size=12).map(bytes)
pieces = st.one_of(
    odd_bytes,
    st.text(max_size=20).map(lambda text: text.encode("utf-8", "replace")),
    st.integers(0, 200).map(lambda count: b"a" * count),
    st.sampled_from(["\ufffd".encode(), "😀".encode(), "中".encode(), b"<meta charset=x>", b"\0", b"\x1b"]),
)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.lists(pieces, max_size=12).map(b"".join), st.booleans())
def test_odd_sequences_among_text(body: bytes, final: bool) -> None:
    assert survey(body, final) == oracle.survey(body, final)
    assert weigh(body) == oracle.weigh(body)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(min_size=1, max_size=200), st.integers(0, 4), st.booleans())
def test_text_that_is_cut(text: str, cut: int, final: bool) -> None:
    body = text.encode("utf-8", "replace") * 3
    body = body[: len(body) - cut]
    assert survey(body, final) == oracle.survey(body, final)


@pytest.mark.parametrize("final", [True, False])
def test_every_pair_of_bytes(final: bool) -> None:
    for first in range(0x80, 0x100):
        for second in range(0x100):
            for after in (b"", b"\x80", b"\xbf\xbf", b"\xbf\xbfa"):
                body = bytes((first, second)) + after
                assert survey(body, final) == oracle.survey(body, final), body
                assert weigh(body) == oracle.weigh(body), body


@pytest.mark.parametrize("at", [0, 1, 7, 8, 63, 64, 65, 127, 128, 199])
@pytest.mark.parametrize("byte", [b"\0", b"\x1b", b"\xff", b"\xc3\xa9"])
def test_what_matters_is_seen_wherever_it_stands(at: int, byte: bytes) -> None:
    body = b"a" * at + byte + b"a" * (200 - at)
    assert survey(body, True) == oracle.survey(body, True)


def test_nothing_is_valid() -> None:
    assert survey(b"", True) == (0, 0, False)
    assert weigh(b"") == (0, 0, 0)


def test_what_is_right_and_what_is_wrong_is_counted_by_character() -> None:
    assert weigh("aé漢💩\ufffd".encode() + b"\xff" + "漢".encode()[:2] + b"a") == (4, 2, 1)


def test_halves_of_a_surrogate_pair_are_no_bytes_of_their_own() -> None:
    assert weigh(b"a\xed\xa0\xbd\xed\xb8\x80b") == (0, 6, 0)
    assert weigh(b"\xed\xa0") == (0, 2, 2)


def test_every_beginning_of_a_sequence_of_four_bytes() -> None:
    for second in range(0x80, 0xC0, 7):
        for lead in b"\xe0\xed\xef\xf0\xf1\xf4\xf5":
            whole = bytes((lead, second, 0x80, 0xBF))
            for cut in range(1, 5):
                for after in (b"", b"a", b"\xc3\xa9"):
                    body = whole[:cut] + after
                    assert weigh(body) == oracle.weigh(body), body
