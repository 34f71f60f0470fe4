"""Python's codec for UTF-8: what `transforms.decode._utf8` is held to."""

from __future__ import annotations

import codecs


def survey(body: bytes, final: bool) -> tuple[int, int, bool]:
    """Look a page over as UTF-8."""
    try:
        text, stop = codecs.utf_8_decode(body, "strict", final)
    except UnicodeDecodeError as error:
        return error.start, -1, False
    return stop, len(text), b"\0" in body or b"\x1b" in body


def weigh(body: bytes) -> tuple[int, int]:
    """Weigh what is UTF-8 in a page against what is not."""
    text = body.decode("utf-8", "replace")
    own = body.count("\ufffd".encode())  # its first byte never goes on with another sequence
    wrong = text.count("\ufffd") - own
    return sum(character > "\x7f" for character in text) - wrong, wrong
