"""A filtered corpus: the shards of another one, page by page, with the same commit."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from cedar.pipelines.common.mask_options import mask_identity
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.formats import OutputFormat
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.shard_writer import WritePlan, write_shard
from cedar.transforms.curation.curator import Curator
from cedar.transforms.curation.plan import CurationPlan
from cedar.transforms.model.books import Stage
from cedar.transforms.model.columns import in_order
from cedar.transforms.model.costs import NO_COST
from cedar.transforms.model.records import ExtractedPage, Reject, Shard, ShardEnd
from cedar.transforms.runtime.progress_file import RecordPlace, WorkerSlot
from cedar.transforms.runtime.worker_progress import NullProgress, progress_of
from cedar.transforms.urls.rules import NO_URL_RULES, UrlRules


@dataclass(frozen=True, slots=True)
class FilterPlan:
    """Everything that a worker needs; pickles."""

    source: CorpusReader
    target: Corpus
    output: OutputFormat
    curation: CurationPlan
    urls: UrlRules = NO_URL_RULES
    options_digest: str = ""

    @property
    def column_groups(self) -> tuple[str, ...]:
        """The groups of columns that the filtered corpus has."""
        groups = {*self.source.groups, *self.curation.column_groups}
        return in_order(groups)

    def is_done(self, shard: Shard) -> bool:
        """Tell whether a shard is made; raise ReplacedCorpusError if a corpus is overwritten or gone."""
        self.source.corpus.refuse_replaced()
        return self.target.is_done(shard)


def filter_shards(plan: FilterPlan, shards: Sequence[Shard], slot: WorkerSlot) -> None:
    """Make shards of the filtered corpus, and commit them.

    Raises LostFilesError: a file of the source is gone or broken; OSError: the machine failed.
    """
    curator = Curator(plan.curation)
    digest, groups = plan.options_digest, plan.column_groups
    write = WritePlan(options_digest=digest, output=plan.output, column_groups=groups)
    with contextlib.closing(progress_of(slot)) as progress:
        for shard in shards:
            summary = plan.source.corpus.commit_of(shard.name)
            if summary is None or plan.source.shard_of_pages(summary) != shard:
                raise OSError(f"{shard.source} has changed since the run began: run again")
            end = ShardEnd(shard, 0, shard.length, summary.pages, shard.length, NO_COST)
            progress.open_shard(shard.name)
            pages = _wanted(plan.source.pages(summary), plan.urls, shard, progress=progress)
            batch_pages = 1 if slot.singly else plan.curation.batch_pages
            elements = _curated(pages, curator, batch_pages)
            write_shard(plan.target, write, elements, end=end, progress=progress)


def _wanted(
    pages: Iterable[ExtractedPage], urls: UrlRules, shard: Shard, *, progress: NullProgress
) -> Iterator[ExtractedPage | Reject]:
    """The pages, with rejects for those that held a worker up before, or that have other addresses."""
    for n, page in enumerate(pages):
        if (refusal := progress.refusal(RecordPlace(shard.name, n, n))) is not None:
            yield page.rejected(Stage.FILTER, refusal.reason, refusal.detail)
        elif (refusal := urls.refusal(page.row.url)) is not None:
            yield page.rejected(Stage.READ, refusal.reason, refusal.detail)
        else:
            progress.begin_record(n, n, page.row.url)
            yield page


def _curated(
    elements: Iterator[ExtractedPage | Reject], curator: Curator, batch_pages: int
) -> Iterator[ExtractedPage | Reject]:
    """Annotate and judge the pages among elements, a batch at a time."""
    while batch := list(islice(elements, batch_pages)):
        results = iter(curator.curate([page for page in batch if isinstance(page, ExtractedPage)]))
        for element in batch:
            yield next(results) if isinstance(element, ExtractedPage) else curator.masked(element)


_RULES = (
    *("keep", "presets", "dropped", "url_include", "url_exclude", "blocked", "classifiers", "own_signals"),
    *("sample", "seed", "token_counts", "decontaminated"),
)


def identity_of(plan: FilterPlan, choices: Mapping[str, Any]) -> CorpusIdentity:
    """Return what the corpus that a plan makes is pinned to."""
    own = {name: choice for name, choice in choices.items() if choice not in (None, False)}
    own |= mask_identity(plan.curation.mask, [plan.source.described])
    was = {f"source_{name}": _of_all_generations(plan.source.described, name) for name in _RULES}
    of_source = f"{plan.source.described['options_digest']}"
    return CorpusIdentity.derived(plan.source, plan.output, plan.column_groups).with_choices(
        **was, **own, filtered_from=of_source
    )


def _of_all_generations(described: Mapping[str, Any], name: str) -> object:
    """Return a choice of a corpus with the choices of the corpora that it was filtered from, oldest first."""
    before, now = described.get(f"source_{name}"), described.get(name)
    if now in (None, "", False):
        return before or now
    between = "," if name == "presets" else "; "
    # A choice that a filter does not make is still there from the corpus before.
    if before in (None, "", False) or f"{between}{before}".endswith(f"{between}{now}"):
        return before or now
    return f"{before}{between}{now}"


def unfinished(ledger: Ledger, shards: Sequence[Shard]) -> tuple[list[Shard], list[Shard]]:
    """The shards that are still to be made, and those whose commit is of another state of the source."""
    done = {shard: ledger.summary_of(shard.name) for shard in shards}
    left = [shard for shard, commit in done.items() if commit is None]
    return left, [shard for shard, commit in done.items() if commit is not None and commit.shard != shard]
