"""Figures for Prometheus: written while a run is at work and at its end; alarms of the docs name these."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pipelines.cli import main
from pipelines.common.metrics import METRICS, MetricsFile
from pipelines.local.progress import Reporter
from tests.crawl import write_warc
from transforms.model.books import Books
from transforms.runtime.heartbeat import Board, Progress, Wait

_LINE = re.compile(r'(?P<name>[a-z_]+)(?:\{[a-z]+=(?P<label>"(?:[^"\\]|\\.)*")\})? (?P<value>-?[0-9.e+]+)')


def read(path: Path) -> dict[str, float]:
    """The samples of a file; each is one of a gauge that is described above it."""
    found: dict[str, float] = {}
    described = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# TYPE "):
            described = line.split()[2]
            assert line == f"# TYPE {described} gauge"
        elif not line.startswith("#"):
            sample = _LINE.fullmatch(line)
            assert sample is not None, line
            assert sample["name"] == described
            label = json.loads(sample["label"]) if sample["label"] else ""
            found[f"{described} {label}".strip()] = float(sample["value"])
    return found


def test_the_figures_of_a_run_that_has_ended_are_those_of_its_books(tmp_path: Path) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    file, corpus = tmp_path / "cedar.prom", tmp_path / "corpus"
    arguments = ["--workers", "1", "--quiet", "--metrics-file", str(file)]
    assert main(["extract", str(tmp_path / "in"), "--output", str(corpus), *arguments]) == 0
    books, found = json.loads((corpus / "run.json").read_text()), read(file)
    assert found["cedar_run_at_work"] == found["cedar_run_failures"] == 0
    assert found["cedar_corpus_balanced"] == 1
    assert found["cedar_run_safe_pages"] == found["cedar_corpus_pages"] == books["pages"] > 0
    assert found["cedar_corpus_rejected status"] == books["rejected"]["status"] > 0
    assert found["cedar_corpus_bytes text"] == books["bytes"]["text"]


def test_the_figures_of_a_run_at_work_stay_where_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "cedar.prom"
    board = Board.create(str(tmp_path / "board"), 2)
    board.add(0, Progress(bytes_in=70, records=5, pages=3, rejects=1, safe=2))
    board.wait(1, Wait("503", 9.0))
    metrics = MetricsFile(str(path))
    metrics.ended(None, Books(shards=4, dropped={'url is "a\\b"': 7}))
    board.add(1, Progress(pages=4))
    with Reporter(board, 100, quiet=True, metrics=metrics).going():
        pass
    found = read(path)
    assert found.pop("cedar_written_timestamp_seconds") > 1e9
    assert found["cedar_run_at_work"] == 1
    assert (found["cedar_run_pages"], found["cedar_run_safe_pages"]) == (7, 2)
    assert (found["cedar_run_workers"], found["cedar_run_workers_waiting"]) == (2, 1)
    assert found['cedar_corpus_dropped url is "a\\b"'] == 7
    assert found["cedar_corpus_shards"] == 4


@pytest.mark.parametrize("page", ["operations.md"])
def test_alarms_name_what_a_run_exports(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    named = set(re.findall(r"\bcedar_[a-z_]+", text))
    assert named
    assert named <= METRICS.keys()
