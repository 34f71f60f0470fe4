"""Mozilla's Readability, in node, as `nox -s readability_js` installs it.

One node reads page after page and answers each in a line (`readability.mjs`). It does not start within the
limits of the page guard's child; it is killed and replaced after the same wall time, and has as much memory.
"""

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime.guard_limits import GuardLimits
from cedar.transforms.scoring.peers import lines_of

_PROGRAM = Path(__file__).with_name("readability.mjs")


def check(directory: str) -> None:
    """Raise ValueError, with what to install, where it cannot run."""
    if shutil.which("node") is None:
        raise ValueError("readability-js needs node, which is not here")
    if not Path(directory, "node_modules/@mozilla/readability").is_dir():
        raise ValueError(f"readability-js is not in {directory}: nox -s readability_js")


class Node:
    """Runs it on one page at a time, as `Guard` runs other methods; `cpu_seconds` are what node says."""

    def __init__(self, directory: str, limits: GuardLimits) -> None:
        memory, work_for = f"--max-old-space-size={limits.memory_bytes >> 20}", str(os.getpid())
        self._command = ["node", memory, str(_PROGRAM), str(Path(directory).resolve()), work_for]
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self.cpu_seconds = 0.0

    def text(self, html: bytes) -> str:
        """The text of a page of valid UTF-8; raises RejectedError where it fails or takes too long."""
        pipe = subprocess.PIPE
        process = self._process or subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        self._process = process
        assert process.stdin
        assert process.stdout
        timer = threading.Timer(self._limits.wall_seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps(html.decode()).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
        except (BrokenPipeError, ValueError) as error:
            self.close()
            raise RejectedError(RejectReason.EXTRACTOR_ERROR, "node ended, or took too long") from error
        finally:
            timer.cancel()
        self.cpu_seconds += answer["cpu"]
        if answer["failure"]:
            raise RejectedError(RejectReason.EXTRACTOR_ERROR, answer["failure"])
        return lines_of(answer["html"])

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
