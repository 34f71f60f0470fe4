"""Find, take out and count common lines, which stand on many of the kept pages (`--lines`).

A place is a page, by its number among all pages, and a line, by its number among the page's `long_lines`.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cedar.pipelines.dedup.clusters import append_block, read_share
from cedar.pipelines.dedup.pages import read_duplicates, takes_part
from cedar.pipelines.dedup.plan import DedupPlan, ShardRef
from cedar.transforms.corpus.corpus_reader import broken_data
from cedar.transforms.curation.common_lines import long_lines, page_without_lines, without_lines
from cedar.transforms.curation.duplicates import (
    LINE_BITS,
    LINE_WORDS,
    Words,
    common_places,
    line_records,
    spread,
)
from cedar.transforms.curation.masks import PageMask
from cedar.transforms.model.books import RejectReason, Stage
from cedar.transforms.model.columns import Column, arrow_schema
from cedar.transforms.model.records import ExtractedPage, Reject
from cedar.transforms.urls.canonical import host_of

LINE_COLUMNS = (
    Column("host", "string", True, "the host whose pages have it; null with --lines-by corpus"),
    Column("line", "string", False, "the line"),
    Column("pages", "int64", False, "pages that have it"),
    Column("url", "string", False, "the first of these pages"),
)
"""The columns of `lines/`."""

LABELS = {
    "lines": "lines on many pages",
    "removed": "lines taken out",
    "changed": "pages that lost lines",
    "dropped": "pages dropped, as they would lose more than half",
}
"""The counts of lines in `run.json`, and their names for people."""

_PAGES_AT_ONCE = 1024
_PLACES_AT_ONCE = 1 << 18
_BOOKS = b"cedar.books"


def write_line_records(plan: DedupPlan, number: int) -> None:
    """Write the records of the lines of a pack's kept pages, part by part, in blocks of some pages."""
    with plan.work("lines", number).writing() as file:
        for shard in plan.packs[number].shards:
            for records in _records(plan, shard):
                append_block(file, spread(records, plan.bits))


def _records(plan: DedupPlan, shard: ShardRef) -> Iterator[Words]:
    reader = plan.inputs.origins[shard.origin_number].reader
    assert reader is not None
    is_kept = takes_part(plan, shard)
    for row, keep in read_duplicates(plan, shard, ("row", "keep")):
        is_kept[row] &= keep
    summary = reader.require_commit(shard.name)
    for place, batch in reader.batches(summary, "pages", ("url", "text"), max_rows=_PAGES_AT_ONCE):
        urls, texts = (column.to_pylist() for column in batch.columns)
        wanted = is_kept[place.row : place.row + len(texts)]
        lines = [long_lines(text) if kept else [] for text, kept in zip(texts, wanted, strict=True)]
        yield line_records(lines, [_host(plan, url) for url in urls], shard.first + place.row)


def _host(plan: DedupPlan, url: str) -> str:
    """Return the host of a page, "" if lines of all pages are compared."""
    return host_of(url) if plan.options.lines_by == "host" else ""


def write_common_lines(plan: DedupPlan, part: int) -> None:
    """Write the places of a part's common lines, grouped by pack."""
    max_rows = max(1, plan.memory // (16 * LINE_WORDS * 8))
    shares = (
        read_share(plan.work("lines", pack.number), part, 1 << plan.bits, words=LINE_WORDS, max_rows=max_rows)
        for pack in plan.packs
        if not pack.is_old
    )
    records = itertools.chain.from_iterable(shares)
    # No line is on more pages than there are; the option's number may be beyond 64 bits.
    min_pages = min(plan.options.lines_pages, plan.inputs.pages + 2)
    stops = np.array([pack.stop << LINE_BITS for pack in plan.packs], np.uint64)
    with plan.scratch() as folder, plan.work("common", part).writing() as file:
        for places in common_places(records, min_pages, plan.memory, folder=folder):
            in_order = places[np.argsort(places[:, 0])]
            append_block(file, np.split(in_order, np.searchsorted(in_order[:, 0], stops[:-1])))


def _common_places(plan: DedupPlan, shard: ShardRef) -> Words:
    """Return the places of a shard's common lines, in order, as `common_places` gives them."""
    pack = next(
        pack for pack in plan.packs if pack.shards[0].number <= shard.number <= pack.shards[-1].number
    )
    bounds = np.array([shard.first << LINE_BITS, (shard.first + shard.pages) << LINE_BITS], np.uint64)
    found = [np.empty((0, 2), np.uint64)]
    for part in range(1 << plan.bits):
        path = plan.work("common", part)
        for places in read_share(path, pack.number, len(plan.packs), words=2, max_rows=_PLACES_AT_ONCE):
            is_ours = (places[:, 0] >= bounds[0]) & (places[:, 0] < bounds[1])
            found.append(places[is_ours])
    places = np.concatenate(found)
    return places[np.argsort(places[:, 0])]


def without_common_lines(
    plan: DedupPlan, shard: ShardRef, elements: Iterable[ExtractedPage | Reject]
) -> Iterator[ExtractedPage | Reject]:
    """Take the common lines out of a shard's pages, and then, before its commit, write its table of lines."""
    places = _common_places(plan, shard)
    first_places = places[:, 0]
    keeps_first = plan.options.lines_keep == "first"
    rows: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    mask = PageMask(plan.options.masks.masked)
    for number, page in enumerate(elements, shard.first):
        start, stop = np.searchsorted(first_places, np.array([number, number + 1], np.uint64) << LINE_BITS)
        if start == stop:
            yield page if isinstance(page, Reject) else page_without_lines(page, frozenset())
            continue
        assert isinstance(page, ExtractedPage)  # lines of duplicates are not compared
        lines = long_lines(page.row.text)
        common = set()
        for place, pages in places[start:stop].tolist():
            line = lines[place & ((1 << LINE_BITS) - 1)]
            is_first = pages > 0  # the other places of a line have 0
            if is_first:
                host = _host(plan, page.row.url) or None
                rows.append({"host": host, "line": mask.masked(line), "pages": pages, "url": page.row.url})
            if not (is_first and keeps_first):
                common.add(line)
        text, removed = without_lines(page.row.text, common)
        if 2 * len(text) < len(page.row.text):
            counts["dropped"] += 1
            yield page.rejected(
                Stage.FILTER, RejectReason.FILTERED, "more than half of it is lines that many pages have"
            )
            continue
        counts["removed"] += removed
        counts["changed"] += bool(removed)
        yield page_without_lines(page, common)
    counts["lines"] = len(rows)
    table = pa.Table.from_pylist(rows, arrow_schema(LINE_COLUMNS))
    table = table.replace_schema_metadata({_BOOKS: json.dumps(counts)})
    with plan.table("lines", shard).writing() as file:
        pq.write_table(table, file, compression="zstd", write_page_checksum=True)


def tally_of(plan: DedupPlan, shard: ShardRef) -> dict[str, int]:
    """Read the counts of a shard's lines, by the names of `LABELS`, from its table."""
    path = plan.table("lines", shard)
    with path.open() as file, broken_data(str(path)):
        counts: dict[str, int] = json.loads(pq.read_metadata(file).metadata[_BOOKS])
        return {name: counts.get(name, 0) for name in LABELS}
