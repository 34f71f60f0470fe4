"""The commits of a corpus, in memory: one listing says which there are, and only what is new is read.

Commits are read out of the roll-up as far as it has them, the others one by one, several at a time. The
roll-up has copies of many commits in few files. Each names the size and the version of the commit that it is
of. A listing of the commits tells whether that still is so: a copy that is missing, damaged or of an older
state means that the commit itself is read.
"""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Iterator

import zstandard

from transforms.corpus.commit import Corpus
from transforms.corpus.errors import BrokenCommitError
from transforms.corpus.litter import keep_file
from transforms.corpus.writers import read_lines
from transforms.model.summaries import ShardSummary

_State = tuple[int | None, str | None]
"""Size and version of a file, as a listing has them."""

_FEWEST = 64
"""Commits that are worth a file of their copies."""

_MOST = 10_000
"""Commits of a file, at most."""

_MOST_SMALL = 32
"""Files that are not full, at most: with more of them all are written again."""


class Ledger:
    """The commits of a corpus, which need not be there yet, as they were when it was last brought up to date.

    `foreign` has the names of files among them that are not Cedar's.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.foreign: list[str] = []
        self._states: dict[str, _State] = {}
        self._summaries: dict[str, ShardSummary] = {}
        self._single: set[str] = set()
        self._by_source: dict[str, list[ShardSummary]] = {}
        self._by_state: dict[_State, set[str]] = {}

    @staticmethod
    def of(corpus: Corpus) -> Ledger:
        """Read the commits of a corpus; raise OSError where it cannot be read."""
        ledger = Ledger(corpus)
        ledger.refresh()
        return ledger

    def refresh(self) -> None:
        """Read the commits that have come since, forget those that are gone.

        Raises OSError where the corpus cannot be read, CorpusError for a commit of another schema.
        """
        listed: dict[str, _State] = {}
        self.foreign = []
        for name, file in self.corpus.commits():
            if name is None:
                self.foreign.append(f"shards/{file.path.rpartition('/')[2]}")
            else:
                listed[name] = file.size, file.version
        gone = [name for name, state in self._states.items() if listed.get(name) != state]
        for name in gone:
            self._single.discard(name)
            self._summaries.pop(name, None)
            del self._states[name]
        if not self._states and len(listed) >= _FEWEST:
            for summary, state in self._copies():
                if listed.get(summary.shard.name) == state:
                    self._keep(summary.shard.name, state, summary)
        new = [name for name in listed if name not in self._states]
        for name, found in zip(new, self.corpus.storage.each(self._sound, new), strict=True):
            if found is not None:
                self._keep(name, listed[name], found)
                self._single.add(name)
        if new or gone:
            self._by_source, self._by_state = {}, {}

    def _sound(self, name: str) -> ShardSummary | BrokenCommitError | None:
        """Read a commit; None for one that is gone by now."""
        try:
            return self.corpus.committed(name)
        except BrokenCommitError as fault:
            return fault

    def _keep(self, name: str, state: _State, summary: ShardSummary | BrokenCommitError) -> None:
        if isinstance(summary, ShardSummary):
            name = summary.shard.name  # one text for all that have it
            self._summaries[name] = summary
        self._states[name] = state

    def roll_up(self) -> None:
        """Bring the roll-up up to date, where it saves reading many commits; raises OSError."""
        if len(self._single) < _FEWEST:
            return
        there = [file.path for file in self.corpus.storage.list(f"{self.corpus.root}/rollup")]
        is_whole = len(there) >= _MOST_SMALL + len(self._summaries) // _MOST
        names = sorted(self._summaries if is_whole else self._single & self._summaries.keys())
        for first in range(0, len(names), _MOST):
            lines = map(self._copy, names[first : first + _MOST])
            packed = zstandard.ZstdCompressor(write_checksum=True).compress("\n".join(lines).encode())
            keep_file(self.corpus, f"rollup/{uuid.uuid4().hex}.jsonl.zst", packed)
        if is_whole:
            self.corpus.storage.delete(*there)
        self._single.clear()

    def _copy(self, name: str) -> str:
        size, version = self._states[name]
        return json.dumps({"size": size, "version": version, "commit": self._summaries[name].fields()})

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
        return set(self._states)

    @property
    def broken(self) -> list[str]:
        """The names of the shards whose commits are broken, in order."""
        return sorted(self._states.keys() - self._summaries.keys())

    def committed(self, name: str) -> ShardSummary | None:
        """Return the summary of a shard; None where it is not committed, or its commit is broken."""
        return self._summaries.get(name)

    def summaries(self) -> Iterator[ShardSummary]:
        """Yield the summaries, without commits that are broken, in order of their names."""
        return map(self._summaries.__getitem__, sorted(self._summaries))

    def of_source(self, source: str) -> list[ShardSummary]:
        """Return the commits of one input, as it is or was."""
        self._index()
        return self._by_source.get(source, [])

    def sources_in(self, size: int | None, version: str | None) -> set[str]:
        """Return the inputs that were read with a size and version."""
        self._index()
        return self._by_state.get((size, version), set())

    def _index(self) -> None:
        if not self._by_source:
            for summary in self._summaries.values():
                shard = summary.shard
                self._by_source.setdefault(shard.source, []).append(summary)
                self._by_state.setdefault((shard.size, shard.version), set()).add(shard.source)
