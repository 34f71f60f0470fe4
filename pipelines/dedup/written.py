"""`--write`: a corpus of the pages that are kept, shard by shard, with the commit of every corpus."""

import dataclasses
from collections.abc import Iterator

import pyarrow.parquet as pq

from pipelines.common.curation_options import mask_identity
from pipelines.dedup.inputs import Origin, Unit
from pipelines.dedup.plan import Plan
from pipelines.filter.write import derived_identity, shard_of
from transforms.corpus.commit import Corpus
from transforms.corpus.identity import CorpusIdentity
from transforms.corpus.reading import broken_data
from transforms.corpus.shard_writer import WritePlan, write_shard
from transforms.corpus.writers import OutputFormat, output_format
from transforms.curation.masks import masked_page
from transforms.model.annotations import Cluster
from transforms.model.books import NO_COST, RejectReason, Stage
from transforms.model.columns import in_order
from transforms.model.records import ShardEnd
from transforms.runtime.heartbeat import Slot

_ALONE = Cluster(None, None)


def target_of(plan: Plan) -> tuple[Corpus, OutputFormat]:
    """The corpus that is written, and the format of its files."""
    first = plan.inputs.sources[0].corpus
    name = plan.choices.format or first.format
    output = output_format(name, first.compression if name == first.format else None)
    return Corpus(f"{plan.root}/corpus", name, output.compression), output


def shard_name(origin: Origin, unit: Unit) -> str:
    """What a shard is called in the corpus that is written: two corpora may have shards of one name."""
    return f"{origin.label}-{unit.shard}"


def claim_target(plan: Plan) -> None:
    """Write the `corpus.json` of the corpus that is written, or find it; UsageError if made otherwise."""
    corpus, output = target_of(plan)
    _identity(plan, output).claim(corpus, overwrite=False)


def write_kept(plan: Plan, number: int, slot: Slot) -> None:
    """Write the pages of a shard that are kept, and commit them; the others are rows of its rejects.

    Raises DamagedCorpusError: the shard is not as it was committed; OSError: the machine failed.
    """
    unit = plan.inputs.units[number]
    origin = plan.inputs.origins[unit.origin]
    assert origin.source is not None
    summary = origin.source.committed(unit.shard)
    corpus, output = target_of(plan)
    shard = dataclasses.replace(shard_of(origin.source, summary), name=shard_name(origin, unit))
    digest, groups = _identity(plan, output).digest, _groups(plan)
    write = WritePlan(options_digest=digest, output=output, column_groups=groups)
    pages = (dataclasses.replace(page, shard=shard.name) for page in origin.source.pages(summary))
    mask = plan.choices.masks.masked
    elements = (
        page.rejected(Stage.FILTER, RejectReason.FILTERED, fate)
        if isinstance(fate, str)
        else masked_page(dataclasses.replace(page, annotations=(*page.annotations, fate)), mask)
        for page, fate in zip(pages, _fates(plan, unit), strict=True)
    )
    end = ShardEnd(shard, 0, shard.length, unit.pages, shard.length, NO_COST)
    write_shard(corpus, write, elements, end, slot)


def is_written(plan: Plan, number: int) -> bool:
    """Whether the pages of a shard that are kept are committed."""
    unit = plan.inputs.units[number]
    corpus, _ = target_of(plan)
    return corpus.committed(shard_name(plan.inputs.origins[unit.origin], unit)) is not None


def _fates(plan: Plan, unit: Unit) -> Iterator[Cluster | str]:
    """Of each page of a shard its cluster, or what it is a duplicate of."""
    columns = ["row", "cluster", "cluster_size", "kind", "kept_url"]
    path = plan.table("duplicates", unit)
    with path.open() as file, broken_data(str(path)):
        values = pq.read_table(file, columns=columns, page_checksum_verification=True)
    rows = zip(*(values.column(name).to_pylist() for name in columns), strict=True)
    fates: dict[int, Cluster | str] = {
        row: Cluster(cluster, size) if kind is None else f"{kind} duplicate of {kept}"
        for row, cluster, size, kind, kept in rows
    }
    for row in range(unit.pages):
        yield fates.get(row, _ALONE)


def _groups(plan: Plan) -> tuple[str, ...]:
    """The groups of columns of the corpus that is written: those of all."""
    own = {"cluster", "masked"} if plan.choices.masks.mask else {"cluster"}
    return in_order(own.union(*(source.groups for source in plan.inputs.sources)))


def _identity(plan: Plan, output: OutputFormat) -> CorpusIdentity:
    """Return what the corpus that is written is pinned to."""
    roots = [origin.root for origin in plan.inputs.origins]
    masked = mask_identity(plan.choices.masks.masked, (one.described for one in plan.inputs.sources))
    return derived_identity(plan.inputs.sources[0], output, _groups(plan)).with_choices(
        **masked, deduplicated_from=roots
    )
