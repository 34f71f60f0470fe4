"""Formats of files of rows: Parquet, Avro and JSON lines, written and read, by one definition of the columns.

Each file carries the id of the attempt that wrote it, so that a commit can be checked against its files.

JSON lines (RFC 8259) have the same keys on every line; a page has those in front that loaders look for. The
attempt's id stands after the rows: in a skippable frame of zstd (RFC 8878, section 3.1.2), or as the name of
an empty member of gzip (RFC 1952, section 2.3; some readers refuse a member with a comment).
"""

import contextlib
import gzip
import io
import itertools
import json
import math
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import zstandard
from typing_extensions import override

from cedar.transforms.files.storage import raised_as
from cedar.transforms.model.columns import Column, arrow_schema, avro_schema
from cedar.transforms.model.packages import install_command

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 8_192
"""Rows of Avro and JSON lines in a batch, at most."""

_ATTEMPT_KEY = "cedar.attempt"
_DICTIONARY_COLUMNS = frozenset(
    {"source", "status", "media_type", "charset", "charset_source", "replaced", "truncated", "lang"}
    | {"extractor", "extractor_options", "fallback", "stage", "reason", "detail"}
)
_LONG_COLUMNS = frozenset({"text", "html", "title"})
_NOTHING = {"string": "", "binary": b""}
_AVRO_BLOCK_BYTES = 1 << 20
_FRAME = struct.Struct("<II32s")
_FRAME_MAGIC = 0x184D2A50
_MEMBER_HEAD = b"\x1f\x8b\x08\x08\0\0\0\0\0\xff"
_MEMBER_END = b"\0\x03\0" + bytes(8)  # the name's NUL, an empty block, no checksum and no bytes
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - written as UTC
_LINE_ENDS = {character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}
"""What some readers take for the end of a line, and how it is written."""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How rows become a file: one of `FORMATS` and of its compressions.

    A row group (Parquet) is closed after `group_chars` characters of text, after `group_rows` at the latest.
    """

    format: str = "parquet"
    compression: str = "zstd"
    group_chars: int = 16 << 20
    group_rows: int = 8192

    @property
    def suffix(self) -> str:
        """The suffix of its files, without the first dot."""
        return FORMATS[self.format].all_suffixes[self.compression]

    def check(self, *, of_corpus: bool = True) -> None:
        """Raise ValueError for an unknown format or compression, or one whose package is not installed.

        A corpus can have only compressions whose files name the attempt that wrote them.
        """
        if self.format not in FORMATS:
            raise ValueError(f"unknown format {self.format!r}: choose one of {', '.join(FORMATS)}")
        known = FORMATS[self.format].suffixes if of_corpus else FORMATS[self.format].all_suffixes
        if self.compression not in known:
            choices = ", ".join(known)
            raise ValueError(f"unknown compression {self.compression!r} for {self.format}: choose {choices}")
        if self.compression == "zstandard":
            try:
                # fastavro looks for the codec's package only when it writes the first block.
                columns = (Column("text", "string", nullable=False, doc=""),)
                trial = _AvroWriter(
                    io.BytesIO(), "Trial", columns, compression=self.compression, attempt="trial"
                )
                trial.write([("",)])
                trial.close()
            except (ValueError, ImportError) as error:
                command = install_command("avro-zstandard", "backports.zstd")
                raise ValueError(f"Avro with zstandard needs a package: {command}") from error


class RowWriter:
    """A file of rows being written."""

    def __init__(self, file: BinaryIO) -> None:
        self.rows = 0
        self._file = file

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add a group of rows: of each its values in the order of the columns."""
        self._write(rows)
        self.rows += len(rows)

    def close(self) -> int:
        """Finish the file; returns its size in bytes."""
        self._finish()
        size = self._file.tell()
        self._file.close()
        return size

    def abandon(self) -> None:
        """Let go of the file as it is, which may be cut: nothing is raised."""
        close_quietly(self._file)

    @contextlib.contextmanager
    def abandoned_at_a_fault(self) -> Iterator[None]:
        """Let go of the file if what is done with it raises: else its end would be written later."""
        try:
            yield
        except BaseException:
            self.abandon()
            raise

    def _write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        raise NotImplementedError

    def _finish(self) -> None:
        raise NotImplementedError


def open_writer(
    file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, output: OutputFormat, attempt: str
) -> RowWriter:
    """Start a file of rows called `row_type` (Page or Reject) in the given format."""
    return FORMATS[output.format].writer(
        file, row_type, columns, compression=output.compression, attempt=attempt
    )


class _ParquetWriter(RowWriter):
    def __init__(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, compression: str, attempt: str
    ) -> None:
        import pyarrow.parquet as pq

        super().__init__(file)
        self._kinds = [column.kind for column in columns]
        self._schema = arrow_schema(columns).with_metadata({_ATTEMPT_KEY: attempt, "cedar.rows": row_type})
        self._writer = pq.ParquetWriter(
            file,
            self._schema,
            compression=compression,
            write_page_checksum=True,
            use_dictionary=[c.name for c in columns if c.name in _DICTIONARY_COLUMNS],
            write_statistics=[c.name for c in columns if c.name not in _LONG_COLUMNS],
        )

    def _write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        import pyarrow as pa

        columns = map(_buffers, self._kinds, zip(*rows, strict=True))
        arrays = []
        for field, buffers in zip(self._schema, columns, strict=True):
            given = [None if one is None else pa.py_buffer(one) for one in buffers]
            arrays.append(pa.Array.from_buffers(field.type, len(rows), given))
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=len(rows))

    def _finish(self) -> None:
        self._writer.close()

    def abandon(self) -> None:
        self._writer.is_open = False  # else it would write its end when it is collected
        super().abandon()


def _buffers(kind: str, values: tuple[Any, ...]) -> Iterator[Any]:
    """Yield the buffers of an Arrow array: which values are not null (None: all), and the values.

    `pyarrow.array` would import pandas, where it is installed, and copies texts more often.
    """
    given = None
    if None in values:
        given = np.packbits([value is not None for value in values], bitorder="little")
        nothing = _NOTHING.get(kind, 0)
        values = tuple(nothing if value is None else value for value in values)
    yield given
    if kind in _NOTHING:
        parts = tuple(map(str.encode, values)) if kind == "string" else values
        yield np.cumsum((0, *map(len, parts)), dtype=np.int32)
        yield b"".join(parts)
    elif kind == "bool":
        yield np.packbits(values, bitorder="little")
    else:
        yield np.array(values, "int64" if kind == "timestamp" else kind)


class _AvroWriter(RowWriter):
    def __init__(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, compression: str, attempt: str
    ) -> None:
        from fastavro.schema import parse_schema
        from fastavro.write import Writer

        super().__init__(file)
        self._names = tuple(c.name for c in columns)
        self._writer: Any = Writer(
            file,
            parse_schema(avro_schema(row_type, columns)),
            codec="null" if compression == "none" else compression,
            sync_interval=_AVRO_BLOCK_BYTES,
            metadata={_ATTEMPT_KEY: attempt},
        )

    def _write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        for row in rows:
            self._writer.write(dict(zip(self._names, row, strict=True)))

    def _finish(self) -> None:
        self._writer.flush()


class JsonLinesWriter(RowWriter):
    """JSON lines: a row called `Page` has the keys that loaders look for."""

    def __init__(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, compression: str, attempt: str
    ) -> None:
        super().__init__(file)
        self._names = tuple(column.name for column in columns)
        self._is_page = row_type == "Page"
        self._mark = _marks(attempt).get(compression, b"")
        self._open: Any
        if compression == "zstd":  # in one frame: many readers stop after the first
            self._open = zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)
        elif compression == "none":
            self._open = file
        else:  # without name and time: the same rows are the same bytes
            self._open = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)

    def _write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        for row in rows:
            values = {
                name: None if isinstance(value, float) and not math.isfinite(value) else value
                for name, value in zip(self._names, row, strict=True)
            }
            if self._is_page:
                values = _for_loaders(values)
            line = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            for character, written in _LINE_ENDS.items():  # a search for each is faster than a look at all
                line = line.replace(character, written)
            self._open.write(line.encode() + b"\n")

    def _finish(self) -> None:
        if self._open is not self._file:
            self._open.close()
        self._file.write(self._mark)


def _marks(attempt: str) -> dict[str, bytes]:
    """Return what names the attempt at the end of a file of JSON lines, by compression."""
    return {
        "zstd": _FRAME.pack(_FRAME_MAGIC, 32, attempt.encode()),
        "gzip": _MEMBER_HEAD + attempt.encode() + _MEMBER_END,
    }


def page_id(page: Mapping[str, Any]) -> str:
    """Return the id of a page, by its columns: its record's, or `source#offset#inner_offset` without one."""
    record = page["record_id"]
    return f"<{record}>" if record else f"{page['source']}#{page['offset']}#{page['inner_offset']}"


def _for_loaders(page: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page with the keys that loaders look for: its id and text first, its date (ISO 8601) last."""
    fetched = page["fetched_at"]
    date = None if fetched is None else f"{(_EPOCH + timedelta(microseconds=fetched)).isoformat()}Z"
    return {"id": page_id(page), "text": page["text"], "url": page["url"], **page, "date": date}


def attempt_of_lines(file: BinaryIO) -> str | None:
    """Return the attempt that wrote an open file of JSON lines; None where it is cut, or is not ours."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - 64))
    end = file.read()
    # In zstd the attempt ends the file; in gzip the end of the empty member follows it.
    for found in (end[-32:], end[-32 - len(_MEMBER_END) : -len(_MEMBER_END)]):
        attempt = found.decode("latin-1")
        if end.endswith(tuple(_marks(attempt).values())):
            return attempt
    return None


def read_lines(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of JSON lines, as objects; raise ValueError or EOFError for a damaged one."""
    start = file.read(4)
    file.seek(0)
    opened: Any = file if start[:1] == b"{" else gzip.GzipFile(fileobj=file)
    if start == zstandard.FRAME_HEADER:
        opened = zstandard.ZstdDecompressor().stream_reader(file, closefd=False)
    with raised_as(ValueError, zstandard.ZstdError, zlib.error, gzip.BadGzipFile):
        for line in io.BufferedReader(opened):
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("a line is not an object")
            yield row


def close_quietly(file: BinaryIO) -> None:
    """Close a file that is not wanted, as a `with` whose body failed does: stores upload nothing then."""
    with contextlib.suppress(OSError):
        file.__exit__(OSError, None, None)


class Format:
    """A format of files of rows.

    Attributes:
        suffixes: the suffix of a file by its compression; the first compression is the default.
        unnamed: the same for compressions whose files cannot name the attempt that wrote them: a data set may
            have them, a corpus not.
    """

    suffixes: Mapping[str, str]
    unnamed: Mapping[str, str] = MappingProxyType({})

    @property
    def all_suffixes(self) -> Mapping[str, str]:
        """The suffixes of all compressions."""
        return {**self.suffixes, **self.unnamed}

    def writer(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, compression: str, attempt: str
    ) -> RowWriter:
        """Start a file of rows called `row_type` (Page or Reject)."""
        raise NotImplementedError

    def attempt(self, file: BinaryIO) -> str | None:
        """Return the attempt that wrote an open file; None if it is broken or of another format."""
        raise NotImplementedError

    def batches(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, max_rows: int
    ) -> Iterator["pa.RecordBatch"]:
        """Read columns of an open file of rows called `row_type`, in batches of at most `max_rows` rows."""
        raise NotImplementedError

    def value(self, file: BinaryIO, row_type: str, column: Column, *, row: int) -> Any:
        """Read one column of one row, whose number counts from 0."""
        raise NotImplementedError


class _Parquet(Format):
    suffixes = MappingProxyType(dict.fromkeys(("zstd", "snappy", "gzip", "none"), "parquet"))
    writer = _ParquetWriter

    @override
    def attempt(self, file: BinaryIO) -> str | None:
        import pyarrow.parquet as pq

        try:
            value = (pq.read_metadata(file).metadata or {}).get(_ATTEMPT_KEY.encode())
        except (ValueError, NotImplementedError, OSError) as fault:
            if isinstance(fault, OSError) and fault.errno is not None:  # Arrow's fault of a footer has none
                raise
            return None
        return None if value is None else str(value, "utf-8", "replace")

    @override
    def batches(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, max_rows: int
    ) -> Iterator["pa.RecordBatch"]:
        import pyarrow.parquet as pq

        schema = arrow_schema(columns).remove_metadata()
        opened = pq.ParquetFile(file, read_dictionary=[], page_checksum_verification=True)
        for batch in opened.iter_batches(max_rows, columns=schema.names):
            # Files of older versions have no checksums, their text may not be UTF-8.
            batch.validate(full=True)
            yield batch.select(schema.names).cast(schema)

    @override
    def value(self, file: BinaryIO, row_type: str, column: Column, *, row: int) -> Any:
        """Read only the row's group."""
        import pyarrow.parquet as pq

        parquet = pq.ParquetFile(file, page_checksum_verification=True)
        for group in range(parquet.metadata.num_row_groups):
            rows = parquet.metadata.row_group(group).num_rows
            if row < rows:
                return parquet.read_row_group(group, [column.name]).column(0)[row].as_py()
            row -= rows
        raise LookupError(f"no row {row}")


class _RowByRow(Format):
    """A format whose files are read one row after the other."""

    def read(self, file: BinaryIO, row_type: str, columns: tuple[Column, ...]) -> Iterator[dict[str, Any]]:
        """Yield the rows, which have at least the columns."""
        raise NotImplementedError

    @override
    def batches(
        self, file: BinaryIO, row_type: str, columns: tuple[Column, ...], *, max_rows: int
    ) -> Iterator["pa.RecordBatch"]:
        import pyarrow as pa

        schema = arrow_schema(columns).remove_metadata()
        left = self.read(file, row_type, columns)
        while chunk := list(itertools.islice(left, min(max_rows, _ROWS_AT_ONCE))):
            arrays = [pa.array([row[field.name] for row in chunk], field.type) for field in schema]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    @override
    def value(self, file: BinaryIO, row_type: str, column: Column, *, row: int) -> Any:
        return next(itertools.islice(self.read(file, row_type, (column,)), row, None), {})[column.name]


class _Avro(_RowByRow):
    suffixes = MappingProxyType(dict.fromkeys(("deflate", "zstandard", "none"), "avro"))
    writer = _AvroWriter

    @override
    def attempt(self, file: BinaryIO) -> str | None:
        import fastavro

        try:
            metadata: dict[str, str] = fastavro.reader(file).metadata
        except (ValueError, EOFError, LookupError, TypeError):  # fastavro's faults of other bytes
            return None
        return metadata.get(_ATTEMPT_KEY)

    @override
    def read(self, file: BinaryIO, row_type: str, columns: tuple[Column, ...]) -> Iterator[dict[str, Any]]:
        import fastavro
        from fastavro.read import SchemaResolutionError

        # The reader's schema has the chosen columns alone: fastavro steps over the others.
        with raised_as(ValueError, SchemaResolutionError):
            yield from fastavro.reader(file, avro_schema(row_type, columns))


class _JsonLines(_RowByRow):
    suffixes = MappingProxyType({"zstd": "jsonl.zst", "gzip": "jsonl.gz"})
    unnamed = MappingProxyType({"none": "jsonl"})
    writer = JsonLinesWriter

    @override
    def attempt(self, file: BinaryIO) -> str | None:
        return attempt_of_lines(file)

    @override
    def read(self, file: BinaryIO, row_type: str, columns: tuple[Column, ...]) -> Iterator[dict[str, Any]]:
        return read_lines(file)


FORMATS: Mapping[str, Format] = {"parquet": _Parquet(), "avro": _Avro(), "jsonl": _JsonLines()}
"""The formats by name. To add one, write how its files are written and read, and whose attempt they are."""


def output_format(name: str, compression: str | None = None, *, of_corpus: bool = True) -> OutputFormat:
    """Choose how files of a format are written, by its first compression if none is named.

    Raises ValueError as `OutputFormat.check` does.
    """
    default = next(iter(FORMATS[name].suffixes)) if name in FORMATS else ""
    chosen = OutputFormat(name, compression or default)
    chosen.check(of_corpus=of_corpus)
    return chosen
