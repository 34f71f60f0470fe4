"""Places of files: one name for each, and whether one is, holds or lies in another, whatever leads there."""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Literal

from cedar.transforms.files.storage import is_uri

Identity = tuple[int, int]
"""Device and inode."""

Relation = Literal["is", "lies in", "holds"]


def identity_of(stat: os.stat_result) -> Identity:
    """Device and inode of a file: the same for each of its names."""
    return stat.st_dev, stat.st_ino


def absolute(path: str) -> str:
    """Return an absolute path, in which links keep their names, or a URI; no slash at its end."""
    if not is_uri(path):
        return os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow links
    scheme, _, rest = path.partition("://")
    return f"{scheme.lower()}://{rest.rstrip('/')}"


def relation(place: str, other: str) -> Relation | None:
    """Tell how two places lie to each other; None where they have nothing in common.

    Links are followed, and directories compared by device and inode: so a place is also found below what is
    mounted twice. What does not exist yet is judged by the directory that it would lie in.
    """
    if is_uri(place) != is_uri(other):
        return None
    if lies_in(place, other):
        return "is" if lies_in(other, place) else "lies in"
    return "holds" if lies_in(other, place) else None


def lies_in(place: str, directory: str) -> bool:
    """Tell whether a place is a directory or lies below it."""
    if is_uri(place):
        return f"{absolute(place)}/".startswith(f"{absolute(directory)}/")
    real, top = os.path.realpath(place), os.path.realpath(directory)
    if os.path.commonpath((real, top)) == top:
        return True
    # A directory in it may be mounted elsewhere on its own.
    wanted = set(_identities([top, *_directories_in(top)]))
    return not wanted.isdisjoint(_identities([real, *_parents(real)]))


def _parents(path: str) -> Iterator[str]:
    while (parent := os.path.dirname(path)) != path:  # noqa: PTH120 - a path need not be valid text
        yield (path := parent)


def _directories_in(path: str) -> list[str]:
    try:
        # Each directory in it is a link to it, where links are counted: no walk through many files.
        if os.stat(path).st_nlink == 2:  # noqa: PTH116 - its name, and its own `.`
            return []
        with os.scandir(path) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _identities(paths: list[str]) -> Iterator[Identity]:
    for path in paths:
        with suppress(OSError):
            yield identity_of(os.stat(path))  # noqa: PTH116
