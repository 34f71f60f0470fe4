"""What `cedar extract` is to read, as the user named it: files, URLs, lists, and crawls by name."""

import contextlib
import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from cedar.pipelines.common.terminal import info
from cedar.pipelines.common.url_options import url_rules
from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.outputs import refuse_own_files
from cedar.transforms.crawls.cache import Cache, default_directory
from cedar.transforms.crawls.catalogue import CrawlLookup, Freshness, Listing
from cedar.transforms.crawls.names import SCHEME, CrawlError
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.files import http_client
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.inputs import find_inputs
from cedar.transforms.files.retry import INTERACTIVE, RetryPolicy
from cedar.transforms.files.storage import StoredFile, is_uri, raised_as
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.choices import ColumnError
from cedar.transforms.readers.kinds import kind_of, refuse_unused
from cedar.transforms.readers.pages import PageListing
from cedar.transforms.readers.shards import shard_inputs
from cedar.transforms.urls.sample import UrlSample, sample_of

_LONG_WAIT = 5.0
"""A wait of as many seconds, or more, is told."""

_WATCHED_SECONDS = 600.0
"""How often a watch looks at the listing of a month of CC-NEWS."""

_WET_OR_WAT = re.compile(r"\.(?:warc\.)?(wet|wat)(?:\.gz)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RunInputs:
    """What a run reads.

    Attributes:
        files: each file once, and directories of files of HTML as one. Files of crawls are named by their
            URLs at Common Crawl, wherever they are read from; their size and version are not known yet.
        folders: the listings of these directories.
        passed_over: files that are not read, and why.
        listings: the crawls that are named.
    """

    files: tuple[StoredFile, ...]
    folders: tuple[PageListing, ...]
    passed_over: tuple[tuple[str, str], ...]
    listings: tuple[Listing, ...]

    def shards(self, options: ExtractOptions, ledger: Ledger) -> tuple[Shard, ...]:
        """Return the shards of all files; raise OSError if a file cannot be read."""
        files = _with_states(self.files, ledger, options)
        return shard_inputs(files, options.split_size, _known_splits(ledger, options))

    def keep(self, corpus: Corpus) -> None:
        """Write the listings of directories into the corpus."""
        for folder in self.folders:
            corpus.write_file(folder.name, folder.to_parquet())


def launcher_web(options: ExtractOptions, retry_policy: RetryPolicy = INTERACTIVE) -> Web:
    """Return what asks web servers before the workers do; long waits are told of."""
    web = replace(options.web, retry_policy=retry_policy)
    return Web(web) if options.quiet else Web(web, sleep=_wait_aloud)


def _wait_aloud(seconds: float, why: str) -> None:
    if seconds >= _LONG_WAIT:
        info(f"waiting {seconds:,.0f} s for a web server: {why}")
    http_client.sleep_silently(seconds, why)


def resolve_inputs(options: ExtractOptions, *, arriving: bool = False) -> RunInputs:
    """Find the files that are to be read; if they are `arriving`, they may come and go.

    Raises InputError for an input or a crawl that cannot be read, CorpusError for a file of the output; if
    files are `arriving`, OSError for a directory that cannot be read now.
    """
    others = [given for given in options.inputs if not given.startswith(SCHEME)]
    found = find_inputs(
        others,
        lines=options.lines,
        exclude=options.output or None,
        arriving=arriving,
        web=launcher_web(options),
    )
    listings = listings_of(options, crawl_lookup(options, arriving=arriving))
    folders = tuple(map(PageListing.of, found.folders))
    files = {file.path: file for file in (*found.files, *(folder.input for folder in folders))}
    for listing in listings:
        for path in chosen_paths(listing, options):
            files.setdefault(COMMON_CRAWL + path, StoredFile(COMMON_CRAWL + path, None, None))
    if not options.queue:
        _refuse_wet_and_wat(files)
    if not arriving:
        refuse_unused(options.choices, files)
        _check_columns(files, options)
    refuse_own_files(options.output, files)
    return RunInputs(tuple(files.values()), folders, found.passed_over, listings)


def passed_over_lines(passed_over: Iterable[tuple[str, str]], *, each: bool) -> list[str]:
    """Say which files are not read, and why: a line for each, or for each reason, which names the first."""
    by_reason: dict[str, list[str]] = {}
    for path, why in passed_over:
        by_reason.setdefault(why, []).append(path)
    lines = []
    for why, paths in by_reason.items():
        if each:
            lines += [f"passed over {path}: {why}" for path in paths]
        else:
            more = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
            hint = " (--log-level info lists them)" if more else ""
            lines.append(f"passed over {paths[0]}{more}: {why}{hint}")
    return lines


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


def _refuse_wet_and_wat(paths: Iterable[str]) -> None:
    """Raise InputError for files of text or metadata that others extracted."""
    for path in paths:
        match = _WET_OR_WAT.search(path, max(0, len(path) - len(".warc.wet.gz")))
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


def _with_states(files: Iterable[StoredFile], ledger: Ledger, options: ExtractOptions) -> list[StoredFile]:
    """Return the files, with size and version where they are committed and are to be looked at again."""
    committed: set[str] = set()
    if options.refresh:
        ledger.refresh()
        committed = {summary.shard.source for summary in ledger.summaries()}
    web = launcher_web(options)
    return [
        replace(source_for(file.place, web).stat(), path=file.path, url=file.url)
        if file.size is None and file.path in committed
        else file
        for file in files
    ]


def wanted_pages(options: ExtractOptions) -> PageFilter:
    """Return what becomes a page; raise UsageError where a list of addresses cannot be read."""
    return PageFilter(
        record_types=frozenset(options.record_types),
        statuses=options.statuses,
        plain_text=options.text_plain == "keep",
        urls=replace(url_rules(options.urls), sample=_sample(options)),
    )


def _sample(options: ExtractOptions) -> UrlSample | None:
    """Return the sample of the pages of files; a selection is sampled before its pages are fetched."""
    if options.sample is None or options.is_selection:
        return None
    return sample_of(options.sample, options.seed, ())


def _known_splits(ledger: Ledger, options: ExtractOptions) -> Callable[[StoredFile], bool | None]:
    """Return what tells whether an input was split as it is now; None where no commit says so.

    A resume over files of an object store need not read the beginning of each.
    """
    read = functools.cache(ledger.refresh)

    def was_split(file: StoredFile) -> bool | None:
        if options.overwrite or not is_uri(file.path):
            return None
        read()
        done = (summary.shard for summary in ledger.of_source(file.path))
        parts = [shard for shard in done if (shard.size, shard.version) == (file.size, file.version)]
        return (parts[0].start, parts[0].stop) != (0, file.size) if parts else None

    return was_split
