"""The proof that the shards of a file are its sequential read.

A shard records where its first record began, and the first record at or after its end. No local test can
tell a true record from one inside the payload of another, so a shard that begins in mid-file may begin
wrongly; but if every shard begins where the one before says that the next record is, then by induction they
are the sequential read, also after damage. A shard that breaks the chain is read again from there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.model.records import Shard
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.warc.reader import chains


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
            summaries = [ledger.committed(part.name) for part in sorted(parts, key=lambda p: p.start)]
            whole = [summary for summary in summaries if summary is not None]
            if len(whole) == len(parts):
                torn += breaks(whole)
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
    return torn
