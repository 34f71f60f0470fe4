"""What rules would drop of a corpus, counted; of its files only the columns that they need are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from transforms.corpus.reading import CorpusReader, as_lists
from transforms.curation.curator import Curator
from transforms.curation.plan import CurationPlan, columns_needed
from transforms.curation.rules import Verdict
from transforms.model.annotations import Signals
from transforms.model.summaries import ShardSummary
from transforms.urls.rules import NO_URL_RULES, UrlRules


@dataclass(slots=True)
class Count:
    """What rules make of a corpus."""

    pages: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)

    @property
    def kept(self) -> int:
        """Pages that fail no rule."""
        return self.pages - self.dropped.total()


def count(source: CorpusReader, plan: CurationPlan, urls: UrlRules = NO_URL_RULES) -> Count:
    """Count what would be kept, dropped and rejected for its address.

    Raises DamagedCorpusError where a commit is broken, or a file is not the one that was committed.
    """
    found = Count()
    # Annotations that are still to be made need the text, else columns do.
    judge = _by_texts if plan.needs_texts else _by_columns
    for summary in source.summaries():
        for verdict, language in judge(source, summary, plan, urls):
            found.pages += 1
            if verdict is not None:
                found.dropped[verdict.rule] += 1
            by_preset = plan.rules.is_of_english and (verdict is None or verdict.is_of_preset)
            if language is not None and by_preset:
                found.judged[language] += 1
    return found


Judged = Iterator[tuple[Verdict | None, str | None]]
"""Of each page what rules say of it, and its language, where that is known."""


def _by_texts(source: CorpusReader, summary: ShardSummary, plan: CurationPlan, urls: UrlRules) -> Judged:
    curator = Curator(plan)
    for page in source.pages(summary):
        if (refused := _of_address(page.row.url, urls)) is not None:
            yield refused, None
            continue
        curated = curator.curate(page.row, page.annotations)
        yield curated.verdict, curated.judged


def _of_address(url: str, urls: UrlRules) -> Verdict | None:
    refusal = urls.refusal(url)
    if refusal is None:
        return None
    rule = f"{refusal.reason.value}: {refusal.detail.partition(': ')[0]}"
    return Verdict(rule, f"{refusal.reason.value}: {refusal.detail}", is_of_preset=False)


def _by_columns(source: CorpusReader, summary: ShardSummary, plan: CurationPlan, urls: UrlRules) -> Judged:
    needs_signals = bool(plan.rules.presets)
    languages = {"language"} if needs_signals and "language" in source.groups else set[str]()
    columns = columns_needed(plan.rules).union(languages, Signals._fields if needs_signals else ())
    for _, batch in source.batches(summary, "pages", sorted({*columns, "url"})):
        lists = as_lists(batch)
        for values in zip(*lists.values(), strict=True):
            row = dict(zip(lists, values, strict=True))
            measured = Signals(*map(row.__getitem__, Signals._fields)) if needs_signals else None
            verdict = _of_address(row["url"], urls) or plan.rules.judge(row.__getitem__, measured)
            yield verdict, row["language"] if languages else None
