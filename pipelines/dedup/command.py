"""`cedar dedup`: corpora in, a table of their duplicates out.

    step      a task is  module     reads                    writes
    records   a pack     clusters   corpora (`pages`)        records of texts and keys, part by part
    texts     a part     clusters   records of texts         edges between pages of one text
    keys      a part     clusters   records of keys          edges between pages of one band or URL
    clusters  all        clusters   edges                    the pages of clusters, the root of each
    members   a pack     choice     clusters, corpora        the columns that decide, part by part of clusters
    choice    a part     choice     members                  who is kept, and whom each stands for
    tables    a pack     tables     members, choice          `duplicates/` and `index/`, the books of a shard
    lines     a pack     lines      corpora, `duplicates/`   with `--lines`: records of lines, part by part
    common    a part     lines      records of lines         where lines stand that many pages have
    write     a shard    tables     corpora, `duplicates/`   a corpus of the pages that are kept, and `lines/`

A pack is shards that are worked on together; a part is the records, or the clusters, whose keys begin with
the same bits. A run that was cut short continues after the files that are there, which are whole.
"""

import functools
import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cedar.pipelines.beam.beam_arguments import store_environment
from cedar.pipelines.common.logs import LogOptions, imports_quietly
from cedar.pipelines.common.option_types import LOCAL_RUNNERS
from cedar.pipelines.common.outcome import failure_lines
from cedar.pipelines.common.terminal import info, plural, print_out, relative_path, show_rows, warn
from cedar.pipelines.dedup import choice, clusters, lines, tables
from cedar.pipelines.dedup.options import DUPLICATE_KINDS, DedupOptions
from cedar.pipelines.dedup.plan import DedupPlan, prepared, read_metadata, sweep_result
from cedar.pipelines.local.stopping import StopRequest
from cedar.pipelines.local.supervisor import LocalResult, LocalRun, run_local, workers_for
from cedar.pipelines.local.workspace import workspace
from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.errors import LostFilesError
from cedar.transforms.corpus.settle import settle
from cedar.transforms.files.storage import is_uri, writing
from cedar.transforms.model.restarts import Restart
from cedar.transforms.runtime.progress_file import ProgressFile, WorkerSlot

if TYPE_CHECKING:
    import apache_beam as beam

R = TypeVar("R")

Pipelines = Callable[[], "beam.Pipeline"]
"""Makes a pipeline on the runner that is asked for."""


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of a step.

    `number` counts parts in the steps texts, keys, choice and common, shards in write, else packs of shards.
    """

    step: str
    number: int
    length: int

    @property
    def name(self) -> str:
        """The name by which messages know it."""
        return f"{self.step} {self.number}"


def run(options: DedupOptions) -> int:
    """Run `cedar dedup`; returns the exit code. Raises UsageError before anything starts."""
    store_environment(options.beam_arguments).enter()
    with prepared(options) as plan, workspace(), StopRequest() as stop, writing(plan.root, reads=True):
        if plan.options.write:
            plan = tables.with_target(plan)
        if plan.books.exists() and (damage := _damage(plan)):
            warn(damage[0].rstrip(".") + ": the result is made again")
            plan.books.delete()
        if not plan.books.exists():
            restarts: list[Restart] = []
            failures = _work(plan, options, stop, restarts=restarts)
            warn(*failure_lines(failures))
            if stop.asked:
                return 130
            if failures:
                return 1
            if not _settle(plan, restarts):
                return 1
    if options.json:
        print_out(json.dumps({"result": plan.root, **json.loads(plan.books.read())}))
    elif not options.quiet:
        _show(plan)
    return 0


def _damage(plan: DedupPlan) -> list[str]:
    """Delete the broken files of a finished result; return a line for each. Raises OSError."""
    found = []
    kinds = ("duplicates", "index", "lines") if plan.options.lines else ("duplicates", "index")
    for shard in plan.inputs.new:
        for path in (plan.table(kind, shard) for kind in kinds):
            try:
                read_metadata(path)
            except (FileNotFoundError, LostFilesError) as fault:
                found.append(f"{path} is gone" if isinstance(fault, FileNotFoundError) else str(fault))
                path.delete()
                # The table of duplicates says that its index is written, too.
                plan.table("duplicates", shard).delete()
    if plan.options.write:
        corpus, _ = tables.target_of(plan)
        settled = settle(corpus)
        found += settled.broken.values()
        revoke(corpus, *settled.broken)
        names = {
            tables.shard_name(plan.inputs.origins[shard.origin_number], shard) for shard in plan.inputs.new
        }
        lost = names - {s.shard.name for s in settled.summaries} - settled.broken.keys()
        found += [f"{corpus.commit_path(name)} is gone" for name in sorted(lost)]
    return found


def do(plan: DedupPlan, tasks: Sequence[Task], slot: WorkerSlot) -> None:
    """Do some tasks of a plan, in this process; LostFilesError where an input's file is gone."""
    for task in tasks:
        if not _is_done(plan, task):
            with writing(plan.root, reads=True):
                _STEPS[task.step].work(plan, task.number, slot)


def _work(plan: DedupPlan, options: DedupOptions, stop: StopRequest, *, restarts: list[Restart]) -> list[str]:
    """Do all that is left to do; returns what failed, and adds the restarts of workers."""
    start = time.perf_counter()
    pipelines = _pipelines(options)
    for step, tasks in _steps(plan):
        left = [task for task in tasks if not _is_done(plan, task)]
        if pipelines is None or step == "clusters":
            result = _work_here(plan, left, options, stop=stop)
            restarts += result.restarts
            failures = [f"{task.step}: {why}" for task, why in result.failures]
        else:
            failures = _work_remote(plan, step, left, pipelines=pipelines, stop=stop)
        if failures or stop.asked:
            return failures
        if not options.quiet:
            before = len(tasks) - len(left)
            resumed = f" ({before:,} of {len(tasks):,} parts before this run)" if before else ""
            info(f"{_STEPS[step].said}{resumed}, {time.perf_counter() - start:,.1f} s")
    return []


def _work_here(
    plan: DedupPlan, tasks: Sequence[Task], options: DedupOptions, *, stop: StopRequest
) -> LocalResult[Task]:
    how = LocalRun(
        work=functools.partial(do, plan),
        is_done=functools.partial(_is_done, plan),
        workers=workers_for(tasks, options.workers),
        log=LogOptions(options.log_level, options.log_format),
        quiet=True,
        noun="step",
        may_fork=not any(map(is_uri, (plan.root, *(origin.root for origin in plan.inputs.origins)))),
    )
    return run_local(how, tasks, stop)


def _pipelines(options: DedupOptions) -> Pipelines | None:
    """Return what makes pipelines on a runner of Beam's; None where the work is done here, without Beam."""
    if options.runner in LOCAL_RUNNERS:
        return None
    with imports_quietly(LogOptions(options.log_level, options.log_format)):
        from cedar.pipelines.beam.runners import pipeline_factory

    return pipeline_factory(options.runner, options.beam_arguments)


def _work_remote(
    plan: DedupPlan, step: str, left: Sequence[Task], *, pipelines: Pipelines, stop: StopRequest
) -> list[str]:
    """Do a step by a job on a runner of Beam's; what it writes is looked for, not what the runner says.

    Records go to their part by a GroupByKey, and not by files.
    """
    import apache_beam as beam

    from cedar.pipelines.beam.runners import run_until_done
    from cedar.transforms.dedup import GroupRecords, do_tasks

    if step == "records":
        names = [clusters.part_name(kind, part) for kind in clusters.WIDTHS for part in range(1 << plan.bits)]
        if all(plan.work("edges", name).exists() for name in names):
            return []
        numbers = [shard.number for shard in plan.inputs.shards]
        make = functools.partial(_elsewhere, clusters.records_by_part, plan)
        finish = functools.partial(_elsewhere, clusters.finish, plan)
        work: beam.PTransform = GroupRecords(make, names, finish)
    elif left:
        numbers = [task.number for task in left]
        work = do_tasks(functools.partial(_elsewhere, do_one, plan, step))
    else:
        return []
    pipeline = pipelines()
    _ = pipeline | "Numbers" >> beam.Create(numbers) | work
    fault = run_until_done(pipeline, stop)
    return [] if fault is None else [f"{step}: {fault}"]


def _elsewhere(work: Callable[..., R], plan: DedupPlan, *more: object) -> R:
    """Work on a plan in a process that only the plan's choices tell how to reach the stores."""
    store_environment(plan.options.beam_arguments).enter()
    return work(plan, *more)


def do_one(plan: DedupPlan, step: str, number: int) -> None:
    """Do a task of a step, where a runner has put it."""
    with tempfile.TemporaryDirectory() as directory:
        progress_file = ProgressFile.create(str(Path(directory) / "progress_file"), 1)
        do(plan, [Task(step, number, 0)], WorkerSlot(progress_file.path, 0))
        progress_file.close()


def _steps(plan: DedupPlan) -> Iterator[tuple[str, list[Task]]]:
    """The steps in their order, and the tasks of each; who asks for the next one has done those before."""
    left_out = set() if plan.options.write else {"write"}
    if not plan.options.lines:
        left_out |= {"lines", "common"}
    for step in _STEPS:
        if step not in left_out:
            yield step, _tasks(plan, step)


def _part_bytes(plan: DedupPlan) -> int:
    return plan.options.record_bytes * plan.inputs.pages >> plan.bits


def _tasks(plan: DedupPlan, step: str) -> list[Task]:
    if step == "clusters":
        return [Task(step, 0, 1)]
    if step in ("texts", "keys", "choice", "common"):
        return [Task(step, part, _part_bytes(plan)) for part in range(1 << plan.bits)]
    if step == "write":
        return [Task(step, shard.number, shard.bytes) for shard in plan.inputs.new]
    packs = (pack for pack in plan.packs if step not in ("tables", "lines") or not pack.is_old)
    return [Task(step, pack.number, sum(shard.bytes for shard in pack.shards)) for pack in packs]


def _is_done(plan: DedupPlan, task: Task) -> bool:
    return _STEPS[task.step].is_done(plan, task.number)


@dataclass(frozen=True, slots=True)
class Step:
    """A step: the line that is logged after it; how to do a task by its number; whether the task is done."""

    said: str
    work: Callable[[DedupPlan, int, WorkerSlot], None]
    is_done: Callable[[DedupPlan, int], bool]


_STEPS = {
    "records": Step(
        "signatures read",
        lambda plan, n, _: clusters.write_records(plan, n),
        lambda plan, n: all(plan.work(kind, n).exists() for kind in clusters.WIDTHS),
    ),
    "texts": Step(
        "same texts found",
        lambda plan, n, _: clusters.write_edges(plan, "texts", n),
        lambda plan, n: plan.work("edges", clusters.part_name("texts", n)).exists(),
    ),
    "keys": Step(
        "similar texts, or same URLs, found",
        lambda plan, n, _: clusters.write_edges(plan, "keys", n),
        lambda plan, n: plan.work("edges", clusters.part_name("keys", n)).exists(),
    ),
    "clusters": Step(
        "clusters made",
        lambda plan, _number, _: clusters.write_clusters(plan),
        lambda plan, _: plan.work("clusters", "done").exists(),
    ),
    "members": Step(
        "members of clusters looked up",
        lambda plan, n, _: choice.write_members(plan, n),
        lambda plan, n: plan.work("members", n).exists(),
    ),
    "choice": Step(
        "the page to keep of each cluster chosen",
        lambda plan, n, _: choice.write_choice(plan, n),
        lambda plan, n: plan.work("kept", n).exists(),
    ),
    "tables": Step(
        "tables of duplicates written",
        lambda plan, n, _: tables.write_tables(plan, n),
        lambda plan, n: all(plan.table("duplicates", shard).exists() for shard in plan.packs[n].shards),
    ),
    "lines": Step(
        "lines read",
        lambda plan, n, _: lines.write_line_records(plan, n),
        lambda plan, n: plan.work("lines", n).exists(),
    ),
    "common": Step(
        "lines on many pages found",
        lambda plan, n, _: lines.write_common_lines(plan, n),
        lambda plan, n: plan.work("common", n).exists(),
    ),
    "write": Step("pages that are kept written", tables.write_kept, tables.is_written),
}
"""The steps in their order; each begins when the one before it is done."""


def _settle(plan: DedupPlan, restarts: Sequence[Restart]) -> bool:
    """Write `run.json` from the tables alone, and clear up; whether the books balance."""
    tallies = [tables.tally_of(plan, shard) for shard in plan.inputs.new]
    total = {name: sum(tally[name] for tally in tallies) for name in tables.LABELS}
    bridges = sum(choice.bridges_of(plan, part) for part in range(1 << plan.bits))
    pages = total["pages"]
    balanced = sum(total.values()) - pages == pages == sum(shard.pages for shard in plan.inputs.new)
    of_lines: Counter[str] = Counter()
    if plan.options.lines:
        for shard in plan.inputs.new:
            of_lines.update(lines.tally_of(plan, shard))
    if plan.options.write:
        corpus, _ = tables.target_of(plan)
        books = settle(corpus).books
        written = pages - sum(map(total.__getitem__, DUPLICATE_KINDS)) - of_lines["dropped"]
        balanced = balanced and books.balanced and books.pages == written
    if not balanced:
        warn(f"the books of {plan.root} do not balance: {total}")
        return False
    restarts_json = [restart.to_json() for restart in restarts]
    content = {**total, "bridges": bridges, "balanced": True, "restarts": restarts_json}
    if plan.options.lines:
        content["lines"] = of_lines
    plan.books.write(json.dumps(content, indent=1).encode())
    sweep_result(plan.root)
    return True


def _show(plan: DedupPlan) -> None:
    books = json.loads(plan.books.read())
    root = relative_path(plan.root)
    after = [f"{root}/duplicates: of each page of a cluster, which page is kept"]
    if plan.options.write:
        dropped = books["lines"]["dropped"] if plan.options.lines else 0
        kept = plural(books["alone"] + books["kept"] - dropped, "page")
        after.append(f"{root}/corpus: the {kept} that {'is' if kept == '1 page' else 'are'} kept")
    rows = []
    for name, label in tables.LABELS.items():
        if books[name] or name in ("pages", "alone", "kept"):
            prefix = "" if name == "pages" else "  duplicates: " if name in DUPLICATE_KINDS else "  "
            rows.append((f"{prefix}{label}", f"{books[name]:,}"))
    for name, number in books.get("lines", {}).items():
        rows.append((lines.LABELS[name], f"{number:,}"))
    if books["bridges"]:
        rows.append(("bridges between earlier clusters", f"{books['bridges']:,}"))
    if books.get("restarts"):
        rows.append(("workers restarted", f"{len(books['restarts']):,}"))
    show_rows(rows, after=after)
