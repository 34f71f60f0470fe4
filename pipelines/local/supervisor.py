"""A run in local processes: workers take batches from one queue, and are replaced if they fail.

A worker that crashes, or that is on one record for too long, is replaced, and its items are tried again (see
`WorkQueue.requeue`). Each replacement is printed on stderr, logged as an event, and part of the result.
"""

import contextlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic

from cedar.pipelines.common.logs import LogOptions, cause, imports_quietly
from cedar.pipelines.common.metrics import NO_METRICS, MetricsFile
from cedar.pipelines.common.terminal import warn
from cedar.pipelines.local.progress import ProgressReporter
from cedar.pipelines.local.queue import Batch, Crash, Error, Hang, Requeued, T, WorkQueue
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.files.storage import writing
from cedar.transforms.model.restarts import Restart
from cedar.transforms.runtime.events import event
from cedar.transforms.runtime.processes import cores, keep_freed_memory, safe_starts
from cedar.transforms.runtime.progress_file import ProgressFile, RecordPlace, WorkerSlot

Work = Callable[[Sequence[T], WorkerSlot], None]
"""Runs a graph over some items and reports to a slot; must pickle."""

_GRACE_SECONDS = 20.0
_POLL_SECONDS = 0.5
_PAUSE_SECONDS = 2.0
"""Seconds between two polls, beyond the usual, after which the job was suspended (Ctrl-Z, `docker pause`)."""

_WORKER_BYTES = 32 << 20
"""Bytes of input that are worth the start of another process."""

_MAX_SHOWN_RESTARTS = 100
"""Restarts that are printed on stderr; all are counted."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRun(Generic[T]):
    """How items are worked on.

    Attributes:
        is_done: whether the work on an item is kept.
        workers: number of worker processes. If it is 1 and this process cannot be forked, the work runs here.
        log: how the workers log.
        counts_pages: the lengths of items are pages, not bytes of input.
        may_fork: no connection to a store is open, so this process may be forked.
        max_pages: no item is begun once there are as many; None = all are.
        record_seconds: wall seconds after which a worker that is on one record is replaced.
        isolated: never work in this process: the work runs code of other packages.
        batches_pages: a worker works on several pages at once, unless its slot says singly.
        noun: what an item is, in messages.
    """

    work: Work[T]
    is_done: Callable[[T], bool]
    workers: int
    log: LogOptions = field(default_factory=LogOptions)
    quiet: bool
    counts_pages: bool = False
    may_fork: bool = True
    max_pages: int | None = None
    record_seconds: float = 60.0
    isolated: bool = False
    batches_pages: bool = False
    metrics: MetricsFile = NO_METRICS
    noun: str = "shard"


@dataclass(frozen=True, slots=True)
class LocalResult(Generic[T]):
    """The items that failed, and why; and the workers that were replaced."""

    failures: tuple[tuple[T, str], ...] = ()
    restarts: tuple[Restart, ...] = ()


def run_local(run: LocalRun[T], items: Sequence[T], stop: StopRequest) -> LocalResult[T]:
    """Work on items until all are done or a stop is requested."""
    if not items:
        return LocalResult()
    with tempfile.TemporaryDirectory() as directory:
        with writing(directory):
            progress_file = ProgressFile.create(str(Path(directory) / "progress"), run.workers)
        stop.attach(progress_file)
        try:
            return _run_with_progress(run, items, progress_file)
        finally:
            stop.attach(None)
            progress_file.close()


def _run_with_progress(run: LocalRun[T], items: Sequence[T], progress_file: ProgressFile) -> LocalResult[T]:
    max_pages = run.max_pages
    queue = WorkQueue(
        items,
        run.workers,
        is_done=run.is_done,
        is_enough=None if max_pages is None else lambda: progress_file.total().pages >= max_pages,
        batches_pages=run.batches_pages,
    )
    total = sum(item.length for item in items)
    progress = ProgressReporter(
        progress_file, total, quiet=run.quiet, counts_pages=run.counts_pages, metrics=run.metrics
    )
    with progress.running():
        restarts = run_queue(queue, run, progress_file, update=progress.update)
    return LocalResult(tuple(queue.failures), restarts)


def workers_for(items: Sequence[T], wanted: int | None) -> int:
    """Return the number of local processes that work on `items`: at least one, at most one per item.

    Without a wanted number: one for each 32 MiB of input, at most one per core.
    """
    if wanted is None:
        wanted = min(cores(), 1 + sum(item.length for item in items) // _WORKER_BYTES)
    return max(1, min(wanted, len(items)))


def run_queue(
    queue: WorkQueue[T], run: LocalRun[T], progress_file: ProgressFile, *, update: Callable[[int], None]
) -> tuple[Restart, ...]:
    """Work the queue off, or until a stop is requested; return the restarts of workers.

    `update` is called at least twice a second, with the number of restarts so far.
    """
    # The figures of a run are written while its workers are waited for.
    if run.workers == 1 and not run.isolated and not run.metrics and not can_fork(run):
        _work_in_process(queue, run.work, progress_file)
        return ()
    supervisor = Supervisor(queue, run, progress_file)
    supervisor.run(update)
    return tuple(supervisor.restarts)


def can_fork(run: LocalRun[T]) -> bool:
    """Tell whether workers can be forked off this process: on Linux, if it has a single thread."""
    if not run.may_fork or sys.platform != "linux":
        return False
    # The client of object stores has threads that Python does not count, and no fork may have.
    return threading.active_count() == 1 and "obstore" not in sys.modules


def _work_in_process(queue: WorkQueue[T], work: Work[T], progress_file: ProgressFile) -> None:
    slot = WorkerSlot(progress_file.path, 0)
    while not progress_file.stopping and (batch := queue.take()) is not None:
        fault = _try_batch(work, batch, slot)
        if fault is not None and not progress_file.stopping:
            _log_items(queue.requeue(batch, Error(fault)), fault)


@dataclass(slots=True)
class _Worker:
    process: Any
    connection: Connection
    slot: WorkerSlot
    batch: Batch[Any] | None = None


class Supervisor(Generic[T]):
    """Worker processes that work a queue off, and the `restarts` of those that were replaced."""

    def __init__(self, queue: WorkQueue[T], run: LocalRun[T], progress_file: ProgressFile) -> None:
        self.restarts: list[Restart] = []
        self._queue = queue
        self._run = run
        self._progress_file = progress_file
        # As bytes: logging is configured before unpickling imports Beam.
        self._work = pickle.dumps(run.work)
        self._forks = can_fork(run)
        self._workers: list[_Worker] = []
        self._polled_at = self._resumed_at = time.monotonic()

    def run(self, update: Callable[[int], None]) -> None:
        """Work the queue off, or until a stop is requested; `update` as for `run_queue`."""
        try:
            for number in range(self._run.workers):
                self._workers.append(self._start(WorkerSlot(self._progress_file.path, number)))
            while not self._progress_file.stopping_now:
                self._dispatch()
                busy = [worker for worker in self._workers if worker.batch is not None]
                if not busy:
                    return
                ready = [w.connection for w in busy] + [w.process.sentinel for w in busy]
                wait(ready, timeout=_POLL_SECONDS)
                self._note_pause()
                for worker in busy:
                    self._collect_result(worker)
                    self._replace_if_hung(worker)
                update(len(self.restarts))
        finally:
            self._shut_down()

    def _note_pause(self) -> None:
        """Note that the whole job was suspended, if the last poll was long ago."""
        now = time.monotonic()
        if now - self._polled_at > _POLL_SECONDS + _PAUSE_SECONDS:
            self._resumed_at = now
        self._polled_at = now

    def _dispatch(self) -> None:
        for worker in self._workers:
            if worker.batch is None and not self._progress_file.stopping:
                worker.batch = self._queue.take()
                if worker.batch is not None:
                    # One that died idle shows at once that it is dead.
                    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                        worker.connection.send(worker.batch)

    def _collect_result(self, worker: _Worker) -> None:
        """Take back a worker's batch if it is done, or if the worker crashed, which is then replaced."""
        with contextlib.suppress(EOFError, ConnectionResetError):
            if worker.connection.poll():
                fault: str | None = worker.connection.recv()
                if fault is not None and worker.batch is not None and not self._progress_file.stopping:
                    _log_items(self._queue.requeue(worker.batch, Error(fault)), fault)
                self._clear(worker)
                return
            if worker.process.is_alive():
                return
        worker.process.join(_GRACE_SECONDS)
        if worker.batch is not None and not self._progress_file.stopping:
            why = _exit_cause(worker.process.exitcode)
            place = self._progress_file.hung_record(worker.slot.index, 0.0)
            on = "" if place is None else f" on the record at {place.offset}"
            message = f"its worker was {why}{on}"
            self._report_restart(worker, why, place, fault=Crash(message, place))
        self._replace(worker)

    def _replace_if_hung(self, worker: _Worker) -> None:
        place = self._progress_file.hung_record(worker.slot.index, self._run.record_seconds, self._resumed_at)
        if place is not None and worker.batch is not None:
            self._report_restart(
                worker, f"hung for over {self._run.record_seconds:g} s", place, fault=Hang(place)
            )
            self._replace(worker)

    def _report_restart(
        self, worker: _Worker, why: str, place: RecordPlace | None, *, fault: Crash | Hang
    ) -> None:
        """Requeue a worker's batch, and print and log that the worker is replaced."""
        batch: Batch[T] | None = worker.batch
        assert batch is not None
        number = worker.slot.index
        result = self._queue.requeue(batch, fault)
        shard = place.shard if place is not None else self._progress_file.shard(number)
        names = [item.name for item in batch.items]
        restart = Restart(
            worker=number + 1,
            cause=why,
            url="" if place is None else self._progress_file.url(number),
            among_others=self._run.batches_pages and not batch.singly,
            item=f"{self._run.noun} {shard if shard in names else names[0]}",
            attempt=batch.attempt,
            rejected=result.rejects_record,
        )
        self.restarts.append(restart)
        if len(self.restarts) <= _MAX_SHOWN_RESTARTS:
            warn(str(restart))
        elif len(self.restarts) == _MAX_SHOWN_RESTARTS + 1:
            warn("further restarts of workers are counted, but not shown")
        event("worker restarted", **restart.to_json())
        if isinstance(fault, Crash):
            _log_items(result, fault.message)

    def _replace(self, worker: _Worker) -> None:
        self._clear(worker)
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        self._workers[self._workers.index(worker)] = self._start(worker.slot)

    def _clear(self, worker: _Worker) -> None:
        worker.batch = None
        self._progress_file.end_record(worker.slot.index)

    def _start(self, slot: WorkerSlot) -> _Worker:
        """Start a worker: forked off this process, which has imported all that it needs, or a fresh one."""
        context: Any = multiprocessing.get_context("fork" if self._forks else "spawn")
        ours, theirs = context.Pipe()
        # A fork inherits the launcher's ends of all pipes; while it holds one, others do not see it closed.
        inherited = [ours, *(worker.connection for worker in self._workers)] if self._forks else []
        process = context.Process(
            target=_worker_main,
            args=(theirs, inherited, self._work),
            kwargs={"slot": slot, "log": self._run.log},
            daemon=True,
        )
        with safe_starts():
            if not self._forks:
                # It comes before the first such process, and unblocks the signals once it is there.
                resource_tracker.ensure_running()
            # Until the worker has its own handlers, no signal shall meet those that it inherits.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
            try:
                process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        return _Worker(process, ours, slot)

    def _shut_down(self) -> None:
        """End the workers: idle ones at once, busy ones when they have seen the request to stop."""
        for worker in self._workers:
            worker.connection.close()
        deadline = time.monotonic() + (_GRACE_SECONDS if self._progress_file.stopping_now else 1.0)
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


def _exit_cause(exit_code: int | None) -> str:
    """Return why a worker process ended, from its exit code; a signal's is negative."""
    if exit_code is not None and exit_code < 0:
        return f"killed by signal {-exit_code}"
    return f"ended by its own code (exit code {exit_code}; an extractor that does so needs guarded=True)"


def _log_items(result: Requeued[Any], fault: str) -> None:
    """Log the items that are retried after a fault, and those that have failed."""
    for item in result.retried:
        event("shard retried", shard=item.name, fault=fault)
    for item in result.failed:
        event("shard failed", shard=item.name, fault=fault)


def _worker_main(
    connection: Connection,
    inherited: Sequence[Connection],
    pickled: bytes,
    *,
    slot: WorkerSlot,
    log: LogOptions,
) -> None:
    """Run a worker process: batches in, faults (or None) out, until the launcher hangs up."""
    # Ctrl-C goes to the whole group of processes; the launcher alone answers, by the progress file.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for other in inherited:
        other.close()
    # A fork must not draw the launcher's bar, which rich puts in front of the standard streams.
    sys.stdout = getattr(sys.stdout, "rich_proxied_file", sys.stdout)
    sys.stderr = getattr(sys.stderr, "rich_proxied_file", sys.stderr)
    with imports_quietly(log):
        work: Work[Any] = pickle.loads(pickled)  # noqa: S301 - from the launcher
    threading.Thread(target=_die_with_parent, daemon=True).start()
    keep_freed_memory()
    while True:
        try:
            batch = connection.recv()
            connection.send(_try_batch(work, batch, slot))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _try_batch(work: Work[T], batch: Batch[T], slot: WorkerSlot) -> str | None:
    """Work on a batch; return the message of its fault, or None."""
    slot = replace(slot, skip=batch.skip, crashed_on=batch.crashed_twice, singly=batch.singly)
    try:
        work(batch.items, slot)
    except Exception as error:  # Beam wraps every fault; it is retried and named
        logging.getLogger(__name__).info("a batch failed", exc_info=True)
        return cause(error)
    return None
