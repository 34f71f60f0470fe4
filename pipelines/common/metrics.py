"""Figures of a run in a file that Prometheus' node exporter collects (`--metrics-file NAME.prom`).

It is written again every ten seconds while a local run is at work, and at the end of each run or round.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from transforms.corpus.settle import Run
from transforms.files.local import whole_file
from transforms.model.books import Books
from transforms.runtime.heartbeat import Board

METRICS: Mapping[str, str] = {
    "cedar_written_timestamp_seconds": "when this file was written",
    "cedar_run_at_work": "1 while the run is at work, 0 when it has ended",
    "cedar_run_read_bytes": "bytes of input that the run has read",
    "cedar_run_records": "records that it has read",
    "cedar_run_pages": "pages that it has made, attempts that failed among them",
    "cedar_run_rejects": "records that it has rejected",
    "cedar_run_safe_pages": "pages of it in shards that are committed",
    "cedar_run_workers": "local processes",
    "cedar_run_workers_waiting": "those that wait for a web server",
    "cedar_run_failures": "shards that could not be done",
    "cedar_run_missing_shards": "shards that were not done, though no failure says why",
    "cedar_run_seconds": "wall time of the run that has ended",
    "cedar_run_fetch_retries": "requests that were sent again, by cause",
    "cedar_run_fetch_waited_seconds": "time that workers have waited for web servers",
    "cedar_corpus_balanced": "1 if every record that was read is a page, dropped or rejected",
    "cedar_corpus_broken_shards": "shards whose commit or files are gone or broken",
    "cedar_corpus_shards": "shards that are committed",
    "cedar_corpus_records": "records that were read",
    "cedar_corpus_pages": "pages",
    "cedar_corpus_bytes": "bytes that were read (in), of HTML and of text",
    "cedar_corpus_dropped": "pages that a filter took out, by rule",
    "cedar_corpus_rejected": "records that became no page, by reason",
    "cedar_corpus_judged": "pages that presets judged, by language",
}
"""The metrics, all of them gauges: name -> meaning."""

Sample = tuple[str, str, float]
"""Name, label (as `reason="status"`, or nothing), value."""


class MetricsFile:
    """The file at a path; without one nothing is written. Its methods raise OSError if it cannot be."""

    def __init__(self, path: str | None) -> None:
        self._path = None if path is None else Path(path)
        self._corpus: tuple[Sample, ...] = ()

    def __bool__(self) -> bool:
        return self._path is not None

    def at_work(self, board: Board) -> None:
        """Write how far the workers of a board are; of the corpus, what was said of it last."""
        sums = board.total()
        self._write(
            ("cedar_run_at_work", "", 1),
            ("cedar_run_read_bytes", "", sums.bytes_in),
            ("cedar_run_records", "", sums.records),
            ("cedar_run_pages", "", sums.pages),
            ("cedar_run_rejects", "", sums.rejects),
            ("cedar_run_safe_pages", "", sums.safe),
            ("cedar_run_workers", "", board.slots),
            ("cedar_run_workers_waiting", "", len(board.waits())),
        )

    def ended(self, run: Run | None, books: Books, broken: int = 0) -> None:
        """Write what has become of a run, where there was one, and the corpus as it stands."""
        self._corpus = tuple(_of_corpus(books, broken))
        self._write(("cedar_run_at_work", "", 0), *(() if run is None else _of_run(run)))

    def _write(self, *samples: Sample) -> None:
        if self._path is None:
            return
        now: Sample = ("cedar_written_timestamp_seconds", "", round(time.time(), 3))
        lines, seen = [], ""
        for name, label, value in (now, *samples, *self._corpus):
            if name != seen:
                lines += [f"# HELP {name} {METRICS[name]}", f"# TYPE {name} gauge"]
            lines.append(f"{name}{'{' + label + '}' if label else ''} {value}")
            seen = name
        with whole_file(self._path) as staged:
            staged.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


NO_METRICS = MetricsFile(None)


def _of_run(run: Run) -> Iterator[Sample]:
    fetched = run.books.fetched
    yield "cedar_run_records", "", run.books.records_read
    yield "cedar_run_safe_pages", "", run.books.pages
    yield "cedar_run_failures", "", len(run.failures)
    yield "cedar_run_missing_shards", "", len(run.missing)
    yield "cedar_run_seconds", "", round(run.seconds, 3)
    yield from _labelled("cedar_run_fetch_retries", "cause", fetched.retries)
    yield "cedar_run_fetch_waited_seconds", "", round(fetched.waited, 3)


def _of_corpus(books: Books, broken: int) -> Iterator[Sample]:
    yield "cedar_corpus_balanced", "", int(books.balanced)
    yield "cedar_corpus_broken_shards", "", broken
    yield "cedar_corpus_shards", "", books.shards
    yield "cedar_corpus_records", "", books.records_read
    yield "cedar_corpus_pages", "", books.pages
    yield from _labelled("cedar_corpus_bytes", "kind", books.bytes)
    yield from _labelled("cedar_corpus_dropped", "rule", books.dropped)
    yield from _labelled("cedar_corpus_rejected", "reason", books.rejected)
    yield from _labelled("cedar_corpus_judged", "language", books.judged)


def _labelled(name: str, label: str, counts: Mapping[str, int]) -> Iterator[Sample]:
    """Yield a sample for each count; rules are texts of users, quoted as Prometheus reads them."""
    return ((name, f"{label}={json.dumps(key, ensure_ascii=False)}", count) for key, count in counts.items())
