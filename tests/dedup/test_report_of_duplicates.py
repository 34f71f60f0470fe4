"""`cedar report` of a result: its books, sizes, hosts, and texts side by side; of two results both."""

from __future__ import annotations

from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from tests.dedup.corpora import Made, edited, words, write_corpus
from tests.dedup.results import dedup


@pytest.fixture
def result(tmp_path: Path) -> Path:
    texts = [" ".join(words(seed, 60)) for seed in range(4)]
    near = " ".join(edited(words(1, 60), 1, 1))
    pages = [
        *map(Made, texts),
        Made(near, "https://copies.example/<b>"),
        Made(texts[2], "https://copies.example/2"),
    ]
    assert dedup(write_corpus(tmp_path / "c", [pages]), "--output", tmp_path / "r") == 0
    return tmp_path / "r"


def test_the_page_shows_books_hosts_and_texts_side_by_side(
    result: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = result.parent / "page.html"
    assert main(["report", str(result), "--output", str(target)]) == 0
    assert "2 of 6 pages are duplicates of a page that is kept." in capsys.readouterr().out
    page = target.read_text()
    assert "copies.example" in page
    assert "https://copies.example/&lt;b&gt;" in page
    assert page.count(words(1, 60)[-1]) == 2
    assert "<script" not in page


def test_the_terminal_has_the_tables(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(result), "--text"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["pages", "6", "100.0%"] in rows
    assert ["same", "text", "1", "16.7%"] in rows
    assert ["2", "to", "3", "2", "4"] in rows
    assert ["copies.example", "2"] in rows


def test_two_results_are_side_by_side(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = result.parent / "texts"
    assert dedup(result.parent / "c", "--output", other, "--by", "text") == 0
    assert main(["report", str(result), str(other), "--text"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["similar", "text", "1", "0", "0.0%"] in rows


def test_lines_on_many_pages_and_their_hosts_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notice = "All rights reserved by the makers of this site."
    pages = [Made(f"{' '.join(words(seed, 60))}\n{notice}", f"https://a.example/{seed}") for seed in range(4)]
    corpus = write_corpus(tmp_path / "c", [pages])
    assert dedup(corpus, "--output", tmp_path / "r", "--write", "--lines") == 0
    assert main(["report", str(tmp_path / "r"), "--text"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["lines", "taken", "out", "3"] in rows
    assert ["a.example", *notice.split(), "4"] in rows
    assert ["a.example", "1", "4"] in rows


def test_texts_that_are_gone_are_said_to_be(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (result.parent / "c").rename(result.parent / "moved")
    assert main(["report", str(result), "--text"]) == 0
    assert "Its text is not there any more" in capsys.readouterr().out


def test_what_cannot_be_reported_is_refused(result: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(result)]) == 2
    assert "is a result of `cedar dedup`" in capsys.readouterr().err
    assert main(["report", str(result), str(result.parent / "c")]) == 2
    assert "cannot compare a corpus with a result" in capsys.readouterr().err
    (result / "run.json").unlink()
    assert main(["report", str(result)]) == 2
    assert "is not finished" in capsys.readouterr().err
