"""Spark as processes on this machine, of which some are killed: the corpus is that of a quiet run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.helpers.corpus import rows
from tests.helpers.crawl import write_warc
from tests.integration.engines.in_store import assert_duplicates_in_a_store_are_the_same
from tests.integration.engines.runs import ROOT, assert_same, extract, finish, start, tables, wait_until

FILES, PAGES = 6, 900
PORTS = {"SPARK_PORT": "17077", "SPARK_WEB_PORT": "18083", "POOL_PORT": "50300"}
pytestmark = [pytest.mark.needs("java"), pytest.mark.timeout(1200)]


class Cluster:
    """What `deploy/cluster.sh spark up` started: a master, two workers, and a pool of Python beside them."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.environment = {"SPARK_DIR": str(state), **PORTS}

    def submit(self, inputs: Path, corpus: Path, *more: str) -> Any:
        command = (ROOT / "deploy/cluster.sh", "spark", "submit", inputs, "--output", corpus, *more)
        return start(*command, **self.environment)

    def runner(self) -> tuple[str, ...]:
        """The options of a command that works on it."""
        return (
            "--runner=SparkRunner",
            f"--spark_master_url=spark://localhost:{PORTS['SPARK_PORT']}",
            "--spark_version=3",
            f"--spark_job_server_jar={ROOT / 'deploy/spark/target/job-server.jar'}",
            "--environment_type=EXTERNAL",
            f"--environment_config=localhost:{PORTS['POOL_PORT']}",
        )

    def workers(self) -> list[psutil.Process]:
        """The Python workers that the pool started and that are alive."""
        pool = psutil.Process(int((self.state / "pool.pid").read_text()))
        return [p for p in pool.children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE]

    def executors(self) -> list[psutil.Process]:
        """The executors that Spark's workers started."""
        found = []
        for path in self.state.glob("worker-*.pid"):
            found += psutil.Process(int(path.read_text())).children(recursive=True)
        return found


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    running = Cluster(tmp_path_factory.mktemp("spark"))
    finish(start(ROOT / "deploy/cluster.sh", "spark", "up", **running.environment))
    yield running
    left = running.workers()
    finish(start(ROOT / "deploy/cluster.sh", "spark", "down", **running.environment))
    for worker in left:
        with suppress(psutil.NoSuchProcess):
            worker.kill()


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    for number in range(FILES):
        write_warc(directory / f"{number:03d}.warc.gz", PAGES, first=10_000 * number, paragraphs=200)
    return directory


@pytest.fixture(scope="module")
def expected(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of an undisturbed local run."""
    corpus = tmp_path_factory.mktemp("expected") / "corpus"
    finish(extract(crawl, corpus, "--workers", "1", "--signatures", "--quiet"))
    assert len(rows(corpus)) == FILES * PAGES
    return corpus


def staged(corpus: Path) -> list[Path]:
    """Files of pages that attempts are writing."""
    return list(corpus.glob("_tmp/*.pages.parquet"))


@pytest.mark.parametrize("victim", ["nobody", "a Python worker", "an executor"])
@pytest.mark.parametrize("moment", ["reading", "writing"])
def test_whatever_is_killed_the_corpus_is_that_of_a_quiet_run(
    victim: str, moment: str, cluster: Cluster, crawl: Path, expected: Path, tmp_path: Path
) -> None:
    if victim == "nobody" and moment == "writing":
        pytest.skip("nothing to kill")
    corpus = tmp_path / "corpus"
    job = cluster.submit(crawl, corpus, "--signatures", "--quiet")
    if victim != "nobody":
        if moment == "writing":
            wait_until(lambda: bool(staged(corpus)), job)
        else:
            wait_until(lambda: any(w.cpu_times().user > 2.0 for w in cluster.workers()), job)
        (cluster.workers() if victim == "a Python worker" else cluster.executors())[0].kill()
        assert len(list(corpus.glob("shards/*.json"))) < FILES
    finish(job)
    assert_same(corpus, expected)


def test_duplicates_are_found_there_as_here(cluster: Cluster, expected: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    command = (sys.executable, "-m", "cedar", "dedup", expected, "--quiet", "--output")
    finish(start(*command, here))
    finish(start(*command, there, *cluster.runner()))
    assert tables(there / "duplicates") == tables(here / "duplicates")


def test_duplicates_in_an_object_store_are_found_there_as_here(cluster: Cluster, tmp_path: Path) -> None:
    assert_duplicates_in_a_store_are_the_same(tmp_path, cluster.runner())
