"""What a failing job of Beam's says in one line."""

from __future__ import annotations

from pipelines.common.logs import cause

FAULT = "/in/a.warc.gz: OSError: the file changed while it was read [shard a-0]"


def test_a_fault_in_this_process_is_the_line_before_where_it_happened() -> None:
    assert cause(OSError(f"{FAULT} [while running 'ReadShard']\nmore")) == FAULT


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
