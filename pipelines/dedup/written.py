"""`--write`: a corpus of the pages that are kept, shard by shard, with the commit of every corpus."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from pipelines.dedup.inputs import Unit
from pipelines.dedup.plan import Plan
from pipelines.dedup.target import shard_name, sources_of, target_of
from pipelines.filter.write import derived_identity, shard_of
from transforms.corpus.identity import CorpusIdentity, cedar_version
from transforms.corpus.shard_writer import WritePlan, write_shard
from transforms.corpus.writers import OutputFormat
from transforms.model.annotations import Cluster
from transforms.model.books import NO_COST, RejectReason, Stage
from transforms.model.columns import ALL_GROUPS
from transforms.model.records import ShardEnd
from transforms.runtime.heartbeat import Slot

_ALONE = Cluster(None, None)


def claim_target(plan: Plan) -> None:
    """Write the `corpus.json` of the corpus that is written, or find it.

    Raises:
        UsageError: it was made otherwise.
        OSError: it cannot be written.
    """
    corpus, output = target_of(plan)
    _identity(plan, output).claim(corpus, overwrite=False)


def write_kept(plan: Plan, unit: Unit, slot: Slot) -> None:
    """Write the pages of a shard that are kept, and commit them; the others are rows of its rejects.

    Raises:
        DamagedCorpusError: the shard is not as it was committed.
        OSError: the machine failed.
    """
    origin = plan.inputs.origins[unit.origin]
    assert origin.source is not None
    summary = origin.source.committed(unit.shard)
    corpus, output = target_of(plan)
    if corpus.committed(shard_name(origin, unit)) is not None:
        return
    shard = dataclasses.replace(shard_of(origin.source, summary), name=shard_name(origin, unit))
    digest = _identity(plan, output).digest
    write = WritePlan(
        options_digest=digest, output=output, column_groups=_groups(plan), version=cedar_version()
    )
    elements = (
        dataclasses.replace(page, shard=shard.name).rejected(Stage.FILTER, RejectReason.FILTERED, fate)
        if isinstance(fate, str)
        else dataclasses.replace(page, shard=shard.name, annotations=(*page.annotations, fate))
        for page, fate in zip(origin.source.pages(summary), _fates(plan, unit), strict=True)
    )
    end = ShardEnd(shard, 0, shard.length, unit.pages, shard.length, NO_COST)
    write_shard(corpus, write, elements, end, slot)


def _fates(plan: Plan, unit: Unit) -> Iterator[Cluster | str]:
    """Of each page of a shard its cluster, or what it is a duplicate of."""
    import pyarrow.parquet as pq

    columns = ["row", "cluster", "cluster_size", "kind", "kept_url"]
    with plan.table(unit).open("rb") as file:
        values = pq.read_table(file, columns=columns)
    rows = zip(*(values.column(name).to_pylist() for name in columns), strict=True)
    fates: dict[int, Cluster | str] = {
        row: Cluster(cluster, size) if kind is None else f"{kind} duplicate of {kept}"
        for row, cluster, size, kind, kept in rows
    }
    for row in range(unit.pages):
        yield fates.get(row, _ALONE)


def _groups(plan: Plan) -> tuple[str, ...]:
    """The groups of columns of the corpus that is written: those of all."""
    there = {"cluster", *(name for source in sources_of(plan) for name in source.groups)}
    return tuple(name for name in ALL_GROUPS if name in there)


def _identity(plan: Plan, output: OutputFormat) -> CorpusIdentity:
    """Return what the corpus that is written is pinned to."""
    roots = [origin.root for origin in plan.inputs.origins]
    return derived_identity(sources_of(plan)[0], output, _groups(plan)).with_choices(deduplicated_from=roots)
