"""The manifest of a selection: the records that a corpus is made of, and the shards that they are read in.

The rows stand in order of file and offset, each once; their digest names the manifest, and a shard is a
range of its rows, across files. So the same rows give the same names, wherever they are looked up.
"""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from cedar.transforms.crawls.index_query import ROW_SCHEMA
from cedar.transforms.files.storage import raised_as
from cedar.transforms.model.records import Shard
from cedar.transforms.urls.sample import SampleSize, sample_of

FOLDER = "selection"
CRAWL_FOLDER = "crawl-data/"
"""How the names of files of Common Crawl begin; other archives have whole paths or URIs."""

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
    """The rows of a selection, of `ROW_SCHEMA`, each once, by filename and offset.

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


def make_manifest(table: Any, size: SampleSize | None = None, seed: int = 0) -> Manifest:
    """Make the manifest of the rows of an index that were selected, of `ROW_SCHEMA` in any order.

    `size` None = all rows, else a sample of this size and seed.
    """
    unique = table.group_by(ROW_SCHEMA.names).aggregate([]).select(ROW_SCHEMA.names)
    order = [(name, "ascending") for name in ("filename", "offset", "length", "url")]
    rows = unique.sort_by(order)
    if size is not None:
        urls = rows["url"].to_pylist()
        sample = sample_of(size, seed, urls)
        rows = rows.filter(pa.array([sample.has(url) for url in urls], pa.bool_()))
    rows = rows.combine_chunks()
    return Manifest(rows, _digest(rows))


def open_manifest(data: bytes, digest: str) -> Manifest | None:
    """Return the manifest in a file; None where the file is not the one of this digest."""
    try:
        table = pq.read_table(io.BytesIO(data))
        if table.schema.remove_metadata() != ROW_SCHEMA or _digest(table) != digest:
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


def _digest(table: Any) -> str:
    lines = hashlib.blake2b(digest_size=16)
    for filename, offset, length in _columns(table, "filename", "offset", "length"):
        lines.update(f"{filename}\t{offset}\t{length}\n".encode())
    return lines.hexdigest()
