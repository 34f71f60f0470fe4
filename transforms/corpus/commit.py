"""The layout of a corpus and the commit of a shard.

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
import uuid
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from cedar.transforms.corpus.errors import (
    BrokenCommitError,
    CorpusError,
    LostFilesError,
    ReplacedCorpusError,
)
from cedar.transforms.corpus.formats import FORMATS
from cedar.transforms.corpus.layout import FILE_KINDS, committed_shard, corpus_description, corpus_id
from cedar.transforms.files.storage import Move, Storage, StoredFile, StoreEnvironment, is_uri, writing
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.records import Shard
from cedar.transforms.model.summaries import SchemaVersionError, ShardSummary


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the parts of a corpus are.

    Attributes:
        root: absolute path or URI of the corpus, without a slash at its end.
        format: the format of its files, one of `FORMATS`.
        compression: their compression; None = the format's default. It may show in their suffix.
        environment: what reaches the corpus and its inputs; workers enter it before they touch either.
        id: the id in the `corpus.json` that a run, or a reader, began with; "" if there was none.
    """

    root: str
    format: str
    compression: str | None = None
    environment: StoreEnvironment = field(default_factory=StoreEnvironment, compare=False)
    id: str = ""

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

    def commit_path(self, shard: str) -> str:
        """Return the path of a shard's commit."""
        return f"{self.root}/shards/{shard}.json"

    def file_name(self, kind: str, shard: str) -> str:
        """Name below the corpus of a shard's file of a kind, one of `FILE_KINDS`."""
        return f"{kind}/{shard}.{self.suffix(kind)}"

    def format_of(self, kind: str) -> str:
        """Return the format of the files of a kind."""
        return FILE_KINDS[kind].format or self.format

    def suffix(self, kind: str) -> str:
        """Return what the names of files of a kind end with."""
        suffixes = FORMATS[self.format_of(kind)].suffixes
        compression = self.compression if FILE_KINDS[kind].format is None else None
        return suffixes[compression or next(iter(suffixes))]

    def staged_path(self, kind: str, shard: str, attempt: str) -> str:
        """Return the path at which an attempt writes its file of a kind, one of `FILE_KINDS` or `summary`."""
        suffix = "json" if kind == "summary" else self.suffix(kind)
        return f"{self.root}/_tmp/{shard}.{attempt}.{kind}.{suffix}"

    def lease(self, attempt: str) -> AbstractContextManager[None]:
        """Say for as long as the context lasts that an attempt is alive, and what it has staged is in use."""
        return self.storage.lease(f"{self.root}/_tmp/{attempt}.lock")

    def as_found(self) -> "Corpus":
        """Return the corpus with the id of the `corpus.json` that is there now, if any; raises OSError."""
        return replace(self, id=corpus_id(corpus_description(self.storage.read(self.identity_path))))

    def refuse_replaced(self) -> None:
        """Raise ReplacedCorpusError if the `corpus.json` is another one than this run began with; OSError."""
        text = self.storage.read(self.identity_path)
        if corpus_id(corpus_description(text)) == self.id:
            return
        if text is None:
            why = "corpus.json is gone: the corpus was deleted or moved"
        else:
            why = "another run began the corpus again (--overwrite)"
        raise ReplacedCorpusError(f"{self.root}: {why} while this run was at work")

    def is_done(self, shard: Shard) -> bool:
        """Tell whether a shard is committed; raise ReplacedCorpusError if this run's corpus is no more."""
        self.refuse_replaced()
        return self.committed(shard.name) is not None

    def committed(self, shard: str) -> ShardSummary | None:
        """Return the summary of a shard that is committed, else None; raises as `read_commit`."""
        summary = self.read_commit(shard)
        return summary if summary is not None and summary.corpus_id == self.id else None

    def read_commit(self, shard: str) -> ShardSummary | None:
        """Return what the commit of a shard says, whichever corpus it is of; None if there is none.

        Raises BrokenCommitError where the commit is not the summary of its shard, CorpusError where it is of
        another version of the schema.
        """
        text = self.storage.read(self.commit_path(shard))
        return None if text is None else self.summary_of(shard, text)

    def summary_of(self, shard: str, text: bytes) -> ShardSummary:
        """Return what the text of a shard's commit says; raises as `read_commit`."""
        path = self.commit_path(shard)
        try:
            summary = ShardSummary.from_json(text)
        except SchemaVersionError as error:
            raise CorpusError(f"{path} is of another version of Cedar: {error}") from error
        except ValueError as error:
            raise BrokenCommitError(f"{path} is broken: {error}") from error
        pages = summary.files.get("pages")
        if summary.shard.name != shard:
            raise BrokenCommitError(f"{path} is broken: the commit of another shard, {summary.shard.name}")
        is_other = summary.corpus_id != self.id  # which may have another format
        if not is_other and (
            pages is None or (pages.rows, pages.suffix) != (summary.pages, self.suffix("pages"))
        ):
            raise BrokenCommitError(f"{path} is broken: names no file of its {summary.pages} pages")
        return summary

    def commits(self, prefix: str = "") -> Iterator[tuple[str | None, StoredFile]]:
        """Yield the files among the commits whose names begin so, each with its shard; None: not Cedar's."""
        for file in self.storage.list(f"{self.root}/shards", prefix):
            name = file.path.rpartition("/")[2]
            yield committed_shard(name), file

    def names_in(self, folder: str) -> Iterator[str]:
        """Yield the names of the files in a folder of the corpus, in order."""
        return (file.path.rpartition("/")[2] for file in self.storage.list(f"{self.root}/{folder}"))

    def write_file(self, name: str, content: bytes) -> None:
        """Write a small file of the corpus, in place of one of its name; raises OSError."""
        with self._staging(name) as staged:
            self.storage.write(f"{self.root}/{name}", content, staged)

    def write_if_absent(self, name: str, content: bytes) -> bool:
        """Write a small file of the corpus if its name is free; return whether it was. Raises OSError."""
        with self._staging(name) as staged:
            return self.storage.write_if_absent(f"{self.root}/{name}", content, staged)

    def replace_file(self, name: str, content: bytes, before: bytes | None) -> bool:
        """Write a small file if its content is `before` (None: it is absent); return whether it was."""
        if before is None:
            return self.write_if_absent(name, content)
        path = f"{self.root}/{name}"
        with self._staging(name) as staged:
            self.storage.stage(staged, content)
            is_replaced = self.storage.replace_staged(path, content, staged, before=before)
            if not is_replaced:
                self.storage.delete(staged)
            return is_replaced

    @contextlib.contextmanager
    def _staging(self, name: str) -> Iterator[str]:
        """Yield the place below `_tmp/` of a file that is to become `name`, with a lease on it."""
        attempt = uuid.uuid4().hex
        with writing(self.root), self.lease(attempt):
            yield f"{self.root}/_tmp/{name.rpartition('/')[2].partition('.')[0]}.{attempt}.whole.json"
        if not is_uri(self.root):
            with contextlib.suppress(OSError):  # it is not empty
                Path(self.root, "_tmp").rmdir()


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
            found = corpus.summary_of(shard, other)
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
