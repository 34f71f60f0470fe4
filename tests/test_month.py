"""`deploy/schedule/month.sh`: a month and the next one, to data sets that have no page twice."""

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


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="month.sh is a script of bash")
def test_two_months_make_data_sets_that_have_no_page_twice(tmp_path: Path) -> None:
    crawls = {
        "2026-01": month_of(tmp_path / "january", range(30)),
        "2026-02": month_of(tmp_path / "february", range(20, 50)),
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for month in ("2026-01", "2026-02", "2026-02"):  # the last one a night later
        command = ["bash", SCRIPT, month, crawls[month], tmp_path / "root", "--extractor", "cetr"]
        command += ["dedup", "--by", "text,near", "export", "--columns", "url,text"]
        command += ["--format", "jsonl", "--compression", "none", "--where", "words >= 10"]
        subprocess.run(command, check=True, env={**os.environ, "PATH": path})
    urls = [
        json.loads(line)["url"]
        for month in crawls
        for file in (tmp_path / "root/sets" / month / "data").iterdir()
        for line in file.read_text().splitlines()
    ]
    assert urls == [f"https://month.example/{number}" for number in range(50)]
