"""Read a finished result of `cedar dedup` for the pages of one corpus."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow.parquet as pq

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.dedup.options import DUPLICATE_KINDS
from cedar.pipelines.dedup.plan import read_finished
from cedar.transforms.corpus.corpus_reader import broken_data
from cedar.transforms.files.places import absolute, relation
from cedar.transforms.files.stores import source_for
from cedar.transforms.model.summaries import ShardSummary


class ClusterPage(NamedTuple):
    """A page of a cluster of duplicates.

    Attributes:
        kind: how it is like the kept page: text, near or url; None for the kept page.
        size: pages of the cluster.
        similarity: estimated Jaccard similarity with the kept page, if the result was verified.
    """

    kind: str | None
    cluster: str
    size: int
    similarity: float | None
    kept_url: str


@dataclass(frozen=True, slots=True)
class DedupResult:
    """The tables of one corpus in a result of `cedar dedup`; `folder` is None without a result."""

    folder: str | None = None

    @staticmethod
    def of(path: str | None, root: str) -> "DedupResult":
        """Open the result at `path` for the corpus at `root`.

        Raises UsageError if it is not a finished result over this corpus.
        """
        if path is None:
            return DedupResult()
        for origin in read_finished(path)["corpora"]:
            if relation(origin["root"], root) == "is":
                return DedupResult(f"{absolute(path)}/duplicates/{origin['label']}")
        raise UsageError(f"{path} is not for {root}: name a result of `cedar dedup` over this corpus")

    def count_kinds(self, shards: Iterable[ShardSummary]) -> dict[str, int] | None:
        """Count the duplicates in some shards by kind; return None without a result.

        Raises LostFilesError if a table is broken; OSError.
        """
        if self.folder is None:
            return None
        found = (page.kind for shard in shards for page in self.pages_of(shard.shard.name).values())
        counts = Counter(kind for kind in found if kind is not None)
        return {kind: counts[kind] for kind in DUPLICATE_KINDS if counts[kind]}

    def pages_of(self, shard: str) -> Mapping[int, ClusterPage]:
        """Return the pages of a shard that are in clusters, by their rows.

        Raises LostFilesError if the table is broken; OSError.
        """
        path = source_for(f"{self.folder}/{shard}.parquet")
        if self.folder is None or not path.exists():
            return {}
        names = ["row", "kind", "cluster", "cluster_size", "similarity", "kept_url"]
        with path.open() as file, broken_data(str(path)):
            table = pq.read_table(file, columns=names, page_checksum_verification=True)
            rows, *others = (table.column(name).to_pylist() for name in names)
        return {row: ClusterPage(*values) for row, *values in zip(rows, *others, strict=True)}
