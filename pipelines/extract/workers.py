"""Local workers: supervised processes that take batches of shards from one queue.

Each worker runs the whole graph in memory over its batch. One that dies is replaced; the shards it had are
tried again, each alone, twice at most; then they are listed as failed and the others go on.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from pipelines.common.logs import cause, imports_quietly
from pipelines.common.unused import without_unused_packages
from pipelines.extract.settle import Failure
from transforms.model.records import Shard
from transforms.runtime.heartbeat import Board, Slot

Work = Callable[[Sequence[Shard], Slot], None]
"""Runs the graph over some shards and reports to a slot; must pickle."""

ATTEMPTS = 3
"""How often a shard is tried."""

_BATCH_BYTES = 64 << 20
_BATCH_SHARDS = 64
_GRACE_SECONDS = 20.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Batch:
    """Shards that are worked on in one pipeline, and how often they were tried before."""

    shards: tuple[Shard, ...]
    tried: int = 0


class ShardQueue:
    """What is still to be done, and what could not be.

    Args:
        shards: all that is to be done.
        workers: how many will share it.
        is_done: whether a shard is committed.
        is_enough: whether no further batch shall be started.
        one_by_one: every shard is a batch of its own.
    """

    def __init__(
        self,
        shards: Sequence[Shard],
        workers: int,
        *,
        is_done: Callable[[Shard], bool],
        is_enough: Callable[[], bool],
        one_by_one: bool = False,
    ) -> None:
        self.failures: list[Failure] = []
        self._is_done = is_done
        self._is_enough = is_enough
        # Each batch is a pipeline, a twelfth of a second; one worker has nobody to share with.
        most = 1 if one_by_one else _BATCH_SHARDS if workers == 1 else len(shards) // (4 * workers)
        self._batches = deque(_batches(shards, max(1, most)))

    def take(self) -> Batch | None:
        """The next batch, or None when there is none now."""
        return None if not self._batches or self._is_enough() else self._batches.popleft()

    def failed(self, batch: Batch, message: str) -> None:
        """A batch ended with a fault: what it has not committed is tried again, each shard alone.

        A shard that was in company is tried three more times, since the fault may not have been its own.
        """
        tried = batch.tried + 1 if len(batch.shards) == 1 else 0
        for shard in batch.shards:
            if self._is_done(shard):
                continue
            if tried < ATTEMPTS:
                self._batches.append(Batch((shard,), tried))
            else:
                self.failures.append(Failure(shard, message))


def _batches(shards: Sequence[Shard], most: int) -> list[Batch]:
    batches: list[Batch] = []
    group: list[Shard] = []
    size = 0
    for shard in shards:
        if group and (size + shard.length > _BATCH_BYTES or len(group) >= min(most, _BATCH_SHARDS)):
            batches.append(Batch(tuple(group)))
            group, size = [], 0
        group.append(shard)
        size += shard.length
    if group:
        batches.append(Batch(tuple(group)))
    return batches


def run_in_this_process(queue: ShardQueue, work: Work, board: Board, board_path: str) -> None:
    """Work the queue off, one batch after the other."""
    slot = Slot(board_path, 0)
    while not board.stopping and (batch := queue.take()) is not None:
        fault = _fault_of(work, batch, slot)
        if fault is not None and not board.stopping:
            queue.failed(batch, fault)


def run_in_processes(
    queue: ShardQueue,
    work: Work,
    workers: int,
    board: Board,
    board_path: str,
    log_level: str,
    *,
    alone: Callable[[], contextlib.AbstractContextManager[None]] | None = None,
) -> None:
    """Work the queue off with `workers` processes, replacing those that die.

    Args:
        queue: what is to be done.
        work: does it; pickles.
        workers: number of processes.
        board: what they report to, and hear the word to stop from.
        board_path: its file.
        log_level: what they log.
        alone: within it this process has no other thread; workers may be forked there. None: they are not,
            because this process has open what none can share (connections to stores).
    """
    # As bytes: what it imports (Beam) shall find logging configured.
    pickled = pickle.dumps(work)
    team: list[_Worker] = []

    def start(slot: int) -> _Worker:
        with alone() if alone else contextlib.nullcontext():
            return _start(team, pickled, Slot(board_path, slot), log_level, may_fork=alone is not None)

    try:
        for slot in range(workers):
            team.append(start(slot))  # noqa: PERF401 - each must know those before it
        while not board.stopping_now:
            for worker in team:
                if worker.batch is None and not board.stopping and (batch := queue.take()) is not None:
                    worker.batch = batch
                    # One that died idle shows at once that it is dead, below.
                    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                        worker.connection.send(batch)
            busy = [worker for worker in team if worker.batch is not None]
            if not busy:
                return
            wait([w.connection for w in busy] + [w.process.sentinel for w in busy], timeout=0.5)
            for worker in busy:
                answer = _answer(worker)
                if answer is None or worker.batch is None:
                    continue
                if answer.fault is not None and not board.stopping:
                    queue.failed(worker.batch, answer.fault)
                worker.batch = None
                if answer.died:
                    worker.connection.close()
                    team[team.index(worker)] = start(worker.slot)
    finally:
        _dismiss(team, board)


@dataclass(slots=True)
class _Worker:
    process: Any
    connection: Connection
    slot: int
    batch: Batch | None = None


def _start(team: Sequence[_Worker], pickled: bytes, slot: Slot, log_level: str, *, may_fork: bool) -> _Worker:
    """Start a worker: forked off this process, which has imported all that it needs, or else anew.

    Only a process with a single thread can be forked safely, and only on Linux are the system's libraries
    made for it. It is not while Beam is at work, as this process only supervises.
    """
    forks = may_fork and sys.platform == "linux" and threading.active_count() == 1
    context: Any = multiprocessing.get_context("fork" if forks else "spawn")
    ours, theirs = context.Pipe()
    # What a fork has inherited and must let go of: an end that it holds would keep the others waiting.
    inherited = [ours, *(worker.connection for worker in team)] if forks else []
    process = context.Process(
        target=_worker_main, args=(theirs, inherited, pickled, slot, log_level), daemon=True
    )
    # Until the worker has its own handlers, no signal shall meet those that it inherits.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return _Worker(process, ours, slot.index)


@dataclass(frozen=True, slots=True)
class _Answer:
    fault: str | None
    died: bool = False


def _answer(worker: _Worker) -> _Answer | None:
    """What became of a worker's batch; None while it is at work."""
    with contextlib.suppress(EOFError, ConnectionResetError):
        if worker.connection.poll():
            return _Answer(worker.connection.recv())
        if worker.process.is_alive():
            return None
    worker.process.join(_GRACE_SECONDS)
    return _Answer(f"the worker process died (exit code {worker.process.exitcode})", died=True)


def _dismiss(team: list[_Worker], board: Board) -> None:
    """Send the workers home: idle ones at once, those at work when they have heard the word to stop."""
    for worker in team:
        worker.connection.close()
    deadline = time.monotonic() + (_GRACE_SECONDS if board.stopping_now else 1.0)
    for worker in team:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _worker_main(
    connection: Connection, inherited: Sequence[Connection], pickled: bytes, slot: Slot, log_level: str
) -> None:
    """A worker process: batches in, faults (or None) out, until the launcher hangs up."""
    # Ctrl-C goes to the whole group of processes; the launcher alone answers, by the board.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for other in inherited:
        other.close()
    with without_unused_packages():
        with imports_quietly(log_level):
            work: Work = pickle.loads(pickled)  # noqa: S301 - from the launcher
        threading.Thread(target=_die_with_parent, daemon=True).start()
        while True:
            try:
                batch = connection.recv()
                connection.send(_fault_of(work, batch, slot))
            except (EOFError, BrokenPipeError, ConnectionResetError):
                return


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _fault_of(work: Work, batch: Batch, slot: Slot) -> str | None:
    """Run a batch; the message of its fault, or None."""
    try:
        work(batch.shards, slot)
    except Exception as error:  # Beam wraps every fault; it is retried and named
        logging.getLogger(__name__).info("a batch failed", exc_info=True)
        return cause(error)
    return None
