"""A worker that is killed while it works: every command says so, where people and programs look."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from tests.helpers.crawl import write_warc

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

KILLS = """
import os, signal
from pathlib import Path

def kill_once(text: str) -> float:
    mark = Path(os.environ["KILLED"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 1.0
"""

KILLS_DEDUP = """
import os, signal, sys
from pathlib import Path
from cedar.pipelines.dedup import tables

write = tables.write_tables

def killed_once(*arguments):
    mark = Path(os.environ["KILLED"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return write(*arguments)

tables.write_tables = killed_once
from cedar.pipelines.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "kills.py").write_text(KILLS)
    killed = tmp_path / f"killed-{Path(command[-1]).name}"
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "KILLED": str(killed)},
        capture_output=True,
        text=True,
        check=True,
    )


def record_of(corpus: Path) -> dict[str, Any]:
    (path,) = (corpus / "runs").glob("*.json")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def test_extract_and_filter_tell_of_a_killed_worker_with_page_and_signal(tmp_path: Path) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    extract = ["-m", "cedar", "extract", f"{tmp_path}/in", "--metrics-file", f"{tmp_path}/cedar.prom"]
    filters = ["-m", "cedar", "filter", f"{tmp_path}/extracted", "--log-format", "json"]
    signal = ["--signal", "kept=kills:kill_once", "--workers", "1"]
    for command, name in ((extract, "extracted"), (filters, "filtered")):
        done = run(tmp_path, *command, *signal, "--output", f"{tmp_path}/{name}")
        (restart,) = record_of(tmp_path / name)["restarts"]
        assert (restart["worker"], restart["cause"], restart["attempt"]) == (1, "killed by signal 9", 1)
        assert restart["url"].startswith("https://")
        told = [line for line in done.stderr.splitlines() if "worker 1 restarted: " in line]
        assert re.search(
            r"worker 1 restarted: killed by signal 9 while on https://\S+ .*attempt 1\)", told[0]
        )
        assert "workers restarted" in done.stdout
        signal = ["--signal", "again=kills:kill_once", "--workers", "1"]
    events = [event for line in done.stderr.splitlines() if "event" in (event := json.loads(line))]
    (event,) = (event for event in events if event["event"] == "worker restarted")
    assert (event["cause"], event["url"]) == ("killed by signal 9", restart["url"])
    assert "\ncedar_run_worker_restarts 1\n" in (tmp_path / "cedar.prom").read_text()


def test_dedup_tells_of_a_killed_worker(tmp_path: Path) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    assert main(["extract", f"{tmp_path}/in", "--output", f"{tmp_path}/corpus", "--quiet"]) == 0
    arguments = ["dedup", f"{tmp_path}/corpus", "--workers", "1", "--output", f"{tmp_path}/unique"]
    done = run(tmp_path, "-c", KILLS_DEDUP, *arguments)
    (restart,) = json.loads((tmp_path / "unique" / "run.json").read_text())["restarts"]
    assert (restart["cause"], restart["item"]) == ("killed by signal 9", "step tables 0")
    assert "cedar: worker 1 restarted: killed by signal 9 (step tables 0, attempt 1)" in done.stderr
