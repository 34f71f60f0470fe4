"""Beam's options of S3, as variables of the environment."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import apache_beam as beam
import pytest

from cedar.pipelines.beam.beam_arguments import store_environment
from cedar.pipelines.common.errors import UsageError
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.shard_writer import WritePlan
from cedar.transforms.follow import EmitUntilCommitted, ListUndone, TakeFile
from cedar.transforms.read import ReadShard
from cedar.transforms.readers.shard_reader import ReadPlan
from cedar.transforms.write import WriteShard


def test_options_become_variables_however_they_are_written() -> None:
    told = store_environment(
        ["--s3_endpoint_url", "http://h:1", "--streaming", "--s3_region_name=eu-1", "--parallelism=2"]
    )
    assert told.variables == (("AWS_ENDPOINT_URL_S3", "http://h:1"), ("AWS_DEFAULT_REGION", "eu-1"))
    assert store_environment([]).variables == ()


def test_they_travel_with_the_corpus_and_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    told = store_environment(["--s3_secret_access_key=hush"])
    corpus = pickle.loads(pickle.dumps(Corpus("s3://b/c", "parquet", None, told)))
    assert "hush" not in repr(corpus)
    corpus.environment.enter()
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == "hush"


@pytest.mark.parametrize(
    ("argument", "advice"),
    [
        ("--s3_disable_ssl", "--s3_endpoint_url=http://"),
        ("--s3_verify=no", "AWS_CA_BUNDLE"),
        ("--s3_api_version=1", "leave it out"),
        ("--s3_region_name", "needs a value"),
        ("--s3_region_name=", "needs a value"),
    ],
)
def test_an_option_without_a_meaning_says_what_to_write(argument: str, advice: str) -> None:
    with pytest.raises(UsageError, match=advice):
        store_environment([argument])


@pytest.mark.parametrize(
    "step",
    [
        lambda corpus: ReadShard(corpus, ReadPlan()),
        lambda corpus: WriteShard(corpus, WritePlan(options_digest="digest")),
        lambda corpus: ListUndone(list, corpus),
        lambda corpus: TakeFile(corpus),
        lambda corpus: EmitUntilCommitted(corpus, 1.0),
    ],
    ids=["ReadShard", "WriteShard", "ListUndone", "TakeFile", "EmitUntilCommitted"],
)
def test_a_worker_reaches_the_stores_as_the_launcher_does(
    step: Callable[[Corpus], beam.DoFn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    told = store_environment(["--s3_region_name=eu-7"])
    made = pickle.loads(pickle.dumps(step(Corpus(str(tmp_path), "parquet", None, told))))
    made.setup()
    assert os.environ["AWS_DEFAULT_REGION"] == "eu-7"
