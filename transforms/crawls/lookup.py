"""Looking crawls up: which there are, and which files they have.

What was looked up is kept: small files in the user's cache, each replaced whole.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import hashlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from transforms.crawls.catalogue import (
    INDEX_FOLDER,
    LATEST,
    MOST_OF_A_LISTING,
    NEWS_LATEST,
    Crawl,
    CrawlError,
    CrawlName,
    Listing,
    crawl_name,
    month_before,
    news_month,
    parse_collection,
    parse_index_listing,
    parse_listing,
    unknown,
)
from transforms.files.http_client import Web
from transforms.files.http_options import COMMON_CRAWL, COMMON_CRAWL_INDEX, is_web
from transforms.files.local import whole_file
from transforms.files.storage import is_uri
from transforms.files.stores import StoredPath, read_small, storage_for

T = TypeVar("T")

_COLLECTION = "collinfo.json"
_INDEX_LISTING = "cc-index-table.paths.gz"
_COLLECTION_SECONDS = 24 * 3600.0
_NEWS_SECONDS = 3600.0
_LATEST_TRIED = 3
"""Crawls, from the newest on, that are tried: the newest may be announced before its listing is there."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """How old may be what was looked up before: with `refresh` nothing kept is good enough.

    `news` are the seconds that the listing of a month of CC-NEWS that is not over is good for.
    """

    refresh: bool = False
    news: float = _NEWS_SECONDS


class CrawlLookup:
    """Looks crawls up below a root."""

    def __init__(
        self, web: Web, cache: Cache, today: datetime.date, freshness: Freshness | None = None
    ) -> None:
        self._web = web
        self._cache = cache
        self._today = today
        self._freshness = freshness or Freshness()

    def crawls(self) -> tuple[Crawl, ...]:
        """All main crawls, newest first; raise CrawlError where they cannot be looked up."""
        root = self._web.options.crawl_root
        uri = (COMMON_CRAWL_INDEX if root == COMMON_CRAWL else root) + _COLLECTION
        crawls = self._read(uri, _COLLECTION_SECONDS, parse_collection)
        if crawls is None:
            raise CrawlError(f"{uri} is not there: is --crawl-root the root of Common Crawl's data?")
        return crawls

    def listing(self, text: str) -> Listing:
        """The files of the crawl that a user names: also `latest` and `news-latest`; raises CrawlError."""
        if text.lower() == LATEST:
            newest = (CrawlName(crawl.id) for crawl in self.crawls()[:_LATEST_TRIED])
            return self._first(tuple(newest))
        if text.lower() == NEWS_LATEST:
            month = news_month(self._today.year, self._today.month)
            return self._first((month, month_before(month), month_before(month_before(month))))
        name = crawl_name(text)
        listing = self._listing(name)
        if listing is None:
            known = [] if name.is_news else [crawl.id for crawl in self.crawls()]
            raise unknown(name, known)
        return listing

    def index_paths(self, name: CrawlName, subset: str, copy: str | None) -> tuple[str, ...]:
        """The files of the columnar index of a subset of a crawl, in order of their names.

        A copy of the index is laid out in `crawl=NAME/subset=SUBSET/`; None = below the root, as the crawl's
        listing names them. Raises CrawlError where they cannot be looked up.
        """
        below = f"crawl={name.text}/subset={subset}/"
        if copy is not None and not is_web(copy):
            folder = f"{copy.rstrip('/')}/{below}"
            try:
                found = [file.path for file in storage_for(folder).list(folder.rstrip("/"))]
            except OSError as fault:
                raise CrawlError(f"cannot list {folder}: {fault}") from fault
            paths = tuple(sorted(path for path in found if path.endswith(".parquet")))
            where = folder
        else:
            uri = f"{self._web.options.crawl_root}{name.folder}{_INDEX_LISTING}"
            listed = self._read(uri, FOREVER, functools.partial(parse_index_listing, name))
            base = f"{COMMON_CRAWL}{INDEX_FOLDER}" if copy is None else f"{copy.rstrip('/')}/"
            paths = tuple(base + path for path in listed or () if path.startswith(below))
            where = uri
        if not paths:
            raise CrawlError(f"there is no index of {name.text} for {subset}: nothing in {where}")
        return paths

    def _first(self, names: tuple[CrawlName, ...]) -> Listing:
        for name in names:
            listing = self._listing(name)
            if listing is not None:
                return listing
        raise CrawlError(f"none of {', '.join(name.text for name in names)} has a listing of its files")

    def _listing(self, name: CrawlName) -> Listing | None:
        over = not name.is_news or name.text < news_month(self._today.year, self._today.month).text
        uri = self._web.options.crawl_root + name.listing
        longest = FOREVER if over else self._freshness.news
        return self._read(uri, longest, functools.partial(parse_listing, name))

    def _read(self, uri: str, longest: float, parse: Callable[[bytes], T]) -> T | None:
        """What a small file says, perhaps as it was kept; None if absent."""
        if is_uri(uri):
            offline = self._web.options.offline
            refresh = self._freshness.refresh and not offline
            kept = None if refresh else self._cache.get(uri, FOREVER if offline else longest)
            if kept is not None:
                return parse(kept)
            if offline:
                raise CrawlError(f"{uri} was not looked up before: leave out --offline")
        try:
            data = read_small(StoredPath(uri, storage_for(uri, self._web)), MOST_OF_A_LISTING)
        except FileNotFoundError:
            return None
        except OSError as fault:
            hint = " (leave out --crawl-root to read over https)" if uri.startswith("s3://") else ""
            raise CrawlError(f"cannot read {uri}: {fault}{hint}") from fault
        parsed = parse(data)
        if is_uri(uri):
            self._cache.put(uri, data)
        return parsed


FOREVER = float("inf")


def default_directory() -> Path:
    """`$XDG_CACHE_HOME/cedar/crawls`, or below `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "cedar" / "crawls"


class Cache:
    """Files by the URIs that they were read from. One that cannot be kept is read again each time."""

    def __init__(self, directory: Path, now: Callable[[], float] = time.time) -> None:
        self._directory = directory
        self._now = now

    def get(self, uri: str, longest: float) -> bytes | None:
        """What was kept at most `seconds` ago, or None."""
        path = self._path(uri)
        with contextlib.suppress(OSError):
            if self._now() - path.stat().st_mtime <= longest:
                return path.read_bytes()
        return None

    def put(self, uri: str, data: bytes) -> None:
        """Keep a file."""
        path = self._path(uri)
        with contextlib.suppress(OSError):
            moment = self._now()
            with whole_file(path) as staged:
                staged.write_bytes(data)
                os.utime(staged, (moment, moment))

    def _path(self, uri: str) -> Path:
        name = uri.rpartition("/")[2]
        return self._directory / f"{hashlib.sha256(uri.encode()).hexdigest()[:16]}-{name}"
