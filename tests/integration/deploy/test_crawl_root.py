"""Common Crawl's files in a bucket that may be read and not listed, by signed requests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from tests.helpers.corpus import rows
from tests.helpers.crawl_root import MAIN, files_of
from tests.helpers.index_root import make_index_root
from tests.helpers.stores import Faults, Proxy, proxied, s3_server

boto3 = pytest.importorskip("boto3")
pytestmark = pytest.mark.needs("moto")
SELECT = ["--select", "tld=is lang=isl"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_index_root(tmp_path_factory.mktemp("root"))


@pytest.fixture(scope="module")
def bucket(folder: Path) -> Iterator[str]:
    with s3_server("commoncrawl") as uri:
        client = boto3.client("s3")
        for name, data in files_of(folder).items():
            client.put_object(Bucket="commoncrawl", Key=name, Body=data)
        yield uri


@pytest.fixture
def asked(bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Proxy]:
    """A cache of its own; nobody may list."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with proxied(Faults(unlisted=True)) as proxy:
        yield proxy


def extract(output: Path, root: str, *arguments: str) -> int:
    base = ["extract", f"cc:{MAIN}", *arguments, "--output", str(output), "--workers", "1", "--quiet"]
    return main([*base, "--extractor", "cetr", "--crawl-root", root])


@pytest.mark.parametrize("arguments", [(), tuple(SELECT)])
def test_a_crawl_in_a_bucket_gives_the_rows_of_one_in_a_folder(
    arguments: tuple[str, ...], bucket: str, folder: Path, asked: Proxy, tmp_path: Path
) -> None:
    assert extract(tmp_path / "bucket", f"{bucket}/", *arguments) == 0
    assert all(header.startswith("AWS4-HMAC-SHA256 Credential=test/") for header in asked.signatures)
    assert 0 < len(asked.signatures) <= 25
    assert extract(tmp_path / "folder", str(folder), *arguments) == 0
    assert rows(tmp_path / "bucket") == rows(tmp_path / "folder")
    assert len(rows(tmp_path / "folder")) == (12 if arguments else 48)


def test_a_corpus_begun_in_a_folder_goes_on_from_a_bucket(
    bucket: str, folder: Path, asked: Proxy, tmp_path: Path
) -> None:
    assert extract(tmp_path / "corpus", str(folder), "--slice", "0:2") == 0
    assert not asked.signatures
    assert extract(tmp_path / "corpus", f"{bucket}/") == 0
    assert len(rows(tmp_path / "corpus")) == 48


def test_without_an_account_the_hint_is_https(
    bucket: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_") and "KEY" in name]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    assert extract(tmp_path / "corpus", f"{bucket}/") == 2
    error = capsys.readouterr().err
    assert "no account, credentials or region in the environment" in error
    assert "leave out --crawl-root to read over https" in error
    assert not (tmp_path / "corpus").exists()
