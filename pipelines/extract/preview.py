"""`cedar extract --plan`: says what would be read and what it would take; writes nothing.

That is reckoned from what is known: pages, bytes, requests, hours, money. A figure that rests on a guess is
shown as `about`.
"""

import contextlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import repeat
from pathlib import Path

from cedar.pipelines.common.errors import of_user
from cedar.pipelines.common.messages import counted, readable, show
from cedar.pipelines.extract.inputs import (
    SHARD_ROWS,
    FoundInputs,
    IndexQuery,
    cost_warning,
    crawl_lookup,
    find,
    listings_of,
    wanted_pages,
)
from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.crawls.catalogue import Cache, CrawlError, Listing, default_directory
from cedar.transforms.crawls.index_query import IndexFiles
from cedar.transforms.crawls.manifest import Manifest, file_spans, joining_for
from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.storage import StoredFile, is_uri
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.records import Record
from cedar.transforms.readers.choices import InputChoices, ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.readers.pages import is_folder
from cedar.transforms.runtime.processes import cores
from cedar.transforms.warc.reader import Damage, FileRange

_PEEKED = 8
"""Files whose beginnings are looked at."""

_PEEK = 1 << 20
"""Bytes of a file that are looked at: some thirty pages of a common crawl."""

_MOST_ASKED = 1 << 30
"""Bytes of the index that are read for an estimate; beyond them it says what asking would take."""


_PAGE_BYTES = 33_000
"""Compressed bytes of a page with its request and metadata, in an archive as crawlers write them."""

_FILE_BYTES = 1_000_000_000
_FILE_PAGES = 26_000
"""Of a WARC file of Common Crawl's; it says 0.8 to 1.1 GB, 22,000 to 42,000 pages."""

_ROW_BYTES = 3_200
"""Of a page in Parquet, compressed."""

_LINE_BYTES = 10_000_000
"""Bytes a second that one connection brings, over https and the world."""

_CLOUD_LINE_BYTES = 50_000_000
_CLOUD_REQUESTS = 50.0
"""The same, and requests a second, within the data's own region."""

_PAGE_SECONDS: Mapping[str, float] = {"cedar": 0.0025, "cetr": 0.0014}
"""CPU seconds a page, text alone, start-up apart (docs/performance.md, 2026-11-22); for other methods
that of `cedar` is taken. Columns that are asked for come on top."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, and whether it is known and not guessed."""

    amount: float
    is_known: bool = True

    def said(self, text: str) -> str:
        """Return the text, as a guess if it is one."""
        return text if self.is_known else f"about {text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What is to be read: files, in shards, the bytes of the pages that are wanted and those that are read.

    `requests` go to a server; 0 for what is on this machine.
    """

    files: int
    shards: int
    pages: Amount
    wanted: Amount
    bytes: Amount
    requests: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take: in words, and in numbers with the names of the records' fields."""

    lines: list[str]
    figures: dict[str, object]


def _estimate(head: list[str], reading: Workload, options: ExtractOptions) -> Estimate:
    """Reckon what a run takes: fetch, extract, write, and all together, which takes the longest does."""
    pages, method = reading.pages.amount, options.extractor
    workers = options.workers or max(1, min(cores(), reading.shards))
    at_work = min(workers, reading.shards)
    page_seconds = _PAGE_SECONDS.get(method, _PAGE_SECONDS["cedar"])
    requests_a_second = options.web.limits.requests_per_second
    cpu = pages * page_seconds / 3600
    fetch = _fetch_hours(reading, _LINE_BYTES * at_work, requests_a_second)
    whole = max(cpu / at_work, fetch)
    there = _fetch_hours(reading, _CLOUD_LINE_BYTES * at_work, _CLOUD_REQUESTS * at_work)
    pace = f"{requests_a_second:g} requests/s (or {_hours(there)} from s3 in us-east-1)"
    dollars = "under $0.01" if cpu * options.price < 0.01 else f"about ${cpu * options.price:,.2f}"
    extract = (
        f"{method}: {page_seconds * 1e3:.1f} ms a page, about {_hours(cpu)} of CPU, "
        f"{dollars} at ${options.price:g} a vCPU-hour; {counted(workers, 'worker')}"
    )
    lines = [
        *head,
        titled("fetch" if reading.requests else "read", _fetch(reading, f"about {_hours(fetch)} at {pace}")),
        titled("extract", extract),
        titled(
            "write", f"about {readable(pages * _ROW_BYTES)} of Parquet, {counted(reading.shards, 'shard')}"
        ),
        titled("in all", f"about {_hours(whole)}"),
    ]
    figures = {
        **asdict(reading),
        "extractor": method,
        "workers": workers,
        "requests_per_second": requests_a_second,
        "price": options.price,
        "cpu_hours": cpu,
        "fetch_hours": fetch,
        "hours": whole,
        "dollars": cpu * options.price,
    }
    return Estimate(lines, figures)


def _fetch_hours(reading: Workload, bytes_a_second: float, requests_a_second: float) -> float:
    """Return the hours that fetching takes at least: for the bytes, or for the pace."""
    seconds = max(reading.bytes.amount / bytes_a_second, reading.requests / requests_a_second)
    return seconds / 3600 if reading.requests else 0.0


def titled(title: str, text: str) -> str:
    """Return a line of a plan."""
    return f"{title:<10} {text}"


def _fetch(reading: Workload, takes: str) -> str:
    wanted = reading.wanted.said(readable(reading.wanted.amount))
    if not reading.requests:
        return f"{wanted} from this machine"
    if reading.bytes != reading.wanted:
        wanted += f" wanted, {readable(reading.bytes.amount)} with what lies between"
    return f"{wanted}, {reading.requests:,} requests: {takes}"


def _hours(number: float) -> str:
    return f"{number:,.1f} h" if number >= 0.1 else f"{max(1, round(number * 3600)):,} s"


def run(options: ExtractOptions) -> int:
    """Print the plan; returns the exit code. Raises UsageError where an input or a crawl is not there."""
    with of_user(OSError, ValueError):
        told = of_inputs(options, find(options)) if options.select is None else _of_selection(options)
    show(*([json.dumps(told.figures)] if options.json else told.lines))
    return 0


def _reading_of(manifest: Manifest, root: str) -> Workload:
    files: set[str] = set()
    requests = size = 0
    shards = manifest.shards(SHARD_ROWS)
    for shard in shards:
        by_file: dict[str, list[tuple[int, int]]] = {}
        for row in manifest.rows(shard.start, shard.stop or 0):
            by_file.setdefault(row.filename, []).append((row.offset, row.length))
        files |= by_file.keys()
        for ranges in by_file.values():
            asked = file_spans(ranges, joining_for(root))
            requests += len(asked)
            size += sum(span.stop - span.start for span in asked)
    return Workload(
        files=len(files),
        shards=len(shards),
        pages=Amount(manifest.table.num_rows),
        wanted=Amount(sum(shard.length for shard in shards)),
        bytes=Amount(size),
        requests=requests if is_uri(root) else 0,
    )


def _of_selection(options: ExtractOptions) -> Estimate:
    lookup = crawl_lookup(options)
    listings = listings_of(options, lookup)
    query = IndexQuery(options, lookup)
    cost = query.cost(listings)
    rows = sum(file.metadata.num_rows for listing in listings for file in query.files(listing))
    parts = sum(len(query.files(listing)) for listing in listings)
    crawls = ", ".join(listing.crawl.text for listing in listings)
    asking = f"{cost.groups:,} row groups in question, {readable(cost.bytes)} to look at them"
    head = f"{crawls}: {rows:,} pages; index: {parts:,} files, {asking}"
    if cost.most_bytes > _MOST_ASKED:
        unknown = f"{options.select}: not asked, at most {cost.rows:,} pages"
        told = [head, titled("select", unknown), cost_warning(cost)]
        return Estimate(told, {"said": told})
    return of_manifest(options, query.manifest(listings), head)


def of_manifest(options: ExtractOptions, manifest: Manifest, *head: str) -> Estimate:
    """Return what reading the pages of a selection takes; the lines begin with `head`."""
    sample, reading = options.sample, _reading_of(manifest, options.web.crawl_root)
    chosen = f"{options.select}: {reading.pages.amount:,} pages in {reading.files:,} files"
    if sample is not None and reading.pages.amount < sample:
        chosen += f" (fewer than --sample {sample}: all)"
    return _estimate([*head, titled("select", chosen)], reading, options)


def of_inputs(options: ExtractOptions, inputs: FoundInputs) -> Estimate:
    """Return what reading whole files takes; raises OSError where a local file is not there."""
    told = [
        f"{each.crawl.text}: {len(each.paths):,} files, {_chosen(each, options):,} of them to be read"
        for each in inputs.listings
    ]
    reading = _whole(inputs, options)
    pages = reading.pages.said(counted(round(reading.pages.amount), "page"))
    amount = titled("pages", f"{pages} in {counted(reading.files, 'file')}")
    return _estimate([*told, amount], reading, options)


def _whole(inputs: FoundInputs, options: ExtractOptions) -> Workload:
    sizes = [_size_of(file, options) for file in inputs.files]
    known = sum(size for size in sizes if size is not None)
    unknown, files = sum(size is None for size in sizes), len(sizes)
    size = Amount(known + unknown * _FILE_BYTES, is_known=not unknown)
    pages = known * (1 / _PAGE_BYTES) + unknown * _FILE_PAGES
    requests = sum(is_uri(options.web.place_of(file.path)) for file in inputs.files)
    rows = [_counted(listing, options) for listing in inputs.listings]
    if rows and None not in rows and sum(map(_chosen, inputs.listings, repeat(options))) == files:
        pages = sum(number for number in rows if number is not None)
    elif not unknown:
        listed = sum(len(folder.pages) for folder in inputs.folders)
        places = [options.web.place_of(file.path) for file in inputs.files if not is_folder(file.path)]
        is_here = not any(map(is_uri, places))  # then the beginnings of the first are looked at
        density = page_density(places[:_PEEKED], wanted_pages(options), options.choices) if is_here else 0.0
        if density or listed:
            pages = (known - sum(folder.input.size or 0 for folder in inputs.folders)) * density + listed
        files += listed - len(inputs.folders)
    reckoned = Amount(pages, is_known=False)
    return Workload(files=files, shards=files, pages=reckoned, wanted=size, bytes=size, requests=requests)


def _size_of(file: StoredFile, options: ExtractOptions) -> int | None:
    """Bytes of an input, where finding out costs nothing."""
    place = options.web.place_of(file.path)
    if file.size is not None or is_uri(place):
        return file.size
    return storage_for(place).stat(place).size


def page_density(paths: Iterable[str], wanted: PageFilter, choices: InputChoices) -> float:
    """Count the pages a byte at the beginning of files; 0 if they hold none. Raises OSError."""
    pages = looked_at = 0
    asked = ReadOptions(kinds=wanted.record_types, choices=choices)
    for path in paths:
        size = Path(path).stat().st_size
        span = FileRange(source=path, size=size, start=0, stop=min(size, _PEEK))
        end = span.end
        with Path(path).open("rb") as file:
            for item in kind_of(path).read(file, span, asked):
                if isinstance(item, Record):
                    with contextlib.suppress(RejectedError):
                        decode_record(item, wanted)
                        pages += 1
                if isinstance(item, Record | Damage):
                    # A row group is longer than what is looked at.
                    end = max(span.end, item.location.end)
                    if end > _PEEK:
                        break
        looked_at += end
    return pages / looked_at if pages else 0.0


def _counted(listing: Listing, options: ExtractOptions) -> float | None:
    """Pages of the chosen files of a crawl, at its mean; None where its index was not looked at before."""
    offline = replace(options, web_choices=replace(options.web_choices, offline=True))
    files = IndexFiles(Web(offline.web), Cache(default_directory()))
    try:
        paths = crawl_lookup(offline).index_paths(listing.crawl, "warc", None)
        rows = sum(int(file.metadata.num_rows) for file in files.footers(paths))
    except CrawlError:
        return None
    return rows / len(listing.paths) * _chosen(listing, options)


def _chosen(listing: Listing, options: ExtractOptions) -> int:
    """How many files of a crawl are to be read."""
    start, stop, _ = slice(options.lines.start, options.lines.stop).indices(len(listing.paths))
    return stop - start if options.lines.sample is None else min(options.lines.sample, stop - start)
