"""`cedar check`: a corpus held to its commits, and repaired if that is asked for."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import NoReturn

import pytest

from cedar.pipelines.cli import main
from tests.helpers.corpus import contents
from tests.helpers.crawl import write_warc


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        write_warc(tmp_path / "in" / f"{name}.warc.gz", 6)
    assert main(["extract", f"{tmp_path}/in", "--output", f"{tmp_path}/corpus", "--quiet"]) == 0
    return tmp_path / "corpus"


def test_a_whole_corpus_is_left_as_it_is(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    before = contents(corpus)
    assert main(["check", str(corpus)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"{corpus}: ")
    assert "12 pages kept" in out
    assert err == ""
    assert contents(corpus) == before


def test_wrong_sums_and_files_of_no_commit_are_told_and_repaired(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "run.json").write_text('{"records_read": 1, "pages": 1, "shards": 1}')
    (left,) = (path for path in (corpus / "pages").iterdir() if path.name.startswith("a-"))
    orphan = left.with_name(left.name.replace("a-", "z-", 1))
    orphan.write_bytes(left.read_bytes())
    before = contents(corpus)
    assert main(["check", str(corpus)]) == 1
    error = capsys.readouterr().err
    assert "run.json is not the sum of the shards" in error
    assert f"no commit names pages/{orphan.name}" in error
    assert f"cedar check {corpus} --repair" in error
    assert contents(corpus) == before
    assert main(["check", str(corpus), "--repair"]) == 0
    assert json.loads((corpus / "run.json").read_text())["pages"] == 12
    assert not orphan.exists()
    assert main(["check", str(corpus)]) == 0


def test_a_move_that_was_cut_short_is_finished_by_repair_alone(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (commit,) = (corpus / "shards").glob("a-*.json")
    summary = json.loads(commit.read_text())
    (page,) = (corpus / "pages").glob("a-*")
    staged = corpus / "_tmp" / f"{summary['name']}.{summary['attempt']}.pages.parquet"
    staged.parent.mkdir(exist_ok=True)
    page.rename(staged)
    assert main(["check", str(corpus)]) == 1
    assert f"{page.name} is not yet moved to its name" in capsys.readouterr().err
    assert staged.exists()
    assert main(["check", str(corpus), "--repair"]) == 0
    assert page.exists()


def test_a_lost_file_is_named_with_and_without_repair(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (page,) = (corpus / "pages").glob("a-*")
    page.unlink()
    for repair in ([], ["--repair"]):
        assert main(["check", str(corpus), *repair]) == 1
        assert page.name in capsys.readouterr().err


def test_a_corpus_that_cannot_be_written_is_a_line_and_2(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("cedar.transforms.files.local._locked", refused)
    capsys.readouterr()
    assert main(["check", str(corpus), "--repair"]) == 2
    assert capsys.readouterr().err.startswith(f"cedar: cannot write {corpus}: Read-only file system")
    assert main(["check", str(corpus)]) == 0


def test_what_is_no_corpus_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert "not a corpus" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [("{result}",), ("{nothing}",), ("--cdx", "{nothing}")])
def test_nothing_is_repaired_before_all_arguments_are_read(
    wrong: tuple[str, ...], corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "result").mkdir()
    description = {"schema": 1, "id": "x", "against": [], "choices": {}}
    (tmp_path / "result" / "dedup.json").write_text(json.dumps(description))
    (corpus / "run.json").write_text("{}")
    before = contents(corpus)
    named = [part.format(result=tmp_path / "result", nothing=tmp_path / "nothing") for part in wrong]
    assert main(["check", str(corpus), *named, "--repair"]) == 2
    assert contents(corpus) == before
