"""What changed from one corpus to another: sums, options, and pages by URL."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from pipelines.report.facts import EXTREMES, CorpusFacts, PageMark
from transforms.corpus.errors import LostFilesError
from transforms.corpus.reading import Place


@dataclass(frozen=True, slots=True)
class Change:
    """From `first` to a second corpus.

    Attributes:
        first: the first corpus.
        options: (name, before, after) of the options of `corpus.json` that differ.
        same, changed: URLs in both, with the same text and with another one.
        gone, new: URLs in the first alone, and in the second alone.
        most: pages of the second whose texts' lengths changed most, and the lengths before.
    """

    first: CorpusFacts
    options: tuple[tuple[str, str, str], ...]
    same: int
    changed: int
    gone: int
    new: int
    most: tuple[tuple[PageMark, int], ...]


def change(first: CorpusFacts, second: CorpusFacts) -> Change:
    """Compare two corpora; both were gathered with fingerprints.

    Raises:
        OSError: the second cannot be read again.
    """
    before, after = first.fingerprints, second.fingerprints
    assert before is not None
    assert after is not None
    old, old_rows = np.unique(before.urls, return_index=True)
    new, new_rows = np.unique(after.urls, return_index=True)
    both, in_old, in_new = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    old_rows, new_rows = old_rows[in_old], new_rows[in_new]
    other = before.texts[old_rows] != after.texts[new_rows]
    old_chars = before.chars[old_rows].astype(np.int64)
    moved = np.where(other, np.abs(after.chars[new_rows] - old_chars), 0)
    most = [int(row) for row in np.argsort(-moved, kind="stable")[:EXTREMES] if moved[row] > 0]
    wanted = {int(both[row]): int(old_chars[row]) for row in most}
    ignored = ("options_digest",)
    names = [name for name in {**first.reader.described, **second.reader.described} if name not in ignored]
    return Change(
        first,
        tuple(
            (name, str(first.reader.described.get(name)), str(second.reader.described.get(name)))
            for name in names
            if first.reader.described.get(name) != second.reader.described.get(name)
        ),
        same=int(np.count_nonzero(~other)),
        changed=int(np.count_nonzero(other)),
        gone=old.size - both.size,
        new=new.size - both.size,
        most=tuple(
            heapq.nlargest(EXTREMES, _found(second, wanted), key=lambda pair: abs(pair[0].value - pair[1]))
        ),
    )


def _found(facts: CorpusFacts, wanted: dict[int, int]) -> Iterator[tuple[PageMark, int]]:
    """Yield the pages whose URLs have these hashes, with the lengths that go with the hashes."""
    left = dict(wanted)
    columns = ("url", "source", "offset", "text_chars")
    for summary in facts.summaries:
        if not left:
            return
        try:
            for place, batch in facts.reader.batches(summary, "pages", columns):
                for row, url in enumerate(batch.column("url").to_pylist()):
                    key = int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "little")
                    if key in left:
                        source, offset, chars = (batch.column(name)[row].as_py() for name in columns[1:])
                        where = Place(place.shard, place.row + row)
                        yield PageMark(chars, url, source, offset, where), left.pop(key)
        except LostFilesError:
            continue  # named among what is missing
