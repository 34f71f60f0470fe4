"""`--body-only`: an article without headline, comments and captions, or a sentence and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cedar
from cedar.pipelines.cli import main
from tests.helpers.crawl import write_warc

TEXT = " ".join(f"Sentence {number} of the article says what happened on that day." for number in range(30))
PAGE = (
    "<title>The headline of the day</title><article><h1>The headline of the day</h1>"
    f"<figure><img src=x><figcaption>The harbour, seen from the hill.</figcaption></figure><p>{TEXT}</p>"
    f"</article><div class=comments><p>I do not think so, and my aunt agrees. {TEXT}</p></div>"
)
DROPPED = {"title": "drop", "comments": "drop", "captions": "drop"}


def test_the_body_is_what_three_options_leave() -> None:
    found = cedar.extract(PAGE, body_only=True).text
    assert found == cedar.extract(PAGE, **DROPPED).text == TEXT  # type: ignore[arg-type]
    assert cedar.extract(PAGE, body_only=True, title="drop").text == found


def test_a_method_without_these_options_is_refused() -> None:
    with pytest.raises(ValueError, match="cetr cannot keep the body only: choose cedar"):
        cedar.extract(PAGE, "cetr", body_only=True)
    with pytest.raises(ValueError, match="the body only means title=drop: leave title=keep out"):
        cedar.extract(PAGE, body_only=True, title="keep")


def test_the_command_prints_the_body(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    assert main(["text", str(page), "--body-only"]) == 0
    assert capfd.readouterr().out == TEXT + "\n"


def test_commands_refuse_other_methods(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, gold = tmp_path / "page.html", tmp_path / "gold.jsonl"
    page.write_text(PAGE)
    gold.write_text(json.dumps({"id": "a", "html": PAGE, "text": TEXT}) + "\n")
    write_warc(tmp_path / "a.warc.gz", 2)
    for command in (
        ["text", str(page), "--extractor", "cetr"],
        ["extract", f"{tmp_path}/a.warc.gz", "--output", f"{tmp_path}/out", "--extractor", "cetr"],
        ["evaluate", str(gold), "--extractor", "cetr"],
    ):
        assert main([*command, "--body-only"]) == 2
        assert capsys.readouterr().err.endswith("cetr cannot keep the body only: choose cedar\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_corpus_says_that_it_has_the_body_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "a.warc.gz", 2)
    command = ["extract", f"{tmp_path}/a.warc.gz", "--output", f"{tmp_path}/out", "--quiet"]
    assert main([*command, "--body-only"]) == 0
    described = json.loads((tmp_path / "out" / "corpus.json").read_text())
    assert json.loads(described["extractor_options"]) == DROPPED
    assert main(command) == 2
    assert "was made with other options (extractor-opti" in capsys.readouterr().err
    options = ["--extractor=cedar:" + ",".join(f"{name}=drop" for name in DROPPED)]
    assert main([*command, *options]) == 0


def test_the_body_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"id": "a", "html": PAGE, "text": TEXT}) + "\n")
    assert main(["evaluate", str(gold), "--body-only"]) == 0
    printed = capsys.readouterr().out
    assert "keep-all" not in printed
    assert "1.000  1.000  1.000" in printed
