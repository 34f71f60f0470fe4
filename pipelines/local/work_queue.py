"""What a run is still to do, in batches, and what could not be done: the queue that local workers share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from transforms.runtime.events import event
from transforms.runtime.heartbeat import RecordPlace

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


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """An item that could not be done, and why."""

    item: T
    message: str


class WorkQueue(Generic[T]):
    """What is still to be done, and what could not be.

    Args:
        items: all that is to be done.
        workers: how many will share it.
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
        self.failures: list[Failed[T]] = []
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
                self.failures.append(Failed(item, message))

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
