"""Corpora that a careless user, a full disk or a kill has left in a bad state; foreign files among them."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.dataset as ds
import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.local.workspace import sweep_workspaces, workspace
from cedar.pipelines.sample.archive import write_sample
from tests.helpers.processes import kill

FORMATS = ("parquet", "avro")
FAST = ("--extractor", "cetr", "--workers", "1", "--quiet")


def extract(source: Path, corpus: Path, *options: str) -> int:
    return main(["extract", str(source), "--output", str(corpus), *FAST, *options])


def names(directory: Path) -> set[str]:
    return {str(p.relative_to(directory)) for p in directory.rglob("*") if p.is_file()}


# Names that readers pass over


@pytest.mark.parametrize("name", ["_x.warc.gz", ".x.warc.gz", "_.warc", ".warc.gz"])
def test_readers_see_the_rows_of_an_input_whatever_its_name(name: str, sample: Path, tmp_path: Path) -> None:
    source = tmp_path / name
    source.write_bytes(sample.read_bytes())
    assert extract(source, tmp_path / "corpus") == 0
    assert ds.dataset(tmp_path / "corpus" / "pages").count_rows() == 5


# Foreign files


FOREIGN = ("runs/notes.txt", "_tmp/thesis.doc", "pages/_SUCCESS", "rejects/a.parquet", "shards/mine.json")


def put(directory: Path, *paths: str) -> None:
    for path in paths:
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text("mine")


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
@pytest.mark.parametrize("there", ["run.json", "pages/a.txt", "shards/a.json", "dropped/a", "signatures/a"])
def test_a_folder_that_is_no_corpus_is_refused_and_left_as_it_is(
    there: str, overwrite: tuple[str, ...], sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    put(corpus, there, "runs/notes.txt", "_tmp/thesis.doc")
    before = names(corpus)
    assert extract(sample, corpus, *overwrite) == 2
    assert names(corpus) == before
    error = capsys.readouterr().err
    assert there in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("description", ["", "{}", "[]", '{"format": "parquet"}', '{"name": "my-project"}'])
@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_a_corpus_json_of_somebody_else_is_refused_and_nothing_is_deleted(
    description: str, overwrite: tuple[str, ...], sample: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    corpus = tmp_path / "corpus"
    put(corpus, *FOREIGN, "run.json")
    (corpus / "corpus.json").write_text(description)
    before = names(corpus)
    assert extract(sample, corpus, *overwrite) == 2
    assert names(corpus) == before
    assert "corpus.json was not written by Cedar" in capsys.readouterr().err


def test_overwrite_beside_other_things_deletes_none_of_them(sample: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    put(corpus, "runs/notes.txt", "_tmp/thesis.doc", "notes.txt")
    assert extract(sample, corpus, "--overwrite") == 0
    assert extract(sample, corpus, "--overwrite") == 0
    assert {"runs/notes.txt", "_tmp/thesis.doc", "notes.txt"} <= names(corpus)
    assert len(names(corpus / "runs")) == 2


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_what_a_person_put_into_a_corpus_stays_and_is_named(
    overwrite: tuple[str, ...], sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    assert extract(sample, corpus) == 0
    put(corpus, *FOREIGN)
    capsys.readouterr()
    assert extract(sample, corpus, *overwrite) == 0
    assert set(FOREIGN) <= names(corpus)
    error = capsys.readouterr().err
    for name in ("pages/_SUCCESS", "rejects/a.parquet", "shards/mine.json"):
        assert f" {name}\n" in error
    assert json.loads((corpus / "run.json").read_text())["pages"] == 5


def test_overwrite_with_another_format_leaves_nothing_of_the_old_one(sample: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    assert extract(sample, corpus) == 0
    assert extract(sample, corpus, "--format", "avro", "--overwrite") == 0
    assert {Path(name).suffix for name in names(corpus / "pages") | names(corpus / "rejects")} == {".avro"}


# Broken files


def broken(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "gone":
        path.unlink()
    elif how == "foreign":
        path.write_bytes(b"x" * len(content))
    else:
        path.write_bytes(content[: {"cut": len(content) // 2, "short": len(content) - 1, "empty": 0}[how]])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample, and its corpora in two formats."""
    folder = tmp_path_factory.mktemp("whole")
    with (folder / "sample.warc.gz").open("wb") as file:
        write_sample(file)
    for file_format in FORMATS:
        assert extract(folder / "sample.warc.gz", folder / file_format, "--format", file_format) == 0
    return folder


@pytest.mark.parametrize(
    ("kind", "file_format", "how"),
    [
        (kind, file_format, how)
        for kind, formats in (("pages", FORMATS), ("rejects", FORMATS), ("shards", ("avro",)))
        for file_format in formats
        for how in ("cut", "short", "empty", "foreign", "gone")
        if (kind, how) != ("shards", "gone")  # it is a shard that was not done
    ],
)
def test_a_broken_file_is_named_and_made_anew(
    kind: str, file_format: str, how: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample, corpus = whole / "sample.warc.gz", tmp_path / "corpus"
    shutil.copytree(whole / file_format, corpus)
    before = names(corpus / "pages") | names(corpus / "rejects")
    (path,) = (corpus / kind).iterdir()
    broken(path, how)
    capsys.readouterr()
    for repair in ([], ["--repair"]):
        assert main(["check", str(corpus), *repair]) == 1
        assert path.name in capsys.readouterr().err
    assert extract(sample, corpus, "--format", file_format) == 0
    error = capsys.readouterr().err
    assert path.name in error
    assert "made again" in error
    assert error.count("\n") == 1
    assert names(corpus / "pages") | names(corpus / "rejects") == before
    assert json.loads((corpus / "run.json").read_text())["pages"] == 5
    capsys.readouterr()
    assert extract(sample, corpus, "--format", file_format) == 0
    assert capsys.readouterr().err == ""


# A full disk, and what is left behind


def command(source: Path, corpus: Path, *options: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "cedar",
        "extract",
        str(source),
        "--output",
        str(corpus),
        *FAST,
        *options,
    ]


def limited(size: int) -> None:
    """No file may grow beyond `size`: a write fails as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
@pytest.mark.parametrize("size", [2_000, 600])
def test_a_disk_that_takes_no_more_is_one_line_each_and_leaves_nothing_staged(
    size: int, sample: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    full = subprocess.run(
        command(sample, corpus), capture_output=True, text=True, preexec_fn=lambda: limited(size), check=False
    )
    assert full.returncode == 1
    assert "Traceback" not in full.stderr
    assert f"{corpus}: File too large" in full.stderr
    assert full.stderr.count("\n") <= 2
    assert not names(corpus / "_tmp")
    assert extract(sample, corpus) == 0
    assert json.loads((corpus / "run.json").read_text())["pages"] == 5


@pytest.mark.slow
def test_what_a_killed_run_has_staged_goes_when_the_next_one_starts(sample: Path, tmp_path: Path) -> None:
    corpus, temporary = tmp_path / "corpus", tmp_path / "tmp"
    temporary.mkdir()
    assert extract(sample, corpus) == 0
    # A pipe at its end keeps the run at work: it waits for a writer that never comes.
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import signal, sys\n"
        "import cedar.transforms.corpus.commit as commit\n"
        "import cedar.transforms.corpus.shard_writer as write\n"
        "def stop(*_): print('staged', flush=True); signal.pause()\n"
        "write.commit = stop\n"
        "from cedar.pipelines.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    other = tmp_path / "other.warc.gz"
    other.write_bytes(sample.read_bytes())
    arguments = command(other, corpus)[3:]
    with subprocess.Popen(
        [sys.executable, str(slow), *arguments], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2],
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(Path(__file__).parents[2])},
    ) as run:  # fmt: skip
        assert run.stdout is not None
        assert run.stdout.readline() == b"staged\n"
        staged = names(corpus / "_tmp")
        assert len(staged) == 3
        assert len(list(temporary.iterdir())) == 1
        # While it lives, another run leaves what it has staged.
        assert extract(sample, corpus) == 0
        assert names(corpus / "_tmp") == staged
        kill(run)
    assert names(corpus / "_tmp") == staged
    assert extract(sample, corpus) == 0
    assert not names(corpus / "_tmp")
    assert len(list(temporary.iterdir())) == 1
    again = subprocess.run(
        command(other, corpus), env={**os.environ, "TMPDIR": str(temporary)}, capture_output=True, check=False
    )
    assert again.returncode == 0
    assert not list(temporary.iterdir())


def test_folders_of_runs_that_live_and_of_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cedar-alive", "cedar-dead", "cedar-unknown", "other-dead"):
        (tmp_path / name).mkdir()
        if name != "cedar-unknown":
            (tmp_path / name / "lease").touch()
    (tmp_path / "cedar-link").symlink_to(tmp_path / "other-dead")
    with (tmp_path / "cedar-alive" / "lease").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        sweep_workspaces(tmp_path)
    there = {path.name for path in tmp_path.iterdir()}
    assert there == {"cedar-alive", "cedar-unknown", "cedar-link", "other-dead"}


def test_folders_that_are_made_while_others_sweep_are_never_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    lock = fcntl.flock
    lost = []

    def sweep_before_the_first_lock(descriptor: int, operation: int) -> None:
        if not lost:
            lost.append(next(iter(tmp_path.iterdir())))
            sweep_workspaces(tmp_path)
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_before_the_first_lock)
    with workspace() as folder:
        assert folder.is_dir()
        assert folder not in lost
        assert not lost[0].exists()
    assert not list(tmp_path.iterdir())
