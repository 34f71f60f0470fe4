"""The pages of clusters, parted by cluster: what decides which of them is kept."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipelines.dedup.clusters import clusters_of
from pipelines.dedup.inputs import Pack, Unit
from pipelines.dedup.pages import read_columns, read_signatures
from pipelines.dedup.plan import Plan
from transforms.curation.duplicates import Words, spread

_GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)

COLUMNS = ("url", "source", "offset", "inner_offset")
"""What says where a page is."""


def write_members(plan: Plan, pack: int) -> None:
    """Write the pages of a pack's shards that are in clusters: a batch for each part of the clusters.

    Columns: `page` and `root` (numbers of the page, and of the least one of its cluster), `is_new`, `cluster`
    and `cluster_size` (of pages of earlier results), `prefer` (less is better), `origin`, `fetched_at`, where
    it is, and its signature.
    """
    found = clusters_of(plan, plan.packs[pack])
    tables = []
    for unit in plan.packs[pack].units:
        bounds = np.searchsorted(found[:, 0], np.array([unit.first, unit.first + unit.pages], np.uint64))
        tables.append(_members(plan, unit, found[bounds[0] : bounds[1]]))
    table = pa.concat_tables(tables).combine_chunks()
    # By a number that is spread out, so that the parts are about as large.
    spread_out = table.column("root").to_numpy() * _GOLDEN_RATIO
    keyed = np.stack([spread_out, np.arange(len(table), dtype=np.uint64)], 1)
    with (
        plan.work("members", pack).writing() as file,
        pa.ipc.new_file(file, table.schema) as writer,
    ):
        for part in spread(keyed, plan.bits):
            batches = table.take(part[:, 1]).combine_chunks().to_batches()
            writer.write_batch(batches[0] if batches else pa.RecordBatch.from_pylist([], table.schema))


def members_of(plan: Plan, pack: Pack, part: int) -> pa.Table:
    """The pages of some shards that are in clusters of a part."""
    with plan.work("members", pack.number).open() as file:
        return pa.Table.from_batches([pa.ipc.open_file(file).get_batch(part)])


def _members(plan: Plan, unit: Unit, found: Words) -> pa.Table:
    """The pages of a shard that are in a cluster with others, as `clusters_of` has them."""
    rows = (found[:, 0] - np.uint64(unit.first)).astype(np.intp)
    columns = [*COLUMNS, "fetched_at"]
    prefer = plan.choices.prefer_column
    preferred = np.zeros(len(rows))
    if unit.is_old:
        pages = read_columns(plan, unit, [*columns, "cluster", "cluster_size"]).take(rows)
        cluster, size = pages.column("cluster"), pages.column("cluster_size")
    else:
        wanted = dict.fromkeys((*columns, *(() if prefer is None else prefer[:1])))
        pages = read_columns(plan, unit, list(wanted)).take(rows)
        cluster, size = pa.nulls(len(rows), pa.string()), pa.nulls(len(rows), pa.int64())
        if prefer is not None:
            preferred = _order(pages.column(prefer[0]), greatest=prefer[1])
    signatures = read_signatures(plan, unit).take(rows)
    return pa.table(
        {
            "page": pa.array(rows.astype(np.uint64) + np.uint64(unit.first)),
            "root": pa.array(found[:, 1].copy()),
            "is_new": pa.array(np.full(len(rows), not unit.is_old).astype(np.int8)),
            "cluster": cluster,
            "cluster_size": size,
            "prefer": pa.array(preferred),
            "origin": pa.array(np.full(len(rows), unit.origin, np.int32)),
            "fetched_at": pages.column("fetched_at").cast(pa.int64()),
            **{name: pages.column(name) for name in COLUMNS},
            **{name: signatures.column(name) for name in signatures.column_names if name != "keys"},
        }
    ).combine_chunks()


def _order(column: pa.ChunkedArray, *, greatest: bool) -> NDArray[np.float64]:
    """Numbers of which the least belongs to the page that is preferred; nulls come last."""
    if pa.types.is_timestamp(column.type) or pa.types.is_boolean(column.type):
        column = column.cast(pa.int64())
    values = np.asarray(pc.fill_null(column.cast(pa.float64(), safe=False), float("nan")).to_numpy())
    signed = -values if greatest else values
    return np.where(np.isnan(signed), np.inf, signed)
