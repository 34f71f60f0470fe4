"""`--with-markdown` and `--with-metadata` from the command line to the columns."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.transforms.extractors.html import reading
from cedar.transforms.model.annotations import Metadata
from tests.helpers.crawl import write_warc


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive of two pages."""
    return write_warc(tmp_path / "a.warc.gz", 2)


def extract(archive: Path, *options: str) -> int:
    return main(["extract", str(archive), "--output", str(archive.parent / "corpus"), "--quiet", *options])


@pytest.mark.parametrize("extractor", ["cedar", "cetd-ds", "keep-all"])
def test_a_corpus_has_the_columns_in_their_order(archive: Path, extractor: str) -> None:
    assert extract(archive, "--with-metadata", "--with-markdown", "--extractor", extractor) == 0
    table = pq.read_table(archive.parent / "corpus" / "pages")
    assert table.schema.names[-len(Metadata._fields) - 1 :] == ["markdown", *Metadata._fields]
    assert table.num_rows == 2
    for text, markdown in zip(table["text"].to_pylist(), table["markdown"].to_pylist(), strict=True):
        assert len(markdown) >= len(text) > 100
    assert "html" not in table.schema.names


def test_a_page_is_read_once_for_its_text_and_its_metadata(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "read_page", None)
    assert extract(archive, "--with-metadata", "--workers", "1") == 0
    assert pq.read_table(archive.parent / "corpus" / "pages").num_rows == 2


def test_both_are_part_of_a_corpus_identity(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert extract(archive, "--with-markdown", "--markdown-option", "links=keep") == 0
    written = json.loads((archive.parent / "corpus" / "corpus.json").read_text())
    assert written["markdown"] == "links=keep,emphasis=keep,formulas=latex,images=drop"
    assert written["column_groups"] == ["confidence", "markdown"]
    assert extract(archive, "--with-markdown") == 2
    assert "made with other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--with-markdown", "--extractor", "cetr"], "cetr keeps lines of text and cannot write Markdown"),
        (["--with-markdown", "--markdown-option", "links=all"], "links of Markdown is drop or keep"),
        (["--markdown-option", "links=keep"], "give --with-markdown, too"),
    ],
)
def test_what_cannot_be_is_refused_before_the_run(
    archive: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert extract(archive, *options) == 2
    assert message in capsys.readouterr().err
    assert not (archive.parent / "corpus").exists()


def test_the_text_command_prints_markdown(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    page = tmp_path / "page.html"
    page.write_text("<h1>Tide mills</h1>" + "<p>Mills of the coast grind <b>flour</b> on every ebb.</p>" * 5)
    for extractor in ("cedar", "cetd-ds"):
        assert main(["text", str(page), "--markdown", "--extractor", extractor]) == 0
        assert b"grind **flour** on every ebb." in capsysbinary.readouterr().out
    assert main(["text", str(page), "--markdown", "--extractor", "cetr"]) == 2
