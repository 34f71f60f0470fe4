"""Ctrl-C and SIGTERM: handled from the first moment on, and passed on to the workers.

Light to import: it is imported before all else.
"""

import os
import signal
import threading
from types import FrameType
from typing import TYPE_CHECKING

from cedar.pipelines.common.terminal import info

if TYPE_CHECKING:
    from cedar.transforms.runtime.progress_file import ProgressFile


class StartupInterrupt:
    """Ctrl-C before a run has begun: a context manager that handles it, and raises `KeyboardInterrupt`.

    While a module is being imported it is only remembered, until `check`: the module could swallow it, or
    be left half made. A second Ctrl-C ends the process.
    """

    def __init__(self) -> None:
        self._heard = False

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed."""
        if self._heard:
            raise KeyboardInterrupt

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal; raise KeyboardInterrupt if nothing is being imported."""
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
    """The user's request to stop; a context manager that handles its signals.

    Ctrl-C stops at once: shards that are not done will be read again. So does SIGTERM; with
    `drain_on_sigterm` the current shards are finished first. A second signal that asks for no more ends the
    process. `note` says what becomes of the work that is done. A run that is `interrupted` stops at once,
    with exit code 130.
    """

    def __init__(
        self, *, drain_on_sigterm: bool = False, note: str = "; shards that are done stay done"
    ) -> None:
        self._drains = drain_on_sigterm
        self._note = note
        self._event = threading.Event()
        self.interrupted = False
        self._number = 0
        self._progress_file: ProgressFile | None = None

    @property
    def asked(self) -> bool:
        """Whether a stop was requested."""
        return self._event.is_set()

    @property
    def by_sigint(self) -> bool:
        """Whether it was Ctrl-C."""
        return self._number == signal.SIGINT

    def wait(self, seconds: float) -> bool:
        """Sleep until the time is over or a stop is requested; return whether it was."""
        return self._event.wait(seconds)

    def attach(self, progress_file: "ProgressFile | None") -> None:
        """Pass the request on to this progress file from now on, also one made before."""
        self._progress_file = progress_file
        self._pass_on()

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
        self._event.set()
        self._pass_on()
        when = "after the current shards" if drain else "now"
        info(f"stopping {when}{self._note}")

    def _pass_on(self) -> None:
        if self._progress_file is not None and self.asked:
            self._progress_file.stop(after_shard=not self.interrupted)
