"""A worker that waits for a web server says so, and hears the word to stop."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cedar.pipelines.local.progress import waits_line
from cedar.transforms.runtime.progress_file import ProgressFile, StoppedError, Wait, WorkerSlot
from cedar.transforms.runtime.worker_progress import WorkerProgress


def test_a_board_has_what_each_worker_waits_for(tmp_path: Path) -> None:
    progress_file = ProgressFile.create(str(tmp_path / "progress_file"), 3)
    progress_file.wait(0, Wait("503", 24.0))
    progress_file.wait(2, Wait("connections", 9.5))
    assert progress_file.waits() == [Wait("503", 24.0), Wait("connections", 9.5)]
    progress_file.wait(0, None)
    assert progress_file.waits() == [Wait("connections", 9.5)]
    assert progress_file.total().records == 0
    assert progress_file.slots == 3


def test_who_waits_is_told_in_words_but_not_of_the_pace() -> None:
    waits = [Wait("503", 124.0), Wait("stall", 110.0), Wait("pace", 900.0)]
    assert waits_line(waits, 8, now=100.0) == "2 of 8 workers wait: 503, stall, 24 s"
    assert waits_line(waits[2:], 8, now=100.0) == ""


def test_the_word_to_stop_ends_a_wait_at_once(tmp_path: Path) -> None:
    progress_file = ProgressFile.create(str(tmp_path / "progress_file"), 1)
    progress = WorkerProgress(WorkerSlot(progress_file.path, 0))
    progress_file.stop()
    start = time.monotonic()
    with pytest.raises(StoppedError):
        progress.sleep(3600.0, "403")
    assert time.monotonic() - start < 60
    assert progress_file.waits() == []
