"""The one reader of a corpus: its commits, and the rows of its files, held to what the commits say."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import zstandard

from cedar.transforms.corpus.commit import committed_file
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import CorpusError, LostFilesError, OtherCorpusError
from cedar.transforms.corpus.formats import FORMATS
from cedar.transforms.corpus.layout import FILE_KINDS, corpus_description, corpus_id, refuse_other_version
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.files.places import absolute
from cedar.transforms.files.storage import raised_as
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.annotations import Own
from cedar.transforms.model.columns import (
    ALL_GROUPS,
    Column,
    ColumnGroup,
    PageTable,
    columns_of,
    in_order,
    unknown_groups,
)
from cedar.transforms.model.costs import NO_COST
from cedar.transforms.model.records import ExtractedPage, PageRow, Shard
from cedar.transforms.model.summaries import ShardSummary

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 65_536
"""Rows of a batch, at most."""

_PAGES_AT_ONCE = 512

_BROKEN_DATA = (
    *(ValueError, EOFError, LookupError, TypeError, ArithmeticError, RecursionError, NotImplementedError),
    *(struct.error, zlib.error, zstandard.ZstdError),
)
"""What readers of files make of bytes that are not of their format."""


REASON_COLUMNS: Mapping[str, str | None] = {"pages": None, "dropped": "drop_reason", "rejects": "reason"}
"""The kinds of rows that are of a capture each, and the column of each kind that says why it is no page."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page is: its shard, and its number in the shard's file, from 0."""

    shard: str
    row: int


@dataclass(frozen=True, slots=True)
class CorpusReader:
    """A corpus that is read: where it is, what its `corpus.json` says, its pages' groups of columns."""

    corpus: Corpus
    described: Mapping[str, Any]
    groups: tuple[str, ...]

    @staticmethod
    def at(path: str) -> CorpusReader:
        """Open the corpus at a path or URI; raise CorpusError where it has not one of this version."""
        root = absolute(path)
        text = None
        with raised_as(CorpusError, OSError, saying=f"cannot read {path}"), suppress(NotADirectoryError):
            text = Corpus(root, "parquet").storage.read(f"{root}/corpus.json")
        if text is None:
            raise CorpusError(f"not a corpus: {path} ({_instead_of(path, root)})")
        described = corpus_description(text)
        if described is None:
            raise CorpusError(f"{path}/corpus.json was not written by Cedar")
        refuse_other_version(path, described)
        name, compression = described["format"], described.get("compression")
        if name not in FORMATS:
            raise CorpusError(f"{path} has the format {name!r}, which this version does not know")
        if compression is not None and str(compression) not in FORMATS[name].suffixes:
            raise CorpusError(f"{path} has the compression {compression!r}, which this version does not know")
        corpus = Corpus(root, name, compression, id=corpus_id(described))
        return CorpusReader(corpus, described, _groups(path, described))

    @property
    def page_table(self) -> PageTable:
        """The columns of its pages."""
        return PageTable.of(self.groups)

    def summaries(self) -> Iterator[ShardSummary]:
        """Yield the commits, in order of their names; raises DamagedCorpusError, OSError."""
        ledger = Ledger.of(self.corpus)
        if ledger.broken:
            self.corpus.commit_of(ledger.broken[0])
        if ledger.others:
            raise self._of_other_corpus(min(ledger.others))
        return ledger.summaries()

    def require_commit(self, shard: str) -> ShardSummary:
        """Return the commit of a shard; raise DamagedCorpusError if this corpus has none, OSError."""
        summary = self.corpus.read_commit(shard)
        if summary is None:
            raise LostFilesError(f"{self.corpus.commit_path(shard)} is gone")
        if summary.corpus_id != self.corpus.id:
            raise self._of_other_corpus(shard)
        return summary

    def shard_of_pages(self, summary: ShardSummary) -> Shard:
        """Return the shard of a corpus made of this one whose input is the file of pages of a shard here."""
        path = f"{self.corpus.root}/{self.corpus.file_name('pages', summary.shard.name)}"
        size = summary.files["pages"].bytes
        return Shard(summary.shard.name, path, size, f"etag:{summary.attempt}", 0, size)

    def _of_other_corpus(self, shard: str) -> OtherCorpusError:
        return OtherCorpusError(
            f"{self.corpus.commit_path(shard)} is of another corpus than corpus.json, perhaps made with "
            f"other options: run the command that makes {self.corpus.root} again"
        )

    def batches(
        self, summary: ShardSummary, kind: str, columns: Sequence[str], *, max_rows: int = BATCH_ROWS
    ) -> Iterator[tuple[Place, pa.RecordBatch]]:
        """Read the named columns of a shard's file of a kind, if it has one.

        Yields batches of `max_rows` rows, and where the first row of each is. Raises LostFilesError where the
        file is gone, or is not the one that was committed; OSError from the store.
        """
        if kind not in summary.files:
            return
        row, committed = 0, summary.files[kind].rows
        chosen = self._columns(kind, columns)
        with self._opened(summary, kind) as file:
            file_format = FORMATS[self.corpus.format_of(kind)]
            for batch in file_format.batches(file, FILE_KINDS[kind].rows, chosen, max_rows=max_rows):
                yield Place(summary.shard.name, row), batch
                row += batch.num_rows
            if row != committed:
                raise ValueError(f"{row} rows instead of {committed}")

    def _columns(self, kind: str, names: Sequence[str]) -> tuple[Column, ...]:
        record = FILE_KINDS[kind].record
        # A column that the corpus lacks is one that its files lack: they say so.
        of_pages = PageTable.of({*ALL_GROUPS, *self.groups}).columns
        known = {column.name: column for column in (of_pages if record is PageRow else columns_of(record))}
        return tuple(known[name] for name in names)

    def values(self, column: str) -> Iterator[Any]:
        """Yield the value of a column for each page; raises as `batches`."""
        for summary in self.summaries():
            for _, batch in self.batches(summary, "pages", [column], max_rows=_PAGES_AT_ONCE):
                yield from batch[column].to_pylist()

    def rows(self, kind: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Yield these columns of all rows of a kind of files, by name; raises as `batches`."""
        for summary in self.summaries():
            for _, batch in self.batches(summary, kind, columns, max_rows=_PAGES_AT_ONCE):
                lists = as_lists(batch)
                for values in zip(*lists.values(), strict=True):
                    yield dict(zip(lists, values, strict=True))

    def pages(self, summary: ShardSummary) -> Iterator[ExtractedPage]:
        """Read the pages of a shard, as they were before they were written; raises as `batches`."""
        table = self.page_table
        columns = tuple(column.name for column in table.columns)
        for _, batch in self.batches(summary, "pages", columns, max_rows=_PAGES_AT_ONCE):
            lists = as_lists(batch)
            for row_values in zip(*lists.values(), strict=True):
                yield page_of(summary.shard.name, table, dict(zip(lists, row_values, strict=True)))

    def text_at(self, place: Place, kind: str = "pages") -> str:
        """Return the text of a row of `pages`, or of `dropped`; of Parquet only its row group is read.

        Raises DamagedCorpusError where its commit or file is gone or another; OSError from the store.
        """
        (text,) = self._columns(kind, ("text",))
        with self._opened(self.require_commit(place.shard), kind) as file:
            file_format = FORMATS[self.corpus.format_of(kind)]
            return str(file_format.value(file, FILE_KINDS[kind].rows, text, row=place.row))

    @contextmanager
    def _opened(self, summary: ShardSummary, kind: str) -> Iterator[BinaryIO]:
        """Open a shard's file; what its reader makes of broken bytes becomes `LostFilesError`."""
        path = f"{self.corpus.root}/{self.corpus.file_name(kind, summary.shard.name)}"
        with committed_file(self.corpus, summary, kind) as file, broken_data(path):
            yield file


@contextmanager
def broken_data(path: str) -> Iterator[None]:
    """Raise `LostFilesError`, which names the file, where a reader finds bytes that are not of its format.

    The file has the size that it was written with, so that only who removes it has it made again.
    """
    try:
        yield
    except (*_BROKEN_DATA, OSError) as error:
        # Without a number it is Arrow's word for data that do not decompress.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        why = (str(error) or type(error).__name__).partition("\n")[0]
        raise LostFilesError(f"{path} is broken: {why}; remove it") from error


def _instead_of(path: str, root: str) -> str:
    """Return what to name instead of a place without a `corpus.json`."""
    with raised_as(CorpusError, OSError, saying=f"cannot read {path}"), suppress(NotADirectoryError):
        storage = storage_for(root)
        if storage.read(f"{root}/dedup.json") is not None:
            if storage.read(f"{root}/corpus/corpus.json") is not None:
                return f"it is a result of cedar dedup: name {path.rstrip('/')}/corpus"
            return "it is a result of cedar dedup: cedar dedup --write makes a corpus of it"
        if storage.read(f"{root}/export.json") is not None:
            return "it is a data set of cedar export: name the corpus that it was made of"
    return "it has no corpus.json; name the --output of cedar extract"


def as_lists(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """Return the columns of a batch by name, as lists of the rows' values: times are microseconds."""
    import pyarrow as pa

    return {
        name: (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }


def _groups(path: str, described: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the groups of columns that a `corpus.json` names; raise CorpusError for unknown ones."""
    named = described.get("column_groups")
    groups = list(map(str, named)) if isinstance(named, list) else [str(named)]
    unknown = unknown_groups(groups)
    if unknown:
        raise CorpusError(f"{path} has the columns {', '.join(unknown)}, which this version does not know")
    return in_order(groups)


def page_of(
    shard: str, table: PageTable, values: Mapping[str, Any], *, dropped_by: str | None = None
) -> ExtractedPage:
    """Return a page by its values in the columns of a table, without what it cost."""
    row = PageRow(**{name: values[name] for name in PageRow._fields if name in values})
    records = tuple(_record(group, values) for group in table.groups if group.record is not PageRow)
    size = len(row.text.encode())
    return ExtractedPage(shard, row, size, NO_COST, NO_COST, records, dropped_by=dropped_by)


def _record(group: ColumnGroup, values: Mapping[str, Any]) -> NamedTuple:
    if group.record is Own:
        return Own({column.name: values[column.name] for column in group.columns})
    kind = group.record
    record: NamedTuple = kind(**{name: values[name] for name in kind.__annotations__})
    return record


def digest_of_names(*names: str) -> bytes:
    """Return 12 bytes of BLAKE2b over the names of a capture: two captures hardly ever share them."""
    return hashlib.blake2b("\n".join(names).encode("utf-8", "surrogatepass"), digest_size=12).digest()
