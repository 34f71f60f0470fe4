"""The commits of a corpus, in memory: one listing names them, and only new ones are read.

Commits are read out of the roll-up as far as it has them, the others one by one, several at a time. The
roll-up has copies of many commits in few files. Each names the size and the version of the commit that it is
of. A listing of the commits tells whether that still is so: a copy that is missing, damaged or of an older
state means that the commit itself is read.
"""

import io
import json
import uuid
from collections.abc import Iterable, Iterator

import zstandard

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.errors import BrokenCommitError
from cedar.transforms.corpus.formats import read_lines
from cedar.transforms.corpus.layout import committed_shard
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.model.books import Books
from cedar.transforms.model.summaries import ShardSummary

_State = tuple[int | None, str | None]
"""Size and version of a file, as a listing has them."""

_MIN_COMMITS_PER_FILE = 64
"""Commits that are worth a file of their copies."""

_MAX_COMMITS_PER_FILE = 10_000
"""Commits of a file, at most."""

_MAX_PARTIAL_FILES = 32
"""Files that are not full, at most: with more of them all are written again."""


class Ledger:
    """The commits of a corpus, which need not be there yet, as they were at the last `refresh`.

    Whoever asks before any `refresh` gets the commits all the same: the first question reads them, and raises
    what `refresh` does. The attributes are empty until then.

    Attributes:
        foreign: the names of files among them that are not Cedar's.
        others: the names of shards whose commits are of another corpus: the one that was overwritten, say.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.foreign: list[str] = []
        self.others: set[str] = set()
        self._is_read = False
        self._states: dict[str, StoredFile] = {}
        self._summaries: dict[str, ShardSummary] = {}
        self._not_rolled_up: set[str] = set()
        self._by_source: dict[str, list[ShardSummary]] = {}
        self._by_state: dict[_State, set[str]] = {}
        self._books: Books | None = None

    @staticmethod
    def of(corpus: Corpus) -> "Ledger":
        """Read the commits of a corpus; raise OSError where it cannot be read."""
        ledger = Ledger(corpus)
        ledger.refresh()
        return ledger

    def refresh(self) -> bool:
        """Read new commits, forget commits that are gone or were replaced; return whether there were any.

        Raises OSError where the corpus cannot be read, CorpusError for a commit of another schema.
        """
        storage = self.corpus.storage
        commits = storage.list(f"{self.corpus.root}/shards")
        by_name = {file.path.rpartition("/")[2]: file for file in commits}
        gone = {name for name, file in self._states.items() if by_name.get(name) != file}
        files = [file for name, file in by_name.items() if self._states.get(name) != file]
        self.forget(map(_shard_of, gone))
        new: dict[str, StoredFile] = {}
        self.foreign = []
        for file in files:
            file_name = file.path.rpartition("/")[2]
            name = committed_shard(file_name)
            if name is None:
                self.foreign.append(f"shards/{file_name}")
            else:
                new[name] = file
        if not self._states and len(new) >= _MIN_COMMITS_PER_FILE:
            for summary, state in self._copies():
                listed = new.get(summary.shard.name)
                if listed is not None and (listed.size, listed.version) == state:
                    self._keep(new.pop(summary.shard.name), summary)
        for name, found in zip(new, storage.each(self._read, new), strict=True):
            if found is not None:
                self._keep(new[name], found)
                self._not_rolled_up.add(name)
        self._is_read = True
        return bool(gone)

    def _read_once(self) -> None:
        if not self._is_read:
            self.refresh()

    def forget(self, names: Iterable[str]) -> None:
        """Read some commits again when the ledger is brought up to date, if they are there."""
        for name in names:
            if self._states.pop(f"{name}.json", None) is not None:
                self._not_rolled_up.discard(name)
                self.others.discard(name)
                self._summaries.pop(name, None)
                self._by_source, self._by_state, self._books = {}, {}, None

    def _read(self, name: str) -> ShardSummary | BrokenCommitError | None:
        """Read a commit; None for one that is gone by now."""
        try:
            return self.corpus.read_commit(name)
        except BrokenCommitError as fault:
            return fault

    def _keep(self, file: StoredFile, summary: ShardSummary | BrokenCommitError) -> None:
        if isinstance(summary, ShardSummary) and summary.corpus_id != self.corpus.id:
            self.others.add(summary.shard.name)
        elif isinstance(summary, ShardSummary):
            self._summaries[summary.shard.name] = summary
            if self._by_source:
                self._index(summary)
            if self._books is not None:
                self._books += summary.books
        self._states[file.path.rpartition("/")[2]] = file

    def roll_up(self) -> None:
        """Bring the roll-up up to date, where it saves reading many commits; raises OSError."""
        if len(self._not_rolled_up) < _MIN_COMMITS_PER_FILE:
            return
        paths = [file.path for file in self.corpus.storage.list(f"{self.corpus.root}/rollup")]
        is_whole = len(paths) >= _MAX_PARTIAL_FILES + len(self._summaries) // _MAX_COMMITS_PER_FILE
        names = sorted(self._summaries if is_whole else self._not_rolled_up & self._summaries.keys())
        for first in range(0, len(names), _MAX_COMMITS_PER_FILE):
            lines = map(self._copy, names[first : first + _MAX_COMMITS_PER_FILE])
            packed = zstandard.ZstdCompressor(write_checksum=True).compress("\n".join(lines).encode())
            self.corpus.write_file(f"rollup/{uuid.uuid4().hex}.jsonl.zst", packed)
        if is_whole:
            self.corpus.storage.delete(*paths)
        self._not_rolled_up.clear()

    def _copy(self, name: str) -> str:
        file, commit = self._states[f"{name}.json"], self._summaries[name].fields()
        return json.dumps({"size": file.size, "version": file.version, "commit": commit})

    def _copies(self) -> Iterator[tuple[ShardSummary, _State]]:
        """Yield the copies of commits; of a file that is damaged, those before the damage."""
        for file in self.corpus.storage.list(f"{self.corpus.root}/rollup"):
            packed = self.corpus.storage.read(file.path)
            if packed is None or not file.path.endswith(".jsonl.zst"):
                continue
            try:
                for line in read_lines(io.BytesIO(packed)):
                    yield ShardSummary.from_fields(line["commit"]), (line["size"], line["version"])
            except (ValueError, LookupError, TypeError, EOFError, RecursionError, zstandard.ZstdError):
                continue

    @property
    def names(self) -> set[str]:
        """The names of the shards that are committed, broken commits among them."""
        self._read_once()
        return set(map(_shard_of, self._states)) - self.others

    @property
    def broken(self) -> list[str]:
        """The names of the shards whose commits are broken, in order."""
        return sorted(self.names - self._summaries.keys())

    def summary_of(self, name: str) -> ShardSummary | None:
        """Return the summary of a shard; None where it is not committed, or its commit is broken."""
        self._read_once()
        return self._summaries.get(name)

    @property
    def books(self) -> Books:
        """The sums of the commits, without those that are broken."""
        self._read_once()
        if self._books is None:
            self._books = sum((summary.books for summary in self.summaries()), Books())
        return self._books

    def summaries(self) -> Iterator[ShardSummary]:
        """Yield the summaries, without commits that are broken, in order of their names."""
        self._read_once()
        return map(self._summaries.__getitem__, sorted(self._summaries))

    def of_source(self, source: str) -> list[ShardSummary]:
        """Return the commits of one input, as it is or was."""
        self._index_all()
        return self._by_source.get(source, [])

    def sources_in(self, size: int | None, version: str | None) -> set[str]:
        """Return the inputs that were read with a size and version."""
        self._index_all()
        return self._by_state.get((size, version), set())

    def _index_all(self) -> None:
        self._read_once()
        if not self._by_source:
            for summary in self._summaries.values():
                self._index(summary)

    def _index(self, summary: ShardSummary) -> None:
        shard = summary.shard
        self._by_source.setdefault(shard.source, []).append(summary)
        self._by_state.setdefault((shard.size, shard.version), set()).add(shard.source)


def _shard_of(file_name: str) -> str:
    return file_name.removesuffix(".json")
