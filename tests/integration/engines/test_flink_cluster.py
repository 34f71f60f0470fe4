"""A Flink cluster of processes on this machine, of which one after the other is killed.

Whatever dies, and whatever wakes up too late, the corpus is that of an undisturbed run.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.helpers.corpus import rows
from tests.helpers.crawl import write_warc
from tests.integration.engines.in_store import assert_duplicates_in_a_store_are_the_same
from tests.integration.engines.runs import (
    JOB_SERVER,
    ROOT,
    assert_same,
    books,
    extract,
    finish,
    names,
    start,
    urls,
    wait_until,
)
from tests.integration.engines.tutorial_steps import assert_the_tutorial_is_the_same

PORT, POOL = 18081, 50100
FILES, PAGES = 6, 1200
pytestmark = [pytest.mark.needs("java"), pytest.mark.timeout(1200)]


class Cluster:
    """What `deploy/cluster.sh flink up` started."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.environment = {"FLINK_DIR": str(state), "FLINK_PORT": str(PORT), "POOL_PORT": str(POOL)}

    def up(self) -> None:
        finish(start(ROOT / "deploy/cluster.sh", "flink", "up", **self.environment))

    def down(self) -> None:
        workers = self.workers()
        finish(start(ROOT / "deploy/cluster.sh", "flink", "down", **self.environment))
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.kill()

    def submit(self, inputs: Path, corpus: Path, *more: str, **environment: str) -> Any:
        command = (ROOT / "deploy/cluster.sh", "flink", "submit", inputs, "--output", corpus, *more)
        return start(*command, **{**self.environment, **environment})

    def runner(self) -> tuple[str, ...]:
        """The options of a command that works on it."""
        return (
            "--runner=FlinkRunner",
            f"--flink_master=localhost:{PORT}",
            "--flink_version=1.19",
            f"--flink_job_server_jar={JOB_SERVER}",
            "--environment_type=EXTERNAL",
            f"--environment_config=localhost:{POOL}",
            "--parallelism=2",
        )

    def at_work(self) -> str:
        """The name of the task manager that reads and writes shards, in a job without parallelism."""
        job = self.newest_job()
        vertices = self.rest(f"/jobs/{job}")["vertices"]
        (vertex,) = [v["id"] for v in vertices if "WriteShard" in v["name"]]
        (member,) = self.rest(f"/jobs/{job}/vertices/{vertex}/taskmanagers")["taskmanagers"]
        return str(member["taskmanager-id"])

    def process(self, name: str) -> psutil.Process:
        return psutil.Process(int((self.state / f"{name}.pid").read_text()))

    def workers(self) -> list[psutil.Process]:
        """The Python workers that the pool started and that are alive."""
        found = self.process("pool").children(recursive=True)
        return [p for p in found if p.status() != psutil.STATUS_ZOMBIE]

    def task_manager_of(self, worker: psutil.Process) -> str:
        """The name of the task manager that a worker works for: the one it talks to."""
        remote = {c.raddr.port for c in worker.net_connections("tcp") if c.raddr}
        for name in ("taskmanager-1", "taskmanager-2"):
            own = self.process(name).net_connections("tcp")
            if remote & {c.laddr.port for c in own if c.status == psutil.CONN_LISTEN}:
                return name
        raise AssertionError("a worker without a task manager")

    def rest(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://localhost:{PORT}{path}", timeout=30) as answer:
            return json.load(answer)

    def faults(self) -> int:
        """From how many faults the newest job has recovered."""
        found = self.rest(f"/jobs/{self.newest_job()}/exceptions?maxExceptions=20")
        return len(found["exceptionHistory"]["entries"])

    def newest_job(self) -> str:
        (job, *_) = sorted(self.rest("/jobs/overview")["jobs"], key=lambda j: -j["start-time"])
        return str(job["jid"])

    def whole(self) -> bool:
        """Whether all its processes are alive."""
        return all(psutil.pid_exists(int(path.read_text())) for path in self.state.glob("*.pid"))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("flink"))
    cluster.up()
    yield cluster
    if where := os.environ.get("FLINK_LOGS"):
        shutil.copytree(cluster.state, where, dirs_exist_ok=True)
    cluster.down()


@pytest.fixture
def cluster(running: Cluster) -> Cluster:
    """A cluster with all its task managers: started anew where the test before has killed one."""
    if not running.whole():
        running.down()
        running.up()
    return running


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    for number in range(FILES):
        write_warc(directory / f"{number:03d}.warc.gz", PAGES, first=10_000 * number, paragraphs=260)
    return directory


@pytest.fixture(scope="module")
def expected(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of an undisturbed local run."""
    corpus = tmp_path_factory.mktemp("expected") / "corpus"
    finish(extract(crawl, corpus, "--workers", "1", "--quiet"))
    assert len(rows(corpus)) == FILES * PAGES
    return corpus


def staged(corpus: Path) -> list[Path]:
    """Files of pages that attempts are writing."""
    return list(corpus.glob("_tmp/*.pages.parquet"))


def reading(corpus: Path, cluster: Cluster) -> bool:
    """Whether workers are at work and no row has been written since the last commit."""
    return len(cluster.workers()) >= 2 and busy(cluster) and not staged(corpus)


def busy(cluster: Cluster) -> bool:
    return sum(worker.cpu_times().user for worker in cluster.workers()) > 3.0


def test_undisturbed(cluster: Cluster, crawl: Path, expected: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    finish(cluster.submit(crawl, corpus, "--quiet"))
    assert_same(corpus, expected)


def test_the_way_of_the_tutorial_leads_to_the_pages_of_the_local_runner(
    cluster: Cluster, tmp_path: Path
) -> None:
    assert_the_tutorial_is_the_same(tmp_path, cluster.runner())


def test_duplicates_in_an_object_store_are_found_there_as_here(cluster: Cluster, tmp_path: Path) -> None:
    assert_duplicates_in_a_store_are_the_same(tmp_path, cluster.runner())


@pytest.mark.parametrize("moment", ["reading", "writing"])
def test_killed_task_manager(
    moment: str, cluster: Cluster, crawl: Path, expected: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    job = cluster.submit(crawl, corpus, "--quiet")
    wait_until(lambda: bool(staged(corpus)) if moment == "writing" else reading(corpus, cluster), job)
    victim = cluster.task_manager_of(cluster.workers()[0])
    cluster.process(victim).kill()
    committed = len(list(corpus.glob("shards/*.json")))
    assert committed < FILES
    finish(job)
    assert cluster.faults() > 0
    assert_same(corpus, expected)


def test_killed_python_worker(cluster: Cluster, crawl: Path, expected: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    job = cluster.submit(crawl, corpus, "--quiet")
    wait_until(lambda: bool(staged(corpus)), job)
    cluster.workers()[0].kill()
    finish(job)
    assert cluster.faults() > 0
    assert_same(corpus, expected)


def test_a_worker_that_outlives_its_task_manager_and_commits_late_changes_nothing(
    cluster: Cluster, crawl: Path, expected: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    pool = start(sys.executable, "-m", "tests.integration.engines.held_pool", POOL + 1, tmp_path)
    try:
        job = cluster.submit(crawl, corpus, "--quiet", POOL_PORT=str(POOL + 1), PARALLELISM="1")
        wait_until((tmp_path / "held").exists, job)
        cluster.process(cluster.at_work()).kill()
        finish(job)
        assert cluster.faults() > 0
        assert_same(corpus, expected, at_work=1)
        (tmp_path / "go").touch()
        wait_until((tmp_path / "late").exists, pool)
        late, winner = (tmp_path / "late").read_text().split()
        assert late != winner
        assert_same(corpus, expected)
    finally:
        pool.kill()
        pool.communicate()


def test_forty_files_arrive_while_a_task_manager_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    inbox, corpus = tmp_path / "in", tmp_path / "corpus"
    inbox.mkdir()
    job = cluster.submit(inbox, corpus, "--watch", "1", "--checkpointing_interval=3000")
    wait_until((corpus / "run.json").exists, job)
    writer = start(sys.executable, "-m", "tests.helpers.arriving", inbox, 40, 6, 7, 40)
    wait_until(lambda: len(list(corpus.glob("shards/*.json"))) >= 8, job)
    cluster.process(cluster.task_manager_of(cluster.workers()[0])).kill()
    finish(writer)
    wait_until(lambda: len(list(corpus.glob("shards/*.json"))) >= 40, job)
    assert cluster.faults() > 0
    shown = {"pages-written", "records-read", "html-bytes", "text-bytes", "rejected-status"}
    wait_until(lambda: shown <= counters(cluster).keys(), job)
    job.send_signal(signal.SIGTERM)
    finish(job)
    assert urls(corpus) == sorted(
        f"https://crawl.example/{1000 * f + n}" for f in range(40) for n in range(6)
    )
    assert (books(corpus)["pages"], books(corpus)["shards"]) == (240, 40)
    assert not [name for name in names(corpus) if name.startswith("_tmp")]


def counters(cluster: Cluster) -> dict[str, float]:
    """Cedar's metrics in the newest job, by their own names, summed over the subtasks."""
    found: dict[str, float] = {}
    job = cluster.newest_job()
    for vertex in cluster.rest(f"/jobs/{job}")["vertices"]:
        base = f"/jobs/{job}/vertices/{vertex['id']}/subtasks/metrics"
        for name in [m["id"] for m in cluster.rest(base) if ".cedar_" in m["id"]]:
            for value in cluster.rest(f"{base}?get={urllib.parse.quote(name)}&agg=sum"):
                found[name.rpartition(".cedar_")[2]] = value["sum"]
    return found
