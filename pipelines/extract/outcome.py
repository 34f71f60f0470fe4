"""The record of a run, from the moment at which it began to what became of its shards."""

from __future__ import annotations

import resource
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipelines.extract.options import ExtractOptions
from transforms.corpus.settle import Failure, Run, Settled
from transforms.model.books import Books
from transforms.model.summaries import ShardSummary

if TYPE_CHECKING:
    from pipelines.extract.plan import Job


@dataclass(frozen=True, slots=True)
class Beginning:
    """The moment at which a run began.

    Attributes:
        moment: UTC.
        wall_seconds: the same by `time.perf_counter`.
        cpu_seconds: the CPU time that had been spent before.
    """

    moment: datetime
    wall_seconds: float
    cpu_seconds: float

    @staticmethod
    def now() -> Beginning:
        """Take the time."""
        return Beginning(datetime.now(UTC), time.perf_counter(), _cpu_seconds())

    def end(self, ours: Iterable[ShardSummary], *, is_local: bool) -> Run:
        """Make the record of a run that ends now; says nothing of its shards but what it committed.

        Args:
            ours: the commits of the run.
            is_local: whether its work was done by this process and its children.
        """
        ours = tuple(ours)
        return Run(
            id=uuid.uuid4().hex[:8],
            started_at=self.moment.isoformat(timespec="seconds"),
            finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
            seconds=time.perf_counter() - self.wall_seconds,
            books=Books.total(summary.books for summary in ours),
            out_bytes=sum(file.bytes for summary in ours for file in summary.files.values()),
            cpu_seconds=_cpu_seconds() - self.cpu_seconds if is_local else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """What became of a job's shards.

    Attributes:
        workers: number of local processes that worked on them.
        failures: those that could not be done.
        repaired: names of those that were read again because the one before ended elsewhere than they began.
        interrupted: the user's word to stop came before the end.
    """

    workers: int
    failures: tuple[Failure, ...]
    repaired: frozenset[str]
    interrupted: bool


def outcome_of(
    job: Job,
    worked: Worked,
    summaries: Iterable[ShardSummary],
    options: ExtractOptions,
    beginning: Beginning,
) -> Run:
    """Make the record of a run that ends now.

    Args:
        job: what was to be done.
        worked: what became of it.
        summaries: the commits as they stand now.
        options: how it was done.
        beginning: when it began.
    """
    committed = {summary.shard.name: summary for summary in summaries}
    done_before = {shard.name for shard in job.shards} - {shard.name for shard in job.remaining}
    ours = [
        committed[s.name]
        for s in job.shards
        if s.name in committed and (s.name not in done_before or s.name in worked.repaired)
    ]
    limited = options.limit is not None and job.pages_done + sum(s.pages for s in ours) >= options.limit
    failed = {failure.shard.name for failure in worked.failures}
    return replace(
        beginning.end(ours, is_local=options.is_local),
        workers=worked.workers,
        shards=len(job.shards),
        done_before=len(done_before),
        repaired=len(worked.repaired),
        failures=worked.failures,
        missing=tuple(
            s.name for s in job.shards if s.name not in committed and s.name not in failed and not limited
        ),
        interrupted=worked.interrupted,
        listings=job.listings,
        asked=job.asked,
    )


def exit_code(run: Run, settled: Settled) -> int:
    """Choose the exit code of a run that has come to its end.

    Args:
        run: its record.
        settled: the corpus as it stands after it.
    """
    if run.interrupted:
        return 130
    return 1 if run.failures or run.missing or settled.broken or not settled.books.balanced else 0


@dataclass(frozen=True, slots=True)
class Archives:
    """What a corpus was read from: the inputs in which a record was found, and those in which none was.

    Attributes:
        found: number of the first.
        others: paths or URIs of the second, in the order of their shards.
    """

    found: int
    others: tuple[str, ...]

    @staticmethod
    def of(summaries: Iterable[ShardSummary]) -> Archives:
        """Count the headers of records by input; damaged stretches are not headers."""
        headers: dict[str, int] = {}
        for summary in summaries:
            source = summary.shard.source
            headers[source] = headers.get(source, 0) + summary.books.headers
        others = tuple(source for source, count in headers.items() if not count)
        return Archives(len(headers) - len(others), others)

    @property
    def note(self) -> str:
        """One line that counts and names the inputs in which no record was found; "" if absent."""
        if not self.others:
            return ""
        named = ", ".join(self.others[:_MOST_NAMED]) + (", ..." if len(self.others) > _MOST_NAMED else "")
        if self.found:
            return f"{len(self.others)} of {self.found + len(self.others)} inputs have no record: {named}"
        hint = "a page of HTML: name it .html, or cedar text PAGE; else --allow-empty"
        return f"no record in any input: {named} ({hint})"


_MOST_NAMED = 10


def _cpu_seconds() -> float:
    """CPU time so far of this process and of its children that have ended, and theirs."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
