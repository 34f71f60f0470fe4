"""Globs over the names of a store, which has no directories to step through."""

from __future__ import annotations

import re
from collections.abc import Iterator

from transforms.files.storage import RemoteStorage, StoredFile
from transforms.files.walk import has_magic

_PART = re.compile(r"\*\*|\*|\?|\[!?\]?[^]/]*\]|[^*?[]+|\[")


def find(storage: RemoteStorage, pattern: str) -> Iterator[StoredFile]:
    """Find the files that a URI names, in the order of the store; raise OSError where it cannot be listed.

    It is a file; a directory, with a slash at its end, of which all below is meant; or a glob of `*`, `?` and
    `[...]`, which stand for no slash, and `**`, which stands for anything.
    """
    if not has_magic(pattern) and not pattern.endswith("/"):
        try:
            yield storage.stat(pattern)
        except FileNotFoundError:
            return
        return
    expression = compiled_glob(pattern + "**" if pattern.endswith("/") else pattern)
    for file in storage.below(fixed_part(pattern)):
        if expression.fullmatch(file.path):
            yield file


def fixed_part(pattern: str) -> str:
    """Return what a glob begins with before its first character that stands for others."""
    return re.split(r"[*?[]", pattern, maxsplit=1)[0]


def compiled_glob(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a glob; it is held against whole names."""
    return re.compile("".join(map(_translated, _PART.findall(pattern))), re.DOTALL)


def _translated(part: str) -> str:
    """One part of a glob as a regular expression."""
    if part == "**":
        return ".*"
    if part == "*":
        return "[^/]*"
    if part == "?":
        return "[^/]"
    if part.startswith("[") and len(part) > 1:
        inside = part[1:-1]
        negated = inside.startswith("!")
        allowed = re.sub(r"([\\\[\]&~|^])", r"\\\1", inside.removeprefix("!"))
        return f"(?!/)[{'^' if negated else ''}{allowed}]"
    return re.escape(part)
