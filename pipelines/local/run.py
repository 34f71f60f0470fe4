"""A run in processes of this machine: items in, what could not be done of them out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic

from pipelines.common.logs import LogChoice
from pipelines.common.metrics import NO_METRICS, MetricsFile
from pipelines.local.progress import Reporter
from pipelines.local.stopping import Stop
from pipelines.local.work_queue import Failed, T, WorkQueue
from pipelines.local.workers import Staff, Work, run_workers
from transforms.runtime.heartbeat import Board
from transforms.runtime.processes import cores

_WORKER_BYTES = 32 << 20
"""Input for which another process is worth its start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRun(Generic[T]):
    """How items are worked on.

    Attributes:
        work: does some items; pickles.
        is_done: whether the work on an item is kept.
        workers: number of processes; `log` is how they log.
        counts_pages: the lengths of items are pages, not bytes of input.
        may_fork: this process has no connection to a store open, which no fork may have.
        most_pages: no item is begun once there are as many; None = all are.
        record_seconds: wall seconds after which a worker that is on one record is replaced.
        metrics: written again while they are.
        apart: one worker is a process of its own in any case: what runs in it is not Cedar's.
        together: it works on several pages at once, unless its slot says one by one.
    """

    work: Work[T]
    is_done: Callable[[T], bool]
    workers: int
    log: LogChoice = field(default_factory=LogChoice)
    quiet: bool
    counts_pages: bool = False
    may_fork: bool = True
    most_pages: int | None = None
    record_seconds: float = 60.0
    apart: bool = False
    together: bool = False
    metrics: MetricsFile = NO_METRICS


def run_local(run: LocalRun[T], items: Sequence[T], stop: Stop) -> list[Failed[T]]:
    """Work on items until all are done or the user says stop; returns those that could not be done."""
    if not items:
        return []
    most = run.most_pages
    with tempfile.TemporaryDirectory() as directory:
        board = Board.create(str(Path(directory) / "board"), run.workers)
        stop.attach(board)
        try:
            queue = WorkQueue(
                items,
                run.workers,
                is_done=run.is_done,
                is_enough=None if most is None else lambda: board.total().pages >= most,
                together=run.together,
            )
            total = sum(item.length for item in items)
            reporter = Reporter(
                board, total, quiet=run.quiet, counts_pages=run.counts_pages, metrics=run.metrics
            )
            alone = reporter.paused if run.may_fork else None
            staff = Staff(run.workers, run.log, alone, run.record_seconds, run.apart)
            with reporter.going():
                run_workers(queue, run.work, board, staff)
        finally:
            stop.attach(None)
            board.close()
    return queue.failures


def workers_for(items: Sequence[T], wanted: int | None) -> int:
    """Tell how many local processes work on `items`: at least one, at most one an item.

    If the user wants no number of them: as many as their bytes are worth, at most the cores.
    """
    if wanted is None:
        wanted = min(cores(), 1 + sum(item.length for item in items) // _WORKER_BYTES)
    return max(1, min(wanted, len(items)))
