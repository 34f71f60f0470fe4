"""`WriteCorpus` on an object store, killed at one of its requests: the next run ends as a quiet one does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from cedar.transforms.corpus.corpus_reader import CorpusReader
from tests.helpers.object_server import ObjectServer, object_server

ROOT = "s3://bucket/corpus"
PROGRAM = f"""
import apache_beam as beam
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
import cedar
made = cedar.ExtractRows("cetr", keep=("words > 30",))
pages = [(f"https://sea.example/{{n}}", f"<p>{{n}} tides turn the wheel. " * (9 * n + 1)) for n in range(9)]
with beam.Pipeline(FnApiRunner()) as pipeline:
    read = pipeline | beam.Create(pages) | beam.MapTuple(cedar.from_html) | cedar.DecodePage()
    _ = read | made | cedar.WriteCorpus({ROOT!r}, made, files=3)
"""
CHANGING = ("PUT", "COPY", "DELETE", "PART")


class Trap(Counter[str]):
    """Counts requests, and kills a process when it sends its n-th one that changes something.

    The request is `lost`, or is still granted.
    """

    def __init__(self, at: int, *, lost: bool) -> None:
        super().__init__()
        self.victim: subprocess.Popen[bytes] | None = None
        self._at, self._lost = at, lost

    def __setitem__(self, kind: str, number: int) -> None:
        super().__setitem__(kind, number)
        if self.victim is not None and kind in CHANGING and self.changes >= self._at:
            self.victim.kill()
            if self._lost:
                raise ConnectionAbortedError

    @property
    def changes(self) -> int:
        return sum(self[kind] for kind in CHANGING)


def run(server: ObjectServer) -> int:
    """Run the pipeline in this process; how many requests that change something it sent."""
    server.asked = trap = Trap(10**6, lost=False)
    exec(PROGRAM, {"__name__": "program"})
    return trap.changes


def killed_run(server: ObjectServer, at: int, *, lost: bool) -> int:
    """Run the pipeline until its n-th such request; its exit code."""
    server.asked = trap = Trap(at, lost=lost)
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stderr=subprocess.DEVNULL) as trap.victim:
        return trap.victim.wait()


def found(server: ObjectServer) -> tuple[list[str], dict[str, Any], list[str]]:
    """The URLs of the pages, the books but for times, and what lies below `_tmp/`."""
    reader = CorpusReader.at(ROOT)
    urls = sorted(page.row.url for summary in reader.summaries() for page in reader.pages(summary))
    books = json.loads((server.get("bucket/corpus/run.json") or (0, "", b""))[2])
    return urls, {**books, "seconds": None}, [name for name in server.names if "/_tmp/" in name]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_run_that_is_killed_at_a_request_is_finished_by_the_next() -> None:
    with object_server() as server:
        changes = run(server)
        quiet = found(server)
        assert len(quiet[0]) == quiet[1]["pages"] > 3
        assert quiet[2] == []
    for at, lost in ((1, False), (changes // 2, True)):
        with object_server() as server:
            assert killed_run(server, at, lost=lost) == -signal.SIGKILL
            run(server)
            assert found(server) == quiet
