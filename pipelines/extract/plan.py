"""What a run of `cedar extract` is about to do: everything checked before anything starts."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.common.messages import complain
from pipelines.extract.identity import Identity
from pipelines.extract.options import ExtractOptions, UsageError
from transforms.corpus.arrivals import compare
from transforms.corpus.commit import Corpus, LostFilesError, publish, revoke
from transforms.corpus.inputs import find_inputs
from transforms.corpus.shards import shard_inputs
from transforms.corpus.writers import OutputFormat
from transforms.decode.page import PageFilter
from transforms.extract import ExtractPlan
from transforms.model.records import Shard
from transforms.model.summaries import ShardSummary
from transforms.read import ReadPlan
from transforms.runtime.guard_limits import GuardLimits


@dataclass(frozen=True, slots=True)
class JobPlan:
    """Everything that the graph's constructors need; pickles."""

    corpus: Corpus
    output: OutputFormat
    read: ReadPlan
    extract: ExtractPlan
    options_digest: str
    reject_rows: str
    beam_arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is ready to start: its plan, all its shards, and those that are still to be done."""

    plan: JobPlan
    shards: tuple[Shard, ...]
    remaining: tuple[Shard, ...]
    pages_done: int


def prepare(options: ExtractOptions) -> Job:
    """Check everything that can be wrong with the user's input; writes `corpus.json`.

    Raises:
        UsageError: something is wrong; nothing was started.
    """
    plan, identity = make_plan(options)
    try:
        inputs = find_inputs(
            options.inputs, prefix=options.prefix, lines=options.slice, exclude=options.output
        )
        shards = shard_inputs(inputs.files, options.split_size)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    if not options.quiet:
        for link in inputs.dead_links:
            complain(f"passed over {link}: the link leads nowhere")
    claim(plan.corpus, identity, overwrite=options.overwrite)
    try:
        done = _done(plan.corpus, shards, refresh=options.refresh)
    except (OSError, ValueError) as fault:
        raise UsageError(f"cannot write the corpus {options.output}: {fault}") from fault
    remaining = tuple(s for s in shards if s.name not in done)
    return Job(plan, shards, remaining, sum(summary.pages for summary in done.values()))


def make_plan(options: ExtractOptions, *, arriving: bool = False) -> tuple[JobPlan, Identity]:
    """What the graph needs, and what the corpus is pinned to; looks at no input and writes nothing.

    Args:
        options: what was asked for.
        arriving: inputs may change while the job runs.

    Raises:
        UsageError: a choice is unknown, or a value is not allowed.
    """
    try:
        extract = ExtractPlan.of(
            options.extractor,
            dict(options.extractor_options),
            with_html=options.with_html,
            limits=GuardLimits(options.page_timeout, options.page_memory),
            caps=options.caps,
        )
        output = OutputFormat(options.format, options.compression)
        output.check()
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    identity = Identity.of(options, extract)
    plan = JobPlan(
        corpus=Corpus(options.output, options.format),
        output=output,
        read=ReadPlan(
            filter=PageFilter(
                record_types=frozenset(options.record_types),
                statuses=options.statuses,
                url_include=re.compile(options.url_include) if options.url_include else None,
                url_exclude=re.compile(options.url_exclude) if options.url_exclude else None,
                caps=options.caps,
            ),
            limit=options.limit,
            arriving=arriving,
        ),
        extract=extract,
        options_digest=identity.digest,
        reject_rows=options.reject_rows,
        beam_arguments=options.beam_arguments,
    )
    return plan, identity


def claim(corpus: Corpus, identity: Identity, *, overwrite: bool) -> None:
    """Make sure that the corpus can be written and is of this identity; writes `corpus.json`.

    Args:
        corpus: where the output goes.
        identity: what it is pinned to.
        overwrite: delete what is there.

    Raises:
        UsageError: it cannot be written, or was made with other options.
    """
    try:
        _check_output(corpus)
        if overwrite:
            _clear(corpus)
        identity.claim(corpus)
    except (OSError, ValueError) as fault:
        raise UsageError(f"cannot write the corpus {corpus.root}: {fault}") from fault


def _check_output(corpus: Corpus) -> None:
    """Find out whether the corpus can be written, and whether the place is free or a corpus."""
    storage = corpus.storage
    if storage.read(corpus.identity_path) is None:
        for kind in ("pages", "rejects", "shards"):
            if any(True for _ in storage.list(f"{corpus.root}/{kind}")):
                raise UsageError(f"{corpus.root} holds {kind}/ but no corpus.json: choose another --output")
    probe = f"{corpus.root}/_tmp/probe.{uuid.uuid4().hex}"
    storage.create(probe).close()
    storage.create_if_absent(probe, f"{probe}.linked")
    storage.delete(f"{probe}.linked")


def _clear(corpus: Corpus) -> None:
    """Delete a corpus: commits first, `corpus.json` last, so that a cut leaves nothing half true."""
    storage = corpus.storage
    for part in ("shards", "pages", "rejects", "runs", "_tmp"):
        for file in list(storage.list(f"{corpus.root}/{part}")):
            storage.delete(file.path)
    storage.delete(corpus.books_path)
    storage.delete(corpus.identity_path)


def _done(corpus: Corpus, shards: Sequence[Shard], *, refresh: bool) -> dict[str, ShardSummary]:
    """The shards that are committed and whole; those of inputs that changed are revoked or refused.

    Raises:
        UsageError: an input has changed, and `refresh` is off.
    """
    current, stale = compare(shards, corpus.summaries())
    done = {}
    for summary in current:
        try:
            publish(corpus, summary)
        except LostFilesError:
            revoke(corpus, summary.shard.name)
        else:
            done[summary.shard.name] = summary
    changed: dict[str, list[str]] = {}
    for summary in stale:
        changed.setdefault(summary.shard.source, []).append(summary.shard.name)
    if changed and not refresh:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise UsageError(f"{min(changed)}{more} changed since it was read: --refresh reads it again")
    for names in changed.values():
        for name in names:
            revoke(corpus, name)
    return done
