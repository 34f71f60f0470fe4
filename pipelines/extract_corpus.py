"""The main job: WARC files to a corpus of clean text.

    shards -> Reshuffle -> ReadShard -> DecodePage -> Extract -> WriteShard -> shard summaries

Only shards cross the shuffle; from reading to writing the steps are fused, and a page never leaves its
worker.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.identity import Identity
from pipelines.options import ExtractOptions, UsageError
from pipelines.progress import Reporter, print_outcome
from pipelines.settle import Failure, Run, record_run, settle
from pipelines.workers import ShardQueue, run_in_processes, run_in_this_process
from transforms.accounting import Books
from transforms.coders import InBand
from transforms.commit import Corpus, LostFilesError, publish, revoke
from transforms.decode.page import PageFilter
from transforms.decode_page import DecodePage
from transforms.extract import ExtractInBand, ExtractPlan
from transforms.guard import GuardLimits
from transforms.heartbeat import Board, Slot
from transforms.read import ReadPlan, ReadShard
from transforms.records import Shard
from transforms.shards import InputError, list_inputs, shard_inputs
from transforms.sinks import WriteShard
from transforms.summaries import ShardSummary
from transforms.warc.reader import ReadCaps
from transforms.writers import OutputFormat

_HTTP_HEADER_ROOM = 64 << 10


@dataclass(frozen=True, slots=True)
class JobPlan:
    """Everything that the graph's constructors need; pickles."""

    corpus: Corpus
    output: OutputFormat
    read: ReadPlan
    extract: ExtractPlan
    options_digest: str
    reject_rows: str


def build_graph(
    pipeline: beam.Pipeline, shards: Sequence[Shard], plan: JobPlan, heartbeat: Slot | None = None
) -> beam.PCollection:
    """Put the main job on a pipeline; returns the PCollection of `ShardSummary`."""
    return (
        pipeline
        | "Shards" >> beam.Create(shards)
        | "Spread" >> beam.Reshuffle()
        | "ReadShard" >> beam.ParDo(ReadShard(plan.corpus, plan.read, heartbeat)).with_output_types(InBand)
        | "DecodePage" >> DecodePage(plan.read.filter)
        | "Extract" >> ExtractInBand(plan.extract)
        | "WriteShard"
        >> beam.ParDo(
            WriteShard(
                plan.corpus,
                plan.output,
                plan.options_digest,
                reject_rows=plan.reject_rows,
                with_html=plan.extract.with_html,
                heartbeat=heartbeat,
            )
        ).with_output_types(ShardSummary)
    )


def run_batch(plan: JobPlan, shards: Sequence[Shard], heartbeat: Slot) -> None:
    """Run the graph over a few shards in memory, in this process."""
    # Named in full: "DirectRunner" may fetch another runner from the network.
    options = PipelineOptions(flags=[], runner="FnApiRunner", direct_running_mode="in_memory")
    with beam.Pipeline(options=options) as pipeline:
        build_graph(pipeline, shards, plan, heartbeat)


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is ready to start: its plan, all its shards, and those that are still to be done."""

    plan: JobPlan
    shards: tuple[Shard, ...]
    remaining: tuple[Shard, ...]
    pages_done: int


def prepare(options: ExtractOptions) -> Job:
    """Check everything that can be wrong with the user's input; writes `corpus.json`.

    Raises:
        UsageError: something is wrong; nothing was started.
    """
    try:
        extract = ExtractPlan.of(
            options.extractor,
            dict(options.extractor_options),
            with_html=options.with_html,
            limits=GuardLimits(options.page_timeout, options.page_memory),
        )
        output = OutputFormat(options.format, options.compression)
        output.check()
        files = list_inputs(
            options.inputs, prefix=options.prefix, lines=options.slice, exclude=options.output
        )
    except (InputError, ValueError) as error:
        raise UsageError(str(error)) from error
    identity = Identity.of(options, extract)
    plan = JobPlan(
        corpus=Corpus(options.output, options.format),
        output=output,
        read=ReadPlan(
            filter=PageFilter(
                record_types=frozenset(options.record_types),
                statuses=options.statuses,
                url_include=re.compile(options.url_include) if options.url_include else None,
                url_exclude=re.compile(options.url_exclude) if options.url_exclude else None,
                max_body=options.max_body,
            ),
            caps=ReadCaps(max_header=options.max_header, max_block=options.max_body + _HTTP_HEADER_ROOM),
            limit=options.limit,
        ),
        extract=extract,
        options_digest=identity.digest,
        reject_rows=options.reject_rows,
    )
    shards = shard_inputs(files)
    try:
        _check_output(plan.corpus)
        if options.overwrite:
            _clear(plan.corpus)
        identity.claim(plan.corpus)
        done = _done(plan.corpus, shards, refresh=options.refresh)
    except (OSError, ValueError) as fault:
        raise UsageError(f"cannot write the corpus {options.output}: {fault}") from fault
    remaining = tuple(s for s in shards if s.name not in done)
    return Job(plan, shards, remaining, sum(summary.pages for summary in done.values()))


def run(options: ExtractOptions) -> int:
    """Run `cedar extract`; returns the exit code.

    Raises:
        UsageError: the user's input is wrong; nothing was started.
    """
    started, start = datetime.now(UTC), time.perf_counter()
    job = prepare(options)
    corpus = job.plan.corpus
    before = {shard.name for shard in job.shards} - {shard.name for shard in job.remaining}
    workers = max(1, min(options.workers or _cores(), len(job.remaining))) if options.is_local else 0
    if options.is_local:
        failures, interrupted = _run_local(job, workers, options)
    else:
        failures, interrupted = _run_remote(job, options), False
    settled = settle(corpus)
    committed = {summary.shard.name: summary for summary in settled.summaries}
    ours = [committed[s.name] for s in job.remaining if s.name in committed]
    limited = options.limit is not None and job.pages_done + sum(s.pages for s in ours) >= options.limit
    failed = {failure.shard.name for failure in failures}
    missing = tuple(
        s.name for s in job.shards if s.name not in committed and s.name not in failed and not limited
    )
    outcome = Run(
        id=uuid.uuid4().hex[:8],
        started_at=started.isoformat(timespec="seconds"),
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=time.perf_counter() - start,
        workers=workers,
        shards=len(job.shards),
        done_before=len(before),
        failures=tuple(failures),
        missing=missing,
        interrupted=interrupted,
        books=Books.total(s.books for s in ours),
        out_bytes=sum(f.bytes for s in ours for f in s.files.values()),
    )
    record_run(corpus, outcome)
    print_outcome(outcome, settled, corpus, quiet=options.quiet)
    if interrupted:
        return 130
    return 1 if failures or missing or settled.broken or not settled.books.balanced else 0


def _run_local(job: Job, workers: int, options: ExtractOptions) -> tuple[list[Failure], bool]:
    if not job.remaining:
        return [], False
    with tempfile.TemporaryDirectory(prefix="cedar-") as directory:
        path = str(Path(directory) / "board")
        board = Board.create(path, workers)
        wanted = None if options.limit is None else options.limit - job.pages_done
        queue = ShardQueue(
            job.remaining,
            workers,
            is_done=lambda shard: job.plan.corpus.committed(shard.name) is not None,
            is_enough=lambda: wanted is not None and board.total().pages >= wanted,
            one_by_one=wanted is not None,
        )
        total = sum(shard.size for shard in job.remaining)
        with _stop_on_signals(board), Reporter(board, total, quiet=options.quiet):
            work = functools.partial(run_batch, job.plan)
            if workers == 1:
                run_in_this_process(queue, work, board, path)
            else:
                run_in_processes(queue, work, workers, board, path, options.log_level)
        interrupted = board.stopping
        board.close()
        return queue.failures, interrupted


def _run_remote(job: Job, options: ExtractOptions) -> list[Failure]:
    """One pipeline over all shards, on a runner of Beam's."""
    if job.remaining:
        pipeline_options = PipelineOptions([*options.beam_arguments, f"--runner={options.runner}"])
        pipeline = beam.Pipeline(options=pipeline_options)
        build_graph(pipeline, job.remaining, job.plan)
        pipeline.run().wait_until_finish()
    return []


@contextlib.contextmanager
def _stop_on_signals(board: Board) -> Iterator[None]:
    """Ctrl-C and SIGTERM ask the readers to stop; a second one ends the process at once."""

    def ask(number: int, _: object) -> None:
        if board.stopping:
            os._exit(128 + number)
        board.stop()
        print("stopping; shards that are done stay done", file=sys.stderr)  # noqa: T201

    previous = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_output(corpus: Corpus) -> None:
    """Find out whether the corpus can be written, and whether the place is free or a corpus."""
    storage = corpus.storage
    if storage.read(corpus.identity_path) is None:
        for kind in ("pages", "rejects", "shards"):
            if any(True for _ in storage.list(f"{corpus.root}/{kind}")):
                raise UsageError(f"{corpus.root} holds {kind}/ but no corpus.json: choose another --output")
    probe = f"{corpus.root}/_tmp/probe.{uuid.uuid4().hex}"
    storage.create(probe).close()
    storage.create_if_absent(probe, f"{probe}.linked")
    storage.delete(f"{probe}.linked")


def _clear(corpus: Corpus) -> None:
    """Delete a corpus: commits first, `corpus.json` last, so that a cut leaves nothing half true."""
    storage = corpus.storage
    for part in ("shards", "pages", "rejects", "runs", "_tmp"):
        for file in list(storage.list(f"{corpus.root}/{part}")):
            storage.delete(file.path)
    storage.delete(corpus.books_path)
    storage.delete(corpus.identity_path)


def _done(corpus: Corpus, shards: Sequence[Shard], *, refresh: bool) -> dict[str, ShardSummary]:
    """The shards that are committed and whole; those of inputs that changed are revoked or refused.

    Raises:
        UsageError: an input has changed, and `refresh` is off.
    """
    now = {shard.source: shard for shard in shards}
    done = {}
    changed: dict[str, list[str]] = {}
    for summary in corpus.summaries():
        shard = now.get(summary.shard.source)
        if shard is None:
            continue
        if (summary.shard.size, summary.shard.version) != (shard.size, shard.version):
            changed.setdefault(shard.source, []).append(summary.shard.name)
            continue
        try:
            publish(corpus, summary)
        except LostFilesError:
            revoke(corpus, summary.shard.name)
        else:
            done[summary.shard.name] = summary
    if changed and not refresh:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise UsageError(f"{min(changed)}{more} changed since it was read: --refresh reads it again")
    for names in changed.values():
        for name in names:
            revoke(corpus, name)
    return done
