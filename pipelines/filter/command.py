"""`cedar filter`: the pages of a corpus that rules would drop, counted; or a corpus of the others.

To count, only the columns that the rules need are read.
"""

import functools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from cedar.pipelines.common.curation_options import DEFAULT_MODEL, curation_identity, curation_plan
from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.logs import LogOptions
from cedar.pipelines.common.metrics import MetricsFile, check_metrics_file
from cedar.pipelines.common.outcome import RunStart, ShardResults, close_run, english_presets_note
from cedar.pipelines.common.shared_options import sample_identity
from cedar.pipelines.common.terminal import info, plural, print_out, show_rows, warn
from cedar.pipelines.common.url_options import url_identity, url_rules
from cedar.pipelines.filter.options import FilterOptions
from cedar.pipelines.filter.write import FilterPlan, filter_shards, identity_of, unfinished
from cedar.pipelines.local.stopping import StopRequest
from cedar.pipelines.local.supervisor import LocalRun, run_local, workers_for
from cedar.pipelines.local.workspace import workspace
from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader, as_lists
from cedar.transforms.corpus.formats import output_format
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.outputs import held_output, refuse_overlap
from cedar.transforms.corpus.settle import Failure, Inventory, refuse_unsettled
from cedar.transforms.curation.curator import Curator
from cedar.transforms.curation.decontamination import (
    Benchmarks,
    benchmark_file,
    gather_benchmarks,
    without_common,
)
from cedar.transforms.curation.plan import CurationPlan, columns_needed
from cedar.transforms.curation.rules import RuleFailure
from cedar.transforms.files.places import absolute
from cedar.transforms.files.storage import is_uri, writing
from cedar.transforms.model.annotations import Signals
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.records import Shard
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.runtime.processes import cores
from cedar.transforms.urls.rules import NO_URL_RULES, UrlRules
from cedar.transforms.urls.sample import sample_of


def run(options: FilterOptions) -> int:
    """Run `cedar filter`; returns the exit code.

    Raises UsageError before anything is written; DamagedCorpusError: the corpus is not as its commits say.
    """
    source = CorpusReader.at(options.corpus)
    refuse_unsettled(source.corpus, options.corpus)
    curation = _plan(source, options)
    urls = url_rules(options.urls)
    if options.sample is not None:
        urls = replace(urls, sample=sample_of(options.sample, options.seed, source.values("url")))
    with workspace() as folder:
        if options.decontaminate:
            curation = replace(curation, benchmarks=_benchmarks(source, options, folder))
        if options.dry_run:
            _print_count(count(source, curation, urls), options)
            return 0
        check_metrics_file(options.metrics_file, absolute(str(options.output)))
        plan, identity = _filter_plan(source, curation, urls, options=options)
        shards = [source.shard_of_pages(summary) for summary in source.summaries()]
        with held_output(plan.target.root, "corpus", alone=options.overwrite) as share:
            with writing(plan.target.root):
                target, notes = identity.claim(plan.target, overwrite=options.overwrite)
            share()
            warn(*notes)
            return _write(replace(plan, target=target), shards, options)


def _plan(source: CorpusReader, options: FilterOptions) -> CurationPlan:
    """What is to be done; says which columns are made of the texts. UsageError for a bad rule or model."""
    choices = options.curation
    if choices.language and "language" in source.groups:
        if choices.language_model != DEFAULT_MODEL:
            raise UsageError(f"{options.corpus} has its languages already: leave out --language-model")
        choices = replace(choices, language=False, language_model=None)
    choices.masks.refuse_html(options.corpus, source.groups)
    choices.masks.refuse_other_style([source.described])
    with usage_errors(ValueError):
        plan = curation_plan(choices, source.groups, source.described.get("language_model"))
        curation_identity(choices, plan)  # is its model there?
    missing = {
        "signals": plan.signals and "signals" not in source.groups,
        "languages": plan.language_model is not None,
    }
    if not options.quiet:
        info(*plan.notes)
        for name, is_missing in missing.items():
            if is_missing:
                masked = "masked " if source.described.get("mask") else ""
                info(f"{options.corpus} has no {name}: they are made of its {masked}texts")
    return replace(plan, signals=missing["signals"])


def _benchmarks(source: CorpusReader, options: FilterOptions, folder: Path) -> Benchmarks:
    """Gather the passages of benchmarks; UsageError if one cannot be read."""
    with usage_errors(ValueError):
        files = [benchmark_file(text) for text in options.decontaminate]
        benchmarks = gather_benchmarks(files, options.decontaminate_words, folder)
    if benchmarks.short and not options.quiet:
        short = plural(benchmarks.short, "passage")
        info(f"not looked for: {short} of fewer than {benchmarks.words} words")
    if options.decontaminate_common is None:
        return benchmarks
    return without_common(benchmarks, source.values("text"), options.decontaminate_common)


def _print_count(found: "Count", options: FilterOptions) -> None:
    by_rule = found.dropped.most_common()
    rows = [("pages", found.pages), ("kept", found.kept), ("dropped", found.dropped.total())]
    rows += [(f"  {rule}", number) for rule, number in by_rule]
    if options.json:
        figures = {"pages": found.pages, "kept": found.kept, "dropped": dict(by_rule)}
        if options.sample is not None:
            figures["sampled_out"] = found.sampled_out
        print_out(json.dumps(figures))
    else:
        table = [(label, f"{number:,}", f"{number / max(1, found.pages):.1%}") for label, number in rows]
        if options.sample is not None:
            table.append(("outside --sample", f"{found.sampled_out:,}", ""))
        show_rows(
            table,
            after=[f"{options.corpus}: nothing was written"],
        )
    warn(english_presets_note(found.judged))


def _write(plan: FilterPlan, shards: list[Shard], options: FilterOptions) -> int:
    beginning = RunStart.now()
    ledger = Ledger.of(plan.target)
    left, stale = unfinished(ledger, shards)
    gone = ledger.names - {shard.name for shard in shards}
    revoke(plan.target, *sorted(gone), *(shard.name for shard in stale))
    if gone:
        warn(f"{plural(len(gone), 'shard')} taken out: no longer in {options.corpus}")
    left += stale
    how = LocalRun(
        work=functools.partial(filter_shards, plan),
        is_done=plan.is_done,
        workers=workers_for(left, options.workers or cores()),
        log=LogOptions(options.log_level, options.log_format),
        metrics=MetricsFile(options.metrics_file),
        quiet=options.quiet,
        may_fork=not (is_uri(plan.target.root) or is_uri(plan.source.corpus.root)),
        isolated=bool(plan.curation.own),
        batches_pages=True,
    )
    with StopRequest() as stop:
        result = run_local(how, left, stop)
    results = ShardResults(
        shards=shards,
        remaining=left,
        workers=how.workers,
        failures=[Failure(*failed) for failed in result.failures],
        restarts=result.restarts,
        interrupted=stop.asked,
    )
    inventory = Inventory.of(ledger)
    return close_run(
        plan.target,
        beginning,
        results,
        options=options,
        inventory=inventory,
        metrics=MetricsFile(options.metrics_file),
        of_corpus=True,
    )


def _filter_plan(
    source: CorpusReader, curation: CurationPlan, urls: UrlRules, *, options: FilterOptions
) -> tuple[FilterPlan, CorpusIdentity]:
    """Return what the workers need, and what the corpus to be written is pinned to; raises UsageError."""
    root = absolute(str(options.output))
    refuse_overlap(root, [source.corpus.root])
    with usage_errors(ValueError):
        name = options.format or source.corpus.format
        output = output_format(name, source.corpus.compression if name == source.corpus.format else None)
        choices = {
            **curation_identity(options.curation, curation),
            **url_identity(options.urls, urls),
            **sample_identity(options.sample, urls.sample),
        }
    target = Corpus(root, output.format, output.compression)
    plan = FilterPlan(source, target, output, curation, urls)
    identity = identity_of(plan, choices)
    return replace(plan, options_digest=identity.digest), identity


@dataclass(slots=True)
class Count:
    """What rules make of a corpus, or of a sample of it; `sampled_out` pages are outside of the sample."""

    pages: int = 0
    sampled_out: int = 0
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
    find_failures = _failures_by_texts if plan.needs_texts else _failures_by_columns
    for summary in source.summaries():
        for failure, language in find_failures(source, summary, plan, urls=urls):
            if failure is not None and failure.rule == RejectReason.SAMPLE:
                found.sampled_out += 1
                continue
            found.pages += 1
            if failure is not None:
                found.dropped[failure.rule] += 1
            by_preset = plan.rules.is_of_english and (failure is None or failure.is_of_preset)
            if language is not None and by_preset:
                found.judged[language] += 1
    return found


_Failures = Iterator[tuple[RuleFailure | None, str | None]]
"""The rule that each page fails, if any, and its language, if it is known."""


def _failures_by_texts(
    source: CorpusReader, summary: ShardSummary, plan: CurationPlan, *, urls: UrlRules
) -> _Failures:
    curator = Curator(plan)
    for page in source.pages(summary):
        if (refused := _of_address(page.row.url, urls)) is not None:
            yield refused, None
            continue
        (curated,) = curator.annotate([page])
        if curated.error is not None:
            yield _refused(curated.error), None
        else:
            yield curated.failure, curator.presets_language(curated)


def _of_address(url: str, urls: UrlRules) -> RuleFailure | None:
    refusal = urls.refusal(url)
    return None if refusal is None else _refused(refusal)


def _refused(refusal: RejectedError) -> RuleFailure:
    """Return the failure by which a reject is counted."""
    rule = ": ".join(filter(None, (refusal.reason.value, refusal.detail.partition(": ")[0])))
    return RuleFailure(rule, str(refusal), is_of_preset=False)


def _failures_by_columns(
    source: CorpusReader, summary: ShardSummary, plan: CurationPlan, *, urls: UrlRules
) -> _Failures:
    needs_signals = bool(plan.rules.presets)
    languages = {"language"} if needs_signals and "language" in source.groups else set[str]()
    columns = columns_needed(plan.rules).union(languages, Signals._fields if needs_signals else ())
    for _, batch in source.batches(summary, "pages", sorted({*columns, "url"})):
        lists = as_lists(batch)
        for values in zip(*lists.values(), strict=True):
            row = dict(zip(lists, values, strict=True))
            measured = Signals(*map(row.__getitem__, Signals._fields)) if needs_signals else None
            failure = _of_address(row["url"], urls) or plan.rules.first_failure(row.__getitem__, measured)
            yield failure, row["language"] if languages else None
