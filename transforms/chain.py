"""The chain of a file's shards: the proof that together they are the sequential read.

A shard records where its first record began, and the first record at or after its end. No local test can
tell a true record from one inside the payload of another, so a shard that begins in mid-file may begin
wrongly; but if every shard begins where the one before says that the next record is, then by induction they
are the sequential read, also after damage. A shard that breaks the chain is read again from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from transforms.commit import Corpus
from transforms.records import Shard
from transforms.summaries import ShardSummary
from transforms.warc.reader import chains


def torn_shards(corpus: Corpus, shards: Iterable[Shard]) -> tuple[Shard, ...]:
    """The first shard of each file that breaks its chain, to be read again from where it should begin.

    Args:
        corpus: where the shards' commits are.
        shards: all shards of the files in question. A file with a shard that is not committed is left alone.
    """
    files: dict[str, list[Shard]] = {}
    for shard in shards:
        files.setdefault(shard.source, []).append(shard)
    torn = []
    for parts in files.values():
        if len(parts) > 1:
            summaries = [corpus.committed(part.name) for part in sorted(parts, key=lambda p: p.start)]
            whole = [summary for summary in summaries if summary is not None]
            if len(whole) == len(parts) and (found := first_break(whole)) is not None:
                torn.append(found)
    return tuple(torn)


def first_break(summaries: Sequence[ShardSummary]) -> Shard | None:
    """The first shard of a file that does not begin where the one before says; None if the chain holds.

    Args:
        summaries: of all shards of the file, in order.
    """
    following = summaries[0].next_offset
    for summary in summaries[1:]:
        if not chains(following, summary.first_offset, summary.next_offset):
            return replace(summary.shard, read_from=following)
        following = summary.next_offset
    return None
