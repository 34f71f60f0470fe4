"""Figures for Prometheus: written while a run is at work and at its end; alarms of the docs name these."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.common.metrics import MetricsFile
from cedar.pipelines.local.progress import ProgressReporter
from cedar.transforms.model.books import Books, RejectReason
from cedar.transforms.runtime.progress_file import Progress, ProgressFile, Wait
from tests.helpers.crawl import write_warc
from tests.helpers.held_runs import held_run
from tests.helpers.processes import wait_until

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


def test_figures_that_cannot_be_written_are_named_and_the_corpus_is_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    (tmp_path / "file").touch()
    corpus, target = tmp_path / "corpus", tmp_path / "file" / "cedar.prom"
    arguments = ["--workers", "1", "--quiet", "--metrics-file", str(target)]
    assert main(["extract", str(tmp_path / "in"), "--output", str(corpus), *arguments]) == 1
    assert capsys.readouterr().err.startswith(f"cedar: cannot write {target}: ")
    assert json.loads((corpus / "run.json").read_text())["pages"] == 6


def test_the_figures_of_a_run_at_work_stay_where_it_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "cedar.prom"
    progress_file = ProgressFile.create(str(tmp_path / "progress_file"), 2)
    progress_file.add(0, Progress(bytes_in=70, records=5, pages=3, rejects=1, committed_pages=2))
    progress_file.wait(1, Wait("503", 9.0))
    metrics = MetricsFile(str(path))
    metrics.ended(None, Books(shards=4, dropped={'url is "a\\b"': 7}))
    progress_file.add(1, Progress(pages=4))
    with ProgressReporter(progress_file, 100, quiet=True, metrics=metrics).running():
        pass
    found = read(path)
    assert found.pop("cedar_written_timestamp_seconds") > 1e9
    assert found["cedar_run_at_work"] == 1
    assert (found["cedar_run_pages_read"], found["cedar_run_safe_pages"]) == (7, 2)
    assert (found["cedar_run_workers"], found["cedar_run_workers_waiting"]) == (2, 1)
    assert found['cedar_corpus_dropped url is "a\\b"'] == 7
    assert found["cedar_corpus_shards"] == 4


def alarms() -> dict[str, str]:
    """The alarms of docs/operations.md: name -> expression of Prometheus."""
    text = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    found = dict(re.findall(r"^\| ([^|]+) \|.*\| `([^`]*\bcedar_[^`]*)` \|$", text, re.MULTILINE))
    assert {*re.findall(r"\bcedar_[a-z_]+", text)} == {
        *re.findall(r"\bcedar_[a-z_]+", " ".join(found.values()))
    }
    return {name: expression.replace(r"\|", "|") for name, expression in found.items()}


def fires(expression: str, samples: dict[str, float], now: float) -> bool:
    """Evaluate an alarm over the samples of one scrape; each metric that it names has to be there."""

    def total(match: re.Match[str]) -> str:
        name, pattern = match["name"], match["pattern"]
        labels = [reason.value for reason in RejectReason]
        assert all(any(re.fullmatch(one, label) for label in labels) for one in pattern.split("|"))
        there = {
            n.removeprefix(f"{name} "): value for n, value in samples.items() if n.startswith(f"{name} ")
        }
        return str(sum(value for label, value in there.items() if re.fullmatch(pattern, label)))

    told = re.sub(r'sum\((?P<name>\w+)\{reason=~"(?P<pattern>[^"]+)"\}\)', total, expression)
    told = re.sub(r"increase\((\w+)\[1h\]\)", "0", told).replace("time()", str(now))
    return bool(eval(re.sub(r"cedar_\w+", lambda name: str(samples[name[0]]), told)))


def test_alarms_of_the_docs_are_silent_after_a_run_and_name_what_is_wrong(tmp_path: Path) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    file, corpus = tmp_path / "cedar.prom", tmp_path / "corpus"
    run = ["extract", str(tmp_path / "in"), "--output", str(corpus), "--workers", "1", "--metrics-file"]
    assert main([*run, str(file), "--quiet"]) == 0
    quiet = {**read(file), "cedar_run_workers": 1, "cedar_run_workers_waiting": 0}  # while it is at work
    now = quiet["cedar_written_timestamp_seconds"]
    assert [name for name, expression in alarms().items() if fires(expression, quiet, now)] == []
    wrong = {
        "a run was killed": {"cedar_run_at_work": 1.0, "cedar_written_timestamp_seconds": now - 61},
        "nothing is committed": {"cedar_run_at_work": 1.0},
        "a run failed": {"cedar_run_missing_shards": 1.0},
        "workers crash or run out of memory": {"cedar_run_worker_restarts": 1.0},
        "the books do not balance": {"cedar_corpus_balanced": 0.0},
        "files of the corpus are gone": {"cedar_corpus_broken_shards": 1.0},
        "broken transfers": {"cedar_corpus_rejected damaged_member": 1.0},
        "pages cost too much or fail": {"cedar_corpus_rejected time_limit": 1.0},
        "the run waits and does not work": {"cedar_run_workers_waiting": 1.0},
    }
    assert wrong.keys() == alarms().keys()
    for name, samples in wrong.items():
        assert fires(alarms()[name], {**quiet, **samples}, now), name


@pytest.mark.slow
def test_what_is_scraped_of_a_killed_run_tells_that_it_was_killed(tmp_path: Path) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    file, corpus = tmp_path / "cedar.prom", tmp_path / "corpus"
    run = ["extract", str(tmp_path / "in"), "--output", str(corpus), "--metrics-file", str(file)]
    with held_run(*run, forked=False) as (process, _):
        wait_until(file.exists, process)
    found = read(file)
    assert found["cedar_run_at_work"] == 1
    minute_later = found["cedar_written_timestamp_seconds"] + 61
    assert fires(alarms()["a run was killed"], found, minute_later)
