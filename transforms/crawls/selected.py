"""The records that a selection names, out of the middle of WARC files: each row gives exactly one item.

A row is a record if one begins at its offset, of a wanted type and with the row's URL; what an index says
wrongly is a reject. bytes that cannot be read are a fault of the machine.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import BinaryIO

from transforms.crawls.manifest import SelectedRow
from transforms.decode.page import PageFilter
from transforms.files.spans import Joining, Span, spans
from transforms.model.books import RejectedError, RejectReason, Stage
from transforms.model.records import Record, Reject
from transforms.warc.reader import Damage, FileRange, read_records

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
    """The items of the rows of one file; raise OSError where their bytes cannot be read."""
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
                yield _item(_read(file, row.length), row, source, how)


def _read(file: BinaryIO, length: int) -> bytes:
    """All of this many bytes; raise OSError where the file ends before."""
    data = file.read(length)
    while len(data) < length:
        more = file.read(length - len(data))
        if not more:
            raise OSError(f"the file ends within the {length} bytes that the index names")
        data += more
    return data


def _item(data: bytes, row: SelectedRow, source: str, how: Selected) -> Record | Reject:
    # Whatever else the bytes hold is not what the row names: reading ends with what begins first.
    span = FileRange(source=source, size=len(data), shard=how.shard, stop=1)
    item = next(read_records(io.BytesIO(data), span, kinds=how.filter.record_types, caps=how.filter.caps))
    if isinstance(item, Damage) and item.offset == 0 and item.reason in _SAID_BY_READER:
        return _reject(row, source, how, RejectedError(item.reason, item.detail))
    if not isinstance(item, Record) or item.offset or item.inner_offset:
        return _mismatch(row, source, how, "no record begins here")
    if item.kind not in how.filter.record_types or item.url != row.url:
        return _mismatch(row, source, how, f"here is a {item.kind} of {item.url}")
    if item.truncated and _is_cut(data):
        return _mismatch(row, source, how, f"the record continues after {row.length} bytes")
    return replace(item, offset=row.offset)


def _reject(row: SelectedRow, source: str, how: Selected, why: RejectedError) -> Reject:
    return Reject.at((how.shard, source), row, Stage.READ, why)


def _mismatch(row: SelectedRow, source: str, how: Selected, found: str) -> Reject:
    return _reject(row, source, how, RejectedError(RejectReason.INDEX_MISMATCH, found))


def _is_cut(data: bytes) -> bool:
    """Whether some bytes are a gzip member without its end."""
    if data[:2] != b"\x1f\x8b":
        return False
    inflater = zlib.decompressobj(wbits=31)
    while data and not inflater.eof:
        inflater.decompress(data, _INFLATED)
        data = inflater.unconsumed_tail
    return not inflater.eof
