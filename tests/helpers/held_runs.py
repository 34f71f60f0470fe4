"""Runs that wait before a commit until a test lets them go; there it looks at them, or kills them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cedar.transforms.corpus import shard_writer
from tests.helpers.processes import ForkedRun, kill, wait_until

HELD = """
import sys
from pathlib import Path
from tests.helpers.held_runs import hold_commits
hold_commits(Path(sys.argv[1]), int(sys.argv[2]))
from cedar.pipelines.cli import main
sys.exit(main(sys.argv[3:]))
"""


def hold_commits(go: Path, after: int) -> None:
    """Let each process of a run wait before its commits until a file is there; another file says so.

    Args:
        go: the file that is waited for. A worker waits no longer than its launcher lives.
        after: number of commits of a process that do not wait.
    """
    commit, done = shard_writer.commit, 0

    def held(*arguments: Any) -> Any:
        nonlocal done
        if done >= after:
            go.with_name("held").touch()
            launcher = os.getppid()
            while not go.exists() and os.getppid() == launcher:
                time.sleep(0.01)
        done += 1
        return commit(*arguments)

    shard_writer.commit = held


@contextlib.contextmanager
def held_run(
    *command: str, after: int = 0, forked: bool = True
) -> Iterator[tuple[ForkedRun | subprocess.Popen[str], Path]]:
    """A quiet run of one worker that waits before a commit until a file is there; and that file.

    Args:
        command: its arguments, which may want more workers.
        after: number of commits of each worker before the one that waits.
        forked: it is no process of its own.
    """
    run: ForkedRun | subprocess.Popen[str]
    arguments = [command[0], "--workers", "1", "--quiet", *command[1:]]
    with tempfile.TemporaryDirectory() as folder:
        go = Path(folder, "go")
        if not forked:
            program = [sys.executable, "-c", HELD, str(go), str(after), *arguments]
            run = subprocess.Popen(program, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        else:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(shard_writer, "commit", shard_writer.commit)  # the fork alone waits
                hold_commits(go, after)
                run = ForkedRun(*arguments)
        try:
            wait_until(go.with_name("held").exists, run)
            yield run, go
        finally:
            kill(run)
