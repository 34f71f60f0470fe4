"""`deploy/schedule/month.sh`: months to data sets that have no page twice, also after a failed night."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from tests.dedup.results import rows
from tests.helpers.crawl import respond

SCRIPT = Path(__file__).parent.parent / "deploy/schedule/month.sh"


def page(number: int) -> bytes:
    """A page whose words no other page has in this order."""
    words = random.Random(number)
    rows = (" ".join(f"word{words.randrange(900)}" for _ in range(40)) for _ in range(6))
    return f"<html><body><p>{'.</p><p>'.join(rows)}.</p></body></html>".encode()


def month_of(folder: Path, numbers: range) -> Path:
    folder.mkdir()
    with (folder / "a.warc.gz").open("wb") as file:
        writer = WARCWriter(file)
        for number in numbers:
            respond(writer, f"https://month.example/{number}", "200 OK", page(number))
    return folder


@pytest.mark.skipif(shutil.which("bash") is None, reason="month.sh is a script of bash")
def test_without_arguments_the_usage_is_told() -> None:
    ended = subprocess.run(["bash", SCRIPT], check=False, capture_output=True, text=True)
    assert ended.returncode == 2
    assert ended.stderr.startswith("usage: month.sh MONTH INPUT ROOT")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="month.sh is a script of bash")
def test_two_months_make_data_sets_that_have_no_page_twice(tmp_path: Path) -> None:
    crawls = {
        "2026-01": month_of(tmp_path / "january", range(30)),
        "2026-02": month_of(tmp_path / "february", range(20, 50)),
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    unique = tmp_path / "root" / "unique"

    def run(month: str) -> int:
        command = ["bash", SCRIPT, month, crawls[month], tmp_path / "root", "--extractor", "cetr"]
        command += ["dedup", "--by", "text,near", "export", "--columns", "url,text"]
        command += ["--format", "jsonl", "--compression", "none", "--where", "words >= 10"]
        return subprocess.run(command, check=False, env={**os.environ, "PATH": path}).returncode

    assert run("2026-01") == 0
    (unique / "2026-02").write_text("in the way")
    assert run("2026-02") == 2
    (unique / "2026-02").unlink()
    assert [run("2026-02"), run("2026-02")] == [0, 0]  # the next night, and the one after it
    again = [row for row in rows(unique / "2026-02") if "january" in row["kept_source"]]
    assert [row["keep"] for row in again] == [False] * 10
    urls = [
        json.loads(line)["url"]
        for month in crawls
        for file in (tmp_path / "root/sets" / month / "data").iterdir()
        for line in file.read_text().splitlines()
    ]
    assert urls == [f"https://month.example/{number}" for number in range(50)]
