"""`WriteShard`: a shard's rows into its files, and the commit."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
from apache_beam.metrics import Metrics

from transforms.corpus.commit import Corpus, commit, discard
from transforms.corpus.writers import OutputFormat, RowWriter, let_go, open_writer
from transforms.model.books import Books, Cost, RejectReason, Stage
from transforms.model.records import (
    Column,
    ExtractedPage,
    PageRow,
    Reject,
    RejectRow,
    ShardEnd,
    page_columns,
    reject_columns,
)
from transforms.model.summaries import FileSummary, ShardSummary
from transforms.model.timing import clock
from transforms.runtime.heartbeat import Board, Progress, Slot

COUNTER_NAMESPACE = "cedar"


class StreamOrderError(Exception):
    """A shard's elements did not come whole and in order: a stage was not fused, or lost something."""


class StaleCommitError(Exception):
    """A late attempt has committed the shard as the input was before it changed; try again."""


class WriteFaultError(Exception):
    """The corpus could not be written: no space, no permission, no network."""

    def __init__(self, shard: str, root: str, fault: str) -> None:
        super().__init__(f"cannot write {root}: {fault} [shard {shard}]")
        self.shard = shard


class WriteShard(beam.DoFn):
    """(ExtractedPage | Reject | ShardEnd | ShardSummary) in shard order -> ShardSummary.

    Writes `pages/` and `rejects/` files of each shard and commits them at its mark. A `ShardSummary`
    (of a shard that was committed before) passes through.

    Raises:
        StreamOrderError: an element of another shard than the open one, an element after the mark, a
            count that does not balance, or a shard still open at the end of a bundle.
        StaleCommitError: the commit that won is of the input before it changed.
        WriteFaultError: the corpus could not be written; nothing of the attempt is committed.
    """

    def __init__(
        self,
        corpus: Corpus,
        output: OutputFormat,
        options_digest: str,
        *,
        reject_rows: str = "notable",
        optional_columns: Collection[str] = (),
        heartbeat: Slot | None = None,
    ) -> None:
        self._corpus = corpus
        self._output = output
        self._options_digest = options_digest
        self._all_rejects = reject_rows == "all"
        self._optional_columns = optional_columns
        self._heartbeat = heartbeat
        self._open: _OpenShard | None = None
        self._board: Board | None = None

    def setup(self) -> None:
        """Map the board of the launcher, where there is one."""
        self._board = Board(self._heartbeat.path) if self._heartbeat else None

    def start_bundle(self) -> None:
        """Drop what a failed bundle left behind."""
        self._abandon()

    def process(self, element: Any) -> Iterator[ShardSummary]:
        """Write one element."""
        try:
            yield from self._take(element)
        except OSError as fault:
            name = element.shard if isinstance(element.shard, str) else element.shard.name
            raise WriteFaultError(name, self._corpus.root, fault.strerror or str(fault)) from fault

    def _take(self, element: Any) -> Iterator[ShardSummary]:
        if isinstance(element, ShardSummary):
            if self._open is not None:
                raise StreamOrderError(f"{element.shard.name} came while {self._open.name} was open")
            yield element
            return
        if isinstance(element, ShardEnd):
            # A shard without a single record opens and ends with its mark.
            shard = self._shard(element.shard.name)
            try:
                summary = shard.commit(element, self._options_digest)
            finally:
                self._open = None
            if summary.shard.version != element.shard.version:
                raise StaleCommitError(element.shard.name)
            _count(summary.books)
            yield summary
            return
        shard = self._shard(element.shard)
        shard.add(element)
        if self._board is not None and self._heartbeat is not None:
            is_page = isinstance(element, ExtractedPage)
            self._board.add(self._heartbeat.index, Progress(pages=int(is_page), rejects=int(not is_page)))

    def finish_bundle(self) -> None:
        """No shard may be open here: its mark was lost."""
        if self._open is not None:
            name = self._open.name
            self._abandon()
            raise StreamOrderError(f"the bundle ended before the mark of {name}")

    def teardown(self) -> None:
        """Delete what a bundle that failed has staged, and let go of the board."""
        self._abandon()
        if self._board is not None:
            self._board.close()

    def _abandon(self) -> None:
        if self._open is not None:
            self._open.abandon()
            self._open = None

    def _shard(self, name: str) -> _OpenShard:
        if self._open is None:
            columns = page_columns(self._optional_columns)
            self._open = _OpenShard(self._corpus, self._output, name, self._all_rejects, columns)
        elif self._open.name != name:
            raise StreamOrderError(f"an element of {name} came while {self._open.name} was open")
        return self._open


class _OpenShard:
    """The files and sums of a shard on its way to the commit."""

    def __init__(
        self,
        corpus: Corpus,
        output: OutputFormat,
        name: str,
        all_rejects: bool,
        columns: tuple[Column, ...],
    ) -> None:
        self.name = name
        self._attempt = uuid.uuid4().hex
        self._corpus = corpus
        self._lease = contextlib.ExitStack()
        self._lease.enter_context(corpus.lease(self._attempt))
        self._output = output
        self._all_rejects = all_rejects
        self._page_columns = columns
        self._writers: dict[str, RowWriter] = {}
        self._pages: list[PageRow] = []
        self._rejects: list[RejectRow] = []
        self._buffered = 0
        self._page_count = 0
        self._rejected: dict[str, int] = {}
        self._html_bytes = 0
        self._text_bytes = 0
        self._decode = Cost()
        self._extract = Cost()
        self._write = Cost()

    def add(self, element: ExtractedPage | Reject) -> None:
        """Take one element; full groups are written."""
        self._decode += element.decode
        self._extract += element.extract
        if isinstance(element, ExtractedPage):
            row = element.row
            self._page_count += 1
            self._html_bytes += row.html_bytes
            self._text_bytes += element.text_bytes
            self._buffered += row.text_chars + len(row.html or "")
            self._pages.append(row)
            if self._buffered >= self._output.group_bytes or len(self._pages) >= self._output.group_rows:
                self._flush("pages", self._pages)
                self._buffered = 0
        else:
            reason = element.reason.value
            self._rejected[reason] = self._rejected.get(reason, 0) + 1
            if self._all_rejects or element.reason is not RejectReason.NOT_RESPONSE:
                self._rejects.append(element.row)
                if len(self._rejects) >= self._output.group_rows:
                    self._flush("rejects", self._rejects)

    def commit(self, end: ShardEnd, options_digest: str) -> ShardSummary:
        """Finish the files and commit them; returns the summary that won.

        Raises:
            StreamOrderError: the count does not balance.
            OSError: the file system failed; what was staged is deleted.
            LostFilesError: the files of the attempt that won are gone.
        """
        with self._lease:
            try:
                summary = self._close(end, options_digest)
            except BaseException:
                self.abandon()
                raise
            return commit(self._corpus, summary)

    def _close(self, end: ShardEnd, options_digest: str) -> ShardSummary:
        rejects = sum(self._rejected.values())
        if end.records_read != self._page_count + rejects:
            raise StreamOrderError(
                f"{self.name}: {end.records_read} records read, "
                f"but {self._page_count} pages and {rejects} rejects arrived"
            )
        self._flush("pages", self._pages)
        if self._rejects:
            self._flush("rejects", self._rejects)
        files = {}
        start = clock()
        for kind, writer in self._writers.items():
            files[self._corpus.file_name(kind, self.name)] = FileSummary(writer.rows, writer.close())
        self._write += clock() - start
        return ShardSummary(
            shard=end.shard,
            first_offset=end.first_offset,
            next_offset=end.next_offset,
            records_read=end.records_read,
            pages=self._page_count,
            rejected=dict(sorted(self._rejected.items())),
            bytes={"in": end.bytes_in, "html": self._html_bytes, "text": self._text_bytes},
            seconds={
                Stage.READ.value: end.read.rounded(),
                Stage.DECODE.value: self._decode.rounded(),
                Stage.EXTRACT.value: self._extract.rounded(),
                Stage.WRITE.value: self._write.rounded(),
            },
            finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            attempt=self._attempt,
            files=files,
            options_digest=options_digest,
        )

    def abandon(self) -> None:
        """Close the staged files as they are and delete them, as far as that is possible."""
        with self._lease, contextlib.suppress(OSError):
            for writer in self._writers.values():
                writer.abandon()
            discard(self._corpus, self.name, self._attempt)

    def _flush(self, kind: str, rows: list[Any]) -> None:
        start = clock()
        writer = self._writers.get(kind)
        if writer is None:
            path = self._corpus.staged_path(kind, self.name, self._attempt)
            columns, name = (self._page_columns, "Page") if kind == "pages" else (reject_columns(), "Reject")
            file = self._corpus.storage.create(path)
            try:
                writer = open_writer(file, name, columns, self._output, self._attempt)
            except BaseException:
                let_go(file)
                raise
            self._writers[kind] = writer
        if rows:
            writer.write(rows)
            rows.clear()
        self._write += clock() - start


def _count(books: Books) -> None:
    """Mirror a shard's books in Beam's counters, for the runners' own pages."""
    Metrics.counter(COUNTER_NAMESPACE, "records-read").inc(books.records_read)
    Metrics.counter(COUNTER_NAMESPACE, "pages-written").inc(books.pages)
    for reason, number in books.rejected.items():
        Metrics.counter(COUNTER_NAMESPACE, f"rejected-{reason}").inc(number)
    for kind in ("html", "text"):
        Metrics.counter(COUNTER_NAMESPACE, f"{kind}-bytes").inc(books.bytes[kind])
    for stage in (Stage.DECODE, Stage.EXTRACT):
        milliseconds = round(books.seconds[stage.value].cpu * 1000)
        Metrics.distribution(COUNTER_NAMESPACE, f"{stage.value}-milliseconds").update(milliseconds)
