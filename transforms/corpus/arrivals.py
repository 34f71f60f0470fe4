"""Files that arrive while a job runs: which of them are whole, and which have been done.

There is no ledger of files next to the corpus: what is done is what its commits say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from transforms.corpus.commit import Corpus
from transforms.corpus.shards import shard_name
from transforms.files.storage import StoredFile
from transforms.files.stores import source_for
from transforms.model.records import Piece, Shard
from transforms.model.summaries import ShardSummary


class Arrivals:
    """Tells files that are whole from those that are still being written.

    A file is whole when two polls in a row find the same size and time of change.
    """

    def __init__(self) -> None:
        self._before: dict[str, StoredFile] = {}

    def poll(self, files: Iterable[StoredFile]) -> tuple[StoredFile, ...]:
        """Return the files of this poll that the one before found just so, in order."""
        now = {file.path: file for file in files}
        before, self._before = self._before, now
        return tuple(file for path, file in now.items() if before.get(path) == file)


class Ledger:
    """The commits of a corpus, kept in memory and brought up to date by reading only what is new."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._read: dict[str, tuple[StoredFile, ShardSummary]] = {}
        self._by_source: dict[str, dict[str, ShardSummary]] = {}
        self._by_state: dict[_State, set[str]] = {}

    def refresh(self) -> None:
        """Read the commits that have come since, forget those that are gone.

        Raises:
            OSError: the corpus cannot be read.
        """
        listed = {file.path: file for file in self._corpus.commits()}
        for path in [path for path in self._read if path not in listed]:
            self._forget(path)
        for path, file in listed.items():
            if path in self._read and self._read[path][0] == file:
                continue
            summary = self._corpus.commit_at(path)
            if path in self._read:
                self._forget(path)
            if summary is not None:
                self._read[path] = (file, summary)
                source = summary.shard.source
                self._by_source.setdefault(source, {})[path] = summary
                self._by_state.setdefault(_state(summary.shard), set()).add(source)

    def summaries(self) -> Iterable[ShardSummary]:
        """Return all commits."""
        return (summary for _, summary in self._read.values())

    def of(self, source: str) -> tuple[ShardSummary, ...]:
        """Return the commits of one input, as it is or was."""
        return tuple(self._by_source.get(source, {}).values())

    def name_before(self, file: StoredFile) -> str | None:
        """Return the name under which a file is committed whole, if it was renamed since.

        It is the same file if its size, time of change, device, inode and ends are those of a committed one,
        whose name is gone or stands for it, too.

        Raises:
            OSError: the file cannot be read.
        """
        state = (file.size, file.version)
        candidates = self._by_state.get(state, set()) - {file.path}
        mark = source_for(file.path).storage.mark(file.path) if candidates else ""
        for source in sorted(candidates) if mark else ():
            shards = [summary.shard for summary in self.of(source)]
            is_same = all((_state(shard), shard.mark) == (state, mark) for shard in shards)
            is_whole = sum(shard.length for shard in shards) == file.size
            if is_same and is_whole and _is_renamed(source, file.path):
                return source
        return None

    def _forget(self, path: str) -> None:
        _, summary = self._read.pop(path)
        source = summary.shard.source
        del self._by_source[source][path]
        if not self._by_source[source]:
            self._by_state.get(_state(summary.shard), set()).discard(source)


_State = tuple[int | None, str | None]
"""Size and version."""


def _state(shard: Shard) -> _State:
    return shard.size, shard.version


def _is_renamed(before: str, now: str) -> bool:
    """Tell whether a name is gone, or leads to the file that has another one now."""
    try:
        return Path(before).samefile(now)
    except FileNotFoundError:
        return True


def commits_of(corpus: Corpus, source: str) -> Iterator[ShardSummary]:
    """Yield the commits of one input, as it is or was; of the others only the names are looked at."""
    prefix = shard_name(source, 0, 0).rpartition("-")[0].rpartition("-")[0] + "-"
    for file in corpus.commits():
        if file.path.rpartition("/")[2].startswith(prefix):
            summary = corpus.commit_at(file.path)
            if summary is not None:
                yield summary


def compare(
    shards: Iterable[Shard], summaries: Iterable[ShardSummary]
) -> tuple[dict[Piece, ShardSummary], list[ShardSummary]]:
    """Part the commits of the inputs as they are now from those of the same inputs as they were before.

    Args:
        shards: all shards of the inputs.
        summaries: commits, whatever the names of their shards; those of other inputs are in neither part.

    Returns:
        The commits of `shards` by their pieces, and those that are stale. Of an input whose size is not known
        any commit of the whole is current.
    """
    wanted = {shard.piece: shard for shard in shards}
    sources = {shard.source for shard in wanted.values()}
    current: dict[Piece, ShardSummary] = {}
    stale: list[ShardSummary] = []
    for summary in summaries:
        done = summary.shard
        if done.source not in sources:
            continue
        shard = wanted.get(done.piece)
        if shard is None and (done.start, done.stop) == (0, done.size):
            shard = wanted.get((done.source, 0, None))
        if shard is not None and _is_as_read(shard, done):
            current[shard.piece] = summary
        else:
            stale.append(summary)
    return current, stale


def _is_as_read(shard: Shard, done: Shard) -> bool:
    """Tell whether nothing that is known of an input says that it has changed since it was read."""
    return shard.size in (None, done.size) and shard.version in (None, done.version)
