"""The columns of the output, and the Arrow and Avro schemas made from them.

A column that every corpus has is a field of `PageRow`. Any other belongs to a group, whose record is in
`annotations.GROUP_RECORDS`.
"""

import functools
import operator
import re
import struct
import typing
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cedar.transforms.model._encoded import are_held
from cedar.transforms.model.annotations import GROUP_RECORDS, Own
from cedar.transforms.model.records import PERSONAL, PageRow

if TYPE_CHECKING:
    import pyarrow

TIME_COLUMNS = ("decode_seconds", "extract_seconds")
"""The only columns that may differ between two runs over the same input."""

_TIMESTAMP_COLUMNS = frozenset({"fetched_at", "refers_to_date", "original_fetched_at"})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the output, its meaning, and its marks: `PERSONAL`, `SHARE`.

    `kind` is string, binary, bool, int32, int64, float32, float64, or timestamp (microseconds, UTC).
    """

    name: str
    kind: str
    nullable: bool
    doc: str
    marks: frozenset[str] = frozenset()

    @property
    def personal(self) -> bool:
        """Whether its text may hold personal data, which `--mask` masks."""
        return PERSONAL in self.marks


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns of `pages` that only some corpora have; null if a page has no annotation of the group.

    They are the fields of the named tuple `record`, or, of `PageRow`, the field of the group's name.
    """

    name: str
    record: type

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""
        if self.record is Own:
            _, name, kind = self.name.split(":")
            marks = frozenset({PERSONAL} if kind == "string" else ())
            return (Column(name, kind, nullable=True, doc=_OWN_DOC, marks=marks),)
        return columns_of(self.record, (self.name,) if self.record is PageRow else None)


COLUMN_GROUPS = tuple(ColumnGroup(name, record) for name, record in GROUP_RECORDS.items())
"""The groups, in the order in which their columns stand after those that every corpus has."""

ALL_GROUPS = tuple(group.name for group in COLUMN_GROUPS)

JSON_KEYS = ("id", "date")
"""What pages have besides their columns as JSON lines. A corpus may become JSON lines at any time."""

_OWN_DOC = "a score, a count of tokens or a signal of the user's own"
_OWN = re.compile(r"own:[a-z][a-z0-9_]{0,62}:(float32|float64|int32|int64|bool|string)")


def own_group(name: str, kind: str) -> str:
    """Return the group that is one column of the user's: float32, float64, int32, int64, bool or string.

    Raises ValueError: it cannot be a name, or there is such a column.
    """
    if not _OWN.fullmatch(f"own:{name}:{kind}"):
        raise ValueError(f"{name!r} cannot be the name of a column (small letters, digits and _)")
    if name in JSON_KEYS or name in {column.name for column in PageTable.of(ALL_GROUPS).columns}:
        raise ValueError(f"there is a column {name!r} already: choose another name")
    return f"own:{name}:{kind}"


def in_order(names: Collection[str]) -> tuple[str, ...]:
    """Return names of groups in the order of their columns; raise ValueError for an unknown one."""
    unknown = unknown_groups(names)
    if unknown:
        raise ValueError(f"unknown group of columns {unknown[0]!r}: choose from {', '.join(ALL_GROUPS)}")
    return (*(name for name in ALL_GROUPS if name in names), *sorted(n for n in names if n not in ALL_GROUPS))


def unknown_groups(names: Iterable[str]) -> list[str]:
    """Return the names that are no group of columns, sorted."""
    return sorted(name for name in names if name not in ALL_GROUPS and not _OWN.fullmatch(name))


PAGE_COLUMNS = tuple(name for name in PageRow._fields if name not in ALL_GROUPS)
"""Names of the columns that every corpus has, in order."""

_of_row = operator.attrgetter(*PAGE_COLUMNS)


@dataclass(frozen=True, slots=True)
class PageTable:
    """The columns of `pages` in one corpus, and the values that a page has in them."""

    groups: tuple[ColumnGroup, ...]

    @staticmethod
    def of(names: Collection[str] = ()) -> "PageTable":
        """Return the table with the groups of these names; raise ValueError if there is no such group."""
        known = {group.name: group for group in COLUMN_GROUPS}
        return PageTable(tuple(known.get(name) or ColumnGroup(name, Own) for name in in_order(names)))

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in order."""
        return (*columns_of(PageRow, PAGE_COLUMNS), *(c for group in self.groups for c in group.columns))

    def values(self, row: PageRow, annotations: Collection[NamedTuple] = ()) -> tuple[Any, ...]:
        """Return the values of a page in the order of the columns; what other groups say is left out."""
        records: dict[type, NamedTuple] = {type(record): record for record in annotations}
        records[PageRow] = row
        values = list(_of_row(row))
        for group in self.groups:
            record = records.get(group.record)
            if group.record is Own:
                (column,) = group.columns
                own = [one.values for one in annotations if isinstance(one, Own)]
                values.append(next((by_name[column.name] for by_name in own if column.name in by_name), None))
            elif record is None:
                values += (None,) * len(group.record.__annotations__)
            elif group.record is PageRow:
                values.append(getattr(record, group.name))
            else:  # its fields are the columns
                values += record
        return tuple(values)


class RowCheck:
    """Finds the value of a row that its column cannot hold, in whatever format.

    `apart` is a column whose values were encoded before.
    """

    def __init__(self, columns: tuple[Column, ...], apart: str = "") -> None:
        self._columns = columns
        kinds = ("" if column.name == apart else column.kind for column in columns)
        self._bounds = tuple(_BOUNDS.get(kind, (None, None, None)) for kind in kinds)

    def fault(self, values: tuple[Any, ...]) -> str | None:
        """Say which value cannot be held, and why; None if all can be."""
        # Compiled code takes plain tuples, not named ones.
        if are_held(tuple(values), self._bounds):
            return None
        return next(filter(None, map(_fault_of, self._columns, values)), None)


_NUMBERS = {"int32": "i", "int64": "q", "float32": "f", "float64": "d", "timestamp": "q"}
"""How `struct` packs the kinds of numbers."""

_TIMES = (-62_135_596_800_000_000, 253_402_300_799_999_999)
"""Microseconds from the epoch to the first and to the last of the years 1 to 9999."""

_BOUNDS: dict[str, tuple[object, object, object]] = {
    "string": (str, None, None),
    "int32": (int, -(1 << 31), (1 << 31) - 1),
    "int64": (int, -(1 << 63), (1 << 63) - 1),
    "float32": (float, -3.4e38, 3.4e38),
    "float64": (float, -1.7e308, 1.7e308),
    "timestamp": (int, *_TIMES),
}
"""What the kinds of columns hold as a rule; whether they hold anything else, `_fault_of` says."""


def _fault_of(column: Column, value: Any) -> str | None:
    """Say why a column cannot hold a value; None if it can."""
    try:
        if value is not None and column.kind == "string":
            str.encode(value)
        elif value is not None and column.kind in _NUMBERS:
            struct.pack(f"<{_NUMBERS[column.kind]}", value)
        if value is not None and column.kind == "timestamp" and not _TIMES[0] <= value <= _TIMES[1]:
            return f"{column.name} ({column.kind}): not in the years 1 to 9999"
    except (TypeError, ValueError, OverflowError, struct.error) as error:
        return f"{column.name} ({column.kind}): {error}"
    return None


@functools.cache
def columns_of(record: type, names: tuple[str, ...] | None = None) -> tuple[Column, ...]:
    """Return the columns that are fields of a named tuple: all, or the named ones.

    Its annotations give kinds and nulls; `described` has put the meanings into `__docs__`, and the marks into
    `__marks__`.
    """
    kinds = {str: "string", bytes: "binary", bool: "bool", float: "float64"}
    kinds |= {np.int32: "int32", np.int64: "int64", np.float32: "float32"}
    hints, docs = record.__annotations__, record.__docs__  # type: ignore[attr-defined]
    marks: dict[str, frozenset[str]] = record.__marks__  # type: ignore[attr-defined]
    columns = []
    for name in docs if names is None else names:
        alternatives = typing.get_args(hints[name]) or (hints[name],)
        (kind,) = (kinds[a] for a in alternatives if a is not type(None))
        kind = "timestamp" if name in _TIMESTAMP_COLUMNS else kind
        columns.append(Column(name, kind, type(None) in alternatives, docs[name], marks[name]))
    return tuple(columns)


_KINDS = {
    "string": ("string", "string"),
    "binary": ("binary", "bytes"),
    "bool": ("bool_", "boolean"),
    "int32": ("int32", "int"),
    "int64": ("int64", "long"),
    "float32": ("float32", "float"),
    "float64": ("float64", "double"),
}
"""What Arrow and Avro call the kinds of columns, but timestamps."""


def arrow_schema(columns: tuple[Column, ...]) -> "pyarrow.Schema":
    """Return the Arrow schema of `columns`: timestamps are `timestamp[us, UTC]`, docs are field metadata."""
    import pyarrow as pa

    kinds = {kind: getattr(pa, name)() for kind, (name, _) in _KINDS.items()}
    kinds["timestamp"] = pa.timestamp("us", tz="UTC")
    return pa.schema([pa.field(c.name, kinds[c.kind], c.nullable, {"doc": c.doc}) for c in columns])


def avro_schema(name: str, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Return the Avro schema of `columns` as a record called `name`, in fastavro's form.

    Timestamps are `long` with the logical type `timestamp-micros` (UTC by definition).
    """
    kinds: dict[str, Any] = {kind: name for kind, (_, name) in _KINDS.items()}
    kinds["timestamp"] = {"type": "long", "logicalType": "timestamp-micros"}
    fields = []
    for c in columns:
        field: dict[str, Any] = {"name": c.name, "type": kinds[c.kind], "doc": c.doc}
        if c.nullable:
            field |= {"type": ["null", kinds[c.kind]], "default": None}
        fields.append(field)
    return {"type": "record", "name": name, "namespace": "cedar", "fields": fields}
