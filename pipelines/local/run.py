"""A run in processes of this machine: items in, what could not be done of them out."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from pipelines.local.progress import Reporter
from pipelines.local.stopping import Stop
from pipelines.local.work_queue import Failed, T, WorkQueue
from pipelines.local.workers import LocalRun, run_workers
from transforms.runtime.heartbeat import Board
from transforms.runtime.processes import cores

_WORKER_BYTES = 32 << 20
"""Input for which another process is worth its start."""


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
            with reporter.going():
                run_workers(queue, run, board, reporter.paused)
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
