"""ISO-2022-JP is written as EUC-JP as escape sequences and tables say."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import iso_2022_jp as oracle
from transforms.decode._iso_2022_jp import to_euc_jp
from transforms.decode.charset import decode_text

PIECES = st.one_of(
    st.binary(max_size=5),
    st.sampled_from(
        [b"\x1b(B", b"\x1b(I", b"\x1b(J", b"\x1b$@", b"\x1b$B", b"\x1b", b"\x1b(", b"\x1b$", b"\x1b$C"]
    ),
    st.sampled_from(
        [b'$"', b"1234", b"\x7e\x7f", b"_`", b"!", b" ", b"\x0e\x0f", b"\x1b\x1b(B", b"\n", b"text"]
    ),
)


@given(st.lists(PIECES, max_size=12).map(b"".join), st.booleans())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_bytes_are_written_as_tables_write_them(body: bytes, final: bool) -> None:
    assert to_euc_jp(body, final) == oracle.to_euc_jp(body, final)


def test_every_byte_in_every_set() -> None:
    for escape in (b"", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B"):
        body = escape + b"".join(bytes((b, 0x41)) for b in range(256))
        assert to_euc_jp(body, True) == oracle.to_euc_jp(body, True)


@pytest.mark.parametrize("unit", [b"1", b"\x1b(Ia", b"\x1b$B", b"\x1b"])
def test_4_mb_of_one_thing_take_little_time(unit: bytes) -> None:
    body = b"\x1b(I" + unit * (4_000_000 // len(unit))
    start = time.process_time()
    decode_text(body, header_label="iso-2022-jp", truncated=False)
    assert time.process_time() - start < 0.7
