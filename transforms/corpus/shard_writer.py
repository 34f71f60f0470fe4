"""The files of a shard, from its elements to the commit."""

import contextlib
import functools
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from cedar.transforms.corpus.commit import commit, discard
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.formats import OutputFormat, RowWriter, close_quietly, open_writer
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.files.storage import cannot_write
from cedar.transforms.model.annotations import Signals
from cedar.transforms.model.books import RejectReason, Stage
from cedar.transforms.model.columns import PageTable, RowCheck, columns_of
from cedar.transforms.model.costs import NO_COST, Cost, clock
from cedar.transforms.model.records import ExtractedPage, PageRow, Reject, RejectRow, ShardEnd
from cedar.transforms.model.summaries import FileSummary, ShardSummary
from cedar.transforms.runtime.events import event
from cedar.transforms.runtime.worker_progress import NULL_PROGRESS, NullProgress

_COUNTED_ONLY = (RejectReason.NOT_RESPONSE, RejectReason.SAMPLE)
"""Reasons that write rows only with `reject_rows="all"`."""


class StreamOrderError(Exception):
    """A shard's elements did not come whole and in order: a stage was not fused, or lost something."""


class StaleCommitError(Exception):
    """A late attempt has committed the shard as the input was before it changed; try again."""


class WriteFaultError(Exception):
    """The corpus could not be written: no space, no permission, no network."""

    def __init__(self, shard: str, root: str, fault: OSError) -> None:
        super().__init__(f"{cannot_write(root, fault)} [shard {shard}]")
        self.shard = shard


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePlan:
    """How shards become files.

    Attributes:
        options_digest: digest of the corpus's choices, kept in each commit.
        reject_rows: `notable`, or `all`: rows for records of other types and outside the sample, too.
        column_groups: the groups of columns that pages have besides the fixed ones.
        table: the version of the table that the extractor learned, "" if it learned none; kept in each
            commit, as is Cedar's own, `version`.
    """

    options_digest: str
    output: OutputFormat = field(default_factory=OutputFormat)
    reject_rows: str = "notable"
    column_groups: tuple[str, ...] = ()
    table: str = ""
    version: str = field(default_factory=functools.partial(version, "cedar-corpus"))


class ShardWriter:
    """The files and sums of a shard, by its name, on its way to the commit.

    The constructor, `add` and `commit` raise WriteFaultError if the corpus cannot be written.
    """

    def __init__(
        self, corpus: Corpus, plan: WritePlan, name: str, *, progress: NullProgress = NULL_PROGRESS
    ) -> None:
        self.name = name
        self._progress = progress
        self._attempt = uuid.uuid4().hex
        self._corpus = corpus
        self._lease = contextlib.ExitStack()
        try:
            self._lease.enter_context(corpus.lease(self._attempt))
        except OSError as fault:
            raise self._fault(fault) from fault
        self._plan = plan
        self._page_table = PageTable.of(plan.column_groups)
        # The text was encoded when its digest was made.
        self._check = RowCheck(self._page_table.columns, apart="text")
        self._check_reject = RowCheck(columns_of(RejectRow))
        self._writers: dict[str, RowWriter] = {}
        self._buffers = {kind: _Buffer() for kind in FILE_KINDS}
        self._page_count = 0
        self._counts = {
            name: Counter[str]() for name in ("rejected", "dropped", "judged", "masked", "blocked", "tokens")
        }
        self._html_bytes = self._html_bytes_read = self._text_bytes = 0
        self._decode = self._extract = self._filter = self._write = Cost()

    def add(self, element: ExtractedPage | Reject) -> None:
        """Take one element; full groups are written. A page that no file can hold is a reject."""
        self._progress.end_record()
        try:
            self._add(element)
        except OSError as fault:
            raise self._fault(fault) from fault
        self._progress.written(is_page=isinstance(element, ExtractedPage))

    def _add(self, element: ExtractedPage | Reject) -> None:
        values: tuple[Any, ...] = ()
        if isinstance(element, ExtractedPage):
            values = self._page_table.values(element.row, element.annotations)
            fault = self._check.fault(values)
            if fault is not None:
                element = element.rejected(Stage.WRITE, RejectReason.NOT_WRITABLE, fault)
        self._decode += element.decode
        self._extract += element.extract
        if element.filter is not NO_COST:
            self._filter += element.filter
        if isinstance(element, Reject):
            self._counts["rejected"][element.reason.value] += 1
            if element.reason is RejectReason.BLOCKED:
                self._counts["blocked"][element.detail.partition(": ")[0]] += 1
            if self._plan.reject_rows == "all" or element.reason not in _COUNTED_ONLY:
                self._put("rejects", self._reject_row(element))
            if element.revisit is not None:
                self._put("revisits", element.revisit)
            return
        if element.judged is not None:
            self._counts["judged"][element.judged] += 1
        for kind, number in element.masked:
            self._counts["masked"][kind] += number
        self._html_bytes_read += element.row.html_bytes
        if element.dropped_by is not None:
            self._counts["dropped"][element.dropped_by] += 1
            self._put("dropped", values, _chars(element))
            return
        if element.signature is not None:
            self._put("signatures", element.signature._replace(row=self._page_count))
        for name, number in element.tokens:
            self._counts["tokens"][name] += number
        self._page_count += 1
        self._html_bytes += element.row.html_bytes
        self._text_bytes += element.text_bytes
        self._put("pages", values, _chars(element))

    def _reject_row(self, reject: Reject) -> RejectRow:
        """Return the row of a reject; without the facts about its record if a column cannot hold them."""
        row = reject.row
        if self._check_reject.fault(tuple(row)) is None:
            return row
        return row._replace(
            record_id=None, payload_digest=None, fetched_at=None, status=None, media_type=None
        )

    def commit(self, end: ShardEnd) -> ShardSummary:
        """Finish the files and commit them; returns the summary that won.

        Raises StreamOrderError where the count does not balance, StaleCommitError where the commit that won
        is of the input before it changed, LostFilesError where the files of the attempt that won are gone.
        """
        try:
            with self._lease:
                try:
                    summary = self._close(end)
                except BaseException:
                    self.abandon()
                    raise
                won = commit(self._corpus, summary)
                self._progress.committed(summary.pages)
        except OSError as fault:
            raise self._fault(fault) from fault
        rejects = won.books.rejects
        event("shard done", shard=self.name, records=won.records_read, pages=won.pages, rejects=rejects)
        if won.shard.version != end.shard.version:
            raise StaleCommitError(f"{self.name} was committed meanwhile, of its input as it was before")
        return won

    def _close(self, end: ShardEnd) -> ShardSummary:
        for reason, number in end.passed.items():
            self._counts["rejected"][reason.value] += number
        dropped, rejects = self._counts["dropped"].total(), self._counts["rejected"].total()
        if end.records_read != self._page_count + dropped + rejects:
            raise StreamOrderError(
                f"{self.name}: {end.records_read} records read, but {self._page_count} pages, "
                f"{dropped} dropped pages and {rejects} rejects arrived"
            )
        for kind, buffer in self._buffers.items():
            # A shard always has a file of pages, maybe with no rows.
            if buffer.rows or kind == "pages":
                self._flush(kind)
        files = {}
        start = clock()
        for kind, writer in self._writers.items():
            files[kind] = FileSummary(writer.rows, writer.close(), self._corpus.suffix(kind))
        self._write += clock() - start
        return ShardSummary(
            shard=end.shard,
            first_offset=end.first_offset,
            next_offset=end.next_offset,
            records_read=end.records_read,
            pages=self._page_count,
            bytes={
                "in": end.bytes_in,
                "html": self._html_bytes,
                "html_read": self._html_bytes_read,
                "text": self._text_bytes,
            },
            seconds={
                **({Stage.FETCH.value: end.fetch.rounded()} if end.fetched.requests else {}),
                Stage.READ.value: end.read.rounded(),
                Stage.DECODE.value: self._decode.rounded(),
                Stage.EXTRACT.value: self._extract.rounded(),
                # A corpus that is not curated has no such stage.
                **({Stage.FILTER.value: self._filter.rounded()} if self._filter != Cost() else {}),
                Stage.WRITE.value: self._write.rounded(),
            },
            finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            attempt=self._attempt,
            files=files,
            options_digest=self._plan.options_digest,
            corpus_id=self._corpus.id,
            fetched=end.fetched,
            table=self._plan.table,
            version=self._plan.version,
            **{name: dict(sorted(counts.items())) for name, counts in self._counts.items()},
        )

    def abandon(self) -> None:
        """Close the staged files as they are and delete them, as far as that is possible."""
        with self._lease, contextlib.suppress(OSError):
            for writer in self._writers.values():
                writer.abandon()
            discard(self._corpus, self.name, self._attempt)

    def _fault(self, fault: OSError) -> WriteFaultError:
        return WriteFaultError(self.name, self._corpus.root, fault)

    def _put(self, kind: str, values: tuple[Any, ...], chars: int = 0) -> None:
        buffer = self._buffers[kind]
        buffer.rows.append(values)
        buffer.chars += chars
        output = self._plan.output
        if buffer.chars >= output.group_chars or len(buffer.rows) >= output.group_rows:
            self._flush(kind)

    def _flush(self, kind: str) -> None:
        start = clock()
        buffer = self._buffers[kind]
        writer = self._writers.get(kind)
        if writer is None:
            writer = self._writers[kind] = self._open_writer(kind)
        if buffer.rows:
            writer.write(buffer.rows)
            self._buffers[kind] = _Buffer()
        self._write += clock() - start

    def _open_writer(self, kind: str) -> RowWriter:
        record, has_own_format = FILE_KINDS[kind].record, FILE_KINDS[kind].format is not None
        columns = self._page_table.columns if record is PageRow else columns_of(record)
        output = OutputFormat(self._corpus.format_of(kind)) if has_own_format else self._plan.output
        file = self._corpus.storage.create(self._corpus.staged_path(kind, self.name, self._attempt))
        try:
            return open_writer(file, FILE_KINDS[kind].rows, columns, output=output, attempt=self._attempt)
        except BaseException:
            close_quietly(file)
            raise


def _chars(page: ExtractedPage) -> int:
    """Estimate how many characters of text a page's row has."""
    described = [record for record in page.annotations if type(record) is not Signals]  # which has no text
    strings = sum(len(value) for record in described for value in record if isinstance(value, str))
    return page.row.text_chars + len(page.row.html or "") + strings


@dataclass(slots=True)
class _Buffer:
    """Rows of one kind that wait to be written, and the characters of text in them."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    chars: int = 0


def write_shard(
    corpus: Corpus,
    plan: WritePlan,
    elements: Iterable[ExtractedPage | Reject],
    *,
    end: ShardEnd,
    progress: NullProgress = NULL_PROGRESS,
) -> ShardSummary:
    """Write and commit a shard whose elements are at hand; returns what `ShardWriter.commit` does."""
    writer = ShardWriter(corpus, plan, end.shard.name, progress=progress)
    try:
        for element in elements:
            writer.add(element)
    except BaseException:
        writer.abandon()
        raise
    return writer.commit(end)
