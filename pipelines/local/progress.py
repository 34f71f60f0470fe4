"""The progress of a local run: a bar in a terminal, elsewhere a line now and then; and the metrics file."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from cedar.pipelines.common.metrics import NO_METRICS, MetricsFile
from cedar.pipelines.common.terminal import format_bytes, info, plural
from cedar.transforms.runtime.progress_file import Progress, ProgressFile, Wait

_TERMINAL_SECONDS = 0.5
_LOG_SECONDS = 10.0


class ProgressReporter:
    """Shows the progress of a run, unless quiet, and rewrites its metrics; whoever runs it calls `update`.

    It has no thread, so that this process can fork workers.

    Args:
        total: bytes of all inputs, or pages if `counts_pages`.
    """

    def __init__(
        self,
        progress_file: ProgressFile,
        total: int,
        *,
        quiet: bool,
        counts_pages: bool = False,
        metrics: MetricsFile = NO_METRICS,
    ) -> None:
        self._progress_file = progress_file
        self._total = total
        self._quiet = quiet
        self._counts_pages = counts_pages
        self._metrics = metrics
        self._restarts = 0
        self._start = time.monotonic()
        self._show: Callable[[], None] = lambda: None
        self._show_seconds = _LOG_SECONDS
        self._next_show = self._start + _LOG_SECONDS
        self._next_metrics = self._start

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Within it `update` shows the progress; at the end it is shown once more."""
        with contextlib.ExitStack() as stack:
            if not self._quiet and sys.stderr.isatty():
                self._show = stack.enter_context(self._bar())
                self._show_seconds, self._next_show = _TERMINAL_SECONDS, self._start
                stack.callback(self._show)
            elif not self._quiet:
                self._show = self._show_line
            yield
            self._write_metrics()

    def update(self, restarts: int = 0) -> None:
        """Show the progress and rewrite the metrics, each if it is time; `restarts`: of workers so far."""
        self._restarts = restarts
        now = time.monotonic()
        if now >= self._next_show:
            self._show()
            self._next_show = now + self._show_seconds
        if now >= self._next_metrics:
            self._write_metrics()
            self._next_metrics = now + _LOG_SECONDS

    def _show_line(self) -> None:
        info(self._progress()[1])

    @contextlib.contextmanager
    def _bar(self) -> Iterator[Callable[[], None]]:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(12), TextColumn("{task.description}", markup=False))
        with Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
            task = bar.add_task("", total=self._total)

            def show() -> None:
                done, line = self._progress()
                bar.update(task, completed=done, description=line, refresh=True)

            yield show

    def _write_metrics(self) -> None:
        if self._metrics:
            # A disk that is full now may not be so in ten seconds; the end of the run says so if it is.
            with contextlib.suppress(OSError):
                self._metrics.at_work(self._progress_file, self._restarts)

    def _progress(self) -> tuple[int, str]:
        """Return how much is done, and the line that says so."""
        now, sums = time.monotonic(), self._progress_file.total()
        done = sums.pages if self._counts_pages else sums.bytes_in
        whole = plural(self._total, "page") if self._counts_pages else f"{format_bytes(self._total)} read"
        share = min(1.0, done / self._total) if self._total else 1.0
        line = f"{share:4.0%} of {whole}, {progress_line(sums, share, now - self._start)}"
        waits = waits_line(self._progress_file.waits(), self._progress_file.slots, now)
        return done, f"{line}; {waits}" if waits else line


def waits_line(waits: Sequence[Wait], workers: int, now: float) -> str:
    """Return what workers wait for: `3 of 8 workers wait: 503, 24 s`; "" if none does.

    Waiting for the pace is as it should be and not counted; `now` is by `time.monotonic`.
    """
    counted = [wait for wait in waits if wait.why != "pace"]
    if not counted:
        return ""
    causes = ", ".join(sorted({wait.why for wait in counted}))
    longest = max(0.0, max(wait.until for wait in counted) - now)
    return f"{len(counted)} of {workers} workers wait: {causes}, {longest:,.0f} s"


def progress_line(sums: Progress, share: float, seconds: float) -> str:
    """Return sums and speed after `seconds`, and the time left once it can be estimated."""
    left = f", {seconds / share * (1 - share):,.0f} s left" if share > 0.01 else ""
    safe = f", {plural(sums.committed_pages, 'page')} safe so far" if sums.committed_pages else ""
    pages, rejects = plural(sums.pages, "page"), plural(sums.rejects, "reject")
    return f"{pages}, {sums.pages / seconds:,.0f}/s, {rejects}{safe}{left}"
