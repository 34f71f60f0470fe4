"""What a failing job of Beam's says in one line."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.common.logs import _hidden, cause
from tests.helpers.crawl import write_warc

FAULT = "/in/a.warc.gz: OSError: the file changed while it was read [shard a-0]"


def test_a_fault_in_this_process_is_the_line_before_where_it_happened() -> None:
    assert cause(OSError(f"{FAULT} [while running 'ReadShard']\nmore")) == FAULT
    whole = UnicodeEncodeError("utf-8 [while running 'WriteShard']", "\ud800", 0, 1, "not text")
    assert cause(whole) == "'utf-8' codec can't encode character '\\ud800' in position 0: not text"


def test_a_fault_in_a_worker_elsewhere_is_found_in_its_traceback() -> None:
    text = (
        "Pipeline job-1 failed in state FAILED: java.lang.RuntimeException: Error received: Traceback:\n"
        '  File "read.py", line 1, in process\n'
        f"RuntimeError: cedar.transforms.read.ShardFaultError: {FAULT} [while running 'ReadShard']\n"
        "\n\tat java.base/java.lang.Thread.run"
    )
    assert cause(RuntimeError(text)) == FAULT


def test_what_has_no_such_line_is_its_first_one_or_its_class() -> None:
    assert cause(RuntimeError("no route to host\nand more")) == "no route to host"
    assert cause(RuntimeError()) == "RuntimeError"
    of_grpc = '<_Rendezvous of RPC that terminated with:\n\tstatus = UNAVAILABLE\n\tdetails = "refused"\n>'
    assert cause(RuntimeError(of_grpc)) == "refused"


def test_a_module_that_is_hidden_seems_missing_and_can_be_imported_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tide_tables.py").write_text("HIGH = 7\n")
    monkeypatch.syspath_prepend(tmp_path)
    with _hidden(["tide_tables"]), pytest.raises(ModuleNotFoundError):
        importlib.import_module("tide_tables")
    assert importlib.import_module("tide_tables").HIGH == 7
    with _hidden(["tide_tables"]):  # what is there stays
        assert importlib.import_module("tide_tables").HIGH == 7


def test_level_info_shows_what_becomes_of_shards_and_debug_also_what_beam_says(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    shown = {}
    for level in ("info", "debug"):
        command = [
            "extract",
            f"{tmp_path}/in",
            "--output",
            f"{tmp_path}/{level}",
            "--workers",
            "1",
            "--quiet",
        ]
        assert main([*command, "--log-level", level]) == 0
        shown[level] = capfd.readouterr().err.splitlines()
    assert [line.split(" shard=")[0] for line in shown["info"][:2]] == [
        "INFO cedar.events: shard begun",
        "INFO cedar.events: shard done",
    ]
    assert len(shown["info"]) == 3
    assert any("apache_beam" in line for line in shown["debug"])


def test_with_json_each_line_is_an_object_and_each_shard_has_its_events(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    (tmp_path / "in" / "b.warc.gz").write_bytes(b"no archive")
    command = ["extract", f"{tmp_path}/in/*.warc.gz", "--output", f"{tmp_path}/corpus", "--workers", "1"]
    assert main([*command, "--log-format", "json", "--quiet"]) == 0
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert all({"time", "level", "message"} <= line.keys() for line in lines)
    happened = [line["event"] for line in lines if "event" in line]
    assert happened == ["shard begun", "shard done"] * 2 + ["run ended"]
    done = {line["shard"][0]: line["pages"] for line in lines if line.get("event") == "shard done"}
    assert done == {"a": 6, "b": 0}
    (complaint,) = [line for line in lines if "have no record" in line["message"]]
    assert complaint["level"] == "warning"
    assert main([*command, "--log-format", "json", "--limit", "1"]) == 2
    assert main([*command, "--quiet"]) == 0
    assert type(sys.stderr).__name__ != "_JsonLines"
