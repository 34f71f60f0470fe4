"""A filtered corpus: the shards of another one, page by page, with the same commit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipelines.common.errors import UsageError
from pipelines.filter.source import FilterSource
from transforms.corpus.commit import Corpus
from transforms.corpus.layout import corpus_description
from transforms.corpus.litter import staged_file
from transforms.corpus.writers import OutputFormat
from transforms.curation.curator import Curator
from transforms.curation.plan import CurationPlan
from transforms.model.books import NO_COST
from transforms.model.columns import ALL_GROUPS
from transforms.model.records import Shard, ShardEnd
from transforms.model.summaries import ShardSummary
from transforms.runtime.heartbeat import Slot
from transforms.write import WritePlan, WriteShard


@dataclass(frozen=True, slots=True)
class FilterIdentity:
    """What a filtered corpus is pinned to: the corpus that it is made of, and the rules.

    Attributes:
        choices: what its `corpus.json` says, the digest apart.
    """

    choices: Mapping[str, object]

    @property
    def digest(self) -> str:
        """BLAKE2b-128 of the canonical JSON, hex."""
        text = json.dumps(self.choices, sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def claim(self, corpus: Corpus) -> tuple[str, ...]:
        """Write `corpus.json`, or find it equal to this; returns nothing that the user should know.

        Raises:
            UsageError: the corpus was made otherwise.
            OSError: the corpus cannot be written.
        """
        storage = corpus.storage
        text = storage.read(corpus.identity_path)
        if text is None:
            content = json.dumps({**self.choices, "options_digest": self.digest}, indent=1).encode()
            with staged_file(corpus, "corpus", content) as staged:
                if storage.create_if_absent(staged, corpus.identity_path):
                    return ()
            text = storage.read(corpus.identity_path)
        there = corpus_description(text) or {}
        if there.get("options_digest") != self.digest:
            raise UsageError(
                f"{corpus.root} was made with other rules, or of another corpus: "
                "choose another --output, or --overwrite to start afresh"
            )
        return ()


@dataclass(frozen=True, slots=True)
class FilterPlan:
    """Everything that a worker needs; pickles."""

    source: FilterSource
    target: Corpus
    output: OutputFormat
    curation: CurationPlan
    options_digest: str

    @property
    def column_groups(self) -> tuple[str, ...]:
        """The groups of columns that the filtered corpus has."""
        there = {*self.source.groups, *self.curation.column_groups}
        return tuple(name for name in ALL_GROUPS if name in there)


def shard_of(source: FilterSource, summary: ShardSummary) -> Shard:
    """The shard of the filtered corpus that is made of one of the source: its file of pages, as it is now."""
    name = source.corpus.file_name("pages", summary.shard.name)
    size = summary.files[name].bytes
    path = f"{source.corpus.root}/{name}"
    return Shard(summary.shard.name, path, size, f"etag:{summary.attempt}", 0, size)


def filter_shards(plan: FilterPlan, shards: Sequence[Shard], slot: Slot) -> None:
    """Make shards of the filtered corpus, and commit them.

    Raises:
        BrokenRowsError: a file of the source is gone or broken.
        OSError: the machine failed.
    """
    curator = Curator(plan.curation)
    write = WritePlan(
        options_digest=plan.options_digest, output=plan.output, column_groups=plan.column_groups
    )
    sink = WriteShard(plan.target, write, slot)
    sink.setup()
    try:
        for shard in shards:
            _filter(plan, shard, curator, sink)
    finally:
        sink.teardown()


def _filter(plan: FilterPlan, shard: Shard, curator: Curator, sink: WriteShard) -> None:
    summary = plan.source.corpus.committed(shard.name)
    if summary is None or shard_of(plan.source, summary) != shard:
        raise OSError(f"{shard.source} has changed since the run began: run again")
    pages = 0
    sink.start_bundle()
    for page in plan.source.pages(summary):
        pages += 1
        _drain(sink.process(curator.applied(page)))
    curator.end_shard()
    end = ShardEnd(shard, 0, shard.length, pages, shard.length, NO_COST)
    _drain(sink.process(end))
    sink.finish_bundle()


def _drain(summaries: Any) -> None:
    for _ in summaries:
        pass


def identity_of(source: FilterSource, output: OutputFormat, curation: Mapping[str, Any]) -> FilterIdentity:
    """What the corpus that is made of `source` is pinned to.

    Args:
        source: the corpus that is filtered.
        output: how its files are written.
        curation: the choices of its own, by name.
    """
    gone = ("options_digest", "signatures", "full_signatures")  # signatures of the source do not come along
    choices = {name: choice for name, choice in source.described.items() if name not in gone}
    filtered = {name: choice for name, choice in curation.items() if choice not in (None, False, "", "move")}
    was = {f"source_{name}": choices.pop(name) for name in ("keep", "presets", "dropped") if name in choices}
    if output.format != source.corpus.format:
        choices |= {"format": output.format, "compression": output.compression}
    return FilterIdentity(
        {**choices, **was, **filtered, "filtered_from": str(source.described["options_digest"])}
    )


def unfinished(plan: FilterPlan, shards: Sequence[Shard]) -> tuple[list[Shard], list[Shard]]:
    """The shards that are still to be made, and those whose commit is of another state of the source."""
    left, stale = [], []
    for shard in shards:
        done = plan.target.committed(shard.name)
        if done is None:
            left.append(shard)
        elif done.shard != shard:
            stale.append(shard)
    return left, stale
