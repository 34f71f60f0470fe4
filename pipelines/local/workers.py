"""A run in processes of this machine: items in, what could not be done of them out.

The workers are supervised processes that take batches from one queue. Each runs a graph in memory over its
batch. One that dies is replaced, and its items are tried again, each alone, twice at most. One that a record
holds up is replaced, too, and its items tried without the record. How far the run is, is shown on stderr:
by a bar in a terminal, by a line now and then elsewhere.
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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from cedar.pipelines.common.logs import LogChoice, cause, imports_quietly
from cedar.pipelines.common.messages import complain, readable, remark
from cedar.pipelines.common.metrics import NO_METRICS, MetricsFile
from cedar.pipelines.local.stopping import Stop
from cedar.transforms.runtime.events import event
from cedar.transforms.runtime.heartbeat import Board, Progress, RecordPlace, Slot, Wait
from cedar.transforms.runtime.processes import cores, keep_freed_memory, safe_starts

ATTEMPTS = 3
"""How often an item is tried."""

_BATCH_BYTES = 64 << 20
_BATCH_ITEMS = 64


class Item(Protocol):
    """A unit of work: a shard, or a share of gold pages."""

    @property
    def length(self) -> int:
        """Bytes of input, by which batches are made."""


T = TypeVar("T", bound=Item)


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """Items that are worked on in one pipeline, and what is known of their records.

    Those `passed_over` held a worker up before; on `suspects` a worker died, on `fatal` ones two.
    With `one_by_one`, pages are worked on one at a time, since one of several held a worker up or ended it.
    """

    items: tuple[T, ...]
    tried: int = 0
    passed_over: frozenset[RecordPlace] = frozenset()
    suspects: frozenset[RecordPlace] = frozenset()
    fatal: frozenset[RecordPlace] = frozenset()
    one_by_one: bool = False


class WorkQueue(Generic[T]):
    """What is still to be done, and what could not be.

    Args:
        is_done: whether the work on an item is kept.
        is_enough: whether no further batch shall be started; every item is a batch of its own then.
        together: several pages are worked on at once.
    """

    def __init__(
        self,
        items: Sequence[T],
        workers: int,
        *,
        is_done: Callable[[T], bool],
        is_enough: Callable[[], bool] | None = None,
        together: bool = False,
    ) -> None:
        self.failures: list[tuple[T, str]] = []
        self._is_done = is_done
        self._is_enough = is_enough
        self._together = together
        # Each batch is a pipeline, a twelfth of a second; one worker has no other to share with.
        most = 1 if is_enough else _BATCH_ITEMS if workers == 1 else len(items) // (4 * workers)
        self._batches = deque(_batches(items, max(1, most)))

    def take(self) -> Batch[T] | None:
        """Return the next batch, or None while the queue is empty."""
        ends = not self._batches or (self._is_enough is not None and self._is_enough())
        return None if ends else self._batches.popleft()

    def failed(self, batch: Batch[T], message: str) -> None:
        """Take back a batch that ended with a fault: what of it is not kept is tried again, each item alone.

        An item that was in company is tried three more times, since the fault may not have been its own.
        """
        tried = batch.tried + 1 if len(batch.items) == 1 else 0
        for item in batch.items:
            if self._is_done(item):
                continue
            about = {"shard": getattr(item, "name", ""), "fault": message}
            event("shard retried" if tried < ATTEMPTS else "shard failed", **about)
            if tried < ATTEMPTS:
                self._batches.append(replace(batch, items=(item,), tried=tried))
            else:
                self.failures.append((item, message))

    def held_up(self, batch: Batch[T], place: RecordPlace) -> bool:
        """Take back a batch that a record held up: what of it is not kept is tried again without it.

        Returns:
            Whether the record is passed over from now on: not where it may have been another one's fault.
        """
        if self._parted(batch):
            return False
        if place in batch.passed_over:
            self.failed(batch, f"the record at {place.offset} holds workers up though it is passed over")
        else:
            self._again(replace(batch, passed_over=batch.passed_over | {place}))
        return True

    def died(self, batch: Batch[T], message: str, place: RecordPlace | None) -> bool:
        """Take back a batch whose worker died, on a record or between two; whether that is passed over now.

        Whatever kills processes from outside may hit any record; one on which two died is passed over.
        """
        if self._parted(batch):
            return False
        if place is not None and place in batch.suspects - batch.fatal:
            self._again(replace(batch, fatal=batch.fatal | {place}))
            return True
        known = batch.suspects if place is None else batch.suspects | {place}
        self.failed(replace(batch, suspects=known), message)
        return False

    def _parted(self, batch: Batch[T]) -> bool:
        """Whether a batch is tried again with each page alone, as it was not before."""
        parts = self._together and not batch.one_by_one
        if parts:
            self._again(replace(batch, one_by_one=True))
        return parts

    def _again(self, batch: Batch[T]) -> None:
        left = (item for item in batch.items if not self._is_done(item))
        self._batches.extend(replace(batch, items=(item,)) for item in left)


def _batches(items: Sequence[T], most: int) -> list[Batch[T]]:
    batches: list[Batch[T]] = []
    group: list[T] = []
    size = 0
    for item in items:
        if group and (size + item.length > _BATCH_BYTES or len(group) >= min(most, _BATCH_ITEMS)):
            batches.append(Batch(tuple(group)))
            group, size = [], 0
        group.append(item)
        size += item.length
    if group:
        batches.append(Batch(tuple(group)))
    return batches


Work = Callable[[Sequence[T], Slot], None]
"""Runs a graph over some items and reports to a slot; must pickle."""

_GRACE_SECONDS = 20.0
_WORKER_BYTES = 32 << 20
"""Input for which another process is worth its start."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


Alone = Callable[[], contextlib.AbstractContextManager[None]]
"""Within it this process has no other thread; workers may be forked there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRun(Generic[T]):
    """How items are worked on.

    Attributes:
        is_done: whether the work on an item is kept.
        workers: number of processes, which `log` so; 1 is this process where it cannot be forked.
        counts_pages: the lengths of items are pages, not bytes of input.
        may_fork: this process has no connection to a store open, which no fork may have.
        most_pages: no item is begun once there are as many; None = all are.
        record_seconds: wall seconds after which a worker that is on one record is replaced.
        apart: 1 is another process also where it cannot be forked: what runs in it is not Cedar's.
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


def run_local(run: LocalRun[T], items: Sequence[T], stop: Stop) -> list[tuple[T, str]]:
    """Work on items until all are done or the user says stop; returns what could not be done, and why."""
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


def run_workers(queue: WorkQueue[T], run: LocalRun[T], board: Board, alone: Alone) -> None:
    """Work the queue off, until the word to stop; `queue.failures` has what could not be done."""
    if run.workers == 1 and not run.apart and not _can_fork(run, alone):
        _work_here(queue, run.work, board)
    else:
        _Team(board, run, alone).run(queue)


def _can_fork(run: LocalRun[T], alone: Alone) -> bool:
    """Tell whether workers can be forked off this process.

    Only one with a single thread can be, and only on Linux are the system's libraries made for it.
    """
    if not run.may_fork or sys.platform != "linux":
        return False
    with alone():
        # The client of object stores has threads that Python does not count, and no fork may have.
        return threading.active_count() == 1 and "obstore" not in sys.modules


def _work_here(queue: WorkQueue[T], work: Work[T], board: Board) -> None:
    slot = Slot(board.path, 0)
    while not board.stopping and (batch := queue.take()) is not None:
        fault = _fault_of(work, batch, slot)
        if fault is not None and not board.stopping:
            queue.failed(batch, fault)


@dataclass(slots=True)
class _Worker:
    process: Any
    connection: Connection
    slot: Slot
    batch: Batch[Any] | None = None


class _Team:
    """Processes that work a queue off."""

    def __init__(self, board: Board, run: LocalRun[T], alone: Alone) -> None:
        self._board = board
        self._run = run
        self._alone = alone
        # As bytes: what it imports (Beam) shall find logging configured.
        self._work = pickle.dumps(run.work)
        self._workers: list[_Worker] = []

    def run(self, queue: WorkQueue[T]) -> None:
        try:
            for number in range(self._run.workers):
                self._workers.append(self._start(Slot(self._board.path, number)))
            while not self._board.stopping_now:
                self._hand_out(queue)
                busy = [worker for worker in self._workers if worker.batch is not None]
                if not busy:
                    return
                wait([w.connection for w in busy] + [w.process.sentinel for w in busy], timeout=0.5)
                for worker in busy:
                    self._hear(worker, queue)
                    self._look_after(worker, queue)
        finally:
            self._dismiss()

    def _hand_out(self, queue: WorkQueue[T]) -> None:
        for worker in self._workers:
            if worker.batch is None and not self._board.stopping and (batch := queue.take()) is not None:
                worker.batch = batch
                # One that died idle shows at once that it is dead.
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    worker.connection.send(batch)

    def _hear(self, worker: _Worker, queue: WorkQueue[T]) -> None:
        """Hear what has become of a worker's batch, if anything has; a worker that died is replaced."""
        answer = _answer(worker, self._board)
        if answer is None or worker.batch is None:
            return
        if answer.fault is not None and not self._board.stopping:
            if not answer.died:
                queue.failed(worker.batch, answer.fault)
            elif queue.died(worker.batch, answer.fault, answer.place) and answer.place is not None:
                complain(
                    f"two workers died on the record at {answer.place.offset}: it is rejected "
                    f"[shard {answer.place.shard}]"
                )
        worker.batch = None
        self._board.end_record(worker.slot.index)
        if answer.died:
            self._replace(worker)

    def _look_after(self, worker: _Worker, queue: WorkQueue[T]) -> None:
        """Replace a worker that a record holds up; what it had is tried again without the record."""
        place = self._board.held_up(worker.slot.index, self._run.record_seconds)
        if place is None or worker.batch is None:
            return
        passed_over = queue.held_up(worker.batch, place)
        what = "it is rejected" if passed_over else "it is tried again, each page alone"
        complain(
            f"the record at {place.offset} took over {self._run.record_seconds:g} s: {what}, and "
            f"its worker replaced [shard {place.shard}]"
        )
        worker.batch = None
        self._board.end_record(worker.slot.index)
        self._replace(worker)

    def _replace(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        self._workers[self._workers.index(worker)] = self._start(worker.slot)

    def _start(self, slot: Slot) -> _Worker:
        """Start a worker: forked off this process, which has imported all that it needs, or a fresh one.

        It is not forked while Beam is at work, as this process only supervises.
        """
        forks = _can_fork(self._run, self._alone)
        with self._alone() if self._run.may_fork else contextlib.nullcontext():
            context: Any = multiprocessing.get_context("fork" if forks else "spawn")
            ours, theirs = context.Pipe()
            # What a fork has inherited and must let go of: an end that it holds keeps the others waiting.
            inherited = [ours, *(worker.connection for worker in self._workers)] if forks else []
            process = context.Process(
                target=_worker_main, args=(theirs, inherited, self._work, slot, self._run.log), daemon=True
            )
            with safe_starts():
                if not forks:
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

    def _dismiss(self) -> None:
        """Send the workers home: idle ones at once, those at work when they have heard the word to stop."""
        for worker in self._workers:
            worker.connection.close()
        deadline = time.monotonic() + (_GRACE_SECONDS if self._board.stopping_now else 1.0)
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()


@dataclass(frozen=True, slots=True)
class _Answer:
    fault: str | None
    died: bool = False
    place: RecordPlace | None = None


def _answer(worker: _Worker, board: Board) -> _Answer | None:
    """Return what became of a worker's batch; None while it is at work."""
    with contextlib.suppress(EOFError, ConnectionResetError):
        if worker.connection.poll():
            return _Answer(worker.connection.recv())
        if worker.process.is_alive():
            return None
    worker.process.join(_GRACE_SECONDS)
    code, place = worker.process.exitcode, board.held_up(worker.slot.index, 0.0)
    fault = f"the worker process died (exit code {code})"
    if place is not None:
        fault += f" on the record at {place.offset}"
    if code is not None and code >= 0:  # what kills a process leaves a negative number
        fault += ": its own code ended it (an extractor that does needs guarded=True)"
    return _Answer(fault, died=True, place=place)


def _worker_main(
    connection: Connection, inherited: Sequence[Connection], pickled: bytes, slot: Slot, log: LogChoice
) -> None:
    """Run a worker process: batches in, faults (or None) out, until the launcher hangs up."""
    # Ctrl-C goes to the whole group of processes; the launcher alone answers, by the board.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
    for other in inherited:
        other.close()
    with imports_quietly(log):
        work: Work[Any] = pickle.loads(pickled)  # noqa: S301 - from the launcher
    threading.Thread(target=_die_with_parent, daemon=True).start()
    keep_freed_memory()
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


def _fault_of(work: Work[T], batch: Batch[T], slot: Slot) -> str | None:
    """Run a batch; the message of its fault, or None."""
    known = replace(slot, passed_over=batch.passed_over, fatal=batch.fatal, one_by_one=batch.one_by_one)
    try:
        work(batch.items, known)
    except Exception as error:  # Beam wraps every fault; it is retried and named
        logging.getLogger(__name__).info("a batch failed", exc_info=True)
        return cause(error)
    return None


_TERMINAL_SECONDS = 0.5
_LOG_SECONDS = 10.0


class Reporter:
    """Shows, unless quiet, how far a run is, within `going`, and writes the metrics again now and then.

    The total is that of bytes of all inputs, or of pages if it `counts_pages`.
    """

    def __init__(
        self,
        board: Board,
        total: int,
        *,
        quiet: bool,
        counts_pages: bool = False,
        metrics: MetricsFile = NO_METRICS,
    ) -> None:
        self._board = board
        self._total = total
        self._quiet = quiet
        self._counts_pages = counts_pages
        self._ended = threading.Event()
        self._metrics = metrics
        self._threads: list[threading.Thread] = []
        self._start = time.monotonic()

    @contextlib.contextmanager
    def going(self) -> Iterator[None]:
        """Within it a thread shows how far the run is."""
        self._begin()
        try:
            yield
        finally:
            self._end()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Within it nothing is shown, and there is no thread that shows it."""
        self._end()
        yield
        self._begin()

    def _begin(self) -> None:
        self._ended.clear()
        show = self._show_bar if sys.stderr.isatty() else self._show_lines
        loops = [] if self._quiet else [show]
        loops += [self._write_metrics] if self._metrics else []
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in loops]
        for thread in self._threads:
            thread.start()

    def _end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _show_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(12), TextColumn("{task.description}", markup=False))
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=self._total)
            ended = False
            while not ended:
                ended = self._ended.wait(_TERMINAL_SECONDS)
                done, line = self._state()
                bar.update(task, completed=done, description=line)

    def _show_lines(self) -> None:
        while not self._ended.wait(_LOG_SECONDS):
            remark(self._state()[1])

    def _write_metrics(self) -> None:
        ended = False
        while not ended:
            # A disk that is full now may not be so in ten seconds; the end of the run says so if it is.
            with contextlib.suppress(OSError):
                self._metrics.at_work(self._board)
            ended = self._ended.wait(_LOG_SECONDS)

    def _state(self) -> tuple[int, str]:
        """Return how much is done, and what is said of it."""
        now, sums = time.monotonic(), self._board.total()
        done = sums.pages if self._counts_pages else sums.bytes_in
        whole = f"{self._total:,} pages" if self._counts_pages else f"{readable(self._total)} read"
        share = min(1.0, done / self._total) if self._total else 1.0
        line = f"{share:4.0%} of {whole}, {progress_line(sums, share, now - self._start)}"
        waits = waiting(self._board.waits(), self._board.slots, now)
        return done, f"{line}; {waits}" if waits else line


def waiting(waits: Sequence[Wait], workers: int, now: float) -> str:
    """Return what workers wait for, in words: `3 of 8 workers wait: 503, 24 s`; "" where none does.

    The pace, which is as it should be, is not told of; `now` is by `time.monotonic`.
    """
    told = [wait for wait in waits if wait.why != "pace"]
    if not told:
        return ""
    causes = ", ".join(sorted({wait.why for wait in told}))
    longest = max(0.0, max(wait.until for wait in told) - now)
    return f"{len(told)} of {workers} workers wait: {causes}, {longest:,.0f} s"


def progress_line(now: Progress, share: float, seconds: float) -> str:
    """Return sums, speed, and what is left of the time, once that can be said."""
    left = f", {seconds / share * (1 - share):,.0f} s left" if share > 0.01 else ""
    safe = f", {now.safe:,} pages safe so far" if now.safe else ""
    return f"{now.pages:,} pages, {now.pages / seconds:,.0f}/s, {now.rejects:,} rejects{safe}{left}"
