"""Lists of addresses that are not wanted: read once, and looked up by all workers of a machine.

A list of millions of lines is a sorted array of their hashes, 8 bytes a line, in a file that workers map.
"""

import codecs
import hashlib
import io
import mmap
import os
import re
import tempfile
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cedar.transforms.files.local import lease
from cedar.transforms.files.stores import inflated, read_small, source_for
from cedar.transforms.urls.canonical import ascii_host, ascii_url

DOMAINS, URLS, ADDRESSES = "domains", "urls", "addresses"
WORDS, SOFT_WORDS, SUBSTRINGS = "words", "soft_words", "substrings"
"""What the lines of a list are; addresses are URLs without their scheme and the slashes at their end."""

_MAX_BYTES = 1 << 30
"""Bytes of a list."""

BETWEEN_WORDS = re.compile("[^a-zA-Z0-9]+")

_DOMAIN = re.compile(r"\[[0-9a-fA-F:.]+\]|[^\s/:@|^*,;#=<>()\"'\[\]]+")
_OTHER_LINES = (
    (re.compile(r"[0-9a-fA-F.:]+\s+\S"), "of a hosts file", "keep the names alone"),
    (re.compile(r"(@@)?\|\||.*\^$|.*##"), "filters of an ad blocker", "keep the domains between || and ^"),
    (re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://"), "URLs", "keep their hosts, or give --block-urls"),
)


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

    Raises OSError: it is not there any more, or is another.
    """

    def __init__(self, list_: BlockList) -> None:
        self.name = list_.name
        folder = Path(tempfile.gettempdir(), f"cedar-lists-{os.getuid()}")
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} is another user's")
        path = folder / f"{list_.kind}-{list_.digest}.blake2b"
        with lease(f"{path}.lease"):  # one worker makes it, others wait
            if not path.exists():
                part = path.with_suffix(".part")
                part.write_bytes(_sorted_hashes(list_))
                part.replace(path)
        self._hashes = memoryview(b"").cast("Q")
        if path.stat().st_size:
            with path.open("rb") as file:
                self._hashes = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)).cast("Q")

    def holds(self, entry: str) -> bool:
        """Tell whether a line of the list is this; among 10^8 lines, one answer in 10^11 is wrong."""
        wanted = int.from_bytes(_hash(entry), "little")
        place = bisect_left(self._hashes, wanted)
        return place < len(self._hashes) and self._hashes[place] == wanted


def read_block_list(name: str, kind: str, place: str, *, is_part: bool = False) -> BlockList:
    """Read a list: short ones into memory, of long ones the digest.

    A list that `is_part` of a collection, as the UT1 lists are, may be empty or have lines that are not text.
    Raises FileNotFoundError; ValueError, in one line, for what cannot be read, is not text in UTF-8, has no
    entries, or should have domains and has none.
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
    entries: frozenset[str] = frozenset()
    if kind in (WORDS, SOFT_WORDS, SUBSTRINGS):
        entries = frozenset(map(plain, _lines(data))) - {""}
        has_entries = bool(entries)
    else:
        has_entries = next(_lines(data), None) is not None
    if not is_part and not has_entries:
        raise ValueError(f"the list {place} has no entries: leave it out, or fill it")
    if not is_part and kind == DOMAINS:
        _check_domains(place, data)
    return BlockList(name, kind, place, _digest(data), entries, has_entries)


def plain(text: str) -> str:
    """Return the letters and digits of ASCII in a text, in lower case."""
    return BETWEEN_WORDS.sub("", text).lower()


def _check_domains(place: str, data: bytes) -> None:
    """Raise ValueError for a list without a line that is a domain; the message shows its first line."""
    first = ""
    for line in _lines(data):
        if _DOMAIN.fullmatch(line):
            return
        first = first or line
    found = ((what, hint) for form, what, hint in _OTHER_LINES if form.match(first))
    what, hint = next(found, ("something else", "write one domain per line"))
    shown = first if len(first) <= 60 else f"{first[:60]}..."
    raise ValueError(f"the list {place} has no domain; its lines are {what}, such as {shown!r}: {hint}")


def _read(place: str) -> bytes:
    return inflated(read_small(source_for(place), _MAX_BYTES), _MAX_BYTES)


def _lines(data: bytes) -> Iterator[str]:
    """Yield the lines of a list, but blank ones and comments, without blanks around them."""
    for line in io.BytesIO(data.removeprefix(codecs.BOM_UTF8)):
        text = line.strip().decode("utf-8", "surrogateescape")
        if text and not text.startswith("#"):
            yield text


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _sorted_hashes(list_: BlockList) -> bytes:
    data = _read(list_.place)
    if _digest(data) != list_.digest:
        raise OSError(f"the list {list_.place} has changed since the run began: run again")
    hashes = bytearray()
    for line in _lines(data):
        if list_.kind == DOMAINS:
            line = ascii_host(line)
        else:
            line = ascii_url(line.rstrip("/") if list_.kind == ADDRESSES else line)
        hashes += _hash(line)
    found = np.frombuffer(hashes, np.uint64)
    found.sort()
    return found.tobytes()


def _hash(entry: str) -> bytes:
    return hashlib.blake2b(entry.encode("utf-8", "surrogateescape"), digest_size=8).digest()
