"""What `cedar extract` is to read, as it was named: files, URLs, lists, and crawls by name."""

import contextlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pipelines.common.messages import remark
from pipelines.common.url_options import url_rules
from pipelines.extract.options import ExtractOptions
from transforms.corpus.ledger import Ledger
from transforms.corpus.outputs import refuse_in_use, refuse_own_files
from transforms.crawls.catalogue import (
    SCHEME,
    Cache,
    CrawlError,
    CrawlLookup,
    Freshness,
    Listing,
    default_directory,
)
from transforms.decode.page import PageFilter
from transforms.files import http_client
from transforms.files.http_client import Web
from transforms.files.http_options import COMMON_CRAWL, WHILE_ONE_WAITS, Persistence
from transforms.files.inputs import InputError, find_inputs
from transforms.files.storage import StoredFile, is_uri, raised_as
from transforms.files.stores import source_for
from transforms.readers.choices import ColumnError
from transforms.readers.kinds import kind_of, refuse_unused
from transforms.readers.pages import PageListing

_LONG_WAIT = 5.0
"""Seconds from which on a wait is told of."""

_WATCHED_SECONDS = 600.0
"""How often a watch looks at the listing of a month of CC-NEWS."""

_EXTRACTED = re.compile(r"\.(?:warc\.)?(wet|wat)(?:\.gz)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundInputs:
    """What there is to read, each file once, the directories of pages in it, and what was passed over.

    Files of crawls are named by their URLs at Common Crawl, wherever they are read from, and have no size and
    version: they have not been asked for yet.
    """

    files: tuple[StoredFile, ...]
    folders: tuple[PageListing, ...]
    passed_over: tuple[tuple[str, str], ...]
    listings: tuple[Listing, ...]


def launcher_web(options: ExtractOptions, persistence: Persistence = WHILE_ONE_WAITS) -> Web:
    """Return what asks web servers before the workers do; long waits are told of."""
    web = replace(options.web, persistence=persistence)
    return Web(web) if options.quiet else Web(web, sleep=_wait_aloud)


def _wait_aloud(seconds: float, why: str) -> None:
    if seconds >= _LONG_WAIT:
        remark(f"waiting {seconds:,.0f} s for a web server: {why}")
    http_client.let_time_go_by(seconds, why)


def find(options: ExtractOptions, *, passing: set[str] | None = None) -> FoundInputs:
    """Find what is to be read; with `passing`, files may still come and go.

    Paths in it may be passed over; those that are there are then taken out of it.
    Raises InputError where an input or a crawl cannot be read, CorpusError for a file of the output, and with
    `passing` OSError where a directory cannot be read now.
    """
    others = [given for given in options.inputs if not given.startswith(SCHEME)]
    found = find_inputs(
        others,
        lines=options.lines,
        exclude=options.output or None,
        passing=passing,
        web=launcher_web(options),
    )
    listings = listings_of(options, crawl_lookup(options, arriving=passing is not None))
    folders = tuple(map(PageListing.of, found.folders))
    files = {file.path: file for file in (*found.files, *(folder.input for folder in folders))}
    for listing in listings:
        for path in chosen_paths(listing, options):
            files.setdefault(COMMON_CRAWL + path, StoredFile(COMMON_CRAWL + path, None, None))
    if not options.queue:
        _refuse_extracted(files)
    if passing is None:
        refuse_unused(options.choices, files)
        _check_columns(files, options)
    refuse_own_files(options.output, files)
    if options.metrics_file is not None:
        refuse_in_use(options.metrics_file, options.output, files.values())
    return FoundInputs(tuple(files.values()), folders, found.passed_over, listings)


def crawl_lookup(options: ExtractOptions, *, arriving: bool = False) -> CrawlLookup:
    """Return what looks crawls up."""
    freshness = Freshness(options.refresh, _WATCHED_SECONDS) if arriving else Freshness(options.refresh)
    return CrawlLookup(launcher_web(options), Cache(default_directory()), freshness)


def listings_of(options: ExtractOptions, lookup: CrawlLookup) -> tuple[Listing, ...]:
    """Return the listings of the crawls that are named, each once; raise InputError if one is not there."""
    names = [given.removeprefix(SCHEME) for given in options.inputs if given.startswith(SCHEME)]
    with raised_as(InputError, CrawlError):
        listings = tuple(map(lookup.listing, dict.fromkeys(names)))
    return tuple({listing.crawl: listing for listing in listings}.values())


def chosen_paths(listing: Listing, options: ExtractOptions) -> tuple[str, ...]:
    """Return the chosen paths of a listing; raise InputError if none is."""
    try:
        return replace(options.lines, prefix="").of(listing.paths)
    except InputError as error:
        raise InputError(f"the listing of {listing.crawl.text} has {error}") from None


def _refuse_extracted(paths: Iterable[str]) -> None:
    """Raise InputError for files of text or metadata that others extracted."""
    for path in paths:
        match = _EXTRACTED.search(path, max(0, len(path) - len(".warc.wet.gz")))
        if match is not None and match.end() == len(path):
            what = "text that Common Crawl extracted" if match[1].lower() == "wet" else "metadata"
            hint = "give the WARC file of the same name, or a glob that it alone matches, as '*.warc.gz'"
            raise InputError(f"{path} holds {what}, no pages: {hint}")


def _check_columns(paths: Iterable[str], options: ExtractOptions) -> None:
    """Raise InputError for a table of this machine without the columns; broken ones fail as their shards."""
    for path in paths:
        names_of = None if is_uri(path) else kind_of(path).column_names
        if names_of is None:
            continue
        with contextlib.suppress(OSError), Path(path).open("rb") as file:
            names = names_of(file)
            with raised_as(InputError, ColumnError, saying=path):
                if names:  # without a row there are not any
                    options.choices.found_in(names)


def with_states(files: Iterable[StoredFile], ledger: Ledger, options: ExtractOptions) -> list[StoredFile]:
    """Return the files, with size and version where they are committed and are to be looked at again."""
    committed: set[str] = set()
    if options.refresh:
        ledger.refresh()
        committed = {summary.shard.source for summary in ledger.summaries()}
    web = launcher_web(options)
    return [
        replace(source_for(file.path, web).stat(), path=file.path)
        if file.size is None and file.path in committed
        else file
        for file in files
    ]


def wanted_pages(options: ExtractOptions) -> PageFilter:
    """Return what becomes a page; raise UsageError where a list of addresses cannot be read."""
    return PageFilter(
        record_types=frozenset(options.record_types),
        statuses=options.statuses,
        urls=url_rules(options.urls),
        caps=options.caps,
    )
