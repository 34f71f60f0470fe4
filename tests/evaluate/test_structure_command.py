"""`cedar evaluate --structure`, on our own pages of structure: no axis may fall below its floor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from tests.gold.structure_pages import pages

FLOORS = {
    "text": 0.99,
    "head": 0.99,
    "level": 0.99,
    "item": 0.9,
    "table": 0.99,
    "teds": 0.99,
    "code": 0.89,
    "lang": 0.85,
    "math": 0.99,
}


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("structure") / "ours.jsonl"
    path.write_text("".join(json.dumps(page) + "\n" for page in pages()))
    return path


@pytest.fixture(scope="module")
def results(gold: Path) -> dict[str, Any]:
    target = gold.with_name("results.json")
    arguments = [str(gold), "--structure", "--extractor", "cedar", "--results", str(target), "--quiet"]
    assert main(["evaluate", *arguments]) == 0
    found: dict[str, Any] = json.loads(target.read_text())["structure"][0]
    return found


@pytest.mark.parametrize("axis", FLOORS)
def test_no_axis_falls_below_its_floor(axis: str, results: dict[str, Any]) -> None:
    assert results["axes"][axis]["mean"] >= FLOORS[axis]


def test_forty_pages_of_four_kinds_are_measured(results: dict[str, Any]) -> None:
    assert (results["pages"], results["failed"], results["surplus_headings"]) == (40, 0, 0)
    assert [results["axes"][axis]["pages"] for axis in ("code", "table", "math")] == [10, 10, 10]
    assert len({page["lang"] for page in pages()}) == 7


def test_the_table_names_the_pages_of_each_axis(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(gold), "--structure", "--limit", "4"]) == 0
    out = capsys.readouterr().out
    assert "ours: 4 pages, structure of Markdown" in out
    assert "head (4)" in out


def test_results_that_cannot_be_written_end_with_2_before_any_work_and_1_after_it(
    gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["evaluate", str(gold), "--structure", "--limit", "1", "--extractor", "cedar", "--results"]
    there = str(tmp_path / "none" / "results.json")
    assert main([*arguments, there]) == 2
    said = f"cedar: cannot write {there}: No such file or directory (make its directory first)\n"
    assert capsys.readouterr() == ("", said)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert main([*arguments, str(tmp_path / "results.json")]) == 1
    said = f"cannot write {tmp_path}/results.json: No space left on device (make room, then run this again)"
    assert said in capsys.readouterr().err


def test_peers_that_nobody_asked_for_are_not_named(
    gold: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cedar.transforms.scoring.peers.Peers.is_installed", lambda *_: False)
    assert main(["evaluate", str(gold), "--structure", "--limit", "1", "--extractor", "cedar"]) == 0
    assert capsys.readouterr().err == ""


def test_peers_that_are_not_installed_are_left_out_and_named(
    gold: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cedar.transforms.scoring.peers.Peers.is_installed", lambda *_: False)
    arguments = [str(gold), "--structure", "--limit", "1", "--extractor", "cedar", "--extractor", "peers"]
    assert main(["evaluate", *arguments]) == 0
    found = capsys.readouterr()
    assert "peer:" not in found.out
    assert "peer:readability is left out: pip install 'cedar-corpus[peers]'" in found.err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--extractor", "cetr"], "cetr keeps lines of text and cannot write Markdown"),
        (
            ["--extractor", "peer:justext"],
            "peer:justext writes no Markdown here: choose from peer:trafilatura, peer:resiliparse, ",
        ),
        (["--extractor", "cetd-ds", "--body-only"], "cetd-ds cannot keep the body only: choose cedar"),
        (["--by", "lang"], "--structure takes no --sweep, --by, --variant or --output: leave them out"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    more: list[str], message: str, gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(gold), "--structure", *more]) == 2
    assert message in capsys.readouterr().err


def test_body_only_leaves_headlines_out_of_markdown(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", str(gold), "--structure", "--extractor", "cedar", "--limit", "4", "--json"]
    assert main(arguments) == 0
    assert main([*arguments, "--body-only"]) == 0
    whole, body = (json.loads(line)["structure"][0] for line in capsys.readouterr().out.splitlines())
    assert whole["axes"]["head"]["mean"] == 1
    assert body["axes"]["head"]["mean"] < 1


def test_a_page_over_its_time_scores_nothing_and_is_named(
    gold: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--extractor", "cedar", "--limit", "1", "--page-timeout", "0.0001", "--json"]
    assert main(["evaluate", str(gold), "--structure", *arguments]) == 0
    found = capsys.readouterr()
    row = json.loads(found.out)["structure"][0]
    assert (row["pages"], row["failed"], row["axes"]["text"]["mean"]) == (1, 1, 0)
    assert found.err == "cedar: cedar failed on ours code-1: time_limit: 0.0001 s of CPU time\n"


def test_a_set_without_markdown_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text(json.dumps({"id": "a", "text": "b", "html": "<p>b"}) + "\n")
    assert main(["evaluate", str(path), "--structure"]) == 2
    assert "has no page with markdown" in capsys.readouterr().err
