"""Corpora in an object store, and duplicates found in them by a job elsewhere and here: the same rows."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.dedup import test_dedup_in_store
from tests.helpers.object_server import object_server
from tests.integration.engines.runs import finish, start


def assert_duplicates_in_a_store_are_the_same(root: Path, runner: tuple[str, ...]) -> None:
    """Find duplicates of two corpora in a store: by a runner into the store, and here into a folder.

    Workers of the runner know the store from the options of the command alone.
    """
    command = [sys.executable, "-m", "cedar", "dedup", "--write", "--quiet"]
    with object_server() as server:
        for corpus in test_dedup_in_store.corpora(root):
            for path in filter(Path.is_file, corpus.rglob("*")):
                server.put(f"bucket/{path.relative_to(root)}", path.read_bytes())
            command.append(f"s3://bucket/{corpus.name}")
        finish(start(*command, "--output", root / "r"))
        known = {
            "--s3_endpoint_url": f"http://127.0.0.1:{server.server_address[1]}",
            "--s3_region_name": "us-east-1",
            "--s3_access_key_id": "test",
            "--s3_secret_access_key": "test",
        }
        told = [f"{name}={value}" for name, value in known.items()]
        finish(start(*command, "--output", f"{test_dedup_in_store.STORE}/r", *told, *runner))
        there = test_dedup_in_store.in_store(server, "r")
        assert there == test_dedup_in_store.on_disk(root / "r")
        assert {name.partition("/")[0] for name in there} >= {"corpus", "duplicates", "index", "run.json"}
