"""`WriteCorpus`: the rows of a pipeline of one's own as a corpus that every command reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import apache_beam as beam
import numpy as np
from apache_beam.pvalue import AsList, DoOutputsTuple
from apache_beam.transforms.window import GlobalWindows
from apache_beam.typehints.native_type_compatibility import convert_to_beam_type
from apache_beam.typehints.row_type import RowTypeConstraint

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import page_of
from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.corpus.formats import output_format
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.outputs import held_output
from cedar.transforms.corpus.settle import settle
from cedar.transforms.corpus.shard_writer import StaleCommitError, WritePlan, write_shard
from cedar.transforms.curation.rules import rule_of
from cedar.transforms.extract_rows import DROPPED, REJECTS
from cedar.transforms.files.places import absolute
from cedar.transforms.model.columns import COLUMN_GROUPS, PAGE_COLUMNS, PageTable, own_group
from cedar.transforms.model.costs import NO_COST, Cost
from cedar.transforms.model.records import SCHEMA_VERSION, ExtractedPage, PageRow, Reject, Shard, ShardEnd
from cedar.transforms.readers.shards import shard_name

PAGES = "pages"
SOURCE = "pipeline"
"""Stands for the input of its shards, which are parts of a pipeline's rows; rows name their own inputs."""

_OTHER = "choose another root, or overwrite=True"

_OWN_KINDS: Mapping[Any, str] = {
    **dict.fromkeys((int, np.int32, np.int64), "int64"),
    **dict.fromkeys((float, np.float64), "float64"),
    str: "string",
    bool: "bool",
    np.float32: "float32",
}


class WriteCorpus(beam.PTransform):
    """Outputs of `ExtractRows` or `Extract`, or a dict of `pages`, `dropped`, `rejects` -> the corpus' root.

    The rows are spread over `files` parts by where they come from, and each part is committed once, whatever
    is retried; a worker holds one part at a time. The books say what came here: what a step in between has
    taken out is in none of them. Run again with the same rows it changes nothing.

    Args:
        root: directory or URI of the corpus.
        made_by: the `ExtractRows` or `Extract` that made the rows, whose choices `corpus.json` says.
        format: parquet, avro or jsonl; `compression`: its compression, if not the format's default.
        files: parts, at most; one without rows has no files.
        overwrite: whether a corpus that is there gives way.

    Raises:
        ValueError: the columns are not a corpus's, or the place holds another one; raised where it is
            applied, as everything is. The rows of a run into a corpus of others fail the pipeline.
    """

    def __init__(
        self,
        root: str,
        made_by: beam.PTransform | None = None,
        *,
        format: str = "parquet",  # noqa: A002 - as the command calls it
        compression: str | None = None,
        files: int = 16,
        overwrite: bool = False,
    ) -> None:
        super().__init__()
        if files < 1:
            raise ValueError(f"files is a number from 1, not {files}")
        self._output = output_format(format, compression)
        self._corpus = Corpus(absolute(root), format, self._output.compression)
        self._made = {"extractor": "unknown"} if made_by is None else made_by.choices
        self._files = files
        self._overwrite = overwrite

    def _extract_input_pvalues(self, outputs: Any) -> Any:
        # Of the outputs of a ParDo Beam makes no inputs itself.
        if isinstance(outputs, DoOutputsTuple):
            outputs = dict(zip((PAGES, *outputs._tags), outputs, strict=True))
        return super()._extract_input_pvalues(outputs)

    def expand(self, outputs: Mapping[str, beam.PCollection]) -> beam.PCollection:
        """Key, group, write; raise ValueError as the class says."""
        if not isinstance(outputs, Mapping) or not {PAGES} <= {*outputs} <= {PAGES, DROPPED, REJECTS}:
            raise ValueError("WriteCorpus takes outputs of ExtractRows, or a dict of pages, dropped, rejects")
        if not all(given.is_bounded for given in outputs.values()):
            raise ValueError("WriteCorpus ends with the last row: it takes no unbounded PCollection")
        table = PageTable.of(_groups_of(outputs[PAGES].element_type))
        corpus, plan = self._claimed(table)
        part = _Part(corpus, plan, table, self._files)
        keyed = (given | f"Key {kind}" >> beam.ParDo(part.keyed, kind) for kind, given in outputs.items())
        written = (
            [rows | f"Unwindow {n}" >> beam.WindowInto(GlobalWindows()) for n, rows in enumerate(keyed)]
            | beam.Flatten().with_output_types(tuple[int, tuple[str, Any]])
            | beam.GroupByKey()
            | "Write" >> beam.MapTuple(part.write)
        )
        root = self._corpus.root
        return (
            outputs[PAGES].pipeline
            | beam.Create([root]).with_output_types(str)
            | beam.Map(part.end, AsList(written))
        )

    def _claimed(self, table: PageTable) -> tuple[Corpus, WritePlan]:
        """Begin the corpus, or find it; return how its shards become files, too."""
        groups = tuple(group.name for group in table.groups)
        written = {"format": self._output.format, "compression": self._output.compression}
        identity = CorpusIdentity(
            {"schema": SCHEMA_VERSION, **self._made, **written, "column_groups": groups, "files": self._files}
        )
        try:
            with held_output(self._corpus.root, "corpus", alone=self._overwrite):
                corpus, _ = identity.claim(self._corpus, overwrite=self._overwrite)
        except CorpusError as error:
            message = str(error).replace("--output", "root").replace("--overwrite", "overwrite=True")
            raise ValueError(message) from error
        digest = identity.digest
        return corpus, WritePlan(options_digest=digest, output=self._output, column_groups=groups)


def _groups_of(of_rows: Any) -> tuple[str, ...]:
    """Return the groups of columns that rows of a type have; raise ValueError where they cannot be rows."""
    rows = of_rows if isinstance(of_rows, RowTypeConstraint) else RowTypeConstraint.from_user_type(of_rows)
    if rows is None:
        raise ValueError(
            f"the columns of {of_rows} are unknown: .with_output_types(outputs.pages.element_type) says them"
        )
    if of_rows is PageRow:  # which has a place for HTML that `Extract` never fills
        return ("confidence",)
    kinds = dict(rows._fields)
    groups = [g for g in COLUMN_GROUPS if kinds.keys() & {column.name for column in g.columns}]
    known = [*PAGE_COLUMNS, *(column.name for group in groups for column in group.columns)]
    missing = [name for name in known if name not in kinds]
    if missing:
        raise ValueError(f"rows of a corpus have {', '.join(missing)}, too: see docs/corpus.md")
    own = []
    for name in kinds.keys() - {*known}:
        hint = kinds[name]
        kind, *more = {*getattr(convert_to_beam_type(hint), "union_types", (hint,))} - {type(None)}
        if more or kind not in _OWN_KINDS:
            raise ValueError(f"{name} is {hint}: a column of your own is str, bool, int or float")
        own.append(own_group(name, _OWN_KINDS[kind]))
    return (*(group.name for group in groups), *own)


@dataclass(frozen=True, slots=True)
class _Part:
    """Writes parts, each as a shard."""

    corpus: Corpus
    plan: WritePlan
    table: PageTable
    files: int

    def keyed(self, element: Any, kind: str) -> Iterator[tuple[int, tuple[str, Any]]]:
        """Yield a row, as its values, or a reject by the number of its part."""
        where = element.location if kind == REJECTS else element
        place = f"{element.url} {where.source} {where.offset}".encode("utf-8", "surrogatepass")
        number = int.from_bytes(hashlib.blake2b(place, digest_size=8).digest()) % self.files
        # Rows that were dropped come as they were: a column that the pages alone were given is null in them.
        added = {c.name for g in self.table.groups if kind == DROPPED for c in g.columns}
        values = (getattr(element, c.name, *((None,) if c.name in added else ())) for c in self.table.columns)
        yield number, (kind, element if kind == REJECTS else tuple(values))

    def write(self, number: int, given: Iterable[tuple[str, Any]]) -> str:
        """Write and commit a part unless it is; returns its shard's name."""
        name = shard_name(SOURCE, number, number + 1)
        elements = sorted((self._element(name, *one) for one in given), key=_order)
        digest = hashlib.blake2b(digest_size=16)
        for element in elements:
            lasting: Any = element.row
            if isinstance(element, ExtractedPage):
                row = element.row._replace(decode_seconds=0.0, extract_seconds=0.0)
                lasting = row, element.annotations, element.dropped_by
            digest.update(repr(lasting).encode("utf-8", "surrogatepass"))
        shard = Shard(name, SOURCE, self.files, f"etag:{digest.hexdigest()}", number, number + 1)
        committed = self.corpus.commit_of(name)
        # Where a run has ended, a part without a commit had no rows in it.
        has_ended = committed is None and self.corpus.storage.read(self.corpus.books_path) is not None
        others = CorpusError(f"{self.corpus.root} is broken or holds other rows: {_OTHER}")
        if has_ended or (committed and committed.shard.version != shard.version):
            raise others
        if committed is None:
            size = sum(element.row.length for element in elements)
            end = ShardEnd(shard, None, number + 1, len(elements), size, NO_COST)
            try:
                write_shard(self.corpus, self.plan, elements, end=end)
            except StaleCommitError:  # another run, at once, was first
                raise others from None
        return name

    def end(self, root: str, written: Sequence[str]) -> str:
        """Close the books; returns the root."""
        if {name for name, _ in self.corpus.commits() if name} != {*written} or settle(self.corpus).broken:
            raise CorpusError(f"{root} is broken or holds other rows: {_OTHER}")
        return root

    def _element(self, shard: str, kind: str, kept: Any) -> ExtractedPage | Reject:
        if isinstance(kept, Reject):
            return kept
        values: dict[str, Any] = {}
        for column, value in zip(self.table.columns, kept, strict=True):
            if value is None and not column.nullable:
                raise ValueError(f"a row has no {column.name}, which every page has")
            values[column.name] = value
        rule = rule_of(values.get("drop_reason") or "dropped") if kind == DROPPED else None
        page = page_of(shard, self.table, values, dropped_by=rule)
        return replace(page, decode=Cost(page.row.decode_seconds), extract=Cost(page.row.extract_seconds))


def _order(element: ExtractedPage | Reject) -> tuple[str, int, int, str, str]:
    row: Any = element.row
    url, digest = row.url or "", getattr(row, "text_digest", "")
    return row.source, row.offset, getattr(row, "inner_offset", 0), url, digest
