"""How fast a host is asked, over all processes of a run: requests a second, connections, pauses.

What is known of a host stands in a small file that the processes of a run share under a lock; connections are
locks, so that those of a process that dies are free again. The arithmetic is in `HostPace`, which is pure.
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

from transforms.files.http_options import Limits

_BUCKET = 10.0
"""Requests that may be sent at once after a rest."""

_LEAST_RATE = 0.05
_CALM_SECONDS = 60.0
_FASTER = 1.1
_FIRST_PAUSE = 60.0
_LONGEST_PAUSE = 900.0
_REFUSED_SECONDS = 3600.0
_LOOK_SECONDS = 0.5


class RefusedError(OSError):
    """A host has refused all requests for an hour."""


@dataclass(frozen=True, slots=True)
class HostPace:
    """What is known of a host. Moments are seconds of one clock.

    Attributes:
        tokens: requests that may be sent at `counted_at`; below 0 they are promised already.
        counted_at: the moment of that count.
        rate: requests a second, now.
        changed_at: when the rate was last changed, or the host last complained.
        paused_at, paused_until: the last pause, [paused_at, paused_until).
        pause: its length; 0 = there was none, or an answer came since.
        refused_since: the first refusal since the last answer, or None.
    """

    tokens: float
    counted_at: float
    rate: float
    changed_at: float
    paused_at: float = 0.0
    paused_until: float = 0.0
    pause: float = 0.0
    refused_since: float | None = None

    @staticmethod
    def begin(now: float, rate: float) -> HostPace:
        """Nothing is known yet."""
        return HostPace(tokens=_BUCKET, counted_at=now, rate=rate, changed_at=now)

    def refused_for_long(self, now: float) -> bool:
        """Tell whether there has been nothing but refusals for an hour."""
        return self.refused_since is not None and now - self.refused_since >= _REFUSED_SECONDS

    @property
    def wait(self) -> float:
        """Seconds from the count until the request that was taken last may be sent."""
        return max(0.0, -self.tokens / self.rate)

    def promise(self, now: float, most: float) -> HostPace:
        """Take one request, which may be sent after `wait`.

        A minute without complaints brings the rate a tenth nearer to the `most` requests a second.
        """
        rate, changed_at = self.rate, self.changed_at
        while rate < most and now - changed_at >= _CALM_SECONDS:
            rate, changed_at = min(most, rate * _FASTER), changed_at + _CALM_SECONDS
        tokens = min(_BUCKET, self.tokens + (now - self.counted_at) * rate) - 1.0
        return replace(self, tokens=tokens, counted_at=now, rate=rate, changed_at=changed_at)

    def slowed(self, now: float) -> HostPace:
        """Note that the host complained: half as fast."""
        return replace(self, rate=max(_LEAST_RATE, self.rate / 2), changed_at=now)

    def refused(self, sent: float, now: float) -> HostPace:
        """Note that the host refuses: all stop, for twice as long as the last time.

        Of requests that were `sent` before the pause began, and so were under way together, one counts.
        """
        since = sent if self.refused_since is None else self.refused_since
        if self.pause and sent < self.paused_until:
            return replace(self, refused_since=since)
        pause = min(_LONGEST_PAUSE, self.pause * 2) if self.pause else _FIRST_PAUSE
        slowed = self.slowed(now)
        return replace(slowed, paused_at=now, paused_until=now + pause, pause=pause, refused_since=since)

    def answered(self) -> HostPace:
        """Note that the host answered as one would wish."""
        return replace(self, pause=0.0, refused_since=None)


Sleep = Callable[[float, str], None]
"""Waits this many seconds, because of something that a word names; may raise to end all waiting."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time: what it is, by a clock that all processes share, and how to let it go by."""

    now: Callable[[], float]
    sleep: Sleep


class Pace:
    """The pace of all hosts, which the processes of a run share in a directory; it is made if need be."""

    def __init__(self, directory: Path, limits: Limits, clock: Clock) -> None:
        self._directory = directory
        self._limits = limits
        self._clock = clock
        directory.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Wait until a request to `host` may be sent, and hold one of its connections; raise RefusedError."""
        with self._connection(host):
            most = self._limits.requests_per_second
            wait, why = self._change(host, lambda pace, now: pace.promise(now, most)).wait, "pace"
            while True:
                if wait:
                    self._clock.sleep(wait, why)
                wait, why = self._pause_left(host), "403"
                if not wait:
                    break
            yield

    def complained(self, host: str) -> None:
        """Ask the host at half the pace from now on."""
        self._change(host, HostPace.slowed)

    def refused(self, host: str, sent: float) -> None:
        """Have all stop asking the host for a while."""
        self._change(host, lambda pace, now: pace.refused(sent, now))

    def answered(self, host: str) -> None:
        """Note that the host answers again."""
        self._change(host, lambda pace, _: pace.answered())

    def _pause_left(self, host: str) -> float:
        now = self._clock.now()
        pace = self._change(host, lambda pace, _: pace)
        if pace.refused_for_long(now):
            raise RefusedError(f"{host} has refused all requests for an hour (403): try again tomorrow")
        return max(0.0, pace.paused_until - now)

    def _change(self, host: str, change: Callable[[HostPace, float], HostPace]) -> HostPace:
        """Change what is known of a host, under a lock; returns what is known of it now."""
        with self._file(host, "pace") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            text, now = file.read(), self._clock.now()
            most = self._limits.requests_per_second
            pace = change(HostPace(**json.loads(text)) if text else HostPace.begin(now, most), now)
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
                self._clock.sleep(_LOOK_SECONDS, "connections")
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
