"""What `cedar extract` is to read, as it was named: files, URLs, lists, crawls by name, and pages of these.

Pages that `--select` names are looked up in the index of a crawl once, then kept in the corpus.
"""

import contextlib
import hashlib
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from cedar.pipelines.common.curation_options import url_rules
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.messages import complain, remark
from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.corpus.cleanup import write_file
from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.layout import corpus_description
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.outputs import refuse_own_files
from cedar.transforms.crawls.catalogue import (
    LATEST,
    SCHEME,
    Cache,
    CrawlError,
    CrawlLookup,
    Freshness,
    Listing,
    default_directory,
)
from cedar.transforms.crawls.index_query import (
    IndexCost,
    IndexFile,
    IndexFiles,
    check_selection,
    cost_of,
    in_files,
    places,
)
from cedar.transforms.crawls.manifest import Manifest, make_manifest, manifest_name, open_manifest
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.files import http_client
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL
from cedar.transforms.files.inputs import InputError, find_inputs
from cedar.transforms.files.retry import INTERACTIVE, RetryPolicy
from cedar.transforms.files.storage import StoredFile, is_uri, raised_as
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.books import NOTHING_FETCHED, Fetched
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.choices import ColumnError
from cedar.transforms.readers.kinds import kind_of, refuse_unused
from cedar.transforms.readers.pages import PageListing

T = TypeVar("T")

_LONG_WAIT = 5.0
"""Seconds from which on a wait is told of."""

_WATCHED_SECONDS = 600.0
"""How often a watch looks at the listing of a month of CC-NEWS."""

SHARD_ROWS = 2000
"""Rows of a selection that are a shard: across files, because rare pages lie one here, one there."""

_TOLD_SECONDS = 10.0

_DEAR = 1 << 30
"""Bytes of the index from which on a user is told what asking it takes."""

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


def launcher_web(options: ExtractOptions, retry_policy: RetryPolicy = INTERACTIVE) -> Web:
    """Return what asks web servers before the workers do; long waits are told of."""
    web = replace(options.web, retry_policy=retry_policy)
    return Web(web) if options.quiet else Web(web, sleep=_wait_aloud)


def _wait_aloud(seconds: float, why: str) -> None:
    if seconds >= _LONG_WAIT:
        remark(f"waiting {seconds:,.0f} s for a web server: {why}")
    http_client.sleep_silently(seconds, why)


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
    return FoundInputs(tuple(files.values()), folders, found.passed_over, listings)


def crawl_lookup(options: ExtractOptions, *, arriving: bool = False) -> CrawlLookup:
    """Return what looks crawls up."""
    freshness = (
        Freshness(options.update_listings, _WATCHED_SECONDS)
        if arriving
        else Freshness(options.update_listings)
    )
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
    )


@dataclass(frozen=True, slots=True)
class PinnedSelection:
    """What a selection comes to."""

    identity: CorpusIdentity
    manifest: Manifest | None
    listings: tuple[Listing, ...]
    asked: Fetched = NOTHING_FETCHED

    @property
    def shards(self) -> tuple[Shard, ...]:
        """The shards."""
        return () if self.manifest is None else self.manifest.shards(SHARD_ROWS)

    def keep(self, corpus: Corpus) -> None:
        """Write the manifest, unless it is there and whole."""
        assert self.manifest is not None
        path = f"{corpus.root}/{self.manifest.name}"
        there = corpus.storage.read(path)
        if there is None or open_manifest(there, self.manifest.digest) is None:
            write_file(corpus, self.manifest.name, self.manifest.to_parquet())


def choose(options: ExtractOptions, identity: CorpusIdentity, corpus: Corpus) -> PinnedSelection:
    """Find out which pages are to be read: from the corpus' own manifest, else from the index.

    Raises UsageError for another crawl than that of the corpus, or nothing selected; ValueError or OSError
    where the crawl, its index or the corpus cannot be read.
    """
    refuse_unused(options.choices, ())  # a crawl has archives alone
    lookup = crawl_lookup(options)
    listings = listings_of(options, lookup)
    identity = _pinned(identity, options, listings)
    there = None if options.overwrite else corpus_description(corpus.storage.read(corpus.identity_path))
    if there is not None:
        before, crawl = there.get("crawl"), identity.choices["crawl"]
        if before not in (None, crawl) and f"{SCHEME}{LATEST}" in map(str.lower, options.inputs):
            raise UsageError(f"the corpus holds {before}, latest is now {crawl}: name one")
        digest = str(there.get("selection_digest"))
        pinned = identity.with_choices(selection_digest=digest, index_digest=there.get("index_digest"))
        if pinned.differences(there):
            return PinnedSelection(pinned, None, listings)
        data = corpus.storage.read(f"{corpus.root}/{manifest_name(digest)}")
        manifest = None if data is None else open_manifest(data, digest)
        if manifest is not None:
            return PinnedSelection(pinned, manifest, listings)
    query = IndexQuery(options, lookup)
    manifest = query.manifest(listings)
    identity = identity.with_choices(selection_digest=manifest.digest, index_digest=query.digest)
    return PinnedSelection(identity, manifest, listings, query.web.fetched)


class IndexQuery:
    """Asks the index of crawls for a selection; raises SelectionError where it cannot be asked so."""

    def __init__(self, options: ExtractOptions, lookup: CrawlLookup) -> None:
        assert options.select is not None
        check_selection(options.select)
        self._options = options
        self._selection = options.select
        self._lookup = lookup
        again = options.update_listings and not options.web.offline
        self.web = launcher_web(options, options.web.retry_policy)
        self._files = IndexFiles(self.web, None if again else Cache(default_directory()))
        self._found: dict[str, list[IndexFile]] = {}

    def files(self, listing: Listing) -> list[IndexFile]:
        """Return the files of the index of a crawl, with their footers; raise CrawlError without them."""
        name = listing.crawl.text
        if name not in self._found:
            subset = self._selection.subset
            paths = self._lookup.index_paths(listing.crawl, subset, self._options.index)
            footers = self._files.footers(paths)
            self._found[name] = list(_told(footers, len(paths), "footers", quiet=self._options.quiet))
        return self._found[name]

    @property
    def digest(self) -> str:
        """BLAKE2b-128 over paths, sizes and versions of the files that were asked, hex."""
        lines = hashlib.blake2b(digest_size=16)
        for file in (file for files in self._found.values() for file in files):
            lines.update(f"{file.path.rpartition('/')[2]}\t{file.size}\t{file.version}\n".encode())
        return lines.hexdigest()

    def cost(self, listings: tuple[Listing, ...]) -> IndexCost:
        """Return what asking takes, the footers not counted; raise CrawlError if they cannot be read."""
        costs = (cost_of(file, self._selection) for listing in listings for file in self.files(listing))
        return sum(costs, IndexCost())

    def manifest(self, listings: tuple[Listing, ...]) -> Manifest:
        """Return what is selected; raise UsageError for nothing, CrawlError where the index is not there."""
        cost = self.cost(listings)
        if cost.most_bytes >= _DEAR and not self._options.quiet:
            complain(cost_warning(cost))
        tables = [table for listing in listings for table in self._tables(listing)]
        manifest = make_manifest(pa.concat_tables(tables), self._options.sample, self._options.seed)
        if not manifest.table.num_rows:
            raise UsageError(f"no page matches --select {self._selection}")
        return manifest

    def _tables(self, listing: Listing) -> Iterator[pa.Table]:
        wanted = None
        lines = self._options.lines
        if (lines.start, lines.stop, lines.sample) != (0, None, None):
            wanted = chosen_paths(listing, self._options)
        files = self.files(listing)
        tables = (in_files(places(self._files, file, self._selection), wanted) for file in files)
        return _told(tables, len(files), "files asked", quiet=self._options.quiet)


def _told(steps: Iterable[T], total: int, what: str, *, quiet: bool) -> Iterator[T]:
    """Yield steps; say now and then how far they are."""
    due = float("inf") if quiet else time.monotonic() + _TOLD_SECONDS
    for done, step in enumerate(steps, 1):
        if time.monotonic() >= due:
            due = time.monotonic() + _TOLD_SECONDS
            remark(f"index: {done:,} of {total:,} {what}")
        yield step


def cost_warning(cost: IndexCost) -> str:
    """Return what asking the index takes, and how it would take less."""
    return (
        f"asking the index takes {cost.bytes / 1e9:,.1f} GB in {cost.requests:,} requests, and up to "
        f"{cost.most_bytes / 1e9:,.1f} GB where rows are found: a tld=, a domain= or --slice makes it less"
    )


def _pinned(
    identity: CorpusIdentity, options: ExtractOptions, listings: tuple[Listing, ...]
) -> CorpusIdentity:
    """Return the identity of a corpus with what a selection is pinned by, but for the digests."""
    lines = options.lines
    is_sample = options.sample is not None or lines.sample is not None
    return identity.with_choices(
        crawl=",".join(listing.crawl.text for listing in listings),
        select=str(options.select),
        slice=None if (lines.start, lines.stop) == (0, None) else f"{lines.start}:{lines.stop or ''}",
        sample_files=lines.sample,
        sample=options.sample,
        seed=lines.seed if is_sample else None,
        selection_rows=SHARD_ROWS,
    )
