"""The rows of a corpus in batches: chosen columns of its files, in flat memory."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.common.errors import UsageError
from transforms.corpus.commit import Corpus
from transforms.corpus.json_lines import read_lines
from transforms.corpus.layout import KINDS, corpus_description
from transforms.corpus.storage import is_uri
from transforms.corpus.writers import FORMATS
from transforms.model.columns import (
    ALL_GROUPS,
    Column,
    arrow_schema,
    avro_schema,
    page_columns,
    reject_columns,
    signature_columns,
)
from transforms.model.summaries import ShardSummary

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 65_536
"""Rows of a batch, at most."""

_ROWS_AT_ONCE = 8_192


class BrokenRowsError(Exception):
    """A file of rows that a commit names is gone, or cannot be understood."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row is: the file's name below the corpus, and its number in the file, from 0."""

    file: str
    row: int


def open_corpus(path: str) -> tuple[Corpus, dict[str, Any]]:
    """Return the corpus at a path or URI, and the options in its `corpus.json`.

    Raises:
        UsageError: there is none.
    """
    root = path.rstrip("/") if is_uri(path) else os.path.abspath(path)  # noqa: PTH100 - links keep their names
    try:
        text = Corpus(root, "parquet").storage.read(f"{root}/corpus.json")
    except OSError as fault:
        raise UsageError(f"cannot read {path}: {fault}") from fault
    if text is None:
        raise UsageError(f"not a corpus: {path} (it has no corpus.json; name the --output of cedar extract)")
    options = corpus_description(text)
    if options is None:
        raise UsageError(f"{path}/corpus.json was not written by Cedar")
    if options["format"] not in FORMATS:
        raise UsageError(f"{path} has the format {options['format']!r}, which this version does not know")
    return Corpus(root, options["format"], options.get("compression")), options


def batches(
    corpus: Corpus, summary: ShardSummary, kind: str, columns: Sequence[str], rows: int = BATCH_ROWS
) -> Iterator[tuple[Place, pa.RecordBatch]]:
    """Chosen columns of a shard's file.

    Args:
        corpus: the corpus.
        summary: the shard.
        kind: pages, rejects or signatures; a shard without such a file gives nothing.
        columns: their names.
        rows: rows of a batch, at most.

    Yields:
        Batches of at most so many rows, and where the first row of each is.

    Raises:
        BrokenRowsError: the file is gone, or is none of its format.
        OSError: it cannot be read.
    """
    name = corpus.file_name(kind, summary.shard.name)
    if name not in summary.files:
        return
    read = {"parquet": _parquet, "avro": _avro, "jsonl": _json_lines}[corpus.format_of(kind)]
    row = 0
    try:
        with corpus.storage.open(f"{corpus.root}/{name}") as file:
            for batch in read(file, kind, columns, rows):
                yield Place(name, row), batch
                row += batch.num_rows
    except (FileNotFoundError, ValueError, EOFError, LookupError, TypeError) as error:
        raise BrokenRowsError(name) from error
    except OSError as fault:
        # Arrow's word for data that do not decompress; a fault of the system has a number.
        if fault.errno is not None:
            raise
        raise BrokenRowsError(name) from fault


def text_at(corpus: Corpus, place: Place, column: str = "text") -> str:
    """One value of a string column of `pages`; of Parquet only its row group is read.

    Raises:
        OSError: the file cannot be read.
    """
    with corpus.storage.open(f"{corpus.root}/{place.file}") as file:
        if corpus.format != "parquet":
            rows = _avro_rows(file, "pages", (column,)) if corpus.format == "avro" else read_lines(file)
            for row in itertools.islice(rows, place.row, place.row + 1):
                return str(row[column])
            raise OSError(f"{place.file} has no row {place.row}")
        import pyarrow.parquet as pq

        parquet = pq.ParquetFile(file)
        first = 0
        for group in range(parquet.metadata.num_row_groups):
            rows = parquet.metadata.row_group(group).num_rows
            if place.row < first + rows:
                return str(parquet.read_row_group(group, [column]).column(0)[place.row - first].as_py())
            first += rows
    raise OSError(f"{place.file} has no row {place.row}")


def _columns(kind: str, names: Sequence[str]) -> tuple[Column, ...]:
    others = {"rejects": reject_columns, "signatures": signature_columns}
    known = {
        c.name: c for c in (page_columns(ALL_GROUPS) if kind in ("pages", "dropped") else others[kind]())
    }
    return tuple(known[name] for name in names)


def _parquet(file: Any, kind: str, columns: Sequence[str], rows: int) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    schema = arrow_schema(_columns(kind, columns)).remove_metadata()
    for batch in pq.ParquetFile(file, read_dictionary=[]).iter_batches(rows, columns=list(columns)):
        yield batch.select(list(columns)).cast(schema)


def _avro(file: Any, kind: str, columns: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
    return _in_batches(_avro_rows(file, kind, columns), _columns(kind, columns), size)


def _json_lines(file: Any, kind: str, columns: Sequence[str], size: int) -> Iterator[pa.RecordBatch]:
    return _in_batches(read_lines(file), _columns(kind, columns), size)


def _in_batches(
    rows: Iterator[dict[str, Any]], columns: tuple[Column, ...], size: int
) -> Iterator[pa.RecordBatch]:
    """Rows as batches of columns."""
    import pyarrow as pa

    schema = arrow_schema(columns).remove_metadata()
    while chunk := list(itertools.islice(rows, min(size, _ROWS_AT_ONCE))):
        arrays = [pa.array([row[field.name] for row in chunk], field.type) for field in schema]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _avro_rows(file: Any, kind: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    import fastavro

    # The reader's schema has the chosen columns alone: fastavro steps over the others.
    return iter(fastavro.reader(file, avro_schema(KINDS[kind].rows, _columns(kind, columns))))
