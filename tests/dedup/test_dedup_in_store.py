"""A result in an object store: the tables and the corpus of one on the disk."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main as cedar
from cedar.pipelines.dedup import tables
from tests.dedup.corpora import write_corpus
from tests.dedup.results import dedup, family
from tests.helpers.object_server import ObjectServer, object_server

STORE = "s3://bucket/results"


@pytest.fixture
def server() -> Iterator[ObjectServer]:
    with object_server() as server:
        yield server


def corpora(folder: Path) -> tuple[Path, Path]:
    pages = family(160, 5)
    shards = [pages[:60], pages[60:100], pages[100:120]]
    return write_corpus(folder / "a", shards), write_corpus(folder / "b", [pages[80:]])


def in_store(server: ObjectServer, name: str) -> dict[str, Any]:
    """The tables of a result, and its books."""
    found: dict[str, Any] = {}
    for path in server.names:
        place = path.removeprefix(f"bucket/results/{name}/")
        content = (server.get(path) or (0, "", b""))[2]
        if place != path and path.endswith(".parquet"):
            found[place] = rows(io.BytesIO(content))
        elif place == "run.json":
            found[place] = json.loads(content)
    return found


def on_disk(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"run.json": json.loads((root / "run.json").read_bytes())}
    for path in root.glob("**/*.parquet"):
        found[path.relative_to(root).as_posix()] = rows(path)
    return found


def rows(file: Any) -> list[dict[str, Any]]:
    table: pa.Table = pq.read_table(file)
    return table.to_pylist()


def test_the_result_in_a_store_is_that_on_the_disk(server: ObjectServer, tmp_path: Path) -> None:
    a, b = corpora(tmp_path)
    more = ("--write", "--memory", "64KiB")
    assert dedup(a, b, "--output", tmp_path / "r", *more) == 0
    assert dedup(a, b, "--output", f"{STORE}/r", *more) == 0
    assert in_store(server, "r") == on_disk(tmp_path / "r")
    assert not [name for name in server.names if "/_work/" in name]
    before = server.asked.copy()
    assert dedup(a, b, "--output", f"{STORE}/r", *more) == 0
    again = server.asked - before
    # The books of the corpus, its card, and a probe whether it can be written.
    assert again["PUT"] <= 3
    assert again["COPY"] == 0


def test_options_say_what_the_environment_does_not(
    server: ObjectServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, _ = corpora(tmp_path)
    told = [f"--s3_endpoint_url={os.environ['AWS_ENDPOINT_URL']}", "--s3_region_name=us-east-1"]
    told += ["--s3_access_key_id=test", "--s3_secret_access_key=hidden"]
    with monkeypatch.context() as bare:
        # What the command sets is taken out again, too.
        bare.setattr(os, "environ", {k: v for k, v in os.environ.items() if not k.startswith("AWS_")})
        assert dedup(a, "--output", f"{STORE}/r", *told) == 0
    assert "run.json" in in_store(server, "r")
    assert not [name for name in server.names if b"hidden" in (server.get(name) or (0, "", b""))[2]]


def test_a_run_that_was_cut_short_goes_on(
    server: ObjectServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = corpora(tmp_path)
    assert dedup(a, b, "--output", tmp_path / "r", "--write") == 0
    with monkeypatch.context() as patched:
        patched.setattr(tables, "write_shard", lambda *_: 1 / 0)
        assert dedup(a, b, "--output", f"{STORE}/r", "--write") == 1
    assert [name for name in server.names if "/_work/" in name]
    assert dedup(a, b, "--output", f"{STORE}/r", "--write") == 0
    assert in_store(server, "r") == on_disk(tmp_path / "r")


def test_later_corpora_are_held_to_a_result_in_a_store(server: ObjectServer, tmp_path: Path) -> None:
    a, b = corpora(tmp_path)
    for root in (str(tmp_path), STORE):
        assert dedup(a, "--output", f"{root}/first") == 0
        assert dedup(b, "--against", f"{root}/first", "--output", f"{root}/second") == 0
    assert in_store(server, "second") == on_disk(tmp_path / "second")
    drawn = [tmp_path / f"{name}.html" for name in ("result", "corpus")]
    assert cedar(["report", f"{STORE}/first", f"{STORE}/second", "--output", str(drawn[0])]) == 0
    duplicates = ["--duplicates", f"{STORE}/first"]
    assert cedar(["report", str(a), *duplicates, "--output", str(drawn[1])]) == 0
    assert all("similar text" in path.read_text() for path in drawn)
    assert "% of their words in common" in drawn[0].read_text()
    assert dedup(b, "--output", f"{STORE}/first", "--overwrite") == 0
    assert dedup(b, "--output", tmp_path / "only") == 0
    assert in_store(server, "first") == on_disk(tmp_path / "only")
