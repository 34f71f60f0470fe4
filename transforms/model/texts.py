"""Strings from outside, as columns and messages can hold them; how packages of an extra are installed."""

import re
import shlex


def install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra, and does not install Cedar again."""
    from importlib.metadata import requires

    is_wanted = re.compile(f"extra == ['\"]{extra}['\"]")
    lines = (line.partition(";") for line in requires("cedar-corpus") or ())
    packages = [name.strip() for name, _, marker in lines if is_wanted.search(marker)]
    return shlex.join(["pip", "install", *packages])


MOST_DETAIL = 500
"""Characters of an error's message that are kept: it may hold half the page."""

_NOT_TEXT = re.compile("[\ud800-\udfff]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def valid_text(text: str) -> str:
    """Make a string valid text: lone surrogates become U+FFFD; control characters but blanks are left out."""
    if text.isprintable():  # which is most often so, and costs less than a search
        return text
    return _NOT_TEXT.sub(lambda found: "\ufffd" if found[0] >= "\ud800" else "", text)


def describe(error: BaseException) -> str:
    """Name an error and what it says, in valid text of at most `MOST_DETAIL` characters.

    Code of others raises it, whose `__str__` may fail in any way, too.
    """
    name = type(error).__name__
    try:
        said = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:  # noqa: BLE001 - it is named
        said = f"a message that cannot be read: {type(second).__name__}"
    return valid_text(f"{name}: {said}" if said else name)[:MOST_DETAIL]
