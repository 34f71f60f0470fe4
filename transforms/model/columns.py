"""The columns of the output, and the Arrow and Avro schemas made from them.

One definition gives both schemas: the fields of a named tuple and what they mean. A column that every
corpus has is a field of `PageRow`. Any other belongs to a group, which has a record of its own: to add one,
write the named tuple, and put the group into `COLUMN_GROUPS`.
"""

from __future__ import annotations

import struct
import typing
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from transforms.model.annotations import Cluster, Drop, Language, Markdown, Masked, Metadata, Signals
from transforms.model.records import PageRow, RejectRow, SignatureRow

if TYPE_CHECKING:
    import pyarrow

TIME_COLUMNS = ("decode_seconds", "extract_seconds")
"""The only columns that may differ between two runs over the same input."""

_TIMESTAMP_COLUMNS = frozenset({"fetched_at"})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the output.

    Attributes:
        name: the column's name.
        kind: string, binary, bool, int32, int64, float32, float64, or timestamp (microseconds, UTC).
        nullable: whether it may be null.
        doc: its meaning.
    """

    name: str
    kind: str
    nullable: bool
    doc: str


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns of `pages` that stand only in some corpora; null where a page comes without.

    Attributes:
        name: what the group is called.
        record: the named tuple whose fields they are. An `ExtractedPage` carries one of these among its
            annotations; of `PageRow`, for a column that the method itself gives, it is the one of that name.
    """

    name: str
    record: type

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""
        return columns_of(self.record, (self.name,) if self.record is PageRow else None)


COLUMN_GROUPS = (
    ColumnGroup("html", PageRow),
    ColumnGroup("confidence", PageRow),
    ColumnGroup("markdown", Markdown),
    ColumnGroup("metadata", Metadata),
    ColumnGroup("language", Language),
    ColumnGroup("signals", Signals),
    ColumnGroup("masked", Masked),
    ColumnGroup("drop_reason", Drop),
    ColumnGroup("cluster", Cluster),
)
"""The groups, in the order in which their columns stand after those that every corpus has."""

ALL_GROUPS = tuple(group.name for group in COLUMN_GROUPS)

PAGE_COLUMNS = tuple(name for name in PageRow._fields if name not in ALL_GROUPS)
"""Names of the columns that every corpus has, in order."""


@dataclass(frozen=True, slots=True)
class PageTable:
    """The columns of `pages` in one corpus, and the values that a page has in them."""

    groups: tuple[ColumnGroup, ...]

    @staticmethod
    def of(names: Collection[str] = ()) -> PageTable:
        """Return the table with the groups of these names.

        Raises:
            ValueError: there is no such group.
        """
        unknown = sorted(set(names) - set(ALL_GROUPS))
        if unknown:
            raise ValueError(f"unknown group of columns {unknown[0]!r}: choose from {', '.join(ALL_GROUPS)}")
        return PageTable(tuple(group for group in COLUMN_GROUPS if group.name in names))

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in order."""
        return (*columns_of(PageRow, PAGE_COLUMNS), *(c for group in self.groups for c in group.columns))

    def values(self, row: PageRow, annotations: Iterable[NamedTuple] = ()) -> tuple[Any, ...]:
        """Return the values of a page, in the order of the columns.

        Args:
            row: what every page has.
            annotations: records of groups; those of groups that are not asked for are left out.
        """
        records: dict[type, NamedTuple] = {type(record): record for record in annotations}
        records[PageRow] = row
        values = list(row[: len(PAGE_COLUMNS)])
        for group in self.groups:
            record = records.get(group.record)
            if record is None:
                values += (None,) * len(group.record.__annotations__)
            elif group.record is PageRow:
                values.append(getattr(record, group.name))
            else:  # its fields are the columns
                values += record
        return tuple(values)


class RowCheck:
    """Finds the value of a row that its column cannot hold, in whatever format.

    Args:
        columns: the row's columns, at least two of them strings and two numbers.
        apart: the name of a column whose values were encoded before.
    """

    def __init__(self, columns: tuple[Column, ...], apart: str = "") -> None:
        self._columns = columns
        places = range(len(columns))
        self._strings = itemgetter(
            *(p for p in places if columns[p].kind == "string" and columns[p].name != apart)
        )
        numbers = [place for place in places if columns[place].kind in _NUMBERS]
        self._numbers = itemgetter(*numbers)
        self._pack = struct.Struct("<" + "".join(_NUMBERS[columns[place].kind] for place in numbers)).pack
        self._times = tuple(place for place in places if columns[place].kind == "timestamp")

    def fault(self, values: tuple[Any, ...]) -> str | None:
        """Say which value cannot be held, and why; None if all can be."""
        try:
            strings = self._strings(values)
            if not all(map(str.isascii, filter(None, strings))):
                "".join(filter(None, strings)).encode()
            self._pack(*[value or 0 for value in self._numbers(values)])
            for place in self._times:
                _check_time(values[place])
        except (TypeError, ValueError, OverflowError, struct.error):
            return next(filter(None, map(_fault_of, self._columns, values)), None)
        return None


_NUMBERS = {"int32": "i", "int64": "q", "float32": "f", "float64": "d", "timestamp": "q"}
"""How `struct` packs the kinds of numbers."""

_FIRST, _LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""Microseconds from the epoch to the first and to the last of the years 1 to 9999."""


def _check_time(value: int | None) -> None:
    if value is not None and not _FIRST <= value <= _LAST:
        raise ValueError("not in the years 1 to 9999")


def _fault_of(column: Column, value: Any) -> str | None:
    """Say why a column cannot hold a value; None if it can."""
    try:
        if value is not None and column.kind == "string":
            str.encode(value)
        elif value is not None and column.kind in _NUMBERS:
            struct.pack(f"<{_NUMBERS[column.kind]}", value)
        if column.kind == "timestamp":
            _check_time(value)
    except (TypeError, ValueError, OverflowError, struct.error) as error:
        return f"{column.name} ({column.kind}): {error}"
    return None


def page_columns(groups: Collection[str] = ()) -> tuple[Column, ...]:
    """Return the columns of `pages`, in order.

    Raises:
        ValueError: there is no such group.
    """
    return PageTable.of(groups).columns


def reject_columns() -> tuple[Column, ...]:
    """Return the columns of `rejects`, in order."""
    return columns_of(RejectRow)


def signature_columns() -> tuple[Column, ...]:
    """Return the columns of `signatures`, in order."""
    return columns_of(SignatureRow)


def columns_of(record: type, names: Iterable[str] | None = None) -> tuple[Column, ...]:
    """Return the columns that are fields of a named tuple: all, or those of these names.

    Its annotations give kinds and nulls, `__docs__` the meanings.
    """
    kinds = {str: "string", bytes: "binary", bool: "bool", float: "float64"}
    kinds |= {np.int32: "int32", np.int64: "int64", np.float32: "float32"}
    hints, docs = record.__annotations__, record.__docs__  # type: ignore[attr-defined]
    columns = []
    for name in docs if names is None else names:
        alternatives = typing.get_args(hints[name]) or (hints[name],)
        (kind,) = (kinds[a] for a in alternatives if a is not type(None))
        columns.append(
            Column(
                name=name,
                kind="timestamp" if name in _TIMESTAMP_COLUMNS else kind,
                nullable=type(None) in alternatives,
                doc=docs[name],
            )
        )
    return tuple(columns)


def arrow_schema(columns: tuple[Column, ...]) -> pyarrow.Schema:
    """Return the Arrow schema of `columns`: timestamps are `timestamp[us, UTC]`, docs are field metadata."""
    import pyarrow as pa

    kinds = {
        "string": pa.string(),
        "binary": pa.binary(),
        "bool": pa.bool_(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float32": pa.float32(),
        "float64": pa.float64(),
        "timestamp": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([pa.field(c.name, kinds[c.kind], c.nullable, {"doc": c.doc}) for c in columns])


def avro_schema(name: str, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Return the Avro schema of `columns` as a record called `name`, in fastavro's form.

    Timestamps are `long` with the logical type `timestamp-micros` (UTC by definition).
    """
    kinds: dict[str, Any] = {
        "string": "string",
        "binary": "bytes",
        "bool": "boolean",
        "int32": "int",
        "int64": "long",
        "float32": "float",
        "float64": "double",
        "timestamp": {"type": "long", "logicalType": "timestamp-micros"},
    }
    fields = []
    for c in columns:
        field: dict[str, Any] = {"name": c.name, "type": kinds[c.kind], "doc": c.doc}
        if c.nullable:
            field |= {"type": ["null", kinds[c.kind]], "default": None}
        fields.append(field)
    return {"type": "record", "name": name, "namespace": "cedar", "fields": fields}
