"""What a person sees while a run goes, and at its end."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cedar.pipelines.local import progress
from cedar.pipelines.local.progress import ProgressReporter, progress_line
from cedar.transforms.runtime.progress_file import Progress, ProgressFile
from tests.helpers.crawl import write_warc


def test_progress_line_says_share_speed_rejects_and_time_left() -> None:
    line = progress_line(Progress(bytes_in=250_000, pages=1200, rejects=30), 0.25, 10.0)
    assert line == "1,200 pages, 120/s, 30 rejects, 30 s left"


def test_progress_line_promises_nothing_at_the_start() -> None:
    assert "left" not in progress_line(Progress(), 0.0, 0.1)


@pytest.mark.parametrize(
    ("total", "counts_pages", "shown"),
    [
        (1_000_000, False, " 25% of 1.0 MB read"),
        (1000, False, "100% of 1.0 kB read"),
        (0, False, "100% of 0.0 kB read"),
        (4000, True, " 30% of 4,000 pages"),
    ],
)
def test_progress_says_of_what_it_is_the_share_and_never_passes_all(
    total: int, counts_pages: bool, shown: str, tmp_path: Path
) -> None:
    progress_file = ProgressFile.create(str(tmp_path / "progress_file"), 1)
    progress_file.add(0, Progress(bytes_in=250_000, pages=1200))
    reporter = ProgressReporter(progress_file, total, quiet=True, counts_pages=counts_pages)
    assert reporter._progress()[1].startswith(f"{shown}, 1,200 pages, ")


def test_a_log_gets_a_line_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_LOG_SECONDS", 0.01)
    progress_file = ProgressFile.create(str(tmp_path / "progress_file"), 2)
    progress_file.add(0, Progress(bytes_in=50, pages=1))
    progress_file.add(1, Progress(bytes_in=25, pages=2))
    reporter = ProgressReporter(progress_file, 100, quiet=False)
    with reporter.running():
        for _ in range(5):
            time.sleep(0.02)
            reporter.update()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 2
    assert lines[0].startswith(" 75% of 0.1 kB read, 3 pages")


def test_quiet_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_LOG_SECONDS", 0.01)
    reporter = ProgressReporter(ProgressFile.create(str(tmp_path / "progress_file"), 1), 100, quiet=True)
    with reporter.running():
        time.sleep(0.02)
        reporter.update()
    assert capsys.readouterr().err == ""


def read_terminal(terminal: int) -> bytes:
    """What the program shows next; b"" when it has ended, which Linux says by an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


@pytest.mark.slow
def test_a_terminal_gets_a_bar(tmp_path: Path) -> None:
    warc = write_warc(tmp_path / "a.warc.gz", 400)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cedar", "extract", str(warc), "--output", str(tmp_path / "corpus")]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    ) as run:
        os.close(theirs)
        shown = b"".join(iter(lambda: read_terminal(ours), b""))
    os.close(ours)
    assert run.returncode == 0
    text = shown.decode()
    assert "read," in text
    assert "pages," in text
    assert "rejects" in text


def test_slots_add_up_and_the_word_to_stop_reaches_everybody(tmp_path: Path) -> None:
    path = str(tmp_path / "progress_file")
    ours = ProgressFile.create(path, 3)
    theirs = ProgressFile(path)
    for slot in range(3):
        theirs.add(slot, Progress(1, 2, 3, 4))
        theirs.add(slot, Progress(1, 2, 3, 4))
    assert ours.total() == Progress(6, 12, 18, 24)
    assert not theirs.stopping
    ours.stop()
    assert theirs.stopping
