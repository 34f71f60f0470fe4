"""Whether bytes are UTF-8, how many characters they are, and whether NUL or ESC is among them."""

from __future__ import annotations

import codecs

from transforms.compiled import compiled


@compiled
def survey(body: bytes, final: bool) -> tuple[int, int, bool]:
    """Look a page over once, as UTF-8; no text is made of it.

    Source: RFC 3629, as Python's strict codec has it: no surrogates, nothing beyond U+10FFFF, no sequence
    longer than it need be.

    Args:
        body: the bytes.
        final: False where the page is cut: an incomplete sequence at its end is then no error.

    Returns:
        stop: how many bytes are valid; less than all where there is an error, or an incomplete end.
        chars: code points of these; -1 where there is an error.
        marked: whether there is a NUL or an ESC; False where there is an error.
    """
    try:
        text, stop = codecs.utf_8_decode(body, "strict", final)
    except UnicodeDecodeError as error:
        return error.start, -1, False
    return stop, len(text), b"\0" in body or b"\x1b" in body
