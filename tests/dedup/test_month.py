"""deploy/schedule/month.sh: each month against those before it, and a failed night that heals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.dedup.results import rows
from tests.helpers.corpus import books
from tests.helpers.crawl import write_warc

SCRIPT = Path(__file__).parents[2] / "deploy" / "schedule" / "month.sh"


def month(name: str, inputs: Path, root: Path) -> int:
    """Run the script with a `cedar` that is this one."""
    cedar = root / "bin" / "cedar"
    cedar.parent.mkdir(parents=True, exist_ok=True)
    cedar.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cedar "$@"\n')
    cedar.chmod(0o755)
    path = f"{cedar.parent}{os.pathsep}{os.environ['PATH']}"
    command = [str(SCRIPT), name, str(inputs), str(root / "data")]
    return subprocess.run(command, env={**os.environ, "PATH": path}, check=False).returncode


@pytest.mark.slow
def test_a_month_is_compared_with_the_months_before_it_and_goes_on_after_a_failed_night(
    tmp_path: Path,
) -> None:
    write_warc(tmp_path / "january" / "a.warc.gz", 20, first=1)
    write_warc(tmp_path / "february" / "b.warc.gz", 20, first=11)
    unique = tmp_path / "data" / "unique"
    assert month("2026-01", tmp_path / "january", tmp_path) == 0
    unique.joinpath("2026-02").write_text("in the way")
    assert month("2026-02", tmp_path / "february", tmp_path) == 2
    unique.joinpath("2026-02").unlink()
    assert month("2026-02", tmp_path / "february", tmp_path) == 0
    assert month("2026-02", tmp_path / "february", tmp_path) == 0
    assert (books(unique / "2026-01")["pages"], books(unique / "2026-02")["pages"]) == (20, 20)
    again = [row for row in rows(unique / "2026-02") if row["kept_source"].endswith("a.warc.gz")]
    assert len(again) >= 10
    assert not any(row["keep"] for row in again)
