"""A corpus on servers that speak S3 and Google Cloud Storage: the commit, the moves, and whole runs."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pyarrow.parquet as pq
import pytest
from moto.server import ThreadedMotoServer

from transforms.corpus.commit import Corpus, revoke
from transforms.corpus.stores import storage_for

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def bucket() -> Iterator[Any]:
    """A bucket on a server of this process, reached as any other through the environment."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    resource = boto3.resource("s3")
    yield resource.create_bucket(Bucket="crawl")
    server.stop()


@pytest.fixture(autouse=True)
def options() -> None:
    from apache_beam.io.filesystems import FileSystems
    from apache_beam.options.pipeline_options import PipelineOptions

    FileSystems.set_options(PipelineOptions([]))


def cedar(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipelines", "extract", "--quiet", *arguments],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip


def names(bucket: Any, prefix: str) -> list[str]:
    return sorted(item.key.removeprefix(prefix) for item in bucket.objects.filter(Prefix=prefix))


@pytest.fixture(scope="module")
def crawl(bucket: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("crawl") / "sample.warc.gz"
    subprocess.run([sys.executable, "-m", "pipelines.sample", str(path)], cwd=ROOT, check=True)
    bucket.upload_file(str(path), "in/sample.warc.gz")
    return str(path)


@pytest.fixture(scope="module")
def google(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A bucket on a server that speaks as Google Cloud Storage; its program is written in Go."""
    program = os.environ.get("FAKE_GCS_SERVER")
    if not program:
        pytest.skip("FAKE_GCS_SERVER names no program: make test-deploy builds it where there is Go")
    from apache_beam.internal.gcp import auth
    from google.cloud import storage

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (tmp_path_factory.mktemp("gcs") / "log").open("wb") as log, pytest.MonkeyPatch.context() as patch:
        host = f"127.0.0.1:{port}"
        options = ["-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-public-host", host]
        server = subprocess.Popen([program, *options, "-backend", "memory"], stdout=log, stderr=log)
        # Without it, Beam asks the network for credentials for a minute.
        patch.setattr(auth._Credentials, "get_service_credentials", lambda *_: None)
        patch.setenv("STORAGE_EMULATOR_HOST", f"http://{host}")
        client = storage.Client.create_anonymous_client()
        client.project = "test"
        client.create_bucket("crawl")
        yield "gs://crawl"
        server.kill()
        server.wait()


@pytest.fixture(params=["s3", "gs"])
def root(request: pytest.FixtureRequest) -> str:
    """A bucket of each kind."""
    if request.param == "gs":
        return str(request.getfixturevalue("google"))
    request.getfixturevalue("bucket")
    return "s3://crawl"


def test_of_many_writers_one_creates_the_object(root: str) -> None:
    storage = storage_for(f"{root}/x")
    wins: list[int] = []

    def write(number: int) -> None:
        staged = f"{root}/race/_tmp/{number}"
        with storage.create(staged) as file:
            file.write(str(number).encode())
        if storage.create_if_absent(staged, f"{root}/race/final"):
            wins.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wins) == 1
    assert storage.read(f"{root}/race/final") == str(wins[0]).encode()
    assert storage.read(f"{root}/race/_tmp/{wins[0]}") is None
    assert [file.path for file in storage.list(f"{root}/race")] == [f"{root}/race/final"]


def test_a_move_leaves_the_whole_object_and_no_source(root: str) -> None:
    storage = storage_for(f"{root}/x")
    with storage.create(f"{root}/move/from") as file:
        file.write(b"x" * 100_000)
    assert storage.move(f"{root}/move/from", f"{root}/move/to")
    assert not storage.move(f"{root}/move/from", f"{root}/move/to")
    assert storage.read(f"{root}/move/to") == b"x" * 100_000
    assert storage.read(f"{root}/move/from") is None


def test_an_empty_object_and_one_that_is_not_there(root: str) -> None:
    storage = storage_for(f"{root}/x")
    storage.create(f"{root}/empty").close()
    assert storage.read(f"{root}/empty") == b""
    storage.delete(f"{root}/empty")
    storage.delete(f"{root}/empty")
    assert storage.read(f"{root}/empty") is None


def test_a_store_that_refuses_is_a_fault_and_no_success(root: str) -> None:
    storage = storage_for(f"{root}-is-no-bucket/x")
    with pytest.raises(OSError, match="is-no-bucket"):
        storage.create(f"{root}-is-no-bucket/x").close()


def test_a_bucket_that_is_not_there_is_one_line_of_usage(crawl: str) -> None:
    outcome = cedar(crawl, "--output", "s3://no-such-bucket/corpus")
    assert outcome.returncode == 2
    assert outcome.stderr.startswith("cedar: ")
    assert outcome.stderr.count("\n") == 1


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_between_buckets_equals_a_local_one(
    bucket: Any, crawl: str, tmp_path: Path, workers: str
) -> None:
    local = tmp_path / "corpus"
    assert cedar(crawl, "--output", str(local)).returncode == 0
    target = f"s3://crawl/corpus-{workers}"
    for _ in range(2):  # the second finds everything done
        outcome = cedar("s3://crawl/in/*.warc.gz", "--output", target, "--workers", workers)
        assert outcome.returncode == 0, outcome.stderr
    found = names(bucket, f"corpus-{workers}/")
    assert not [name for name in found if name.startswith("_tmp/")]
    (pages,) = [name for name in found if name.startswith("pages/")]
    bucket.download_file(f"corpus-{workers}/{pages}", str(tmp_path / "pages.parquet"))
    (expected,) = (local / "pages").iterdir()
    changing = ("source", "decode_seconds", "extract_seconds")
    assert (
        pq.read_table(tmp_path / "pages.parquet")
        .drop_columns(changing)
        .equals(pq.read_table(expected).drop_columns(changing))
    )
    books = json.loads(bucket.Object(f"corpus-{workers}/run.json").get()["Body"].read())
    assert books["records_read"] == json.loads((local / "run.json").read_text())["records_read"]


def test_a_commit_that_was_not_moved_is_moved_by_the_next_run(bucket: Any, crawl: str) -> None:
    target = "s3://crawl/rolled"
    assert cedar("s3://crawl/in/*.warc.gz", "--output", target).returncode == 0
    (summary,) = Corpus(target, "parquet").summaries()
    pages = f"rolled/pages/{summary.shard.name}.parquet"
    staged = f"rolled/_tmp/{summary.shard.name}.{summary.attempt}.pages.parquet"
    bucket.Object(staged).copy({"Bucket": "crawl", "Key": pages})
    bucket.Object(pages).delete()
    assert cedar("s3://crawl/in/*.warc.gz", "--output", target).returncode == 0
    assert pages.removeprefix("rolled/") in names(bucket, "rolled/")
    assert staged.removeprefix("rolled/") not in names(bucket, "rolled/")
    revoke(Corpus(target, "parquet"), summary.shard.name)
    assert not [name for name in names(bucket, "rolled/") if name.startswith(("pages/", "shards/"))]
