"""Rules for addresses: which a page may have, before anything of it is decoded.

Lists of what is not wanted are read once, kept as files that all workers of a machine map, and looked up.
"""

import codecs
import hashlib
import os
import re
import tempfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.files.local import lease
from cedar.transforms.files.stores import inflated, read_small, source_for
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.urls._hashes import holds, line_hashes

_HOST = re.compile(r"(?:(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//)?(?:[^/?#]*@)?(\[[^\]/?#]*\]|[^/?#:]*)")


@dataclass(frozen=True)
class UrlRules:
    """What the URL of a page has to be; pickles without what it has opened.

    `include` must be found in it, `exclude` not, where they are given; `soft_at` soft words are too many.
    """

    include: re.Pattern[str] | None = None
    exclude: re.Pattern[str] | None = None
    blocked: "tuple[BlockList, ...]" = ()
    soft_at: int = 2

    def refusal(self, url: str) -> RejectedError | None:
        """Return why a page of this URL is not wanted; None if it is.

        Raises OSError: a list is not there any more, or is another.
        """
        if self.include is not None and not self.include.search(url):
            return RejectedError(RejectReason.URL_FILTER, "not in --url-include")
        if self.exclude is not None and self.exclude.search(url):
            return RejectedError(RejectReason.URL_FILTER, "in --url-exclude")
        found = self._lists.find(url) if self.blocked else None
        return None if found is None else RejectedError(RejectReason.BLOCKED, found)

    @property
    def identity(self) -> dict[str, Any]:
        """What a corpus is pinned to, besides the expressions: nothing where there are no lists."""
        if not self.blocked:
            return {}
        from importlib.metadata import version  # here, where it is asked for: `email` comes with it

        has_domains = any(one.kind == DOMAINS for one in self.blocked)
        return {
            "blocked": "; ".join(one.identity for one in self.blocked),
            "soft_at": self.soft_at,
            "public_suffixes": version("publicsuffixlist") if has_domains else None,
        }

    @cached_property
    def _lists(self) -> "_OpenLists":
        return _OpenLists(self.blocked, self.soft_at)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lists"}


NO_URL_RULES = UrlRules()


class _OpenLists:
    """Lists that are ready to be asked, in the order of datatrove's `URLFilter` (0.10.1)."""

    def __init__(self, blocked: "tuple[BlockList, ...]", soft_at: int) -> None:
        self._long = {
            kind: [LongList(one) for one in blocked if one.kind == kind]
            for kind in (DOMAINS, URLS, ADDRESSES)
        }
        # Of each kind the lines, and the list that a line is of: the first.
        self._short: dict[str, dict[str, str]] = {
            kind: {line: one.name for one in reversed(blocked) if one.kind == kind for line in one.entries}
            for kind in (WORDS, SOFT_WORDS, SUBSTRINGS)
        }
        self._substrings = sorted(self._short[SUBSTRINGS])
        self._soft_at = soft_at
        if self._long[DOMAINS]:
            from publicsuffixlist import PublicSuffixList

            # What domains are sold below; not where a company lets others have names below its own.
            self._suffixes = PublicSuffixList(only_icann=True, accept_unknown=False)

    def find(self, url: str) -> str | None:
        """Return the list that a URL is blocked by, and the line of it; None if it is not."""
        address = url.partition("://")[2].rstrip("/")
        for kind, entries in ((DOMAINS, self._domains(url)), (URLS, (url,)), (ADDRESSES, (address,))):
            for one in self._long[kind]:
                for entry in entries:
                    if one.holds(entry):
                        return f"{one.name}: {entry}"
        has_words = self._short[WORDS] or self._short[SOFT_WORDS]
        words = set(_BETWEEN_WORDS.split(url)) if has_words else set()  # as they stand
        hard = words & self._short[WORDS].keys()
        if hard:
            return f"{self._short[WORDS][min(hard)]}: {min(hard)}"
        soft = sorted(words & self._short[SOFT_WORDS].keys())
        if len(soft) >= self._soft_at:
            return f"{self._short[SOFT_WORDS][soft[0]]}: {', '.join(soft)}"
        letters = plain(url) if self._substrings else ""
        for part in self._substrings:
            if part in letters:
                return f"{self._short[SUBSTRINGS][part]}: {part}"
        return None

    def _domains(self, url: str) -> tuple[str, ...]:
        """Return the registered domain of a URL, if it has one, and its host."""
        if not self._long[DOMAINS]:
            return ()
        found = _HOST.match(url)
        host = found[1].strip().rstrip(".\u3002\uff0e\uff61").lower() if found else ""
        registered = self._suffixes.privatesuffix(host)
        return (host,) if registered in (None, host) else (registered, host)


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

    Raises OSError: it is not there any more, or is another.
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
    Raises FileNotFoundError; ValueError, in one line, for what cannot be read, is not text in UTF-8 or has no
    entries.
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
