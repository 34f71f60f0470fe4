"""The end of a run over shards: its record, its exit code, and the table that is printed."""

import json
import resource
import sys
import time
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from cedar.pipelines.common.metrics import NO_METRICS, MetricsFile
from cedar.pipelines.common.terminal import (
    format_bytes,
    plural,
    print_out,
    relative_path,
    shell_command,
    show_rows,
    warn,
)
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.settle import Failure, Inventory, Run, Settled, record_run, run_json, settle
from cedar.transforms.crawls.catalogue import Listing
from cedar.transforms.curation.presets import MADE_FOR
from cedar.transforms.files.storage import cannot_write
from cedar.transforms.model.books import NOTHING_FETCHED, OF_ADDRESSES, Books, Fetched, RejectReason
from cedar.transforms.model.records import Shard
from cedar.transforms.model.restarts import Restart
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.runtime.events import event

_MAX_LANGUAGES = 5

_REST = "start-up and Beam"
_MIN_CPU_SECONDS = 10.0
"""CPU time from which on the shares of stages mean something: start-up takes a second or two of any run."""

_MAX_LINES = 10
"""Lines of one kind that are printed at the end of a run; runs/*.json has all failures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardResults:
    """The results of a run, by shard.

    Attributes:
        shards: all of them; `remaining` were still to be done when the run began.
        failures: those that failed.
        is_local: the work was done by this process and its children, `workers` at a time.
        interrupted: the user requested a stop before the end.
        repaired: names of shards that were read again because the one before ended elsewhere than they began.
        restarts: local workers that were replaced.
        limit: number of pages after which no further shard is missing; None = all shards are wanted.
        listings, asked: the listings of crawls that were read, and what asking their index took.
    """

    shards: Sequence[Shard]
    remaining: Sequence[Shard]
    failures: Sequence[Failure] = ()
    is_local: bool = True
    workers: int = 0
    interrupted: bool = False
    repaired: frozenset[str] = frozenset()
    restarts: Sequence[Restart] = ()
    limit: int | None = None
    listings: Sequence[Listing] = ()
    asked: Fetched = NOTHING_FETCHED


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


class Closing(Protocol):
    """The options of how the end of a run is printed."""

    @property
    def quiet(self) -> bool:
        """Whether no table is printed."""

    @property
    def json(self) -> bool:
        """Whether the record of the run is printed as JSON, in place of the table."""


def finish_run(start: RunStart, results: ShardResults, summaries: Iterable[ShardSummary]) -> Run:
    """Return the record of a run that ends now, from the commits as they stand now."""
    committed = {summary.shard.name: summary for summary in summaries}
    done = [committed[shard.name] for shard in results.shards if shard.name in committed]
    worked_on = {shard.name for shard in results.remaining} | results.repaired
    ours = [summary for summary in done if summary.shard.name in worked_on]
    # Shards beyond the limit are not missing.
    pages = sum(summary.pages_made for summary in done)
    is_enough = results.limit is not None and pages >= results.limit
    excused = {failure.shard.name for failure in results.failures} | committed.keys()
    missing = () if is_enough else tuple(s.name for s in results.shards if s.name not in excused)
    return Run(
        id=uuid.uuid4().hex[:8],
        started_at=start.moment.isoformat(timespec="seconds"),
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=time.perf_counter() - start.wall_seconds,
        books=sum((summary.books for summary in ours), Books()),
        out_bytes=sum(file.bytes for summary in ours for file in summary.files.values()),
        cpu_seconds=_cpu_seconds() - start.cpu_seconds if results.is_local else None,
        workers=results.workers,
        shards=len(results.shards),
        done_before=len(results.shards) - len(results.remaining),
        repaired=len(results.repaired),
        failures=tuple(results.failures),
        restarts=tuple(results.restarts),
        missing=missing,
        interrupted=results.interrupted,
        listings=tuple(results.listings),
        asked=results.asked,
    )


def close_run(
    corpus: Corpus,
    start: RunStart,
    results: ShardResults,
    *,
    options: Closing,
    inventory: Inventory | None = None,
    metrics: MetricsFile = NO_METRICS,
    of_corpus: bool = False,
) -> int:
    """Settle the corpus, record the run, and print how it ended; return the exit code.

    Args:
        inventory: of the corpus as it is now; None = it is made.
        of_corpus: the run read pages of another corpus, not records of a crawl.
    """
    try:
        settled = settle(corpus, inventory)
        run = finish_run(start, results, settled.summaries)
        record_run(corpus, run)
    except OSError as fault:
        warn(*failure_lines([str(failure) for failure in results.failures]))
        warn(cannot_write(corpus.root, fault))
        return 1
    event("run ended", **counters(run))
    if options.json:
        print_run_json(run)
    elif not options.quiet:
        _print_table(corpus_rows(run) if of_corpus else crawl_rows(run), run, settled, corpus=corpus)
    warn(english_presets_note(run.books.judged), *problem_lines(run, settled))
    try:
        metrics.ended(run, settled.books, len(settled.broken))
    except OSError as fault:
        warn(cannot_write(metrics.path, fault))
        return 1
    code = exit_code(run, settled)
    if code == 0 and settled.books.pages and not (options.json or options.quiet) and sys.stdout.isatty():
        print_out(f"next: {shell_command(['cedar', 'report', relative_path(corpus.root), '--open'])}")
    return code


def counters(run: Run) -> dict[str, float]:
    """Return the figures of a run for its last event."""
    books = run.books
    return {
        "shards": books.shards,
        "failures": len(run.failures),
        "missing": len(run.missing),
        "restarts": len(run.restarts),
        "records": books.records_read,
        "pages_read": books.pages_read,
        "pages": books.pages,
        "dropped": books.drops,
        "rejects": books.rejects,
        "seconds": round(run.seconds, 3),
    }


_OF_CODE = (RejectReason.EXTRACTOR_ERROR, RejectReason.SIGNAL_ERROR, RejectReason.PAGE_ERROR)


def all_pages_failed(books: Books) -> str:
    """Return a warning if every page failed in an extractor or a signal; else ""."""
    failed = ", ".join(f"{number:,} {name}" for name, number in books.rejected.items() if name in _OF_CODE)
    is_all = failed and not books.pages and not books.drops
    return f"no page came through: {failed}; rejects/ has the fault of each" if is_all else ""


def index_leads_nowhere(books: Books) -> str:
    """Return a warning if an index named records, and none of them is where it says; else ""."""
    named = {reason for reason, number in books.rejected.items() if number and reason not in OF_ADDRESSES}
    if books.pages or books.drops or named != {RejectReason.INDEX_MISMATCH}:
        return ""
    number = books.rejected[RejectReason.INDEX_MISMATCH]
    return f"none of {plural(number, 'record')} is where the index says: is it the index of these files?"


def exit_code(run: Run, settled: Settled) -> int:
    """Return the exit code of a run that has ended."""
    if run.interrupted:
        return 130
    faults = (
        run.failures,
        run.missing,
        settled.broken,
        not settled.books.balanced,
        all_pages_failed(run.books),
        index_leads_nowhere(run.books),
    )
    return int(any(faults))


def _cpu_seconds() -> float:
    """CPU time so far of this process and of its children that have ended, and theirs."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def print_run_json(run: Run) -> None:
    """Print the record of a run as one line of JSON."""
    print_out(json.dumps(run_json(run)))


def english_presets_note(judged: Mapping[str, int]) -> str:
    """Return a warning if presets that were made for English judged other languages; else ""."""
    foreign = {language: pages for language, pages in judged.items() if language != MADE_FOR}
    if not foreign:
        return ""
    most = sorted(foreign, key=lambda language: (-foreign[language], language))[:_MAX_LANGUAGES]
    named = ", ".join(f"{language} {foreign[language]:,}" for language in most)
    more = ", ..." if len(foreign) > len(most) else ""
    hint = "--preset fineweb2 alone judges each page by the bounds of its language"
    if MADE_FOR in judged:  # else English was not asked for
        hint += f"; --keep 'language == {MADE_FOR}' keeps English only"
    pages = plural(sum(foreign.values()), "page")
    return (
        f"presets other than fineweb2 were made for English, and judged {pages} in other languages "
        f"({named}{more}): {hint} (docs/curation.md)"
    )


def books_line(books: Books) -> str:
    """Return a sentence with the counts of records, and whether they balance."""
    records, pages = plural(books.records_read, "record"), plural(books.pages, "page")
    dropped = f", {books.drops:,} dropped" if books.drops else ""
    return (
        f"{records}: {pages} kept{dropped}, {books.rejects:,} rejected: "
        f"the books {'balance' if books.balanced else 'do NOT balance'}."
    )


def problem_lines(run: Run, settled: Settled) -> list[str]:
    """Return the problems of a run, one line each."""
    lines = failure_lines([str(failure) for failure in run.failures])
    if not run.interrupted:
        lines += first_lines([f"not done: shard {name}" for name in run.missing], "shard")
    lines += corpus_problems(settled)
    lines += filter(None, [all_pages_failed(run.books), index_leads_nowhere(run.books)])
    if run.interrupted:
        missing = plural(len(run.missing), "shard")
        lines.append(f"interrupted with {missing} to go: the same command continues from here")
    return lines


def failure_lines(failures: Sequence[str]) -> list[str]:
    """Return one line for each fault, with the number of shards or parts that failed with it."""
    by_fault: dict[str, list[str]] = {}
    for failure in failures:
        # The same fault may name another shard at its end.
        by_fault.setdefault(failure.partition(" [shard ")[0], []).append(failure)
    lines = []
    for same in by_fault.values():
        others = f" (and {plural(len(same) - 1, 'other')} with the same fault)" if len(same) > 1 else ""
        lines.append(f"failed: {same[0]}{others}")
    return first_lines(lines, "fault")


def first_lines(lines: Sequence[str], noun: str) -> list[str]:
    """Return the first lines of a long list, and how many more there are."""
    more = len(lines) - _MAX_LINES
    return [*lines[:_MAX_LINES], *([f"... and {plural(more, f'more {noun}')}"] if more > 0 else [])]


def corpus_problems(settled: Settled) -> list[str]:
    """Return the problems of the corpus as it is now, one line each."""
    broken = [f"{fault}: run again to make it again" for fault in settled.broken.values()]
    lines = first_lines(broken, "broken shard")
    lines += first_lines([f"deleted {name}: no commit names it" for name in settled.orphans], "deleted file")
    foreign = [f"ignored unknown file {name}" for name in settled.foreign]
    lines += first_lines(foreign, "unknown file")
    if settled.others:
        lines.append(f"deleted {plural(len(settled.others), 'shard')} of a corpus that was overwritten")
    if not settled.books.balanced:
        lines.append(
            f"the books do not balance: {settled.books.records_read} records read, "
            f"{settled.books.pages} pages, {settled.books.drops} dropped and {settled.books.rejects} rejects"
        )
    return lines


def _print_table(rows: Sequence[tuple[str, str]], run: Run, settled: Settled, *, corpus: Corpus) -> None:
    had = plural(run.shards, "shard")
    skipped = f" ({run.done_before} of {had} {'was' if run.shards == 1 else 'were'} done before)"
    if run.done_before and run.done_before == run.shards:
        skipped = f"; already complete ({had})"
    else:
        show_rows(rows)
    held = f"{plural(settled.books.pages, 'page')} in {plural(settled.books.shards, 'shard')}"
    print_out(f"{relative_path(corpus.root)}: {held}{skipped if run.done_before else ''}")


def crawl_rows(run: Run) -> list[tuple[str, str]]:
    """Return the closing table of a run over a crawl: label and value of each row."""
    books = run.books
    html, text, read = (books.bytes.get(kind, 0) for kind in ("html", "text", "in"))
    kept = [("  kept", f"{books.pages:,}")] if books.pages_read != books.pages else []
    rows = [
        ("records read", f"{books.records_read:,}"),
        ("pages read", f"{books.pages_read:,}"),
        *kept,
        *_dropped_rows(books, indent="  "),
        ("rejects", f"{books.rejects:,}"),
        *((f"  {reason}", f"{number:,}") for reason, number in books.rejected.items()),
        ("read", format_bytes(read)),
        *_fetched_rows(books.fetched),
        ("HTML", format_bytes(books.html_read)),
        ("text", format_bytes(text)),
        *_token_rows(books),
        ("written", format_bytes(run.out_bytes)),
    ]
    if html and read:
        # Of small or much described crawls more is written than was read: no space is saved on disk.
        on_disk = f", {1 - run.out_bytes / read:.0%} on disk" if run.out_bytes <= read else ""
        rows.append(("space saved", f"{1 - text / html:.0%} of the HTML{on_disk}"))
    return [*rows, *_time_rows(run, books.pages_read)]


def corpus_rows(run: Run) -> list[tuple[str, str]]:
    """Return the closing table of a run over a corpus: label and value of each row."""
    books = run.books
    return [
        ("pages read", f"{books.records_read:,}"),
        ("  kept", f"{books.pages:,}"),
        *_dropped_rows(books, indent="  "),
        *([("  rejected", f"{books.rejects:,}")] if books.rejects else []),
        *((f"    {reason}", f"{number:,}") for reason, number in books.rejected.items()),
        ("read", format_bytes(books.bytes.get("in", 0))),
        ("written", format_bytes(run.out_bytes)),
        *_token_rows(books),
        *_time_rows(run, books.records_read),
    ]


def _dropped_rows(books: Books, *, indent: str) -> list[tuple[str, str]]:
    if not books.dropped:
        return []
    rules = ((f"{indent}  {rule}", f"{number:,}") for rule, number in books.dropped.items())
    return [(f"{indent}dropped", f"{books.drops:,}"), *rules]


def _token_rows(books: Books) -> list[tuple[str, str]]:
    """Return the tokens of kept pages, by column, and below it the languages that have most."""
    rows = []
    for column in dict.fromkeys(name.partition(" ")[0] for name in books.tokens):
        by_language = {
            name.partition(" ")[2]: n for name, n in books.tokens.items() if name.startswith(f"{column} ")
        }
        rows.append((f"tokens ({column})", f"{sum(by_language.values()):,}"))
        most = sorted(by_language, key=lambda language: (-by_language[language], language))[:_MAX_LANGUAGES]
        rows += [(f"  {language}", f"{by_language[language]:,}") for language in most if len(by_language) > 1]
    return rows


def _time_rows(run: Run, pages: int) -> list[tuple[str, str]]:
    """Return the rows of times: restarts, CPU time by stage, wall time, pages per second."""
    rows = []
    if run.restarts:
        rows.append(("workers restarted", f"{len(run.restarts):,}"))
    return [
        *rows,
        *_cpu_rows(run),
        ("wall time", f"{run.seconds:,.1f} s"),
        ("pages per second", f"{pages / run.seconds:,.0f}"),
    ]


def _cpu_rows(run: Run) -> list[tuple[str, str]]:
    spent = {stage: cost.cpu for stage, cost in run.books.seconds.items()}
    if run.rest_seconds is not None and spent:
        spent[_REST] = run.rest_seconds
    cpu = sum(spent.values())
    if not cpu:
        return []
    if cpu < _MIN_CPU_SECONDS:
        rest = spent.get(_REST)
        return [("CPU time", f"{cpu:,.1f} s" + (f", {rest:,.1f} s of it start-up" if rest else ""))]
    shares = ((stage, seconds / cpu) for stage, seconds in spent.items())
    stages = [(f"  {stage}", f"{share:.0%}") for stage, share in shares if share >= 0.005]
    return [("CPU time", f"{cpu:,.1f} s"), *stages]


def _fetched_rows(fetched: Fetched) -> list[tuple[str, str]]:
    if not fetched.requests:
        return []
    retries = ", ".join(f"{number:,} after {cause}" for cause, number in fetched.retries.items())
    again = f", again {retries}" if retries else ""
    return [
        ("fetched", f"{format_bytes(fetched.bytes)} in {fetched.requests:,} requests{again}"),
        ("waited for servers", f"{fetched.waited:,.0f} s"),
    ]
