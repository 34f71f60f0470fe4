"""Runs that are killed, with all that they have started."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import psutil

MOST_SECONDS = 60


def kill(process: subprocess.Popen[Any], *, launcher_only: bool = False) -> None:
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
        process.wait(MOST_SECONDS)
        wait_until_gone(started)
    process.wait(MOST_SECONDS)


def wait_until_gone(processes: Iterable[psutil.Process]) -> None:
    """Wait until processes have ended, and hold nothing any more."""
    deadline = time.monotonic() + MOST_SECONDS
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
