"""Two launchers at work on one corpus in a store at once: each row is there once."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.helpers.crawl import write_warc
from tests.helpers.object_server import object_server

FILES, PAGES = 6, 4


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_launchers_at_once_leave_each_row_once(tmp_path: Path) -> None:
    for number in range(FILES):
        write_warc(tmp_path / "in" / f"{number}.warc.gz", PAGES, first=100 * number)
    command = [
        sys.executable,
        "-m",
        "cedar",
        "extract",
        str(tmp_path / "in"),
        "--workers",
        "1",
        "--quiet",
    ]
    with object_server() as server:
        runs = [subprocess.Popen([*command, "--output", "s3://bucket/corpus"]) for _ in range(2)]
        assert [run.wait() for run in runs] == [0, 0]
        names = [name.removeprefix("bucket/corpus/") for name in server.names]
        content = {name: (server.get(f"bucket/corpus/{name}") or (0, "", b""))[2] for name in names}
    tables = [pq.read_table(io.BytesIO(content[name])) for name in names if name.startswith("pages/")]
    urls = [url for table in tables for url in table.column("url").to_pylist()]
    numbers = [100 * number + page for number in range(FILES) for page in range(PAGES)]
    assert sorted(urls) == sorted(f"https://crawl.example/{number}" for number in numbers)
    books = json.loads(content["run.json"])
    assert (books["pages"], books["shards"], books["balanced"]) == (FILES * PAGES, FILES, True)
    assert not [name for name in names if name.startswith("_tmp/")]
    assert len([name for name in names if name.startswith("runs/")]) == 2
