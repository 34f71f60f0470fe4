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


_PACKAGES = {"cchardet": "faust-cchardet", "yaml": "pyyaml"}
"""Packages that are called otherwise than their modules."""


def missing_package(fault: ModuleNotFoundError) -> str | None:
    """Say which package of Cedar's is missing and how to install it; None if it is a module of another."""
    from importlib.metadata import requires

    module = (fault.name or "").partition(".")[0]
    package = _PACKAGES.get(module, module.replace("_", "-"))
    lines = (line.partition(";") for line in requires("cedar-corpus") or ())
    wanted = [name.strip() for name, _, marker in lines if "extra ==" not in marker]
    found = [line for line in wanted if re.match(rf"{re.escape(package)}\b(?!-)", line, re.IGNORECASE)]
    if not package or not found:
        return None
    return f"{package}, which is not installed: {shlex.join(['pip', 'install', *found])}"


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
        said = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:  # noqa: BLE001 - it is named
        said = f"a message that cannot be read: {type(second).__name__}"
    return valid_text(f"{name}: {said}" if said else name)[:MAX_DETAIL_CHARS]
