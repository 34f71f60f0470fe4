"""`@LIST` inputs: a path per line, and which of the lines are read."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.storage import is_uri, raised_as
from cedar.transforms.files.stores import inflated, read_small, source_for

if TYPE_CHECKING:
    from cedar.transforms.files.http_client import Web

_MAX_BYTES = 256 << 20
"""Bytes of a list of paths, packed or inflated: some two million lines."""


@dataclass(frozen=True, slots=True)
class LineSelection:
    """Which lines of a list are read.

    Attributes:
        prefix: put in front of each.
        start: the first line, counted from 0.
        stop: the line after the last; None = to the end.
        sample: at most this many of them: the lines with the smallest hashes, the same on every machine; a
            smaller sample is part of a larger one. None = all.
        seed: of the hashes.
        may_be_empty: a list without a line is no error.
    """

    prefix: str = ""
    start: int = 0
    stop: int | None = None
    sample: int | None = None
    seed: int = 0
    may_be_empty: bool = False

    def of(self, entries: Sequence[str]) -> tuple[str, ...]:
        """Return the chosen lines, in their order, each with the prefix.

        Raises InputError if no line is chosen; the message says how many there were.
        """
        chosen = entries[self.start : self.stop]
        if not chosen and (entries or not self.may_be_empty):
            raise InputError(f"{len(entries)} lines, none of them in the slice")
        if self.sample is not None and self.sample < len(chosen):
            ranked = sorted(range(len(chosen)), key=lambda i: self._hash(chosen[i]))
            chosen = [chosen[i] for i in sorted(ranked[: self.sample])]
        return tuple(self.prefix + entry for entry in chosen)

    def _hash(self, entry: str) -> bytes:
        text = f"{self.seed}\t{entry}".encode("utf-8", "surrogateescape")
        return hashlib.blake2b(text, digest_size=16).digest()


ALL_LINES = LineSelection()


def read_list(path: str, lines: LineSelection = ALL_LINES, web: Web | None = None) -> tuple[str, ...]:
    """Return the chosen lines of a list: a text file or URL, perhaps gzipped, where `#` begins a comment.

    Raises InputError, in one line, for a list that cannot be read, and for a line that cannot be a path.
    """
    if not path:
        raise InputError("not a valid list: '@' (write it as @warc.paths.gz)")
    faults = (OSError, EOFError, zlib.error)
    with raised_as(InputError, *faults, saying=f"cannot read the list {path}", short=True):
        data = inflated(read_small(source_for(path, web), _MAX_BYTES), _MAX_BYTES)
    entries = list(_entries(path, data, lines.prefix))
    try:
        return lines.of(entries)
    except InputError as error:
        raise InputError(f"the list {path} has {error}") from None


def _entries(path: str, data: bytes, prefix: str) -> Iterator[str]:
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        try:
            entry = line.decode().strip()
        except UnicodeDecodeError:
            hint = "(write a text file in UTF-8 with a path a line)"
            raise InputError(f"not a list: line {number} of {path} is {line[:60]!r} {hint}") from None
        if not entry or entry.startswith("#"):
            continue
        if not prefix and entry.startswith(("@", "cc:")):
            hint = "a list holds paths and URIs alone: give lists and crawls as inputs of their own"
            raise InputError(f"line {number} of {path} is {entry[:60]!r}: {hint}")
        if _is_same_file(prefix + entry, path):
            raise InputError(f"line {number} of {path} names the list itself: leave it out")
        yield entry


def _is_same_file(entry: str, path: str) -> bool:
    if is_uri(path) or is_uri(entry):
        return entry == path
    # Of millions of lines few have the name of the list.
    is_named_so = entry.rpartition("/")[2] == path.rpartition("/")[2]
    return is_named_so and os.path.realpath(entry) == os.path.realpath(path)
