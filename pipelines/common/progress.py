"""What a person sees: progress while a run goes, and its outcome at the end."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

from pipelines.common.messages import as_written_here, complain, counted, remark, show, table_console
from transforms.corpus.commit import Corpus
from transforms.corpus.settle import Run, Settled
from transforms.curation.presets import MADE_FOR
from transforms.model.books import Books
from transforms.model.fetched import Fetched
from transforms.runtime.heartbeat import Board, Progress, Wait

_TERMINAL_SECONDS = 0.5
_LOG_SECONDS = 10.0
_MOST_LANGUAGES = 5


class Reporter:
    """Shows how far a run is, on stderr: a bar in a terminal, a line now and then elsewhere.

    Args:
        board: what the workers report to.
        total: bytes of all inputs that are to be read.
        quiet: show nothing.
    """

    def __init__(self, board: Board, total: int, *, quiet: bool) -> None:
        self._board = board
        self._total = total
        self._quiet = quiet
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._start = time.monotonic()

    def __enter__(self) -> Reporter:
        self._go_on()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Within it nothing is shown, and there is no thread that shows it."""
        self._end()
        yield
        self._go_on()

    def _go_on(self) -> None:
        if not self._quiet:
            self._ended.clear()
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()

    def _end(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _show(self) -> None:
        if sys.stderr.isatty():
            self._show_bar()
        else:
            self._show_lines()

    def _show_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("reading"),
            BarColumn(),
            DownloadColumn(binary_units=True),
            TextColumn("{task.fields[pages]} pages, {task.fields[speed]}/s, {task.fields[rejects]} rejects"),
            TextColumn("{task.fields[waits]}"),
            TimeRemainingColumn(),
        )
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("read", total=self._total, pages=0, speed=0, rejects=0, waits="")
            while True:
                ended = self._ended.wait(_TERMINAL_SECONDS)
                now = self._board.total()
                bar.update(
                    task,
                    completed=min(now.bytes_in, self._total),
                    pages=f"{now.pages:,}",
                    speed=f"{now.pages / (time.monotonic() - self._start):,.0f}",
                    rejects=f"{now.rejects:,}",
                    waits=waiting(self._board.waits(), self._board.slots, time.monotonic()),
                )
                if ended:
                    return

    def _show_lines(self) -> None:
        while not self._ended.wait(_LOG_SECONDS):
            now = time.monotonic()
            line = progress_line(self._board.total(), self._total, now - self._start)
            waits = waiting(self._board.waits(), self._board.slots, now)
            remark(f"{line}; {waits}" if waits else line)


def waiting(waits: Sequence[Wait], workers: int, now: float) -> str:
    """Return what workers wait for, in words: `3 of 8 workers wait: 503, 24 s`; "" where none does.

    Args:
        waits: what those that wait do so for; the pace, which is as it should be, is not told of.
        workers: how many there are.
        now: the time by `time.monotonic`.
    """
    told = [wait for wait in waits if wait.why != "pace"]
    if not told:
        return ""
    causes = ", ".join(sorted({wait.why for wait in told}))
    longest = max(0.0, max(wait.until for wait in told) - now)
    return f"{len(told)} of {workers} workers wait: {causes}, {longest:,.0f} s"


def progress_line(now: Progress, total: int, seconds: float) -> str:
    """One line of progress for a log.

    Args:
        now: the sums so far.
        total: bytes of all inputs.
        seconds: wall seconds since the start.
    """
    share = min(1.0, now.bytes_in / total) if total else 1.0
    left = f", {seconds / share * (1 - share):,.0f} s left" if share > 0.01 else ""
    return (
        f"{share:4.0%} of {readable(total)} read, {now.pages:,} pages, {now.pages / seconds:,.0f}/s, "
        f"{now.rejects:,} rejects{left}"
    )


def readable(size: int) -> str:
    """Return a size in bytes for people: `3.1 MB`."""
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"


def print_outcome(
    run: Run, settled: Settled, corpus: Corpus, *, quiet: bool, of_corpus: bool = False
) -> None:
    """Print the closing table on stdout; what went wrong on stderr, even when quiet.

    Args:
        run: what became of the run.
        settled: the corpus as it stands after it.
        corpus: where it is.
        quiet: print nothing but what went wrong.
        of_corpus: pages of a corpus were read, not records of a crawl.
    """
    if not quiet:
        _print_table(corpus_rows(run) if of_corpus else outcome_rows(run), run, settled, corpus)
    note = english_presets_note(run.books.judged)
    if note:
        complain(note)
    for line in troubles(run, settled):
        complain(line)


def english_presets_note(judged: Mapping[str, int]) -> str:
    """Say once that presets, which were made for English, met other languages; empty if they did not.

    Args:
        judged: pages that they judged, by language.
    """
    foreign = {language: pages for language, pages in judged.items() if language != MADE_FOR}
    if not foreign:
        return ""
    most = sorted(foreign, key=lambda language: (-foreign[language], language))[:_MOST_LANGUAGES]
    named = ", ".join(f"{language} {foreign[language]:,}" for language in most)
    more = ", ..." if len(foreign) > len(most) else ""
    return (
        f"presets were made for English, and judged {sum(foreign.values()):,} pages in other languages "
        f"({named}{more}): --keep 'language == en' keeps to it, docs/curation.md says what else does"
    )


def troubles(run: Run, settled: Settled) -> list[str]:
    """Return what went wrong, a line each."""
    lines = [f"failed: {failure}" for failure in run.failures]
    lines += [f"not done: shard {name}" for name in run.missing if not run.interrupted]
    lines += corpus_troubles(settled)
    if run.interrupted:
        lines.append(
            f"interrupted with {len(run.missing)} shards to go: the same command continues from here"
        )
    return lines


def corpus_troubles(settled: Settled) -> list[str]:
    """Return what is wrong with the corpus as it stands, a line each."""
    lines = [f"{fault}: run again to make it again" for fault in settled.broken]
    lines += [f"deleted {name}: no commit names it" for name in settled.orphans]
    lines += [f"{name} is not Cedar's: left where it is" for name in settled.foreign]
    if not settled.books.balanced:
        lines.append(
            f"the books do not balance: {settled.books.records_read} records read, "
            f"{settled.books.pages} pages, {settled.books.drops} dropped and {settled.books.rejects} rejects"
        )
    return lines


def _print_table(rows: Sequence[tuple[str, str]], run: Run, settled: Settled, corpus: Corpus) -> None:
    from rich.table import Table

    had = counted(run.shards, "shard")
    skipped = f" ({run.done_before} of {had} {'was' if run.shards == 1 else 'were'} done before)"
    if run.done_before and run.done_before == run.shards:
        skipped = f"; nothing was left to do: {had} {'was' if run.shards == 1 else 'were'} done before"
    else:
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column()
        table.add_column(justify="right")
        for label, value in rows:
            table.add_row(label, value)
        with table_console() as console:
            console.print(table)
    held = f"{counted(settled.books.pages, 'page')} in {counted(settled.books.shards, 'shard')}"
    show(f"{as_written_here(corpus.root)}: {held}{skipped if run.done_before else ''}")


def outcome_rows(run: Run) -> list[tuple[str, str]]:
    """Return the closing table of a run over a crawl: label and value of each row."""
    books = run.books
    html, text, read = (books.bytes.get(kind, 0) for kind in ("html", "text", "in"))
    rows = [
        ("records read", f"{books.records_read:,}"),
        ("pages", f"{books.pages:,}"),
        *_dropped_rows(books),
        ("rejects", f"{books.rejects:,}"),
        *((f"  {reason}", f"{number:,}") for reason, number in books.rejected.items()),
        ("read", readable(read)),
        *_fetched_rows(books.fetched),
        ("HTML", readable(html)),
        ("text", readable(text)),
        ("written", readable(run.out_bytes)),
    ]
    if html and read:
        # Of small or much described crawls more is written than was read: no space is saved on disk.
        on_disk = f", {1 - run.out_bytes / read:.0%} on disk" if run.out_bytes <= read else ""
        rows.append(("space saved", f"{1 - text / html:.0%} of the HTML{on_disk}"))
    return [*rows, *_time_rows(run, books.pages)]


def corpus_rows(run: Run) -> list[tuple[str, str]]:
    """Return the closing table of a run over a corpus: label and value of each row."""
    books = run.books
    return [
        ("pages read", f"{books.records_read:,}"),
        ("kept", f"{books.pages:,}"),
        *_dropped_rows(books),
        *((f"  {reason}", f"{number:,}") for reason, number in books.rejected.items()),
        ("read", readable(books.bytes.get("in", 0))),
        ("written", readable(run.out_bytes)),
        *_time_rows(run, books.records_read),
    ]


def _dropped_rows(books: Books) -> list[tuple[str, str]]:
    """Return what was dropped by which rule, where anything was."""
    if not books.dropped:
        return []
    rules = ((f"  {rule}", f"{number:,}") for rule, number in books.dropped.items())
    return [("dropped", f"{books.drops:,}"), *rules]


def _time_rows(run: Run, pages: int) -> list[tuple[str, str]]:
    """Return where the time went; stages that took next to none are left out."""
    spent = {stage: cost.cpu for stage, cost in run.books.seconds.items()}
    if run.rest_seconds is not None and spent:
        spent["start-up and Beam"] = run.rest_seconds
    cpu = sum(spent.values())
    rows = []
    if cpu:
        shares = ((stage, seconds / cpu) for stage, seconds in spent.items())
        rows = [("CPU time", f"{cpu:,.1f} s")]
        rows += [(f"  {stage}", f"{share:.0%}") for stage, share in shares if share >= 0.005]
    return [
        *rows,
        ("wall time", f"{run.seconds:,.1f} s"),
        ("pages per second", f"{pages / run.seconds:,.0f}"),
    ]


def _fetched_rows(fetched: Fetched) -> list[tuple[str, str]]:
    """Return what was fetched, where anything was."""
    if not fetched.requests:
        return []
    retries = ", ".join(f"{number:,} after {cause}" for cause, number in fetched.retries.items())
    again = f", again {retries}" if retries else ""
    return [
        ("fetched", f"{readable(fetched.bytes)} in {fetched.requests:,} requests{again}"),
        ("waited for servers", f"{fetched.waited:,.0f} s"),
    ]
