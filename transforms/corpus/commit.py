"""The layout of a corpus and the commit of a shard.

Each attempt at a shard writes its files below `_tmp/`, under names that carry the attempt's id. The commit
is the creation of `shards/<name>.json` if it is absent: one attempt wins, whatever is retried, killed or
run twice. The JSON names the winner's files; then they move to their names. A process that finds a JSON whose
files have not moved yet moves them. A loser deletes its own files and takes the winner's summary.

The protocol is a generator that stops after each step on the file system, so that tests can run attempts
in every interleaving and kill them between any two steps.
"""

import contextlib
import os
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import BinaryIO

from cedar.transforms.corpus.errors import BrokenCommitError, CorpusError, LostFilesError
from cedar.transforms.corpus.layout import KINDS, committed_shard
from cedar.transforms.corpus.writers import FORMATS
from cedar.transforms.files.storage import Move, Storage, StoredFile, StoreEnvironment
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.summaries import SchemaVersionError, ShardSummary


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the parts of a corpus are.

    Attributes:
        root: absolute path or URI of the corpus, without a slash at its end.
        format: the format of its files, one of `FORMATS`.
        compression: their compression; None = the format's default. It may show in their suffix.
        environment: what reaches the corpus and its inputs; workers enter it before they touch either.
    """

    root: str
    format: str
    compression: str | None = None
    environment: StoreEnvironment = field(default_factory=StoreEnvironment, compare=False)

    @property
    def storage(self) -> Storage:
        """The file system that holds it."""
        return storage_for(self.root)

    @property
    def identity_path(self) -> str:
        """`corpus.json`: what every run into this corpus must share."""
        return f"{self.root}/corpus.json"

    @property
    def books_path(self) -> str:
        """`run.json`: the corpus as it stands."""
        return f"{self.root}/run.json"

    def shard_path(self, shard: str) -> str:
        """Return the commit of a shard."""
        return f"{self.root}/shards/{shard}.json"

    def file_name(self, kind: str, shard: str) -> str:
        """Name below the corpus of a shard's file of a kind, one of `KINDS`."""
        return f"{kind}/{shard}.{self.suffix(kind)}"

    def format_of(self, kind: str) -> str:
        """Return the format of the files of a kind."""
        return KINDS[kind].format or self.format

    def suffix(self, kind: str) -> str:
        """Return what the names of files of a kind end with."""
        suffixes = FORMATS[self.format_of(kind)].suffixes
        compression = self.compression if KINDS[kind].format is None else None
        return suffixes[compression or next(iter(suffixes))]

    def staged_path(self, kind: str, shard: str, attempt: str) -> str:
        """Find where an attempt writes its file of a kind, one of `KINDS` or `summary`."""
        suffix = "json" if kind == "summary" else self.suffix(kind)
        return f"{self.root}/_tmp/{shard}.{attempt}.{kind}.{suffix}"

    def lease(self, attempt: str) -> AbstractContextManager[None]:
        """Say for as long as the context lasts that an attempt is alive, and what it has staged is in use."""
        return self.storage.lease(f"{self.root}/_tmp/{attempt}.lock")

    def committed(self, shard: str) -> ShardSummary | None:
        """Return the summary of a shard that is committed, else None.

        Raises BrokenCommitError where the commit is not the summary of its shard, CorpusError where it is of
        another version of the schema.
        """
        path = self.shard_path(shard)
        text = self.storage.read(path)
        if text is None:
            return None
        try:
            summary = ShardSummary.from_json(text)
        except SchemaVersionError as error:
            raise CorpusError(f"{path} is of another version of Cedar: {error}") from error
        except ValueError as error:
            raise BrokenCommitError(f"{path} is broken: {error}") from error
        pages = summary.files.get("pages")
        if summary.shard.name != shard:
            raise BrokenCommitError(f"{path} is broken: the commit of another shard, {summary.shard.name}")
        if pages is None or (pages.rows, pages.suffix) != (summary.pages, self.suffix("pages")):
            raise BrokenCommitError(f"{path} is broken: names no file of its {summary.pages} pages")
        return summary

    def commits(self, prefix: str = "") -> Iterator[tuple[str | None, StoredFile]]:
        """Yield the files among the commits whose names begin so, each with its shard; None: not Cedar's."""
        for file in self.storage.list(f"{self.root}/shards", prefix):
            name = file.path.rpartition("/")[2]
            yield committed_shard(name), file


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
        except OSError:
            with contextlib.suppress(OSError, CorpusError, BrokenCommitError):
                there = corpus.committed(summary.shard.name)
                if there is None or there.attempt != summary.attempt:
                    discard(corpus, summary.shard.name, summary.attempt)
            raise


def discard(corpus: Corpus, shard: str, attempt: str) -> None:
    """Delete what an attempt has staged for a shard; raise OSError where the file system failed."""
    corpus.storage.delete(*(corpus.staged_path(kind, shard, attempt) for kind in KINDS))


def commit_steps(corpus: Corpus, summary: ShardSummary) -> Generator[str, None, ShardSummary]:
    """Commit step by step: yields the name of each step after it is done."""
    shard, storage = summary.shard.name, corpus.storage
    staged = corpus.staged_path("summary", shard, summary.attempt)
    won = storage.write_if_absent(corpus.shard_path(shard), summary.to_json().encode(), staged)
    yield "committed" if won else "lost"
    winner = summary if won else corpus.committed(shard)
    if winner is None:
        raise LostFilesError(f"the commit of {shard} was revoked while it was read")
    if winner.attempt != summary.attempt:
        for kind in summary.files:
            storage.delete(corpus.staged_path(kind, shard, summary.attempt))
            yield f"{kind} of the loser deleted"
    yield from publish_steps(corpus, winner)
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
    """Undo the commits of shards: of each first its JSON, then its files."""
    for shard in shards:
        corpus.storage.delete(corpus.shard_path(shard))
        corpus.storage.delete(*(f"{corpus.root}/{corpus.file_name(kind, shard)}" for kind in KINDS))


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
            raise LostFilesError(f"{path} is broken: {found} bytes instead of {size}")
        file.seek(0)
        if FORMATS[corpus.format_of(kind)].attempt(file) != summary.attempt:
            raise LostFilesError(f"{path} is broken, or of another attempt than the committed one; remove it")
        file.seek(0)
        yield file
