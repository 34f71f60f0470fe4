"""Ctrl-C and SIGTERM: heard from the first moment on, handed on to the workers of the moment.

Light to import: it comes before all else.
"""

import os
import signal
import threading
from types import FrameType
from typing import TYPE_CHECKING

from cedar.pipelines.common.terminal import info

if TYPE_CHECKING:
    from cedar.transforms.runtime.heartbeat import ProgressFile


class StartupInterrupt:
    """Ctrl-C before a run has begun: a context manager that hears it, and raises `KeyboardInterrupt`.

    While a module is being imported it is only remembered, until `check`: the module could swallow it, or
    be left half made. A second Ctrl-C ends the process.
    """

    def __init__(self) -> None:
        self._heard = False

    def check(self) -> None:
        """Say again that Ctrl-C was pressed, if it was; raise KeyboardInterrupt where it was."""
        if self._heard:
            raise KeyboardInterrupt

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Hear the signal; raise KeyboardInterrupt where nothing is being imported."""
        if self._heard:
            os._exit(128 + number)
        self._heard = True
        if not _is_importing(frame):
            raise KeyboardInterrupt

    def __enter__(self) -> "StartupInterrupt":
        # Only the main thread hears signals.
        self._hears = threading.current_thread() is threading.main_thread()
        if self._hears:
            self._previous = signal.signal(signal.SIGINT, self)
        return self

    def __exit__(self, *_: object) -> None:
        if self._hears:
            signal.signal(signal.SIGINT, self._previous)


def _is_importing(frame: FrameType | None) -> bool:
    """Tell whether the code at work is, or was called by, the import of a module."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


class StopRequest:
    """The user's word to stop; a context manager that listens for it.

    Ctrl-C stops at once: shards that are not done will be read again. So does SIGTERM; with
    `drain_on_sigterm` it lets the current shards be finished. A second signal that asks for no more ends the
    process. `note` says what becomes of the work that is done. A run that is `interrupted` is to stop at
    once: exit code 130.
    """

    def __init__(
        self, *, drain_on_sigterm: bool = False, note: str = "; shards that are done stay done"
    ) -> None:
        self._drains = drain_on_sigterm
        self._note = note
        self._word = threading.Event()
        self.interrupted = False
        self._number = 0
        self._board: ProgressFile | None = None

    @property
    def asked(self) -> bool:
        """Whether the word was given."""
        return self._word.is_set()

    @property
    def by_sigint(self) -> bool:
        """Whether it was Ctrl-C."""
        return self._number == signal.SIGINT

    def wait(self, seconds: float) -> bool:
        """Sleep until the time is over or the word is given; whether it was."""
        return self._word.wait(seconds)

    def attach(self, board: "ProgressFile | None") -> None:
        """Hand the word on to this board from now on, also if it was given before."""
        self._board = board
        self._tell()

    def __enter__(self) -> "StopRequest":
        earlier = signal.getsignal(signal.SIGINT)
        if isinstance(earlier, StartupInterrupt):
            earlier.check()
        self._previous = {n: signal.signal(n, self._hear) for n in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _hear(self, number: int, _: FrameType | None) -> None:
        drain = self._drains and number == signal.SIGTERM
        if self.interrupted or (self.asked and drain):
            os._exit(128 + number)
        self.interrupted = not drain
        self._number = number
        self._word.set()
        self._tell()
        when = "after the current shards" if drain else "now"
        info(f"stopping {when}{self._note}")

    def _tell(self) -> None:
        if self._board is not None and self.asked:
            self._board.stop(after_shard=not self.interrupted)
