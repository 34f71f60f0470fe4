"""Corpora that are made of another corpus, shard by shard."""

from collections.abc import Sequence

from cedar.transforms.corpus.identity import UNPINNED, CorpusIdentity
from cedar.transforms.corpus.reading import CorpusReader
from cedar.transforms.corpus.writers import OutputFormat
from cedar.transforms.model.records import Shard
from cedar.transforms.model.summaries import ShardSummary


def derived_shard(source: CorpusReader, summary: ShardSummary) -> Shard:
    """Return the shard that is made of one of the source: its input is that shard's file of pages."""
    name = source.corpus.file_name("pages", summary.shard.name)
    size = summary.files["pages"].bytes
    path = f"{source.corpus.root}/{name}"
    return Shard(summary.shard.name, path, size, f"etag:{summary.attempt}", 0, size)


def derived_identity(source: CorpusReader, output: OutputFormat, groups: Sequence[str]) -> CorpusIdentity:
    """Return the choices of a derived corpus: the source's, without signatures, in its own format.

    The caller adds what it does to the rows.
    """
    # Signatures of the source do not come along.
    gone = (*UNPINNED, "signatures", "full_signatures")
    choices = {name: choice for name, choice in source.described.items() if name not in gone}
    written = {"format": output.format, "compression": output.compression, "column_groups": list(groups)}
    return CorpusIdentity({**choices, **written}, table=str(source.described.get("table", "")))
