"""What Common Crawl publishes of its crawls: their names, the list of all, the files of one, parsed.

Names of main crawls cannot be computed: they are looked up in the list.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from transforms.files.stores import inflated

MOST_OF_A_LISTING = 64 << 20
"""Bytes of a listing, packed or inflated: four times that of the largest crawls."""

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
    """The crawls in `collinfo.json`, newest first; raise CrawlError where it is not such a list."""
    try:
        crawls = [
            Crawl(str(one["id"]), str(one["name"]), str(one.get("from", "")), str(one.get("to", "")))
            for one in json.loads(data)
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CrawlError(f"the list of crawls cannot be understood: {error}") from error
    # Entries that do not say when they ended stay where they are: after the others.
    return tuple(sorted(crawls, key=lambda crawl: crawl.ended, reverse=True))


def parse_index_listing(crawl: CrawlName, data: bytes) -> tuple[str, ...]:
    """The files in a `cc-index-table.paths.gz`, below `INDEX_FOLDER`; raises as `parse_listing`."""
    paths = _lines(crawl, data, f"{INDEX_FOLDER}crawl={crawl.text}/", ".parquet")
    return tuple(path.removeprefix(INDEX_FOLDER) for path in paths)


def parse_listing(crawl: CrawlName, data: bytes) -> Listing:
    """The files in a `warc.paths.gz`.

    Raises CrawlError where it is cut, damaged or empty, or a line is not such a file of the crawl.
    """
    return Listing(crawl, _lines(crawl, data, crawl.folder, _SUFFIX), hashlib.sha256(data).hexdigest())


def _lines(crawl: CrawlName, data: bytes, folder: str, suffix: str) -> tuple[str, ...]:
    """The lines of a listing, all of which must be files of a folder with a suffix."""
    try:
        text = inflated(data, MOST_OF_A_LISTING).decode("ascii")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as fault:
        raise CrawlError(f"the listing of {crawl.text} is cut or damaged: {fault}") from fault
    paths = tuple(text.split())
    strange = next((p for p in paths if not (p.startswith(folder) and p.endswith(suffix))), None)
    if strange is not None:
        raise CrawlError(
            f"the listing of {crawl.text} has a line that is not a file of it: {strange[:200]!r}"
        )
    if not paths:
        raise CrawlError(f"the listing of {crawl.text} is empty")
    return paths


SCHEME = "cc:"
LATEST = "latest"
NEWS_LATEST = "news-latest"

_MAIN = re.compile(r"CC-MAIN-[0-9]{4}-[0-9]{2}")
_NEWS = re.compile(r"CC-NEWS[-/]([0-9]{4})[-/](0[1-9]|1[0-2])")
_OLD = ("CC-MAIN-2008-2009", "CC-MAIN-2009-2010", "CC-MAIN-2012")


class CrawlError(ValueError):
    """A crawl that is not there, or cannot be looked up; the message says what to do."""


@dataclass(frozen=True, slots=True)
class CrawlName:
    """A crawl: a main crawl, or a month of CC-NEWS."""

    text: str

    @property
    def is_news(self) -> bool:
        """Whether it is a month of CC-NEWS."""
        return self.text.startswith("CC-NEWS")

    @property
    def folder(self) -> str:
        """Where its files lie below the root, with a slash at the end."""
        folder = f"CC-NEWS/{self.text[8:12]}/{self.text[13:]}" if self.is_news else self.text
        return f"crawl-data/{folder}/"

    @property
    def listing(self) -> str:
        """Where the listing of its WARC files lies below the root."""
        return f"{self.folder}warc.paths.gz"


def crawl_name(text: str) -> CrawlName:
    """The crawl that is named `CC-MAIN-2026-04`, `CC-NEWS-2026-03` or `CC-NEWS/2026/03`, if there is one.

    Raises CrawlError where no crawl is called so.
    """
    name = text.upper()
    news = _NEWS.fullmatch(name)
    if news is not None:
        return CrawlName(f"CC-NEWS-{news[1]}-{news[2]}")
    if name in _OLD:
        raise CrawlError(f"{name} is laid out in another way: give its ARC files by their URLs")
    if _MAIN.fullmatch(name) is None:
        raise CrawlError(
            f"not a valid crawl: {text!r} (write it as cc:CC-MAIN-2026-04, cc:CC-NEWS-2026-03 or cc:latest)"
        )
    return CrawlName(name)


def month_before(month: CrawlName) -> CrawlName:
    """The month of CC-NEWS before another."""
    year, number = int(month.text[8:12]), int(month.text[13:])
    return news_month(year, number - 1) if number > 1 else news_month(year - 1, 12)


def news_month(year: int, month: int) -> CrawlName:
    """A month of CC-NEWS."""
    return CrawlName(f"CC-NEWS-{year:04d}-{month:02d}")


def unknown(name: CrawlName, known: Sequence[str]) -> CrawlError:
    """The error that there is no such crawl; names those before and after it."""
    before = max((other for other in known if other < name.text), default=None)
    after = min((other for other in known if other > name.text), default=None)
    near = ", ".join(other for other in (before, after) if other is not None)
    hint = f"; near it: {near}" if near else ""
    return CrawlError(f"no crawl {name.text}{hint} (`cedar crawls` lists them)")
