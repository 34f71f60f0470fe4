"""What lies about in a corpus: output without a commit, and what dead attempts have staged.

Deleted is only what has a name that Cedar gives, and in `_tmp/` only what no process can work on: what is
of a shard that another attempt has committed, or of an attempt whose lease has ended.
"""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from transforms.corpus.commit import Corpus
from transforms.corpus.errors import BrokenCommitError
from transforms.corpus.layout import KINDS, StagedName, is_ours, lease_attempt, shard_of_file, staged_name

_FOLDERS = ("shards", *KINDS, "runs", "selection", "_tmp")


@dataclass(frozen=True, slots=True)
class Litter:
    """What was found in the folders of rows.

    Attributes:
        orphans: names of output files that no commit named, in order; they have been deleted.
        foreign: names of files that are not Cedar's, in order; they are where they were.
    """

    orphans: tuple[str, ...]
    foreign: tuple[str, ...]


def tidy(corpus: Corpus) -> Litter:
    """Delete output that no commit names, and what staged files of committed shards are left.

    Staged files of shards that are not committed stay: another run may be writing them.

    Raises:
        OSError: the corpus cannot be read or written.
    """
    storage = corpus.storage
    orphans = []
    foreign = []
    for kind in KINDS:
        # The listing comes first, the question for the commit second: a commit is made before its
        # files get their names, so a file without one now is not a file of a commit to come.
        for file in list(storage.list(f"{corpus.root}/{kind}")):
            name = file.path.rpartition("/")[2]
            shard = shard_of_file(name)
            if shard is None or not is_ours(kind, name):
                foreign.append(f"{kind}/{name}")
                continue
            # The files of a commit that is broken wait until their shard is made again.
            with contextlib.suppress(BrokenCommitError):
                summary = corpus.committed(shard)
                if summary is None or f"{kind}/{name}" not in summary.files:
                    storage.delete(file.path)
                    orphans.append(f"{kind}/{name}")
    foreign += [f"shards/{name}" for name in _names(corpus, "shards") if not is_ours("shards", name)]
    for name in list(_names(corpus, "_tmp")):
        staged = staged_name(name)
        if staged is not None and not _may_be_wanted(corpus, staged, unless_committed=True):
            storage.delete(f"{corpus.root}/_tmp/{name}")
    return Litter(tuple(orphans), tuple(foreign))


def sweep(corpus: Corpus) -> None:
    """Delete what attempts whose process is gone have staged; what they have committed stays.

    Raises:
        OSError: the corpus cannot be read or written.
    """
    storage = corpus.storage
    names = list(_names(corpus, "_tmp"))
    by_attempt: dict[str, list[tuple[str, StagedName]]] = {}
    for name in names:
        staged = staged_name(name)
        if staged is not None:
            by_attempt.setdefault(staged.attempt, []).append((name, staged))
    for name in names:
        attempt = lease_attempt(name)
        if attempt is None:
            continue
        with storage.ended_lease(f"{corpus.root}/_tmp/{name}") as ended:
            if ended:
                for left, staged in by_attempt.get(attempt, ()):
                    if not _may_be_wanted(corpus, staged):
                        storage.delete(f"{corpus.root}/_tmp/{left}")
                storage.delete(f"{corpus.root}/_tmp/{name}")


def clear(corpus: Corpus) -> tuple[str, ...]:
    """Delete a corpus: commits first, `corpus.json` last, so that a cut leaves nothing half true.

    Returns:
        Names of the files in its folders that are not Cedar's: they are where they were.

    Raises:
        OSError: the corpus cannot be read or written.
    """
    storage = corpus.storage
    foreign = []
    for folder in _FOLDERS:
        for name in list(_names(corpus, folder)):
            if is_ours(folder, name):
                storage.delete(f"{corpus.root}/{folder}/{name}")
            else:
                foreign.append(f"{folder}/{name}")
    storage.delete(corpus.books_path)
    storage.delete(corpus.identity_path)
    return tuple(foreign)


def files_of_rows(corpus: Corpus) -> Iterator[str]:
    """Names of what lies where a corpus would be: files of rows and commits, and `run.json`."""
    for folder in ("shards", *KINDS):
        yield from (f"{folder}/{name}" for name in _names(corpus, folder))
    if corpus.storage.read(corpus.books_path) is not None:
        yield "run.json"


@contextlib.contextmanager
def staged_file(corpus: Corpus, name: str, content: bytes) -> Iterator[str]:
    """Stage a file below `_tmp/` that is to become the file `name` of the corpus; it is gone at the end.

    Raises:
        OSError: it cannot be written.
    """
    attempt = uuid.uuid4().hex
    path = f"{corpus.root}/_tmp/{name}.{attempt}.whole.json"
    with corpus.lease(attempt):
        try:
            with corpus.storage.create(path) as file:
                file.write(content)
            yield path
        finally:
            with contextlib.suppress(OSError):
                corpus.storage.delete(path)


def keep_file(corpus: Corpus, name: str, content: bytes) -> None:
    """Write a file of the corpus; one of its name is replaced.

    Raises:
        OSError: it cannot be written.
    """
    with staged_file(corpus, name.rpartition("/")[2].partition(".")[0], content) as staged:
        corpus.storage.move(staged, f"{corpus.root}/{name}")


def _names(corpus: Corpus, folder: str) -> Iterator[str]:
    return (file.path.rpartition("/")[2] for file in corpus.storage.list(f"{corpus.root}/{folder}"))


def _may_be_wanted(corpus: Corpus, staged: StagedName, *, unless_committed: bool = False) -> bool:
    """Tell whether a staged file is of a commit, or may come to be."""
    if staged.kind == "whole":
        return unless_committed
    try:
        winner = corpus.committed(staged.what)
    except BrokenCommitError:
        return True
    if winner is None:
        return unless_committed
    return winner.attempt == staged.attempt and staged.kind != "summary"
