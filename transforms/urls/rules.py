"""Rules for addresses: which a page may have, before anything of it is decoded.

Lists are asked in the order of datatrove's `URLFilter` (0.10.1).
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.urls.block_lists import (
    ADDRESSES,
    BETWEEN_WORDS,
    DOMAINS,
    SOFT_WORDS,
    SUBSTRINGS,
    URLS,
    WORDS,
    BlockList,
    LongList,
    plain,
)
from cedar.transforms.urls.canonical import ascii_url, host_of
from cedar.transforms.urls.sample import UrlSample

_NUMBER = re.compile(r"\.[0-9]+$")


@dataclass(frozen=True)
class UrlRules:
    """What the URL of a page has to be; pickles without what it has opened.

    `include` must be found in it, `exclude` not, and `sample` must have it, if they are given; `soft_at` soft
    words are too many.
    """

    include: re.Pattern[str] | None = None
    exclude: re.Pattern[str] | None = None
    blocked: tuple[BlockList, ...] = ()
    soft_at: int = 2
    sample: UrlSample | None = None

    def refusal(self, url: str) -> RejectedError | None:
        """Return why a page of this URL is not wanted; None if it is.

        Raises OSError: a list is not there any more, or is another.
        """
        if self.sample is not None and not self.sample.has(url):
            return RejectedError(RejectReason.SAMPLE)
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
    """Lists that are ready to be asked."""

    def __init__(self, blocked: tuple[BlockList, ...], soft_at: int) -> None:
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
            self._suffixes = PublicSuffixList(only_icann=True)

    def find(self, url: str) -> str | None:
        """Return the list that a URL is blocked by, and the line of it; None if it is not."""
        written = ascii_url(url)
        address = written.partition("://")[2].rstrip("/")
        for kind, entries in ((DOMAINS, self._domains(url)), (URLS, (written,)), (ADDRESSES, (address,))):
            for one in self._long[kind]:
                for entry in entries:
                    if one.holds(entry):
                        return f"{one.name}: {entry}"
        has_words = self._short[WORDS] or self._short[SOFT_WORDS]
        words = set(BETWEEN_WORDS.split(url)) if has_words else set()  # as they stand
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
        host = host_of(url)
        # An IP address is below no other.
        registered = None if "]" in host or _NUMBER.search(host) else self._suffixes.privatesuffix(host)
        return (host,) if registered in (None, host) else (registered, host)
