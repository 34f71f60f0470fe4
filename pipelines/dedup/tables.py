"""Write the results of a shard: its duplicates, its kept pages, and its counts.

With `--write`, also write and commit its kept pages as a shard of a new corpus.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from cedar.pipelines.common.mask_options import mask_identity
from cedar.pipelines.dedup.choice import COLUMNS, members_of, same_values, similarity
from cedar.pipelines.dedup.clusters import read_share
from cedar.pipelines.dedup.lines import without_common_lines
from cedar.pipelines.dedup.options import DUPLICATE_KINDS
from cedar.pipelines.dedup.pages import read_columns, read_duplicates, read_signatures, takes_part
from cedar.pipelines.dedup.plan import DedupPlan, Origin, ShardPack, ShardRef
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import broken_data
from cedar.transforms.corpus.formats import OutputFormat, output_format
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.shard_writer import WritePlan, write_shard
from cedar.transforms.curation.duplicates import cluster_id
from cedar.transforms.curation.masks import masked_page
from cedar.transforms.model.annotations import Cluster
from cedar.transforms.model.books import RejectReason, Stage
from cedar.transforms.model.columns import Column, arrow_schema, in_order
from cedar.transforms.model.costs import NO_COST
from cedar.transforms.model.records import ExtractedPage, Reject, ShardEnd
from cedar.transforms.runtime.progress_file import WorkerSlot
from cedar.transforms.runtime.worker_progress import progress_of

_BOOKS = b"cedar.books"
_DIGEST = b"cedar.digest"
_ROWS_AT_ONCE = 1 << 20

_PLACE = (
    Column("url", "string", False, "the page's URL"),
    Column("source", "string", False, "absolute path or URI of the input"),
    Column("offset", "int64", False, "first byte of the record's member in the input"),
    Column("inner_offset", "int64", False, "byte where the record begins in the inflated member"),
)

DUPLICATE_COLUMNS = (
    Column("row", "int32", False, "number of the page in the shard's file of pages, from 0"),
    *_PLACE,
    Column("kind", "string", True, "how it is like the kept page: text, near or url; null for the kept page"),
    Column("cluster", "string", False, "name of its cluster: the same in every run that keeps the same page"),
    Column("cluster_size", "int64", False, "pages of the cluster, the kept one among them"),
    Column("keep", "bool", False, "whether it is the page that is kept"),
    Column("kept_url", "string", False, "URL of the page that is kept"),
    Column("kept_source", "string", False, "where that one is: its input"),
    Column("kept_offset", "int64", False, "its offset there"),
    Column("kept_inner_offset", "int64", False, "its offset in the inflated member"),
    Column(
        "similarity", "float32", True, "estimated Jaccard similarity with the kept page; only with --verify"
    ),
)
"""The columns of `duplicates/`."""

INDEX_COLUMNS = (
    Column("row", "int32", False, "number of the page in the shard's file of pages"),
    *_PLACE,
    Column("fetched_at", "timestamp", True, "when it was fetched, UTC"),
    Column("language", "string", True, "its language, where the result is by language"),
    Column("text_digest", "binary", False, "digest of its text"),
    Column("url_hash", "binary", False, "hash of its URL"),
    Column("keys", "binary", True, "keys of its bands"),
    Column("minhash", "binary", True, "its whole signature, where the result was verified"),
    Column("cluster", "string", False, "its cluster, or the one that it would begin"),
    Column("cluster_size", "int64", False, "pages of that cluster"),
)
"""The columns of `index/`: the pages that are kept, for later results."""


LABELS = {
    "pages": "pages",
    "alone": "without a duplicate",
    "kept": "kept of a cluster",
    "text": "same text",
    "near": "similar text",
    "url": "same URL",
    "left_out": "left out, as dropped",
}
"""The fates of pages, and their names for people; duplicates by URL have another text."""


def write_tables(plan: DedupPlan, number: int) -> None:
    """Write the tables of each shard of a pack of a corpus."""
    pack = plan.packs[number]
    pages, table = _duplicates(plan, pack)
    for shard in pack.shards:
        bounds = np.searchsorted(pages, np.array([shard.first, shard.first + shard.pages], np.uint64))
        ours = pages[bounds[0] : bounds[1]]
        rows = pa.array((ours - np.uint64(shard.first)).astype(np.int32))
        # A copy: the bytes of a slice, and so its digest, depend on where in the pack the shard is.
        found = table.take(np.arange(bounds[0], bounds[1]))
        _write_tables(plan, shard, found.set_column(0, table.schema.field(0), rows))


def _write_tables(plan: DedupPlan, shard: ShardRef, table: pa.Table) -> None:
    """Write the tables of a shard; last the table of duplicates, which marks the shard as done."""
    table = table.combine_chunks()
    is_kept = np.asarray(table.column("keep").to_numpy())
    rows = table.column("row").to_numpy()
    is_dropped = np.zeros(shard.pages, bool)
    is_dropped[rows[~is_kept]] = True
    is_compared = takes_part(plan, shard)
    index = _index_rows(plan, shard, np.nonzero(is_compared & ~is_dropped)[0], kept=table.filter(is_kept))
    kinds = table.column("kind").to_pylist()
    tally = {
        "pages": shard.pages,
        "alone": int(is_compared.sum()) - len(rows),
        "kept": int(is_kept.sum()),
        **{kind: kinds.count(kind) for kind in DUPLICATE_KINDS},
        "left_out": int((~is_compared).sum()),
    }
    for path, content, more in (
        (plan.table("index", shard), index, {}),
        (plan.table("duplicates", shard), table, {_BOOKS: json.dumps(tally).encode()}),
    ):
        digest = hashlib.sha256()
        for batch in content.to_batches():
            digest.update(batch.serialize())
        metadata = {_DIGEST: digest.hexdigest()[:32].encode(), **more}
        with path.writing() as file:
            named = content.replace_schema_metadata(metadata)
            pq.write_table(named, file, compression="zstd", write_page_checksum=True)


def tally_of(plan: DedupPlan, shard: ShardRef) -> dict[str, int]:
    """Read the counts of a shard's pages, by the names of `LABELS`, from its table."""
    path = plan.table("duplicates", shard)
    with path.open() as file, broken_data(str(path)):
        tally: dict[str, int] = json.loads(pq.read_metadata(file).metadata[_BOOKS])
        return tally


def _duplicates(plan: DedupPlan, pack: ShardPack) -> tuple[NDArray[np.uint64], pa.Table]:
    """Make the rows of `duplicates/` of a pack, in order; and their page numbers."""
    numbers, found = zip(*(_rows_of_part(plan, pack, part) for part in range(1 << plan.bits)), strict=True)
    pages = np.concatenate(numbers)
    order = np.argsort(pages)
    return pages[order], pa.concat_tables(found).combine_chunks().take(order)


def _rows_of_part(plan: DedupPlan, pack: ShardPack, part: int) -> tuple[NDArray[np.uint64], pa.Table]:
    """Make the rows of one part of the clusters; their `row` is counted from the pack's first page."""
    members = members_of(plan, pack, part)
    members = members.take(np.argsort(members.column("page").to_numpy()))
    kept_pages = plan.work("kept", f"{part}.pages")
    ours = np.concatenate(
        [
            np.empty((0, 2), np.uint64),
            *read_share(kept_pages, pack.number, len(plan.packs), words=2, max_rows=_ROWS_AT_ONCE),
        ]
    )
    members = members.take(np.searchsorted(members.column("page").to_numpy(), ours[:, 0]))
    at = ours[:, 1].astype(np.intp)
    with plan.work("kept", part).open() as file:
        kept = pa.ipc.open_file(file).read_all()
        chosen = kept.take(at).combine_chunks()
    everything = np.arange(len(at))
    is_kept = np.asarray(chosen.column("page").to_numpy()) == ours[:, 0]
    kind = np.full(len(at), "near", "<U4")
    if "url" in plan.options.by:
        same_url = same_values(chosen, everything, members, column="url_hash")
        kind[same_url] = "url"
    kind[same_values(chosen, everything, members, column="text_digest")] = "text"
    estimated = pa.nulls(len(at), pa.float32())
    if plan.options.verify is not None:
        values = np.where(kind == "text", np.float32(1), similarity(chosen, everything, members))
        estimated = pa.array(values, pa.float32(), mask=is_kept)
    columns = [
        pa.array((ours[:, 0] - np.uint64(pack.first)).astype(np.int32)),
        *(members.column(name) for name in COLUMNS),
        pa.array(kind.tolist(), pa.string(), mask=is_kept),
        chosen.column("cluster"),
        chosen.column("cluster_size"),
        pa.array(is_kept),
        *(chosen.column(name) for name in COLUMNS),
        estimated,
    ]
    return ours[:, 0], pa.table(columns, schema=arrow_schema(DUPLICATE_COLUMNS))


def _index_rows(plan: DedupPlan, shard: ShardRef, rows: NDArray[np.intp], *, kept: pa.Table) -> pa.Table:
    """Make the rows of `index/` of a shard."""
    language = ["language"] if plan.options.scope == "language" else []
    pages = read_columns(plan, shard, [*COLUMNS, "fetched_at", *language]).take(rows)
    signatures = read_signatures(plan, shard).take(rows)
    clusters = list(map(cluster_id, *(pages.column(name).to_pylist() for name in COLUMNS[1:])))
    sizes = np.ones(len(rows), np.int64)
    sizes[np.searchsorted(rows, kept.column("row").to_numpy())] = kept.column("cluster_size").to_numpy()
    columns = {
        "row": pa.array(rows.astype(np.int32)),
        "cluster": pa.array(clusters, pa.string()),
        "cluster_size": pa.array(sizes),
        **{name: table.column(name) for table in (pages, signatures) for name in table.column_names},
    }
    schema = arrow_schema(INDEX_COLUMNS)
    absent = {field.name: pa.nulls(len(rows), field.type) for field in schema}
    return pa.table([(absent | columns)[name] for name in schema.names], schema=schema)


_ALONE = Cluster(None, None)


def target_of(plan: DedupPlan) -> tuple[Corpus, OutputFormat]:
    """Return the corpus that is written, and the format of its files."""
    first = plan.inputs.readers[0].corpus
    name = plan.options.format or first.format
    output = output_format(name, first.compression if name == first.format else None)
    return Corpus(f"{plan.root}/corpus", name, output.compression, id=plan.corpus_id), output


def shard_name(origin: Origin, shard: ShardRef) -> str:
    """Name a shard of the corpus that is written: two corpora may have shards of one name."""
    return f"{origin.label}-{shard.name}"


def with_target(plan: DedupPlan) -> DedupPlan:
    """Begin the corpus that is written, or find it; raises CorpusError if it was made with other options."""
    corpus, output = target_of(plan)
    corpus, _ = _identity(plan, output).claim(corpus, overwrite=False)
    return replace(plan, corpus_id=corpus.id)


def write_kept(plan: DedupPlan, number: int, slot: WorkerSlot) -> None:
    """Write the pages of a shard that are kept, and commit them; the others are rows of its rejects.

    Raises DamagedCorpusError: the shard is not as it was committed; OSError: the machine failed.
    """
    shard = plan.inputs.shards[number]
    origin = plan.inputs.origins[shard.origin_number]
    assert origin.reader is not None
    summary = origin.reader.require_commit(shard.name)
    corpus, output = target_of(plan)
    written = replace(origin.reader.shard_of_pages(summary), name=shard_name(origin, shard))
    digest, groups = _identity(plan, output).digest, _groups_written(plan)
    write = WritePlan(options_digest=digest, output=output, column_groups=groups)
    pages = (replace(page, shard=written.name) for page in origin.reader.pages(summary))
    elements = _kept(pages, _fates(plan, shard))
    if plan.options.lines:
        elements = without_common_lines(plan, shard, elements)
    mask = plan.options.masks.masked
    masked = (page if isinstance(page, Reject) else masked_page(page, mask) for page in elements)
    end = ShardEnd(written, 0, written.length, shard.pages, written.length, NO_COST)
    with contextlib.closing(progress_of(slot)) as progress:
        write_shard(corpus, write, masked, end=end, progress=progress)


def _kept(pages: Iterable[ExtractedPage], fates: Iterable[Cluster | str]) -> Iterator[ExtractedPage | Reject]:
    """Yield pages with their clusters, and rejects of the duplicates."""
    for page, fate in zip(pages, fates, strict=True):
        if isinstance(fate, str):
            yield page.rejected(Stage.FILTER, RejectReason.FILTERED, fate)
        else:
            yield replace(page, annotations=(*page.annotations, fate))


def is_written(plan: DedupPlan, number: int) -> bool:
    """Whether the pages of a shard that are kept are committed, and the table of their lines is there."""
    shard = plan.inputs.shards[number]
    if plan.options.lines and not plan.table("lines", shard).exists():
        return False
    corpus, _ = target_of(plan)
    return corpus.commit_of(shard_name(plan.inputs.origins[shard.origin_number], shard)) is not None


def _fates(plan: DedupPlan, shard: ShardRef) -> Iterator[Cluster | str]:
    """Yield for each page of a shard its cluster, or the reason why it is dropped."""
    rows = read_duplicates(plan, shard, ("row", "cluster", "cluster_size", "kind", "kept_url"))
    fates: dict[int, Cluster | str] = {
        row: Cluster(cluster, size) if kind is None else f"{kind} duplicate of {kept}"
        for row, cluster, size, kind, kept in rows
    }
    for row in range(shard.pages):
        yield fates.get(row, _ALONE)


def _groups_written(plan: DedupPlan) -> tuple[str, ...]:
    """Return the groups of columns of the corpus that is written: the groups of all corpora, and its own."""
    own = {"cluster"}
    if plan.options.masks.mask:
        own.add("masked")
    if plan.options.lines:
        own.add("lines_removed")
    return in_order(own.union(*(reader.groups for reader in plan.inputs.readers)))


def _identity(plan: DedupPlan, output: OutputFormat) -> CorpusIdentity:
    """Return the identity of the corpus that is written."""
    roots = [origin.root for origin in plan.inputs.origins]
    masked = mask_identity(plan.options.masks.masked, (one.described for one in plan.inputs.readers))
    identity = CorpusIdentity.derived(plan.inputs.readers[0], output, _groups_written(plan)).with_choices(
        **masked, deduplicated_from=roots
    )
    if not plan.options.lines:
        return identity
    by, pages, keep = plan.options.lines_by, plan.options.lines_pages, plan.options.lines_keep
    return identity.with_choices(common_lines=f"{pages} pages of a {by}, {keep} keeps a line")
