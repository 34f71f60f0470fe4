"""What a program and all that it starts hold in memory, pages that they share counted once (PSS)."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil

_SHARE = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
_EVERY_SECONDS = 0.05


def peak_of(process: subprocess.Popen[bytes]) -> float:
    """Wait for a program to end; the most MiB that it held at a look, with its children. Linux only."""
    peak = 0
    root = psutil.Process(process.pid)
    while process.poll() is None:
        with suppress(psutil.NoSuchProcess):
            peak = max(peak, sum(map(kibibytes, [root, *root.children(recursive=True)])))
        time.sleep(_EVERY_SECONDS)
    return peak / 1024


def kibibytes(process: psutil.Process) -> int:
    """KiB that a process holds, of pages that it shares its part; 0 if it has ended."""
    try:
        found = _SHARE.search(Path(f"/proc/{process.pid}/smaps_rollup").read_text())
    except OSError:  # it has ended
        return 0
    return int(found[1]) if found else 0
