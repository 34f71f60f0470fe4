"""The columns of the output, and the Arrow and Avro schemas made from them.

One definition gives both schemas: the fields of a named tuple and what they mean. A column that every
corpus has is a field of `PageRow`. Any other belongs to a group, which has a record of its own: to add one,
write the named tuple, and put the group into `COLUMN_GROUPS`.
"""

from __future__ import annotations

import struct
import typing
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from transforms.model.annotations import (
    CLUSTER_COLUMN_DOCS,
    DROP_COLUMN_DOCS,
    LANGUAGE_COLUMN_DOCS,
    MARKDOWN_COLUMN_DOCS,
    METADATA_COLUMN_DOCS,
    SIGNAL_COLUMN_DOCS,
    Cluster,
    Drop,
    Language,
    Markdown,
    Metadata,
    Signals,
)
from transforms.model.records import PageRow, RejectRow, SignatureRow

if TYPE_CHECKING:
    import pyarrow

PAGE_COLUMN_DOCS: Mapping[str, str] = {
    "url": "the page's URL (WARC-Target-URI)",
    "source": "absolute path or URI of the input",
    "offset": "first byte of the record's member in the input",
    "length": "bytes of the input, from `offset`, that hold the record",
    "inner_offset": "byte where the record begins in the inflated member",
    "record_id": "WARC-Record-ID",
    "fetched_at": "WARC-Date, UTC",
    "status": "HTTP status",
    "media_type": "declared media type",
    "charset": "WHATWG name of the encoding used",
    "charset_source": "who named it: bom, utf8, header, meta, detector or fallback",
    "replaced": "U+FFFD put in by decoding",
    "truncated": "the body is not whole: WARC-Truncated, a cut body, or a cap",
    "lang": "declared language: `html lang`, else Content-Language",
    "title": "the page's `<title>`; if missing or empty, its `og:title`, else its first `h1`",
    "text": "the main content, a block a line; may be empty",
    "text_digest": "BLAKE2b-128 of the UTF-8 text, hex",
    "extractor": "the method",
    "extractor_options": "its options, canonical JSON; `@table`: version of the table that `cedar` learned",
    "fallback": "the method that stood in, and why",
    "html_bytes": "bytes of the body after transfer and content codings",
    "html_chars": "code points of the decoded page",
    "text_chars": "code points of `text`",
    "words": "words of `text`: runs between blanks",
    "lines": "lines of the page (blocks, for tree methods)",
    "content_lines": "lines that were kept",
    "tags": "tags of the page",
    "link_chars": "characters of the page that stand inside links, blanks not counted",
    "tag_ratio_mean": "mean of the lines' text-to-tag ratios, unsmoothed",
    "tag_ratio_std": "their population standard deviation",
    "threshold": "the threshold that the method applied, where it has one",
    "content_ratio": "text_chars / visible characters of the page",
    "decode_seconds": "CPU seconds of decoding",
    "extract_seconds": "CPU seconds of extraction",
}

REJECT_COLUMN_DOCS: Mapping[str, str] = {
    "url": "the target URI, where known",
    "source": "absolute path or URI of the input",
    "offset": "first byte of the record or of the damaged stretch in the input",
    "length": "bytes of the input that it covers",
    "stage": "where it was rejected: read, decode, extract, filter or write",
    "reason": "why: one of the reasons of the table",
    "detail": "the particulars",
}

SIGNATURE_COLUMN_DOCS: Mapping[str, str] = {
    "row": "number of the page in the shard's file of pages, from 0",
    "text_digest": "BLAKE2b-128 of the UTF-8 text",
    "url_hash": "8 bytes of BLAKE2b of the URL, scheme and fragment off, host in lower case",
    "keys": "the keys of the bands; null for a text that is too short",
    "minhash": "the whole signature, where it was asked for",
}

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
            annotations; `PageRow` for columns that the method itself gives.
        docs: the columns' names and meanings, in order.
    """

    name: str
    record: type
    docs: Mapping[str, str]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in order."""
        return columns_of(self.record, self.docs)


COLUMN_GROUPS = (
    ColumnGroup("html", PageRow, {"html": "kept HTML of tree methods, only with --with-html"}),
    ColumnGroup(
        "confidence",
        PageRow,
        {"confidence": "how sure the method is, from 0 to 1; only of methods that say so (`cedar`)"},
    ),
    ColumnGroup("markdown", Markdown, MARKDOWN_COLUMN_DOCS),
    ColumnGroup("metadata", Metadata, METADATA_COLUMN_DOCS),
    ColumnGroup("language", Language, LANGUAGE_COLUMN_DOCS),
    ColumnGroup("signals", Signals, SIGNAL_COLUMN_DOCS),
    ColumnGroup("drop_reason", Drop, DROP_COLUMN_DOCS),
    ColumnGroup("cluster", Cluster, CLUSTER_COLUMN_DOCS),
)
"""The groups, in the order in which their columns stand after those that every corpus has."""

ALL_GROUPS = tuple(group.name for group in COLUMN_GROUPS)


@dataclass(frozen=True, slots=True)
class PageTable:
    """The columns of `pages` in one corpus, and the values that a page has in them.

    Attributes:
        groups: the groups of columns, in order.
    """

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
        return (*columns_of(PageRow, PAGE_COLUMN_DOCS), *(c for group in self.groups for c in group.columns))

    def values(self, row: PageRow, annotations: Iterable[NamedTuple] = ()) -> tuple[Any, ...]:
        """Return the values of a page, in the order of the columns.

        Args:
            row: what every page has.
            annotations: records of groups; those of groups that are not asked for are left out.
        """
        records: dict[type, NamedTuple] = {type(record): record for record in annotations}
        records[PageRow] = row
        values = list(row[: len(PAGE_COLUMN_DOCS)])
        for group in self.groups:
            record = records.get(group.record)
            if record is None:
                values += (None,) * len(group.docs)
            elif group.record is PageRow:
                values += (getattr(record, name) for name in group.docs)
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
    return columns_of(RejectRow, REJECT_COLUMN_DOCS)


def signature_columns() -> tuple[Column, ...]:
    """Return the columns of `signatures`, in order."""
    return columns_of(SignatureRow, SIGNATURE_COLUMN_DOCS)


def columns_of(record: type, docs: Mapping[str, str]) -> tuple[Column, ...]:
    """Return the columns that are fields of a named tuple.

    Args:
        record: the named tuple; its annotations give kinds and nulls.
        docs: names and meanings of the fields that are columns, in order.
    """
    kinds = {str: "string", bytes: "binary", bool: "bool", float: "float64"}
    kinds |= {np.int32: "int32", np.int64: "int64", np.float32: "float32"}
    hints = typing.get_type_hints(record)
    columns = []
    for name, doc in docs.items():
        alternatives = typing.get_args(hints[name]) or (hints[name],)
        (kind,) = (kinds[a] for a in alternatives if a is not type(None))
        columns.append(
            Column(
                name=name,
                kind="timestamp" if name in _TIMESTAMP_COLUMNS else kind,
                nullable=type(None) in alternatives,
                doc=doc,
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
