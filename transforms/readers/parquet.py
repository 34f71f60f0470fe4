"""Parquet with a column of HTML: each row is a record, and a row group is like a member of an archive.

A range owns the row groups that start in it. A row's `offset` is where its group starts, `inner_offset` its
number in the group, `length` its and all earlier rows' share of the group's bytes. A group that cannot be
read to its end is damage from there on. A file without its footer cannot be read at all: a fault, no reject.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from cedar.transforms.files.storage import raised_as
from cedar.transforms.readers.choices import ColumnError, ReadOptions, TableColumns
from cedar.transforms.readers.rows import WatchedFile, damaged_row, iso_date, record_from_row
from cedar.transforms.warc.reader import FileRange, ReadEnd, ReadItem

_TEXTS = (pa.string(), pa.large_string(), pa.string_view())
_ROWS_AT_ONCE = 64
_BUFFER = 1 << 20
"""Bytes of a column that are read at a time: a row group may be larger than memory."""


@dataclass(frozen=True, slots=True)
class _Group:
    """A row group: its number in the file, and the bytes [start, stop) that are taken to be its own."""

    number: int
    start: int
    stop: int


def is_splittable(file: BinaryIO, size: int) -> bool:  # noqa: ARG001 - as other kinds have it
    """Tell whether a file has more than one row group; one that cannot be read has not.

    The launcher asks this: with some broken footers, Arrow ends the process when it is asked for a column.
    """
    try:
        return bool(_opened(WatchedFile(file)).num_row_groups > 1)
    except OSError:
        return False


def column_names(file: BinaryIO) -> list[str]:
    """Return the names of a file's columns; raise OSError if it is not a whole Parquet file."""
    names: list[str] = _opened(WatchedFile(file)).schema_arrow.names
    return names


def read_parquet(file: BinaryIO, file_range: FileRange, options: ReadOptions) -> Iterator[ReadItem]:
    """Yield the rows of the row groups that start in a range, then its end; OSError for a broken file."""
    watched = WatchedFile(file)
    table = _opened(watched)
    with raised_as(OSError, ColumnError):
        columns = options.choices.found_in(table.schema_arrow.names)
    groups = _groups(table, file_range.size)
    count = 0
    own = [group for group in groups if file_range.start <= group.start < file_range.end]
    for group in own:
        rows = 0
        total = table.metadata.row_group(group.number).num_rows
        try:
            batches = table.iter_batches(
                _ROWS_AT_ONCE, row_groups=[group.number], columns=list(columns.names), use_threads=False
            )
            for batch in batches:
                is_text, lists = _lists(batch, columns)
                for values in zip(*lists, strict=True):
                    length = (group.stop - group.start) * (rows + 1) // max(total, rows + 1)
                    location = file_range.location(group.start, length, rows)
                    yield record_from_row(values, location, options.max_block, is_text=is_text)
                    rows += 1
            if rows < total:
                raise OSError("the column ends")
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            if watched.fault is not None:
                raise watched.fault from error
            count += 1
            detail = f"{total - rows} rows of row group {group.number}: {error}"
            yield damaged_row(file_range.location(group.start, group.stop - group.start), detail)
        count += rows
    following = next((group.start for group in groups if group.start >= file_range.end), file_range.size)
    yield ReadEnd(own[0].start if own else None, following, count, watched.bytes_in)


def _opened(file: WatchedFile) -> Any:
    try:
        return pq.ParquetFile(
            pa.PythonFile(file, mode="r"),
            pre_buffer=False,
            buffer_size=_BUFFER,
            coerce_int96_timestamp_unit="us",
        )
    except (pa.ArrowException, OSError) as error:
        raise file.fault or OSError(f"not a whole Parquet file: {error}") from error


def _groups(table: Any, size: int) -> list[_Group]:
    """Return the row groups in the order of their bytes; OSError where the file contradicts itself."""
    metadata = table.metadata
    if metadata.num_rows != sum(metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)):
        raise OSError("not a whole Parquet file: its footer counts other rows than its row groups have")
    starts = []
    for number in range(table.metadata.num_row_groups):
        first = table.metadata.row_group(number).column(0)
        start = first.dictionary_page_offset or first.data_page_offset
        starts.append((max(0, min(start, size - 1)), number))
    starts.sort()
    return [_Group(number, start, stop) for (start, number), (stop, _) in pairwise([*starts, (size, 0)])]


def _lists(batch: Any, columns: TableColumns) -> tuple[bool, list[Sequence[Any]]]:
    """Return whether the HTML is text, and the values of rows by column, in the order of `TableColumns`."""
    found = [None if name is None else batch.column(name) for name in columns]
    for place, column in enumerate(found):
        if column is not None and pa.types.is_dictionary(column.type):
            found[place] = column.dictionary_decode()
    is_text = found[0] is not None and found[0].type in _TEXTS
    nothing = [None] * batch.num_rows
    return is_text, [nothing if column is None else _values(column) for column in found]


_MICROSECONDS = {
    "day": (86_400_000_000, 1),
    "s": (1_000_000, 1),
    "ms": (1_000, 1),
    "us": (1, 1),
    "ns": (1, 1_000),
}
"""The microseconds of a unit of time, as a fraction."""


def _unit_of(kind: pa.DataType) -> str:
    if pa.types.is_date32(kind):
        return "day"
    return "ms" if pa.types.is_date64(kind) else str(kind.unit)


def _values(column: Any) -> list[Any]:
    """Return values as Python has them: text unchecked, times as ISO 8601."""
    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        units = column.cast(pa.int32() if pa.types.is_date32(column.type) else pa.int64()).to_pylist()
        numerator, denominator = _MICROSECONDS[_unit_of(column.type)]
        return [None if value is None else iso_date(value * numerator // denominator) for value in units]
    if column.type in _TEXTS:
        column = column.cast(pa.large_binary())
    values: list[Any] = column.to_pylist()
    return values
