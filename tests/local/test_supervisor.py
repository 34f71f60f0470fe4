"""Worker processes: what they work off, and what is told if one crashes or hangs."""

from __future__ import annotations

import functools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.local import supervisor
from cedar.pipelines.local.queue import WorkQueue
from cedar.pipelines.local.supervisor import LocalRun, Work, run_queue, workers_for
from cedar.transforms.model.records import Shard
from cedar.transforms.model.restarts import Restart
from cedar.transforms.runtime.progress_file import Progress, ProgressFile
from tests.helpers.elements import shard
from tests.local.work import die_on, fail_on, hold_up_on, linger, mark_done, pause_on, stop_board, tell

SHARDS = tuple(shard(f"{number:05d}-00000000-000000000000-000000000100") for number in range(6))


def run(
    queue: WorkQueue[Shard], work: Work[Shard], progress_file: ProgressFile, workers: int = 1, **more: Any
) -> tuple[Restart, ...]:
    """Work a queue off; returns the restarts."""
    how = LocalRun(work=work, is_done=lambda _: False, workers=workers, quiet=True, **more)
    return run_queue(queue, how, progress_file, update=lambda _: None)


def queue_over(directory: Path, workers: int = 1, shards: Sequence[Shard] = SHARDS) -> WorkQueue[Shard]:
    return WorkQueue(shards, workers, is_done=lambda s: (directory / s.name).exists())


def board_in(directory: Path, slots: int) -> ProgressFile:
    return ProgressFile.create(str(directory / "progress_file"), slots)


def done(directory: Path) -> list[str]:
    return sorted(s.name for s in SHARDS if (directory / s.name).exists())


def test_everything_is_done_and_reported(tmp_path: Path) -> None:
    progress_file = board_in(tmp_path, 1)
    queue = queue_over(tmp_path)
    run(queue, functools.partial(mark_done, tmp_path), progress_file)
    assert done(tmp_path) == [s.name for s in SHARDS]
    assert progress_file.total() == Progress(pages=6)
    assert queue.failures == []


def test_a_shard_that_always_fails_is_tried_three_times_alone_and_named(tmp_path: Path) -> None:
    progress_file = board_in(tmp_path, 1)
    bad = SHARDS[1].name
    queue = queue_over(tmp_path)
    run(queue, functools.partial(fail_on, bad, tmp_path), progress_file)
    assert done(tmp_path) == [s.name for s in SHARDS if s.name != bad]
    ((shard, why),) = queue.failures
    assert (shard.name, why) == (bad, "no such luck")
    assert len((tmp_path / "attempts").read_text()) in (3, 4)


def test_no_batch_starts_after_enough_or_after_the_word_to_stop(tmp_path: Path) -> None:
    progress_file = board_in(tmp_path, 1)
    queue = WorkQueue(SHARDS, 1, is_done=lambda _: False, is_enough=lambda: progress_file.total().pages >= 2)
    run(queue, functools.partial(mark_done, tmp_path), progress_file)
    assert len(done(tmp_path)) == 2
    stopped = WorkQueue(SHARDS[2:], 1, is_done=lambda _: False, is_enough=lambda: False)
    run(stopped, functools.partial(stop_board, tmp_path), progress_file)
    assert len(done(tmp_path)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("may_fork", [False, True])
def test_killed_worker_is_replaced_told_and_costs_nothing(
    may_fork: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    progress_file = board_in(tmp_path, 2)
    queue = queue_over(tmp_path, 2)
    work = functools.partial(die_on, SHARDS[2].name, 2, tmp_path)
    restarts = run(queue, work, progress_file, 2, may_fork=may_fork)
    assert done(tmp_path) == [s.name for s in SHARDS]
    assert queue.failures == []
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("cedar: ")]
    assert said == [f"cedar: {restart}" for restart in restarts]
    assert [(r.cause, r.url, r.item, r.attempt) for r in restarts] == [
        ("killed by signal 9", "https://x/2", f"shard {SHARDS[2].name}", attempt) for attempt in (1, 2)
    ]
    assert [restart.rejected for restart in restarts] == [False, True]
    assert " while on https://x/2 (shard " in said[0]
    events = [r.__dict__["about"] for r in caplog.records if r.__dict__.get("event") == "worker restarted"]
    assert events == [restart.to_json() for restart in restarts]


@pytest.mark.parametrize("threads", [0, 1])
def test_workers_are_forked_only_off_a_process_without_other_threads(threads: int, tmp_path: Path) -> None:
    progress_file = board_in(tmp_path, 2)
    ended = threading.Event()
    others = [threading.Thread(target=ended.wait) for _ in range(threads)]
    for thread in others:
        thread.start()
    queue = queue_over(tmp_path, 2)
    work = functools.partial(tell, tmp_path)
    forked = sys.platform == "linux" and threading.active_count() == 1 and "obstore" not in sys.modules
    run(queue, work, progress_file, 2)
    ended.set()
    assert queue.failures == []
    assert (tmp_path / "told").read_text() == f"forked {forked}, ignores True, blocked 0"
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()


@pytest.mark.parametrize("isolated", [False, True])
def test_one_worker_that_cannot_be_forked_is_this_process_but_for_code_of_others(
    isolated: bool, tmp_path: Path
) -> None:
    progress_file, queue = board_in(tmp_path, 1), queue_over(tmp_path)
    # A command that has ended in this process may have left it deaf.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run(queue, functools.partial(tell, tmp_path), progress_file, may_fork=False, isolated=isolated)
    finally:
        signal.signal(signal.SIGINT, before)
    assert queue.failures == []
    assert (tmp_path / "told").read_text() == f"forked False, ignores {isolated}, blocked 0"


@pytest.mark.slow
def test_a_shard_that_kills_every_worker_is_given_up_and_named(tmp_path: Path) -> None:
    progress_file = board_in(tmp_path, 2)
    queue = queue_over(tmp_path, 2)
    work = functools.partial(die_on, SHARDS[2].name, 99, tmp_path)
    run(queue, work, progress_file, 2)
    assert done(tmp_path) == [s.name for s in SHARDS if s is not SHARDS[2]]
    ((shard, why),) = queue.failures
    assert shard is SHARDS[2]
    assert "killed by signal 9" in why


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_records_that_hold_workers_up_are_passed_over_and_the_others_go_on(
    workers: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other threads of this process are the test runner's, and are asleep.
    monkeypatch.setattr("cedar.pipelines.local.supervisor.can_fork", lambda *_: sys.platform == "linux")
    progress_file = board_in(tmp_path, workers)
    queue = queue_over(tmp_path, workers)
    bad = SHARDS[2].name
    work = functools.partial(hold_up_on, bad, tmp_path)
    restarts = run(queue, work, progress_file, workers, record_seconds=0.3)
    assert done(tmp_path) == [s.name for s in SHARDS]
    assert queue.failures == []
    assert {path.name for path in tmp_path.glob("passed over*")} == {f"passed over {bad} {n}" for n in (2, 4)}
    assert [(r.cause, r.url, r.item, r.rejected) for r in restarts] == [
        ("hung for over 0.3 s", f"https://x/{n}", f"shard {bad}", True) for n in (2, 4)
    ]
    assert capsys.readouterr().err.count("cedar: worker ") == 2


@pytest.mark.slow
def test_a_job_that_was_stopped_as_a_whole_loses_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress_file = board_in(tmp_path, 1)
    waited = supervisor.wait

    def stopped(*arguments: Any, **more: Any) -> Any:
        ready = waited(*arguments, timeout=0)
        if not ready:
            time.sleep(0.6)  # neither is at work: the worker sleeps, too
        return ready

    monkeypatch.setattr(supervisor, "_POLL_SECONDS", 0.1)
    monkeypatch.setattr(supervisor, "_PAUSE_SECONDS", 0.2)
    monkeypatch.setattr(supervisor, "wait", stopped)
    work = functools.partial(pause_on, SHARDS[2].name, 1.5, tmp_path)
    assert run(queue_over(tmp_path), work, progress_file, isolated=True, record_seconds=0.5) == ()
    assert done(tmp_path) == [s.name for s in SHARDS]


def test_the_word_to_stop_ends_workers_in_order(tmp_path: Path) -> None:
    progress_file = board_in(tmp_path, 2)
    queue = WorkQueue(SHARDS, 2, is_done=lambda _: False)

    def stop_when_at_work() -> None:
        while progress_file.total().records == 0:
            time.sleep(0.01)
        progress_file.stop()

    threading.Thread(target=stop_when_at_work, daemon=True).start()
    start = time.monotonic()
    run(queue, functools.partial(linger, 60.0), progress_file, 2)
    assert time.monotonic() - start < 30
    assert queue.failures == []


def test_by_default_there_is_a_worker_for_what_is_worth_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "cores", lambda: 4)

    def shards(number: int, length: int) -> list[Shard]:
        return [Shard(f"s{n}", f"/in/{n}", length, "1", 0, length) for n in range(number)]

    numbers = {
        (number, mib): workers_for(shards(number, mib << 20), None)
        for number in (1, 3, 9)
        for mib in (1, 16, 64)
    }
    assert numbers == {
        (1, 1): 1,
        (1, 16): 1,
        (1, 64): 1,
        (3, 1): 1,
        (3, 16): 2,
        (3, 64): 3,
        (9, 1): 1,
        (9, 16): 4,
        (9, 64): 4,
    }


def test_as_many_workers_as_are_wanted_but_at_most_one_a_shard() -> None:
    shards = [Shard(f"s{n}", f"/in/{n}", 1, "1", 0, 1) for n in range(3)]
    assert [workers_for(shards, wanted) for wanted in (1, 2, 3, 8)] == [1, 2, 3, 3]
    assert workers_for([], 8) == 1


_FIRST_START = """
import functools, signal, sys
from multiprocessing import util
from pathlib import Path

start = util.spawnv_passfds

def heard(path, arguments, descriptors):
    if "--multiprocessing-fork" in map(str, arguments):
        print(*sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
    return start(path, arguments, descriptors)

util.spawnv_passfds = heard
from tests.local import test_supervisor as of

folder = Path(sys.argv[1])
progress_file = of.board_in(folder, 1)
work = functools.partial(of.mark_done, folder)
of.run(of.queue_over(folder), work, progress_file, may_fork=False, isolated=True)
"""


def test_the_first_worker_that_is_a_fresh_process_meets_no_signal_while_it_starts(tmp_path: Path) -> None:
    run = [sys.executable, "-c", _FIRST_START, str(tmp_path)]
    said = subprocess.run(run, capture_output=True, text=True, check=True)
    assert said.stdout.split() == [str(int(signal.SIGINT)), str(int(signal.SIGTERM))]
    assert done(tmp_path) == [s.name for s in SHARDS]
