"""`cedar extract --watch` or `--queue` on a runner of Beam's: one streaming job into the same corpus.

The launcher keeps `run.json` up to date from the commits, and cancels the job when it is told to stop.
"""

from __future__ import annotations

import contextlib
import functools
import os
from datetime import UTC, datetime

import apache_beam as beam

from pipelines.beam.runners import beam_options, connectors, run_to_its_end
from pipelines.common.logs import cause
from pipelines.common.messages import complain, show
from pipelines.common.metrics import MetricsFile
from pipelines.common.outcome import Beginning, corpus_troubles, show_run
from pipelines.extract.graph import work_on
from pipelines.extract.options import ExtractOptions
from pipelines.extract.plan import JobPlan
from pipelines.extract.queues import KafkaQueue, read_messages
from pipelines.extract.watch import begin_following, list_arriving
from pipelines.local.stopping import Stop
from transforms.corpus.commit import Corpus
from transforms.corpus.ledger import Ledger
from transforms.corpus.settle import record_books, record_run, settle
from transforms.follow import FollowFiles
from transforms.queue_names import TakeNamed

_LOOK_SECONDS = 5.0
"""How often the launcher looks at the commits of a job that reads a queue."""

_WHOLE_LOOKS = 32
"""One look of this many also finds commits that were made again under their names meanwhile."""

_REST_SECONDS = 30.0


def run(options: ExtractOptions) -> int:
    """Run the streaming job until it fails or is stopped; returns the exit code, or raises UsageError."""
    with Stop() as stop:
        plan = begin_following(options)
        corpus = plan.corpus
        beginning = Beginning.now()
        before = {summary.attempt for summary in Ledger.of(corpus).summaries()}
        fault = _run_stream(plan, options, stop)
        settled = settle(corpus)
    ours = [summary for summary in settled.summaries if summary.attempt not in before]
    outcome = beginning.end(
        ours, is_local=False, shards=len(settled.summaries), done_before=len(before), interrupted=stop.asked
    )
    if ours:
        record_run(corpus, outcome)
    if options.json:
        show_run(outcome)
    if fault is not None:
        hidden = options.queue.hidden(fault) if isinstance(options.queue, KafkaQueue) else fault
        complain(f"the streaming job failed: {hidden}")
    for line in corpus_troubles(settled):
        complain(line)
    if stop.asked and fault is None:
        return 130 if stop.by_key else 0
    return 1


def build_stream(pipeline: beam.Pipeline, plan: JobPlan, options: ExtractOptions) -> beam.PCollection:
    """Put the streaming job on a pipeline; returns the PCollection of `ShardSummary`."""
    if options.queue is not None:
        messages = read_messages(pipeline, options.queue, options.runner)
        return work_on(shards_of(messages, plan, options), plan)
    listing = functools.partial(list_arriving, options)
    shards = pipeline | "Follow" >> FollowFiles(listing, plan.corpus, options.watch or 1.0)
    return work_on(shards, plan)


def shards_of(messages: beam.PCollection, plan: JobPlan, options: ExtractOptions) -> beam.PCollection:
    """Return the shards of the inputs that messages name."""
    take = TakeNamed(
        plan.corpus,
        prefix=options.lines.prefix,
        directory=os.getcwd(),  # noqa: PTH109
        seconds=_REST_SECONDS,
        web=plan.read.web,
    )
    return messages | "Named" >> take


def _run_stream(plan: JobPlan, options: ExtractOptions, stop: Stop) -> str | None:
    """Run the job; why it ended, None if it was stopped."""
    books = _Books(plan.corpus, options)
    pipeline = beam.Pipeline(
        options=beam_options(options.runner, options.beam_arguments, streaming=bool(options.endless))
    )
    try:
        with connectors(pipeline) if options.queue else contextlib.nullcontext():
            build_stream(pipeline, plan, options)
            seconds = max(1.0, options.watch or _LOOK_SECONDS)
            fault = run_to_its_end(pipeline, stop, look=books.bring_up_to_date, seconds=seconds)
    except Exception as error:  # noqa: BLE001 - a connector is not available, for whatever reason
        return cause(error)
    return fault if fault is not None or stop.asked else "it ended by itself"


class _Books:
    """`run.json` of a corpus that others are writing."""

    def __init__(self, corpus: Corpus, options: ExtractOptions) -> None:
        self._corpus = corpus
        self._quiet = options.quiet
        self._metrics = MetricsFile(options.metrics_file)
        self._ledger = Ledger(corpus)
        self._looks = 0
        self._shards = -1

    def bring_up_to_date(self) -> None:
        self._looks += 1
        self._ledger.refresh(by_name=self._looks % _WHOLE_LOOKS > 0)
        books = self._ledger.books
        if books.shards == self._shards:
            return
        self._shards = books.shards
        record_books(self._corpus, books)
        self._metrics.ended(None, books)
        if not self._quiet:
            now = datetime.now(UTC).strftime("%H:%M:%S")
            show(f"{now} {books.pages:,} pages in {books.shards:,} shards")
