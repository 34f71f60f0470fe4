"""Whole runs between buckets of a server that speaks S3."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.ledger import Ledger
from tests.helpers.stores import s3_server

boto3 = pytest.importorskip("boto3")
pytestmark = pytest.mark.needs("moto")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def bucket() -> Iterator[Any]:
    """A bucket on a server of this process."""
    with s3_server("crawl"):
        yield boto3.resource("s3").Bucket("crawl")


def cedar(*arguments: str, without: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run the command, with some variables of the environment left out."""
    return subprocess.run(
        [sys.executable, "-m", "cedar", "extract", "--quiet", *arguments],
        capture_output=True, text=True, cwd=ROOT, check=False,
        env={name: value for name, value in os.environ.items() if name not in without},
    )  # fmt: skip


def names(bucket: Any, prefix: str) -> list[str]:
    return sorted(item.key.removeprefix(prefix) for item in bucket.objects.filter(Prefix=prefix))


@pytest.fixture(scope="module")
def crawl(bucket: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("crawl") / "sample.warc.gz"
    subprocess.run([sys.executable, "-m", "cedar", "sample", str(path)], cwd=ROOT, check=True)
    bucket.upload_file(str(path), "in/sample.warc.gz")
    return str(path)


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


@pytest.mark.usefixtures("crawl")
def test_options_say_what_the_environment_does_not_in_every_worker(bucket: Any) -> None:
    names_ = ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION")
    told = {
        "--s3_endpoint_url": os.environ["AWS_ENDPOINT_URL"],
        "--s3_region_name": "us-east-1",
        "--s3_access_key_id": "test",
        "--s3_secret_access_key": "test",
    }
    options = [f"{name}={value}" for name, value in told.items()]
    outcome = cedar(
        "s3://crawl/in/", "--output", "s3://crawl/told", "--workers", "2", *options, without=names_
    )
    assert outcome.returncode == 0, outcome.stderr
    assert [name for name in names(bucket, "told/") if name.startswith("pages/")]


def test_a_commit_that_was_not_moved_is_moved_by_the_next_run(bucket: Any, crawl: str) -> None:
    target = "s3://crawl/rolled"
    assert cedar("s3://crawl/in/*.warc.gz", "--output", target).returncode == 0
    (summary,) = Ledger.of(Corpus(target, "parquet")).summaries()
    pages = f"rolled/pages/{summary.shard.name}.parquet"
    staged = f"rolled/_tmp/{summary.shard.name}.{summary.attempt}.pages.parquet"
    bucket.Object(staged).copy({"Bucket": "crawl", "Key": pages})
    bucket.Object(pages).delete()
    assert cedar("s3://crawl/in/*.warc.gz", "--output", target).returncode == 0
    assert pages.removeprefix("rolled/") in names(bucket, "rolled/")
    assert staged.removeprefix("rolled/") not in names(bucket, "rolled/")
    revoke(Corpus(target, "parquet"), summary.shard.name)
    assert not [name for name in names(bucket, "rolled/") if name.startswith(("pages/", "shards/"))]
