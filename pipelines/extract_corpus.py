"""The main job: WARC files to a corpus of clean text.

    shards -> Reshuffle -> ReadShard -> DecodePage -> Extract -> WriteShard -> shard summaries

Only shards cross the shuffle; from reading to writing the steps are fused, and a page never leaves its
worker.
"""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import apache_beam as beam
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from pipelines.job import Job, JobPlan, prepare
from pipelines.options import ExtractOptions
from pipelines.progress import Reporter, print_outcome
from pipelines.settle import Failure, Run, record_run, settle
from pipelines.workers import ShardQueue, run_in_processes, run_in_this_process
from transforms.accounting import Books
from transforms.chain import torn_shards
from transforms.coders import InBand
from transforms.commit import revoke
from transforms.decode_page import DecodePage
from transforms.extract import ExtractInBand
from transforms.heartbeat import Board, Slot
from transforms.read import ReadShard
from transforms.records import Shard
from transforms.sinks import WriteShard
from transforms.summaries import ShardSummary


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
    options = PipelineOptions(
        flags=list(plan.beam_arguments), runner="FnApiRunner", direct_running_mode="in_memory"
    )
    with beam.Pipeline(options=options) as pipeline:
        build_graph(pipeline, shards, plan, heartbeat)


def run(options: ExtractOptions) -> int:
    """Run `cedar extract`; returns the exit code.

    Raises:
        UsageError: the user's input is wrong; nothing was started.
    """
    started, start, cpu_start = datetime.now(UTC), time.perf_counter(), _cpu_seconds()
    # Inputs are listed and commits looked at before there is a pipeline to say this.
    FileSystems.set_options(PipelineOptions(list(options.beam_arguments)))
    job = prepare(options)
    corpus = job.plan.corpus
    workers = max(1, min(options.workers or _cores(), len(job.remaining))) if options.is_local else 0
    work = _work_local if options.is_local else _work_remote
    failures, interrupted = work(job, job.remaining, workers, options)
    repaired: set[str] = set()
    while options.limit is None and not interrupted and (torn := torn_shards(corpus, job.shards)):
        again = {f"{shard.name} from {shard.read_from}" for shard in torn}
        if again <= repaired:
            failures += [Failure(shard, f"{shard.source}: cannot be cut at {shard.start}") for shard in torn]
            break
        repaired |= again
        for shard in torn:
            revoke(corpus, shard.name)
        more, interrupted = work(job, torn, workers, options)
        failures += more
    settled = settle(corpus)
    committed = {summary.shard.name: summary for summary in settled.summaries}
    names_before = {shard.name for shard in job.shards} - {shard.name for shard in job.remaining}
    names_repaired = {name.partition(" ")[0] for name in repaired}
    ours = [
        committed[s.name]
        for s in job.shards
        if s.name in committed and (s.name not in names_before or s.name in names_repaired)
    ]
    limited = options.limit is not None and job.pages_done + sum(s.pages for s in ours) >= options.limit
    failed = {failure.shard.name for failure in failures}
    outcome = Run(
        id=uuid.uuid4().hex[:8],
        started_at=started.isoformat(timespec="seconds"),
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=time.perf_counter() - start,
        workers=workers,
        shards=len(job.shards),
        done_before=len(names_before),
        repaired=len(names_repaired),
        failures=tuple(failures),
        missing=tuple(
            s.name for s in job.shards if s.name not in committed and s.name not in failed and not limited
        ),
        interrupted=interrupted,
        books=Books.total(s.books for s in ours),
        out_bytes=sum(f.bytes for s in ours for f in s.files.values()),
        cpu_seconds=_cpu_seconds() - cpu_start if options.is_local else None,
    )
    record_run(corpus, outcome)
    print_outcome(outcome, settled, corpus, quiet=options.quiet)
    if interrupted:
        return 130
    return 1 if failures or outcome.missing or settled.broken or not settled.books.balanced else 0


def _work_local(
    job: Job, shards: Sequence[Shard], workers: int, options: ExtractOptions
) -> tuple[list[Failure], bool]:
    """Work on shards in processes of this machine; returns what failed, and whether the user stopped it."""
    if not shards:
        return [], False
    with tempfile.TemporaryDirectory(prefix="cedar-") as directory:
        path = str(Path(directory) / "board")
        board = Board.create(path, workers)
        wanted = None if options.limit is None else options.limit - job.pages_done
        queue = ShardQueue(
            shards,
            workers,
            is_done=lambda shard: job.plan.corpus.committed(shard.name) is not None,
            is_enough=lambda: wanted is not None and board.total().pages >= wanted,
            one_by_one=wanted is not None,
        )
        total = sum(shard.length for shard in shards)
        with _stop_on_signals(board), Reporter(board, total, quiet=options.quiet):
            work = functools.partial(run_batch, job.plan)
            if workers == 1:
                run_in_this_process(queue, work, board, path)
            else:
                run_in_processes(queue, work, workers, board, path, options.log_level)
        interrupted = board.stopping
        board.close()
        return queue.failures, interrupted


def _work_remote(
    job: Job, shards: Sequence[Shard], _: int, options: ExtractOptions
) -> tuple[list[Failure], bool]:
    """Work on shards in one pipeline on a runner of Beam's."""
    if shards:
        pipeline_options = PipelineOptions([*options.beam_arguments, f"--runner={options.runner}"])
        pipeline = beam.Pipeline(options=pipeline_options)
        build_graph(pipeline, shards, job.plan)
        pipeline.run().wait_until_finish()
    return [], False


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


def _cpu_seconds() -> float:
    """CPU time so far of this process and of its children that have ended, and theirs."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
