"""What a result of `cedar dedup` says of the pages of one corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow.parquet as pq

from pipelines.common.errors import UsageError
from pipelines.dedup.inputs import read_finished
from pipelines.dedup.options import KINDS
from transforms.corpus.reading import broken_data
from transforms.files.places import absolute, relation
from transforms.files.whole import WholeFile
from transforms.model.summaries import ShardSummary


class Alike(NamedTuple):
    """A page of a cluster of `size` pages.

    `kind` is None for the page that is kept, else how it is like that; the similarity was estimated, or None.
    """

    kind: str | None
    cluster: str
    size: int
    similarity: float | None
    kept_url: str


@dataclass(frozen=True, slots=True)
class DedupResult:
    """The folder of the tables that a result of `cedar dedup` has of a corpus; None without a result."""

    folder: str | None = None

    @staticmethod
    def of(path: str | None, root: str) -> DedupResult:
        """Open the result that was named, for the corpus at a place.

        Raises UsageError: it is not a finished result over this corpus.
        """
        if path is None:
            return DedupResult()
        for origin in read_finished(path)["corpora"]:
            if relation(origin["root"], root) == "is":
                return DedupResult(f"{absolute(path)}/duplicates/{origin['label']}")
        raise UsageError(f"{path} is not of {root}: name a result of `cedar dedup` over this corpus")

    def kinds(self, shards: Iterable[ShardSummary]) -> dict[str, int] | None:
        """Count the duplicates in some shards by their kinds; None if no result was named.

        Raises LostFilesError: a table is broken; OSError: it cannot be read.
        """
        if self.folder is None:
            return None
        found = (alike.kind for of in shards for alike in self.of_shard(of.shard.name).values())
        counts = Counter(kind for kind in found if kind is not None)
        return {kind: counts[kind] for kind in KINDS if counts[kind]}

    def of_shard(self, shard: str) -> Mapping[int, Alike]:
        """Return what is known of a shard's pages, by their rows; those without duplicates are not named.

        Raises LostFilesError: a table is broken; OSError: it cannot be read.
        """
        path = WholeFile(f"{self.folder}/{shard}.parquet")
        if self.folder is None or not path.exists():
            return {}
        names = ["row", "kind", "cluster", "cluster_size", "similarity", "kept_url"]
        with path.open() as file, broken_data(str(path)):
            table = pq.read_table(file, columns=names)
        rows, *others = (table.column(name).to_pylist() for name in names)
        return {row: Alike(*values) for row, *values in zip(rows, *others, strict=True)}
