"""How far local workers are, and the word to stop: counters in a file that all of them map.

Each worker owns a slot of running sums, and of what it waits for; the launcher adds the slots up. The file's
first byte is the word to stop, at once (asked for at each record) or after the current shard. Nothing that is
written depends on it, and where a job runs on machines without a common disk there is none.
"""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass, fields
from pathlib import Path

_HEADER = 8
_AFTER_SHARD, _NOW = 1, 2


class StoppedError(Exception):
    """The user asked the run to stop; shards that are not committed will be read again."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Running sums over the shards that were worked on: input bytes, records, pages, rejects."""

    bytes_in: int = 0
    records: int = 0
    pages: int = 0
    rejects: int = 0

    def __add__(self, other: Progress) -> Progress:
        return Progress(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, slots=True)
class Wait:
    """What a worker waits for, in a word of at most 16 letters, and until when (`time.monotonic`)."""

    why: str
    until: float


_SUMS = struct.Struct(f"<{len(fields(Progress))}Q")
_WAIT = struct.Struct("<16sd")
_SLOT_BYTES = _SUMS.size + _WAIT.size


class Board:
    """The mapped file, seen by the launcher or by one worker."""

    def __init__(self, path: str) -> None:
        self.path = path
        with Path(path).open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)

    @staticmethod
    def create(path: str, slots: int) -> Board:
        """Return a new file with room for `slots` workers, all zero."""
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
        at = _HEADER + slot * _SLOT_BYTES
        # This runs twice a record; a sum of two Progress would ask for each field by name.
        bytes_in, records, pages, rejects = _SUMS.unpack_from(self._map, at)
        _SUMS.pack_into(
            self._map,
            at,
            bytes_in + progress.bytes_in,
            records + progress.records,
            pages + progress.pages,
            rejects + progress.rejects,
        )

    def total(self) -> Progress:
        """Return the sums over all slots."""
        total = Progress()
        for at in range(_HEADER, len(self._map), _SLOT_BYTES):
            total += Progress(*_SUMS.unpack_from(self._map, at))
        return total

    def wait(self, slot: int, wait: Wait | None) -> None:
        """Say what the worker of `slot` waits for; None = it has gone on."""
        why, until = (b"", 0.0) if wait is None else (wait.why.encode(), wait.until)
        _WAIT.pack_into(self._map, _HEADER + slot * _SLOT_BYTES + _SUMS.size, why, until)

    def waits(self) -> list[Wait]:
        """Return what workers wait for now."""
        found = []
        for at in range(_HEADER, len(self._map), _SLOT_BYTES):
            why, until = _WAIT.unpack_from(self._map, at + _SUMS.size)
            if why[:1] != b"\0":
                found.append(Wait(why.rstrip(b"\0").decode(), until))
        return found

    @property
    def slots(self) -> int:
        """Number of workers that it has room for."""
        return (len(self._map) - _HEADER) // _SLOT_BYTES

    def close(self) -> None:
        """Let go of the file."""
        self._map.close()


@dataclass(frozen=True, slots=True)
class Slot:
    """Which slot of which board a worker's steps report to; pickles as these two."""

    path: str
    index: int
