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

SHADOWS = ("copy", "json", "lxml", "multiprocessing", "numpy", "pickle", "socket", "struct", "typing")
ROOT = Path(__file__).parents[2]
HANDMADE = ROOT / "tests" / "gold" / "handmade"


SCRIPT = """
import sys
from cedar.pipelines.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""


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
    refusal = "if 'cedar.transforms.guard' in sys.orig_argv: sys.exit('no room for a guard')"
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


KILLED_ONCE = """
import contextlib, os, signal, sys
if any("spawn_main" in word for word in sys.orig_argv):
    with contextlib.suppress(FileExistsError):
        os.mkdir(os.environ["KILLED"])
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_worker_of_an_evaluation_that_is_killed_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(KILLED_ONCE)
    command = ("evaluate", HANDMADE, "--extractor", "keep-all", "--limit", 4, "--workers", 2, "--quiet")
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    killed = str(tmp_path / "killed")
    done = cedar(*command, "--results", "r.json", folder=tmp_path, PYTHONPATH=path, KILLED=killed)
    assert done.returncode == 0
    assert done.stderr.startswith("cedar: worker ")
    assert "killed by signal 9" in done.stderr
    assert done.stderr.count("\n") == 1
    results = json.loads((tmp_path / "r.json").read_text())
    assert len({page["page"] for page in results["pages"]}) == len(results["pages"]) == 4


ORPHANING = """
import os, psutil, signal, threading, time
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardLimits

def end():
    started = []
    while len(started) < NUMBER:
        time.sleep(0.01)
        started = psutil.Process().children(recursive=True)
    print(started[0].pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

threading.Thread(target=end).start()
Guard((), GuardLimits(), "tests.runtime.guard_targets:by_content").extract(b"sleep")
"""


@pytest.mark.parametrize("number", [1, 2])  # once the server is there; once its child is
def test_a_guard_whose_worker_is_killed_ends_without_a_word(number: int) -> None:
    code = ORPHANING.replace("NUMBER", str(number))
    command = [sys.executable, "-c", code]
    there = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60, env=there
    )
    server = int(done.stdout)
    end = time.monotonic() + 60
    while psutil.pid_exists(server) and psutil.Process(server).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
        time.sleep(0.05)
    assert done.stderr == ""


WITHOUT_PROC = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh")


def _can_hide_proc() -> bool:
    try:
        return subprocess.run([*WITHOUT_PROC, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not _can_hide_proc(), reason="needs a mount namespace of its own")
@pytest.mark.parametrize("command", ["text", "explain", "extract"])
def test_tree_methods_work_without_proc_and_say_what_is_not_limited(
    command: str, sample: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>T</title><h1>A page</h1><p>It has some words, and a few more of them.</p>")
    arguments: list[object] = [command, page, "--extractor", "cetd-ds"]
    if command == "extract":
        arguments = [command, sample, "--output", "corpus", "--extractor", "cetd-ds", "--quiet"]
    done = subprocess.run(
        [*WITHOUT_PROC, sys.executable, "-m", "cedar", *map(str, arguments)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if command == "extract":
        note = "--page-memory has no effect: this system has no /proc, which tells how much memory"
        assert done.stderr == f"cedar: {note} a process has\n"
        assert rows(tmp_path / "corpus") == 5
    else:
        assert done.stderr == ""


LOOSE = """
import os
import cedar

@cedar.extractor(summary="unguarded, and never ends on some pages")
def loose(html: str) -> str:
    if "to leave" in html:
        os._exit(3)
    while "without end" in html:
        pass
    return "words of a page"
"""


@pytest.mark.slow
def test_pages_that_a_function_of_others_never_leaves_are_failures_of_an_evaluation(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "loosely.py").write_text(LOOSE)
    pages = [
        {"id": name, "html": f"<p>words of a page {name}</p>", "text": "words of a page"}
        for name in ("as it is", "without end", "to leave")
    ]
    (tmp_path / "gold.jsonl").write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    path = os.pathsep.join((str(tmp_path / "package"), str(ROOT)))
    command = ("evaluate", "gold.jsonl", "--extractor", "loosely:loose", "--page-timeout", 1)
    done = cedar(*command, "--quiet", "--results", "r.json", folder=tmp_path, PYTHONPATH=path)
    assert done.returncode == 0
    found = {page["page"]: page["failure"] for page in json.loads((tmp_path / "r.json").read_text())["pages"]}
    assert found["as it is"] is None
    assert found["without end"].startswith("time_limit: ")  # on a machine that is very busy of wall time
    assert found["to leave"] == "extractor_error: the extractor's process died: exit code 3"


ENDLESS = """
import cedar

@cedar.extractor(summary="never ends", guarded=True)
def spins(html: str) -> str:
    while True:
        pass
"""


@pytest.mark.slow
def test_a_guarded_extractor_that_never_ends_is_named_within_seconds(sample: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "endless.py").write_text(ENDLESS)
    page = tmp_path / "page.html"
    page.write_text("<p>It has some words.</p>")
    runtime = "cedar.transforms.runtime"
    guard = f"from {runtime}.guard import Guard; from {runtime}.guard_limits import GuardLimits"
    code = f"{guard}; Guard(('endless:spins', '{{}}'), GuardLimits(cpu_seconds=0.1)).extract(b'<p>page')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(package), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    fault = "GuardFaultError: the method does not come to an end on a small page"
    assert done.stderr.strip().endswith(fault)
