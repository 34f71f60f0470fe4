"""Inputs that are not archives: an empty mount, pages of HTML, noise; alone, and among others."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.sample.archive import write_sample

NOTHING = {
    "page.txt": b"<html><p>A page.</html>",
    "empty.warc.gz": b"",
    "noise.warc": bytes(range(256)) * 40,
    "zipped.warc.gz": gzip.compress(b"<p>A page."),
    "cut.warc.gz": gzip.compress(b"WARC/1.0\r\nWARC-Type: response\r\n")[:-9],
}
INFO = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nok\r\n\r\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def extract(folder: Path, *options: str) -> int:
    paths = [str(path) for path in sorted(folder.iterdir())]
    corpus = str(folder.parent / "corpus")
    return main(
        ["extract", *paths, "--output", corpus, "--extractor", "cetr", "--workers", "1", "--quiet", *options]
    )


@pytest.mark.parametrize("name", NOTHING)
def test_a_run_in_which_nothing_is_an_archive_ends_with_1_and_names_the_file(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_bytes(NOTHING[name])
    for _ in range(2):  # the second finds the corpus as it stands
        assert extract(folder) == 1
        error = capsys.readouterr().err
        assert f" record in any input: {folder / name} (" in error
        assert error.count("\n") == 1
    assert extract(folder, "--allow-empty") == 0
    assert capsys.readouterr().err == ""


def test_an_empty_list_of_inputs_is_a_fault_unless_it_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("# none yet\n")
    command = ["extract", f"@{tmp_path / 'list'}", "--output", str(tmp_path / "corpus"), "--quiet"]
    assert main(command) == 2
    assert main([*command, "--allow-empty"]) == 0
    assert json.loads((tmp_path / "corpus" / "run.json").read_text())["records_read"] == 0
    (tmp_path / "list").write_text("a.warc\n")
    assert main([*command, "--allow-empty", "--slice", "1:2"]) == 2


def test_of_many_at_most_ten_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        (folder / f"{number:02}.warc").write_bytes(b"")
    assert extract(folder) == 1
    error = capsys.readouterr().err
    assert "09.warc, ... (" in error
    assert "10.warc" not in error


def test_files_that_are_not_archives_among_others_are_counted_and_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in NOTHING.items():
        (folder / name).write_bytes(content)
    with (folder / "sample.warc.gz").open("wb") as file:
        write_sample(file)
    assert extract(folder) == 0
    error = capsys.readouterr().err
    assert "5 of 6 inputs have no record: " in error
    assert all(name in error for name in NOTHING)
    assert error.count("\n") == 1


def test_an_archive_without_pages_is_an_archive(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "info.warc").write_bytes(INFO)
    assert extract(folder) == 0
    assert capsys.readouterr().err == ""
