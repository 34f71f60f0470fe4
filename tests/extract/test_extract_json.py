"""What commands print as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from tests.helpers.crawl import write_warc


def test_a_run_prints_what_it_keeps_of_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 3), tmp_path / "corpus"
    assert main(["extract", str(crawl), "--output", str(corpus), "--workers", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (kept,) = (corpus / "runs").glob("*.json")
    assert told == json.loads(kept.read_text())
    assert (told["pages"], told["records_read"]) == (3, 6)
    command = ["filter", str(corpus), "--output", str(tmp_path / "few"), "--keep", "words > 1000"]
    assert main([*command, "--workers", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"] == 0


def test_what_is_told_of_corpora_is_told_in_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(*command: object) -> dict[str, Any]:
        assert main(list(map(str, command))) == 0
        (line,) = capsys.readouterr().out.splitlines()
        read: dict[str, Any] = json.loads(line)
        return read

    crawl, corpus, result = (
        write_warc(tmp_path / "crawl.warc.gz", 3),
        tmp_path / "corpus",
        tmp_path / "unique",
    )
    plan = told("extract", crawl, "--output", corpus, "--plan", "--json")
    assert (plan["pages"], plan["files"], plan["requests"]) == ({"low": 3, "high": 3}, 1, 0)
    told("extract", crawl, "--output", corpus, "--workers", "1", "--json")
    report = told("report", corpus, "--json")
    assert (report["pages"], report["rejects"], report["problems"]) == (3, 3, [])
    assert report["tables"]["HTTP status"][0] == {"status": "200", "pages": "3", "share": "100.0%"}
    assert "What changed" in "".join(told("report", corpus, corpus, "--json")["tables"])
    books = told("dedup", corpus, "--output", result, "--json")
    assert books == {"result": str(result), **json.loads((result / "run.json").read_text())}
    assert told("report", result, "--json")["corpus"] == str(result)
    assert not list(tmp_path.glob("*.html"))


def test_methods_are_objects(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extractors", "cetr", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["name"] == "cetr"
    assert "WWW 2010" in told["paper"]
    (smoothing,) = (option for option in told["options"] if option["name"] == "smoothing")
    assert smoothing["default"] in smoothing["allowed"].split(", ")
    assert main(["extractors", "--json"]) == 0
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()]
    assert {"cedar", "cetr", "keep-all"} <= set(names)


def test_help_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["text", "--help"])
    shown = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["help", "text"])
    assert capsys.readouterr().out == shown
