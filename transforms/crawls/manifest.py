"""The manifest of a selection: the records that a corpus is made of, and the shards that they are read in.

The rows stand in order of file and offset, each once; their digest names the manifest, and a shard is a
range of its rows, across files. So the same rows give the same names, wherever they are looked up.

Each row gives exactly one item, out of the middle of a WARC file. It is a record if one begins at its offset,
of a wanted type and with the row's URL; what an index says wrongly is a reject. Bytes that cannot be read are
a fault of the machine.
"""

import hashlib
import heapq
import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cedar.transforms.crawls.index_query import PLACE_SCHEMA
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.files.ranged_file import Joining, Span, spans
from cedar.transforms.files.storage import raised_as
from cedar.transforms.model.books import RejectedError, RejectReason, Stage
from cedar.transforms.model.limits import DEFAULT_MAX_BODY, max_block
from cedar.transforms.model.records import Location, Record, Reject, Shard
from cedar.transforms.warc.reader import Damage, FileRange, read_records

FOLDER = "selection"
_GROUP_ROWS = 20_000
_DIGITS = 8


class SelectedRow(NamedTuple):
    """A record that the index names: its URL, the file below the root, and its bytes in it."""

    url: str
    filename: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The rows of a selection, of `PLACE_SCHEMA`, each once, by filename and offset.

    `digest` is the BLAKE2b-128 of the lines `filename<TAB>offset<TAB>length`, hex.
    """

    table: Any
    digest: str

    @property
    def name(self) -> str:
        """Its name below the corpus."""
        return manifest_name(self.digest)

    def to_parquet(self) -> bytes:
        """Return the file."""
        sink = io.BytesIO()
        pq.write_table(self.table, sink, compression="zstd", row_group_size=_GROUP_ROWS)
        return sink.getvalue()

    def rows(self, start: int, stop: int) -> Iterator[SelectedRow]:
        """Return the rows [start, stop)."""
        return map(SelectedRow._make, _columns(self.table.slice(start, stop - start), *SelectedRow._fields))

    def shards(self, rows: int) -> tuple[Shard, ...]:
        """Return the shards, each of at most this many rows."""
        lengths = pc.fill_null(self.table["length"], 0)
        total = self.table.num_rows
        return tuple(
            Shard(
                name=f"sel-{self.digest[:_DIGITS]}-{start:012d}-{min(start + rows, total):012d}",
                source=self.name,
                size=total,
                version=None,
                start=start,
                stop=min(start + rows, total),
                wanted=pc.sum(lengths.slice(start, rows)).as_py(),
            )
            for start in range(0, total, rows)
        )


def manifest_name(digest: str) -> str:
    """Return the name below the corpus of the manifest of a digest."""
    return f"{FOLDER}/{digest}.parquet"


def make_manifest(table: Any, sample: int | None, seed: int) -> Manifest:
    """Make the manifest of the rows of an index that were selected, of `PLACE_SCHEMA` in any order.

    A sample, None = all, has at most this many of them: those with the smallest hashes of the seed, the same
    on every machine; a smaller sample is part of a larger one.
    """
    unique = table.group_by(PLACE_SCHEMA.names).aggregate([]).select(PLACE_SCHEMA.names)
    order = [(name, "ascending") for name in ("filename", "offset", "length", "url")]
    rows = unique.sort_by(order)
    if sample is not None and sample < rows.num_rows:
        hashes = (
            (_hash(seed, filename, offset), number)
            for number, (filename, offset) in enumerate(_columns(rows, "filename", "offset"))
        )
        chosen = sorted(number for _, number in heapq.nsmallest(sample, hashes))
        rows = rows.take(pa.array(chosen, pa.int64()))
    rows = rows.combine_chunks()
    return Manifest(rows, _digest(rows))


def open_manifest(data: bytes, digest: str) -> Manifest | None:
    """Return the manifest in a file; None where the file is not the one of this digest."""
    try:
        table = pq.read_table(io.BytesIO(data))
        if table.schema.remove_metadata() != PLACE_SCHEMA or _digest(table) != digest:
            return None
    except (OSError, pa.ArrowException):
        return None
    return Manifest(table, digest)


def read_rows(file: BinaryIO, start: int, stop: int) -> list[SelectedRow]:
    """Return the rows [start, stop) of a manifest's file; raise OSError where they cannot be read."""
    with raised_as(OSError, pa.ArrowException, saying="the manifest is broken"):
        opened = pq.ParquetFile(file)
        first, last = start // _GROUP_ROWS, (stop - 1) // _GROUP_ROWS
        table = opened.read_row_groups(list(range(first, last + 1)), use_threads=False)
    rows = table.slice(start - first * _GROUP_ROWS, stop - start)
    return list(map(SelectedRow._make, _columns(rows, *SelectedRow._fields)))


def _columns(table: Any, *names: str) -> Iterator[tuple[Any, ...]]:
    for batch in table.select(names).to_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _hash(seed: int, filename: str, offset: int) -> bytes:
    return hashlib.blake2b(f"{seed}\t{filename}\t{offset}".encode(), digest_size=16).digest()


def _digest(table: Any) -> str:
    lines = hashlib.blake2b(digest_size=16)
    for filename, offset, length in _columns(table, "filename", "offset", "length"):
        lines.update(f"{filename}\t{offset}\t{length}\n".encode())
    return lines.hexdigest()


_WEB = Joining(gap=512 << 10, most=32 << 20)
_STORE = Joining(gap=128 << 10, most=32 << 20)
_MANY = 1000
"""Rows of a file from which on one request for all that lies between costs less than skipping."""

_LARGEST = 64 << 20
"""Bytes of a compressed record that are held; those of Common Crawl have at most a few MB."""

_INFLATED = 1 << 20
_SAID_BY_READER = frozenset(
    {RejectReason.DAMAGED_MEMBER, RejectReason.TRUNCATED_MEMBER, RejectReason.TOO_LARGE}
)

OpenRange = Callable[[str, int, int], BinaryIO]
"""Opens the bytes [start, stop) of a file of a crawl, at the first of them."""


class SelectedFaultError(OSError):
    """A file of a selection cannot be read."""

    def __init__(self, source: str, fault: OSError) -> None:
        super().__init__(f"{type(fault).__name__}: {fault}")
        self.source = source


@dataclass(frozen=True, slots=True)
class Selected:
    """How the records of a selection are read.

    Attributes:
        shard: name of the shard that they are of.
        root: what rows have in front of a file's name.
        joining: when rows are had by one request.
    """

    shard: str
    root: str
    filter: PageFilter
    joining: Joining
    max_body: int = DEFAULT_MAX_BODY


def joining_for(place: str) -> Joining:
    """When rows of files at a place are had by one request: it costs less within a cloud."""
    return _STORE if place.startswith(("s3:", "gs:")) else _WEB


def file_spans(places: Sequence[tuple[int, int]], joining: Joining) -> list[Span]:
    """Find what is asked of a file to have the records at these offsets and lengths, which are in order."""
    if len(places) >= _MANY:
        joining = Joining(gap=1 << 62, most=1 << 62)
    return list(spans([(offset, offset + length) for offset, length in places], joining))


def read_selected(
    rows: Sequence[SelectedRow], how: Selected, open_range: OpenRange
) -> Iterator[Record | Reject]:
    """Yield one item for each row, in order of files and offsets; raises SelectedFaultError."""
    for filename, group in groupby(rows, attrgetter("filename")):
        source = how.root + filename
        try:
            yield from _of_file(source, list(group), how, open_range)
        except OSError as fault:
            raise SelectedFaultError(source, fault) from fault


def _of_file(
    source: str, rows: Sequence[SelectedRow], how: Selected, open_range: OpenRange
) -> Iterator[Record | Reject]:
    """Yield the items of the rows of one file; raise OSError where their bytes cannot be read."""
    readable = []
    for row in rows:
        if (refusal := how.filter.urls.refusal(row.url)) is not None:
            yield _reject(row, source, how, refusal)
        elif row.offset >= 0 and 0 < row.length <= _LARGEST:
            readable.append(row)
        else:
            yield _mismatch(row, source, how, f"the index says {row.length} bytes at {row.offset}")
    for span in file_spans([(row.offset, row.length) for row in readable], how.joining):
        with open_range(source, span.start, span.stop) as file:
            for row in readable[span.first : span.last]:
                file.seek(row.offset)
                data = file.read(row.length)
                if len(data) < row.length:
                    raise OSError(f"the file ends within the {row.length} bytes that the index names")
                yield _item(data, row, source, how)


def _item(data: bytes, row: SelectedRow, source: str, how: Selected) -> Record | Reject:
    # Whatever else the bytes hold is not what the row names: reading ends with what begins first.
    span = FileRange(source=source, size=len(data), shard=how.shard, stop=1)
    item = next(
        read_records(io.BytesIO(data), span, kinds=how.filter.record_types, max_block=max_block(how.max_body))
    )
    if isinstance(item, Damage) and item.location.offset == 0 and item.reason in _SAID_BY_READER:
        return _reject(row, source, how, RejectedError(item.reason, item.detail))
    if not isinstance(item, Record) or item.location.offset or item.location.inner_offset:
        return _mismatch(row, source, how, "no record begins here")
    if item.kind not in how.filter.record_types or item.url != row.url:
        return _mismatch(row, source, how, f"here is a {item.kind} of {item.url}")
    if item.truncated and _is_cut(data):
        return _mismatch(row, source, how, f"the record continues after {row.length} bytes")
    return replace(item, location=replace(item.location, offset=row.offset))


def _reject(row: SelectedRow, source: str, how: Selected, why: RejectedError) -> Reject:
    return Reject.of(Location(how.shard, source, row.offset, row.length), row.url, Stage.READ, why)


def _mismatch(row: SelectedRow, source: str, how: Selected, found: str) -> Reject:
    return _reject(row, source, how, RejectedError(RejectReason.INDEX_MISMATCH, found))


def _is_cut(data: bytes) -> bool:
    """Tell whether some bytes are a gzip member without its end."""
    if data[:2] != b"\x1f\x8b":
        return False
    inflater = zlib.decompressobj(wbits=31)
    while data and not inflater.eof:
        inflater.decompress(data, _INFLATED)
        data = inflater.unconsumed_tail
    return not inflater.eof
