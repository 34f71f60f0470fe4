"""A plan counts the pages of small inputs, and gives a range for larger ones."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.extract.page_estimate import Range, estimate_pages, exactly
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.readers.choices import ReadOptions
from tests.helpers.crawl import write_warc

DEFAULT = PageFilter()


def estimated(files: Sequence[StoredFile], wanted: PageFilter = DEFAULT, windows: int = 64) -> Range:
    def opened(file: StoredFile) -> BinaryIO:
        return Path(file.path).open("rb")

    return estimate_pages(files, opened, wanted, options=ReadOptions(), windows=windows, window_bytes=4096)


def test_small_files_are_counted(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", 20)
    (tmp_path / "b.warc").touch()
    (tmp_path / "c.warc.gz").write_bytes(b"no archive at all")
    files = list_inputs([str(tmp_path)])
    assert estimated(files) == exactly(20)
    assert estimated(files, PageFilter(statuses=((200, 499),))) == exactly(24)
    assert estimated(files, PageFilter(statuses=((500, 599),))) == exactly(0)
    assert estimated([]) == exactly(0)


@pytest.mark.parametrize("suffix", [".warc.gz", ".warc"])
def test_the_range_holds_the_number_of_pages_in_any_order_and_subset(suffix: str, tmp_path: Path) -> None:
    made = random.Random(0)
    counts = {}
    for number in range(6):
        path = tmp_path / f"{number}{suffix}"
        counts[str(path)] = pages = made.choice((0, 3, 40, 200))
        write_warc(path, pages)
        if suffix == ".warc":  # what is no page at all
            with path.open("ab") as file:
                file.write(b"\0" * made.choice((0, 10_000, 200_000)))
    files = {file.path: file for file in list_inputs([str(tmp_path)])}
    for some in itertools.combinations(sorted(files), 3):
        found = estimated([files[path] for path in some], windows=16)
        assert found.high is not None
        assert found.low <= sum(counts[path] for path in some) <= found.high
        assert found == estimated([files[path] for path in reversed(some)], windows=16)


def test_a_range_is_said_in_words() -> None:
    assert (Range(1000, 2000) + exactly(5)).text() == "1,005 to 2,005"
    assert (Range(1000, None) + exactly(5)).text() == "at least 1,005"
    assert exactly(7).text() == "7"


def test_the_plan_of_a_small_crawl_counts_its_pages_and_shards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = write_warc(tmp_path / "a.warc", 400).stat().st_size
    assert main(["extract", str(tmp_path), "--plan", "--split-size", "64KiB"]) == 0
    pages, read = capsys.readouterr().out.splitlines()
    assert pages == "pages      400 in 1 file"
    shards = max(1, round(size / (64 << 10)))
    assert read.endswith(f"from this machine, {shards} shards")
    assert main(["extract", str(tmp_path), "--plan", "--split-size", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "files": 1,
        "shards": {"low": 1, "high": 1},
        "pages": {"low": 400, "high": 400},
        "bytes": {"low": size, "high": size},
        "wanted": None,
        "requests": 0,
    }


def test_a_price_is_refused_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "x.warc", "--plan", "--price=0.02"]) == 2
    error = capsys.readouterr().err
    assert "--price" in error
    assert "--plan" in error
    assert error.count("\n") == 1
