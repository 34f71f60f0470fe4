"""Runs that wait before their first commit until a test lets them go, so that it can look at them before."""

from __future__ import annotations

import contextlib
import subprocess
import sys
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
hold_commits(Path(sys.argv[1]))
from cedar.pipelines.cli import main
sys.exit(main(sys.argv[2:]))
"""


def hold_commits(go: Path) -> None:
    """Let the runs of this process wait before each commit until a file is there; another file says so."""
    commit = shard_writer.commit

    def held(*arguments: Any) -> Any:
        go.with_name("held").touch()
        while not go.exists():
            time.sleep(0.01)
        return commit(*arguments)

    shard_writer.commit = held


@contextlib.contextmanager
def held_run(
    tmp_path: Path, *command: str, forked: bool = True
) -> Iterator[tuple[ForkedRun | subprocess.Popen[str], Path]]:
    """A run that waits before its first commit until a file is there; and that file."""
    go, arguments = tmp_path / "go", [*command, "--workers", "1", "--quiet"]
    run: ForkedRun | subprocess.Popen[str]
    if not forked:
        program = [sys.executable, "-c", HELD, str(go), *arguments]
        run = subprocess.Popen(program, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    else:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shard_writer, "commit", shard_writer.commit)  # `hold_commits` is for the fork alone
            hold_commits(go)
            run = ForkedRun(*arguments)
    try:
        wait_until(go.with_name("held").exists, run)
        yield run, go
    finally:
        kill(run)
