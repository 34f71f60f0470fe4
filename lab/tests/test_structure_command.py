"""The structure of Markdown on our own pages: no axis may fall below its floor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.compare_structure import Result, main, measured, sets_of
from lab.structure_pages import pages

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
def result() -> Result:
    ((name, own),) = sets_of([], None)
    return measured(name, own, "cedar")


@pytest.mark.parametrize("axis", FLOORS)
def test_no_axis_falls_below_its_floor(axis: str, result: Result) -> None:
    found = result.axes[axis]
    assert found is not None
    assert found["mean"] >= FLOORS[axis]


def test_forty_pages_of_four_kinds_are_measured(result: Result) -> None:
    assert (result.pages, result.failed, result.surplus_headings) == (40, 0, 0)
    assert [(result.axes[axis] or {}).get("pages") for axis in ("code", "table", "math")] == [10, 10, 10]
    assert len({page["lang"] for page in pages()}) == 7


def test_a_table_and_json_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--limit", "4", "--extractor", "cedar", "--extractor", "cetd-ds"]) == 0
    assert "ours: 4 pages" in capsys.readouterr().out
    assert main(["--limit", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["structure"][0]["extractor"] == "cedar"


@pytest.mark.parametrize("name", ["cetr", "peer:justext", "nothing"])
def test_what_writes_no_markdown_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--limit", "1", "--extractor", name]) == 2
    assert name.removeprefix("peer:") in capsys.readouterr().err


def test_a_set_without_markdown_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text(json.dumps({"id": "a", "text": "b", "html": "<p>b"}) + "\n")
    assert main([str(path)]) == 2
    assert "has no page with markdown" in capsys.readouterr().err
