"""A job written as a jar, run by spark-submit of a distribution of Spark: the rows of a local run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.crawl import write_warc
from tests.integration.engines.runs import ROOT, assert_same, extract, finish

pytestmark = [pytest.mark.needs("java", "SPARK_DISTRIBUTION"), pytest.mark.timeout(600)]
PORT = "50310"
SPARK = ROOT / "deploy/spark"


def test_a_job_in_a_jar_writes_the_rows_of_a_local_run(tmp_path: Path) -> None:
    crawl, here, there, jar = (tmp_path / name for name in ("crawl", "here", "there", "job.jar"))
    crawl.mkdir()
    for number in range(3):
        write_warc(crawl / f"{number}.warc.gz", 50, first=1_000 * number, paragraphs=20)
    finish(extract(crawl, here, "--quiet"))
    finish(
        extract(
            crawl, there, "--quiet", "--runner=SparkRunner", "--spark_version=3",
            f"--spark_job_server_jar={SPARK / 'target/job-server.jar'}", f"--output_executable_path={jar}",
            "--environment_type=EXTERNAL", f"--environment_config=localhost:{PORT}",
        )
    )  # fmt: skip
    assert not (there / "shards").exists()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["SPARK_HOME"] = environment["SPARK_DISTRIBUTION"]
    pool = subprocess.Popen([sys.executable, SPARK / "pool.py", PORT], env=environment)
    try:
        command = [SPARK / "run_jar.sh", jar, "--master", "local[2]"]
        subprocess.run(command, env=environment, check=True, timeout=500)
    finally:
        pool.terminate()
        pool.wait()
    subprocess.run([sys.executable, "-m", "cedar", "check", there, "--repair"], check=True)
    assert_same(there, here)
