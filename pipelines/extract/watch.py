"""`cedar extract --watch` on this machine: rounds of the main job, until it is stopped.

A round lists the inputs, and works off the files that are whole and that no commit says are done.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cedar.pipelines.common.errors import usage_errors
from cedar.pipelines.common.metrics import MetricsFile
from cedar.pipelines.common.outcome import RunStart, ShardResults, corpus_problems, finish_run, print_run_json
from cedar.pipelines.common.terminal import plural, print_out, warn
from cedar.pipelines.extract.graph import run_shards
from cedar.pipelines.extract.inputs import resolve_inputs
from cedar.pipelines.extract.job import Job, JobPlan, make_plan
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.outputs import held_output
from cedar.transforms.corpus.settle import Run, record_books, record_run, settle
from cedar.transforms.corpus.unread import DoneInputs, UnchangedFiles, former_name, split_stale
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.model.books import Books
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.shards import shard_inputs

_MAX_BACKOFF_ROUNDS = 64


def run(options: ExtractOptions) -> int:
    """Run `cedar extract --watch` until it is stopped; returns the exit code. Raises UsageError, OSError."""
    with StopRequest(drain_on_sigterm=True) as stop, held_corpus(options) as plan:
        watch = Watch(plan, options)
        while not stop.asked:
            plan.corpus.refuse_replaced()
            try:
                watch.round(stop)
            except (OSError, ValueError) as fault:
                # What is not committed will be tried again in the next round.
                warn(f"this round failed: {fault}")
            stop.wait(options.watch or 0.0)
        settled = settle(plan.corpus)
    warn(*corpus_problems(settled))
    if stop.interrupted:
        return 130
    return 1 if watch.backed_off or settled.broken or not settled.books.balanced else 0


@contextlib.contextmanager
def held_corpus(options: ExtractOptions) -> Iterator[JobPlan]:
    """Check the inputs to follow, hold the corpus, and settle what an earlier run left there.

    Commits that the earlier run had begun are finished, and commits whose files are gone are undone. Raises
    UsageError where the user's input is wrong; BlockingIOError where another run overwrites the corpus.
    """
    plan, identity = make_plan(options, arriving=True)
    with usage_errors(OSError, ValueError):
        list_arriving(options)
    with held_output(plan.corpus.root, "corpus", alone=False):
        corpus, notes = identity.claim(plan.corpus, overwrite=False)
        warn(*notes)
        revoke(corpus, *settle(corpus).broken)
        yield replace(plan, corpus=corpus)


def list_arriving(options: ExtractOptions) -> tuple[StoredFile, ...]:
    """Return the input files that are there now and whole by name; raise OSError or InputError."""
    return resolve_inputs(options, arriving=True).files


@dataclass(frozen=True, slots=True)
class _Backoff:
    """A file that failed is not tried again for some rounds, more each time, unless it changes."""

    file: StoredFile
    times: int
    rounds: int


class Watch:
    """The rounds of a watch; `backed_off` are the inputs that could not be read when they were last tried."""

    def __init__(self, plan: JobPlan, options: ExtractOptions) -> None:
        self._plan = plan
        self._options = options
        self._unchanged = UnchangedFiles()
        self._ledger = Ledger(plan.corpus)
        self._done = DoneInputs()
        self._splits: dict[str, tuple[StoredFile, tuple[Shard, ...]]] = {}
        self.backed_off: dict[str, _Backoff] = {}
        self._named: set[str] = set()

    def round(self, stop: StopRequest) -> None:
        """List the inputs, and work on whole files that are not done; raise OSError or InputError."""
        beginning = RunStart.now()
        if self._ledger.refresh():
            self._done.clear()
        files = self._done.undone(self._find())
        self._keep_only(files)
        job = self._job(self._unchanged.poll(files))
        if not job.remaining:
            return
        worked = run_shards(job, self._options, stop)
        self._update_backoff(job, worked)
        books = self._ledger.books
        done = map(self._ledger.summary_of, (shard.name for shard in job.shards))
        summaries = [summary for summary in done if summary is not None]
        outcome = finish_run(beginning, worked, summaries)
        record_books(self._plan.corpus, books)
        record_run(self._plan.corpus, outcome)
        MetricsFile(self._options.metrics_file).ended(outcome, books)
        warn(*(f"failed: {failure.message}" for failure in worked.failures))
        if self._options.json:
            print_run_json(outcome)
        elif not self._options.quiet:
            print_out(round_line(outcome, books))

    def _job(self, files: Iterable[StoredFile]) -> Job:
        """Return the shards of `files` that remain; commits of older versions of the files are revoked."""
        shards: list[Shard] = []
        remaining: list[Shard] = []
        for file in files:
            if self._is_backed_off(file):
                continue
            before = None if self._ledger.of_source(file.path) else former_name(self._ledger, file)
            if before is not None:
                self._tell_once(file.path, f"{file.path} was read as {before}: not read again")
                self._done.add(file)
                continue
            parts = self._parts(file)
            current, stale = split_stale(parts, self._ledger.of_source(file.path))
            names = [summary.shard.name for summary in stale]
            revoke(self._plan.corpus, *names)
            self._ledger.forget(names)
            if stale:
                self._done.clear()  # a file of another name may have been read under this one
            done = {piece: summary.shard for piece, summary in current.items()}
            if len(done) == len(parts):
                self._done.add(file)
            else:
                shards += (done.get(part.piece, part) for part in parts)
                remaining += (part for part in parts if part.piece not in done)
        return Job(self._plan, tuple(shards), tuple(remaining), 0, self._ledger)

    def _tell_once(self, path: str, note: str) -> None:
        """Warn about a path, once."""
        if path not in self._named:
            self._named.add(path)
            warn(note)

    def _parts(self, file: StoredFile) -> tuple[Shard, ...]:
        """Return the shards of a file; a large one is opened, but only once, to see if it can be split."""
        known = self._splits.get(file.path)
        if known is None or known[0] != file:
            known = self._splits[file.path] = (file, shard_inputs([file], self._options.split_size))
        return known[1]

    def _is_backed_off(self, file: StoredFile) -> bool:
        backoff = self.backed_off.get(file.path)
        if backoff is None or backoff.file != file or backoff.rounds == 0:
            return False
        self.backed_off[file.path] = _Backoff(file, backoff.times, backoff.rounds - 1)
        return True

    def _update_backoff(self, job: Job, worked: ShardResults) -> None:
        """Pass over failed files, twice as many rounds each time; forget the failures of the others."""
        failed = {failure.shard.source for failure in worked.failures}
        for source in {shard.source for shard in job.shards}:
            backoff = self.backed_off.pop(source, None)
            if source in failed:
                file = self._splits[source][0]
                times = backoff.times + 1 if backoff is not None and backoff.file == file else 0
                self.backed_off[source] = _Backoff(file, times, min(2**times, _MAX_BACKOFF_ROUNDS))

    def _find(self) -> tuple[StoredFile, ...]:
        found = resolve_inputs(self._options, arriving=True)
        for path, why in found.passed_over:
            self._tell_once(path, f"passed over {path}: {why}")
        return found.files

    def _keep_only(self, files: Iterable[StoredFile]) -> None:
        paths = {file.path for file in files}
        self._named = {path for path in self._named if os.path.lexists(path)}
        self._splits = {path: known for path, known in self._splits.items() if path in paths}
        self.backed_off = {path: backoff for path, backoff in self.backed_off.items() if path in paths}


def round_line(outcome: Run, books: Books) -> str:
    """One line on a round, for a log."""
    done = outcome.books
    return (
        f"{outcome.finished_at[11:19]} {plural(done.shards, 'shard')} in {outcome.seconds:,.1f} s: "
        f"{plural(done.pages_read, 'page')} read, {done.pages:,} kept, {plural(done.rejects, 'reject')}; "
        f"{plural(books.pages, 'page')} in {plural(books.shards, 'shard')} in all"
    )
