"""Strings from outside, as columns and messages can hold them."""

import re

MAX_DETAIL_CHARS = 500
"""Characters of an error's message that are kept: it may hold half the page."""

_NOT_TEXT = re.compile("[\ud800-\udfff]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def valid_text(text: str) -> str:
    """Make a string valid text: lone surrogates become U+FFFD; control characters but blanks are left out."""
    if text.isprintable():  # which is most often so, and costs less than a search
        return text
    return _NOT_TEXT.sub(lambda found: "\ufffd" if found[0] >= "\ud800" else "", text)


def describe(error: BaseException) -> str:
    """Name an error and what it says, in valid text of at most `MAX_DETAIL_CHARS` characters.

    Code of others raises it, whose `__str__` may fail in any way, too.
    """
    name = type(error).__name__
    try:
        message = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:  # noqa: BLE001 - it is named
        message = f"a message that cannot be read: {type(second).__name__}"
    return valid_text(f"{name}: {message}" if message else name)[:MAX_DETAIL_CHARS]
