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
class _ChildDeath:
    """Why a page that ended its child is rejected; if `is_sure`, a second try would end in the same way."""

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
        found = self._extract_once(html)
        if isinstance(found, _ChildDeath) and not found.is_sure:
            found = self._extract_once(html)
        if isinstance(found, Extraction):
            return found
        if isinstance(found, _ChildDeath):
            trial = self._extract_once(TRIAL_PAGE)
            if isinstance(trial, _ChildDeath):
                message = (
                    f"a page was stopped ({found.detail}), and after it a small one, too ({trial.detail})"
                )
                raise self._fault(TrialFailedError(message))
        raise RejectedError(found.reason, found.detail)

    def _extract_once(self, html: bytes) -> Extraction | RejectedError | _ChildDeath:
        pages = self._pages or self._start_child()
        try:
            wire.send(pages, html)
            answer = wire.receive_answer(pages, len(html))
            assert self._server is not None
            self._server.has_served = True
            self._add_cpu(answer.cpu_seconds)
            if answer.leaves:
                self._end_child()
            return answer.found
        except TimeoutError:
            self._end_child()
            detail = f"{self._limits.wall_seconds:g} s of wall time"
            return _ChildDeath(RejectReason.TIME_LIMIT, detail, is_sure=True)
        except wire.MalformedAnswerError as error:
            self._end_child()
            detail = f"the extractor's process talks nonsense: {error}"
            return _ChildDeath(RejectReason.EXTRACTOR_ERROR, detail)
        except (EOFError, ConnectionError):
            return self._explain_death()
        except OSError as error:
            raise self._fault(error) from error

    def _add_cpu(self, child_cpu: float) -> None:
        """Add the CPU time that the child has spent since the last call; `child_cpu` is all of its life."""
        self.cpu_seconds += max(0.0, child_cpu - self._child_cpu)
        self._child_cpu = child_cpu

    def _explain_death(self) -> _ChildDeath:
        """Return why the page that ended its child is rejected.

        Raises GuardFaultError if the page exceeds what this machine grants, which is less than the limit.
        """
        status = self._end_child()
        if status is None:
            return _ChildDeath(RejectReason.MEMORY_LIMIT, "killed by the system, twice")
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        granted, wanted = self._granted, self._limits
        if number == signal.SIGXCPU:
            if granted.cpu_seconds < wanted.cpu_seconds:
                raise self._fault(
                    f"a page takes over {granted.cpu_seconds:g} s of CPU time, all that this machine "
                    f"grants a process (ulimit -t), of the {wanted.cpu_seconds:g} s of --page-timeout"
                )
            return _ChildDeath(RejectReason.TIME_LIMIT, f"{wanted.cpu_seconds:g} s of CPU time", is_sure=True)
        if number == signal.SIGKILL:
            return _ChildDeath(RejectReason.MEMORY_LIMIT, "killed by the system, twice")
        if status == OUT_OF_MEMORY << 8:
            if granted.memory_bytes < wanted.memory_bytes:
                raise self._fault(
                    f"a page takes over {granted.memory_bytes // _MIB} MiB of memory, all that this machine "
                    f"grants a process (ulimit -v), of the {wanted.memory_bytes // _MIB} MiB of --page-memory"
                )
            detail = f"{wanted.memory_bytes // _MIB} MiB of address space"
            return _ChildDeath(RejectReason.MEMORY_LIMIT, detail, is_sure=True)
        died = signal.Signals(number).name if number else f"exit code {os.waitstatus_to_exitcode(status)}"
        return _ChildDeath(RejectReason.EXTRACTOR_ERROR, f"the extractor's process died: {died}")

    def _fault(self, what: str | Exception) -> GuardFaultError:
        self.close()
        message = " ".join(str(what).split())
        if isinstance(what, TrialFailedError):
            return GuardFaultError(message)
        return GuardFaultError(f"the page guard cannot work: {message}")

    def close(self) -> None:
        """End the child and the server."""
        if self._pages is not None:
            self._pages.close()
        if self._server is not None:
            self._server.close()
        self._server = self._pages = None

    def _start_child(self) -> socket.socket:
        """Have the server fork a child; return our end of its socket."""
        if self._server is not None and self._server.has_served:
            try:
                return self._fork_from(self._server)
            except ServerLostError:
                self.close()  # it did work here
        try:
            self._server = self._server or ServerProcess(self._arguments, self._limits)
            return self._fork_from(self._server)
        except (ServerLostError, OSError) as error:
            raise self._fault(error) from error

    def _fork_from(self, server: "ServerProcess") -> socket.socket:
        pages, self._granted = server.spawn()
        pages.settimeout(self._limits.wall_seconds)
        self._pages, self._child_cpu = pages, 0.0
        return pages

    def _end_child(self) -> int | None:
        """End the child and return its wait status; None if the server, which has worked, is gone too."""
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
        self._add_cpu(child_cpu)
        return status


_ANSWER_SECONDS = 120.0  # also while it starts, on a machine that is very busy
_EXIT_SECONDS = 5.0
_MAX_STDERR_BYTES = 4096


class ServerLostError(Exception):
    """Raised where the server is gone, or cannot fork a child; says why where that is known."""


class TrialFailedError(ServerLostError):
    """Raised where the method is at fault, not the machine: it ends its process, or never ends."""


class ServerProcess:
    """A server and its one child at a time; `has_served` once a child has answered. Raises OSError."""

    def __init__(self, arguments: tuple[str, ...], limits: GuardLimits) -> None:
        self.has_served = False
        self._control, theirs = socket.socketpair()
        self._control.settimeout(_ANSWER_SECONDS)
        # Its errors before it can answer: a file without a name needs no reader.
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server
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
                    stderr=self._stderr,
                    env={**child_environment(), **one_thread},
                )
        except OSError:
            self._control.close()
            self._stderr.close()
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
            raise self._why_lost(error) from error
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
            raise self._why_lost(error) from error
        return status, cpu_seconds

    def close(self) -> None:
        """End it; it ends its child, which may be deep in C code."""
        self._control.close()
        try:
            self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stderr.close()

    def _why_lost(self, error: Exception) -> ServerLostError:
        """Return the error that says in one line why the server is gone."""
        if isinstance(error, TimeoutError):
            return ServerLostError(f"it has not answered for {_ANSWER_SECONDS:g} s")
        try:
            code = self._process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return ServerLostError("it has closed its socket")
        if code == -signal.SIGPROF:
            return TrialFailedError("the method does not come to an end on a small page")
        self._stderr.seek(max(0, self._stderr.seek(0, 2) - _MAX_STDERR_BYTES))
        lines = [line.strip() for line in self._stderr.read().decode(errors="replace").split("\n")]
        messages = [line for line in lines if line not in ("", wire.TRYING)]
        died = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if wire.TRYING in lines:
            did = "the method ended its process" if code >= 0 else "the process of the method ended"
            message = f": {messages[-1]}" if messages else ""
            return TrialFailedError(f"{did} on a small page ({died}){message}")
        return ServerLostError(f"{messages[-1]} ({died})" if messages else died)
