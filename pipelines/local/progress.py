"""How far a run is, shown on stderr while it goes: a bar in a terminal, a line now and then elsewhere."""

import contextlib
import sys
import threading
import time
from collections.abc import Iterator, Sequence

from pipelines.common.messages import readable, remark
from pipelines.common.metrics import NO_METRICS, MetricsFile
from transforms.runtime.heartbeat import Board, Progress, Wait

_TERMINAL_SECONDS = 0.5
_LOG_SECONDS = 10.0


class Reporter:
    """Shows, unless quiet, how far a run is, within `going`, and writes the metrics again now and then.

    The total is that of bytes of all inputs, or of pages if it `counts_pages`.
    """

    def __init__(
        self,
        board: Board,
        total: int,
        *,
        quiet: bool,
        counts_pages: bool = False,
        metrics: MetricsFile = NO_METRICS,
    ) -> None:
        self._board = board
        self._total = total
        self._quiet = quiet
        self._counts_pages = counts_pages
        self._ended = threading.Event()
        self._metrics = metrics
        self._threads: list[threading.Thread] = []
        self._start = time.monotonic()

    @contextlib.contextmanager
    def going(self) -> Iterator[None]:
        """Within it a thread shows how far the run is."""
        self._begin()
        try:
            yield
        finally:
            self._end()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Within it nothing is shown, and there is no thread that shows it."""
        self._end()
        yield
        self._begin()

    def _begin(self) -> None:
        self._ended.clear()
        show = self._show_bar if sys.stderr.isatty() else self._show_lines
        loops = [] if self._quiet else [show]
        loops += [self._write_metrics] if self._metrics else []
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in loops]
        for thread in self._threads:
            thread.start()

    def _end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _show_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(12), TextColumn("{task.description}", markup=False))
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=self._total)
            ended = False
            while not ended:
                ended = self._ended.wait(_TERMINAL_SECONDS)
                done, line = self._state()
                bar.update(task, completed=done, description=line)

    def _show_lines(self) -> None:
        while not self._ended.wait(_LOG_SECONDS):
            remark(self._state()[1])

    def _write_metrics(self) -> None:
        ended = False
        while not ended:
            # A disk that is full now may not be so in ten seconds; the end of the run says so if it is.
            with contextlib.suppress(OSError):
                self._metrics.at_work(self._board)
            ended = self._ended.wait(_LOG_SECONDS)

    def _state(self) -> tuple[int, str]:
        """Return how much is done, and what is said of it."""
        now, sums = time.monotonic(), self._board.total()
        done = sums.pages if self._counts_pages else sums.bytes_in
        whole = f"{self._total:,} pages" if self._counts_pages else f"{readable(self._total)} read"
        share = min(1.0, done / self._total) if self._total else 1.0
        line = f"{share:4.0%} of {whole}, {progress_line(sums, share, now - self._start)}"
        waits = waiting(self._board.waits(), self._board.slots, now)
        return done, f"{line}; {waits}" if waits else line


def waiting(waits: Sequence[Wait], workers: int, now: float) -> str:
    """Return what workers wait for, in words: `3 of 8 workers wait: 503, 24 s`; "" where none does.

    The pace, which is as it should be, is not told of; `now` is by `time.monotonic`.
    """
    told = [wait for wait in waits if wait.why != "pace"]
    if not told:
        return ""
    causes = ", ".join(sorted({wait.why for wait in told}))
    longest = max(0.0, max(wait.until for wait in told) - now)
    return f"{len(told)} of {workers} workers wait: {causes}, {longest:,.0f} s"


def progress_line(now: Progress, share: float, seconds: float) -> str:
    """Return sums, speed, and what is left of the time, once that can be said."""
    left = f", {seconds / share * (1 - share):,.0f} s left" if share > 0.01 else ""
    safe = f", {now.safe:,} pages safe so far" if now.safe else ""
    return f"{now.pages:,} pages, {now.pages / seconds:,.0f}/s, {now.rejects:,} rejects{safe}{left}"
