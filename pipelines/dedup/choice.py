"""Choose the kept page of each cluster, and find the pages that it stands for.

First the pages of clusters are written with the columns that decide, in parts by cluster; then each part
makes its choices.

The order of preference is total: first a page of an earlier result, with the least cluster; then the page
that `--prefer` names; then the corpus that was named first, the page that was fetched first, and its place.
So neither the number of workers nor the order of shards matters.
"""

from hashlib import blake2b

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cedar.pipelines.dedup.clusters import append_block, clusters_of
from cedar.pipelines.dedup.pages import as_uint64, read_columns, read_signatures, replaced
from cedar.pipelines.dedup.plan import DedupPlan, ShardPack, ShardRef
from cedar.transforms.curation.banding import LANES
from cedar.transforms.curation.duplicates import Words, cluster_id, similarities, spread

_GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)

COLUMNS = ("url", "source", "offset", "inner_offset")
"""The columns of a page's place."""

_PREFERENCE = ("is_new", "cluster", "prefer", "origin", "fetched_at", *COLUMNS, "page")
_BRIDGES = b"bridges"


def write_members(plan: DedupPlan, pack: int) -> None:
    """Write the pages of a pack's shards that are in clusters: a batch for each part of the clusters.

    Columns: `page` and `root` (numbers of the page, and of its cluster's least page), `is_new`, `cluster` and
    `cluster_size` (for pages of earlier results), `prefer` (less is better), `origin`, `fetched_at`, the
    page's place and its signature.
    """
    found = clusters_of(plan, plan.packs[pack])
    tables = []
    for shard in plan.packs[pack].shards:
        bounds = np.searchsorted(found[:, 0], np.array([shard.first, shard.first + shard.pages], np.uint64))
        tables.append(_members(plan, shard, found[bounds[0] : bounds[1]]))
    table = pa.concat_tables(tables).combine_chunks()
    # Roots times the golden ratio are spread evenly, so that the parts are about equally large.
    spread_out = table.column("root").to_numpy() * _GOLDEN_RATIO
    keyed = np.stack([spread_out, np.arange(len(table), dtype=np.uint64)], 1)
    with plan.work("members", pack).writing() as file, pa.ipc.new_file(file, table.schema) as writer:
        for part in spread(keyed, plan.bits):
            batches = table.take(part[:, 1]).combine_chunks().to_batches()
            writer.write_batch(batches[0] if batches else pa.RecordBatch.from_pylist([], table.schema))


def members_of(plan: DedupPlan, pack: ShardPack, part: int) -> pa.Table:
    """Read the pages of a pack that are in clusters of a part."""
    with plan.work("members", pack.number).open() as file:
        return pa.Table.from_batches([pa.ipc.open_file(file).get_batch(part)])


def _members(plan: DedupPlan, shard: ShardRef, found: Words) -> pa.Table:
    """Make the rows of a shard's pages in clusters; `found` is as `clusters_of` returns it."""
    rows = (found[:, 0] - np.uint64(shard.first)).astype(np.intp)
    columns = [*COLUMNS, "fetched_at"]
    prefer = plan.options.prefer_column
    preferred = np.zeros(len(rows))
    if shard.is_old:
        pages = read_columns(plan, shard, [*columns, "cluster", "cluster_size"]).take(rows)
        cluster, size = pages.column("cluster"), pages.column("cluster_size")
    else:
        wanted = dict.fromkeys((*columns, *(() if prefer is None else prefer[:1])))
        pages = read_columns(plan, shard, list(wanted)).take(rows)
        cluster, size = pa.nulls(len(rows), pa.string()), pa.nulls(len(rows), pa.int64())
        if prefer is not None:
            preferred = _order(pages.column(prefer[0]), greatest=prefer[1])
    signatures = read_signatures(plan, shard).take(rows)
    return pa.table(
        {
            "page": pa.array(rows.astype(np.uint64) + np.uint64(shard.first)),
            "root": pa.array(found[:, 1].copy()),
            "is_new": pa.array(np.full(len(rows), not shard.is_old).astype(np.int8)),
            "cluster": cluster,
            "cluster_size": size,
            "prefer": pa.array(preferred),
            "origin": pa.array(np.full(len(rows), shard.origin_number, np.int32)),
            "fetched_at": pages.column("fetched_at").cast(pa.int64()),
            **{name: pages.column(name) for name in COLUMNS},
            **{name: signatures.column(name) for name in signatures.column_names if name != "keys"},
        }
    ).combine_chunks()


def _order(column: pa.ChunkedArray, *, greatest: bool) -> NDArray[np.float64]:
    """Turn a column into numbers, the least for the preferred page; nulls are infinite."""
    if pa.types.is_timestamp(column.type) or pa.types.is_boolean(column.type):
        column = column.cast(pa.int64())
    values = np.asarray(pc.fill_null(column.cast(pa.float64(), safe=False), float("nan")).to_numpy())
    signed = -values if greatest else values
    return np.where(np.isnan(signed), np.inf, signed)


def write_choice(plan: DedupPlan, part: int) -> None:
    """Choose among the clusters of a part; write the kept pages, and the pages that they stand for."""
    kept: pa.Table | None = None
    twins = _Twins(plan, part)
    for pack in plan.packs:
        kept = _first_of(kept, twins.members(pack), ("root",))
    if kept is None:
        raise ValueError("there is nothing to choose among")
    chosen, pages, bridges = _chosen(plan, kept, twins)
    bounds = np.searchsorted(pages[:, 0], np.array([pack.stop for pack in plan.packs], np.uint64))
    with plan.work("kept", f"{part}.pages").writing() as file:
        append_block(file, np.split(pages, bounds[:-1]))
    table = chosen.combine_chunks().replace_schema_metadata({_BRIDGES: str(bridges).encode()})
    with plan.work("kept", part).writing() as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


class _Twins:
    """Pages that are in both an earlier result and a corpus: such a page is not a duplicate of itself.

    It is one member: the corpus's, with the result's cluster, and preferred as the result's would be
    (`is_new` 0). Of a page that only results have, the first is a member (`_firsts`).
    """

    def __init__(self, plan: DedupPlan, part: int) -> None:
        self._plan = plan
        self._part = part
        self._clusters: dict[bytes, str] = {}
        self._firsts: dict[bytes, int] = {}
        old = [pack for pack in plan.packs if pack.is_old]
        for pack in old:
            members = members_of(plan, pack, part)
            columns = (members.column(name).to_pylist() for name in ("cluster", "page"))
            for key, cluster, page in zip(_identities(members), *columns, strict=True):
                self._clusters.setdefault(key, cluster)
                self._firsts.setdefault(key, page)
        if self._clusters:
            for pack in plan.packs[len(old) :]:
                for key in _identities(members_of(plan, pack, part)):
                    self._firsts.pop(key, None)

    def members(self, pack: ShardPack) -> pa.Table:
        """Return the members of some shards in the clusters of the part."""
        members = members_of(self._plan, pack, self._part)
        if not self._clusters:
            return members
        keys = _identities(members)
        if pack.is_old:
            pages = members.column("page").to_pylist()
            first = [self._firsts.get(key) == page for key, page in zip(keys, pages, strict=True)]
            return members.filter(pa.array(first, pa.bool_()))
        is_new = pa.array([int(key not in self._clusters) for key in keys], pa.int8())
        clusters = pa.array([self._clusters.get(key) for key in keys], pa.string())
        return replaced(replaced(members, "is_new", is_new), "cluster", clusters)


def _identities(members: pa.Table) -> list[bytes]:
    """Return the identity of each page: a digest of its input, offsets and text."""
    names = ("source", "offset", "inner_offset", "text_digest")
    places = zip(*(members.column(name).to_pylist() for name in names), strict=True)
    return [
        blake2b(f"{source}\0{offset}\0{inner}\0".encode() + text, digest_size=16).digest()
        for source, offset, inner, text in places
    ]


def _chosen(plan: DedupPlan, kept: pa.Table, twins: _Twins) -> tuple[pa.Table, Words, int]:
    """Count the pages that each kept page stands for; pages unlike it form clusters of equal texts.

    Returns a table of the kept pages, with `cluster` and `cluster_size`; the pages of corpora in clusters,
    in order, each with its kept page's row of the table, uint64 (pages, 2); and the number of bridges:
    clusters of earlier results that new pages join to another such cluster.
    """
    roots = kept.column("root").to_numpy()
    new, old = np.zeros(len(kept), np.int64), np.zeros(len(kept), np.int64)
    found, unlike = [np.empty((0, 2), np.uint64)], []
    for pack in plan.packs:
        members = twins.members(pack)
        at = np.searchsorted(roots, members.column("root").to_numpy())
        if pack.is_old:
            old += np.bincount(at, minlength=len(old))
            continue
        like = stands_for(plan, kept, at, members=members)
        found.append(_pairs(members.column("page").to_numpy()[like], at[like]))
        new += np.bincount(at[like], minlength=len(new))
        if not like.all():
            unlike.append(members.filter(~like))
    bridges = int((old[(old > 1) & (new > 0)] - 1).sum())
    sizes = new + kept.column("cluster_size").fill_null(0).to_numpy()
    if unlike:
        others = pa.concat_tables(unlike)
        equal = _first_of(None, others, ("root", "text_digest"))
        keys = {key: row for row, key in enumerate(_text_keys(equal))}
        at = np.array([keys[key] for key in _text_keys(others)], np.intp)
        found.append(_pairs(others.column("page").to_numpy(), at + len(kept)))
        kept = pa.concat_tables([kept, equal])
        sizes = np.concatenate([sizes, np.bincount(at, minlength=len(equal))])
    pages = np.concatenate(found)
    pages = pages[sizes[pages[:, 1].astype(np.intp)] > 1]
    names = zip(*(kept.column(name).to_pylist() for name in ("cluster", *COLUMNS[1:])), strict=True)
    clusters = [known or cluster_id(source, offset, inner) for known, source, offset, inner in names]
    kept = replaced(replaced(kept, "cluster", pa.array(clusters)), "cluster_size", pa.array(sizes))
    return kept, pages[np.argsort(pages[:, 0])], bridges


def stands_for(
    plan: DedupPlan, kept: pa.Table, at: NDArray[np.intp], *, members: pa.Table
) -> NDArray[np.bool_]:
    """Tell whether each member's kept page, row `at` of `kept`, stands for it; `--verify` compares texts."""
    if plan.options.verify is None:
        return np.ones(len(members), bool)
    same = same_values(kept, at, members, column="text_digest")
    if "url" in plan.options.by:
        same |= same_values(kept, at, members, column="url_hash")
    return same | (similarity(kept, at, members) >= np.float32(plan.options.verify))


def same_values(kept: pa.Table, at: NDArray[np.intp], members: pa.Table, *, column: str) -> NDArray[np.bool_]:
    """Tell whether each page has the same value as its kept page."""
    return np.asarray(pc.equal(kept.column(column).take(at), members.column(column)).to_numpy())


def similarity(kept: pa.Table, at: NDArray[np.intp], members: pa.Table) -> NDArray[np.float32]:
    """Estimate the similarity of each page with its kept page; 0 if one of them has no signature."""
    theirs, ours = kept.column("minhash").take(at), members.column("minhash")
    both = np.asarray(pc.and_(theirs.is_valid(), ours.is_valid()).to_numpy())
    lanes = (
        as_uint64(minima.filter(both).to_pylist(), LANES // 2).view(np.uint32) for minima in (theirs, ours)
    )
    estimated = np.zeros(len(members), np.float32)
    estimated[both] = similarities(*lanes)
    return estimated


def bridges_of(plan: DedupPlan, part: int) -> int:
    """Read the number of bridges of a part (see `_chosen`)."""
    with plan.work("kept", part).open() as file:
        return int((pa.ipc.open_file(file).schema.metadata or {})[_BRIDGES])


def _first_of(before: pa.Table | None, more: pa.Table, keys: tuple[str, ...]) -> pa.Table:
    """Find the preferred page of each key, in the order of keys."""
    table = more if before is None else pa.concat_tables([before, more])
    order = pc.sort_indices(table, [(name, "ascending") for name in (*keys, *_PREFERENCE)])
    table = table.take(order)
    differs = np.zeros(len(table), bool)
    differs[:1] = True
    for name in keys:
        column = table.column(name).combine_chunks()
        if len(table) > 1:
            differs[1:] |= np.asarray(pc.not_equal(column[1:], column[:-1]).to_numpy(zero_copy_only=False))
    return table.filter(differs).combine_chunks()


def _text_keys(table: pa.Table) -> list[tuple[int, bytes]]:
    roots, digests = (table.column(name).to_pylist() for name in ("root", "text_digest"))
    return list(zip(roots, digests, strict=True))


def _pairs(pages: NDArray[np.uint64], rows: NDArray[np.intp]) -> Words:
    return np.stack([pages.astype(np.uint64), rows.astype(np.uint64)], axis=1)
