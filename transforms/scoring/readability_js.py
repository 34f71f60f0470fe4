"""Mozilla's Readability: `peer:readability-js`, in node, as `make readability-js` installs it.

One node reads page after page and answers each in a line (`readability.mjs`). It would not start within the
limits of the page guard's child; it is killed and replaced after the same wall time, and has as much memory.
"""

import json
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cedar.transforms.extractors.extraction import NO_METRICS, Extraction
from cedar.transforms.extractors.options import About
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.runtime.guard_limits import GuardLimits

NAME = "peer:readability-js"

_PROGRAM = Path(__file__).with_name("readability.mjs")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadabilityJsOptions:
    """Options of `peer:readability-js`; raises ValueError where it cannot run."""

    directory: Annotated[str, About("where its `node_modules` is")] = ".venv-readability"

    def __post_init__(self) -> None:
        if shutil.which("node") is None:
            raise ValueError(f"{NAME} needs node, which is not here")
        if not Path(self.directory, "node_modules/@mozilla/readability").is_dir():
            raise ValueError(f"{NAME} is not in {self.directory}: make readability-js (in a checkout)")


def lines_of(html: str) -> str:
    """Return the text of what was kept as HTML: a line for each piece of text, so that none are fused."""
    import lxml.html

    return "\n".join(lxml.html.fromstring(html).itertext()) if html.strip() else ""


class Node:
    """Runs it on one page at a time, as `Guard` runs other methods; `cpu_seconds` are what node says."""

    def __init__(self, directory: str, limits: GuardLimits) -> None:
        memory, work_for = f"--max-old-space-size={limits.memory_bytes >> 20}", str(os.getpid())
        self._command = ["node", memory, str(_PROGRAM), str(Path(directory).resolve()), work_for]
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self.cpu_seconds = 0.0

    def extract(self, html: bytes) -> Extraction:
        """Extract from a page of valid UTF-8; raise RejectedError where it fails or takes too long."""
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
        return Extraction(lines_of(answer["html"]), None, None, NO_METRICS, tuple)

    def close(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
