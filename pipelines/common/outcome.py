"""What became of a run over shards: its record, its exit code, and the table at its end."""

import json
import resource
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cedar.pipelines.common.messages import as_written_here, complain, counted, readable, show, show_rows
from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.settle import Failure, Run, Settled, run_json
from cedar.transforms.curation.presets import MADE_FOR
from cedar.transforms.model.books import Books, Fetched, RejectReason
from cedar.transforms.model.records import Shard
from cedar.transforms.model.restarts import Restart
from cedar.transforms.model.summaries import ShardSummary

_MOST_LANGUAGES = 5

_MAX_LINES = 10
"""Lines of one kind that are printed at the end of a run; runs/*.json has all failures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What became of the shards of a run.

    Attributes:
        shards: all of them; `remaining` were still to be done.
        workers: number of local processes that worked on them.
        repaired: names of those that were read again because the one before ended elsewhere than they began.
        interrupted: the user's word to stop came before the end.
        restarts: local workers that were replaced.
    """

    shards: Sequence[Shard]
    remaining: Sequence[Shard]
    workers: int
    failures: Sequence[Failure]
    interrupted: bool
    repaired: frozenset[str] = frozenset()
    restarts: Sequence[Restart] = ()


@dataclass(frozen=True, slots=True)
class RunStart:
    """The moment at which a run began."""

    moment: datetime
    wall_seconds: float
    cpu_seconds: float

    @staticmethod
    def now() -> "RunStart":
        """Take the time."""
        return RunStart(datetime.now(UTC), time.perf_counter(), _cpu_seconds())

    def end(self, ours: Iterable[ShardSummary], *, is_local: bool, **more: Any) -> Run:
        """Make the record of a run of these commits that ends now, with fields on what became of its shards.

        `is_local`: its work was done by this process and its children.
        """
        ours = tuple(ours)
        return Run(
            id=uuid.uuid4().hex[:8],
            started_at=self.moment.isoformat(timespec="seconds"),
            finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=time.perf_counter() - self.wall_seconds,
            books=sum((summary.books for summary in ours), Books()),
            out_bytes=sum(file.bytes for summary in ours for file in summary.files.values()),
            cpu_seconds=_cpu_seconds() - self.cpu_seconds if is_local else None,
            **more,
        )

    def outcome(
        self, worked: JobResult, summaries: Iterable[ShardSummary], *, limit: int | None = None, **more: Any
    ) -> Run:
        """Make the record of a run over known shards that ends now, of the commits as they stand now.

        What is not done is not missing if the commits have as many pages as the limit, if there is one.
        """
        committed = {summary.shard.name: summary for summary in summaries}
        there = [committed[shard.name] for shard in worked.shards if shard.name in committed]
        limited = limit is not None and sum(summary.pages_made for summary in there) >= limit
        ours = {shard.name for shard in worked.remaining} | worked.repaired
        excused = {failure.shard.name for failure in worked.failures} | committed.keys()
        missing = () if limited else tuple(s.name for s in worked.shards if s.name not in excused)
        return self.end(
            (summary for summary in there if summary.shard.name in ours),
            workers=worked.workers,
            shards=len(worked.shards),
            done_before=len(worked.shards) - len(worked.remaining),
            repaired=len(worked.repaired),
            failures=tuple(worked.failures),
            restarts=tuple(worked.restarts),
            missing=missing,
            interrupted=worked.interrupted,
            **more,
        )


def counters(run: Run) -> dict[str, float]:
    """Return the figures of a run that its last event tells of."""
    books = run.books
    return {
        "shards": books.shards,
        "failures": len(run.failures),
        "missing": len(run.missing),
        "records": books.records_read,
        "pages": books.pages,
        "dropped": books.drops,
        "rejects": books.rejects,
        "restarts": len(run.restarts),
        "seconds": round(run.seconds, 3),
    }


_OF_CODE = (RejectReason.EXTRACTOR_ERROR, RejectReason.SIGNAL_ERROR, RejectReason.PAGE_ERROR)


def nothing_came(books: Books) -> str:
    """Say that every page failed in code that worked on it, as with a broken --signal; else ""."""
    failed = ", ".join(f"{number:,} {name}" for name, number in books.rejected.items() if name in _OF_CODE)
    is_all = failed and not books.pages and not books.drops
    return f"no page came through: {failed}; rejects/ has the fault of each" if is_all else ""


def exit_code(run: Run, settled: Settled) -> int:
    """Choose the exit code of a run that has come to its end."""
    if run.interrupted:
        return 130
    faults = run.failures, run.missing, settled.broken, not settled.books.balanced, nothing_came(run.books)
    return int(any(faults))


def _cpu_seconds() -> float:
    """CPU time so far of this process and of its children that have ended, and theirs."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def print_outcome(
    run: Run, settled: Settled, corpus: Corpus, *, quiet: bool, of_corpus: bool = False
) -> None:
    """Print the closing table on stdout, unless quiet; what went wrong on stderr.

    The table differs where pages of a corpus were read, not records of a crawl.
    """
    if not quiet:
        _print_table(corpus_rows(run) if of_corpus else outcome_rows(run), run, settled, corpus)
    complain(english_presets_note(run.books.judged), *troubles(run, settled))


def show_run(run: Run) -> None:
    """Print what is told of a run as JSON, on a line."""
    show(json.dumps(run_json(run)))


def english_presets_note(judged: Mapping[str, int]) -> str:
    """Say once that presets, which were made for English, met other languages; empty if they did not."""
    foreign = {language: pages for language, pages in judged.items() if language != MADE_FOR}
    if not foreign:
        return ""
    most = sorted(foreign, key=lambda language: (-foreign[language], language))[:_MOST_LANGUAGES]
    named = ", ".join(f"{language} {foreign[language]:,}" for language in most)
    more = ", ..." if len(foreign) > len(most) else ""
    # Where no page was English, English was not asked for.
    hint = (
        "--keep 'language == en' keeps to it"
        if MADE_FOR in judged
        else "--preset fineweb2 has their own bounds"
    )
    return (
        f"presets were made for English, and judged {sum(foreign.values()):,} pages in other languages "
        f"({named}{more}): {hint} (docs/curation.md)"
    )


def troubles(run: Run, settled: Settled) -> list[str]:
    """Return what went wrong, a line each."""
    lines = failure_lines([str(failure) for failure in run.failures])
    if not run.interrupted:
        lines += first_lines([f"not done: shard {name}" for name in run.missing], "shard")
    lines += corpus_troubles(settled)
    lines += filter(None, [nothing_came(run.books)])
    if run.interrupted:
        lines.append(
            f"interrupted with {len(run.missing)} shards to go: the same command continues from here"
        )
    return lines


def failure_lines(failures: Sequence[str]) -> list[str]:
    """Return one line for each fault, with the number of shards or parts that failed with it."""
    by_fault: dict[str, list[str]] = {}
    for failure in failures:
        # The same fault may name another shard at its end.
        by_fault.setdefault(failure.partition(" [shard ")[0], []).append(failure)
    lines = []
    for same in by_fault.values():
        others = f" (and {counted(len(same) - 1, 'other')} with the same fault)" if len(same) > 1 else ""
        lines.append(f"failed: {same[0]}{others}")
    return first_lines(lines, "fault")


def first_lines(lines: Sequence[str], noun: str) -> list[str]:
    """Return the first lines of a long list, and how many more there are."""
    more = len(lines) - _MAX_LINES
    return [*lines[:_MAX_LINES], *([f"... and {counted(more, f'more {noun}')}"] if more > 0 else [])]


def corpus_troubles(settled: Settled) -> list[str]:
    """Return what is wrong with the corpus as it stands, a line each."""
    broken = [f"{fault}: run again to make it again" for fault in settled.broken.values()]
    lines = first_lines(broken, "broken shard")
    lines += first_lines([f"deleted {name}: no commit names it" for name in settled.orphans], "deleted file")
    foreign = [f"ignored unknown file {name}" for name in settled.foreign]
    lines += first_lines(foreign, "unknown file")
    if not settled.books.balanced:
        lines.append(
            f"the books do not balance: {settled.books.records_read} records read, "
            f"{settled.books.pages} pages, {settled.books.drops} dropped and {settled.books.rejects} rejects"
        )
    return lines


def _print_table(rows: Sequence[tuple[str, str]], run: Run, settled: Settled, corpus: Corpus) -> None:
    had = counted(run.shards, "shard")
    skipped = f" ({run.done_before} of {had} {'was' if run.shards == 1 else 'were'} done before)"
    if run.done_before and run.done_before == run.shards:
        skipped = f"; already complete ({had})"
    else:
        show_rows(rows)
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
    if run.restarts:
        rows.append(("workers restarted", f"{len(run.restarts):,}"))
    return [
        *rows,
        ("wall time", f"{run.seconds:,.1f} s"),
        ("pages per second", f"{pages / run.seconds:,.0f}"),
    ]


def _fetched_rows(fetched: Fetched) -> list[tuple[str, str]]:
    if not fetched.requests:
        return []
    retries = ", ".join(f"{number:,} after {cause}" for cause, number in fetched.retries.items())
    again = f", again {retries}" if retries else ""
    return [
        ("fetched", f"{readable(fetched.bytes)} in {fetched.requests:,} requests{again}"),
        ("waited for servers", f"{fetched.waited:,.0f} s"),
    ]
