"""What lies in the folders of a corpus, held to what its commits say by one listing of each folder.

Asked about one by one is only what a listing finds missing, of another size than committed, or still staged.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
from dataclasses import dataclass

from transforms.corpus.commit import Corpus, publish
from transforms.corpus.errors import BrokenCommitError, LostFilesError
from transforms.corpus.layout import KINDS, is_ours, lease_attempt, shard_of_file, staged_name
from transforms.corpus.ledger import Ledger
from transforms.corpus.litter import may_be_wanted, names_in, sweep
from transforms.files.storage import is_uri
from transforms.model.summaries import ShardSummary

_END = 64 << 10


@dataclass(frozen=True, slots=True)
class Inventory:
    """What was found.

    Attributes:
        ledger: the commits.
        broken: shard -> what is gone or cannot be read of it, or of its commit, in one sentence.
        unnamed: names of output files that no commit names, in order.
        foreign: names of files that are not Cedar's, in order.
        staged: names below `_tmp/`.
    """

    ledger: Ledger
    broken: dict[str, str]
    unnamed: tuple[str, ...]
    foreign: tuple[str, ...]
    staged: tuple[str, ...]

    @staticmethod
    def of(ledger: Ledger) -> Inventory:
        """Look through a corpus, and move to their names files whose move was cut short; raises OSError."""
        # The commits come first: what is committed later is found missing by the listings, and asked about.
        ledger.refresh()
        corpus = ledger.corpus
        broken = {name: f"{corpus.shard_path(name)} is broken" for name in ledger.broken}
        unnamed: list[str] = []
        foreign: list[str] = []
        doubtful: set[str] = set()
        for kind in KINDS:
            whole = set()
            for file in corpus.storage.list(f"{corpus.root}/{kind}"):
                name = file.path.rpartition("/")[2]
                shard = shard_of_file(name)
                if shard is None or not is_ours(kind, name):
                    foreign.append(f"{kind}/{name}")
                    continue
                summary = ledger.committed(shard)
                named = None if summary is None else summary.files.get(kind)
                if summary is None or named is None or corpus.file_name(kind, shard) != f"{kind}/{name}":
                    # The files of a commit that is broken wait until their shard is made again.
                    if shard not in broken:
                        unnamed.append(f"{kind}/{name}")
                elif file.size == named.bytes and _names_attempt(file.path, summary.attempt):
                    whole.add(summary.shard.name)
            doubtful.update(
                s.shard.name for s in ledger.summaries() if kind in s.files and s.shard.name not in whole
            )
        foreign += ledger.foreign
        staged = tuple(names_in(corpus, "_tmp"))
        for part in filter(None, map(staged_name, staged)):
            summary = ledger.committed(part.what)
            if summary is not None and summary.attempt == part.attempt and part.kind in KINDS:
                doubtful.add(part.what)
        wanted = [summary for summary in map(ledger.committed, sorted(doubtful)) if summary is not None]
        faults = corpus.storage.each(functools.partial(_fault, corpus), wanted)
        broken |= {s.shard.name: fault for s, fault in zip(wanted, faults, strict=True) if fault is not None}
        return Inventory(ledger, broken, tuple(unnamed), tuple(foreign), staged)


def _names_attempt(path: str, attempt: str) -> bool:
    """Tell whether a file of this machine has an attempt's id near an end; of stores that is not asked."""
    if is_uri(path):
        return True
    with io.FileIO(path) as file:
        ends = file.read(_END)
        size = os.fstat(file.fileno()).st_size
        if size > len(ends):
            file.seek(max(len(ends), size - _END))
            ends += file.read(_END)
        return attempt.encode() in ends


def _fault(corpus: Corpus, summary: ShardSummary) -> str | None:
    """Move a shard's files to their names; what is the matter with one, None if nothing is."""
    try:
        publish(corpus, summary)
    except LostFilesError as fault:
        return str(fault)
    return None


def tidy(inventory: Inventory) -> tuple[str, ...]:
    """Delete output that no commit names, and staged files of committed shards and of dead workers.

    Other staged files of shards that are not committed stay: another run may be writing them. Returns the
    names of the output files that were deleted, in order; raises OSError.
    """
    corpus = inventory.ledger.corpus
    orphans = []
    for name in inventory.unnamed:
        # A commit is made before its files get their names: a file that has none now never will.
        with contextlib.suppress(BrokenCommitError):
            summary = corpus.committed(shard_of_file(name.partition("/")[2]) or "")
            if summary is None or name not in summary.file_names:
                corpus.storage.delete(f"{corpus.root}/{name}")
                orphans.append(name)
    if any(map(lease_attempt, inventory.staged)):
        sweep(corpus)
    for name in inventory.staged:
        staged = staged_name(name)
        if staged is not None and not may_be_wanted(corpus, staged, unless_committed=True):
            corpus.storage.delete(f"{corpus.root}/_tmp/{name}")
    return tuple(orphans)
