"""Directories and globs: of local directories each once, through links, and never around in a circle."""

from __future__ import annotations

import errno
import fnmatch
import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from transforms.files.storage import RemoteStorage, StoredFile

_MAGIC = frozenset("*?[")
_PART = re.compile(r"\*\*|\*|\?|\[!?\]?[^]/]*\]|[^*?[]+|\[")

Identity = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path below a directory, or one that a glob matches.

    Attributes:
        path: the path, spelled from where the search began.
        is_directory: whether it is a directory, or a link to one.
        linked: a component of the path after the start of the search is a link.
        dead: it is a link that leads nowhere.
    """

    path: str
    is_directory: bool
    linked: bool
    dead: bool = False


def identity_of(stat: os.stat_result) -> Identity:
    """Device and inode of a file: the same for each of its names."""
    return stat.st_dev, stat.st_ino


def walk(top: str, exclude: str | None, passing: set[str]) -> Iterator[FoundPath]:
    """Find all but directories below a directory, but for hidden names, in the order of names.

    What no link leads to comes first; then come the directories that only links lead to, each once. Paths in
    `passing` are passed over, and taken out of it. Raises OSError where a directory cannot be read.
    """
    for _, entries in _directories(top, exclude, passing):
        yield from (found for found in entries if not found.is_directory and not _is_hidden(found.path))


def has_magic(path: str) -> bool:
    """Tell whether a path has characters of a glob."""
    return not _MAGIC.isdisjoint(path)


def matches(pattern: str, passing: set[str]) -> Iterator[FoundPath]:
    """Find what a glob matches, in the order of names; `**` stands for any number of directories.

    Hidden names are matched only where the pattern has the dot. Paths in `passing` are passed over, and taken
    out of it. Raises OSError.
    """
    parts = pattern.strip("/").split("/")
    if parts[-1] == "**":
        parts.append("*")
    places = [FoundPath("", is_directory=True, linked=False)]
    for part in parts:
        places = [found for place in places if place.is_directory for found in _step(place, part, passing)]
    yield from places


def _step(place: FoundPath, part: str, passing: set[str]) -> Iterator[FoundPath]:
    """Yield what one component of a pattern matches in a directory."""
    directory = place.path or "/"
    if part == "**":
        for below, _ in _directories(directory, None, set()):
            yield FoundPath(below.path.rstrip("/"), is_directory=True, linked=place.linked or below.linked)
    elif has_magic(part):
        for found in _entries(directory, place.linked, passing):
            name = found.path.rpartition("/")[2]
            if fnmatch.fnmatchcase(name, part) and (part.startswith(".") or not _is_hidden(name)):
                yield found
    else:
        path = f"{place.path}/{part}"
        if os.path.lexists(path):
            yield FoundPath(path, os.path.isdir(path), place.linked, not os.path.exists(path))  # noqa: PTH110, PTH112


def _directories(
    top: str, exclude: str | None, passing: set[str]
) -> Iterator[tuple[FoundPath, list[FoundPath]]]:
    """Walk a directory and all below it, with what is in them, each once: first what no link leads to."""
    seen: set[Identity] = set()
    if exclude is not None:
        with suppress(OSError):
            seen.add(identity_of(os.stat(exclude)))  # noqa: PTH116
    waiting = [FoundPath(top, is_directory=True, linked=False)]
    links: deque[FoundPath] = deque()
    while waiting or links:
        directory = waiting.pop() if waiting else links.popleft()
        # What goes between the listing and the question is no longer there to be read.
        with suppress(FileNotFoundError):
            identity = identity_of(os.stat(directory.path))  # noqa: PTH116
            if identity in seen:
                continue
            seen.add(identity)
            entries = _entries(directory.path, directory.linked, passing)
            yield directory, entries
            below = [found for found in entries if found.is_directory and not _is_hidden(found.path)]
            links += [found for found in below if found.linked and not directory.linked]
            waiting += [found for found in reversed(below) if directory.linked or not found.linked]


def _entries(directory: str, linked: bool, passing: set[str]) -> list[FoundPath]:
    """Return what is in a directory, in the order of names, but for what is passed over."""
    with os.scandir(directory) as found:
        entries = {entry.path: entry for entry in found}
    passed = passing & entries.keys()
    passing -= passed
    return [_found(entries[path], linked) for path in sorted(entries.keys() - passed)]


def _found(entry: os.DirEntry[str], linked: bool) -> FoundPath:
    is_link = entry.is_symlink()
    try:
        is_directory = entry.is_dir()
        dead = is_link and not is_directory and not os.path.exists(entry.path)  # noqa: PTH110
    except OSError as fault:
        # A link that leads to itself leads nowhere.
        if fault.errno != errno.ELOOP:
            raise
        is_directory, dead = False, True
    return FoundPath(entry.path, is_directory, linked or is_link, dead)


def _is_hidden(path: str) -> bool:
    return path.rpartition("/")[2].startswith(".")


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
