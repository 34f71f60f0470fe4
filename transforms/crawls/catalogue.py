"""What Common Crawl publishes of its crawls, parsed: the list of all, and the files of one."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass

from transforms.crawls.names import CrawlError, CrawlName
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
