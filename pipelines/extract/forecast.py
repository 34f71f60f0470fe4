"""`cedar extract --plan`: prints what a run would read, as a range if it is not known; writes nothing."""

import json
import math
from dataclasses import asdict, dataclass, replace

from cedar.pipelines.common.errors import usage_errors
from cedar.pipelines.common.terminal import format_bytes, plural, print_out
from cedar.pipelines.extract.inputs import (
    RunInputs,
    crawl_lookup,
    launcher_web,
    listings_of,
    resolve_inputs,
    wanted_pages,
)
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.extract.page_estimate import Range, estimate_pages, exactly
from cedar.pipelines.extract.selection import SHARD_ROWS, IndexQuery, captures_of_index, cost_warning
from cedar.transforms.crawls.cache import Cache, default_directory
from cedar.transforms.crawls.catalogue import Listing
from cedar.transforms.crawls.index_file import IndexFiles
from cedar.transforms.crawls.manifest import CRAWL_FOLDER, Manifest
from cedar.transforms.crawls.names import CrawlError
from cedar.transforms.crawls.selected import file_spans, joining_for
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL, is_web
from cedar.transforms.files.storage import StoredFile, is_uri
from cedar.transforms.files.stores import source_for
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.pages import is_folder
from cedar.transforms.readers.shards import shard_inputs

_WINDOWS = 64
"""Places that are looked at in files of this machine."""

_REMOTE_WINDOWS = 8
"""Places that are looked at in files of a store or a web server: a request or two each."""

_MAX_INDEX_BYTES = 1 << 30
"""Bytes of the index that are read for a plan; beyond them it says what asking would take."""

_CRAWL_FILE_BYTES = Range(800_000_000, 1_100_000_000)
_CRAWL_FILE_PAGES = Range(22_000, 42_000)
"""Of a WARC file of Common Crawl, as it says itself."""

_SPREAD = 1 / 3
"""Nearly every file of a crawl has as many pages as the mean of all files, but for this share of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What a run would read.

    Attributes:
        pages: pages, before any rule drops some.
        bytes: bytes that are read.
        wanted: bytes of the pages themselves, if only they are wanted; None = files are read whole.
        requests: requests to a store or a web server; 0 for files of this machine.
    """

    files: int
    shards: Range
    pages: Range
    bytes: Range
    wanted: int | None = None
    requests: int = 0


@dataclass(frozen=True, slots=True)
class Forecast:
    """A plan in words, a line each, and in figures."""

    lines: list[str]
    figures: dict[str, object]


def run(options: ExtractOptions) -> int:
    """Print the plan; returns the exit code. Raises UsageError where an input or a crawl is not there."""
    with usage_errors(OSError, ValueError):
        if options.cdx:
            forecast = forecast_of_manifest(options, captures_of_index(options))
        elif options.select is not None:
            forecast = _forecast_of_query(options)
        else:
            forecast = forecast_of_inputs(options, resolve_inputs(options))
    print_out(*([json.dumps(forecast.figures)] if options.json else forecast.lines))
    return 0


def forecast_of_inputs(options: ExtractOptions, inputs: RunInputs) -> Forecast:
    """Return the plan for whole files; raises OSError where a file cannot be read."""
    crawls = [
        f"{each.crawl.text}: {plural(len(each.paths), 'file')}, {_chosen_count(each, options):,} to be read"
        for each in inputs.listings
    ]
    workload = _workload_of_files(options, inputs)
    pages = _line("pages", f"{workload.pages.text()} in {plural(workload.files, 'file')}")
    return _forecast([*crawls, pages], workload, options)


def forecast_of_manifest(options: ExtractOptions, manifest: Manifest, *head: str) -> Forecast:
    """Return the plan for the pages of a selection; its lines begin with `head`."""
    workload = _workload_of_manifest(manifest, options.web.crawl_root)
    pages = manifest.table.num_rows
    named = plural(pages, "capture" if options.select is None else "page")  # an index may name revisits
    chosen = f"{options.select or 'index'}: {named} in {plural(workload.files, 'file')}"
    if options.sample is not None and options.sample.number and pages < options.sample.number:
        chosen += f" (fewer than --sample {options.sample}: all)"
    return _forecast([*head, _line("select", chosen)], workload, options)


def _forecast_of_query(options: ExtractOptions) -> Forecast:
    lookup = crawl_lookup(options)
    listings = listings_of(options, lookup)
    query = IndexQuery(options, lookup)
    cost = query.cost(listings)
    rows = sum(file.metadata.num_rows for listing in listings for file in query.files(listing))
    parts = sum(len(query.files(listing)) for listing in listings)
    crawls = ", ".join(listing.crawl.text for listing in listings)
    asking = f"{plural(cost.groups, 'row group')} in question, {format_bytes(cost.bytes)} to look at them"
    head = f"{crawls}: {plural(rows, 'page')}; index: {plural(parts, 'file')}, {asking}"
    if cost.max_bytes <= _MAX_INDEX_BYTES:
        return forecast_of_manifest(options, query.manifest(listings), head)
    unknown = _line("select", f"{options.select}: not asked, at most {plural(cost.rows, 'page')}")
    pages, size = Range(0, cost.rows), Range(cost.bytes, cost.max_bytes)
    figures: dict[str, object] = {"pages": asdict(pages), "index_bytes": asdict(size)}
    return Forecast([head, unknown, cost_warning(cost)], figures)


def _forecast(head: list[str], workload: Workload, options: ExtractOptions) -> Forecast:
    size = workload.bytes.text(format_bytes) if workload.wanted is None else format_bytes(workload.wanted)
    shards = f"{workload.shards.text()} {'shard' if workload.shards == exactly(1) else 'shards'}"
    if not workload.requests:
        return Forecast([*head, _line("read", f"{size} from this machine, {shards}")], asdict(workload))
    if workload.wanted is not None and exactly(workload.wanted) != workload.bytes:
        size += f" wanted, {workload.bytes.text(format_bytes)} with what lies between"
    rate = options.web.limits.requests_per_second
    pace = f": at least {_duration(workload.requests / rate)} at {rate:g} requests/s"
    if options.web.crawl_root.startswith(("s3:", "gs:")):
        pace = ""
    fetch = f"{size}, {plural(workload.requests, 'request')}, {shards}{pace}"
    return Forecast([*head, _line("fetch", fetch)], asdict(workload))


def _line(title: str, text: str) -> str:
    return f"{title:<10} {text}"


def _duration(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} h" if seconds >= 360 else f"{max(1, round(seconds)):,} s"


def _workload_of_manifest(manifest: Manifest, root: str) -> Workload:
    files: set[str] = set()
    requests = size = 0
    shards = manifest.shards(SHARD_ROWS)
    for shard in shards:
        by_file: dict[str, list[tuple[int, int]]] = {}
        for row in manifest.rows(shard.start, shard.stop or 0):
            by_file.setdefault(row.filename, []).append((row.offset, row.length))
        files |= by_file.keys()
        for file, ranges in by_file.items():
            is_remote = is_uri(file) or file.startswith(CRAWL_FOLDER)
            spans = file_spans(ranges, joining_for(root))
            requests += len(spans) * is_remote
            size += sum(span.stop - span.start for span in spans)
    return Workload(
        files=len(files),
        shards=exactly(len(shards)),
        pages=exactly(manifest.table.num_rows),
        bytes=exactly(size),
        wanted=sum(shard.length for shard in shards),
        requests=requests if is_uri(root) else 0,
    )


def _workload_of_files(options: ExtractOptions, inputs: RunInputs) -> Workload:
    files = [_with_size(file, options) for file in inputs.files if not is_folder(file.path)]
    known = [file for file in files if file.size is not None]
    unknown = [file for file in files if file.size is None]
    pages = _pages_of_known(options, known)
    size = exactly(sum(file.size or 0 for file in known) + sum(f.input.size or 0 for f in inputs.folders))
    of_crawls = sum(file.path.startswith(COMMON_CRAWL) for file in unknown)
    if of_crawls:
        pages += _pages_of_crawls(options, inputs.listings, of_crawls)
        size += _times(_CRAWL_FILE_BYTES, of_crawls)
    if len(unknown) > of_crawls:  # files of other web servers, which were not asked for
        pages, size = Range(pages.low, None), Range(size.low, None)
    listed = sum(len(folder.pages) for folder in inputs.folders)
    return Workload(
        files=len(files) + listed,
        shards=_shards(options, [*files, *(folder.input for folder in inputs.folders)]),
        pages=pages + exactly(listed),
        bytes=size,
        requests=sum(is_uri(options.web.place_of(file.path)) for file in files),
    )


def _with_size(file: StoredFile, options: ExtractOptions) -> StoredFile:
    """Return an input with its size, if finding that out costs nothing."""
    if file.size is not None or is_uri(options.web.place_of(file.path)):
        return file
    return replace(source_for(file.place, Web(options.web)).stat(), path=file.path, url=file.url)


def _pages_of_known(options: ExtractOptions, files: list[StoredFile]) -> Range:
    """Return how many pages there are in files of known size, by looking into them."""
    wanted = wanted_pages(options)
    read_options = ReadOptions(kinds=wanted.record_types, choices=options.choices)
    web = launcher_web(options)
    pages = exactly(0)
    for is_remote, windows in ((False, _WINDOWS), (True, _REMOTE_WINDOWS)):
        chosen = [file for file in files if is_uri(options.web.place_of(file.path)) == is_remote]
        pages += estimate_pages(
            chosen,
            lambda file: source_for(file.place, web).open(),
            wanted,
            options=read_options,
            windows=windows,
        )
    return pages


def _pages_of_crawls(options: ExtractOptions, listings: tuple[Listing, ...], files: int) -> Range:
    """Return how many pages there are in files of crawls: by the index if it is known, else as published."""
    pages = exactly(0)
    for listing in listings:
        rows, chosen = _index_rows(listing, options), min(files, _chosen_count(listing, options))
        if rows is None:
            continue
        files -= chosen
        number = rows / len(listing.paths) * chosen
        margin = 0 if chosen == len(listing.paths) else number * _SPREAD / math.sqrt(max(1, chosen))
        pages += Range(int(number - margin), math.ceil(number + margin))
    return pages + _times(_CRAWL_FILE_PAGES, files)


def _index_rows(listing: Listing, options: ExtractOptions) -> int | None:
    """Return the pages of a crawl; None if its index was not looked at before."""
    offline = replace(options, web_options=replace(options.web_options, offline=True))
    files = IndexFiles(Web(offline.web), Cache(default_directory()))
    try:
        paths = crawl_lookup(offline).index_paths(listing.crawl, "warc", None)
        return sum(int(file.metadata.num_rows) for file in files.footers(paths))
    except CrawlError:
        return None


def _chosen_count(listing: Listing, options: ExtractOptions) -> int:
    """Return how many files of a crawl are to be read."""
    start, stop, _ = slice(options.lines.start, options.lines.stop).indices(len(listing.paths))
    return stop - start if options.lines.sample is None else min(options.lines.sample, stop - start)


def _shards(options: ExtractOptions, files: list[StoredFile]) -> Range:
    """Return how many shards files make; of remote ones it is not looked at whether they can be split."""
    local = [file for file in files if not is_uri(options.web.place_of(file.path))]
    remote = [file for file in files if is_uri(options.web.place_of(file.path))]
    split = len(shard_inputs(remote, options.split_size, lambda file: not is_web(file.path)))
    return exactly(len(shard_inputs(local, options.split_size))) + Range(len(remote), split)


def _times(one: Range, number: int) -> Range:
    return Range(one.low * number, None if one.high is None else one.high * number)
