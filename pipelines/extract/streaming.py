"""`cedar extract` as a streaming job of Beam's: `--queue`, or `--watch` on a runner of Beam's.

The launcher keeps `run.json` up to date from the commits, and cancels the job when it is told to stop.
"""

import contextlib
import functools
import os
from datetime import UTC, datetime

import apache_beam as beam

from cedar.pipelines.beam.runners import beam_options, java_services, run_until_done
from cedar.pipelines.common.logs import cause
from cedar.pipelines.common.metrics import MetricsFile
from cedar.pipelines.common.outcome import RunStart, ShardResults, corpus_problems, finish_run, print_run_json
from cedar.pipelines.common.terminal import print_out, warn
from cedar.pipelines.extract.graph import add_steps
from cedar.pipelines.extract.job import JobPlan
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.extract.queues import KafkaQueue, read_messages
from cedar.pipelines.extract.watch import held_corpus, list_arriving
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.settle import record_books, record_run, settle
from cedar.transforms.follow import FollowFiles, ResolveNames

_POLL_SECONDS = 5.0
"""Seconds between two looks at the commits of a job that reads a queue."""

_REST_SECONDS = 30.0
"""Seconds until an input that a message names is looked at again, if it is not committed; then longer."""


def run(options: ExtractOptions) -> int:
    """Run the streaming job until it fails or is stopped; returns the exit code, or raises UsageError."""
    with StopRequest() as stop, held_corpus(options) as plan:
        corpus = plan.corpus
        beginning = RunStart.now()
        before = {summary.attempt for summary in Ledger.of(corpus).summaries()}
        fault = _fault_of(plan, options, stop)
        settled = settle(corpus)
    ours = [summary for summary in settled.summaries if summary.attempt not in before]
    results = ShardResults(
        shards=[summary.shard for summary in settled.summaries],
        remaining=[summary.shard for summary in ours],
        is_local=False,
        interrupted=stop.asked,
    )
    outcome = finish_run(beginning, results, settled.summaries)
    if ours:
        record_run(corpus, outcome)
    if options.json:
        print_run_json(outcome)
    if fault is not None:
        hidden = options.queue.hidden(fault) if isinstance(options.queue, KafkaQueue) else fault
        warn(f"the streaming job failed: {hidden}")
    warn(*corpus_problems(settled))
    if stop.asked and fault is None:
        return 130 if stop.by_sigint else 0
    return 1


def build_stream(pipeline: beam.Pipeline, plan: JobPlan, options: ExtractOptions) -> beam.PCollection:
    """Put the streaming job on a pipeline; returns the PCollection of `ShardSummary`."""
    if options.queue is not None:
        messages = read_messages(pipeline, options.queue, options.runner)
        return add_steps(shards_of(messages, plan, options), plan)
    listing = functools.partial(list_arriving, options)
    shards = pipeline | "Follow" >> FollowFiles(listing, plan.corpus, options.watch or 1.0)
    return add_steps(shards, plan)


def shards_of(messages: beam.PCollection, plan: JobPlan, options: ExtractOptions) -> beam.PCollection:
    """Return the shards of the inputs that messages name."""
    take = ResolveNames(
        plan.corpus,
        prefix=options.lines.prefix,
        directory=os.getcwd(),  # noqa: PTH109
        seconds=_REST_SECONDS,
        web=plan.read.web,
    )
    return messages | "Named" >> take


def _fault_of(plan: JobPlan, options: ExtractOptions, stop: StopRequest) -> str | None:
    """Run the job; why it ended, None if it was stopped."""
    books = BooksUpdater(plan.corpus, options)
    pipeline = beam.Pipeline(
        options=beam_options(options.runner, options.beam_arguments, streaming=bool(options.endless))
    )
    try:
        with java_services(pipeline) if options.queue else contextlib.nullcontext():
            build_stream(pipeline, plan, options)
            seconds = max(1.0, options.watch or _POLL_SECONDS)
            fault = run_until_done(pipeline, stop, on_poll=books.bring_up_to_date, seconds=seconds)
    except Exception as error:  # noqa: BLE001 - a connector is not available, for whatever reason
        return cause(error)
    return fault if fault is not None or stop.asked else "it ended by itself"


class BooksUpdater:
    """`run.json` of a corpus that others are writing."""

    def __init__(self, corpus: Corpus, options: ExtractOptions) -> None:
        self._corpus = corpus
        self._quiet = options.quiet
        self._metrics = MetricsFile(options.metrics_file)
        self._ledger = Ledger(corpus)
        self._shards = -1

    def bring_up_to_date(self) -> None:
        """Write `run.json` again if shards were committed; raises ReplacedCorpusError, OSError."""
        self._ledger.refresh()
        books = self._ledger.books
        if books.shards == self._shards:
            return
        self._shards = books.shards
        record_books(self._corpus, books)
        self._metrics.ended(None, books)
        if not self._quiet:
            now = datetime.now(UTC).strftime("%H:%M:%S")
            print_out(f"{now} {books.pages:,} pages in {books.shards:,} shards")
