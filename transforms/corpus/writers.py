"""Files of rows: Parquet, Avro and JSON lines, from one definition of the columns.

Each file carries the id of the attempt that wrote it, so that a commit can be checked against its files.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from transforms.corpus.json_lines import JsonLines, attempt_of_lines
from transforms.model.columns import Column, arrow_schema, avro_schema, reject_columns
from transforms.model.extras import install_command

_ATTEMPT_KEY = "cedar.attempt"
_DICTIONARY_COLUMNS = frozenset(
    {"source", "status", "media_type", "charset", "charset_source", "replaced", "truncated", "lang"}
    | {"extractor", "extractor_options", "fallback", "stage", "reason", "detail"}
)
_LONG_COLUMNS = frozenset({"text", "html", "title"})
_AVRO_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """How rows become a file.

    Attributes:
        format: one of `FORMATS`.
        compression: one of its compressions.
        group_bytes: characters of text after which a row group (Parquet) is closed.
        group_rows: rows after which it is closed at the latest.
    """

    format: str = "parquet"
    compression: str = "zstd"
    group_bytes: int = 16 << 20
    group_rows: int = 8192

    def check(self) -> None:
        """Find out whether files can be written this way.

        Raises:
            ValueError: the format or compression is unknown, or its package is not installed.
        """
        _check_name(self.format)
        if self.compression not in FORMATS[self.format].suffixes:
            choices = ", ".join(FORMATS[self.format].suffixes)
            raise ValueError(f"unknown compression {self.compression!r} for {self.format}: choose {choices}")
        if self.compression == "zstandard":
            try:
                # fastavro looks for the codec's package only when it writes the first block.
                trial = _AvroRows(io.BytesIO(), "Reject", reject_columns(), self.compression, "trial")
                trial.write([(None, "", 0, 0, "", "", "")])
                trial.close()
            except (ValueError, ImportError) as error:
                raise ValueError(
                    f"Avro with zstandard needs a package: {install_command('avro-zstandard')}"
                ) from error


class RowWriter(Protocol):
    """A file of rows being written."""

    rows: int

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add a group of rows: of each its values in the order of the columns."""

    def close(self) -> int:
        """Finish the file; returns its size in bytes."""

    def abandon(self) -> None:
        """Let go of the file as it is, which may be cut: nothing is raised."""


def open_writer(
    file: BinaryIO, name: str, columns: tuple[Column, ...], output: OutputFormat, attempt: str
) -> RowWriter:
    """Start a file of rows called `name` (Page or Reject) in the given format."""
    return FORMATS[output.format].writer(file, name, columns, output.compression, attempt)


class _ParquetRows:
    def __init__(
        self, file: BinaryIO, name: str, columns: tuple[Column, ...], compression: str, attempt: str
    ) -> None:
        import pyarrow.parquet as pq

        self.rows = 0
        self._file = file
        self._columns = columns
        self._schema = arrow_schema(columns).with_metadata({_ATTEMPT_KEY: attempt, "cedar.rows": name})
        self._writer = pq.ParquetWriter(
            file,
            self._schema,
            compression=compression,
            use_dictionary=[c.name for c in columns if c.name in _DICTIONARY_COLUMNS],
            write_statistics=[c.name for c in columns if c.name not in _LONG_COLUMNS],
        )

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        import pyarrow as pa

        values = zip(*rows, strict=True)
        arrays = [pa.array(column, field.type) for column, field in zip(values, self._schema, strict=True)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=len(rows))
        self.rows += len(rows)

    def close(self) -> int:
        self._writer.close()
        size = self._file.tell()
        self._file.close()
        return size

    def abandon(self) -> None:
        self._writer.is_open = False  # else it would write its end when it is collected
        let_go(self._file)


class _AvroRows:
    def __init__(
        self, file: BinaryIO, name: str, columns: tuple[Column, ...], compression: str, attempt: str
    ) -> None:
        from fastavro.schema import parse_schema
        from fastavro.write import Writer

        self.rows = 0
        self._file = file
        self._names = tuple(c.name for c in columns)
        self._writer: Any = Writer(
            file,
            parse_schema(avro_schema(name, columns)),
            codec="null" if compression == "none" else compression,
            sync_interval=_AVRO_BLOCK_BYTES,
            metadata={_ATTEMPT_KEY: attempt},
        )

    def write(self, rows: Sequence[tuple[Any, ...]]) -> None:
        for row in rows:
            self._writer.write(dict(zip(self._names, row, strict=True)))
        self.rows += len(rows)

    def close(self) -> int:
        self._writer.flush()
        size = self._file.tell()
        self._file.close()
        return size

    def abandon(self) -> None:
        let_go(self._file)


def let_go(file: BinaryIO) -> None:
    """Close a file that is not wanted, as a `with` whose body failed does: stores upload nothing then."""
    with contextlib.suppress(OSError):
        file.__exit__(OSError, None, None)


def attempt_of(file: BinaryIO, output_format: str) -> str | None:
    """Return the attempt that wrote an open file; None where the file is broken or not of the format.

    Raises:
        OSError: the file cannot be read.
    """
    return FORMATS[output_format].attempt(file)


def _parquet_attempt(file: BinaryIO) -> str | None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        value = (pq.read_metadata(file).metadata or {}).get(_ATTEMPT_KEY.encode())
    except pa.ArrowInvalid:
        return None
    return None if value is None else str(value, "utf-8", "replace")


def _avro_attempt(file: BinaryIO) -> str | None:
    import fastavro

    try:
        metadata: dict[str, str] = fastavro.reader(file).metadata
    except (ValueError, EOFError, LookupError, TypeError):  # what fastavro makes of bytes that are not Avro
        return None
    return metadata.get(_ATTEMPT_KEY)


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files of rows.

    Attributes:
        suffixes: the suffix of a file by its compression; the first compression is the default.
        writer: starts a file: from the open file, the name of its rows, columns, compression, and attempt.
        attempt: the attempt that wrote an open file; None where the file is broken.
    """

    suffixes: Mapping[str, str]
    writer: Callable[[BinaryIO, str, tuple[Column, ...], str, str], RowWriter]
    attempt: Callable[[BinaryIO], str | None]


FORMATS: Mapping[str, Format] = {
    "parquet": Format(
        dict.fromkeys(("zstd", "snappy", "gzip", "none"), "parquet"), _ParquetRows, _parquet_attempt
    ),
    "avro": Format(dict.fromkeys(("deflate", "zstandard", "none"), "avro"), _AvroRows, _avro_attempt),
    "jsonl": Format({"zstd": "jsonl.zst", "gzip": "jsonl.gz"}, JsonLines, attempt_of_lines),
}
"""The formats by name. To add one, write how its files are written and whose attempt they are."""


def output_format(name: str, compression: str | None = None) -> OutputFormat:
    """Choose how files of a format are written, by its first compression if none is named.

    Raises:
        ValueError: the format or compression is unknown, or its package is not installed.
    """
    _check_name(name)
    chosen = OutputFormat(name, compression or next(iter(FORMATS[name].suffixes)))
    chosen.check()
    return chosen


def _check_name(name: str) -> None:
    if name not in FORMATS:
        raise ValueError(f"unknown format {name!r}: choose one of {', '.join(FORMATS)}")
