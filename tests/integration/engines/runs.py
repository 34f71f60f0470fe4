"""Runs of the command in processes of their own, and what they leave behind."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import zstandard

from cedar.transforms.model.columns import TIME_COLUMNS
from tests.helpers.corpus import rows

ROOT = Path(__file__).parents[3]
JOB_SERVER = ROOT / "deploy" / "flink" / "target" / "job-server.jar"
EMBEDDED = (
    "--runner=FlinkRunner",
    "--flink_master=[local]",
    "--flink_version=1.19",
    f"--flink_job_server_jar={JOB_SERVER}",
    "--parallelism=2",
)


def extract(inputs: Path, corpus: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """Start `cedar extract`."""
    command = (sys.executable, "-m", "cedar", "extract", inputs, "--output", corpus)
    return start(*command, *options, **environment)


def start(*command: object, **environment: str) -> subprocess.Popen[str]:
    """Start a command of this project; its output is kept for `finish`."""
    return subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHON": sys.executable} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen[str], code: int = 0, seconds: float = 600) -> str:
    """Wait for a run; its output. Fails if it ends with another code."""
    output, _ = process.communicate(timeout=seconds)
    assert process.returncode == code, output[-4000:]
    return output


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 300) -> None:
    """Wait for something to become true while a process runs."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert process.poll() is None, process.communicate()[0][-4000:]
        assert time.monotonic() < deadline, "nothing of the kind happened"
        time.sleep(0.01)


def urls(corpus: Path) -> list[str]:
    """The URLs of all pages, in order."""
    found: list[str] = []
    for path in sorted(corpus.glob("pages/*.parquet")):
        # A file may be replaced between the listing and the reading.
        with contextlib.suppress(FileNotFoundError):
            found += pq.read_table(path, columns=["url"]).column("url").to_pylist()
    return sorted(found)


def rejects(corpus: Path) -> list[dict[str, Any]]:
    """All rows of the rejects in order of source and offset."""
    found: list[dict[str, Any]] = []
    for path in sorted(corpus.glob("rejects/*.parquet")):
        found += pq.read_table(path).to_pylist()
    return sorted(found, key=lambda row: (row["source"], row["offset"]))


def tables(folder: Path) -> list[list[dict[str, Any]]]:
    """The rows of each Parquet file below a folder."""
    return [pq.read_table(path).to_pylist() for path in sorted(folder.rglob("*.parquet"))]


def json_lines(folder: Path) -> list[list[dict[str, Any]]]:
    """The rows of each file of JSON lines in a folder, without times."""
    found: list[list[dict[str, Any]]] = []
    for path in sorted(folder.glob("*.jsonl.zst")):
        with path.open("rb") as file, zstandard.ZstdDecompressor().stream_reader(file) as lines:
            read = map(json.loads, lines.read().splitlines())
            found.append([{k: v for k, v in row.items() if k not in TIME_COLUMNS} for row in read])
    return found


def books(corpus: Path) -> dict[str, Any]:
    """What `run.json` says, without the times."""
    content: dict[str, Any] = json.loads((corpus / "run.json").read_text())
    return {key: value for key, value in content.items() if key != "seconds"}


def assert_same(corpus: Path, expected: Path, *, at_work: int = 0) -> None:
    """Two corpora hold the same rows and books; besides lie the leases of so many attempts at work alone."""
    assert rows(corpus) == rows(expected)
    assert rejects(corpus) == rejects(expected)
    assert books(corpus) == books(expected)
    assert books(corpus)["balanced"]
    found = names(corpus)
    leases = [name for name in found if name.startswith("_tmp/") and name.endswith(".lock")]
    assert len(leases) == at_work
    assert [name for name in found if name not in leases] == names(expected)


def names(corpus: Path) -> list[str]:
    """The files of a corpus but for the records of its runs."""
    files = (path.relative_to(corpus) for path in corpus.rglob("*") if path.is_file())
    return sorted(str(path) for path in files if path.parts[0] != "runs")
