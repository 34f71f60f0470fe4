"""`--select` and `--cdx`: which records are read, looked up in an index, then kept in the corpus."""

import hashlib
import itertools
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.terminal import info, plural, warn
from cedar.pipelines.extract.inputs import (
    chosen_paths,
    crawl_lookup,
    launcher_web,
    listings_of,
    resolve_inputs,
)
from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.layout import corpus_description
from cedar.transforms.crawls.cache import Cache, default_directory
from cedar.transforms.crawls.catalogue import CrawlLookup, Listing
from cedar.transforms.crawls.index_file import IndexFile, IndexFiles
from cedar.transforms.crawls.index_query import (
    ROW_SCHEMA,
    IndexCost,
    check_selection,
    in_files,
    query_cost,
    select_rows,
)
from cedar.transforms.crawls.manifest import Manifest, make_manifest, manifest_name, open_manifest
from cedar.transforms.crawls.names import LATEST, SCHEME
from cedar.transforms.files.places import absolute
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.books import NOTHING_FETCHED, Fetched
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.indexed import IndexedFiles, indexed_rows
from cedar.transforms.readers.kinds import refuse_unused

T = TypeVar("T")

SHARD_ROWS = 2000
"""Rows of a selection that are a shard: across files, because rare pages lie one here, one there."""

_ROWS_AT_ONCE = 65_536
_PROGRESS_SECONDS = 10.0

EXPENSIVE_BYTES = 1 << 30
"""Bytes of the index from which on a user is told what asking it takes."""


@dataclass(frozen=True, slots=True)
class PinnedSelection:
    """The rows of a selection, and the identity of a corpus of them."""

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
        content = corpus.storage.read(path)
        if content is None or open_manifest(content, self.manifest.digest) is None:
            corpus.write_file(self.manifest.name, self.manifest.to_parquet())


def resolve_selection(options: ExtractOptions, identity: CorpusIdentity, corpus: Corpus) -> PinnedSelection:
    """Find out which pages are to be read: from the corpus' own manifest, else from the index.

    Raises UsageError for another crawl than the corpus's, or nothing selected; ValueError or OSError
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
            # `claim` refuses this corpus: the index is not asked in vain.
            return PinnedSelection(pinned, None, listings)
        data = corpus.storage.read(f"{corpus.root}/{manifest_name(digest)}")
        manifest = None if data is None else open_manifest(data, digest)
        if manifest is not None:
            return PinnedSelection(pinned, manifest, listings)
    query = IndexQuery(options, lookup)
    manifest = query.manifest(listings)
    identity = identity.with_choices(selection_digest=manifest.digest, index_digest=query.digest)
    return PinnedSelection(identity, manifest, listings, query.web.fetched)


def resolve_captures(options: ExtractOptions, identity: CorpusIdentity) -> PinnedSelection:
    """Find out which records the files of --cdx name, and where they are among the inputs.

    Raises UsageError if none is there; ValueError or OSError if an index or an input cannot be read.
    """
    manifest = captures_of_index(options)
    sample = options.sample
    identity = identity.with_choices(
        cdx=manifest.digest,
        sample=None if sample is None else str(sample),
        seed=None if sample is None else options.seed,
        selection_rows=SHARD_ROWS,
    )
    return PinnedSelection(identity, manifest, ())


def captures_of_index(options: ExtractOptions) -> Manifest:
    """Return the records that the files of --cdx name; raises as `resolve_captures`."""
    web = launcher_web(options)
    sources = [file.path for file in resolve_inputs(options).files]
    files = IndexedFiles(sources, lambda source: source_for(source, web))
    missing: Counter[str] = Counter()
    tables = [ROW_SCHEMA.empty_table()]
    for path in options.cdx:
        with usage_errors(OSError, saying=f"cannot read {path}", short=True):
            source = source_for(absolute(path), web)
            source.open().close()
        rows = indexed_rows(source, files, missing)
        while part := list(itertools.islice(rows, _ROWS_AT_ONCE)):
            tables.append(pa.Table.from_pylist([row._asdict() for row in part], ROW_SCHEMA))
    manifest = make_manifest(pa.concat_tables(tables), options.sample, options.seed)
    left_out = ""
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        left_out = (
            f"{plural(missing.total(), 'capture')} of the index not read: "
            f"{min(missing)}{more} is not among the inputs"
        )
    if not manifest.table.num_rows:
        raise UsageError(left_out or f"{options.cdx[0]} names no capture")
    if left_out and not options.quiet:
        warn(left_out)
    return manifest


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
            self._found[name] = list(with_progress(footers, len(paths), "footers", quiet=self._options.quiet))
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
        costs = (query_cost(file, self._selection) for listing in listings for file in self.files(listing))
        return sum(costs, IndexCost())

    def manifest(self, listings: tuple[Listing, ...]) -> Manifest:
        """Return the selected rows; raise UsageError if there is none, CrawlError if there is no index."""
        cost = self.cost(listings)
        if cost.max_bytes >= EXPENSIVE_BYTES and not self._options.quiet:
            warn(cost_warning(cost))
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
        tables = (in_files(select_rows(self._files, file, self._selection), wanted) for file in files)
        return with_progress(tables, len(files), "files asked", quiet=self._options.quiet)


def with_progress(steps: Iterable[T], total: int, what: str, *, quiet: bool) -> Iterator[T]:
    """Yield steps; print every ten seconds how many are done."""
    due = float("inf") if quiet else time.monotonic() + _PROGRESS_SECONDS
    for done, step in enumerate(steps, 1):
        if time.monotonic() >= due:
            due = time.monotonic() + _PROGRESS_SECONDS
            info(f"index: {done:,} of {total:,} {what}")
        yield step


def cost_warning(cost: IndexCost) -> str:
    """Return what asking the index takes, and how it would take less."""
    return (
        f"asking the index takes {cost.bytes / 1e9:,.1f} GB in {cost.requests:,} requests, and up to "
        f"{cost.max_bytes / 1e9:,.1f} GB where rows are found: a tld=, a domain= or --slice makes it less"
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
        sample=None if options.sample is None else str(options.sample),
        seed=lines.seed if is_sample else None,
        selection_rows=SHARD_ROWS,
    )
