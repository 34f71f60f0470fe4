r"""The page guard: extraction in a child process that can be killed.

C code on hostile markup can hold a thread for minutes, and no signal handler or thread in Python stops it.
So extractors that build a tree run in a child with limits on CPU time and address space:

    Guard (in the worker)  --control-->  server: python -m transforms.guard   imports once
         \                                   \-- forks -->
          `------------- pages ------------------------->  child: extracts until it is killed or left

The server is a fresh process without threads: forking a worker of Beam's, which has many, is not safe.
Each child has a socket of its own, so that nothing of a page that killed one can reach the next. A child
whose memory has grown leaves after that page, so that the next has all that it may take.
"""

from __future__ import annotations

import gc
import json
import math
import os
import pickle
import pkgutil
import resource
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, NoReturn

from transforms.extractors.extraction import Extraction, PageMetrics
from transforms.model.books import RejectedError, RejectReason

Method = Callable[[bytes], Extraction]

EXTRACTORS = "transforms.extractors.registry:bind"
"""The factory of the extractors by name."""

_LENGTH = struct.Struct("<q")
_END = struct.Struct("<qd")  # wait status, CPU seconds
_SPAWN, _WAIT = b"s", b"w"
_WALL_FACTOR = 6
_GROWTH_SHARE = 8  # a child leaves that has grown by this part of its memory
_OUT_OF_MEMORY = 77  # exit code
_PAGE_SIZE = resource.getpagesize()
_KIB = 1024
_DETAIL = 500  # characters of an error that are kept: it may hold half the page
_AT_ONCE = 64 << 10  # bytes of an answer that are asked for before its size is known

_metric_values = attrgetter(*(field.name for field in fields(PageMetrics)))

_Found = tuple[str, str | None, str | None, tuple[Any, ...], str | None]
"""Text, title, kept HTML, values of the metrics and fallback: what pickles much faster than our types."""


@dataclass(frozen=True, slots=True)
class GuardLimits:
    """What a page may cost.

    Attributes:
        cpu_seconds: CPU time, to the next whole second; wall time is limited to six times as much.
        memory_bytes: address space beyond what the idle child has.
    """

    cpu_seconds: float = 10.0
    memory_bytes: int = 512 << 20


DEFAULT_LIMITS = GuardLimits()


@dataclass(frozen=True, slots=True)
class _Reject:
    """Why there is no extraction."""

    reason: RejectReason
    detail: str


class Guard:
    """Runs one method, with one set of options, on one page at a time.

    Args:
        arguments: of the factory; for the default the method's name, and its options and the caps as
            canonical JSON.
        limits: what a page may cost.
        factory: `module:function`; called in the child, it gives the function from page to extraction.
        with_html: whether the kept HTML is wanted; else it is not made.

    Attributes:
        cpu_seconds: CPU time that the children spent on pages so far.
    """

    def __init__(
        self,
        arguments: tuple[str, ...],
        limits: GuardLimits,
        factory: str = EXTRACTORS,
        *,
        with_html: bool = True,
    ) -> None:
        self._arguments = (factory, json.dumps(arguments), json.dumps(with_html))
        self._limits = limits
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._pages: socket.socket | None = None
        self._child = 0
        self._child_cpu = 0.0
        self.cpu_seconds = 0.0

    def extract(self, html: bytes) -> Extraction:
        """Extract from a page of valid UTF-8; the result has no blocks.

        Raises:
            RejectedError: the page went over a limit, or the method failed on it.
        """
        for _ in range(2):
            found = self._ask(html)
            if isinstance(found, _Reject):
                raise RejectedError(found.reason, found.detail)
            if found is not None:
                text, title, kept_html, values, fallback = found
                make_html = None if kept_html is None else partial(str, kept_html)
                return Extraction(text, title, make_html, PageMetrics(*values), tuple, fallback)
        raise RejectedError(RejectReason.MEMORY_LIMIT, "killed by the system, twice")

    def _ask(self, html: bytes) -> _Found | _Reject | None:
        """Hand the page to the child; None where the system killed it, which need not be the page's fault."""
        pages = self._pages or self._spawn()
        found: _Found | _Reject
        try:
            _send(pages, html)
            found, leaves, cpu = pickle.loads(_receive_answer(pages))  # noqa: S301 - from our own child
        except TimeoutError:
            _kill(self._child)
            self._bury()
            wall = _WALL_FACTOR * self._limits.cpu_seconds
            return _Reject(RejectReason.TIME_LIMIT, f"{wall:g} s of wall time")
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return self._verdict(self._bury())
        self._spent(cpu)
        if leaves:
            self._bury()
        return found

    def _spent(self, child_cpu: float) -> None:
        """Book what the child has spent in all its life."""
        self.cpu_seconds += max(0.0, child_cpu - self._child_cpu)
        self._child_cpu = child_cpu

    def _verdict(self, status: int | None) -> _Reject | None:
        """What a page that cost its child gets; see `_ask`."""
        number = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else 0
        if status is None or number == signal.SIGKILL:
            return None
        if number == signal.SIGXCPU:
            detail = f"{self._limits.cpu_seconds:g} s of CPU time"
            return _Reject(RejectReason.TIME_LIMIT, detail)
        if status == _OUT_OF_MEMORY << 8:
            return _Reject(RejectReason.MEMORY_LIMIT, _memory_detail(self._limits))
        died = signal.Signals(number).name if number else f"exit code {os.waitstatus_to_exitcode(status)}"
        return _Reject(RejectReason.EXTRACTOR_ERROR, f"the extractor's process died: {died}")

    def close(self) -> None:
        """Send child and server home."""
        for end in (self._pages, self._control):
            if end is not None:
                end.close()
        if self._server is not None:
            if self._child:
                # It may be deep in C code, where it does not see that its socket is closed.
                _kill(self._child)
            self._server.wait()
        self._server = self._control = self._pages = None
        self._child = 0

    def _spawn(self) -> socket.socket:
        """Have the server fork a child; returns our end of its socket."""
        control = self._control or self._start_server()
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(control, [_SPAWN], [theirs.fileno()])
        (self._child,) = _LENGTH.unpack(_receive(control, _LENGTH.size))
        self._child_cpu = 0.0
        ours.settimeout(_WALL_FACTOR * self._limits.cpu_seconds)
        self._pages = ours
        return ours

    def _start_server(self) -> socket.socket:
        self._control, theirs = socket.socketpair()
        limits = json.dumps([self._limits.cpu_seconds, self._limits.memory_bytes])
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "transforms.guard", *self._arguments, limits],
                stdin=theirs.fileno(),
                # One thread is enough, and a process with more must not fork.
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(sys.path),
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                },
            )
        return self._control

    def _bury(self) -> int | None:
        """Forget the dead child; returns its wait status, or None where the server is gone, too."""
        assert self._pages is not None
        assert self._control is not None
        self._pages.close()
        self._pages = None
        self._child = 0
        try:
            self._control.sendall(_WAIT)
            status, child_cpu = _END.unpack(_receive(self._control, _END.size))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self.close()
            return None
        self._spent(child_cpu)
        return int(status)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _send(end: socket.socket, message: bytes) -> None:
    """The message with its length in front, in one call as far as it goes."""
    head = _LENGTH.pack(len(message))
    sent = end.sendmsg((head, message))
    if sent < len(head) + len(message):
        end.sendall(head[sent:])
        end.sendall(memoryview(message)[max(0, sent - len(head)) :])


def _receive_answer(end: socket.socket) -> bytes:
    """A message that `_send` sent, most often small, and taken in one call.

    Raises:
        EOFError: the other side is gone.
    """
    data = end.recv(_LENGTH.size + _AT_ONCE)
    if len(data) < _LENGTH.size:
        data += _receive(end, _LENGTH.size - len(data))
    (size,) = _LENGTH.unpack_from(data)
    missing = _LENGTH.size + size - len(data)
    return data[_LENGTH.size :] + (_receive(end, missing) if missing else b"")


def _receive(end: socket.socket, size: int) -> bytes:
    """Exactly `size` bytes.

    Raises:
        EOFError: the other side is gone.
    """
    data = end.recv(size, socket.MSG_WAITALL)
    if len(data) == size:
        return data
    parts, missing = [data], size - len(data)
    while missing:
        if not parts[-1]:
            raise EOFError
        parts.append(end.recv(missing, socket.MSG_WAITALL))
        missing -= len(parts[-1])
    return b"".join(parts)


def _serve(method: Method, limits: GuardLimits, *, with_html: bool) -> None:
    """The server: forks a child for each socket that it is handed, and says how the child ended."""
    with socket.socket(fileno=os.dup(0)) as control:
        child = 0
        while True:
            message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not message:
                if child:
                    # Only a child that was waited for counts in the CPU time of those above it.
                    os.waitpid(child, 0)
                return
            if message == _WAIT:
                _, status, used = os.wait4(child, 0)
                child = 0
                control.sendall(_END.pack(status, used.ru_utime + used.ru_stime))
                continue
            child = os.fork()
            if child == 0:
                control.close()
                _work(socket.socket(fileno=descriptors[0]), method, limits, with_html=with_html)
            os.close(descriptors[0])
            control.sendall(_LENGTH.pack(child))


def _work(pages: socket.socket, method: Method, limits: GuardLimits, *, with_html: bool) -> NoReturn:
    """The child: pages in, answers out, until the guard hangs up."""
    os.close(0)
    room = _address_space() + limits.memory_bytes
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    grown = used.ru_maxrss + limits.memory_bytes // _GROWTH_SHARE // _KIB
    set_end = 0
    try:
        while used.ru_maxrss <= grown:
            (size,) = _LENGTH.unpack(_receive(pages, _LENGTH.size))
            html = _receive(pages, size)
            end = math.ceil(used.ru_utime + used.ru_stime + limits.cpu_seconds)
            if end != set_end:  # a second has many pages
                resource.setrlimit(resource.RLIMIT_CPU, (end, hard))
                set_end = end
            found = _found(method, html, with_html=with_html)
            used = resource.getrusage(resource.RUSAGE_SELF)
            answer = found, used.ru_maxrss > grown, used.ru_utime + used.ru_stime
            _send(pages, pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except (EOFError, ConnectionResetError, BrokenPipeError):
        pass  # the guard has left, perhaps with an answer unread
    os._exit(0)


def _found(method: Method, html: bytes, *, with_html: bool) -> _Found | _Reject:
    """What the method makes of a page.

    Raises:
        MemoryError: the page takes more than it may.
    """
    try:
        found = method(html)
        kept_html = found.html if with_html else None
    except MemoryError:
        raise
    except RejectedError as error:
        return _Reject(error.reason, error.detail)
    except Exception as error:  # noqa: BLE001 - whatever a page does to an extractor is its own reject
        detail = f"{type(error).__name__}: {error}"
        return _Reject(RejectReason.EXTRACTOR_ERROR, detail[:_DETAIL])
    return found.text, found.title, kept_html, _metric_values(found.metrics), found.fallback


def _memory_detail(limits: GuardLimits) -> str:
    return f"{limits.memory_bytes >> 20} MiB of address space"


def _address_space() -> int:
    """Address space of this process in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * _PAGE_SIZE


def main(arguments: list[str]) -> None:
    """The server's program: factory, and as JSON its arguments, whether HTML is wanted, and the limits.

    Its stdin is the control socket.
    """
    # Ctrl-C goes to the whole group of processes; the guard says when to leave.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    factory, factory_arguments, with_html, limits = arguments
    method = pkgutil.resolve_name(factory)(*json.loads(factory_arguments))
    gc.freeze()  # all of this stays: children need not look it through, nor copy its pages
    _serve(method, GuardLimits(*json.loads(limits)), with_html=json.loads(with_html))


if __name__ == "__main__":
    # Imported anew: what is pickled here must be found under the module's name over there.
    from transforms.guard import main as guard_main

    guard_main(sys.argv[1:])
