"""The commits of a corpus, in memory: one listing says which there are, and only what is new is read.

Commits are read out of the roll-up as far as it has them, the others one by one, several at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from transforms.corpus import rollup
from transforms.corpus.commit import Corpus
from transforms.corpus.errors import BrokenCommitError
from transforms.corpus.rollup import State
from transforms.model.summaries import ShardSummary


class Ledger:
    """The commits of a corpus, which need not be there yet, as they were when it was last brought up to date.

    `foreign` has the names of files among them that are not Cedar's.
    """

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.foreign: list[str] = []
        self._states: dict[str, State] = {}
        self._summaries: dict[str, ShardSummary] = {}
        self._single: set[str] = set()
        self._by_source: dict[str, list[ShardSummary]] = {}
        self._by_state: dict[State, set[str]] = {}

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
        listed: dict[str, State] = {}
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
        if not self._states and len(listed) >= rollup.FEWEST:
            for summary, state in rollup.read(self.corpus):
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

    def _keep(self, name: str, state: State, summary: ShardSummary | BrokenCommitError) -> None:
        if isinstance(summary, ShardSummary):
            name = summary.shard.name  # one text for all that have it
            self._summaries[name] = summary
        self._states[name] = state

    def roll_up(self) -> None:
        """Bring the roll-up up to date, where it saves reading many commits; raises OSError."""
        if len(self._single) >= rollup.FEWEST:
            names = sorted(self._single & self._summaries.keys())
            rollup.add(self.corpus, self._entries(names), lambda: self._entries(sorted(self._summaries)))
            self._single.clear()

    def _entries(self, names: Iterable[str]) -> list[tuple[ShardSummary, State]]:
        return [(self._summaries[name], self._states[name]) for name in names]

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
