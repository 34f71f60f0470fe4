"""The queue of a local run: which items are worked on next, and which are tried again after a fault.

Pure: it starts no process and reads no clock.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from cedar.transforms.runtime.progress_file import RecordPlace

ATTEMPTS = 3
"""How often an item may end with an error before it has failed."""

_BATCH_BYTES = 64 << 20
_BATCH_ITEMS = 64


class Item(Protocol):
    """A unit of work: a shard, or a share of gold pages."""

    @property
    def name(self) -> str:
        """The name by which messages know it."""

    @property
    def length(self) -> int:
        """Bytes of input, by which batches are made."""


T = TypeVar("T", bound=Item)


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """Items that one worker works on in one pipeline.

    Attributes:
        attempt: how often these items were handed out, this time included.
        errors: how often they have ended with an error, each alone.
        skip: records on which a worker hung; they are rejected unread.
        crashed_once: records on which one worker crashed.
        crashed_twice: records on which two workers crashed; they are rejected unread.
        singly: pages are worked on one at a time, so that a hang or a crash shows which page it was.
    """

    items: tuple[T, ...]
    attempt: int = 1
    errors: int = 0
    skip: frozenset[RecordPlace] = frozenset()
    crashed_once: frozenset[RecordPlace] = frozenset()
    crashed_twice: frozenset[RecordPlace] = frozenset()
    singly: bool = False


@dataclass(frozen=True, slots=True)
class Error:
    """The work on a batch raised an exception."""

    message: str


@dataclass(frozen=True, slots=True)
class Hang:
    """A worker was on one record for too long."""

    place: RecordPlace


@dataclass(frozen=True, slots=True)
class Crash:
    """A worker process ended: on a record, or between two (None)."""

    message: str
    place: RecordPlace | None


@dataclass(frozen=True, slots=True)
class Requeued(Generic[T]):
    """The result of a fault: `retried` and `failed` items; whether its record is now rejected."""

    retried: tuple[T, ...] = ()
    failed: tuple[T, ...] = ()
    rejects_record: bool = False


class WorkQueue(Generic[T]):
    """Items still to be worked on, in batches, and the `failures`.

    Args:
        is_done: whether the work on an item is kept.
        is_enough: tells whether no further batch is started; if given, every item is a batch of its own.
        batches_pages: a worker works on several pages at once, unless a batch says singly.
    """

    def __init__(
        self,
        items: Sequence[T],
        workers: int,
        *,
        is_done: Callable[[T], bool],
        is_enough: Callable[[], bool] | None = None,
        batches_pages: bool = False,
    ) -> None:
        self.failures: list[tuple[T, str]] = []
        self._is_done = is_done
        self._is_enough = is_enough
        self._batches_pages = batches_pages
        # Each batch is a pipeline, a twelfth of a second; one worker has no other to share with.
        max_items = 1 if is_enough else _BATCH_ITEMS if workers == 1 else len(items) // (4 * workers)
        self._batches = deque(_make_batches(items, min(max(1, max_items), _BATCH_ITEMS)))

    def take(self) -> Batch[T] | None:
        """Return the next batch, or None if no batch is to be started."""
        if not self._batches or (self._is_enough is not None and self._is_enough()):
            return None
        return self._batches.popleft()

    def requeue(self, batch: Batch[T], why: Error | Hang | Crash) -> Requeued[T]:
        """Take back a batch after a fault; its unfinished items are tried again, each alone, or have failed.

        A record on which a worker hung, or on which two workers crashed, is rejected from then on. If several
        pages were worked on at once, the first hang or crash proves nothing: they are tried singly first.
        """
        if isinstance(why, Error):
            return self._requeue_after_error(batch, why.message)
        if self._batches_pages and not batch.singly:
            return self._requeue_unfinished(replace(batch, singly=True))
        if isinstance(why, Hang):
            return self._requeue_after_hang(batch, why.place)
        return self._requeue_after_crash(batch, why)

    def _requeue_after_error(self, batch: Batch[T], message: str) -> Requeued[T]:
        # An item that was in company is tried three more times, since the error may not have been its own.
        errors = batch.errors + 1 if len(batch.items) == 1 else 0
        if errors < ATTEMPTS:
            return self._requeue_unfinished(replace(batch, errors=errors))
        failed = self._unfinished(batch)
        self.failures += ((item, message) for item in failed)
        return Requeued(failed=failed)

    def _requeue_after_hang(self, batch: Batch[T], place: RecordPlace) -> Requeued[T]:
        if place in batch.skip:
            return self._requeue_after_error(batch, f"workers hang on the skipped record at {place.offset}")
        return self._requeue_unfinished(replace(batch, skip=batch.skip | {place}), rejects_record=True)

    def _requeue_after_crash(self, batch: Batch[T], crash: Crash) -> Requeued[T]:
        place = crash.place
        if place is None or place in batch.crashed_twice:
            return self._requeue_after_error(batch, crash.message)
        # A process may be killed from outside, on any record: one crash proves nothing.
        if place in batch.crashed_once:
            known = replace(batch, crashed_twice=batch.crashed_twice | {place})
            return self._requeue_unfinished(known, rejects_record=True)
        return self._requeue_after_error(
            replace(batch, crashed_once=batch.crashed_once | {place}), crash.message
        )

    def _unfinished(self, batch: Batch[T]) -> tuple[T, ...]:
        return tuple(item for item in batch.items if not self._is_done(item))

    def _requeue_unfinished(self, batch: Batch[T], *, rejects_record: bool = False) -> Requeued[T]:
        unfinished = self._unfinished(batch)
        for item in unfinished:
            self._batches.append(replace(batch, items=(item,), attempt=batch.attempt + 1))
        return Requeued(retried=unfinished, rejects_record=rejects_record)


def _make_batches(items: Sequence[T], max_items: int) -> list[Batch[T]]:
    batches: list[Batch[T]] = []
    group: list[T] = []
    size = 0
    for item in items:
        if group and (size + item.length > _BATCH_BYTES or len(group) >= max_items):
            batches.append(Batch(tuple(group)))
            group, size = [], 0
        group.append(item)
        size += item.length
    if group:
        batches.append(Batch(tuple(group)))
    return batches
