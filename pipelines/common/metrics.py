"""Figures of a run in a file that Prometheus' node exporter collects (`--metrics-file NAME.prom`).

It is written again every ten seconds while a local run is at work, and at the end of each run or round.
"""

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from cedar.transforms.corpus.outputs import refuse_foreign_file, refuse_inside, refuse_special
from cedar.transforms.corpus.settle import Run
from cedar.transforms.files.local import whole_file
from cedar.transforms.model.books import Books
from cedar.transforms.runtime.progress_file import ProgressFile

Sample = tuple[str, str, str, float | Mapping[str, int]]
"""Name, meaning, the label of counts that are told apart or "", and the value, or counts by that label.

All are gauges.
"""


METRICS_MARK = b"cedar_written_timestamp_seconds"
"""Stands near the start of each file of figures."""


def check_metrics_file(path: str | None, output: str) -> None:
    """Raise CorpusError for a path that is not a file of figures, or lies within the output."""
    if path is not None:
        refuse_special(path)
        refuse_foreign_file(path, METRICS_MARK)
        refuse_inside(path, output)


class MetricsFile:
    """The file at a path; without one nothing is written. Its methods raise OSError if it cannot be."""

    def __init__(self, path: str | None) -> None:
        self._path = None if path is None else Path(path)
        self._corpus: tuple[Sample, ...] = ()

    @property
    def path(self) -> str:
        """Its path; "" if there is none."""
        return "" if self._path is None else str(self._path)

    def __bool__(self) -> bool:
        return self._path is not None

    def at_work(self, progress_file: ProgressFile, restarts: int = 0) -> None:
        """Write the progress of the workers of a progress_file; of the corpus, what was last written."""
        self._write(*_of_workers(progress_file), (*_RESTARTS, restarts))

    def ended(self, run: Run | None, books: Books, broken: int = 0) -> None:
        """Write what has become of a run, where there was one, and the corpus as it stands."""
        self._corpus = tuple(_of_corpus(books, broken))
        self._write((*_AT_WORK, 0), *(() if run is None else _of_run(run)))

    def _write(self, *samples: Sample) -> None:
        if self._path is None:
            return
        now = (METRICS_MARK.decode(), "when this file was written", "", round(time.time(), 3))
        lines = []
        for name, meaning, label, value in (now, *samples, *self._corpus):
            # Rules are texts of users, quoted as Prometheus reads them.
            by_label = value.items() if isinstance(value, Mapping) else ()
            counts = [(f"{{{label}={json.dumps(key, ensure_ascii=False)}}}", n) for key, n in by_label]
            if label and not counts:
                continue
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} gauge"]
            lines += [f"{name}{labels} {count}" for labels, count in counts or (("", value),)]
        with whole_file(self._path) as staged:
            staged.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


NO_METRICS = MetricsFile(None)

_AT_WORK = ("cedar_run_at_work", "1 while the run is at work, 0 when it has ended", "")
_RECORDS = ("cedar_run_records", "records that it has read", "")
_PAGES_READ = ("cedar_run_pages_read", "pages read: kept, or dropped by a filter", "")
_RESTARTS = ("cedar_run_worker_restarts", "workers that crashed or hung, and were replaced", "")
_SAFE = ("cedar_run_safe_pages", "pages of it in shards that are committed", "")


def _of_workers(progress_file: ProgressFile) -> Iterator[Sample]:
    sums = progress_file.total()
    yield *_AT_WORK, 1
    yield "cedar_run_read_bytes", "bytes of input that the run has read", "", sums.bytes_in
    yield *_RECORDS, sums.records
    yield *_PAGES_READ, sums.pages
    yield "cedar_run_rejects", "records that it has rejected", "", sums.rejects
    yield *_SAFE, sums.committed_pages
    yield "cedar_run_workers", "local processes", "", progress_file.slots
    yield "cedar_run_workers_waiting", "those that wait for a web server", "", len(progress_file.waits())


def _of_run(run: Run) -> Iterator[Sample]:
    yield *_RECORDS, run.books.records_read
    yield *_PAGES_READ, run.books.pages_read
    yield *_SAFE, run.books.pages
    yield "cedar_run_failures", "shards that could not be done", "", len(run.failures)
    missing = "shards that were not done, though no failure says why"
    yield "cedar_run_missing_shards", missing, "", len(run.missing)
    yield *_RESTARTS, len(run.restarts)
    yield "cedar_run_seconds", "wall time of the run that has ended", "", round(run.seconds, 3)
    fetched = run.books.fetched
    yield "cedar_run_fetch_retries", "requests that were sent again, by cause", "cause", fetched.retries
    waited = "time that workers have waited for web servers"
    yield "cedar_run_fetch_waited_seconds", waited, "", round(fetched.waited, 3)


def _of_corpus(books: Books, broken: int) -> Iterator[Sample]:
    balanced = "1 if every record that was read is a page, dropped or rejected"
    yield "cedar_corpus_balanced", balanced, "", int(books.balanced)
    yield "cedar_corpus_broken_shards", "shards whose commit or files are gone or broken", "", broken
    yield "cedar_corpus_shards", "shards that are committed", "", books.shards
    yield "cedar_corpus_records", "records that were read", "", books.records_read
    yield (
        "cedar_corpus_pages_read",
        "pages read: kept, dropped, or rejected from extraction on",
        "",
        books.pages_read,
    )
    yield "cedar_corpus_pages", "pages kept", "", books.pages
    yield "cedar_corpus_bytes", "bytes that were read (in), of HTML and of text", "kind", books.bytes
    yield "cedar_corpus_dropped", "pages that a filter took out, by rule", "rule", books.dropped
    yield "cedar_corpus_rejected", "records that became no page, by reason", "reason", books.rejected
    yield "cedar_corpus_judged", "pages that presets judged, by language", "language", books.judged
