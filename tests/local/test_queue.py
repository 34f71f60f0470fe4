"""The queue of a local run: batches, and what is tried again after an error, a hang or a crash."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cedar.pipelines.local.queue import ATTEMPTS, Batch, Crash, Error, Hang, WorkQueue
from cedar.transforms.model.records import Shard
from cedar.transforms.runtime.progress_file import RecordPlace
from tests.helpers.elements import shard

SHARDS = tuple(shard(f"{number:05d}-00000000-000000000000-000000000100") for number in range(6))


def queue_of(shards: tuple[Shard, ...] = SHARDS[:1], *, batches_pages: bool = False) -> WorkQueue[Shard]:
    return WorkQueue(shards, 1, is_done=lambda _: False, batches_pages=batches_pages)


def taken(queue: WorkQueue[Shard]) -> Batch[Shard]:
    batch = queue.take()
    assert batch is not None
    return batch


def test_batches_share_the_work_out() -> None:
    shards = [shard(f"{n:05d}-00000000-000000000000-000000000100") for n in range(100)]
    queue = WorkQueue(shards, 2, is_done=lambda _: False)
    sizes = []
    while (batch := queue.take()) is not None:
        sizes.append(len(batch.items))
    assert sum(sizes) == 100
    assert max(sizes) == 12


def test_a_record_on_which_a_worker_hung_is_skipped_and_if_skipping_does_not_help_its_shard_fails() -> None:
    queue, place = queue_of(), RecordPlace(SHARDS[0].name, 7, 0)
    rejects = []
    while (batch := queue.take()) is not None:
        rejects.append(queue.requeue(batch, Hang(place)).rejects_record)
    assert rejects == [True, False, False, False]
    assert [item for item, _ in queue.failures] == [SHARDS[0]]


def test_a_record_on_which_two_workers_crashed_is_rejected() -> None:
    queue = queue_of()
    place, other = RecordPlace(SHARDS[0].name, 7, 0), RecordPlace(SHARDS[0].name, 9, 1)
    for at, rejects in ((place, False), (other, False), (place, True)):
        assert queue.requeue(taken(queue), Crash("it crashed", at)).rejects_record is rejects
    batch = taken(queue)
    assert batch.crashed_twice == {place}
    assert batch.attempt == 4
    # What kills workers between records, or on one that is rejected, fails its shard in the end.
    assert not queue.requeue(batch, Crash("it crashed", None)).rejects_record
    assert queue.take() is None
    assert [why for _, why in queue.failures] == ["it crashed"]


def test_pages_that_were_worked_on_together_are_tried_singly_before_one_is_blamed() -> None:
    place = RecordPlace(SHARDS[0].name, 7, 0)
    for fault in (Hang(place), Crash("it crashed", place)):
        queue = queue_of(batches_pages=True)
        result = queue.requeue(taken(queue), fault)
        batch = taken(queue)
        assert (result.rejects_record, batch.singly, batch.skip, batch.crashed_once) == (
            False,
            True,
            set(),
            set(),
        )


PLACES = st.builds(
    RecordPlace, st.sampled_from([s.name for s in SHARDS]), st.integers(0, 3), st.integers(0, 3)
)
FAULTS = st.one_of(
    st.just(Error("an error")),
    st.builds(Hang, PLACES),
    st.builds(Crash, st.just("a crash"), PLACES | st.none()),
)


@given(st.lists(st.none() | FAULTS, max_size=60), st.integers(1, 3), st.booleans(), st.data())
def test_every_item_is_done_or_failed_once_and_no_work_that_is_kept_is_repeated(
    faults: list[Error | Hang | Crash | None], workers: int, batches_pages: bool, data: st.DataObject
) -> None:
    done: set[Shard] = set()
    queue = WorkQueue(SHARDS, workers, is_done=done.__contains__, batches_pages=batches_pages)
    errors: Counter[Shard] = Counter()
    script = iter(faults)
    rejected: set[RecordPlace] = set()
    while (batch := queue.take()) is not None:
        assert batch.attempt == 1 or len(batch.items) == 1
        assert not done & set(batch.items)
        fault = next(script, None)
        if fault is None:
            done |= set(batch.items)
            continue
        kept = data.draw(st.sets(st.sampled_from(batch.items), max_size=len(batch.items)))
        done |= kept
        result = queue.requeue(batch, fault)
        assert set(result.retried) | set(result.failed) == set(batch.items) - kept
        assert not (result.retried and result.failed)
        if isinstance(fault, Error) and len(batch.items) == 1:
            errors[batch.items[0]] += 1
        if result.rejects_record:
            assert not isinstance(fault, Error)
            assert fault.place is not None
            rejected.add(fault.place)
    failed = [item for item, _ in queue.failures]
    assert len(failed) == len(set(failed))
    assert done | set(failed) == set(SHARDS)
    assert not done & set(failed)
    assert max(errors.values(), default=0) <= ATTEMPTS
