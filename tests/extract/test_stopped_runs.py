"""Runs that are killed, interrupted, or not alone: the rows are those of an undisturbed one."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.extract.runs import assert_whole, extract, start
from tests.helpers.corpus import last_run
from tests.helpers.processes import kill, wait_for_shards


@pytest.mark.slow
@pytest.mark.parametrize("killed_at", [0, 1, 3])
def test_killed_and_started_again_ends_with_the_rows_of_an_undisturbed_run(
    killed_at: int, crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    process = start(crawl, corpus, "--workers", "1", "--quiet")
    wait_for_shards(corpus, killed_at, process)
    kill(process, launcher_only=True)
    process.communicate()
    done = len(list(corpus.glob("shards/*.json")))
    assert extract(crawl, corpus, "--workers", "1") == 0
    assert last_run(corpus)["done_before"] == done
    assert_whole(corpus, expected)


@pytest.mark.slow
def test_killed_worker_process_costs_nothing(
    crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    process = start(crawl, corpus, "--workers", "2", "--quiet")
    workers: list[psutil.Process] = []
    while not workers:
        assert process.poll() is None
        workers = [
            p
            for p in psutil.Process(process.pid).children()
            if "resource_tracker" not in " ".join(p.cmdline())
        ]
    workers[0].kill()
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 0
    assert errors.startswith("cedar: worker 1 restarted: killed by signal 9")
    assert_whole(corpus, expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGINT, "1"), (signal.SIGINT, "2"), (signal.SIGTERM, "1")]
)
def test_interrupted_run_ends_in_order_and_goes_on(
    number: int, workers: str, crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    process = start(crawl, corpus, "--workers", workers, "--quiet")
    wait_for_shards(corpus, 1, process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    if process.returncode != 0:  # it may have been done already
        assert process.returncode == 130
        assert "Traceback" not in errors
        assert "the same command continues from here" in errors
        assert last_run(corpus)["interrupted"]
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
