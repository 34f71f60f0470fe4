"""The commit of a shard.

Each attempt at a shard writes its files below `_tmp/`, under names that carry the attempt's id. The commit
is the creation of `shards/<name>.json` if it is absent: one attempt wins, whatever is retried, killed or
run twice. The JSON names the winner's files; then they move to their names. A process that finds a JSON whose
files have not moved yet moves them. A loser deletes its own files and takes the winner's summary.

`--overwrite` first replaces `corpus.json` by one with a new id, then deletes everything else, staged files
first. An attempt commits only while `corpus.json` has the id that its run began with, and its commit carries
that id. An attempt of the overwritten corpus then finds a different id, or finds its staged files deleted. In
an object store it may still commit at the last moment: readers ignore that commit for its id, and attempts
of the new corpus replace it.

The protocol is a generator that stops after each step on the file system, so that tests can run attempts
in every interleaving and kill them between any two steps.
"""

import contextlib
import os
from collections.abc import Generator, Iterator
from typing import BinaryIO

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import (
    BrokenCommitError,
    CorpusError,
    LostFilesError,
    ReplacedCorpusError,
)
from cedar.transforms.corpus.formats import FORMATS
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.files.storage import Move
from cedar.transforms.model.summaries import ShardSummary


def commit(corpus: Corpus, summary: ShardSummary) -> ShardSummary:
    """Commit an attempt whose files are staged; returns the summary that won.

    Raises LostFilesError where the winner's files are gone. After an OSError nothing is lost, the attempt may
    be made again; what it had staged is deleted, unless the commit was made or that is unknown.
    """
    steps = commit_steps(corpus, summary)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            winner: ShardSummary = end.value
            return winner
        except (OSError, ReplacedCorpusError):
            with contextlib.suppress(OSError, CorpusError, BrokenCommitError):
                committed = corpus.read_commit(summary.shard.name)
                if committed is None or committed.attempt != summary.attempt:
                    discard(corpus, summary.shard.name, summary.attempt)
            raise


def discard(corpus: Corpus, shard: str, attempt: str) -> None:
    """Delete what an attempt has staged for a shard; raise OSError where the file system failed."""
    corpus.storage.delete(*(corpus.staged_path(kind, shard, attempt) for kind in (*FILE_KINDS, "summary")))


def commit_steps(corpus: Corpus, summary: ShardSummary) -> Generator[str, None, ShardSummary]:
    """Commit step by step: yields the name of each step after it is done.

    Raises ReplacedCorpusError if the corpus is not the one that the run began with.
    """
    shard, storage, content = summary.shard.name, corpus.storage, summary.to_json().encode()
    path, staged = corpus.commit_path(shard), corpus.staged_path("summary", shard, summary.attempt)
    storage.stage(staged, content)
    yield "summary staged"
    winner = None
    other: bytes | None = None  # a commit of this shard that is of another corpus
    while winner is None:
        corpus.refuse_replaced()
        yield "corpus looked at"
        try:
            if other is None:
                won = storage.create_staged(path, content, staged)
            else:
                won = storage.replace_staged(path, content, staged, before=other)
        except FileNotFoundError:
            corpus.refuse_replaced()  # who replaced it deletes staged files
            raise
        yield "committed" if won else "lost"
        if won:
            winner = summary
        elif (other := storage.read(path)) is not None:
            found = corpus.parse_commit(shard, other)
            winner = found if found.corpus_id == corpus.id else None
    if winner.attempt != summary.attempt:
        for kind in (*summary.files, "summary"):
            storage.delete(corpus.staged_path(kind, shard, summary.attempt))
            yield f"{kind} of the loser deleted"
    try:
        yield from publish_steps(corpus, winner)
    except LostFilesError:
        corpus.refuse_replaced()
        raise
    return winner


def publish(corpus: Corpus, summary: ShardSummary) -> None:
    """Move a committed shard's files to their names; raise LostFilesError for one in neither place."""
    for _ in publish_steps(corpus, summary):
        pass


def publish_steps(corpus: Corpus, summary: ShardSummary) -> Iterator[str]:
    """Yield the moves of `publish`, step by step."""
    shard, moves = summary.shard.name, []
    for kind, file in summary.files.items():
        staged = corpus.staged_path(kind, shard, summary.attempt)
        moves.append(Move(staged, f"{corpus.root}/{corpus.file_name(kind, shard)}", file.bytes))
    for kind, moved in zip(summary.files, corpus.storage.moves(moves), strict=True):
        if not moved:
            with committed_file(corpus, summary, kind):
                pass
        yield f"{kind} in place"


def revoke(corpus: Corpus, *shards: str) -> None:
    """Undo the commits of shards: of each first its JSON, then its files. Raises ReplacedCorpusError."""
    if shards:
        corpus.refuse_replaced()
    for shard in shards:
        corpus.storage.delete(corpus.commit_path(shard))
        corpus.storage.delete(*(f"{corpus.root}/{corpus.file_name(kind, shard)}" for kind in FILE_KINDS))


@contextlib.contextmanager
def committed_file(corpus: Corpus, summary: ShardSummary, kind: str) -> Iterator[BinaryIO]:
    """Open a file that a commit names, after its size and attempt are held to the commit.

    Raises LostFilesError where it is gone, or is not the one that was committed; OSError from the store.
    """
    name = corpus.file_name(kind, summary.shard.name)
    path, size = f"{corpus.root}/{name}", summary.files[kind].bytes
    try:
        opened = corpus.storage.open(path)
    except FileNotFoundError as error:
        raise LostFilesError(f"{path} is gone") from error
    with opened as file:
        found = file.seek(0, os.SEEK_END)
        if found != size:
            why = " (did a process that an extractor forked write to it?)" if found > size else ""
            raise LostFilesError(f"{path} is broken: {found} bytes instead of {size}{why}")
        file.seek(0)
        if FORMATS[corpus.format_of(kind)].attempt(file) != summary.attempt:
            raise LostFilesError(f"{path} is broken, or of another attempt than the committed one; remove it")
        file.seek(0)
        yield file
