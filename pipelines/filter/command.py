"""`cedar filter`: what rules would drop of a corpus; or a corpus of what they leave."""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from dataclasses import replace

from pipelines.common.curation_options import curation_plan, model_name
from pipelines.common.errors import UsageError
from pipelines.common.messages import complain, remark, show, table_console, visible
from pipelines.common.progress import Reporter, english_presets_note, print_outcome
from pipelines.common.stopping import Stop
from pipelines.common.work_queue import WorkQueue
from pipelines.common.workers import Staff, board_for, run_workers
from pipelines.common.workspace import workspace
from pipelines.extract.identity import curation_identity
from pipelines.extract.outcome import Beginning, exit_code
from pipelines.extract.plan import claim
from pipelines.extract.settle import Failure, record_run, settle
from pipelines.filter.count import Count, count
from pipelines.filter.options import FilterOptions
from pipelines.filter.source import FilterSource
from pipelines.filter.write import FilterPlan, filter_shards, identity_of, shard_of, unfinished
from pipelines.report.scan import BrokenRowsError
from transforms.corpus.commit import Corpus, revoke
from transforms.corpus.storage import is_uri
from transforms.corpus.writers import output_format
from transforms.curation.plan import CurationPlan
from transforms.model.records import Shard
from transforms.runtime.processes import cores


def run(options: FilterOptions) -> int:
    """Run `cedar filter`; returns the exit code.

    Raises:
        UsageError: the user's input is wrong; nothing was written.
        OSError: the machine failed before anything was done.
    """
    source = FilterSource.at(options.corpus)
    curation = _plan(source, options)
    if options.dry_run:
        try:
            _print_count(count(source, curation), options.corpus)
        except BrokenRowsError as fault:
            complain(f"{options.corpus}: {fault} is gone or broken: `cedar extract` makes it anew")
            return 1
        return 0
    with workspace():
        return _write(source, curation, options)


def _plan(source: FilterSource, options: FilterOptions) -> CurationPlan:
    """What is to be done; says which columns are not there and are made of the texts.

    Raises:
        UsageError: a rule cannot be read, or the language model is not there, or is none.
    """
    choices = options.curation
    if choices.language_model is not None and "language" in source.groups:
        raise UsageError(
            f"{options.corpus} has its languages already: leave out --language and --language-model"
        )
    try:
        plan = curation_plan(choices, source.groups)
        model_name(choices)  # is it there?
    except ValueError as error:
        raise UsageError(str(error)) from error
    missing = {
        "signals": plan.signals and "signals" not in source.groups,
        "languages": plan.language_model is not None,
    }
    if not options.quiet:
        for name, is_missing in missing.items():
            if is_missing:
                remark(f"{options.corpus} has no {name}: they are made of its texts")
    return plan.filling(signals=missing["signals"])


def _print_count(found: Count, corpus: str) -> None:
    """A table of what is kept and dropped."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    dropped = found.dropped.most_common()
    rows = [("pages", found.pages), ("kept", found.kept), ("dropped", found.dropped.total())]
    for label, number in (*rows, *((f"  {rule}", number) for rule, number in dropped)):
        table.add_row(visible(label), f"{number:,}", f"{number / max(1, found.pages):.1%}")
    with table_console() as console:
        console.print(table)
    show(f"{corpus}: nothing was written")
    note = english_presets_note(found.judged)
    if note:
        complain(note)


def _write(source: FilterSource, curation: CurationPlan, options: FilterOptions) -> int:
    beginning = Beginning.now()
    plan = _filter_plan(source, curation, options)
    shards = [shard_of(source, summary) for summary in source.corpus.summaries()]
    left, stale = unfinished(plan, shards)
    for shard in stale:
        revoke(plan.target, shard.name)
    left += stale
    workers = max(1, min(options.workers or cores(), len(left)))
    with Stop() as stop:
        failures = _work(plan, left, workers, options, stop)
    settled = settle(plan.target)
    committed = {summary.shard.name: summary for summary in settled.summaries}
    failed = {failure.shard.name for failure in failures}
    ours = [committed[shard.name] for shard in left if shard.name in committed]
    outcome = replace(
        beginning.end(ours, is_local=True),
        workers=workers,
        shards=len(shards),
        done_before=len(shards) - len(left),
        failures=tuple(failures),
        missing=tuple(s.name for s in shards if s.name not in committed and s.name not in failed),
        interrupted=stop.asked,
    )
    record_run(plan.target, outcome)
    print_outcome(outcome, settled, plan.target, quiet=options.quiet, of_corpus=True)
    return exit_code(outcome, settled)


def _filter_plan(source: FilterSource, curation: CurationPlan, options: FilterOptions) -> FilterPlan:
    """What the workers need; claims the corpus that is written.

    Raises:
        UsageError: it cannot be written, or was made with other rules.
    """
    root = str(options.output)
    root = root.rstrip("/") if is_uri(root) else os.path.abspath(root)  # noqa: PTH100 - links keep their names
    if root == source.corpus.root:
        raise UsageError(f"{options.output} is the corpus that is filtered: choose another --output")
    try:
        name = options.format or source.corpus.format
        output = output_format(name, source.corpus.compression if name == source.corpus.format else None)
        identity = identity_of(source, output, curation_identity(options.curation, curation))
    except ValueError as error:
        raise UsageError(str(error)) from error
    target = Corpus(root, output.format, output.compression)
    for note in claim(target, identity, overwrite=options.overwrite):
        complain(note)
    return FilterPlan(source, target, output, curation, identity.digest)


def _work(
    plan: FilterPlan, shards: Sequence[Shard], workers: int, options: FilterOptions, stop: Stop
) -> list[Failure]:
    """Work on shards in processes of this machine; returns what failed."""
    if not shards:
        return []
    with board_for(workers, stop) as board:
        queue = WorkQueue(
            shards,
            workers,
            is_done=lambda shard: plan.target.committed(shard.name) is not None,
            is_enough=lambda: False,
        )
        with Reporter(board, sum(shard.length for shard in shards), quiet=options.quiet) as reporter:
            is_remote = is_uri(plan.target.root) or is_uri(plan.source.corpus.root)
            staff = Staff(workers, options.log_level, None if is_remote else reporter.paused)
            run_workers(queue, functools.partial(filter_shards, plan), board, staff)
    return [Failure(failed.item, failed.message) for failed in queue.failures]
