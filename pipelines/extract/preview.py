"""`cedar extract --plan`: says what would be read and what it would take; writes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path

from pipelines.common.errors import UsageError
from pipelines.common.messages import counted, readable, show
from pipelines.extract.estimate import Amount, Estimate, Means, Workload, titled, whole_files
from pipelines.extract.inputs import FoundInputs, crawl_lookup, find, listings_of, wanted_pages
from pipelines.extract.options import ExtractOptions
from pipelines.extract.selection import SHARD_ROWS, IndexQuery, dear
from transforms.crawls.cache import Cache, default_directory
from transforms.crawls.catalogue import Listing
from transforms.crawls.index_files import IndexFiles
from transforms.crawls.manifest import Manifest
from transforms.crawls.names import CrawlError
from transforms.crawls.selected import file_spans, joining_for
from transforms.decode.page import PageFilter, decode_record
from transforms.files.http_client import Web
from transforms.files.storage import StoredFile, is_uri
from transforms.files.stores import storage_for
from transforms.model.books import RejectedError
from transforms.model.records import Record
from transforms.readers.choices import Asked, InputChoices
from transforms.readers.kinds import kind_of
from transforms.readers.pages import is_folder
from transforms.runtime.processes import cores
from transforms.warc.reader import Damage, FileRange

_PEEKED = 8
"""Files whose beginnings are looked at."""

_PEEK = 1 << 20
"""Bytes of a file that are looked at: some thirty pages of a common crawl."""

_MOST_ASKED = 1 << 30
"""Bytes of the index that are read for an estimate; beyond them it says what asking would take."""


def run(options: ExtractOptions) -> int:
    """Print the plan; returns the exit code. Raises UsageError where an input or a crawl is not there."""
    try:
        told = of_inputs(options, find(options)) if options.select is None else _of_selection(options)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    for line in [json.dumps(told.figures)] if options.json else told.lines:
        show(line)
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
        return Estimate((head, titled("select", unknown), dear(cost)))
    found = of_manifest(options, query.manifest(listings))
    return replace(found, head=(head, *found.head))


def of_manifest(options: ExtractOptions, manifest: Manifest) -> Estimate:
    """What reading the pages of a selection takes."""
    sample, reading = options.sample, _reading_of(manifest, options.web.crawl_root)
    chosen = f"{options.select}: {reading.pages.amount:,} pages in {reading.files:,} files"
    if sample is not None and reading.pages.amount < sample:
        chosen += f" (fewer than --sample {sample}: all)"
    return Estimate((titled("select", chosen),), reading, _means(options, reading))


def of_inputs(options: ExtractOptions, inputs: FoundInputs) -> Estimate:
    """What reading whole files takes; raises OSError where a local file is not there."""
    told = [
        f"{each.crawl.text}: {len(each.paths):,} files, {_chosen(each, options):,} of them to be read"
        for each in inputs.listings
    ]
    reading = _whole(inputs, options)
    pages = reading.pages.said(counted(round(reading.pages.amount), "page"))
    amount = titled("pages", f"{pages} in {counted(reading.files, 'file')}")
    return Estimate((*told, amount), reading, _means(options, reading))


def _whole(inputs: FoundInputs, options: ExtractOptions) -> Workload:
    sizes = [_size_of(file, options) for file in inputs.files]
    known = sum(size for size in sizes if size is not None)
    unknown = sum(size is None for size in sizes)
    requests = sum(is_uri(options.web.place_of(file.path)) for file in inputs.files)
    rows = [_counted(listing, options) for listing in inputs.listings]
    if rows and None not in rows and sum(map(_chosen, inputs.listings, repeat(options))) == len(sizes):
        pages = Amount(sum(number for number in rows if number is not None), is_known=False)
        return whole_files(len(sizes), None if unknown else known, pages, requests)
    if not unknown:
        listed = sum(len(folder.pages) for folder in inputs.folders)
        density = _density([file for file in inputs.files if not is_folder(file.path)], options)
        others = known - sum(folder.input.size or 0 for folder in inputs.folders)
        reckoned = Amount(others * (density or 0.0) + listed, is_known=False) if density or listed else None
        return whole_files(len(sizes) - len(inputs.folders) + listed, known, reckoned, requests)
    guess = whole_files(unknown, None, None, requests)
    size = Amount(guess.bytes.amount + known, is_known=False)
    pages = Amount(whole_files(1, known, None, 0).pages.amount + guess.pages.amount, is_known=False)
    return replace(whole_files(len(sizes), None, pages, requests), wanted=size, bytes=size)


def _size_of(file: StoredFile, options: ExtractOptions) -> int | None:
    """Bytes of an input, where finding out costs nothing."""
    place = options.web.place_of(file.path)
    if file.size is not None or is_uri(place):
        return file.size
    return storage_for(place).stat(place).size


def _density(files: Sequence[StoredFile], options: ExtractOptions) -> float | None:
    """Pages a byte of files that are all on this machine, by the beginnings of the first."""
    places = [options.web.place_of(file.path) for file in files]
    return (
        None
        if any(map(is_uri, places))
        else pages_a_byte(places[:_PEEKED], wanted_pages(options), options.choices)
    )


def pages_a_byte(paths: Iterable[str], wanted: PageFilter, choices: InputChoices) -> float | None:
    """Count the pages a byte at the beginning of files; None if they hold none. Raises OSError."""
    pages = looked_at = 0
    asked = Asked(kinds=wanted.record_types, caps=wanted.caps, choices=choices)
    for path in paths:
        size = Path(path).stat().st_size
        span = FileRange(source=path, size=size, start=0, stop=min(size, _PEEK))
        end = span.end
        with Path(path).open("rb") as file:
            for item in kind_of(path).read(file, span, asked):
                if isinstance(item, Record | Damage):
                    pages += isinstance(item, Record) and _is_page(item, wanted)
                    # A row group is longer than what is looked at.
                    end = max(span.end, item.offset + item.length)
                    if end > _PEEK:
                        break
        looked_at += end
    return pages / looked_at if pages else None


def _is_page(record: Record, wanted: PageFilter) -> bool:
    try:
        decode_record(record, wanted)
    except RejectedError:
        return False
    return True


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


def _means(options: ExtractOptions, reading: Workload) -> Means:
    return Means(
        extractor=options.extractor,
        workers=options.workers or max(1, min(cores(), reading.shards)),
        requests_per_second=options.web.limits.requests_per_second,
        price=options.price,
    )
