"""The progress of local workers, and the request to stop: counters in a file that all of them map.

Each worker owns a slot of running sums, of what it waits for, and of the record that it works on. The
launcher adds the slots up, and replaces a worker that hangs on a record. The file's first byte is the request
to stop, at once (it is looked at before each record) or after the current shard.
"""

import mmap
import operator
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cedar.transforms.model.books import RejectedError, RejectReason

_HEADER = 8
_AFTER_SHARD, _NOW = 1, 2


HUNG_WORKER = "it held a worker up, which was replaced"
CRASHED_WORKER = "the worker process died on it twice"
"""Why records are rejected unread."""


class StoppedError(Exception):
    """The user asked the run to stop; shards that are not committed will be read again."""


class Progress(NamedTuple):
    """Sums over the shards that were worked on: input bytes, records, pages, rejects.

    `committed_pages` are the pages of shards that are committed.
    """

    bytes_in: int = 0
    records: int = 0
    pages: int = 0
    rejects: int = 0
    committed_pages: int = 0

    def __add__(self, other: "Progress") -> "Progress":  # type: ignore[override]
        return Progress(*map(operator.add, self, other))


@dataclass(frozen=True, slots=True)
class Wait:
    """What a worker waits for, in a word of at most 16 letters, and until when (`time.monotonic`)."""

    why: str
    until: float


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """A record on its way through a worker: its shard's name, its member's offset, its number from 0."""

    shard: str
    offset: int
    number: int


_URL_BYTES = 1024
"""A longer URL is cut: it is shown to people."""

_RECORD = [("offset", "i8"), ("number", "i8"), ("since", "f8")]  # since 0: none is worked on
_SLOT = np.dtype(
    [
        ("sums", "u8", len(Progress._fields)),
        ("why", "S16"),
        ("until", "f8"),
        ("shard", "S256"),  # the name of a file, which has 255 bytes at most
        ("record", _RECORD),
        ("url", f"S{_URL_BYTES}"),
    ]
)


class ProgressFile:
    """The mapped file, as the launcher or one worker sees it."""

    def __init__(self, path: str) -> None:
        self.path = path
        with Path(path).open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self._slots = np.frombuffer(self._map, _SLOT, offset=_HEADER)
        self._sums, self._records = self._slots["sums"], self._slots["record"]
        self._urls = self._slots["url"]

    @staticmethod
    def create(path: str, slots: int) -> "ProgressFile":
        """Return a new file for `slots` workers, all zero."""
        Path(path).write_bytes(bytes(_HEADER + slots * _SLOT.itemsize))
        return ProgressFile(path)

    @property
    def stopping(self) -> bool:
        """Whether a stop was requested: no further shard is begun."""
        return self._map[0] != 0

    @property
    def stopping_now(self) -> bool:
        """Whether to stop without finishing even the current shards."""
        return self._map[0] == _NOW

    def stop(self, *, after_shard: bool = False) -> None:
        """Request a stop, at once or after the current shards."""
        self._map[0] = max(self._map[0], _AFTER_SHARD if after_shard else _NOW)

    def add(self, slot: int, progress: Progress) -> None:
        """Add to the sums of `slot`, which only its own worker may do."""
        for place, number in enumerate(progress):
            if number:  # two at most, as a rule, and this runs twice a record
                self._sums[slot, place] += number

    def total(self) -> Progress:
        """Return the sums over all slots."""
        return Progress(*self._sums.sum(axis=0).tolist())

    def wait(self, slot: int, wait: Wait | None) -> None:
        """Set what the worker of `slot` waits for; None = nothing."""
        of_slot = self._slots[slot]
        of_slot["why"], of_slot["until"] = ("", 0.0) if wait is None else (wait.why, wait.until)

    def open_shard(self, slot: int, name: str) -> None:
        """Set the shard that the worker of `slot` reads now."""
        self._slots["shard"][slot] = name.encode()

    def begin_record(self, slot: int, offset: int, number: int, *, url: str = "") -> None:
        """Set the record of its shard that the worker of `slot` works on from now on."""
        self._urls[slot] = url.encode("utf-8", "surrogatepass")
        self._records[slot] = (offset, number, time.monotonic())

    def end_record(self, slot: int) -> None:
        """Note that the record has reached its file: a hang or crash from here on is not its doing."""
        self._records["since"][slot] = 0.0

    def hung_record(self, slot: int, seconds: float, resumed_at: float = 0.0) -> RecordPlace | None:
        """Return the record that the worker of `slot` has worked on for longer than this; else None.

        Time before `resumed_at` (`time.monotonic`), when the job was stopped, does not count.
        """
        offset, number, since = self._records[slot].item()
        if not since or time.monotonic() - max(since, resumed_at) <= seconds:
            return None
        return RecordPlace(self._slots["shard"][slot].decode(), offset, number)

    def url(self, slot: int) -> str:
        """Return the URL of the last record that the worker of `slot` has begun; "" if none is known."""
        return bytes(self._urls[slot]).decode("utf-8", "replace")

    def shard(self, slot: int) -> str:
        """Return the name of the last shard that the worker of `slot` has opened; "" if none was."""
        return bytes(self._slots["shard"][slot]).decode()

    def waits(self) -> list[Wait]:
        """Return what workers wait for now."""
        waits = self._slots[["why", "until"]].tolist()
        return [Wait(why.decode(), until) for why, until in waits if why]

    @property
    def slots(self) -> int:
        """Number of slots."""
        return self._slots.size

    def close(self) -> None:
        """Unmap the file."""
        del self._slots, self._sums, self._records, self._urls
        self._map.close()


@dataclass(frozen=True, slots=True)
class WorkerSlot:
    """The slot that a worker's steps report to; pickles.

    Attributes:
        path: the progress file.
        index: the slot's number in it.
        skip: records on which a worker hung: they are rejected unread.
        crashed_on: records on which workers crashed: they are rejected unread.
        singly: whether pages are worked on one at a time.
    """

    path: str
    index: int
    skip: frozenset[RecordPlace] = frozenset()
    crashed_on: frozenset[RecordPlace] = frozenset()
    singly: bool = False

    def refusal(self, place: RecordPlace) -> RejectedError | None:
        """Return why a record is rejected unread, or None."""
        if place in self.skip:
            return RejectedError(RejectReason.TIME_LIMIT, HUNG_WORKER)
        if place in self.crashed_on:
            return RejectedError(RejectReason.EXTRACTOR_ERROR, CRASHED_WORKER)
        return None
