"""The roll-up: copies of many commits in few files, so that a corpus of many shards is soon read.

Each copy names the size and the version of the commit that it is of. A listing of the commits tells whether
that still is so: a copy that is missing, damaged or of an older state means that the commit itself is read.
"""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import Callable, Iterator, Sequence

import zstandard

from transforms.corpus.commit import Corpus
from transforms.corpus.litter import keep_file
from transforms.corpus.writers import read_lines
from transforms.model.summaries import ShardSummary

State = tuple[int | None, str | None]
"""Size and version of a file, as a listing has them."""

FEWEST = 64
"""Commits that are worth a file of their copies."""

_MOST = 10_000
"""Commits of a file, at most."""

_MOST_SMALL = 32
"""Files that are not full, at most: with more of them all are written again."""

_Entries = Sequence[tuple[ShardSummary, State]]


def read(corpus: Corpus) -> Iterator[tuple[ShardSummary, State]]:
    """Yield the copies of commits; of a file that is damaged, those before the damage. Raises OSError."""
    for file in corpus.storage.list(f"{corpus.root}/rollup"):
        packed = corpus.storage.read(file.path)
        if packed is None or not file.path.endswith(".jsonl.zst"):
            continue
        try:
            for line in read_lines(io.BytesIO(packed)):
                yield ShardSummary.from_fields(line["commit"]), (line["size"], line["version"])
        except (ValueError, LookupError, TypeError, EOFError, RecursionError, zstandard.ZstdError):
            continue


def add(corpus: Corpus, entries: _Entries, all_entries: Callable[[], _Entries]) -> None:
    """Write copies of commits; those of all, in place of what is there, where there are many small files.

    Raises OSError.
    """
    there = [file.path for file in corpus.storage.list(f"{corpus.root}/rollup")]
    before: list[str] = []
    if len(there) >= _MOST_SMALL and len(there) >= _MOST_SMALL + len(every := all_entries()) // _MOST:
        entries, before = every, there
    for first in range(0, len(entries), _MOST):
        lines = (
            json.dumps({"size": size, "version": version, "commit": summary.fields()})
            for summary, (size, version) in entries[first : first + _MOST]
        )
        packed = zstandard.ZstdCompressor(write_checksum=True).compress("\n".join(lines).encode())
        keep_file(corpus, f"rollup/{uuid.uuid4().hex}.jsonl.zst", packed)
    if before:
        corpus.storage.delete(*before)
