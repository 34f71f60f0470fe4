"""What a failing job of Beam's says in one line."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from pipelines.common.logs import _without, cause

FAULT = "/in/a.warc.gz: OSError: the file changed while it was read [shard a-0]"


def test_a_fault_in_this_process_is_the_line_before_where_it_happened() -> None:
    assert cause(OSError(f"{FAULT} [while running 'ReadShard']\nmore")) == FAULT
    whole = UnicodeEncodeError("utf-8 [while running 'WriteShard']", "\ud800", 0, 1, "not text")
    assert cause(whole) == "'utf-8' codec can't encode character '\\ud800' in position 0: not text"


def test_a_fault_in_a_worker_elsewhere_is_found_in_its_traceback() -> None:
    text = (
        "Pipeline job-1 failed in state FAILED: java.lang.RuntimeException: Error received: Traceback:\n"
        '  File "read.py", line 1, in process\n'
        f"RuntimeError: transforms.read.ShardFaultError: {FAULT} [while running 'ReadShard']\n"
        "\n\tat java.base/java.lang.Thread.run"
    )
    assert cause(RuntimeError(text)) == FAULT


def test_what_has_no_such_line_is_its_first_one_or_its_class() -> None:
    assert cause(RuntimeError("no route to host\nand more")) == "no route to host"
    assert cause(RuntimeError()) == "RuntimeError"


def test_a_module_that_is_hidden_seems_missing_and_can_be_imported_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tide_tables.py").write_text("HIGH = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    with _without(["tide_tables"]), pytest.raises(ModuleNotFoundError):
        importlib.import_module("tide_tables")
    assert importlib.import_module("tide_tables").HIGH == 7
    with _without(["tide_tables"]):  # what is there stays
        assert importlib.import_module("tide_tables").HIGH == 7
