"""The job of a run of `cedar extract`: everything is checked before anything starts.

`--plan`, which only tells what a run would read, is in `forecast`.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from cedar.pipelines.beam.beam_arguments import store_environment
from cedar.pipelines.common.curation_options import curation_identity, curation_plan
from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.metrics import check_metrics_file
from cedar.pipelines.common.shared_options import sample_identity
from cedar.pipelines.common.terminal import warn
from cedar.pipelines.common.url_options import url_identity
from cedar.pipelines.extract.forecast import forecast_of_inputs, forecast_of_manifest
from cedar.pipelines.extract.inputs import passed_over_lines, resolve_inputs, wanted_pages
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.extract.selection import resolve_captures, resolve_selection
from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.formats import OutputFormat
from cedar.transforms.corpus.identity import CorpusIdentity
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.outputs import held_output
from cedar.transforms.corpus.settle import Inventory
from cedar.transforms.corpus.shard_writer import WritePlan
from cedar.transforms.corpus.unread import split_stale
from cedar.transforms.crawls.catalogue import Listing
from cedar.transforms.curation.plan import NO_CURATION, CurationPlan
from cedar.transforms.decode.page import PageFilter
from cedar.transforms.extractors import registry
from cedar.transforms.files.http_options import RateLimits, WebConfig
from cedar.transforms.files.storage import writing
from cedar.transforms.model.books import NOTHING_FETCHED, Fetched
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.options import added_columns, shaping
from cedar.transforms.model.records import SCHEMA_VERSION, Piece, Shard
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.readers.shard_reader import ReadPlan
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.guard_limits import GuardLimits, address_space

_PARALLELISM = ("--parallelism", "--max_num_workers", "--num_workers", "--direct_num_workers")
"""Options of Beam's that say how many work at the same time."""

_NO_PROC = "--page-memory has no effect: this system has no /proc, which tells how much memory a process has"


@dataclass(frozen=True, slots=True)
class JobPlan:
    """Everything that the graph's constructors need; pickles."""

    corpus: Corpus
    read: ReadPlan
    extract: ExtractPlan
    write: WritePlan
    curation: CurationPlan = NO_CURATION
    beam_arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is ready to start: the plan for each shard, all shards, and the shards that remain.

    Attributes:
        pages_done: pages of the shards that are committed.
        inventory: the corpus as it was found; None if commits were revoked.
        notes: what the user should know of the corpus as it was found, a sentence each.
        asked: what asking the index of crawls took.
        outline: what reading crawls takes, one line each; empty if no crawl is read, or with --quiet.
    """

    plan: JobPlan
    shards: tuple[Shard, ...]
    remaining: tuple[Shard, ...]
    pages_done: int
    ledger: Ledger
    inventory: Inventory | None = None
    notes: tuple[str, ...] = ()
    listings: tuple[Listing, ...] = ()
    asked: Fetched = NOTHING_FETCHED
    outline: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _ResolvedInputs:
    """What a run is to read, resolved; `keep` writes into the corpus what its shards refer to."""

    shards: tuple[Shard, ...]
    listings: tuple[Listing, ...]
    keep: Callable[[Corpus], None]
    outline: Sequence[str] = ()
    asked: Fetched = NOTHING_FETCHED
    identity: CorpusIdentity | None = None


def _resolve_files(options: ExtractOptions, ledger: Ledger) -> _ResolvedInputs:
    inputs = resolve_inputs(options)
    outline: list[str] = []
    if not options.quiet:
        warn(*passed_over_lines(inputs.passed_over, each=options.log_level in ("info", "debug")))
        if inputs.listings:
            outline = forecast_of_inputs(options, inputs).lines
    # Of 90,000 files the inputs are a tenth of a launcher's memory: only listings of directories stay.
    kept = replace(inputs, files=())
    return _ResolvedInputs(inputs.shards(options, ledger), inputs.listings, kept.keep, outline)


def _resolve_selection(options: ExtractOptions, identity: CorpusIdentity, corpus: Corpus) -> _ResolvedInputs:
    selection = (
        resolve_selection(options, identity, corpus)
        if options.select is not None
        else resolve_captures(options, identity)
    )
    outline: list[str] = []
    if not options.quiet and selection.manifest is not None:
        outline = forecast_of_manifest(options, selection.manifest).lines
    return _ResolvedInputs(
        selection.shards,
        selection.listings,
        selection.keep,
        outline,
        asked=selection.asked,
        identity=selection.identity,
    )


@contextlib.contextmanager
def prepared(options: ExtractOptions) -> Iterator[Job]:
    """Check all that can be wrong with the user's input; hold the output, and begin or continue the corpus.

    Writes `corpus.json` if there is none, and revokes commits that are broken or stale; before that a corpus
    is not changed. Raises UsageError, CorpusError: the input or the place is wrong; BlockingIOError: another
    run is at work.
    """
    plan, identity = make_plan(options)
    with writing(plan.corpus.root, UsageError, (OSError, ValueError)):
        ledger = Ledger(plan.corpus.as_found())
    with usage_errors(OSError, ValueError):
        if not options.is_selection:
            work = _resolve_files(options, ledger)
        else:
            work = _resolve_selection(options, identity, plan.corpus)
            identity = work.identity or identity
            plan = replace(plan, write=replace(plan.write, options_digest=identity.digest))
    shards = work.shards
    with held_output(plan.corpus.root, "corpus", alone=options.overwrite) as share:
        with writing(plan.corpus.root):
            corpus, notes = identity.claim(plan.corpus, overwrite=options.overwrite)
        share()
        plan = replace(plan, corpus=corpus)
        if ledger.corpus.id != corpus.id:  # a first run, or --overwrite
            ledger = Ledger(corpus)
        with writing(plan.corpus.root, UsageError, (OSError, ValueError)):
            _refuse_changed(ledger, shards, refresh=options.refresh)
            work.keep(plan.corpus)
            inventory = Inventory.of(ledger)
            _refuse_changed(ledger, shards, refresh=options.refresh)  # other runs may have committed shards
            done, lost = _revoke_unusable(inventory, shards)
        is_guarded = registry.get(plan.extract.extractor).is_guarded
        limits = (_NO_PROC,) if is_guarded and address_space() is None else ()
        remaining = tuple(shard for shard in shards if shard.piece not in done)
        yield Job(
            plan=plan,
            # A shard that is committed keeps the name that it was committed under.
            shards=tuple(done[s.piece].shard if s.piece in done else s for s in shards),
            remaining=remaining,
            pages_done=sum(summary.pages_made for summary in done.values()),
            ledger=ledger,
            inventory=None if lost else inventory,
            notes=(*notes, *lost, *limits, *(() if options.quiet else plan.curation.notes)),
            listings=work.listings,
            asked=work.asked,
            outline=tuple(work.outline) if remaining else (),
        )


def make_plan(options: ExtractOptions, *, arriving: bool = False) -> tuple[JobPlan, CorpusIdentity]:
    """Return what the graph needs, and what the corpus is pinned to, or raise UsageError; writes nothing."""
    check_metrics_file(options.metrics_file, options.output)
    with usage_errors(OSError, ValueError):
        extract = ExtractPlan.of(
            options.extractor.name,
            dict(options.extractor.options),
            body_only=options.body_only,
            columns=added_columns(options),
            markdown=options.markdown or MarkdownOptions(),
            limits=GuardLimits(options.page_timeout, options.page_memory),
        )
        output = OutputFormat(options.format, options.compression)
        output.check()
        curation = curation_plan(options.curation, extract.column_groups)
        wanted = wanted_pages(options)
        identity = _identity(options, extract, curation, wanted=wanted)
    plan = JobPlan(
        corpus=Corpus(
            root=options.output,
            format=options.format,
            compression=options.compression,
            environment=store_environment(options.beam_arguments),
        ),
        read=ReadPlan(
            filter=wanted,
            max_body=options.max_body,
            limit=options.limit,
            passing=options.limit is None and options.reject_rows != "all",
            arriving=arriving,
            web=_shared_by_workers(options),
            choices=options.choices,
        ),
        extract=extract,
        write=WritePlan(
            options_digest=identity.digest,
            output=output,
            reject_rows=options.reject_rows,
            column_groups=(*extract.column_groups, *curation.column_groups),
            table=identity.table,
        ),
        curation=curation,
        beam_arguments=options.beam_arguments,
    )
    return plan, identity


def _identity(
    options: ExtractOptions, plan: ExtractPlan, curation: CurationPlan, *, wanted: PageFilter
) -> CorpusIdentity:
    """Return what the runs into one corpus must share, but for a selection; ValueError without a model."""
    choices = {
        "schema": SCHEMA_VERSION,
        "column_groups": [*plan.column_groups, *curation.column_groups],
        **shaping(options),
        **plan.choices,
        **{name: value for name, value in asdict(options.choices).items() if value is not None},
        **curation_identity(options.curation, curation),
        **url_identity(options.urls, wanted.urls),
        **sample_identity(options.sample, wanted.urls.sample),
    }
    return CorpusIdentity(choices, table=registry.get(plan.extractor).table)


def _shared_by_workers(options: ExtractOptions) -> WebConfig:
    """Tell how a worker fetches inputs: on a cluster, where nothing is shared, each has its part."""
    if options.is_local:
        return options.web
    given = dict(argument.partition("=")[::2] for argument in options.beam_arguments)
    parallelism = next((given[name] for name in _PARALLELISM if given.get(name, "").isdigit()), "1")
    share = max(1, int(parallelism))
    limits = options.web.limits
    shared = RateLimits(limits.requests_per_second / share, max(1, limits.connections // share))
    return replace(options.web, limits=shared)


def _refuse_changed(ledger: Ledger, shards: Sequence[Shard], *, refresh: bool) -> None:
    """Raise UsageError if inputs changed since they were read, unless the user says `refresh`."""
    if refresh:
        return
    _, stale = split_stale(shards, ledger.summaries())
    changed = {summary.shard.source for summary in stale}
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise UsageError(f"{min(changed)}{more} changed since it was read: --refresh reads it again")


def _revoke_unusable(
    inventory: Inventory, shards: Sequence[Shard]
) -> tuple[dict[Piece, ShardSummary], list[str]]:
    """Revoke stale and broken commits of `shards`; return the others, and a line for each broken one."""
    ledger, corpus = inventory.ledger, inventory.ledger.corpus
    current, stale = split_stale(shards, ledger.summaries())
    ours = {summary.shard.name for summary in current.values()}
    lost = []
    for name, fault in inventory.broken.items():
        # What is gone of other inputs is told of at the end; a commit that is broken says not whose it is.
        if name in ours or ledger.summary_of(name) is None:
            lost.append(f"{fault}: made again")
            revoke(corpus, name)
    done = {piece: one for piece, one in current.items() if one.shard.name not in inventory.broken}
    revoke(corpus, *(summary.shard.name for summary in stale))
    return done, lost
