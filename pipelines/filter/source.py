"""The corpus that is filtered: its columns, and its pages as they were before they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pipelines.report.scan import batches, open_corpus
from transforms.corpus.commit import Corpus
from transforms.extractors import registry
from transforms.model.books import NO_COST
from transforms.model.columns import PageTable
from transforms.model.records import ExtractedPage, PageRow
from transforms.model.summaries import ShardSummary

if TYPE_CHECKING:
    import pyarrow as pa

_PAGES_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class FilterSource:
    """A corpus that is read.

    Attributes:
        corpus: where it is.
        described: what its `corpus.json` says.
        groups: the groups of columns that its pages have.
    """

    corpus: Corpus
    described: Mapping[str, Any]
    groups: tuple[str, ...]

    @staticmethod
    def at(path: str) -> FilterSource:
        """Open the corpus at a path or URI.

        Raises:
            UsageError: there is none.
        """
        corpus, described = open_corpus(path)
        if "column_groups" in described:
            return FilterSource(corpus, described, tuple(described["column_groups"]))
        has = {
            "html": bool(described.get("with_html")),
            "confidence": registry.get(described["extractor"]).is_confident,
            "markdown": described.get("markdown") is not None,
            "metadata": bool(described.get("with_metadata")),
            "language": described.get("language_model") is not None,
            "signals": bool(described.get("signals")),
            "drop_reason": any(map(described.get, ("keep", "presets", "source_keep", "source_presets"))),
        }
        return FilterSource(corpus, described, tuple(name for name, is_there in has.items() if is_there))

    @property
    def table(self) -> PageTable:
        """Its columns."""
        return PageTable.of(self.groups)

    def pages(self, summary: ShardSummary) -> Iterator[ExtractedPage]:
        """The pages of a shard.

        Raises:
            BrokenRowsError: its file is gone, or is none of its format.
            OSError: it cannot be read.
        """
        groups = [group for group in self.table.groups if group.record is not PageRow]
        for values in self._rows(summary, tuple(column.name for column in self.table.columns)):
            row = PageRow(**{name: values[name] for name in PageRow._fields if name in values})
            records = tuple(_record(group.record, values) for group in groups)
            yield ExtractedPage(summary.shard.name, row, len(row.text.encode()), NO_COST, NO_COST, records)

    def _rows(self, summary: ShardSummary, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        for _, batch in batches(self.corpus, summary, "pages", columns, _PAGES_AT_ONCE):
            lists = as_lists(batch)
            for values in zip(*lists.values(), strict=True):
                yield dict(zip(lists, values, strict=True))


def as_lists(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """The columns of a batch by name, as lists of what rows hold: times are microseconds."""
    import pyarrow as pa

    return {
        name: (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }


def _record(kind: type, values: Mapping[str, Any]) -> NamedTuple:
    record: NamedTuple = kind(**{name: values[name] for name in kind.__annotations__})
    return record
