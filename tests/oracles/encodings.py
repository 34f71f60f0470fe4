"""Decoders of the WHATWG Encoding Standard, byte by byte: what malformed text in several bytes is held to.

The indexes are those of `cedar.transforms.decode.encodings`, asked for one sequence at a time; over all
sequences their sums are in tests/decode.
"""

from __future__ import annotations

from cedar.transforms.decode.encodings import REPLACEMENT, decode

_ENDS = {b"B": "ascii", b"J": "roman", b"I": "katakana"}


def text_of(body: bytes, encoding: str) -> str:
    """Decode a whole text, sections 10.2 to 13.3 of the Standard."""
    if encoding == "iso-2022-jp":
        return _iso_2022_jp(body)
    written, at = [], 0
    while at < len(body):
        length = _length(body, at, encoding)
        text = _one(body[at : at + length], encoding)
        if text is None:  # an error, after which ASCII is read again; of four bytes of GB18030, nothing is
            is_whole_range = encoding in ("gb18030", "gbk") and length > 1 and body[at + 1 : at + 2].isdigit()
            if not is_whole_range:
                length = 1 + sum(byte >= 0x80 for byte in body[at + 1 : at + length])
            text = REPLACEMENT
        written.append(text)
        at += length
    return "".join(written)


def _one(sequence: bytes, encoding: str) -> str | None:
    text, replaced = decode(sequence, encoding)
    return None if replaced else text


def _length(body: bytes, at: int, encoding: str) -> int:
    """Bytes that are read before it is decided what they are."""
    lead, rest = body[at], body[at + 1 : at + 4]
    if encoding == "euc-jp":
        is_lead = lead in (0x8E, 0x8F) or 0xA1 <= lead <= 0xFE
        return 3 if lead == 0x8F and rest and 0xA1 <= rest[0] <= 0xFE else 1 + is_lead
    if encoding == "shift_jis":
        return 1 + (0x81 <= lead <= 0x9F or 0xE0 <= lead <= 0xFC)
    if encoding in ("gb18030", "gbk") and 0x81 <= lead <= 0xFE and rest[:1].isdigit():
        is_whole = all(
            low <= byte <= high
            for byte, low, high in zip(rest, (0x30, 0x81, 0x30), (0x39, 0xFE, 0x39), strict=False)
        )
        return 1 + len(rest) if is_whole else 1
    return 1 + (0x81 <= lead <= 0xFE)


def _iso_2022_jp(body: bytes) -> str:
    written, at, state, just_escaped = [], 0, "ascii", False
    while at < len(body):
        escape = body[at : at + 3]
        if (escape[:2] == b"\x1b(" and escape[2:] in _ENDS) or escape in (b"\x1b$@", b"\x1b$B"):
            written += REPLACEMENT * just_escaped
            state, just_escaped, at = _ENDS.get(escape[2:], "double"), True, at + 3
            if escape[1:2] == b"$":
                state = "double"
            continue
        byte, just_escaped, at = body[at], False, at + 1
        if state == "double":
            trail = body[at : at + 1]
            if not 0x21 <= byte <= 0x7E or trail in (b"", b"\x1b"):
                written.append(REPLACEMENT)
                continue
            at += 1
            pair = _one(bytes((byte | 0x80, trail[0] | 0x80)), "euc-jp") if 0x21 <= trail[0] <= 0x7E else None
            written.append(pair or REPLACEMENT)
        elif state == "katakana":
            written.append(chr(byte - 0x21 + 0xFF61) if 0x21 <= byte <= 0x5F else REPLACEMENT)
        elif byte >= 0x80 or byte in (0x0E, 0x0F, 0x1B):
            written.append(REPLACEMENT)
        else:
            written.append({"\\": "¥", "~": "‾"}.get(chr(byte), chr(byte)) if state == "roman" else chr(byte))
    return "".join(written)
