"""Files of a crawl's index: their footers, which are read once and kept, and columns of their row groups.

A footer is read by one request for the file's end; columns by one request for those near each other.
"""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cedar.transforms.crawls.cache import FOREVER, Cache
from cedar.transforms.crawls.names import CrawlError
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.ranged_file import Joining, Span, SparseFile, spans
from cedar.transforms.files.storage import is_uri, raised_as
from cedar.transforms.files.stores import source_for

_TAIL_BYTES = 128 << 10
"""Bytes of a file's end that are asked for at first: footers have some 100 kB."""

_MAGIC = b"PAR1"
_JOINING = Joining(gap=512 << 10, max_bytes=32 << 20)
_MAX_BATCH_BYTES = 64 << 20
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
            if batch and held + size > _MAX_BATCH_BYTES:
                yield batch
                batch, held = [], 0
            batch.append(group)
            held += size
        if batch:
            yield batch

    def requests(self, groups: Sequence[int], columns: Sequence[str]) -> list[Span]:
        """Return the byte ranges to fetch for some columns of some row groups."""
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
            data, file = place.tail(_TAIL_BYTES)
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
