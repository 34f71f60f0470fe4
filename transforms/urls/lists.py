"""Lists of what is not wanted: read once, kept as files that all workers of a machine map, and looked up."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from transforms.files.leases import lease
from transforms.files.stores import inflated, read_small, source_for
from transforms.urls._hashes import holds, line_hashes

DOMAINS, URLS, ADDRESSES = "domains", "urls", "addresses"
WORDS, SOFT_WORDS, SUBSTRINGS = "words", "soft_words", "substrings"
"""What the lines of a list are; addresses are URLs without their scheme and the slashes at their end."""

_MOST = 1 << 30
"""Bytes of a list."""

_ENTRY = re.compile(rb"^[ \t\r\v\f]*[^#\s]", re.MULTILINE)
"""Finds a line that is neither blank nor a comment."""

_BETWEEN_WORDS = re.compile("[^a-zA-Z0-9]+")


@dataclass(frozen=True, slots=True)
class BlockList:
    """A list, called `name` where a page is rejected by it.

    `place` is a path or URI, perhaps gzipped, `digest` the BLAKE2b-128 of its lines, hex; `entries` are the
    lines of a short list, as they are compared; a list that has no entries blocks nothing.
    """

    name: str
    kind: str
    place: str
    digest: str
    entries: frozenset[str] = frozenset()
    has_entries: bool = True

    @property
    def identity(self) -> str:
        """What a corpus is pinned to."""
        return f"{self.kind} {self.name} {self.digest}"


class LongList:
    """A list of domains or addresses that is ready to be asked.

    Raises:
        OSError: it is not there any more, or is another.
    """

    def __init__(self, list_: BlockList) -> None:
        self.name = list_.name
        folder = Path(tempfile.gettempdir(), f"cedar-lists-{os.getuid()}")
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} is another user's")
        path = folder / f"{list_.kind}-{list_.digest}"
        with lease(f"{path}.lease"):  # one worker makes it, others wait
            if not path.exists():
                part = path.with_suffix(".part")
                part.write_bytes(_hashes_of(list_).tobytes())
                part.replace(path)
        self._hashes: NDArray[np.uint64] = np.empty(0, np.uint64)
        if path.stat().st_size:
            self._hashes = np.memmap(path, np.uint64, "r")

    def holds(self, entry: str) -> bool:
        """Tell whether a line of the list is this."""
        return holds(self._hashes, entry.encode("utf-8", "replace"))


def read_block_list(name: str, kind: str, place: str, *, is_part: bool = False) -> BlockList:
    """Read a list: short ones into memory, of long ones the digest.

    A list that `is_part` of a collection, as the UT1 lists are, may be empty or have lines that are not text.

    Raises:
        FileNotFoundError: it is not there.
        ValueError: it cannot be read, is not text in UTF-8, or has no entries; the message is one line.
    """
    try:
        data = _read(place)
    except FileNotFoundError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as fault:
        why = fault.strerror if isinstance(fault, OSError) and fault.strerror else fault
        raise ValueError(f"cannot read the list {place}: {why}") from fault
    if not is_part and not _is_text(data):
        raise ValueError(f"the list {place} is not text in UTF-8: convert it")
    has_entries = _ENTRY.search(data.removeprefix(codecs.BOM_UTF8)) is not None
    entries: frozenset[str] = frozenset()
    if kind in (WORDS, SOFT_WORDS, SUBSTRINGS):
        lines = data.decode("utf-8-sig", "replace").split("\n")
        entries = frozenset(map(plain, (line for line in lines if line.lstrip()[:1] != "#"))) - {""}
        has_entries = bool(entries)
    if not is_part and not has_entries:
        raise ValueError(f"the list {place} has no entries: leave it out, or fill it")
    return BlockList(name, kind, place, _digest(data), entries, has_entries)


def words_of(url: str) -> frozenset[str]:
    """Return the words of a URL, as they stand."""
    return frozenset(_BETWEEN_WORDS.split(url))


def plain(text: str) -> str:
    """Return the letters and digits of ASCII in a text, in lower case."""
    return _BETWEEN_WORDS.sub("", text).lower()


def _read(place: str) -> bytes:
    return inflated(read_small(source_for(place), _MOST), _MOST)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _hashes_of(list_: BlockList) -> NDArray[np.uint64]:
    data = _read(list_.place)
    if _digest(data) != list_.digest:
        raise OSError(f"the list {list_.place} has changed since the run began: run again")
    return line_hashes(data, list_.kind == DOMAINS, b"/" if list_.kind == ADDRESSES else b"")
