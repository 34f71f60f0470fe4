"""Runs that are killed, interrupted, or not alone: the rows are those of an undisturbed one."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.extract.runs import FILES, assert_whole, extract, start
from tests.helpers.corpus import last_run
from tests.helpers.held_runs import held_run
from tests.helpers.processes import ForkedRun, kill, wait_until


@pytest.mark.slow
@pytest.mark.parametrize("killed_at", [0, 1, 3])
def test_killed_and_started_again_ends_with_the_rows_of_an_undisturbed_run(
    killed_at: int, crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    with held_run("extract", str(crawl), "--output", str(corpus), after=killed_at) as (run, _):
        kill(run, launcher_only=True)
    done = len(list(corpus.glob("shards/*.json")))
    assert extract(crawl, corpus, "--workers", "1") == 0
    assert last_run(corpus)["done_before"] == done >= killed_at
    assert_whole(corpus, expected)


@pytest.mark.slow
def test_killed_worker_process_costs_nothing(
    crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    with held_run("extract", str(crawl), "--output", str(corpus), "--workers", "2") as (run, go):
        psutil.Process(run.pid).children()[0].kill()
        go.touch()
        _, errors = run.communicate(timeout=100)
    assert run.returncode == 0
    assert errors.startswith("cedar: worker ")
    assert " restarted: killed by signal 9" in errors
    assert_whole(corpus, expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGTERM, "1")]
)
def test_interrupted_run_ends_in_order_and_goes_on(
    number: int, workers: str, crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    command = ("extract", str(crawl), "--output", str(corpus), "--workers", workers)
    with held_run(*command, after=1) as (run, go):
        assert isinstance(run, ForkedRun)
        run.send_signal(number)
        wait_until(lambda: "stopping" in run.errors, run)
        go.touch()
        _, errors = run.communicate()
    assert run.returncode == 130
    assert "Traceback" not in errors
    assert "the same command continues from here" in errors
    assert last_run(corpus)["interrupted"]
    assert 0 < len(list(corpus.glob("shards/*.json"))) < FILES
    assert extract(crawl, corpus, "--workers", "1") == 0
    assert_whole(corpus, expected)


@pytest.mark.slow
def test_two_runs_at_once_into_one_corpus_leave_one_result(
    crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    processes = [start(crawl, corpus, "--workers", "1", "--quiet") for _ in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=100)
        assert (process.returncode, errors) == (0, "")
    assert_whole(corpus, expected)
