"""Escape sequences by an expression, runs by table: what `transforms.decode._iso_2022_jp` is held to."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\x1b(\([BIJ]|\$[@B])")
_ASCII = bytes(b if b < 0x80 and b not in (0x0E, 0x0F, 0x1B) else 0xFF for b in range(256))
_DOUBLE = bytes(b | 0x80 if 0x21 <= b <= 0x7E else _ASCII[b] for b in range(256))
_KATAKANA = bytes(
    b | 0x80 if 0x21 <= b <= 0x5F else 0xFF if 0x60 <= b <= 0x7E else _ASCII[b] for b in range(256)
)


def to_euc_jp(body: bytes, final: bool) -> bytes:
    """Write text in ISO-2022-JP as EUC-JP."""
    if not final:
        cut = body.rfind(b"\x1b", max(len(body) - 2, 0))
        body = body if cut < 0 else body[:cut]
    parts = _ESCAPE.split(body)
    euc = [parts[0].translate(_ASCII)]
    for escape, run in zip(parts[1::2], parts[2::2], strict=True):
        if escape.startswith(b"$"):
            euc.append(run.translate(_DOUBLE))
        elif escape == b"(I":
            euc.append(re.sub(rb"[\xa1-\xdf]", b"\x8e\\g<0>", run.translate(_KATAKANA)))
        else:
            euc.append(run.translate(_ASCII))
    return b"".join(euc)
