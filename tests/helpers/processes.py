"""Runs that are killed, with all that they have started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import psutil

from cedar.pipelines.cli import main

MAX_SECONDS = 100
"""A machine that is very busy may need them; a test is ended after 120."""


class ForkedRun:
    """A command of Cedar in a fork of this process, which has imported all that it needs: a second saved.

    It answers as a Popen of text whose output is read once it has ended. It does not suit runs that use
    object stores, whose threads no fork has; threads that another test has left are not counted.
    """

    def __init__(self, *command: str) -> None:
        self.returncode: int | None = None
        self._out, self._errors = (tempfile.TemporaryFile("w+") for _ in range(2))  # noqa: SIM115
        self.pid = os.fork()
        if self.pid == 0:
            os._exit(self._run(command))

    def _run(self, command: tuple[str, ...]) -> int:
        """Run the command in the fork; return its exit code."""
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            sys.modules.pop("obstore", None)
            for number, file in ((1, self._out), (2, self._errors)):
                os.dup2(file.fileno(), number)
            sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
            return main(list(command))
        except BaseException:  # noqa: BLE001 - of a program under test; its reader sees it
            traceback.print_exc()
            return 1
        finally:
            sys.stdout.flush()
            sys.stderr.flush()

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float = MAX_SECONDS) -> int:
        deadline = time.monotonic() + timeout
        while self.poll() is None:
            assert time.monotonic() < deadline, "the run does not end"
            time.sleep(0.005)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, timeout: float = MAX_SECONDS) -> tuple[str, str]:
        self.wait(timeout)
        return _text_of(self._out), _text_of(self._errors)

    @property
    def errors(self) -> str:
        """What it has said on standard error so far."""
        return _text_of(self._errors)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def wait_until(holds: Callable[[], bool], process: ForkedRun | subprocess.Popen[Any]) -> None:
    """Wait until something holds; it has to when the run ends."""
    deadline = time.monotonic() + MAX_SECONDS
    while True:
        ended = process.poll() is not None
        if holds():
            return
        assert not ended, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def wait_for_shards(corpus: Path, number: int, process: ForkedRun) -> None:
    wait_until(lambda: len(list(corpus.glob("shards/*.json"))) >= number, process)


def _text_of(file: TextIO) -> str:
    # Its place stays as it is: the run writes there.
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode()


def kill(process: subprocess.Popen[Any] | ForkedRun, *, launcher_only: bool = False) -> None:
    """Kill a run, and wait until all its processes are gone, and so their locks.

    Args:
        process: its launcher.
        launcher_only: kill no more than that: what it has started notices, and ends by itself.
    """
    with suppress(psutil.NoSuchProcess):
        launcher = psutil.Process(process.pid)
        # It would start others meanwhile.
        launcher.suspend()
        started = launcher.children(recursive=True)
        launcher.kill()
        if not launcher_only:
            for one in started:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
        process.wait(MAX_SECONDS)
        wait_until_gone(started)
    process.wait(MAX_SECONDS)


def wait_until_gone(processes: Iterable[psutil.Process]) -> None:
    """Wait until processes have ended, and hold nothing any more."""
    deadline = time.monotonic() + MAX_SECONDS
    left = list(processes)
    while left := [one for one in left if _lives(one)]:
        assert time.monotonic() < deadline, f"left behind: {left}"
        time.sleep(0.005)


def _lives(process: psutil.Process) -> bool:
    try:
        # Of a zombie other threads may still be ending, and what is open is open until the last one has.
        return process.is_running() and (
            process.status() != psutil.STATUS_ZOMBIE or process.num_threads() > 1
        )
    except psutil.NoSuchProcess:
        return False
