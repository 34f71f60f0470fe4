"""`cedar filter`: what rules would drop of a corpus; or a corpus of what they leave."""

from __future__ import annotations

import functools
import json
from dataclasses import replace

from pipelines.common.curation_options import DEFAULT_MODEL, curation_identity, curation_plan, model_name
from pipelines.common.errors import UsageError
from pipelines.common.logs import LogChoice
from pipelines.common.messages import complain, counted, remark, show, show_rows
from pipelines.common.outcome import Beginning, Worked, english_presets_note, exit_code, print_outcome
from pipelines.common.url_options import url_identity, url_rules
from pipelines.filter.count import Count, count
from pipelines.filter.options import FilterOptions
from pipelines.filter.write import (
    FilterPlan,
    filter_shards,
    identity_of,
    shard_of,
    unfinished,
)
from pipelines.local.stopping import Stop
from pipelines.local.workers import LocalRun, run_local, workers_for
from pipelines.local.workspace import workspace
from transforms.corpus.commit import Corpus, revoke
from transforms.corpus.inventory import Inventory
from transforms.corpus.ledger import Ledger
from transforms.corpus.outputs import refuse_overlap
from transforms.corpus.reading import CorpusReader
from transforms.corpus.settle import Failure, record_run, refuse_unsettled, settle
from transforms.corpus.writers import output_format
from transforms.curation.plan import CurationPlan
from transforms.files.places import absolute
from transforms.files.storage import is_uri
from transforms.runtime.processes import cores
from transforms.urls.rules import UrlRules


def run(options: FilterOptions) -> int:
    """Run `cedar filter`; returns the exit code.

    Raises UsageError before anything is written; DamagedCorpusError: the corpus is not as its commits say.
    """
    source = CorpusReader.at(options.corpus)
    refuse_unsettled(source.corpus, options.corpus)
    curation = _plan(source, options)
    urls = url_rules(options.urls)
    with workspace():
        if options.dry_run:
            _print_count(count(source, curation, urls), options)
            return 0
        return _write(_filter_plan(source, curation, urls, options), options)


def _plan(source: CorpusReader, options: FilterOptions) -> CurationPlan:
    """What is to be done; says which columns are made of the texts. UsageError for a bad rule or model."""
    choices = options.curation
    if choices.language and "language" in source.groups:
        if choices.language_model != DEFAULT_MODEL:
            raise UsageError(f"{options.corpus} has its languages already: leave out --language-model")
        choices = replace(choices, language=False, language_model=None)
    choices.masks.refuse_html(options.corpus, source.groups)
    try:
        plan = curation_plan(choices, source.groups)
        model_name(choices)  # is it there?
    except ValueError as error:
        raise UsageError(str(error)) from error
    missing = {
        "signals": plan.signals and "signals" not in source.groups,
        "languages": plan.language_model is not None,
    }
    if not options.quiet:
        for note in plan.notes:
            remark(note)
        for name, is_missing in missing.items():
            if is_missing:
                masked = "masked " if source.described.get("mask") else ""
                remark(f"{options.corpus} has no {name}: they are made of its {masked}texts")
    return replace(plan, signals=missing["signals"])


def _print_count(found: Count, options: FilterOptions) -> None:
    by_rule = found.dropped.most_common()
    rows = [("pages", found.pages), ("kept", found.kept), ("dropped", found.dropped.total())]
    rows += [(f"  {rule}", number) for rule, number in by_rule]
    if options.json:
        show(json.dumps({"pages": found.pages, "kept": found.kept, "dropped": dict(by_rule)}))
    else:
        show_rows(
            [(label, f"{number:,}", f"{number / max(1, found.pages):.1%}") for label, number in rows],
            after=[f"{options.corpus}: nothing was written"],
        )
    note = english_presets_note(found.judged)
    if note:
        complain(note)


def _write(plan: FilterPlan, options: FilterOptions) -> int:
    beginning = Beginning.now()
    source = plan.source
    shards = [shard_of(source, summary) for summary in source.summaries()]
    ledger = Ledger.of(plan.target)
    left, stale = unfinished(ledger, shards)
    gone = ledger.names - {shard.name for shard in shards}
    for name in (*sorted(gone), *(shard.name for shard in stale)):
        revoke(plan.target, name)
    if gone:
        complain(f"{counted(len(gone), 'shard')} taken out: no longer in {options.corpus}")
    left += stale
    how = LocalRun(
        work=functools.partial(filter_shards, plan),
        is_done=lambda shard: plan.target.committed(shard.name) is not None,
        workers=workers_for(left, options.workers or cores()),
        log=LogChoice(options.log_level),
        quiet=options.quiet,
        may_fork=not (is_uri(plan.target.root) or is_uri(plan.source.corpus.root)),
        apart=bool(plan.curation.own),
        together=plan.curation.together > 1,
    )
    with Stop() as stop:
        failures = [Failure(failed.item, failed.message) for failed in run_local(how, left, stop)]
    settled = settle(plan.target, Inventory.of(ledger))
    worked = Worked(
        shards=shards, remaining=left, workers=how.workers, failures=failures, interrupted=stop.asked
    )
    outcome = beginning.outcome(worked, settled.summaries, is_local=True)
    record_run(plan.target, outcome)
    print_outcome(outcome, settled, plan.target, options, of_corpus=True)
    return exit_code(outcome, settled)


def _filter_plan(
    source: CorpusReader, curation: CurationPlan, urls: UrlRules, options: FilterOptions
) -> FilterPlan:
    """What the workers need; claims the corpus to be written, or raises UsageError."""
    root = absolute(str(options.output))
    refuse_overlap(root, [source.corpus.root])
    try:
        name = options.format or source.corpus.format
        output = output_format(name, source.corpus.compression if name == source.corpus.format else None)
        choices = {**curation_identity(options.curation, curation), **url_identity(options.urls, urls)}
    except ValueError as error:
        raise UsageError(str(error)) from error
    target = Corpus(root, output.format, output.compression)
    plan = FilterPlan(source, target, output, curation, urls)
    identity = identity_of(plan, choices)
    for note in identity.claim(target, overwrite=options.overwrite):
        complain(note)
    return replace(plan, options_digest=identity.digest)
