r"""The page guard: extraction in a child process that can be killed.

C code on hostile markup can hold a thread for minutes, and no signal handler or thread in Python stops it.
So extractors that build a tree run in a child with limits on CPU time and address space:

    Guard (in the worker)  --control-->  server: python -P -m cedar.transforms.guard   imports once
         \                                   \-- forks -->
          `------------- pages ------------------------->  child: extracts until it is killed or left

A page that costs its child is rejected, if the next child is well on a small page; else it is the machine
or the method that cannot work, which is a fault: the shard is not done, and is tried again.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import astuple, dataclass

from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime import guard_wire as wire
from cedar.transforms.runtime.guard_limits import GuardFaultError, GuardLimits
from cedar.transforms.runtime.guard_server import OUT_OF_MEMORY, TRIAL_PAGE
from cedar.transforms.runtime.processes import child_environment

EXTRACTORS = "cedar.transforms.extractors.registry:bind"
"""The factory of the extractors by name."""

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class _Death:
    """What a page is rejected for that cost its child, and how that died.

    `is_sure`: it was the page's doing, which need not be tried again.
    """

    reason: RejectReason
    detail: str
    is_sure: bool = False


class Guard:
    """Runs one method, with one set of options, on one page at a time.

    Args:
        arguments: of the factory; for the default the method's name, and its options as canonical
            JSON.
        factory: `module:function`; called in the child, it gives the function from page to extraction.
        with_html: whether the kept HTML is wanted; else it is not made.
        with_blocks: whether the blocks are.

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
        with_blocks: bool = False,
    ) -> None:
        parts = {"with_html": with_html, "with_blocks": with_blocks}
        self._arguments = (factory, json.dumps(arguments), json.dumps(parts))
        self._limits = limits
        self._granted = limits
        self._server: ServerProcess | None = None
        self._pages: socket.socket | None = None
        self._child_cpu = 0.0
        self.cpu_seconds = 0.0

    def extract(self, html: bytes) -> Extraction:
        """Extract from a page of valid UTF-8; the result has blocks if they were asked for.

        Raises RejectedError where the page went over a limit, or the method failed on it; GuardFaultError
        where the machine keeps the guard from working.
        """
        found = self._ask(html)
        if isinstance(found, _Death) and not found.is_sure:
            found = self._ask(html)
        # Whether a child works at all.
        if isinstance(found, _Death) and isinstance(trial := self._ask(TRIAL_PAGE), _Death):
            said = f"a page was stopped ({found.detail}), and after it a small one, too ({trial.detail})"
            raise self._fault(TrialFailedError(said))
        if isinstance(found, Extraction):
            return found
        raise RejectedError(found.reason, found.detail)

    def _ask(self, html: bytes) -> Extraction | RejectedError | _Death:
        pages = self._pages or self._spawn()
        try:
            wire.send(pages, html)
            answer = wire.receive_answer(pages, len(html))
            assert self._server is not None
            self._server.has_served = True
            self._spent(answer.cpu_seconds)
            if answer.leaves:
                self._bury()
            return answer.found
        except TimeoutError:
            self._bury()
            detail = f"{self._limits.wall_seconds:g} s of wall time"
            return _Death(RejectReason.TIME_LIMIT, detail, is_sure=True)
        except wire.MalformedAnswerError as error:
            self._bury()
            return _Death(RejectReason.EXTRACTOR_ERROR, f"the extractor's process talks nonsense: {error}")
        except (EOFError, ConnectionError):
            return self._verdict()
        except OSError as error:
            raise self._fault(error) from error

    def _spent(self, child_cpu: float) -> None:
        """Book what the child has spent in all its life."""
        self.cpu_seconds += max(0.0, child_cpu - self._child_cpu)
        self._child_cpu = child_cpu

    def _verdict(self) -> _Death:
        """Return what a page that cost its child gets.

        It is a fault to go over what the machine grants, where that is less than what is wanted.
        """
        status = self._bury()
        if status is None:
            return _Death(RejectReason.MEMORY_LIMIT, "killed by the system, twice")
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        granted, wanted = self._granted, self._limits
        if number == signal.SIGXCPU:
            if granted.cpu_seconds < wanted.cpu_seconds:
                raise self._fault(
                    f"a page takes over {granted.cpu_seconds:g} s of CPU time, all that this machine "
                    f"grants a process (ulimit -t), of the {wanted.cpu_seconds:g} s of --page-timeout"
                )
            return _Death(RejectReason.TIME_LIMIT, f"{wanted.cpu_seconds:g} s of CPU time", is_sure=True)
        if number == signal.SIGKILL:
            return _Death(RejectReason.MEMORY_LIMIT, "killed by the system, twice")
        if status == OUT_OF_MEMORY << 8:
            if granted.memory_bytes < wanted.memory_bytes:
                raise self._fault(
                    f"a page takes over {granted.memory_bytes // _MIB} MiB of memory, all that this machine "
                    f"grants a process (ulimit -v), of the {wanted.memory_bytes // _MIB} MiB of --page-memory"
                )
            detail = f"{wanted.memory_bytes // _MIB} MiB of address space"
            return _Death(RejectReason.MEMORY_LIMIT, detail, is_sure=True)
        died = signal.Signals(number).name if number else f"exit code {os.waitstatus_to_exitcode(status)}"
        return _Death(RejectReason.EXTRACTOR_ERROR, f"the extractor's process died: {died}")

    def _fault(self, what: str | Exception) -> GuardFaultError:
        self.close()
        of_method = isinstance(what, TrialFailedError)
        said = " ".join(str(what).split())
        return GuardFaultError(said if of_method else f"the page guard cannot work: {said}")

    def close(self) -> None:
        """Send child and server home."""
        if self._pages is not None:
            self._pages.close()
        if self._server is not None:
            self._server.close()
        self._server = self._pages = None

    def _spawn(self) -> socket.socket:
        """Have the server fork a child; returns our end of its socket."""
        if self._server is not None and self._server.has_served:
            try:
                return self._child_of(self._server)
            except ServerLostError:
                self.close()  # it did work here
        try:
            self._server = self._server or ServerProcess(self._arguments, self._limits)
            return self._child_of(self._server)
        except (ServerLostError, OSError) as error:
            raise self._fault(error) from error

    def _child_of(self, server: "ServerProcess") -> socket.socket:
        pages, self._granted = server.spawn()
        pages.settimeout(self._limits.wall_seconds)
        self._pages, self._child_cpu = pages, 0.0
        return pages

    def _bury(self) -> int | None:
        """Forget the child; its wait status, or None where the server is gone, too, which has worked here."""
        assert self._pages is not None
        assert self._server is not None
        self._pages.close()
        self._pages = None
        try:
            status, child_cpu = self._server.end_child()
        except ServerLostError as error:
            if not self._server.has_served:
                raise self._fault(error) from error
            self.close()
            return None
        self._spent(child_cpu)
        return status


_ANSWER_SECONDS = 120.0  # also while it starts, on a machine that is very busy
_LEAVING_SECONDS = 5.0
_MOST_SAID = 4096


class ServerLostError(Exception):
    """Raised where the server is gone, or cannot fork a child; says why where that is known."""


class TrialFailedError(ServerLostError):
    """Raised where the method, and no machine, is at fault: it ends its process, or never ends."""


class ServerProcess:
    """A server and its one child at a time, any of which has answered if `has_served`; raises OSError."""

    def __init__(self, arguments: tuple[str, ...], limits: GuardLimits) -> None:
        self.has_served = False
        self._control, theirs = socket.socketpair()
        self._control.settimeout(_ANSWER_SECONDS)
        # What it says before it can speak to us: a file without a name needs no reader.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server
        program = [sys.executable, "-P", "-m", "cedar.transforms.guard"]
        command = [*program, *arguments, json.dumps(astuple(limits))]
        # One thread is enough, and a process with more must not fork.
        one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        # Ctrl-C goes to the whole group of processes, and is none of its business from the beginning.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with theirs:
                self._process = subprocess.Popen(
                    command,
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=self._said,
                    env={**child_environment(), **one_thread},
                )
        except OSError:
            self._control.close()
            self._said.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def spawn(self) -> tuple[socket.socket, GuardLimits]:
        """Have it fork a child: where its pages go, and what they may cost.

        Raises ServerLostError where the server is gone or cannot.
        """
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [wire.SPAWN], [theirs.fileno()])
            child, cpu_seconds, memory_bytes = wire.CHILD.unpack(
                wire.receive_exactly(self._control, wire.CHILD.size)
            )
            if child == wire.NO_CHILD:
                raise ServerLostError(wire.receive(self._control).decode(errors="replace"))
        except (EOFError, ConnectionError, TimeoutError) as error:
            ours.close()
            raise self._lost(error) from error
        except (OSError, ServerLostError):
            ours.close()
            raise
        return ours, GuardLimits(cpu_seconds, memory_bytes)

    def end_child(self) -> tuple[int, float]:
        """End the child, unless it has ended; its wait status, and the CPU seconds of all its life.

        Raises ServerLostError where the server is gone.
        """
        try:
            self._control.sendall(wire.WAIT)
            status, cpu_seconds = wire.END.unpack(wire.receive_exactly(self._control, wire.END.size))
        except (EOFError, ConnectionError, TimeoutError) as error:
            raise self._lost(error) from error
        return status, cpu_seconds

    def close(self) -> None:
        """Send it home; it ends its child, which may be deep in C code."""
        self._control.close()
        try:
            self._process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _lost(self, error: Exception) -> ServerLostError:
        """Return the error that says in one line why the server is gone."""
        if isinstance(error, TimeoutError):
            return ServerLostError(f"it has not answered for {_ANSWER_SECONDS:g} s")
        try:
            code = self._process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            return ServerLostError("it has closed its socket")
        if code == -signal.SIGPROF:
            return TrialFailedError("the method does not come to an end on a small page")
        self._said.seek(max(0, self._said.seek(0, 2) - _MOST_SAID))
        lines = [line.strip() for line in self._said.read().decode(errors="replace").split("\n")]
        said = next((line for line in reversed(lines) if line not in ("", wire.TRYING)), "")
        died = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if wire.TRYING in lines:
            did = "the method ended its process" if code >= 0 else "the process of the method ended"
            return TrialFailedError(f"{did} on a small page ({died}){f': {said}' if said else ''}")
        return ServerLostError(f"{said} ({died})" if said else died)
