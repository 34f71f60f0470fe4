"""The end of a run: every commit checked against its files, the books made from the commits alone.

An inventory holds what lies in the folders to what the commits say, by one listing of each folder. Only
files that a listing lacks, or shows with another size or as staged, are looked at one by one.
"""

import contextlib
import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cedar.transforms.corpus.card import card, write_card
from cedar.transforms.corpus.cleanup import may_be_wanted, sweep
from cedar.transforms.corpus.commit import committed_file, publish
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import BrokenCommitError, CorpusError, LostFilesError
from cedar.transforms.corpus.layout import (
    FILE_KINDS,
    corpus_description,
    is_ours,
    lease_attempt,
    shard_of_file,
    staged_name,
)
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.crawls.catalogue import Listing
from cedar.transforms.files.local import read_ends
from cedar.transforms.files.storage import is_uri
from cedar.transforms.files.stores import json_object
from cedar.transforms.model.books import NOTHING_FETCHED, Books, Fetched
from cedar.transforms.model.records import Shard
from cedar.transforms.model.restarts import Restart
from cedar.transforms.model.summaries import ShardSummary, seconds_json

_END = 64 << 10


@dataclass(frozen=True, slots=True)
class Inventory:
    """What was found.

    Attributes:
        broken: by shard, which of its files is gone or cannot be read, or its commit, in one sentence.
        others: shards whose commits are of another corpus, in order.
        unnamed: names of output files that no commit names, in order.
        foreign: names of files that are not Cedar's, in order.
        staged: names below `_tmp/`.
    """

    ledger: Ledger
    broken: dict[str, str]
    others: tuple[str, ...]
    unnamed: tuple[str, ...]
    foreign: tuple[str, ...]
    staged: tuple[str, ...]

    @staticmethod
    def of(ledger: Ledger, *, repairs: bool = True) -> "Inventory":
        """Look through a corpus and, if it `repairs`, finish moves that were cut short; raises OSError."""
        # The commits come first: files committed later are missing in the listings, and looked at one by one.
        ledger.refresh()
        corpus = ledger.corpus
        broken = {name: f"{corpus.commit_path(name)} is broken" for name in ledger.broken}
        unnamed: list[str] = []
        foreign: list[str] = []
        doubtful: set[str] = set()
        for kind in FILE_KINDS:
            sound = set()  # the names of shards whose file is as it was committed
            for file in corpus.storage.list(f"{corpus.root}/{kind}"):
                name = file.path.rpartition("/")[2]
                shard = shard_of_file(name)
                if shard is None or not is_ours(kind, name):
                    foreign.append(f"{kind}/{name}")
                    continue
                summary = ledger.summary_of(shard)
                named = None if summary is None else summary.files.get(kind)
                if summary is None or named is None or corpus.file_name(kind, shard) != f"{kind}/{name}":
                    # The files of a commit that is broken wait until their shard is made again.
                    if shard not in broken:
                        unnamed.append(f"{kind}/{name}")
                elif file.size == named.bytes and _names_attempt(file.path, summary.attempt):
                    sound.add(summary.shard.name)
            doubtful.update(
                s.shard.name for s in ledger.summaries() if kind in s.files and s.shard.name not in sound
            )
        foreign += ledger.foreign
        staged = tuple(corpus.names_in("_tmp"))
        for part in filter(None, map(staged_name, staged)):
            summary = ledger.summary_of(part.what)
            if summary is not None and summary.attempt == part.attempt and part.kind in FILE_KINDS:
                doubtful.add(part.what)
        wanted = [summary for summary in map(ledger.summary_of, sorted(doubtful)) if summary is not None]
        faults = corpus.storage.each(
            functools.partial(_publish_or_fault if repairs else _look_for_fault, corpus), wanted
        )
        broken |= {s.shard.name: fault for s, fault in zip(wanted, faults, strict=True) if fault is not None}
        return Inventory(ledger, broken, tuple(sorted(ledger.others)), tuple(unnamed), tuple(foreign), staged)


def _names_attempt(path: str, attempt: str) -> bool:
    """Tell whether a file of this machine has an attempt's id near an end; of stores that is not asked."""
    if is_uri(path):
        return True
    return attempt.encode() in read_ends(path, _END)


def _publish_or_fault(corpus: Corpus, summary: ShardSummary) -> str | None:
    """Move a shard's files to their names; return the fault of one, None without any."""
    try:
        publish(corpus, summary)
    except LostFilesError as fault:
        return str(fault)
    return None


def _look_for_fault(corpus: Corpus, summary: ShardSummary) -> str | None:
    """Return the fault of one of a shard's files, None without any; move nothing."""
    for kind in summary.files:
        try:
            with committed_file(corpus, summary, kind):
                pass
        except LostFilesError as fault:
            try:
                with corpus.storage.open(corpus.staged_path(kind, summary.shard.name, summary.attempt)):
                    return f"{corpus.file_name(kind, summary.shard.name)} is not yet moved to its name"
            except FileNotFoundError:
                return str(fault)
    return None


def tidy(inventory: Inventory) -> tuple[str, ...]:
    """Delete commits of other corpora, output that no commit names, and staged files that nobody needs.

    Nobody needs staged files of committed shards and of dead workers. Other staged files stay: another run
    may be writing them. Returns the names of the output files that were deleted
    and were not of another corpus, in order; raises OSError.
    """
    corpus = inventory.ledger.corpus
    orphans = []
    for shard in inventory.others:
        if corpus.commit_of(shard) is None:
            corpus.storage.delete(corpus.commit_path(shard))
    inventory.ledger.forget(inventory.others)
    for name in inventory.unnamed:
        # A commit is made before its files get their names: a file without a commit now will never have one.
        with contextlib.suppress(BrokenCommitError):
            shard = shard_of_file(name.partition("/")[2]) or ""
            summary = corpus.commit_of(shard)
            if summary is None or name not in summary.file_names:
                corpus.storage.delete(f"{corpus.root}/{name}")
                orphans += [name] if shard not in inventory.others else []
    if any(map(lease_attempt, inventory.staged)):
        sweep(corpus)
    for name in inventory.staged:
        staged = staged_name(name)
        if staged is not None and not may_be_wanted(corpus, staged, writer_may_live=True):
            corpus.storage.delete(f"{corpus.root}/_tmp/{name}")
    return tuple(orphans)


@dataclass(frozen=True, slots=True)
class Failure:
    """A shard that could not be done, and why."""

    shard: Shard
    message: str

    def __str__(self) -> str:
        """Return the message, which names the shard."""
        name = self.shard.name
        return self.message if name in self.message else f"{self.message} [shard {name}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a command that writes a corpus.

    Attributes:
        started_at, finished_at: ISO 8601, UTC.
        seconds: wall time.
        books: sums over the shards that this run committed.
        shards: shards of the inputs; `done_before` of them were committed when it began.
        repaired: how many were read again because the one before ended elsewhere than they began.
        restarts: local workers that were replaced, in order.
        missing: names of shards that are not committed, though no failure says why.
        cpu_seconds: CPU time of this process and its workers, from the beginning of the run to its end; None
            where the work was done elsewhere.
        asked: what asking the index of crawls took.
    """

    id: str
    started_at: str
    finished_at: str
    seconds: float
    books: Books
    out_bytes: int
    workers: int = 0
    shards: int = 0
    done_before: int = 0
    repaired: int = 0
    failures: tuple[Failure, ...] = ()
    restarts: tuple[Restart, ...] = ()
    missing: tuple[str, ...] = ()
    interrupted: bool = False
    cpu_seconds: float | None = None
    listings: tuple[Listing, ...] = ()
    asked: Fetched = NOTHING_FETCHED

    @property
    def rest_seconds(self) -> float | None:
        """CPU time outside of the stages: start of workers, Beam, counters, attempts that failed."""
        if self.cpu_seconds is None:
            return None
        return max(0.0, self.cpu_seconds - sum(cost.cpu for cost in self.books.seconds.values()))


@dataclass(frozen=True, slots=True)
class Settled:
    """The corpus as it stands.

    Attributes:
        books: sums over all its shards.
        summaries: the commits, in order of their names.
        broken: by shard, which file of it is gone or cannot be read, in one sentence.
        orphans: names of output files that no commit named; they have been deleted.
        others: names of shards whose commits were of another corpus; they have been deleted, too.
        foreign: names of files that are not Cedar's; they are where they were.
    """

    books: Books
    summaries: tuple[ShardSummary, ...]
    broken: Mapping[str, str] = field(default_factory=dict)
    orphans: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def settle(corpus: Corpus, inventory: Inventory | None = None) -> Settled:
    """Check the corpus, finish what was cut short, write `run.json`, the card and the roll-up.

    Without an inventory of just now the corpus is looked through. Raises OSError; ReplacedCorpusError where
    another run has overwritten it since this one began.
    """
    corpus.refuse_replaced()
    if inventory is None:
        inventory = Inventory.of(Ledger(corpus))
    summaries = tuple(inventory.ledger.summaries())
    settled = Settled(
        books=inventory.ledger.books,
        summaries=summaries,
        broken=inventory.broken,
        orphans=tidy(inventory),
        foreign=inventory.foreign,
        others=inventory.others,
    )
    _write_card(corpus, settled)
    inventory.ledger.roll_up()
    record_books(corpus, settled.books, settled.broken)
    return settled


def stated_books(corpus: Corpus) -> dict[str, Any] | None:
    """Return the sums that `run.json` states of records, pages and shards; None if it states none."""
    books = json_object(corpus.storage.read(corpus.books_path))
    names = ("records_read", "pages", "rejects", "shards")
    return None if books is None else {name: books.get(name) for name in names}


def refuse_unsettled(corpus: Corpus, named: str) -> None:
    """Refuse a corpus, as the user calls it, whose last run was cut short: pages would be missing unsaid.

    Raises CorpusError where its books are missing, or are not of the shards that are committed.
    """
    books = json_object(corpus.storage.read(corpus.books_path)) or {}
    shards = books["shards"] if isinstance(books.get("shards"), int) else -1
    commits = sum(name is not None for name, _ in corpus.commits())
    broken = books.get("broken_shards")
    if shards == commits and not broken:
        return
    if broken:
        found = f"of its shards {len(broken)} are broken"
    elif shards < 0:
        found = "it has no run.json"
    else:
        found = f"its run.json says {shards} shards, but {commits} are committed"
    raise CorpusError(
        f"{named} is not finished: {found}; if a run is at work on it, try this again; else run the command "
        "that makes it again, or take what is there, though inputs may be missing: "
        f"cedar check {named} --repair"
    )


def _write_card(corpus: Corpus, settled: Settled) -> None:
    described = corpus_description(corpus.storage.read(corpus.identity_path))
    if described is None:
        return
    kinds = {kind for summary in settled.summaries for kind in summary.files}
    sources = {summary.shard.source for summary in settled.summaries}
    write_card(corpus, card(described, settled.books, kinds, sources=sources))


def record_books(corpus: Corpus, books: Books, broken: Iterable[str] = ()) -> None:
    """Write `run.json`; raise ReplacedCorpusError where the corpus has been overwritten, OSError."""
    corpus.refuse_replaced()
    _write(corpus, "run.json", {**books_json(books), "broken_shards": list(broken)})


def record_run(corpus: Corpus, run: Run) -> None:
    """Write `runs/<utc>-<id>.json`."""
    moment = run.started_at.replace("-", "").replace(":", "")[:15] + "Z"
    _write(corpus, f"runs/{moment}-{run.id}.json", run_json(run))


def run_json(run: Run) -> dict[str, Any]:
    """Return the record of a run as JSON."""
    return {
        "id": run.id,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "wall_seconds": round(run.seconds, 3),
        "cpu_seconds": None if run.cpu_seconds is None else round(run.cpu_seconds, 3),
        "rest_seconds": None if run.rest_seconds is None else round(run.rest_seconds, 3),
        "workers": run.workers,
        "crawls": [{"crawl": one.crawl.text, "listing_sha256": one.digest} for one in run.listings],
        **({"index_fetch": run.asked.to_json()} if run.asked.requests else {}),
        "input_shards": run.shards,
        "done_before": run.done_before,
        "repaired": run.repaired,
        "failures": [
            {"shard": f.shard.name, "source": f.shard.source, "fault": f.message} for f in run.failures
        ],
        "restarts": [restart.to_json() for restart in run.restarts],
        "missing": list(run.missing),
        "interrupted": run.interrupted,
        "out_bytes": run.out_bytes,
        **books_json(run.books),
    }


def books_json(books: Books) -> dict[str, Any]:
    """Return books as `run.json` has them."""
    names = (
        "shards",
        "records_read",
        "pages_read",
        "pages",
        "dropped",
        "rejects",
        "rejected",
        "balanced",
        "bytes",
    )
    sums = {name: getattr(books, name) for name in names}
    more = {
        name: counts for name in ("judged", "masked", "blocked", "tokens") if (counts := getattr(books, name))
    }
    return {**sums, "seconds": seconds_json(books.seconds), "fetch": books.fetched.to_json(), **more}


def _write(corpus: Corpus, name: str, content: dict[str, Any]) -> None:
    corpus.write_file(name, json.dumps(content, indent=1).encode())
