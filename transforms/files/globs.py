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
    fixed = re.split(r"[*?[]", pattern, maxsplit=1)[0]
    parts = _PART.findall(pattern + "**" if pattern.endswith("/") else pattern)
    expression = re.compile("".join(map(_translated, parts)), re.DOTALL)
    yield from (file for file in storage.below(fixed) if expression.fullmatch(file.path))


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
