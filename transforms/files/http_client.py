"""Requests over http: who asks, how fast, through what, and what is tried again.

A `Web` belongs to one process. What it may do is in `WebOptions`; what it has done is in `Web.fetched`.

How fast a host is asked stands in a small file that the processes of a run share under a lock; connections
are locks, so that those of a process that dies are free again. The arithmetic, in `HostPace`, is pure.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import random
import ssl
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import IO
from urllib.parse import urljoin, urlsplit

import urllib3
from urllib3.exceptions import (
    HTTPError,
    IncompleteRead,
    LocationParseError,
    NameResolutionError,
    NewConnectionError,
    ProtocolError,
    SSLError,
)
from urllib3.exceptions import TimeoutError as TimedOutError

from cedar.transforms.files.http_options import (
    Limits,
    NotHadError,
    RetryLimits,
    TransientError,
    WebOptions,
    check_url,
)
from cedar.transforms.model._cost import Cost, clock
from cedar.transforms.model.books import Fetched

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

    def refused(self, now: float, sent: float) -> HostPace:
        """Note that the host refuses: all stop, for twice as long as the last time.

        Of requests that were `sent` before the pause began, and so were under way together, one counts.
        """
        since = sent if self.refused_since is None else self.refused_since
        if self.pause and sent < self.paused_until:
            return replace(self, refused_since=since)
        pause = min(_LONGEST_PAUSE, self.pause * 2) if self.pause else _FIRST_PAUSE
        return replace(self.slowed(now), paused_until=now + pause, pause=pause, refused_since=since)

    def answered(self, _: float) -> HostPace:
        """Note that the host answered as one would wish."""
        return replace(self, pause=0.0, refused_since=None)


Sleep = Callable[[float, str], None]
"""Waits this many seconds, because of something that a word names; may raise to end all waiting."""


class Pace:
    """The pace of all hosts, which the processes of a run share in a directory; it is made if need be.

    So do they share the clock.
    """

    def __init__(self, directory: Path, limits: Limits, now: Callable[[], float], sleep: Sleep) -> None:
        self._directory = directory
        self._limits = limits
        self._now = now
        self._sleep = sleep
        directory.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def turn(self, host: str) -> Iterator[None]:
        """Wait until a request to `host` may be sent, and hold one of its connections; raise RefusedError."""
        with self._connection(host):
            most = self._limits.requests_per_second
            wait, why = self.change(host, lambda pace, now: pace.promise(now, most)).wait, "pace"
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
        """Change what is known of a host, under a lock; returns what is known of it now."""
        with self._file(host, "pace") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            text, now = file.read(), self._now()
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
                self._sleep(_LOOK_SECONDS, "connections")
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


_PROJECT = "the Python package cedar-corpus"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
_COMPLAINTS = frozenset({403, 429, 503})
"""Statuses that say that requests come too fast."""

_LONGEST_WAIT = 60.0
_LONGEST_ASKED_WAIT = 300.0
_PROGRESS = 1 << 20
"""Bytes after which all that went wrong before is forgotten."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The head of an answer, and its body, which is still to be read."""

    status: int
    headers: Mapping[str, str]
    body: urllib3.BaseHTTPResponse
    sent: float
    close: Callable[[], None]


class RetryState:
    """What one file has left of its limits: 1 MiB of progress gives all of it back.

    `now` is a clock in seconds, `jitter` gives a number from [0, 1): so that those who failed together do not
    come back together.
    """

    def __init__(
        self, retry_limits: RetryLimits, now: Callable[[], float], jitter: Callable[[], float]
    ) -> None:
        self._retry_limits = retry_limits
        self._now = now
        self._jitter = jitter
        self._failed = 0
        self._since = 0.0
        self._progress = 0

    def progress(self, count: int) -> None:
        """Count bytes that were delivered."""
        if self._failed:
            self._progress += count
            if self._progress >= _PROGRESS:
                self._failed = 0

    def wait_after(self, fault: TransientError) -> float:
        """Tell the seconds to wait before the next attempt; raise OSError where it was tried for long enough.

        They double from 1 to 60, times a number from [0.5, 1), but are never under 1, nor under what the
        server asks for (at most 300).
        """
        now = self._now()
        if self._failed == 0:
            self._since, self._progress = now, 0
        self._failed += 1
        if self._failed >= self._retry_limits.attempts:
            raise OSError(f"{fault} (given up after {self._failed} attempts)") from fault
        if now - self._since >= self._retry_limits.seconds:
            minutes = (now - self._since) / 60
            raise OSError(f"{fault} (given up after {minutes:.0f} minutes without progress)") from fault
        wait = min(_LONGEST_WAIT, 2.0 ** (self._failed - 1)) * (0.5 + self._jitter() / 2)
        return max(1.0, wait, min(_LONGEST_ASKED_WAIT, fault.retry_after))


def sleep_silently(seconds: float, _: str) -> None:
    """Sleep without saying why."""
    time.sleep(seconds)


class Web:
    """Sends requests, one after another.

    Args:
        options: how they are sent.
        directory: where the processes of a run share the pace of hosts; None = this one is alone.
        sleep: waits, and says why; may raise to end all waiting. None = just waits.
        now: a clock that all processes share.

    Attributes:
        fetched: what has been fetched so far.
        spent: time spent so far on fetching, waiting included.
    """

    def __init__(
        self,
        options: WebOptions | None = None,
        directory: Path | None = None,
        sleep: Sleep | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.options = options or WebOptions()
        self.fetched = Fetched()
        self.spent = Cost()
        self._now = now
        self._sleep = sleep or sleep_silently
        self._directory = directory
        self._reached: set[str] = set()
        self._pools: dict[str, urllib3.PoolManager] = {}
        self._jitter = random.SystemRandom().random

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Count the time within as spent on fetching."""
        start = clock()
        try:
            yield
        finally:
            self.spent += clock() - start

    def retry_state(self) -> RetryState:
        """Return what may be borne for one file."""
        return RetryState(self.options.retry_limits, self._now, self._jitter)

    def wait_or_give_up(self, retry_state: RetryState, fault: TransientError) -> None:
        """Wait until a request may be sent again; raise OSError where it has been tried for long enough."""
        wait = retry_state.wait_after(fault)
        self.fetched += Fetched(retries={fault.cause: 1})
        self._wait(wait, fault.cause)

    def get(self, url: str, headers: Mapping[str, str]) -> HttpAnswer:
        """Send a request, when the pace allows, and follow redirects; refusals for haste are waited out.

        Raises TransientError where no answer came for a reason that may pass, OSError for another fault.
        """
        if self.options.offline:
            raise NotHadError(f"--offline: {_host(url)} is not contacted; leave out --offline to ask it")
        while True:
            answer = self._followed(url, headers)
            host = _host(url)
            if answer.status not in _COMPLAINTS:
                self._pace.change(host, HostPace.answered)
                return answer
            if answer.status != 403:
                self._pace.change(host, HostPace.slowed)
                return answer
            if not self.options.is_patient(url):
                return answer
            answer.close()
            self.fetched += Fetched(retries={"403": 1})
            self._pace.change(host, functools.partial(HostPace.refused, sent=answer.sent))

    def _followed(self, url: str, headers: Mapping[str, str]) -> HttpAnswer:
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._sent(url, headers)
            if answer.status not in _REDIRECTS:
                return answer
            answer.close()
            url = _target(url, answer.headers.get("Location", ""))
        raise NotHadError(f"redirected more than {_MOST_REDIRECTS} times")

    def _sent(self, url: str, headers: Mapping[str, str]) -> HttpAnswer:
        host = _host(url)
        with contextlib.ExitStack() as held:
            held.enter_context(self._pace.turn(host))
            self.fetched += Fetched(requests=1)
            sent = self._now()
            with http_faults(first=host not in self._reached):
                response = self._pool(url).request(
                    "GET",
                    url,
                    headers={"Accept-Encoding": "identity", "User-Agent": self._agent, **headers},
                    preload_content=False,
                    decode_content=False,
                    redirect=False,
                    timeout=urllib3.Timeout(connect=self.options.timeouts[0], read=self.options.timeouts[1]),
                )
            # A connection is given back if all of it was read, else closed.
            held.callback(response.release_conn)
            held.callback(response.close)
            self._reached.add(host)
            return HttpAnswer(response.status, response.headers, response, sent, held.pop_all().close)

    def _pool(self, url: str) -> urllib3.PoolManager:
        """Return the connections to use: through a proxy, where the environment names one."""
        parts = urlsplit(url)
        proxy = urllib.request.getproxies().get(parts.scheme)
        if proxy is None or urllib.request.proxy_bypass(parts.netloc):
            proxy = ""
        elif "://" not in proxy:
            proxy = f"http://{proxy}"
        if proxy not in self._pools:
            make = functools.partial(urllib3.ProxyManager, proxy) if proxy else urllib3.PoolManager
            self._pools[proxy] = make(retries=False)
        return self._pools[proxy]

    @functools.cached_property
    def _pace(self) -> Pace:
        if self._directory is None:
            self._alone = tempfile.TemporaryDirectory(prefix="cedar-")  # there as long as this object
        directory = self._directory or Path(self._alone.name)
        return Pace(directory, self.options.limits, self._now, self._wait)

    @functools.cached_property
    def _agent(self) -> str:
        contact = f"; {self.options.contact}" if self.options.contact else ""
        return f"cedar-corpus/{version('cedar-corpus')} ({_PROJECT}{contact})"

    def _wait(self, seconds: float, why: str) -> None:
        self.fetched += Fetched(waited=seconds)
        self._sleep(seconds, why)


@contextlib.contextmanager
def http_faults(*, first: bool = False) -> Iterator[None]:
    """Turn the faults of urllib3 into `TransientError` or, where they will not pass, `NotHadError`.

    Before the `first` answer of a host a name that is not known is taken not to exist.
    """
    try:
        yield
    except SSLError as error:
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in error.args):
            raise NotHadError(f"the server's certificate is not valid: {error}") from error
        raise TransientError("connection", f"no safe connection: {error}") from error
    except NameResolutionError as error:
        if first:
            raise NotHadError("no such host") from error
        raise TransientError("connection", str(error)) from error
    except NewConnectionError as error:
        raise TransientError("connection", f"no connection: {error}") from error
    except (LocationParseError, UnicodeError) as error:
        raise NotHadError(f"not a valid URL: {error}") from error
    except TimedOutError as error:
        raise TransientError("stall", "the server stopped answering") from error
    except (IncompleteRead, ProtocolError) as error:
        raise TransientError("cut", f"the connection was cut: {error}") from error
    except HTTPError as error:
        raise TransientError("connection", str(error)) from error


def _target(at: str, location: str) -> str:
    """Return the URL that a redirect leads to; raise NotHadError where it may not be followed."""
    try:
        to = urljoin(at, location)
        check_url(to)
    except (ValueError, NotHadError) as error:
        raise NotHadError(f"redirected to what is not a URL: {location[:200]!r} ({error})") from error
    if at.startswith("https:") and not to.startswith("https:"):
        raise NotHadError(f"redirected from https to {to}")
    return to


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()
