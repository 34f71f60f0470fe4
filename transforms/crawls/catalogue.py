"""What Common Crawl publishes of its crawls: the list of all, and the files of each; looked up and kept.

Names of main crawls cannot be computed: they are in the list.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from cedar.transforms.crawls.cache import FOREVER, Cache
from cedar.transforms.crawls.names import LATEST, NEWS_LATEST, CrawlError, CrawlName, crawl_name
from cedar.transforms.files.http_options import COMMON_CRAWL, COMMON_CRAWL_INDEX, is_web
from cedar.transforms.files.storage import is_uri, raised_as
from cedar.transforms.files.stores import StoredPath, inflated, read_small, storage_for

if TYPE_CHECKING:
    from cedar.transforms.files.http_client import Web

T = TypeVar("T")

MAX_OF_A_LISTING = 64 << 20
"""Bytes of a listing, packed or inflated: four times as many as the largest crawls have."""

_SUFFIX = ".warc.gz"

INDEX_FOLDER = "cc-index/table/cc-main/warc/"
"""Where the columnar index lies below the root of the data."""


@dataclass(frozen=True, slots=True)
class Crawl:
    """A main crawl, by its id, as CC-MAIN-2026-04, and title, as January 2026 Index.

    It was `begun` and `ended` at the dates of its first and last page, ISO 8601; "" where not known.
    """

    id: str
    title: str
    begun: str
    ended: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The WARC files of a crawl: paths below the root of the data, in the order of the listing.

    `digest` is the SHA-256 of the listing as published, hex.
    """

    crawl: CrawlName
    paths: tuple[str, ...]
    digest: str


def parse_collection(data: bytes) -> tuple[Crawl, ...]:
    """Return the crawls in `collinfo.json`, newest first; raise CrawlError for another file, or none."""
    faults = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
    with raised_as(CrawlError, *faults, saying="the list of crawls cannot be understood"):
        crawls = [
            Crawl(str(one["id"]), str(one["name"]), str(one.get("from", "")), str(one.get("to", "")))
            for one in json.loads(data)
        ]
    if not crawls:
        raise CrawlError("the list of crawls is empty: try again later, or name a crawl (cc:CC-MAIN-2026-04)")
    # Entries that do not say when they ended stay where they are: after the others.
    return tuple(sorted(crawls, key=lambda crawl: crawl.ended, reverse=True))


def parse_index_listing(crawl: CrawlName, data: bytes) -> tuple[str, ...]:
    """Return the files in a `cc-index-table.paths.gz`, below `INDEX_FOLDER`; raises as `parse_listing`."""
    paths = _lines(crawl, data, f"{INDEX_FOLDER}crawl={crawl.text}/", suffix=".parquet")
    return tuple(path.removeprefix(INDEX_FOLDER) for path in paths)


def parse_listing(crawl: CrawlName, data: bytes) -> Listing:
    """Return the files in a `warc.paths.gz`.

    Raises CrawlError where it is cut, damaged or empty, or a line is not such a file of the crawl.
    """
    return Listing(crawl, _lines(crawl, data, crawl.folder, suffix=_SUFFIX), hashlib.sha256(data).hexdigest())


def _lines(crawl: CrawlName, data: bytes, folder: str, *, suffix: str) -> tuple[str, ...]:
    """Return the lines of a listing; each must be a file of a folder with a suffix."""
    faults = (OSError, EOFError, zlib.error, UnicodeDecodeError)
    with raised_as(CrawlError, *faults, saying=f"the listing of {crawl.text} is cut or damaged"):
        text = inflated(data, MAX_OF_A_LISTING).decode("ascii")
    paths = tuple(text.split())
    strange = next((p for p in paths if not (p.startswith(folder) and p.endswith(suffix))), None)
    if strange is not None:
        raise CrawlError(
            f"the listing of {crawl.text} has a line that is not a file of it: {strange[:200]!r}"
        )
    if not paths:
        raise CrawlError(f"the listing of {crawl.text} is empty")
    return paths


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
        self,
        web: Web,
        cache: Cache,
        freshness: Freshness = Freshness(),
        *,
        today: datetime.date | None = None,
    ) -> None:
        self._web = web
        self._cache = cache
        self._freshness = freshness
        self._today = today or datetime.datetime.now(datetime.UTC).date()

    def crawls(self) -> tuple[Crawl, ...]:
        """Return all main crawls, newest first; raise CrawlError where they cannot be looked up."""
        root = self._web.options.crawl_root
        uri = (COMMON_CRAWL_INDEX if root == COMMON_CRAWL else root) + _COLLECTION
        crawls = self._read(uri, _COLLECTION_SECONDS, parse_collection)
        if crawls is None:
            raise CrawlError(f"{uri} is not there: is --crawl-root the root of Common Crawl's data?")
        return crawls

    def listing(self, text: str) -> Listing:
        """List the files of the crawl that a user names: also `latest`, `news-latest`; raises CrawlError."""
        if text.lower() == LATEST:
            newest = (CrawlName(crawl.id) for crawl in self.crawls()[:_LATEST_TRIED])
            return self._first(tuple(newest))
        if text.lower() == NEWS_LATEST:
            return self._first(tuple(map(self._news_month, range(_LATEST_TRIED))))
        name = crawl_name(text)
        listing = self._listing(name)
        if listing is None:
            known = [] if name.is_news else [crawl.id for crawl in self.crawls()]
            before = max((other for other in known if other < name.text), default=None)
            after = min((other for other in known if other > name.text), default=None)
            near = ", ".join(other for other in (before, after) if other is not None)
            hint = f"; near it: {near}" if near else ""
            raise CrawlError(f"no crawl {name.text}{hint} (`cedar crawls` lists them)")
        return listing

    def index_paths(self, name: CrawlName, subset: str, copy: str | None) -> tuple[str, ...]:
        """Return the files of the columnar index of a subset of a crawl, in order of their names.

        A copy of the index is laid out in `crawl=NAME/subset=SUBSET/`; None = below the root, as the crawl's
        listing names them. Raises CrawlError where they cannot be looked up.
        """
        below = f"crawl={name.text}/subset={subset}/"
        if copy is not None and not is_web(copy):
            folder = f"{copy.rstrip('/')}/{below}"
            with raised_as(CrawlError, OSError, saying=f"cannot list {folder}"):
                found = [file.path for file in storage_for(folder).list(folder.rstrip("/"))]
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

    def _news_month(self, back: int) -> CrawlName:
        """Name a month of CC-NEWS by how many months ago it was."""
        year, month = divmod(12 * self._today.year + self._today.month - 1 - back, 12)
        return CrawlName(f"CC-NEWS-{year:04d}-{month + 1:02d}")

    def _listing(self, name: CrawlName) -> Listing | None:
        over = not name.is_news or name.text < self._news_month(0).text
        uri = self._web.options.crawl_root + name.listing
        longest = FOREVER if over else self._freshness.news
        return self._read(uri, longest, functools.partial(parse_listing, name))

    def _read(self, uri: str, longest: float, parse: Callable[[bytes], T]) -> T | None:
        """Return what a small file says, perhaps as it was kept; None if there is no such file."""
        if is_uri(uri):
            offline = self._web.options.offline
            refresh = self._freshness.refresh and not offline
            kept = None if refresh else self._cache.get(uri, FOREVER if offline else longest)
            if kept is not None:
                try:
                    return parse(kept)
                except CrawlError:  # kept before such a file was an error: read again
                    if offline:
                        raise
            if offline:
                raise CrawlError(f"{uri} was not looked up before: leave out --offline")
        try:
            data = read_small(StoredPath(uri, storage_for(uri, self._web)), MAX_OF_A_LISTING)
        except FileNotFoundError:
            return None
        except OSError as fault:
            hint = " (leave out --crawl-root to read over https)" if uri.startswith("s3://") else ""
            raise CrawlError(f"cannot read {uri}: {fault}{hint}") from fault
        parsed = parse(data)
        if is_uri(uri):
            self._cache.put(uri, data)
        return parsed
