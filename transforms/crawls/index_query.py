"""Rows of a crawl's index that a selection asks for: pruned by the footers, then read in two steps.

First the columns that the selection looks at are read, of the row groups that may match by their statistics;
then, of the groups with hits, the columns that say where records are. Rows are only nearly in order of their
SURT keys (files may hold two sorted streams zipped together), so nothing is concluded from order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cedar.transforms.crawls.index_file import IndexFile, IndexFiles
from cedar.transforms.crawls.names import CrawlError
from cedar.transforms.crawls.surt import Interval, domain_intervals, host_intervals
from cedar.transforms.crawls.terms import Selection, SelectionError, Term
from cedar.transforms.files.storage import raised_as
from cedar.transforms.urls.canonical import written_host

ROW_COLUMNS = ("url", "warc_filename", "warc_record_offset", "warc_record_length")
"""What is known of a selected record: its URL, and where it is."""

ROW_SCHEMA = pa.schema(
    [("url", pa.string()), ("filename", pa.string()), ("offset", pa.int64()), ("length", pa.int64())]
)

_SURT = "url_surtkey"
_OF_A_CRAWL = r"^crawl-data/[A-Za-z0-9_.-]+(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$"


@dataclass(frozen=True, slots=True)
class IndexCost:
    """What a query reads of the index.

    Attributes:
        groups: row groups that cannot be left out.
        rows: their rows.
        requests: for the columns that are looked at.
        bytes: of these columns.
        max_bytes: also of the columns that say where records are, if every group has hits.
    """

    groups: int = 0
    rows: int = 0
    requests: int = 0
    bytes: int = 0
    max_bytes: int = 0

    def __add__(self, other: IndexCost) -> IndexCost:
        return IndexCost(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def check_selection(selection: Selection) -> None:
    """Raise SelectionError for a regular expression that the index cannot be asked with."""
    for term in selection.terms:
        with raised_as(SelectionError, pa.ArrowInvalid, saying=f"not a valid regular expression in {term}"):
            _holds(term, pa.chunked_array([pa.nulls(1, pa.int16() if term.key == "status" else pa.string())]))


def candidate_groups(file: IndexFile, selection: Selection) -> list[int]:
    """Find the row groups of a file that may have rows of the selection; CrawlError without a column."""
    missing = [name for name in (*selection.columns, *ROW_COLUMNS) if name not in file.columns]
    if missing:
        raise CrawlError(
            f"the index of this crawl has no column {missing[0]}: leave out the word, or take a later crawl "
            f"({file.path})"
        )
    return [
        group
        for group in range(file.metadata.num_row_groups)
        if all(_possible(file, group, term) for term in selection.terms)
    ]


def query_cost(file: IndexFile, selection: Selection) -> IndexCost:
    """Return what a query would read of a file; raise CrawlError where a column is not there."""
    groups = candidate_groups(file, selection)
    first = [
        span
        for batch in file.batches(groups, selection.columns)
        for span in file.requests(batch, selection.columns)
    ]
    both = file.chunks(groups, sorted({*selection.columns, *ROW_COLUMNS}))
    return IndexCost(
        groups=len(groups),
        rows=sum(file.metadata.row_group(group).num_rows for group in groups),
        requests=len(first),
        bytes=sum(span.stop - span.start for span in first),
        max_bytes=sum(stop - start for start, stop in both),
    )


def select_rows(files: IndexFiles, file: IndexFile, selection: Selection) -> Any:
    """Find where the selected records of a file of the index are, as `ROW_SCHEMA`; raise CrawlError."""
    found = []
    for batch in file.batches(candidate_groups(file, selection), selection.columns):
        looked = files.read(file, batch, selection.columns)
        hits, mask = _hits(file, batch, _mask(selection, looked))
        at = 0
        for part in file.batches(hits, ROW_COLUMNS):
            table = files.read(file, part, ROW_COLUMNS)
            found.append(table.filter(mask.slice(at, table.num_rows)))
            at += table.num_rows
    tables = [table.select(ROW_COLUMNS).rename_columns(ROW_SCHEMA.names).cast(ROW_SCHEMA) for table in found]
    table = pa.concat_tables(tables) if tables else ROW_SCHEMA.empty_table()
    if any(table[name].null_count for name in ("filename", "offset", "length")):
        raise CrawlError(f"{file.path} has a row that does not say where its record is")
    is_outside = pc.invert(pc.match_substring_regex(table["filename"], _OF_A_CRAWL))
    if pc.any(is_outside).as_py():
        (strange, *_) = table["filename"].filter(is_outside).to_pylist()
        raise CrawlError(f"{file.path} names a file that is outside every crawl: {strange[:200]!r}")
    return table


def in_files(table: Any, paths: Iterable[str] | None) -> Any:
    """Return the rows whose file is among some; all without choice."""
    if paths is None:
        return table
    return table.filter(pc.is_in(table["filename"], value_set=pa.array(list(paths), pa.string())))


def _hits(file: IndexFile, groups: Sequence[int], mask: Any) -> tuple[list[int], Any]:
    """Return the row groups with hits, and the mask of their rows alone."""
    hits, masks, at = [], [], 0
    for group in groups:
        rows = file.metadata.row_group(group).num_rows
        part = mask.slice(at, rows)
        if pc.any(part).as_py():
            hits.append(group)
            masks += part.chunks
        at += rows
    return hits, pa.chunked_array(masks, pa.bool_()).combine_chunks()


def _mask(selection: Selection, table: Any) -> Any:
    """Return which rows of a table hold all terms: a chunked array of booleans without nulls."""
    mask = None
    for term in selection.terms:
        holds = pc.fill_null(_holds(term, table[term.column]), False)
        holds = pc.invert(holds) if term.negated else holds
        mask = holds if mask is None else pc.and_(mask, holds)
    return mask if isinstance(mask, pa.ChunkedArray) else pa.chunked_array([mask])


def _holds(term: Term, column: Any) -> Any:
    """Tell whether any of a term's values holds, for each value of its column; null where that has none."""
    if term.key == "status":
        values = [int(value) for value in term.values]
        return pc.is_in(pc.cast(column, pa.int64()), value_set=pa.array(values, pa.int64()))
    if term.key in ("charset", "mime", "truncated"):
        column = pc.utf8_lower(column)
    if term.key == "lang+":
        # In commas, so that a code is found whole.
        column = pc.binary_join_element_wise("", column, "", ",")
        return _any(pc.match_substring(column, f",{value},") for value in term.values)
    if term.key == "lang":
        exact = pc.is_in(column, value_set=pa.array(term.values, pa.string()))
        return pc.or_(exact, _any(pc.starts_with(column, f"{value},") for value in term.values))
    if term.key == "surt":
        return _any(pc.starts_with(column, value) for value in term.values)
    if term.key == "url~":
        return _any(pc.match_substring_regex(column, value) for value in term.values)
    return pc.is_in(column, value_set=pa.array(term.values, pa.string()))


def _any(masks: Iterable[Any]) -> Any:
    first, *others = masks
    for other in others:
        first = pc.or_(first, other)
    return first


def _possible(file: IndexFile, group: int, term: Term) -> bool:
    """Tell whether a row group may have rows for which a term holds."""
    if term.negated:
        return True
    described = file.metadata.row_group(group)
    for column, intervals in _intervals(term):
        if column not in file.columns:
            continue
        statistics = described.column(file.columns[column]).statistics
        if statistics is None or not statistics.has_min_max:
            continue
        least, greatest = statistics.min, statistics.max
        if not all(isinstance(bound, str) for bound in (least, greatest)):
            continue
        if not any(start <= greatest and least < stop for start, stop in intervals):
            return False
    return True


def _intervals(term: Term) -> list[tuple[str, list[Interval]]]:
    """Columns, and the intervals in which their values lie where the term holds."""
    exact = [(value, f"{value}\0") for value in term.values]
    if term.key in ("domain", "tld"):
        return [(term.column, exact), (_SURT, [i for v in term.values for i in domain_intervals(v)])]
    if term.key == "host":
        return [(term.column, exact), (_SURT, [i for v in term.values for i in host_intervals(v)])]
    if term.key == "url":
        hosts = [written_host(value) for value in term.values]
        surt = [(_SURT, [i for host in hosts if host for i in host_intervals(host)])] if all(hosts) else []
        return [(term.column, exact), *surt]
    if term.key == "surt":
        return [(term.column, [(value, value + "\U0010ffff" * 8) for value in term.values])]
    if term.key == "lang":
        return [(term.column, [(value, f"{value}-") for value in term.values])]
    if term.key in ("mime", "truncated"):
        return [(term.column, exact)]
    return []
