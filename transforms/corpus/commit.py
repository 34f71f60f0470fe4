"""The layout of a corpus and the commit of a shard.

Each attempt at a shard writes its files below `_tmp/`, under names that carry the attempt's id. The commit
is the creation of `shards/<name>.json` if it is absent: one attempt wins, whatever is retried, killed or
run twice. The JSON names the winner's files; then they move to their names. Whoever finds a JSON whose
files have not moved yet moves them. A loser deletes its own files and takes the winner's summary.

The protocol is a generator that stops after each step on the file system, so that tests can run attempts
in every interleaving and kill them between any two steps.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from transforms.corpus.storage import Storage, StoredFile, storage_for
from transforms.corpus.writers import attempt_of
from transforms.model.summaries import ShardSummary

_KINDS = ("pages", "rejects")


class LostFilesError(Exception):
    """A shard is committed, but files that its summary names are gone."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where the parts of a corpus are.

    Attributes:
        root: absolute path or URI of the corpus, without a slash at its end.
        format: `parquet` or `avro`: also the suffix of the files.
    """

    root: str
    format: str

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
        """The commit of a shard."""
        return f"{self.root}/shards/{shard}.json"

    def file_name(self, kind: str, shard: str) -> str:
        """Name below the corpus of a shard's file of `kind` (pages or rejects)."""
        return f"{kind}/{shard}.{self.format}"

    def staged_path(self, kind: str, shard: str, attempt: str) -> str:
        """Where an attempt writes its file of `kind` (pages, rejects or summary)."""
        suffix = "json" if kind == "summary" else self.format
        return f"{self.root}/_tmp/{shard}.{attempt}.{kind}.{suffix}"

    def committed(self, shard: str) -> ShardSummary | None:
        """The summary of a shard that is committed, else None."""
        return self.commit_at(self.shard_path(shard))

    def commit_at(self, path: str) -> ShardSummary | None:
        """The summary in one of the files of `commits`, None where it is gone."""
        text = self.storage.read(path)
        return None if text is None else ShardSummary.from_json(text.decode())

    def commits(self) -> Iterator[StoredFile]:
        """The files of all commits, in order of their names."""
        return (f for f in self.storage.list(f"{self.root}/shards") if f.path.endswith(".json"))

    def summaries(self) -> Iterator[ShardSummary]:
        """The summaries of all committed shards, in order of their names."""
        for file in self.commits():
            summary = self.commit_at(file.path)
            if summary is not None:
                yield summary


def commit(corpus: Corpus, summary: ShardSummary) -> ShardSummary:
    """Commit an attempt whose files are staged; returns the summary that won.

    Raises:
        OSError: the file system failed; nothing is lost, the attempt may be made again.
        LostFilesError: the winner's files are gone.
    """
    steps = commit_steps(corpus, summary)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            winner: ShardSummary = end.value
            return winner


def commit_steps(corpus: Corpus, summary: ShardSummary) -> Generator[str, None, ShardSummary]:
    """The commit, step by step: yields the name of each step after it is done."""
    shard, storage = summary.shard.name, corpus.storage
    staged = corpus.staged_path("summary", shard, summary.attempt)
    with storage.create(staged) as file:
        file.write(summary.to_json().encode())
    yield "summary staged"
    won = storage.create_if_absent(staged, corpus.shard_path(shard))
    yield "committed" if won else "lost"
    winner = summary if won else corpus.committed(shard)
    if winner is None:
        raise LostFilesError(f"the commit of {shard} was revoked while it was read")
    if winner.attempt != summary.attempt:
        for kind in (*_KINDS, "summary"):
            storage.delete(corpus.staged_path(kind, shard, summary.attempt))
            yield f"{kind} of the loser deleted"
    yield from publish_steps(corpus, winner)
    return winner


def publish(corpus: Corpus, summary: ShardSummary) -> None:
    """Move a committed shard's files to their names, where that has not been done.

    Raises:
        LostFilesError: a file is neither staged nor in its place.
    """
    for _ in publish_steps(corpus, summary):
        pass


def publish_steps(corpus: Corpus, summary: ShardSummary) -> Iterator[str]:
    """The moves of `publish`, step by step."""
    storage = corpus.storage
    for kind in _KINDS:
        name = corpus.file_name(kind, summary.shard.name)
        if name not in summary.files:
            continue
        staged = corpus.staged_path(kind, summary.shard.name, summary.attempt)
        if not storage.move(staged, f"{corpus.root}/{name}") and not _in_place(corpus, summary, name):
            raise LostFilesError(f"{name} is committed by {corpus.shard_path(summary.shard.name)} and gone")
        yield f"{kind} in place"


def revoke(corpus: Corpus, shard: str) -> None:
    """Undo a shard's commit: first its JSON, then its files."""
    storage = corpus.storage
    storage.delete(corpus.shard_path(shard))
    for kind in _KINDS:
        storage.delete(f"{corpus.root}/{corpus.file_name(kind, shard)}")


def _in_place(corpus: Corpus, summary: ShardSummary, name: str) -> bool:
    return attempt_of(corpus.storage, f"{corpus.root}/{name}", corpus.format) == summary.attempt


def tidy(corpus: Corpus) -> tuple[str, ...]:
    """Delete what no commit names; returns the names of the output files among it, in order.

    Output files without a commit, and staged files of shards that another attempt has committed. Staged
    files of shards that are not committed stay: another run may be writing them.
    """
    storage = corpus.storage
    orphans = []
    for kind in _KINDS:
        # The listing comes first, the question for the commit second: a commit is made before its
        # files get their names, so a file without one now is no file of a commit to come.
        for file in list(storage.list(f"{corpus.root}/{kind}")):
            name = f"{kind}/{file.path.rpartition('/')[2]}"
            summary = corpus.committed(name.removeprefix(f"{kind}/").removesuffix(f".{corpus.format}"))
            if summary is None or name not in summary.files:
                storage.delete(file.path)
                orphans.append(name)
    for file in list(storage.list(f"{corpus.root}/_tmp")):
        parts = file.path.rpartition("/")[2].rsplit(".", 3)
        winner = corpus.committed(parts[0]) if len(parts) == 4 else None
        if winner is not None and (parts[1] != winner.attempt or parts[2] == "summary"):
            storage.delete(file.path)
    return tuple(orphans)
