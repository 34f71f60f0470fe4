"""`cedar sample`: the same bytes each time, and no file of the user's is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.pipelines.cli import main


def test_a_sample_is_the_same_each_time_and_replaces_a_sample(tmp_path: Path) -> None:
    archive = tmp_path / "new" / "sample.warc.gz"
    assert main(["sample", str(archive), "--pages", "7"]) == 0
    first = archive.read_bytes()
    assert main(["sample", str(archive)]) == 0
    assert archive.read_bytes() != first
    assert main(["sample", str(archive), "--pages", "7"]) == 0
    assert archive.read_bytes() == first


def test_a_mirror_is_read_by_name_and_is_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror = tmp_path / "mirror"
    arguments = ["sample", str(mirror), "--mirror", "--pages", "2"]
    assert main(arguments) == 0
    files = {path: path.read_bytes() for path in mirror.rglob("*") if path.is_file()}
    assert main(arguments) == 0
    assert {path: path.read_bytes() for path in mirror.rglob("*") if path.is_file()} == files
    corpus = str(tmp_path / "corpus")
    crawl = ["cc:CC-MAIN-2026-04", "--crawl-root", str(mirror)]
    assert main(["extract", *crawl, "--output", corpus]) == 0
    assert "6 pages" in capsys.readouterr().out


@pytest.mark.parametrize("mirror", [[], ["--mirror"]])
@pytest.mark.parametrize("is_folder", [False, True])
def test_files_of_the_user_are_refused(
    mirror: list[str], is_folder: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    kept = mine / "notes.txt" if is_folder else mine
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("mine")
    assert main(["sample", str(mine), *mirror]) == 2
    assert str(mine) in capsys.readouterr().err
    assert kept.read_text() == "mine"
