"""Ctrl-C and SIGTERM: heard for as long as a run lasts, handed on to the workers of the moment."""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType, TracebackType

from transforms.runtime.heartbeat import Board


class Stop:
    """The user's word to stop; a context manager that listens for it.

    Ctrl-C stops at once: shards that are not done will be read again. So does SIGTERM, or, where `drains`, it
    lets the current shards be finished. A second signal that asks for no more ends the process.

    Args:
        drains: SIGTERM is an end in order.
    """

    def __init__(self, *, drains: bool = False) -> None:
        self._drains = drains
        self._word = threading.Event()
        self._interrupted = False
        self._number = 0
        self._board: Board | None = None

    @property
    def asked(self) -> bool:
        """Whether the word was given."""
        return self._word.is_set()

    @property
    def interrupted(self) -> bool:
        """Whether the run is to stop at once: exit code 130."""
        return self._interrupted

    @property
    def by_key(self) -> bool:
        """Whether it was Ctrl-C."""
        return self._number == signal.SIGINT

    def wait(self, seconds: float) -> bool:
        """Sleep until the time is over or the word is given; whether it was."""
        return self._word.wait(seconds)

    def attach(self, board: Board | None) -> None:
        """Hand the word on to this board from now on, also if it was given before."""
        self._board = board
        self._tell()

    def __enter__(self) -> Stop:
        self._previous = {n: signal.signal(n, self._hear) for n in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _hear(self, number: int, _: FrameType | None) -> None:
        drain = self._drains and number == signal.SIGTERM
        if self._interrupted or (self.asked and drain):
            os._exit(128 + number)
        self._interrupted = not drain
        self._number = number
        self._word.set()
        self._tell()
        when = "after the current shards" if drain else "now"
        print(f"stopping {when}; shards that are done stay done", file=sys.stderr)  # noqa: T201

    def _tell(self) -> None:
        if self._board is not None and self.asked:
            self._board.stop(after_shard=not self._interrupted)
