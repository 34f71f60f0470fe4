"""The queue of shards and the processes that work it off."""

from __future__ import annotations

import contextlib
import functools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.local import workers as local_run
from cedar.pipelines.local.workers import Alone, LocalRun, Work, WorkQueue, run_workers, workers_for
from cedar.transforms.model.records import Shard
from cedar.transforms.runtime.heartbeat import Board, Progress, RecordPlace
from tests.elements import shard
from tests.local.work import die_on, fail_on, hold_up_on, linger, mark_done, stop_board, tell

SHARDS = tuple(shard(f"{number:05d}-00000000-000000000000-000000000100") for number in range(6))


def work_off(
    queue: WorkQueue[Shard],
    work: Work[Shard],
    board: Board,
    workers: int = 1,
    alone: Alone | None = None,
    **more: Any,
) -> None:
    """Work a queue off; workers may be forked within `alone`."""
    may_fork = alone is not None
    run = LocalRun(work=work, is_done=lambda _: False, workers=workers, quiet=True, may_fork=may_fork, **more)
    run_workers(queue, run, board, alone or contextlib.nullcontext)


def queue_over(directory: Path, workers: int = 1, shards: Sequence[Shard] = SHARDS) -> WorkQueue[Shard]:
    return WorkQueue(shards, workers, is_done=lambda s: (directory / s.name).exists())


def board_in(directory: Path, slots: int) -> Board:
    return Board.create(str(directory / "board"), slots)


def done(directory: Path) -> list[str]:
    return sorted(s.name for s in SHARDS if (directory / s.name).exists())


def test_everything_is_done_and_reported(tmp_path: Path) -> None:
    board = board_in(tmp_path, 1)
    queue = queue_over(tmp_path)
    work_off(queue, functools.partial(mark_done, tmp_path), board)
    assert done(tmp_path) == [s.name for s in SHARDS]
    assert board.total() == Progress(pages=6)
    assert queue.failures == []


def test_a_shard_that_always_fails_is_tried_three_times_alone_and_named(tmp_path: Path) -> None:
    board = board_in(tmp_path, 1)
    bad = SHARDS[1].name
    queue = queue_over(tmp_path)
    work_off(queue, functools.partial(fail_on, bad, tmp_path), board)
    assert done(tmp_path) == [s.name for s in SHARDS if s.name != bad]
    ((shard, why),) = queue.failures
    assert (shard.name, why) == (bad, "no such luck")
    assert len((tmp_path / "attempts").read_text()) in (3, 4)


def test_no_batch_starts_after_enough_or_after_the_word_to_stop(tmp_path: Path) -> None:
    board = board_in(tmp_path, 1)
    queue = WorkQueue(SHARDS, 1, is_done=lambda _: False, is_enough=lambda: board.total().pages >= 2)
    work_off(queue, functools.partial(mark_done, tmp_path), board)
    assert len(done(tmp_path)) == 2
    stopped = WorkQueue(SHARDS[2:], 1, is_done=lambda _: False, is_enough=lambda: False)
    work_off(stopped, functools.partial(stop_board, tmp_path), board)
    assert len(done(tmp_path)) == 3


def test_batches_share_the_work_out() -> None:
    big = [shard(f"{n:05d}-00000000-000000000000-000000000100") for n in range(100)]
    queue = WorkQueue(big, 2, is_done=lambda _: False)
    sizes = []
    while (batch := queue.take()) is not None:
        sizes.append(len(batch.items))
    assert sum(sizes) == 100
    assert max(sizes) == 12


@pytest.mark.slow
@pytest.mark.parametrize("alone", [None, contextlib.nullcontext])
def test_killed_worker_is_replaced_and_costs_nothing(
    alone: Callable[[], contextlib.AbstractContextManager[None]] | None, tmp_path: Path
) -> None:
    board = board_in(tmp_path, 2)
    queue = queue_over(tmp_path, 2)
    work = functools.partial(die_on, SHARDS[2].name, 2, tmp_path)
    work_off(queue, work, board, 2, alone)
    assert done(tmp_path) == [s.name for s in SHARDS]
    assert queue.failures == []


@pytest.mark.parametrize("threads", [0, 1])
def test_workers_are_forked_only_off_a_process_without_other_threads(threads: int, tmp_path: Path) -> None:
    board = board_in(tmp_path, 2)
    ended = threading.Event()
    others = [threading.Thread(target=ended.wait) for _ in range(threads)]
    for thread in others:
        thread.start()
    queue = queue_over(tmp_path, 2)
    work = functools.partial(tell, tmp_path)
    forked = sys.platform == "linux" and threading.active_count() == 1 and "obstore" not in sys.modules
    work_off(queue, work, board, 2, contextlib.nullcontext)
    ended.set()
    assert queue.failures == []
    assert (tmp_path / "told").read_text() == f"forked {forked}, ignores True, blocked 0"
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()


@pytest.mark.parametrize("apart", [False, True])
def test_one_worker_that_cannot_be_forked_is_this_process_but_for_code_of_others(
    apart: bool, tmp_path: Path
) -> None:
    board, queue = board_in(tmp_path, 1), queue_over(tmp_path)
    # A command that has ended in this process may have left it deaf.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        work_off(queue, functools.partial(tell, tmp_path), board, 1, apart=apart)
    finally:
        signal.signal(signal.SIGINT, before)
    assert queue.failures == []
    assert (tmp_path / "told").read_text() == f"forked False, ignores {apart}, blocked 0"


@pytest.mark.slow
def test_a_shard_that_kills_every_worker_is_given_up_and_named(tmp_path: Path) -> None:
    board = board_in(tmp_path, 2)
    queue = queue_over(tmp_path, 2)
    work = functools.partial(die_on, SHARDS[2].name, 99, tmp_path)
    work_off(queue, work, board, 2)
    assert done(tmp_path) == [s.name for s in SHARDS if s is not SHARDS[2]]
    ((shard, why),) = queue.failures
    assert shard is SHARDS[2]
    assert "died (exit code -9)" in why


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_records_that_hold_workers_up_are_passed_over_and_the_others_go_on(
    workers: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other threads of this process are the test runner's, and are asleep.
    monkeypatch.setattr("cedar.pipelines.local.workers._can_fork", lambda *_: sys.platform == "linux")
    board = board_in(tmp_path, workers)
    queue = queue_over(tmp_path, workers)
    bad = SHARDS[2].name
    work = functools.partial(hold_up_on, bad, tmp_path)
    work_off(queue, work, board, workers, contextlib.nullcontext, record_seconds=0.3)
    assert done(tmp_path) == [s.name for s in SHARDS]
    assert queue.failures == []
    assert {path.name for path in tmp_path.glob("passed over*")} == {f"passed over {bad} {n}" for n in (2, 4)}
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" took")[0] for line in said] == [
        "cedar: the record at 200",
        "cedar: the record at 400",
    ]
    assert all(line.endswith(f"its worker replaced [shard {bad}]") for line in said)


def test_a_record_that_holds_workers_up_though_it_is_passed_over_fails_its_shard(tmp_path: Path) -> None:
    queue = queue_over(tmp_path, shards=SHARDS[:1])
    place = RecordPlace(SHARDS[0].name, 7, 0)
    held = 0
    while (batch := queue.take()) is not None:
        queue.held_up(batch, place)
        held += 1
    ((_, why),) = queue.failures
    assert held == 4  # once to be passed over, then as often as anything is tried
    assert why == "the record at 7 holds workers up though it is passed over"


def test_a_record_on_which_two_workers_died_is_passed_over(tmp_path: Path) -> None:
    queue = queue_over(tmp_path, shards=SHARDS[:1])
    place, other = RecordPlace(SHARDS[0].name, 7, 0), RecordPlace(SHARDS[0].name, 9, 1)
    for at, is_passed_over in ((place, False), (other, False), (place, True)):
        batch = queue.take()
        assert batch is not None
        assert queue.died(batch, "it died", at) is is_passed_over
    batch = queue.take()
    assert batch is not None
    assert batch.fatal == {place}
    # Whatever kills workers between records, or on one that is passed over, fails its shard in the end.
    assert not queue.died(batch, "it died", None)
    assert queue.take() is None
    assert [why for _, why in queue.failures] == ["it died"]


def test_the_word_to_stop_ends_workers_in_order(tmp_path: Path) -> None:
    board = board_in(tmp_path, 2)
    queue = WorkQueue(SHARDS, 2, is_done=lambda _: False)

    def stop_when_at_work() -> None:
        while board.total().records == 0:
            time.sleep(0.01)
        board.stop()

    threading.Thread(target=stop_when_at_work, daemon=True).start()
    start = time.monotonic()
    work_off(queue, functools.partial(linger, 60.0), board, 2)
    assert time.monotonic() - start < 30
    assert queue.failures == []


def test_by_default_there_is_a_worker_for_what_is_worth_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_run, "cores", lambda: 4)

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
from tests.local import test_workers as of

folder = Path(sys.argv[1])
board = of.board_in(folder, 1)
of.work_off(of.queue_over(folder), functools.partial(of.mark_done, folder), board, apart=True)
"""


def test_the_first_worker_that_is_a_fresh_process_meets_no_signal_while_it_starts(tmp_path: Path) -> None:
    run = [sys.executable, "-c", _FIRST_START, str(tmp_path)]
    said = subprocess.run(run, capture_output=True, text=True, check=True)
    assert said.stdout.split() == [str(int(signal.SIGINT)), str(int(signal.SIGTERM))]
    assert done(tmp_path) == [s.name for s in SHARDS]
