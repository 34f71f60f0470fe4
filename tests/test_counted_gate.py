"""No stage gets dearer unnoticed: calls, lines and memory against the record, which no noise can touch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks import counts, pages

ROOT = Path(__file__).parent.parent

HOW = f"""
If it is worth that, record it: make counts ARGS="--raise 'STAGE'". A new stage needs only: make counts.
The record is {counts.RECORD.relative_to(ROOT)}; what is counted stands at the top of {counts.__name__}.
"""


def test_no_stage_is_more_than_a_tenth_dearer_than_recorded() -> None:
    # A process of its own: no other thread allocates, nothing else traces, and the hash seed is fixed.
    run = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.counts"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout.splitlines()[-1])
    worse = counts.dearer(found, counts.recorded())
    assert not worse, "\n".join(["dearer than recorded:", *worse, HOW])
    assert set(counts.recorded()) <= set(found), f"stages on record that are no more: {HOW}"


BEFORE = {"read": {"calls": 100, "lines": 200, "peak": 1000}}


def test_a_stage_that_is_dearer_or_new_is_named() -> None:
    found = {
        "read": {"calls": 110, "lines": 221, "peak": 17_000},
        "decode": {"calls": 1, "lines": 1, "peak": 1},
    }
    assert counts.dearer(found, BEFORE) == ["read: lines 200 -> 221 (+10%)", "decode: not on record"]


@pytest.mark.parametrize(("may_rise", "calls"), [((), 100), (("read",), 105)])
def test_the_record_falls_by_itself_and_rises_only_when_told_to(
    may_rise: tuple[str, ...], calls: int
) -> None:
    found = {"read": {"calls": 105, "lines": 150, "peak": 1000}, "new": {"calls": 7, "lines": 7, "peak": 7}}
    record, refused = counts.merged(found, BEFORE, may_rise)
    assert record == {"read": {"calls": calls, "lines": 150, "peak": 1000}, "new": found["new"]}
    assert len(refused) == (calls == 100)


def test_counts_see_calls_and_bare_loops_of_our_code_alone() -> None:
    from transforms.extractors.lines import cetr

    counter = counts._Counter()
    counter.run(lambda: [number + 1 for number in range(1000)])
    assert (counter.calls, counter.lines) == (0, 0)
    in_numpy = getattr(cetr.derivative, "__wrapped__", cetr.derivative)
    counter.run(lambda: in_numpy(counts_of_ten(), 3))
    assert counter.calls >= 3
    assert counter.lines > 10


def counts_of_ten():
    import numpy as np

    return np.arange(10.0)


def test_synthetic_pages_are_the_same_everywhere_and_of_the_size_asked_for() -> None:
    import hashlib

    digest = hashlib.sha256(b"".join(page.html for page in pages.pages(10))).hexdigest()
    assert digest[:16] == "18a2a331b56e09b3"
    for page in (pages.page(3, size=50_000), pages.page(4, kind="listing", size=400_000)):
        assert page.html.endswith((b"</html>\n", b"</html> "))
    assert 49_000 < len(pages.page(3, size=50_000).html) < 60_000
    assert {page.kind for page in pages.pages(5)} == set(pages.KINDS)
    assert pages.page(2, kind="minified").html.count(b"\n") == 0
