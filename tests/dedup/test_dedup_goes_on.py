"""`cedar dedup` that was cut short, killed, or given again goes on to the rows of an undisturbed run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.dedup import command as command_module
from cedar.pipelines.dedup import plan as plan_module
from cedar.transforms.files.local import lease
from tests.dedup.corpora import Made, write_corpus
from tests.dedup.results import BASE, NEAR, OTHER, dedup, files, rows
from tests.helpers.corpus import rows as page_rows


@pytest.mark.parametrize("step", ["records", "texts", "keys", "clusters", "members", "choice", "tables"])
def test_a_run_that_is_cut_short_anywhere_goes_on_to_the_same_rows(
    step: str, corpora: tuple[Path, Path], result: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work, calls = command_module._STEPS[step].work, []
    options = ("--workers", 1, "--memory", "64KiB")
    monkeypatch.setattr(plan_module, "_SHARE_BYTES", 4 << 10)  # so that there are several packs

    def dies(plan: Any, number: int, slot: Any) -> None:
        calls.append(number)
        if len(calls) > 1 or step == "clusters":
            raise OSError(5, "the machine failed")
        work(plan, number, slot)

    with monkeypatch.context() as patch:
        patch.setitem(command_module._STEPS, step, replace(command_module._STEPS[step], work=dies))
        assert dedup(*corpora, "--output", tmp_path / "r", *options) == 1
    assert not (tmp_path / "r" / "run.json").exists()
    assert dedup(*corpora, "--output", tmp_path / "r", *options) == 0
    assert rows(tmp_path / "r") == rows(result)
    assert not list((tmp_path / "r").rglob("*.parquet.*"))


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_rows(
    corpora: tuple[Path, Path], result: Path, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-m",
        "cedar",
        "dedup",
        *map(str, corpora),
        "--output",
        str(tmp_path / "r"),
    ]
    kill = (
        "import dataclasses, os, sys\n"
        "import cedar.pipelines.dedup.command as c\n"
        "dies = lambda *_: (os.kill(os.getppid(), 9), os._exit(9))\n"
        "c._STEPS['choice'] = dataclasses.replace(c._STEPS['choice'], work=dies)\n"
        "from cedar.pipelines.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    died = subprocess.run([sys.executable, "-c", kill, *command[3:], "--quiet"], check=False)
    assert died.returncode == -9
    assert (tmp_path / "r" / "_work" / "members").is_dir()
    subprocess.run([*command, "--quiet"], check=True, env={**os.environ})
    assert rows(tmp_path / "r") == rows(result)


def test_two_runs_are_not_at_work_on_one_result(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "r"
    result.mkdir()
    with lease(str(result / "_lock")):
        assert dedup(*corpora, "--output", result) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"{result}/_lock: another run is at work on this result; wait until it has ended")
    (result / "_lock").touch()  # of a run that was killed
    assert dedup(*corpora, "--output", result, "--by", "text") == 0
    assert not (result / "_lock").exists()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, and its result with the pages that are kept."""
    folder = tmp_path_factory.mktemp("written")
    corpus = write_corpus(folder / "a", [[Made(BASE), Made(OTHER)], [Made(NEAR), Made(BASE)]])
    assert dedup(corpus, "--output", folder / "r", "--write") == 0
    return folder


@pytest.mark.parametrize(
    "name", ["index/*/*", "duplicates/*/*", "corpus/pages/*", "corpus/rejects/*", "corpus/shards/*"]
)
@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_what_is_broken_of_a_result_is_made_again(
    name: str, damage: str, written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, result = written / "a", Path(shutil.copytree(written / "r", tmp_path / "r"))
    before, of_corpus = files(result), page_rows(result / "corpus")
    broken = min(result.glob(name))
    if damage == "gone":
        broken.unlink()
    else:
        broken.write_bytes(broken.read_bytes()[:50])
    assert dedup(corpus, "--output", result, "--write") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert str(broken) in line
    assert line.endswith(": the result is made again")
    assert files(result) == before
    assert page_rows(result / "corpus") == of_corpus


def test_a_result_may_lie_where_no_directory_is_yet(corpora: tuple[Path, Path], tmp_path: Path) -> None:
    assert dedup(corpora[0], "--output", tmp_path / "months" / "january") == 0
    assert files(tmp_path / "months" / "january")


def test_the_same_command_again_does_nothing(result: Path, corpora: tuple[Path, Path]) -> None:
    before = {path: path.stat().st_mtime_ns for path in result.rglob("*")}
    assert dedup(*corpora, "--output", result) == 0
    assert {path: path.stat().st_mtime_ns for path in result.rglob("*")} == before
