"""`cedar check --cdx`: what became of each capture of an index."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from tests.extract.runs import extract
from tests.extract.test_revisits import archives  # noqa: F401 - a fixture
from tests.helpers.crawl import index_lines, write_warc


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two archives and their index: 12 pages and 4 answers 404."""
    folder = tmp_path_factory.mktemp("indexed")
    names = ("a.warc.gz", "b.warc.gz")
    warcs = [write_warc(folder / "in" / name, 6, first=100 * number) for number, name in enumerate(names)]
    (folder / "x.cdxj").write_text("".join(line for warc in warcs for line in index_lines(warc)))
    return folder


def check(corpus: Path, *options: str) -> int:
    return main(["check", str(corpus), *options])


def test_each_capture_of_a_whole_corpus_has_a_row(
    indexed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(indexed / "in", tmp_path / "c") == 0
    capsys.readouterr()
    assert check(tmp_path / "c", "--cdx", str(indexed / "x.cdxj")) == 0
    told = capsys.readouterr().out.splitlines()[1:]
    assert [line.split() for line in told] == [["captures", "16"], ["page", "12"], ["status", "4"]]


def test_captures_without_a_row_are_listed_with_the_reason(
    indexed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(indexed / "in" / "a.warc.gz", tmp_path / "c", "--sample", "50%") == 0
    capsys.readouterr()
    assert check(tmp_path / "c", "--cdx", str(indexed / "x.cdxj")) == 1
    told = capsys.readouterr().out.splitlines()
    assert sum("(b.warc.gz:" in line and line.endswith("its file was not read") for line in told) == 8
    left_out = [line for line in told if "(a.warc.gz:" in line]
    assert left_out
    assert all("left out" in line and "https://crawl.example/" in line for line in left_out)


def test_with_rows_of_all_records_what_is_missing_is_not_there(
    indexed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(indexed / "in", tmp_path / "c", "--reject-rows", "all") == 0
    lines = (indexed / "x.cdxj").read_text().replace("https://crawl.example/3", "https://crawl.example/33")
    (tmp_path / "y.cdxj").write_text(lines)
    capsys.readouterr()
    assert check(tmp_path / "c", "--cdx", str(tmp_path / "y.cdxj")) == 1
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "(a.warc.gz:" in line)
    assert line.endswith("no such record is there")


def test_revisits_and_pages_in_any_of_several_corpora_are_found(
    archives: Path,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    index = tmp_path / "x.cdxj"
    for year, name in (("2014", "a"), ("2015", "b")):
        assert extract(archives / year, tmp_path / year, "--keep", "words > 9999") == 0
        with index.open("a") as file:
            file.writelines(index_lines(archives / year / f"{name}.warc.gz"))
    capsys.readouterr()
    corpora = [str(tmp_path / year) for year in ("2014", "2015")]
    assert main(["check", *corpora, "--cdx", str(index)]) == 0
    told = dict(line.split() for line in capsys.readouterr().out.splitlines()[2:])
    assert told == {"captures": "9", "revisit": "5", "dropped": "3", "media_type": "1"}


def test_what_is_no_index_is_refused(
    indexed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(indexed / "in", tmp_path / "c") == 0
    (tmp_path / "y.cdxj").write_text("no index")
    assert check(tmp_path / "c", "--cdx", str(tmp_path / "y.cdxj")) == 2
    assert "y.cdxj, line 1" in capsys.readouterr().err
    assert check(tmp_path / "c", "--cdx", str(tmp_path / "none.cdxj")) == 2
