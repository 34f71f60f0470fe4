"""The main job: WARC files to a corpus of clean text.

    shards -> Reshuffle -> ReadShard -> DecodePage -> Extract -> Curate -> WriteShard -> shard summaries

Only shards cross the shuffle; from reading to writing the steps are fused, and a page never leaves its
worker.
"""

import functools
import pickle
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from cedar.pipelines.beam.runners import beam_options, is_written_down, run_until_done, write_down
from cedar.pipelines.common.logs import LogOptions
from cedar.pipelines.common.metrics import MetricsFile
from cedar.pipelines.common.outcome import RunStart, ShardResults, close_run
from cedar.pipelines.common.terminal import info, plural, relative_path, shell_command, warn
from cedar.pipelines.extract.job import Job, JobPlan
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.local.progress import progress_line
from cedar.pipelines.local.stopping import StopRequest
from cedar.pipelines.local.supervisor import LocalRun, run_local, workers_for
from cedar.transforms.coders import StreamElement
from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.settle import Failure, Inventory
from cedar.transforms.corpus.unread import misaligned_shards
from cedar.transforms.curate import Curate
from cedar.transforms.decode_page import DecodePage
from cedar.transforms.extract import ExtractPages
from cedar.transforms.files.storage import is_uri
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Shard
from cedar.transforms.model.restarts import Restart
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.read import ReadShard
from cedar.transforms.runtime.progress_file import Progress, WorkerSlot
from cedar.transforms.write import WriteShard

_SHARDS_PER_PACK = 1000
"""Shards that a graph holds as one element, compressed: runners have a limit for the size of a graph."""

_MAX_NAMED_INPUTS = 10
"""Inputs that a note names."""


def build_graph(pipeline: beam.Pipeline, shards: Sequence[Shard], plan: JobPlan) -> beam.PCollection:
    """Put the main job on a pipeline; returns the PCollection of `ShardSummary`."""
    firsts = range(0, len(shards), _SHARDS_PER_PACK)
    packs = [zlib.compress(pickle.dumps(list(shards[first : first + _SHARDS_PER_PACK]))) for first in firsts]
    listed = pipeline | "Packs" >> beam.Create(packs).with_output_types(bytes)
    unpacked = beam.FlatMap(lambda pack: pickle.loads(zlib.decompress(pack)))  # noqa: S301 - from the launcher
    return add_steps(listed | "Shards" >> unpacked.with_output_types(Shard), plan)


def add_steps(shards: beam.PCollection, plan: JobPlan) -> beam.PCollection:
    """Put the main job on shards, bounded or not; returns the PCollection of `ShardSummary`."""
    return _steps(shards | "Spread" >> beam.Reshuffle(), plan)


def _steps(shards: beam.PCollection, plan: JobPlan, slot: WorkerSlot | None = None) -> beam.PCollection:
    """Apply the steps from reading to writing to shards, without a shuffle."""
    singly = slot is not None and slot.singly
    return (
        shards
        | "ReadShard" >> beam.ParDo(ReadShard(plan.corpus, plan.read, slot)).with_output_types(StreamElement)
        | "DecodePage" >> DecodePage(plan.read.filter, max_body=plan.read.max_body)
        | "Extract" >> ExtractPages(plan.extract, singly=singly)
        | "Curate" >> Curate(plan.curation, plan.extract.limits.cpu_seconds, singly=singly)
        | "WriteShard"
        >> beam.ParDo(WriteShard(plan.corpus, plan.write, slot)).with_output_types(ShardSummary)
    )


def run_batch(plan: JobPlan, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Run the graph over a few shards in memory, in this process: without the shuffle, in half the time."""
    options = PipelineOptions(flags=list(plan.beam_arguments), direct_running_mode="in_memory")
    # Not by name: "DirectRunner" may fetch another runner from the network.
    with beam.Pipeline(FnApiRunner(), options) as pipeline:
        handed_out = beam.FlatMap(lambda _, given=tuple(shards): given).with_output_types(Shard)
        _steps(pipeline | beam.Impulse() | "Shards" >> handed_out, plan, slot)


def run(options: ExtractOptions, job: Job, beginning: RunStart) -> int:
    """Run a job that began with its preparation; returns the exit code."""
    if is_written_down(options.beam_arguments):
        # After the later run `cedar check --repair` closes the books.
        pipeline = beam.Pipeline(options=beam_options(options.runner, options.beam_arguments))
        build_graph(pipeline, job.remaining, job.plan)
        write_down(pipeline)
        return 0
    corpus = job.plan.corpus
    warn(*job.notes)
    info(*job.outline)
    with StopRequest() as stop:
        results = run_shards(job, options, stop)
    unchanged = not (job.remaining or results.repaired)
    code = close_run(
        corpus,
        beginning,
        results,
        options=options,
        inventory=job.inventory if unchanged and job.inventory else Inventory.of(job.ledger),
        metrics=MetricsFile(options.metrics_file),
    )
    note, is_empty = _empty_inputs(() if options.is_selection else job.ledger.summaries())
    if not (is_empty and options.allow_empty):
        warn(note)
    if not options.quiet:
        info(*_revisits_note(corpus.root, job.ledger.summaries()))
    return code or int(is_empty and not options.allow_empty)


def run_shards(job: Job, options: ExtractOptions, stop: StopRequest) -> ShardResults:
    """Work on a job's remaining shards, and again on shards that turn out to begin at a wrong place."""
    work = _work_local if options.is_local else _work_remote
    failures, restarts = work(job, job.remaining, options, stop=stop)
    if job.remaining:
        job.ledger.forget(shard.name for shard in job.remaining)
        job.ledger.refresh()
    repaired: set[tuple[str, int | None]] = set()  # the names of shards, and the bytes they were read from
    again: set[tuple[str, int | None]] = set()
    while options.limit is None and not stop.asked and (torn := misaligned_shards(job.ledger, job.shards)):
        before, again = again, {(shard.name, shard.read_from) for shard in torn}
        if again <= before:
            failures += [
                Failure(shard, f"{shard.source}: cannot be split at byte {shard.start}") for shard in torn
            ]
            break
        repaired |= again
        revoke(job.plan.corpus, *(shard.name for shard in torn))
        more_failures, more_restarts = work(job, torn, options, stop=stop)
        failures, restarts = failures + more_failures, restarts + more_restarts
        job.ledger.forget(shard.name for shard in torn)
        job.ledger.refresh()
    return ShardResults(
        shards=job.shards,
        remaining=job.remaining,
        workers=workers_for(job.remaining, options.workers) if options.is_local else 0,
        failures=failures,
        restarts=restarts,
        repaired=frozenset(name for name, _ in repaired),
        interrupted=stop.asked,
        is_local=options.is_local,
        limit=options.limit,
        listings=job.listings,
        asked=job.asked,
    )


Worked = tuple[list[Failure], tuple[Restart, ...]]
"""The shards that failed, and the restarts of local workers."""


def _work_local(job: Job, shards: Sequence[Shard], options: ExtractOptions, *, stop: StopRequest) -> Worked:
    """Work on shards in processes of this machine."""
    how = LocalRun(
        work=functools.partial(run_batch, job.plan),
        is_done=job.plan.corpus.is_done,
        workers=workers_for(job.remaining, options.workers),
        log=LogOptions(options.log_level, options.log_format),
        quiet=options.quiet,
        may_fork=not any(map(is_uri, (job.plan.corpus.root, *(shard.source for shard in shards)))),
        max_pages=None if options.limit is None else options.limit - job.pages_done,
        record_seconds=job.plan.extract.wall_seconds,
        isolated=job.plan.extract.is_loose or bool(job.plan.curation.own),
        batches_pages=job.plan.extract.is_annotated or job.plan.curation.is_on,
        metrics=MetricsFile(options.metrics_file),
    )
    result = run_local(how, shards, stop)
    return [Failure(*failed) for failed in result.failures], result.restarts


def _work_remote(job: Job, shards: Sequence[Shard], options: ExtractOptions, *, stop: StopRequest) -> Worked:
    """Work on shards in one pipeline on a runner of Beam's."""
    if not shards:
        return [], ()
    pipeline = beam.Pipeline(options=beam_options(options.runner, options.beam_arguments))
    build_graph(pipeline, shards, job.plan)
    start = time.monotonic()

    def tell() -> None:
        job.plan.corpus.refuse_replaced()
        if options.quiet:
            return
        job.ledger.refresh()
        info(commits_line(job.ledger, shards, time.monotonic() - start))

    fault = run_until_done(pipeline, stop, on_poll=tell)
    if fault is None:
        return [], ()
    job.ledger.refresh()
    left = [shard for shard in shards if job.ledger.summary_of(shard.name) is None]
    # The fault names its shard where it can; the others were not done, but did not fail.
    named = [shard for shard in left if f"[shard {shard.name}]" in fault]
    return [Failure(shard, fault) for shard in named or left], ()


def commits_line(ledger: Ledger, shards: Sequence[Shard], seconds: float) -> str:
    """Return how far a job elsewhere is, by its commits: runners tell little of a bundle that is at work."""
    done = [summary for shard in shards if (summary := ledger.summary_of(shard.name)) is not None]
    sums = Progress(
        pages=sum(one.pages_made for one in done), rejects=sum(sum(one.rejected.values()) for one in done)
    )
    line = progress_line(sums, len(done) / len(shards), seconds)
    return f"{len(done):,} of {plural(len(shards), 'shard')}, {line}"


def _revisits_note(root: str, summaries: Iterable[ShardSummary]) -> list[str]:
    """Return a line that says how many revisits there are, and what finds their pages; none without any."""
    number = sum(summary.files["revisits"].rows for summary in summaries if "revisits" in summary.files)
    if not number:
        return []
    command = shell_command(["cedar", "revisits", relative_path(root), "--output", "revisits.parquet"])
    return [f"{plural(number, 'revisit')} of earlier captures: {command} finds these"]


def _empty_inputs(summaries: Iterable[ShardSummary]) -> tuple[str, bool]:
    """Return a line that names the inputs without a record, "" if all have one; and whether none has.

    Damaged stretches are not records; how many there are is said where no record is.
    """
    headers: Counter[str] = Counter()
    damaged: Counter[str] = Counter()
    for summary in summaries:
        source, books = summary.shard.source, summary.books
        headers[source] += books.headers
        damaged[source] += books.rejects - books.rejected.get(RejectReason.NOT_AN_ARCHIVE, 0)
    empty = [source for source, count in headers.items() if not count]
    if not empty:
        return "", False
    first = empty[:_MAX_NAMED_INPUTS]
    named = ", ".join(f"{one} ({damaged[one]:,} damaged)" if damaged[one] else one for one in first)
    named += ", ..." if len(empty) > _MAX_NAMED_INPUTS else ""
    if len(empty) < len(headers):
        return f"{len(empty)} of {len(headers)} inputs have no record: {named}", False
    if damaged.total():
        return f"no whole record in any input: {named}; rejects/ says why", True
    hint = "rejects/ says why; a page of HTML: name it .html, or cedar text PAGE; else --allow-empty"
    return f"no record in any input: {named} ({hint})", True
