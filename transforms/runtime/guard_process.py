"""The guard's server, as the guard sees it: a process that is started, asked for children, and sent home."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import astuple, dataclass

from transforms.runtime.guard_limits import GuardLimits
from transforms.runtime.guard_wire import CHILD, END, NO_CHILD, SPAWN, TRYING, WAIT, receive, receive_exactly
from transforms.runtime.processes import child_environment

_ANSWER_SECONDS = 120.0  # also while it starts, on a machine that is very busy
_LEAVING_SECONDS = 5.0
_MOST_SAID = 4096


class ServerLostError(Exception):
    """Raised where the server is gone, or cannot fork a child; says why where that is known."""


class TrialFailedError(ServerLostError):
    """Raised where the method, and no machine, is at fault: it ends its process, or never ends."""


@dataclass(frozen=True, slots=True)
class Child:
    """A child that is ready for pages."""

    pages: socket.socket
    granted: GuardLimits


class ServerProcess:
    """A server and its one child at a time, any of which has answered if `has_served`; raises OSError."""

    def __init__(self, arguments: tuple[str, ...], limits: GuardLimits) -> None:
        self.has_served = False
        self._control, theirs = socket.socketpair()
        self._control.settimeout(_ANSWER_SECONDS)
        # What it says before it can speak to us: a file without a name needs no reader.
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server
        command = [sys.executable, "-P", "-m", "transforms.guard", *arguments, json.dumps(astuple(limits))]
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

    def spawn(self) -> Child:
        """Have it fork a child; raise ServerLostError where it is gone or cannot."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [SPAWN], [theirs.fileno()])
            child, cpu_seconds, memory_bytes = CHILD.unpack(receive_exactly(self._control, CHILD.size))
            if child == NO_CHILD:
                raise ServerLostError(receive(self._control).decode(errors="replace"))
        except (EOFError, ConnectionError, TimeoutError) as error:
            ours.close()
            raise self._lost(error) from error
        except (OSError, ServerLostError):
            ours.close()
            raise
        return Child(ours, GuardLimits(cpu_seconds, memory_bytes))

    def end_child(self) -> tuple[int, float]:
        """End the child, unless it has ended; its wait status, and the CPU seconds of all its life.

        Raises ServerLostError where the server is gone.
        """
        try:
            self._control.sendall(WAIT)
            status, cpu_seconds = END.unpack(receive_exactly(self._control, END.size))
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
        said = next((line for line in reversed(lines) if line not in ("", TRYING)), "")
        died = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if TRYING in lines:
            did = "the method ended its process" if code >= 0 else "the process of the method ended"
            return TrialFailedError(f"{did} on a small page ({died}){f': {said}' if said else ''}")
        return ServerLostError(f"{said} ({died})" if said else died)
