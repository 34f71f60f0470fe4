"""Python's codec for UTF-8: what `cedar.transforms.decode._utf8` is held to."""

from __future__ import annotations

import codecs
import re
from functools import partial


def survey(body: bytes, final: bool) -> tuple[int, int, bool]:
    """Look a page over as UTF-8."""
    try:
        text, stop = codecs.utf_8_decode(body, "strict", final)
    except UnicodeDecodeError as error:
        return error.start, -1, False
    return stop, len(text), b"\0" in body or b"\x1b" in body


def weigh(body: bytes) -> tuple[int, int, int]:
    """Weigh what is UTF-8 in a page against what is not, and count the bytes that are wrong by themselves."""
    text = body.decode("utf-8", "replace")
    own = body.count("\ufffd".encode())  # its first byte never goes on with another sequence
    wrong = text.count("\ufffd") - own
    alone: list[int] = []
    with_surrogates = re.sub(_SURROGATE, lambda found: b"a" * len(found[0]), body)
    codecs.register_error("alone", partial(_replaced, alone))
    with_surrogates.decode("utf-8", "alone")
    return sum(character > "\x7f" for character in text) - wrong, wrong, len(alone)


_SURROGATE = rb"\xed[\xa0-\xbf][\x80-\xbf]"


def _replaced(alone: list[int], error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    if error.end - error.start == 1:
        alone.append(error.start)
    return "\ufffd", error.end
