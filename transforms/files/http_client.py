"""Requests over HTTP: sent at the pace of their host, through a proxy if there is one, and retried.

A `Web` belongs to one process. `WebConfig` says how it asks; `Web.fetched` counts what it has done.
"""

from __future__ import annotations

import contextlib
import functools
import random
import ssl
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
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

from cedar.transforms.files.http_options import PermanentHttpError, WebConfig, check_url, without_secrets
from cedar.transforms.files.pace import HostPace, Pace, Sleep
from cedar.transforms.files.retry import Retries, TransientStorageError
from cedar.transforms.model.books import Fetched
from cedar.transforms.model.costs import Cost, clock

_PROJECT = "the Python package cedar-corpus"
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS = 5
_COMPLAINTS = frozenset({403, 429, 503})
"""Statuses that say that requests come too fast."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The head of an answer, and its body, which is still to be read."""

    status: int
    headers: Mapping[str, str]
    body: urllib3.BaseHTTPResponse
    sent: float
    close: Callable[[], None]


def sleep_silently(seconds: float, _: str) -> None:
    """Sleep without saying why."""
    time.sleep(seconds)


class Web:
    """Sends requests, one after another.

    Args:
        directory: where the processes of a run share the pace of hosts; None = this one is alone.
        sleep: waits, and says why; may raise to end all waiting. None = just waits.
        now: a clock that all processes share.

    Attributes:
        fetched: what has been fetched so far.
        spent: time spent so far on fetching, waiting included.
    """

    def __init__(
        self,
        options: WebConfig | None = None,
        directory: Path | None = None,
        sleep: Sleep | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.options = options or WebConfig()
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

    def retries(self) -> Retries:
        """Return a fresh budget of retries for one file."""
        return Retries(self.options.retry_policy, self._now, self._jitter)

    def wait_or_give_up(self, retries: Retries, fault: TransientStorageError) -> None:
        """Wait until a request may be sent again; raise OSError after the last attempt."""
        wait = retries.wait_after(fault)
        self.fetched += Fetched(retries={fault.cause: 1})
        self._wait(wait, fault.cause)

    def get(self, url: str, headers: Mapping[str, str]) -> HttpAnswer:
        """Send a request, when the pace allows, and follow redirects; refusals for haste are waited out.

        Raises TransientStorageError if there is no answer and a retry may help, OSError for another fault.
        """
        if self.options.offline:
            raise PermanentHttpError(
                f"--offline: {_server(url)} is not contacted; leave out --offline to ask it"
            )
        while True:
            answer = self._followed(url, headers)
            host = _server(url)
            if answer.status not in _COMPLAINTS:
                self._pace.change(host, HostPace.after_answer)
                return answer
            if answer.status != 403:
                self._pace.change(host, HostPace.after_complaint)
                return answer
            if not self.options.is_patient(url):
                return answer
            answer.close()
            self.fetched += Fetched(retries={"403": 1})
            self._pace.change(host, functools.partial(HostPace.after_refusal, sent=answer.sent))

    def _followed(self, url: str, headers: Mapping[str, str]) -> HttpAnswer:
        for _ in range(_MAX_REDIRECTS + 1):
            answer = self._sent(url, headers)
            if answer.status not in _REDIRECTS:
                return answer
            answer.close()
            url = _target(url, answer.headers.get("Location", ""))
        raise PermanentHttpError(f"redirected more than {_MAX_REDIRECTS} times")

    def _sent(self, url: str, headers: Mapping[str, str]) -> HttpAnswer:
        host = _server(url)
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
        return Pace(directory, self.options.limits, self._now, sleep=self._wait)

    @functools.cached_property
    def _agent(self) -> str:
        contact = f"; {self.options.contact}" if self.options.contact else ""
        return f"cedar-corpus/{version('cedar-corpus')} ({_PROJECT}{contact})"

    def _wait(self, seconds: float, why: str) -> None:
        self.fetched += Fetched(waited=seconds)
        self._sleep(seconds, why)


@contextlib.contextmanager
def http_faults(*, first: bool = False) -> Iterator[None]:
    """Turn the faults of urllib3 into `TransientStorageError`, or `PermanentHttpError` if no retry helps.

    Before the `first` answer of a host a name that is not known is taken not to exist.
    """
    try:
        yield
    except SSLError as error:
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in error.args):
            raise PermanentHttpError(f"the server's certificate is not valid: {error}") from error
        raise TransientStorageError(f"no safe connection: {error}", cause="connection") from error
    except NameResolutionError as error:
        if first:
            raise PermanentHttpError("no such host") from error
        raise TransientStorageError(str(error), cause="connection") from error
    except NewConnectionError as error:
        raise TransientStorageError(f"no connection: {error}", cause="connection") from error
    except (LocationParseError, UnicodeError) as error:
        raise PermanentHttpError(f"not a valid URL: {error}") from error
    except TimedOutError as error:
        raise TransientStorageError("the server stopped answering", cause="stall") from error
    except (IncompleteRead, ProtocolError) as error:
        raise TransientStorageError(f"the connection was cut: {error}", cause="cut") from error
    except HTTPError as error:
        raise TransientStorageError(str(error), cause="connection") from error


def _target(at: str, location: str) -> str:
    """Return the URL that a redirect leads to; raise PermanentHttpError where it may not be followed."""
    try:
        to = urljoin(at, location)
        check_url(to)
    except (ValueError, PermanentHttpError) as error:
        named = without_secrets(location)[:200]
        raise PermanentHttpError(f"redirected to a place that is no URL: {named!r} ({error})") from error
    if at.startswith("https:") and not to.startswith("https:"):
        raise PermanentHttpError(f"redirected from https to {without_secrets(to)}")
    return to


def _server(url: str) -> str:
    """Return the host of a URL with its port."""
    return urlsplit(url).netloc.lower()
