"""Corpora of many shards on the server of `object_server`: real commits, with files or sizes alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from cedar.pipelines.cli import main
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.readers.shards import shard_name
from tests.helpers.object_server import ObjectServer

BUCKET = "crawl"
INPUTS = f"s3://{BUCKET}/in/*.warc.gz"
OUTPUT = f"s3://{BUCKET}/corpus"
_SIZE = 1 << 20


def input_path(number: int) -> str:
    """Name an input as a crawl does."""
    return f"s3://{BUCKET}/in/CC-MAIN-20260112345678-20260112345678-{number:06d}.warc.gz"


def run_of() -> list[str]:
    """The command that makes the corpus."""
    return ["extract", INPUTS, "--output", OUTPUT, "--workers", "1", "--quiet"]


def begin(server: ObjectServer, content: bytes, *options: str) -> dict[str, Any]:
    """Extract one input into a corpus, whose first commit is the pattern of others."""
    server.put(input_path(0).removeprefix("s3://"), content)
    assert main([*run_of(), *options]) == 0
    name, *_ = [name for name in server.names if "/shards/" in name]
    there = server.get(name)
    assert there is not None
    pattern: dict[str, Any] = json.loads(there[2])
    return pattern


def copy(server: ObjectServer, pattern: dict[str, Any], numbers: Iterable[int]) -> None:
    """Add inputs, and the commits and files of their shards: the rows of the pattern's, which can be read."""
    objects: dict[str, bytes | int] = {input_path(n).removeprefix("s3://"): _SIZE for n in numbers}
    server.fill(objects)
    held = {name: (server.get(f"{BUCKET}/corpus/{name}") or (0, "", b""))[2] for name in pattern["files"]}
    objects = {}
    for number in numbers:
        source = input_path(number)
        there = server.get(source.removeprefix("s3://"))
        assert there is not None
        name = shard_name(source, 0, _SIZE)
        files = {one.replace(pattern["name"], name): said for one, said in pattern["files"].items()}
        said = {"name": name, "source": source, "size": _SIZE, "etag": f'"{there[1]}"', "stop": _SIZE}
        commit = {**pattern, **said, "next_offset": _SIZE, "files": files}
        objects[f"{BUCKET}/corpus/shards/{name}.json"] = json.dumps(commit, indent=1).encode()
        objects |= {f"{BUCKET}/corpus/{one.replace(pattern['name'], name)}": held[one] for one in held}
    server.fill(objects)


def widen(server: ObjectServer, pattern: dict[str, Any], numbers: Iterable[int]) -> None:
    """Add inputs, and the commits of their shards and the sizes of their files, of every kind."""
    objects: dict[str, bytes | int] = {}
    for number in numbers:
        source = input_path(number)
        objects[source.removeprefix("s3://")] = _SIZE
    server.fill(objects)
    objects = {}
    for number in numbers:
        source = input_path(number)
        there = server.get(source.removeprefix("s3://"))
        assert there is not None
        name = shard_name(source, 0, _SIZE)
        files = {f"{kind}/{name}.parquet": {"rows": 1, "bytes": 1000 + number} for kind in FILE_KINDS}
        files[f"pages/{name}.parquet"]["rows"] = 1
        said = {"name": name, "source": source, "size": _SIZE, "etag": f'"{there[1]}"', "stop": _SIZE}
        counts = {"records_read": 3, "pages": 1, "dropped": {"words": 1}, "rejected": {"status": 1}}
        commit = {
            **pattern,
            **said,
            **counts,
            "attempt": f"{number:032x}",
            "next_offset": _SIZE,
            "files": files,
        }
        objects[f"{BUCKET}/corpus/shards/{name}.json"] = json.dumps(commit, indent=1).encode()
        objects |= {f"{BUCKET}/corpus/{file}": 1000 + number for file in files}
    server.fill(objects)
