"""How fast hosts are asked: state that the processes of a run share in small files, under locks.

Connections are locks, so that the connections of a process that dies are free again. The arithmetic, in
`HostPace`, is pure.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO

from cedar.transforms.files.http_options import RateLimits

_BUCKET = 10.0
"""Requests that may be sent at once after a rest."""

_MIN_RATE = 0.05
_CALM_SECONDS = 60.0
_FASTER = 1.1
_FIRST_PAUSE = 60.0
_MAX_PAUSE = 900.0
_REFUSED_SECONDS = 3600.0
_POLL_SECONDS = 0.5


class RefusedError(OSError):
    """A host has refused all requests for an hour."""


@dataclass(frozen=True, slots=True)
class HostPace:
    """How fast a host may be asked. Moments are seconds of one clock.

    Attributes:
        tokens: requests that may be sent at `counted_at`; below 0 they are promised already.
        counted_at: the moment of that count.
        rate: requests a second, now.
        changed_at: when the rate was last changed, or the host last complained.
        paused_until: the end of the last pause.
        pause: its length; 0 = there was none, or an answer came since.
        refused_since: the first refusal since the last answer, or None.
    """

    tokens: float
    counted_at: float
    rate: float
    changed_at: float
    paused_until: float = 0.0
    pause: float = 0.0
    refused_since: float | None = None

    @staticmethod
    def begin(now: float, rate: float) -> HostPace:
        """Return the pace of a host that was never asked."""
        return HostPace(tokens=_BUCKET, counted_at=now, rate=rate, changed_at=now)

    def refused_for_long(self, now: float) -> bool:
        """Tell whether there has been nothing but refusals for an hour."""
        return self.refused_since is not None and now - self.refused_since >= _REFUSED_SECONDS

    @property
    def wait(self) -> float:
        """Seconds from the count until the request that was taken last may be sent."""
        return max(0.0, -self.tokens / self.rate)

    def promise(self, now: float, max_rate: float) -> HostPace:
        """Take one request, which may be sent after `wait`.

        A minute without complaints brings the rate a tenth nearer to `max_rate`, both in requests a second.
        """
        rate, changed_at = self.rate, self.changed_at
        while rate < max_rate and now - changed_at >= _CALM_SECONDS:
            rate, changed_at = min(max_rate, rate * _FASTER), changed_at + _CALM_SECONDS
        tokens = min(_BUCKET, self.tokens + (now - self.counted_at) * rate) - 1.0
        return replace(self, tokens=tokens, counted_at=now, rate=rate, changed_at=changed_at)

    def after_complaint(self, now: float) -> HostPace:
        """Note that the host complained: half as fast."""
        return replace(self, rate=max(_MIN_RATE, self.rate / 2), changed_at=now)

    def after_refusal(self, now: float, sent: float) -> HostPace:
        """Note that the host refuses: all stop, for twice as long as the last time.

        Of requests that were `sent` before the pause began, and so were under way together, one counts.
        """
        since = sent if self.refused_since is None else self.refused_since
        if self.pause and sent < self.paused_until:
            return replace(self, refused_since=since)
        pause = min(_MAX_PAUSE, self.pause * 2) if self.pause else _FIRST_PAUSE
        return replace(self.after_complaint(now), paused_until=now + pause, pause=pause, refused_since=since)

    def after_answer(self, _: float) -> HostPace:
        """Note that the host answered without a complaint."""
        return replace(self, pause=0.0, refused_since=None)


Sleep = Callable[[float, str], None]
"""Waits this many seconds, because of something that a word names; may raise to end all waiting."""


class Pace:
    """The pace of all hosts. The processes of a run share it in a directory, and share one clock.

    The directory is made if it is not there.
    """

    def __init__(
        self, directory: Path, limits: RateLimits, now: Callable[[], float], *, sleep: Sleep
    ) -> None:
        self._directory = directory
        self._limits = limits
        self._now = now
        self._sleep = sleep
        directory.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Wait until a request to `host` may be sent, and hold one of its connections; raise RefusedError."""
        with self._connection(host):
            max_rate = self._limits.requests_per_second
            wait, why = self.change(host, lambda pace, now: pace.promise(now, max_rate)).wait, "pace"
            while True:
                if wait:
                    self._sleep(wait, why)
                wait, why = self._pause_left(host), "403"
                if not wait:
                    break
            yield

    def _pause_left(self, host: str) -> float:
        now = self._now()
        pace = self.change(host, lambda pace, _: pace)
        if pace.refused_for_long(now):
            raise RefusedError(f"{host} has refused all requests for an hour (403): try again tomorrow")
        return max(0.0, pace.paused_until - now)

    def change(self, host: str, change: Callable[[HostPace, float], HostPace]) -> HostPace:
        """Change the pace of a host, under a lock; returns the new pace."""
        with self._file(host, "pace") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            text, now = file.read(), self._now()
            max_rate = self._limits.requests_per_second
            pace = change(HostPace(**json.loads(text)) if text else HostPace.begin(now, max_rate), now)
            file.seek(0)
            file.truncate()
            file.write(json.dumps(asdict(pace)).encode())
        return pace

    @contextlib.contextmanager
    def _connection(self, host: str) -> Iterator[None]:
        """Hold one of the connections that a host may have; waits until one is free."""
        with contextlib.ExitStack() as held:
            files = [held.enter_context(self._file(host, str(n))) for n in range(self._limits.connections)]
            while not any(map(_locked, files)):
                self._sleep(_POLL_SECONDS, "connections")
            yield

    def _file(self, host: str, what: str) -> IO[bytes]:
        path = self._directory / f"{hashlib.sha256(host.encode()).hexdigest()[:16]}.{what}"
        return open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")  # noqa: PTH123 - of a descriptor


def _locked(file: IO[bytes]) -> bool:
    """Lock a file, unless another has done so; whether it is ours now."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
