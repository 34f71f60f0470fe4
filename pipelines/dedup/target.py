"""The corpus that `--write` makes: where it is, its format, and what its shards are called. No Beam."""

from __future__ import annotations

from pipelines.dedup.inputs import Origin, Unit
from pipelines.dedup.plan import Plan
from transforms.corpus.commit import Corpus
from transforms.corpus.reading import CorpusReader
from transforms.corpus.writers import OutputFormat, output_format


def target_of(plan: Plan) -> tuple[Corpus, OutputFormat]:
    """The corpus that is written, and the format of its files."""
    first = sources_of(plan)[0].corpus
    name = plan.choices.format or first.format
    output = output_format(name, first.compression if name == first.format else None)
    return Corpus(f"{plan.root}/corpus", name, output.compression), output


def shard_name(origin: Origin, unit: Unit) -> str:
    """What a shard is called in the corpus that is written: two corpora may have shards of one name."""
    return f"{origin.label}-{unit.shard}"


def sources_of(plan: Plan) -> list[CorpusReader]:
    """Return the corpora whose pages are written: those that are not earlier results."""
    return [origin.source for origin in plan.inputs.origins if origin.source is not None]
