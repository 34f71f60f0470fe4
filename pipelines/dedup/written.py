"""`--write`: a corpus of the pages that are kept, shard by shard, with the commit of every corpus."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

from pipelines.dedup.inputs import Unit
from pipelines.dedup.plan import Plan
from pipelines.dedup.target import shard_name, sources_of, target_of
from pipelines.extract.plan import claim
from pipelines.filter.write import FilterIdentity, shard_of
from pipelines.report.scan import BrokenRowsError
from transforms.corpus.writers import OutputFormat
from transforms.model.annotations import Cluster
from transforms.model.books import NO_COST, RejectReason, Stage
from transforms.model.columns import ALL_GROUPS
from transforms.model.records import ExtractedPage, Reject, ShardEnd
from transforms.runtime.heartbeat import Slot
from transforms.write import WritePlan, WriteShard

_ALONE = Cluster(None, None)


def claim_target(plan: Plan) -> None:
    """Write the `corpus.json` of the corpus that is written, or find it.

    Raises:
        UsageError: it was made otherwise.
        OSError: it cannot be written.
    """
    corpus, output = target_of(plan)
    claim(corpus, _identity(plan, output), overwrite=False)


def write_kept(plan: Plan, unit: Unit, slot: Slot) -> None:
    """Write the pages of a shard that are kept, and commit them; the others are rows of its rejects.

    Raises:
        BrokenRowsError: a file of the corpus is gone or broken.
        OSError: the machine failed.
    """
    origin = plan.inputs.origins[unit.origin]
    assert origin.source is not None
    summary = origin.source.corpus.committed(unit.shard)
    if summary is None:
        raise BrokenRowsError(f"{unit.shard}: its commit")
    corpus, output = target_of(plan)
    if corpus.committed(shard_name(origin, unit)) is not None:
        return
    shard = dataclasses.replace(shard_of(origin.source, summary), name=shard_name(origin, unit))
    digest = _identity(plan, output).digest
    write = WritePlan(options_digest=digest, output=output, column_groups=_groups(plan))
    sink = WriteShard(corpus, write, slot)
    sink.setup()
    try:
        sink.start_bundle()
        for page, fate in zip(origin.source.pages(summary), _fates(plan, unit), strict=True):
            if isinstance(fate, str):
                _drain(sink.process(_rejected(page, shard.name, fate)))
            else:
                known: tuple[NamedTuple, ...] = (*page.annotations, fate)
                _drain(sink.process(dataclasses.replace(page, shard=shard.name, annotations=known)))
        _drain(sink.process(ShardEnd(shard, 0, shard.length, unit.pages, shard.length, NO_COST)))
        sink.finish_bundle()
    finally:
        sink.teardown()


def _fates(plan: Plan, unit: Unit) -> Iterator[Cluster | str]:
    """Of each page of a shard its cluster, or what it is a duplicate of."""
    import pyarrow.parquet as pq

    columns = ["row", "cluster", "cluster_size", "kind", "kept_url"]
    values = pq.read_table(plan.table(unit), columns=columns)
    rows = zip(*(values.column(name).to_pylist() for name in columns), strict=True)
    fates: dict[int, Cluster | str] = {
        row: Cluster(cluster, size) if kind is None else f"{kind} duplicate of {kept}"
        for row, cluster, size, kind, kept in rows
    }
    for row in range(unit.pages):
        yield fates.get(row, _ALONE)


def _rejected(page: ExtractedPage, shard: str, detail: str) -> Reject:
    row = page.row
    return Reject(
        shard, row.source, row.offset, row.length, row.url, Stage.FILTER, RejectReason.FILTERED, detail
    )


def _groups(plan: Plan) -> tuple[str, ...]:
    """The groups of columns of the corpus that is written: those of all."""
    there = {"cluster", *(name for source in sources_of(plan) for name in source.groups)}
    return tuple(name for name in ALL_GROUPS if name in there)


def _identity(plan: Plan, output: OutputFormat) -> FilterIdentity:
    """What the corpus that is written is pinned to."""
    gone = ("options_digest", "signatures", "full_signatures")
    choices = {name: choice for name, choice in sources_of(plan)[0].described.items() if name not in gone}
    return FilterIdentity(
        {
            **choices,
            "format": output.format,
            "compression": output.compression,
            "column_groups": list(_groups(plan)),
            "deduplicated_from": [origin.root for origin in plan.inputs.origins],
        }
    )


def _drain(summaries: Any) -> None:
    for _ in summaries:
        pass
