"""Rows of a crawl's index that a selection asks for: pruned by the footers, then read in two steps.

First the columns that the selection looks at, of the row groups whose statistics leave it possible; then, of
the groups with hits, where the records are. Rows are in order of their SURT keys only nearly (files may hold
two sorted streams zipped together), so nothing is concluded from order.

A footer is read by one request for the file's end and kept; columns by a request for those near each other.

SURT keys, by which the index of a crawl is (nearly) in order: where the pages of a host lie.

A key is the host's parts in reverse with commas, without a leading `www.`, then a port, then `)`, path and
query: `com,example,shop:8080)/path`. Intervals are for leaving out what cannot match, so they hold more than
they must: strangers in between (`com,example-x)`) are for the exact test.
"""

from __future__ import annotations

import functools
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cedar.transforms.crawls.catalogue import FOREVER, Cache, CrawlError
from cedar.transforms.crawls.terms import Selection, SelectionError, Term
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.ranged_file import Joining, Span, SparseFile, spans
from cedar.transforms.files.storage import is_uri, raised_as
from cedar.transforms.files.stores import source_for

PLACE_COLUMNS = ("url", "warc_filename", "warc_record_offset", "warc_record_length")
"""What is known of a selected record: its URL, and where it is."""

PLACE_SCHEMA = pa.schema(
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
        most_bytes: also of the columns that say where records are, if every group has hits.
    """

    groups: int = 0
    rows: int = 0
    requests: int = 0
    bytes: int = 0
    most_bytes: int = 0

    def __add__(self, other: IndexCost) -> IndexCost:
        return IndexCost(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def check_selection(selection: Selection) -> None:
    """Raise SelectionError for a regular expression that the index cannot be asked with."""
    for term in selection.terms:
        with raised_as(SelectionError, pa.ArrowInvalid, saying=f"not a valid regular expression in {term}"):
            _holds(term, pa.chunked_array([pa.nulls(1, pa.int16() if term.key == "status" else pa.string())]))


def groups_of(file: IndexFile, selection: Selection) -> list[int]:
    """Find the row groups of a file that may have rows of the selection; CrawlError without a column."""
    missing = [name for name in (*selection.columns, *PLACE_COLUMNS) if name not in file.columns]
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


def cost_of(file: IndexFile, selection: Selection) -> IndexCost:
    """Return what a query would read of a file; raise CrawlError where a column is not there."""
    groups = groups_of(file, selection)
    first = [
        span
        for batch in file.batches(groups, selection.columns)
        for span in file.requests(batch, selection.columns)
    ]
    both = file.chunks(groups, sorted({*selection.columns, *PLACE_COLUMNS}))
    return IndexCost(
        groups=len(groups),
        rows=sum(file.metadata.row_group(group).num_rows for group in groups),
        requests=len(first),
        bytes=sum(span.stop - span.start for span in first),
        most_bytes=sum(stop - start for start, stop in both),
    )


def places(files: IndexFiles, file: IndexFile, selection: Selection) -> Any:
    """Find where the selected records of a file of the index are, as `PLACE_SCHEMA`; raise CrawlError."""
    found = []
    for batch in file.batches(groups_of(file, selection), selection.columns):
        looked = files.read(file, batch, selection.columns)
        hits, mask = _hits(file, batch, _mask(selection, looked))
        at = 0
        for part in file.batches(hits, PLACE_COLUMNS):
            table = files.read(file, part, PLACE_COLUMNS)
            found.append(table.filter(mask.slice(at, table.num_rows)))
            at += table.num_rows
    tables = [
        table.select(PLACE_COLUMNS).rename_columns(PLACE_SCHEMA.names).cast(PLACE_SCHEMA) for table in found
    ]
    table = pa.concat_tables(tables) if tables else PLACE_SCHEMA.empty_table()
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
        hosts = [_host_of(value) for value in term.values]
        surt = [(_SURT, [i for host in hosts if host for i in host_intervals(host)])] if all(hosts) else []
        return [(term.column, exact), *surt]
    if term.key == "surt":
        return [(term.column, [(value, value + "\U0010ffff" * 8) for value in term.values])]
    if term.key == "lang":
        return [(term.column, [(value, f"{value}-") for value in term.values])]
    if term.key in ("mime", "truncated"):
        return [(term.column, exact)]
    return []


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


Interval = tuple[str, str]
"""A half-open range of texts in the order of their code points."""

_WWW = re.compile(r"www[0-9]*\.")
_AFTER_COLON = ";"  # the character after ":", which stands before a port


def host_intervals(host: str) -> tuple[Interval, ...]:
    """Return where the keys of a host's pages lie."""
    intervals = []
    for key in _keys(host):
        intervals += [(f"{key})", f"{key}*"), (f"{key}:", f"{key}{_AFTER_COLON}")]
    return tuple(intervals)


def domain_intervals(domain: str) -> tuple[Interval, ...]:
    """Return where the keys of a domain's pages lie, those of hosts below it among them."""
    # Between ")" and ";" are "," and ":".
    return tuple((f"{key})", f"{key}{_AFTER_COLON}") for key in _keys(domain))


def _keys(host: str) -> tuple[str, ...]:
    """Return the host as keys begin, in each form that it may have there."""
    short = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    forms = dict.fromkeys(name for name in (host, short) if name)
    # Numbers of machines are not known to be reversed by all who make keys.
    plain = [host] if host.replace(".", "").isdigit() else []
    return (*(",".join(reversed(form.split("."))) for form in forms), *plain)


_TAIL = 128 << 10
"""Bytes of a file's end that are asked for at first: footers have some 100 kB."""

_MAGIC = b"PAR1"
_JOINING = Joining(gap=512 << 10, most=32 << 20)
_BATCH = 64 << 20
"""Bytes of columns, as stored, that are held at a time."""


@dataclass(frozen=True)
class IndexFile:
    """A file of the index, and what its footer says."""

    path: str
    size: int
    version: str | None
    footer: bytes = field(repr=False)

    @functools.cached_property
    def metadata(self) -> Any:
        """The footer as Arrow has it; raise CrawlError where it is not valid."""
        with raised_as(CrawlError, OSError, pa.ArrowException, saying=f"{self.path} is not a Parquet file"):
            return pq.read_metadata(io.BytesIO(_MAGIC + self.footer))

    @functools.cached_property
    def columns(self) -> dict[str, int]:
        """The numbers of its columns by their names."""
        return {name: number for number, name in enumerate(self.metadata.schema.names)}

    def chunks(self, groups: Sequence[int], columns: Sequence[str]) -> list[tuple[int, int]]:
        """Return the half-open ranges of bytes that hold some columns of some row groups, in order."""
        numbers = sorted(self.columns[name] for name in columns)
        found = []
        for group in groups:
            described = self.metadata.row_group(group)
            for number in numbers:
                chunk = described.column(number)
                start = min(
                    offset for offset in (chunk.dictionary_page_offset, chunk.data_page_offset) if offset
                )
                found.append((start, start + chunk.total_compressed_size))
        return sorted(found)

    def batches(self, groups: Sequence[int], columns: Sequence[str]) -> Iterator[list[int]]:
        """Row groups, in order, as many at a time as may be held."""
        batch: list[int] = []
        held = 0
        for group in groups:
            size = sum(stop - start for start, stop in self.chunks([group], columns))
            if batch and held + size > _BATCH:
                yield batch
                batch, held = [], 0
            batch.append(group)
            held += size
        if batch:
            yield batch

    def requests(self, groups: Sequence[int], columns: Sequence[str]) -> list[Span]:
        """Return what is asked for to have some columns of some row groups."""
        return list(spans(self.chunks(groups, columns), _JOINING))


class IndexFiles:
    """Reads the files of an index; footers that the cache has are not read again."""

    def __init__(self, web: Web, cache: Cache | None) -> None:
        self._web = web
        self._cache = cache

    def footers(self, paths: Iterable[str]) -> Iterator[IndexFile]:
        """Each file with its footer; raise CrawlError where a file is missing, or is not one of the index."""
        for path in paths:
            place = source_for(path, self._web).path
            kept = None if self._cache is None or not is_uri(place) else self._cache.get(place, FOREVER)
            file = None if kept is None else _kept_file(path, kept)
            if file is None:
                file = self._read_footer(path)
                if self._cache is not None and is_uri(place):
                    head = json.dumps({"size": file.size, "version": file.version})
                    self._cache.put(place, head.encode() + b"\n" + file.footer)
            yield file

    def read(self, file: IndexFile, groups: Sequence[int], columns: Sequence[str]) -> Any:
        """Columns of row groups, as a table of Arrow.

        Raises CrawlError where they cannot be read, or the file is another than its footer says.
        """
        place = source_for(file.path, self._web)
        sparse = SparseFile(file.size)
        with raised_as(CrawlError, OSError, pa.ArrowException, saying=f"cannot read {file.path}"):
            for span in file.requests(groups, columns):
                with place.open_range(span.start, span.stop) as opened:
                    data = opened.read(span.stop - span.start)
                    now = place.stat_open(opened)
                if (now.size, now.version) != (file.size, file.version) or len(data) < span.stop - span.start:
                    raise CrawlError(f"{file.path} has changed: --update-listings reads its footer again")
                sparse.put(span.start, data)
            table = pq.ParquetFile(sparse, metadata=file.metadata)
            return table.read_row_groups(list(groups), columns=list(columns), use_threads=False)

    def _read_footer(self, path: str) -> IndexFile:
        with raised_as(CrawlError, OSError, saying=f"cannot read {path}"):
            place = source_for(path, self._web)
            data, file = place.tail(_TAIL)
            length = int.from_bytes(data[-8:-4], "little") + 8
            if data[-4:] != _MAGIC or file.size is None or length > file.size:
                raise CrawlError(f"{path} is not a Parquet file")
            if length > len(data):
                data, file = place.tail(length)
        assert file.size is not None
        return IndexFile(path, file.size, file.version, data[-length:])


def _kept_file(path: str, kept: bytes) -> IndexFile | None:
    """Return the file as the cache has it; None where that cannot be understood."""
    head, _, footer = kept.partition(b"\n")
    try:
        known = json.loads(head)
        return IndexFile(path, known["size"], known["version"], footer)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
