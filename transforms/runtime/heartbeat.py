"""How far local workers are, and the word to stop: counters in a file that all of them map.

Each worker owns a slot of running sums, of what it waits for, and of the record that it works on. The
launcher adds the slots up, and replaces a worker that a record holds up. The file's first byte is the word to
stop, at once (asked for at each record) or after the current shard.
"""

from __future__ import annotations

import mmap
import operator
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from transforms.model.books import RejectedError, RejectReason

_HEADER = 8
_AFTER_SHARD, _NOW = 1, 2


HELD_UP = "it held a worker up, which was replaced"
ENDED = "the worker process died on it twice"
"""Why records are rejected that are passed over."""


class StoppedError(Exception):
    """The user asked the run to stop; shards that are not committed will be read again."""


class Progress(NamedTuple):
    """Running sums over the shards that were worked on: input bytes, records, pages, rejects.

    `safe` are the pages of shards that are committed: what no kill takes away.
    """

    bytes_in: int = 0
    records: int = 0
    pages: int = 0
    rejects: int = 0
    safe: int = 0

    def __add__(self, other: Progress) -> Progress:  # type: ignore[override]
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


_SUMS = struct.Struct(f"={len(Progress._fields)}Q")
_SUM_BYTES = 8
_WAIT = struct.Struct("<16sd")
_SHARD = struct.Struct("<256s")  # the name of a file, which has 255 bytes at most
_RECORD = struct.Struct("<qqd")  # offset, number, since when it is worked on; 0 = it is not
_WAIT_AT = _SUMS.size
_SHARD_AT = _WAIT_AT + _WAIT.size
_RECORD_AT = _SHARD_AT + _SHARD.size
_SLOT_BYTES = _RECORD_AT + _RECORD.size
_NO_RECORD = _RECORD.pack(0, 0, 0.0)


class Board:
    """The mapped file, seen by the launcher or by one worker."""

    def __init__(self, path: str) -> None:
        self.path = path
        with Path(path).open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)
        self._words = memoryview(self._map).cast("Q")

    @staticmethod
    def create(path: str, slots: int) -> Board:
        """Return a new file for `slots` workers, all zero."""
        Path(path).write_bytes(bytes(_HEADER + slots * _SLOT_BYTES))
        return Board(path)

    @property
    def stopping(self) -> bool:
        """Whether the word to stop was given: no further shard is begun."""
        return self._map[0] != 0

    @property
    def stopping_now(self) -> bool:
        """Whether not even the current shards are to be finished."""
        return self._map[0] == _NOW

    def stop(self, *, after_shard: bool = False) -> None:
        """Give the word to stop, at once or after the current shards."""
        self._map[0] = max(self._map[0], _AFTER_SHARD if after_shard else _NOW)

    def add(self, slot: int, progress: Progress) -> None:
        """Add to the sums of `slot`, which only its own worker may do."""
        at = (_HEADER + slot * _SLOT_BYTES) // _SUM_BYTES
        for place, number in enumerate(progress, at):
            if number:  # two at most, as a rule, and this runs twice a record
                self._words[place] += number

    def total(self) -> Progress:
        """Return the sums over all slots."""
        total = Progress()
        for at in range(_HEADER, len(self._map), _SLOT_BYTES):
            total += Progress(*_SUMS.unpack_from(self._map, at))
        return total

    def wait(self, slot: int, wait: Wait | None) -> None:
        """Say what the worker of `slot` waits for; None = it has gone on."""
        why, until = (b"", 0.0) if wait is None else (wait.why.encode(), wait.until)
        _WAIT.pack_into(self._map, _HEADER + slot * _SLOT_BYTES + _WAIT_AT, why, until)

    def open_shard(self, slot: int, name: str) -> None:
        """Say which shard the worker of `slot` reads now."""
        _SHARD.pack_into(self._map, _HEADER + slot * _SLOT_BYTES + _SHARD_AT, name.encode())

    def begin_record(self, slot: int, offset: int, number: int) -> None:
        """Say which record of its shard the worker of `slot` works on from now on."""
        at = _HEADER + slot * _SLOT_BYTES + _RECORD_AT
        _RECORD.pack_into(self._map, at, offset, number, time.monotonic())

    def end_record(self, slot: int) -> None:
        """Say that the record has reached its file: what comes now is not its doing."""
        at = _HEADER + slot * _SLOT_BYTES + _RECORD_AT
        self._map[at : at + _RECORD.size] = _NO_RECORD

    def held_up(self, slot: int, seconds: float) -> RecordPlace | None:
        """Return the record that the worker of `slot` has worked on for longer than this; else None."""
        at = _HEADER + slot * _SLOT_BYTES
        offset, number, since = _RECORD.unpack_from(self._map, at + _RECORD_AT)
        if not since or time.monotonic() - since <= seconds:
            return None
        (name,) = _SHARD.unpack_from(self._map, at + _SHARD_AT)
        return RecordPlace(name.rstrip(b"\0").decode(), offset, number)

    def waits(self) -> list[Wait]:
        """Return what workers wait for now."""
        found = []
        for at in range(_HEADER, len(self._map), _SLOT_BYTES):
            why, until = _WAIT.unpack_from(self._map, at + _WAIT_AT)
            if why[:1] != b"\0":
                found.append(Wait(why.rstrip(b"\0").decode(), until))
        return found

    @property
    def slots(self) -> int:
        """Number of workers that it has room for."""
        return (len(self._map) - _HEADER) // _SLOT_BYTES

    def close(self) -> None:
        """Let go of the file."""
        self._words.release()
        self._map.close()


@dataclass(frozen=True, slots=True)
class Slot:
    """Which slot of which board, by its file, a worker's steps report to; pickles.

    Records are rejected that held a worker up before, or on which workers died: `passed_over` and `fatal`.
    With `one_by_one`, pages are worked on one at a time.
    """

    path: str
    index: int
    passed_over: frozenset[RecordPlace] = frozenset()
    fatal: frozenset[RecordPlace] = frozenset()
    one_by_one: bool = False

    def refusal(self, place: RecordPlace) -> RejectedError | None:
        """Return why a record is rejected unread, or None."""
        if place in self.passed_over:
            return RejectedError(RejectReason.TIME_LIMIT, HELD_UP)
        return RejectedError(RejectReason.EXTRACTOR_ERROR, ENDED) if place in self.fatal else None
