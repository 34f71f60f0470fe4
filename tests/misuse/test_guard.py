"""Machines on which the page guard cannot work, and users' files that it must not run."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pyarrow.dataset as ds
import pytest

from pipelines.sample.command import write_sample

SHADOWS = ("copy", "json", "lxml", "multiprocessing", "numpy", "pickle", "socket", "struct", "typing")
ROOT = Path(__file__).parents[2]
HANDMADE = ROOT / "tests" / "gold" / "handmade"


SCRIPT = """
import sys
from pipelines.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.warc.gz"
    with path.open("wb") as file:
        write_sample(file)
    return path


def cedar(
    *arguments: object, folder: Path, limits: Sequence[tuple[int, int]] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """The installed command, in a folder, under hard limits."""
    # Like the console script: a file elsewhere, whose own folder is on the path.
    script = folder / "bin" / "cedar"
    script.parent.mkdir(exist_ok=True)
    script.write_text(SCRIPT)

    def lower() -> None:
        for what, hard in limits:
            resource.setrlimit(what, (hard, hard))

    return subprocess.run(
        [sys.executable, script, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        preexec_fn=lower,
        capture_output=True,
        text=True,
        check=False,
    )


def rows(corpus: Path) -> int:
    return ds.dataset(corpus / "pages").count_rows()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "hard", "options"),
    [
        (resource.RLIMIT_CPU, 8, ()),
        (resource.RLIMIT_AS, 4_000_000 << 10, ("--page-memory", "8GiB")),
    ],
)
def test_pages_are_extracted_within_what_a_batch_system_grants(
    what: int, hard: int, options: tuple[str, ...], sample: Path, tmp_path: Path
) -> None:
    extract = ("extract", sample, "--output", "corpus", "--extractor", "cetd-ds", "--quiet")
    done = cedar(*extract, *options, folder=tmp_path, limits=[(what, hard)])
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(tmp_path / "corpus") == 5


@pytest.mark.slow
def test_a_guard_that_cannot_work_is_a_fault_in_one_line_and_the_next_run_does_what_is_left(
    sample: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    refusal = "if 'transforms.guard' in sys.orig_argv: sys.exit('no room for a guard')"
    (broken / "sitecustomize.py").write_text(f"import sys\n{refusal}\n")
    path = os.pathsep.join((str(broken), str(ROOT)))
    extract = ("extract", sample, "--output", "corpus", "--extractor", "cetd-ds", "--quiet")
    done = cedar(*extract, folder=tmp_path, PYTHONPATH=path)
    assert done.returncode == 1
    assert "the page guard cannot work: SystemExit: no room for a guard (exit code 1)" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list((tmp_path / "corpus" / "shards").glob("*"))
    assert cedar(*extract, folder=tmp_path).returncode == 0
    assert rows(tmp_path / "corpus") == 5


@pytest.mark.slow
def test_no_process_runs_files_of_the_current_folder(sample: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in SHADOWS:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name + ' '!r})")
    (folder / "page.html").write_text("<title>T</title><p>some words</p>")
    tree = ("--extractor", "cetd-ds")
    done = [
        cedar("extract", sample, "--output", tmp_path / "corpus", *tree, "--quiet", folder=folder),
        cedar("explain", "page.html", *tree, "--text", folder=folder),
        cedar("evaluate", HANDMADE, *tree, "--limit", 2, "--workers", 2, "--quiet", folder=folder),
    ]
    assert [run.stderr for run in done] == ["", "", ""]
    assert [run.returncode for run in done] == [0, 0, 0]
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_worker_of_an_evaluation_that_is_killed_is_replaced(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pipelines", "evaluate", HANDMADE, "--extractor", "keep-all"]
    options = ["--limit", "4", "--workers", "2", "--quiet", "--json", tmp_path / "r.json"]
    with subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True) as process:
        launcher = psutil.Process(process.pid)
        workers: list[psutil.Process] = []
        while not workers:
            workers = [p for p in launcher.children() if any("spawn_main" in word for word in p.cmdline())]
        workers[0].kill()
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    results = json.loads((tmp_path / "r.json").read_text())
    assert len({page["page"] for page in results["pages"]}) == len(results["pages"]) == 4


ORPHANING = """
import os, psutil, signal, threading
from transforms.runtime.guard import Guard
from transforms.runtime.guard_limits import GuardLimits

def end():
    (server,) = psutil.Process().children()
    print(server.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

threading.Timer(SECONDS, end).start()
Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content").extract(b"sleep")
"""


@pytest.mark.parametrize("seconds", [0.1, 1.5])  # while the server starts; while its child is at work
def test_a_guard_whose_worker_is_killed_ends_without_a_word(seconds: float) -> None:
    code = ORPHANING.replace("SECONDS", str(seconds))
    command = [sys.executable, "-c", code]
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, env=there
    )
    server = int(done.stdout)
    end = time.monotonic() + 10
    while psutil.pid_exists(server) and psutil.Process(server).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert done.stderr == ""
