"""Inputs and shards that are still to be read: new, changed or renamed inputs, and shards that begin wrongly.

A shard records where its first record began, and the first record at or after its end. No local test can
tell a true record from one inside the payload of another, so a shard that begins in mid-file may begin
wrongly; but if every shard begins where the one before says that the next record is, then by induction they
are the sequential read, also after damage. A shard that breaks this chain is read again from there.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.records import Piece, Shard
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.readers.shards import shard_name
from cedar.transforms.warc.reader import chains


class DoneInputs:
    """The inputs that are done, as they were then."""

    def __init__(self) -> None:
        self._files: dict[str, StoredFile] = {}

    def add(self, file: StoredFile) -> None:
        """Note that a file is done, for as long as it is there and does not change."""
        self._files[file.path] = file

    def clear(self) -> None:
        """Forget all done inputs: commits have gone."""
        self._files.clear()

    def undone(self, found: Iterable[StoredFile]) -> list[StoredFile]:
        """Return the inputs that are not done as they are now; forget those that are gone or changed."""
        now = {file.path: file for file in found}
        self._files = {path: file for path, file in self._files.items() if now.get(path) == file}
        return [file for path, file in now.items() if path not in self._files]


class UnchangedFiles:
    """Tells which files are whole: those that two polls in a row find with one size and time of change."""

    def __init__(self) -> None:
        self._before: dict[str, StoredFile] = {}

    def poll(self, files: Iterable[StoredFile]) -> tuple[StoredFile, ...]:
        """Return the files of this poll that the one before found just so, in order."""
        now = {file.path: file for file in files}
        before, self._before = self._before, now
        return tuple(file for path, file in now.items() if before.get(path) == file)


def former_name(ledger: Ledger, file: StoredFile) -> str | None:
    """Return the name under which all of a file is committed, if it was renamed since.

    It is the same file if a committed one has its size, time of change, device, inode and ends, and the
    committed file's old name is gone, or is a link to it. Raises OSError.
    """
    state = (file.size, file.version)
    candidates = ledger.sources_in(*state) - {file.path}
    mark = source_for(file.path).storage.mark(file.path) if candidates else ""
    for source in sorted(candidates) if mark else ():
        shards = [summary.shard for summary in ledger.of_source(source)]
        is_same = all((shard.size, shard.version, shard.mark) == (*state, mark) for shard in shards)
        is_whole = sum(shard.length for shard in shards) == file.size
        if is_same and is_whole and _is_renamed(source, file.path):
            return source
    return None


def _is_renamed(before: str, now: str) -> bool:
    """Tell whether the name before is gone, or leads to the same file as the name now."""
    try:
        return Path(before).samefile(now)
    except FileNotFoundError:
        return True


def commits_of(corpus: Corpus, source: str) -> Iterator[ShardSummary]:
    """Yield the commits of one input, current or stale; only names that begin as theirs are listed."""
    # The name of a shard ends in -START-STOP.
    prefix = shard_name(source, 0, 0).rpartition("-")[0].rpartition("-")[0] + "-"
    for name, _ in corpus.commits(prefix):
        summary = None if name is None else corpus.commit_of(name)
        if summary is not None:
            yield summary


def split_stale(
    shards: Iterable[Shard], summaries: Iterable[ShardSummary]
) -> tuple[dict[Piece, ShardSummary], list[ShardSummary]]:
    """Split the commits of inputs into current ones, by piece, and stale ones, made before the input changed.

    Commits of other inputs are in neither part. Of an input whose size is not known any commit of the whole
    is current.
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
        # Size and version are as they were when it was read, as far as they are known.
        if shard is not None and shard.size in (None, done.size) and shard.version in (None, done.version):
            current[shard.piece] = summary
        else:
            stale.append(summary)
    return current, stale


def misaligned_shards(ledger: Ledger, shards: Iterable[Shard]) -> tuple[Shard, ...]:
    """Return the shards of each file that break its chain, to be read again from where they should begin.

    Read them again and ask once more, until there are none. Each round mends at least a file's first break
    for good: what precedes it is the sequential read. A file with a shard not committed is left alone.
    """
    files: dict[str, list[Shard]] = {}
    for shard in shards:
        files.setdefault(shard.source, []).append(shard)
    torn: list[Shard] = []
    for parts in files.values():
        if len(parts) > 1:
            summaries = [ledger.summary_of(part.name) for part in sorted(parts, key=lambda p: p.start)]
            committed = [summary for summary in summaries if summary is not None]
            if len(committed) == len(parts):
                torn += breaks(committed)
    return tuple(torn)


def breaks(summaries: Sequence[ShardSummary]) -> list[Shard]:
    """Return the shards of a file that do not begin where the one before says.

    A shard that breaks the chain right after another one waits: where its predecessor ends is known only
    once that has been read again. A shard in which no record begins (it lies within a long one) leaves open
    where the next one begins.
    """
    torn: list[Shard] = []
    following, is_sure = summaries[0].next_offset, True
    for summary in summaries[1:]:
        holds = chains(following, summary.first_offset, summary.next_offset)
        if is_sure and not holds:
            torn.append(replace(summary.shard, read_from=following))
        if summary.shard.stop is None or following < summary.shard.stop:
            following, is_sure = summary.next_offset, holds
        # Else the record goes on past this shard, which says nothing of where the next one begins.
    return torn
