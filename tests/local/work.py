"""Work for the processes of tests: a module of its own, so that a process imports no more than it does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from cedar.transforms.model.records import Shard
from cedar.transforms.runtime.progress_file import Progress, ProgressFile, RecordPlace, WorkerSlot


def mark_done(directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work that succeeds."""
    progress_file = ProgressFile(slot.path)
    for s in shards:
        (directory / s.name).touch()
        progress_file.add(slot.index, Progress(pages=1))
    progress_file.close()


def fail_on(bad: str, directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work that counts its attempts in a file and fails on one shard."""
    for s in shards:
        if s.name == bad:
            with (directory / "attempts").open("a") as file:
                file.write("x")
            raise OSError("no such luck")
        mark_done(directory, [s], slot)


def die_on(bad: str, times: int, directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work that kills its own process on one shard, the first `times` times."""
    for s in shards:
        deaths = len(list(directory.glob("death*")))
        if s.name == bad and deaths < times:
            progress_file = ProgressFile(slot.path)
            progress_file.open_shard(slot.index, s.name)
            progress_file.begin_record(slot.index, 200, 2, url="https://x/2")
            (directory / f"death{deaths}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        mark_done(directory, [s], slot)


def stop_board(directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work during which the word to stop is given."""
    progress_file = ProgressFile(slot.path)
    progress_file.stop()
    progress_file.close()
    mark_done(directory, shards, slot)


def tell(directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work that tells whether its process was forked, ignores Ctrl-C, and hears other signals."""
    forked = type(multiprocessing.current_process()).__name__ == "ForkProcess"
    ignores = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    (directory / "told").write_text(f"forked {forked}, ignores {ignores}, blocked {len(blocked)}")
    mark_done(directory, shards, slot)


def linger(seconds: float, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work that ends early when the word to stop is given."""
    progress_file = ProgressFile(slot.path)
    end = time.monotonic() + seconds
    while time.monotonic() < end and not progress_file.stopping:
        progress_file.add(slot.index, Progress(records=1))
        time.sleep(0.01)


def hold_up_on(bad: str, directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work whose third record of one shard never ends, unless it is passed over."""
    progress_file = ProgressFile(slot.path)
    for s in shards:
        progress_file.open_shard(slot.index, s.name)
        for number in range(5):
            if RecordPlace(s.name, 100 * number, number) in slot.skip:
                (directory / f"passed over {s.name} {number}").touch()
                continue
            progress_file.begin_record(slot.index, 100 * number, number, url=f"https://x/{number}")
            while s.name == bad and number in (2, 4):
                pass
            progress_file.end_record(slot.index)
        mark_done(directory, [s], slot)
    progress_file.close()


def pause_on(bad: str, seconds: float, directory: Path, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Work that sleeps on one record."""
    progress_file = ProgressFile(slot.path)
    for s in shards:
        progress_file.open_shard(slot.index, s.name)
        progress_file.begin_record(slot.index, 0, 0, url="https://x/0")
        time.sleep(seconds if s.name == bad else 0.0)
        progress_file.end_record(slot.index)
        mark_done(directory, [s], slot)
    progress_file.close()
