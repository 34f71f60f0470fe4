"""The main job and a watch on Flink inside the job server: the rows are those of the local runner."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from crawl import write_warc
from runs import EMBEDDED, assert_same, extract, finish, rows

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("crawl")
    for number in range(5):
        write_warc(directory / f"{number:03d}.warc.gz", 60, first=1000 * number)
    (directory / "005.warc.gz").write_bytes(b"no archive at all")
    return directory


def test_rows_are_those_of_the_local_runner(crawl: Path, tmp_path: Path) -> None:
    more = ("--split-size", "8KiB", "--quiet")
    finish(extract(crawl, tmp_path / "local", *more))
    finish(extract(crawl, tmp_path / "flink", *more, *EMBEDDED))
    assert len(rows(tmp_path / "flink")) == 300
    assert_same(tmp_path / "flink", tmp_path / "local")


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
