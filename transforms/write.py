"""`WriteShard`: a shard's rows into its files, and the commit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apache_beam as beam
from apache_beam.metrics import Metrics

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.shard_writer import ShardWriter, StreamOrderError, WritePlan
from cedar.transforms.model.books import Books, Stage
from cedar.transforms.model.records import ShardEnd
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.runtime.progress_file import WorkerSlot
from cedar.transforms.runtime.worker_progress import NULL_PROGRESS, NullProgress, progress_of

COUNTER_NAMESPACE = "cedar"


class WriteShard(beam.DoFn):
    """(ExtractedPage | Reject | ShardEnd | ShardSummary) in shard order -> ShardSummary.

    Writes the files of each shard, one of each of `FILE_KINDS` that has rows, and commits them at its mark. A
    `ShardSummary` (of a shard that was committed before) passes through.

    Raises:
        StreamOrderError: an element of another shard than the open one, an element after the mark, a
            count that does not balance, or a shard still open at the end of a bundle.
        StaleCommitError: the commit that won is of the input before it changed.
        WriteFaultError: the corpus could not be written; nothing of the attempt is committed.
    """

    def __init__(self, corpus: Corpus, plan: WritePlan, slot: WorkerSlot | None = None) -> None:
        self._corpus = corpus
        self._plan = plan
        self._slot = slot
        self._open: ShardWriter | None = None
        self._progress: NullProgress = NULL_PROGRESS

    def setup(self) -> None:
        """Reach the store, and the launcher's file of progress if there is one."""
        self._corpus.environment.enter()
        self._progress = progress_of(self._slot)

    def start_bundle(self) -> None:
        """Drop what a failed bundle has left."""
        self._abandon()

    def process(self, element: Any) -> Iterator[ShardSummary]:
        """Write one element."""
        if isinstance(element, ShardSummary):
            if self._open is not None:
                raise StreamOrderError(f"{element.shard.name} came while {self._open.name} was open")
            yield element
            return
        if isinstance(element, ShardEnd):
            # A shard without a single record opens and ends with its mark.
            shard = self._shard(element.shard.name)
            try:
                summary = shard.commit(element)
            finally:
                self._open = None
            _count(summary.books)
            yield summary
            return
        self._shard(element.shard).add(element)

    def finish_bundle(self) -> None:
        """Refuse a shard that is still open: its mark was lost."""
        if self._open is not None:
            name = self._open.name
            self._abandon()
            raise StreamOrderError(f"the bundle ended before the mark of {name}")

    def teardown(self) -> None:
        """Delete what a bundle that failed has staged."""
        self._abandon()
        self._progress.close()

    def _abandon(self) -> None:
        if self._open is not None:
            self._open.abandon()
            self._open = None

    def _shard(self, name: str) -> ShardWriter:
        if self._open is None:
            self._open = ShardWriter(self._corpus, self._plan, name, progress=self._progress)
        elif self._open.name != name:
            raise StreamOrderError(f"an element of {name} came while {self._open.name} was open")
        return self._open


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
