"""The steps on a runner of Beam's: the same functions, with shards, parts and blobs as elements.

Its workers see the corpora and the directory of the result. The steps are those of a local run, but that
records go to their part by a GroupByKey, and not by files; the clusters are made in the launcher.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence

import apache_beam as beam
import numpy as np

from pipelines.beam.runners import run_to_its_end
from pipelines.dedup.edges import WIDTHS, part_name, records_of, write_edges_of
from pipelines.dedup.plan import Plan
from pipelines.local.stopping import Stop
from transforms.curation.duplicates import Words
from transforms.dedup import DoTasks, GroupRecords

Pipelines = Callable[[], beam.Pipeline]
"""Makes a pipeline on the runner that is asked for."""


def group_records(plan: Plan, pipelines: Pipelines, stop: Stop) -> str | None:
    """Write the edges of all parts by one job; returns why it failed, or None."""
    names = [part_name(kind, part) for kind in WIDTHS for part in range(1 << plan.bits)]
    if all(plan.work("edges", name).exists() for name in names):
        return None
    pipeline = pipelines()
    numbers = [unit.number for unit in plan.inputs.units]
    group = GroupRecords(functools.partial(_records, plan), names, functools.partial(_finish, plan))
    _ = pipeline | "Shards" >> beam.Create(numbers) | group
    return run_to_its_end(pipeline, stop)


def do_tasks(
    work: Callable[[int], None], numbers: Sequence[int], pipelines: Pipelines, stop: Stop
) -> str | None:
    """Do tasks by one job; returns why it failed, or None."""
    pipeline = pipelines()
    _ = pipeline | "Tasks" >> beam.Create(list(numbers)) | DoTasks(work)
    return run_to_its_end(pipeline, stop)


def _records(plan: Plan, number: int) -> Iterator[tuple[str, Words]]:
    """The records of a shard by the names of their parts."""
    for kind, parts in records_of(plan, plan.inputs.units[number]).items():
        for part, records in enumerate(parts):
            if len(records):
                yield part_name(kind, part), records


def _finish(plan: Plan, name: str, blobs: Iterable[bytes]) -> None:
    """Write the edges of a part, unless an attempt before has."""
    if not plan.work("edges", name).exists():
        words = WIDTHS[name.partition("-")[0]]
        write_edges_of(plan, name, (np.frombuffer(blob, np.uint64).reshape(-1, words) for blob in blobs))
