"""Globs and searched directories: the files below a directory, and the matches of a pattern.

Links are followed, but never around in a circle.
"""

import errno
import fnmatch
import os
import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cedar.transforms.files.input_kinds import SEARCHED, is_hidden
from cedar.transforms.files.storage import Storage, StoredFile

_MAGIC = re.compile(r"[*?[]")
_PART = re.compile(r"\*\*|\*|\?|\[!?\]?[^]/]*\]|[^*?[]+|\[")


def walk(top: str, exclude: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """Yield each directory from `top` on, and its files, in the order of names, hidden ones left out.

    Directories that links lead to come last, and none comes twice. Raises OSError for a directory that cannot
    be read.
    """
    seen = set() if exclude is None else {os.path.realpath(exclude)}
    waiting, links = [top], deque[str]()
    while waiting or links:
        directory = waiting.pop() if waiting else links.popleft()
        real = os.path.realpath(directory)
        if real in seen:
            continue
        seen.add(real)
        files, below = [], []
        with suppress(FileNotFoundError):  # gone since it was listed
            with os.scandir(directory) as found:
                entries = sorted(found, key=lambda entry: entry.name)
            for entry in entries:
                if not _is_directory(entry):
                    files.append(entry.path)
                elif entry.is_symlink() and not is_hidden(entry.name):
                    links.append(entry.path)
                elif not is_hidden(entry.name):
                    below.append(entry.path)
            yield directory, files
        waiting += reversed(below)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link to itself
            return False
        raise


def expand_glob(pattern: str) -> list[str]:
    """Return what an absolute glob matches, in the order of names; `**` stands for any number of directories.

    Hidden names are matched only where the pattern has the dot. Raises OSError for a directory that cannot be
    read.
    """
    parts = pattern.strip("/").split("/")
    if parts[-1] == "**":
        parts.append("*")
    paths = [""]
    for part in parts:
        directories = [path for path in paths if Path(path or "/").is_dir()]
        if part == "**":
            paths = [below.rstrip("/") for path in directories for below, _ in walk(path or "/")]
        elif has_magic(part):
            paths = [f"{path}/{name}" for path in directories for name in _matching_names(path or "/", part)]
        else:
            paths = [f"{path}/{part}" for path in directories if os.path.lexists(f"{path}/{part}")]
    return paths


def has_magic(path: str) -> bool:
    """Tell whether a path has characters of a glob."""
    return _MAGIC.search(path) is not None


def fixed_part(pattern: str) -> str:
    """Return what precedes the first character of a glob."""
    return _MAGIC.split(pattern, maxsplit=1)[0]


def _matching_names(directory: str, part: str) -> list[str]:
    with os.scandir(directory) as entries:
        names = sorted(entry.name for entry in entries)
    may_be_hidden = part.startswith(".")
    return [
        name for name in names if fnmatch.fnmatchcase(name, part) and (may_be_hidden or not is_hidden(name))
    ]


def hidden_archives(top: str) -> Iterator[str]:
    """Yield archives below a directory that a search leaves out, because they or directories are hidden."""
    for directory, folders, files in os.walk(top):
        is_below_hidden = "/." in directory[len(top) :]
        folders.sort()
        for name in sorted(files):
            if (is_below_hidden or is_hidden(name)) and name.lower().endswith(SEARCHED[0]):
                yield f"{directory}/{name}"


def find_objects(storage: Storage, pattern: str) -> Iterator[StoredFile]:
    """Find the files that a URI names, in the order of the store; raise OSError if it cannot be listed.

    It is a file; a directory, with a slash at its end, for all files below it; or a glob of `*`, `?` and
    `[...]`, which stand for no slash, and `**`, which stands for anything.
    """
    if not has_magic(pattern) and not pattern.endswith("/"):
        with suppress(FileNotFoundError):
            yield storage.stat(pattern)
        return
    parts = _PART.findall(pattern + "**" if pattern.endswith("/") else pattern)
    expression = re.compile("".join(map(_translated, parts)), re.DOTALL)
    yield from (file for file in storage.below(fixed_part(pattern)) if expression.fullmatch(file.path))


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
