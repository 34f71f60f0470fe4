"""Reading the records of a selection: each row of a manifest gives one item, a record or a reject.

It is a record if one begins at the row's offset, of a wanted type and with the row's URL. If the index is
wrong, or the file is not there, the row is a reject; if bytes cannot be read for another reason, that is a
fault of the machine.
"""

import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from cedar.transforms.crawls.cdxj import indexed_url
from cedar.transforms.crawls.manifest import SelectedRow
from cedar.transforms.decode.page import REVISIT, PageFilter
from cedar.transforms.files.ranged_file import Joining, Span, spans
from cedar.transforms.files.stores import StoredPath
from cedar.transforms.model.books import RejectedError, RejectReason, Stage
from cedar.transforms.model.limits import DEFAULT_MAX_BODY, max_block
from cedar.transforms.model.records import Location, Record, Reject
from cedar.transforms.warc.reader import Damage, FileRange, read_records

_WEB = Joining(gap=512 << 10, max_bytes=32 << 20)
_STORE = Joining(gap=128 << 10, max_bytes=32 << 20)
_MANY = 1000
"""Rows of a file from which on one request for all that lies between costs less than skipping."""

_MAX_LENGTH = 64 << 20
"""Bytes of a compressed record that are held; the records of Common Crawl have at most a few MB."""

_INFLATED = 1 << 20
_SAID_BY_READER = frozenset(
    {RejectReason.DAMAGED_MEMBER, RejectReason.TRUNCATED_MEMBER, RejectReason.TOO_LARGE}
)


class SelectedFaultError(OSError):
    """A file of a selection cannot be read."""

    def __init__(self, source: str, fault: OSError) -> None:
        super().__init__(f"{type(fault).__name__}: {fault}")
        self.source = source


def joining_for(place: str) -> Joining:
    """Return when rows of files at a place are fetched by one request: requests are cheap within a cloud."""
    return _STORE if place.startswith(("s3:", "gs:")) else _WEB


def file_spans(places: Sequence[tuple[int, int]], joining: Joining) -> list[Span]:
    """Return the requests for the records of one file at these offsets and lengths, which are in order."""
    if len(places) >= _MANY:
        joining = Joining(gap=1 << 62, max_bytes=1 << 62)
    return list(spans([(offset, offset + length) for offset, length in places], joining))


@dataclass(frozen=True, slots=True)
class SelectionReader:
    """Reads the records of a selection.

    Attributes:
        shard: name of the shard that they are read for.
        root: what stands in front of a file's name in the rows of the corpus; "" for whole paths and URIs.
        source_at: gives the file of a source, which need not be there.
        filter: which records are wanted.
        joining: when records are fetched by one request.
        max_body: see `DecodePage`.
        any_type: whether the index names records of all types, not only of those that the filter wants.
    """

    shard: str
    root: str
    source_at: Callable[[str], StoredPath]
    filter: PageFilter
    joining: Joining
    max_body: int = DEFAULT_MAX_BODY
    any_type: bool = False

    def read(self, rows: Sequence[SelectedRow]) -> Iterator[Record | Reject]:
        """Yield one item for each row, in their order, which is by file; raises SelectedFaultError."""
        for filename, group in groupby(rows, attrgetter("filename")):
            source = self.root + filename
            try:
                yield from self._items_of_file(source, list(group))
            except OSError as fault:
                raise SelectedFaultError(source, fault) from fault

    def _items_of_file(self, source: str, rows: list[SelectedRow]) -> Iterator[Record | Reject]:
        """Yield the items of the rows of one file; raises OSError where its bytes cannot be read."""
        size: int | None = None
        while rows:
            refusals = [self._refusal(row, size) for row in rows]
            readable = [row for row, refusal in zip(rows, refusals, strict=True) if refusal is None]
            contents = self._contents(source, readable)
            done = 0
            try:
                for row, refusal in zip(rows, refusals, strict=True):
                    if refusal is None:
                        item = self._item(next(contents), row, source)
                    else:
                        item = self._reject(row, source, refusal)
                    done += 1
                    yield item
            except FileNotFoundError:
                if not self._has_crawl(rows[0].filename):
                    raise
                yield from (self._reject(row, source, _FILE_MISSING) for row in rows[done:])
                return
            except OSError:
                # Perhaps the index names bytes after the end of the file: these rows are left out then.
                known, size = size, self.source_at(source).stat().size
                if size is None or known is not None or all(_is_within(row, size) for row in rows[done:]):
                    raise
            rows = rows[done:]

    def _refusal(self, row: SelectedRow, size: int | None) -> RejectedError | None:
        """Return why a row is not read; None if it is. `size` is the file's, if known."""
        refusal = self.filter.urls.refusal(row.url)
        if refusal is not None:
            return refusal
        if row.offset < 0 or not 0 < row.length <= _MAX_LENGTH:
            return _mismatch(f"the index says {row.length} bytes at {row.offset}")
        if size is not None and not _is_within(row, size):
            return _mismatch(f"the index says {row.length} bytes at {row.offset}, the file has {size}")
        return None

    def _contents(self, source: str, rows: Sequence[SelectedRow]) -> Iterator[bytes]:
        """Yield the bytes of each row; raises OSError where they cannot be read."""
        place = self.source_at(source)
        for span in file_spans([(row.offset, row.length) for row in rows], self.joining):
            with place.open_range(span.start, span.stop) as file:
                for row in rows[span.first : span.last]:
                    file.seek(row.offset)
                    data = file.read(row.length)
                    if len(data) < row.length:
                        raise OSError(f"the file ends within the {row.length} bytes that the index names")
                    yield data

    def _has_crawl(self, filename: str) -> bool:
        """Tell whether the listing of a file's crawl is there: without it the root is the wrong one."""
        if not self.root:
            return False
        _, crawl, _ = filename.split("/", 2)
        return self.source_at(f"{self.root}crawl-data/{crawl}/warc.paths.gz").exists()

    def _item(self, data: bytes, row: SelectedRow, source: str) -> Record | Reject:
        # Whatever else the bytes hold is not what the row names: reading ends with what begins first.
        file_range = FileRange(source=source, size=len(data), shard=self.shard, stop=1)
        kinds = self.filter.record_types
        item = next(
            read_records(
                io.BytesIO(data), file_range, kinds=kinds | {REVISIT}, max_block=max_block(self.max_body)
            )
        )
        if isinstance(item, Damage) and item.location.offset == 0 and item.reason in _SAID_BY_READER:
            return self._reject(row, source, RejectedError(item.reason, item.detail))
        if not isinstance(item, Record) or item.location.offset or item.location.inner_offset:
            return self._reject(row, source, _mismatch("no record begins here"))
        is_same_url = item.url is not None and indexed_url(item.url) == indexed_url(row.url)
        if not is_same_url or not (self.any_type or item.kind in kinds):
            return self._reject(row, source, _mismatch(f"here is a {item.kind} of {item.url}"))
        if item.truncated and _is_cut(data):
            return self._reject(row, source, _mismatch(f"the record continues after {row.length} bytes"))
        return replace(item, location=replace(item.location, offset=row.offset))

    def _reject(self, row: SelectedRow, source: str, why: RejectedError) -> Reject:
        return Reject.of(Location(self.shard, source, row.offset, row.length), row.url, Stage.READ, error=why)


_FILE_MISSING = RejectedError(RejectReason.MISSING_FILE, "the crawl's listing is there, this file is not")


def _mismatch(found: str) -> RejectedError:
    return RejectedError(RejectReason.INDEX_MISMATCH, found)


def _is_within(row: SelectedRow, size: int) -> bool:
    return row.offset + row.length <= size


def _is_cut(data: bytes) -> bool:
    """Tell whether some bytes are a gzip member without its end."""
    if data[:2] != b"\x1f\x8b":
        return False
    inflater = zlib.decompressobj(wbits=31)
    while data and not inflater.eof:
        inflater.decompress(data, _INFLATED)
        data = inflater.unconsumed_tail
    return not inflater.eof
