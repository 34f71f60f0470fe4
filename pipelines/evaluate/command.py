"""`cedar evaluate`: gold pages in, scores out.

Every process scores its share of each set's pages; the launcher makes one set of results of what they kept.
With `--structure` the structure of Markdown is measured, against gold that is Markdown.
"""

import functools
import json
import pickle
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from cedar.pipelines.common.errors import UsageError, of_user
from cedar.pipelines.common.messages import complain, show, show_rows
from cedar.pipelines.drawing.pages import refuse_foreign
from cedar.pipelines.evaluate.options import PEERS, EvaluateOptions, expanded
from cedar.pipelines.evaluate.results import (
    Evaluation,
    directory_of_pages,
    evaluation_json,
    print_evaluation,
    rounded,
    write_page,
    write_results,
)
from cedar.pipelines.local.stopping import Stop
from cedar.pipelines.local.workers import LocalRun, run_local
from cedar.pipelines.local.workspace import workspace
from cedar.transforms.corpus.outputs import refuse_overwriting
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.files.local import whole_file
from cedar.transforms.files.storage import writing
from cedar.transforms.model.texts import install_command
from cedar.transforms.runtime.guard_limits import GuardFaultError, GuardLimits
from cedar.transforms.runtime.heartbeat import Board, Progress, Slot, StoppedError
from cedar.transforms.scoring import peers, readability_js
from cedar.transforms.scoring.contest import Contestant, GoldScorer, Method, PageScore, ScorePlan
from cedar.transforms.scoring.gold import GoldPage, GoldSet, evenly_spaced
from cedar.transforms.scoring.metrics import METRICS
from cedar.transforms.scoring.structure import AXES, Structure, agreements, structure_of
from cedar.transforms.scoring.variants import ORIGINAL, VARIANTS

Part = tuple[GoldSet, tuple[int, ...]]
"""A set and the numbers of the pages wanted of it."""

_SCORES = ".scores"


@dataclass(frozen=True, slots=True)
class Share:
    """The pages of one batch of work."""

    parts: tuple[Part, ...]

    @property
    def length(self) -> int:
        """Number of pages, which stand for bytes."""
        return sum(len(wanted) for _, wanted in self.parts)


def run(options: EvaluateOptions) -> int:
    """Run `cedar evaluate`; returns the exit code. Raises UsageError before anything starts."""
    _check_outputs(options)
    if options.structure:
        return _run_structure(options)
    plan, parts = prepare(options)
    try:
        scores = score(plan, parts, options.workers, quiet=options.quiet)
    except RuntimeError as fault:
        complain(f"failed: {str(fault).splitlines()[0]}")
        return 1
    evaluation = Evaluation(
        scores=tuple(scores),
        contestants=plan.contestants,
        metrics=plan.metrics,
        variants=plan.variants,
        by=options.by,
        sweep=options.sweep,
        seed=options.seed,
    )
    found = evaluation_json(evaluation)
    if options.json:
        show(json.dumps(found, ensure_ascii=False))
    elif not options.quiet:
        print_evaluation(evaluation)
    complain(*evaluation.failures())
    if options.results:
        write_results(options.results, found)
    if options.output:
        with writing(options.output):
            write_page(evaluation, Path(options.output), [gold_set for gold_set, _ in parts])
    return 0


def prepare(options: EvaluateOptions) -> tuple[ScorePlan, tuple[Part, ...]]:
    """Return what is measured, and on which pages; raise UsageError if the user's input is wrong."""
    for kind, given, known in (("metric", options.metrics, METRICS), ("variant", options.variants, VARIANTS)):
        for name in given:
            if name not in known:
                raise UsageError(f"unknown {kind} {name!r}; there are: {', '.join(known)}")
    if not options.metrics:
        raise UsageError("--metric is empty: name a measure, such as lcs")
    others = peers.TEXTS.names()
    if any(choice.name == PEERS for choice in options.extractors):
        try:
            readability_js.ReadabilityJsOptions()
            others = (*others, readability_js.NAME)
        except ValueError as why:
            complain(f"left out: {why}")
    choices = expanded(options.extractors, registry.names(), others, options.sweep)
    with of_user(ValueError):
        contestants = tuple(
            Contestant.of(c.label, c.name, c.options, body_only=options.body_only) for c in choices
        )
        parts = tuple(_part(GoldSet.at(path), options.limit) for path in options.gold)
    _no_name_twice("gold sets", (gold_set.name for gold_set, _ in parts))
    variants = tuple(dict.fromkeys((ORIGINAL, *options.variants)))
    limits = GuardLimits(options.page_timeout, options.page_memory)
    return ScorePlan(contestants, options.metrics, variants, limits), parts


def _check_outputs(options: EvaluateOptions) -> None:
    """Raise UsageError or CorpusError for places that results cannot be written to."""
    for place in (options.results, options.output):
        if place:
            with writing(place, UsageError):
                Path(place).resolve().parent.stat()
            refuse_overwriting(place, options.gold)
    if options.output:
        refuse_foreign(Path(options.output))
        refuse_overwriting(str(directory_of_pages(Path(options.output))), options.gold, is_folder=True)


def _part(gold_set: GoldSet, limit: int | None) -> Part:
    """Return the pages that are wanted of a set; read them once, and raise ValueError if that fails."""
    wanted = tuple(evenly_spaced(gold_set.count(), limit))
    _no_name_twice(f"pages of {gold_set.path}", (page.id for page in gold_set.read(wanted)))
    return gold_set, wanted


def _no_name_twice(what: str, names: Iterable[str]) -> None:
    for name, number in Counter(names).items():
        if number > 1:
            raise UsageError(f"two {what} are called {name!r}")


def score(plan: ScorePlan, parts: Sequence[Part], workers: int, *, quiet: bool = True) -> list[PageScore]:
    """Return the scores of all pages, in order of sets, pages, variants, extractors; or raise an error."""
    pages = sum(len(wanted) for _, wanted in parts)
    workers = min(workers, pages)
    shares = [
        Share(tuple((gold_set, wanted[first::workers]) for gold_set, wanted in parts))
        for first in range(workers)
    ]
    with workspace() as folder, Stop(note="") as stop:
        how = LocalRun(
            work=functools.partial(score_shares, plan, str(folder)),
            is_done=lambda _: False,
            workers=workers,
            quiet=quiet,
            counts_pages=True,
            may_fork=False,
        )
        failures = run_local(how, shares, stop)
        if stop.asked:
            raise KeyboardInterrupt
        if failures:
            lost = sum(share.length for share, _ in failures)
            raise RuntimeError(f"{lost:,} of {pages:,} pages are not scored: {failures[0][1]}")
        scores = _kept(folder)
    ids = ((gold_set.name, page.id) for gold_set, wanted in parts for page in gold_set.read(wanted))
    places = {key: place for place, key in enumerate(ids)}
    labels, forms = [each.label for each in plan.contestants], plan.variants
    scores.sort(key=lambda s: (places[s.set, s.page], forms.index(s.variant), labels.index(s.extractor)))
    return scores


def score_shares(plan: ScorePlan, directory: str, shares: Sequence[Share], heartbeat: Slot) -> None:
    """Score some pages in this process, and keep the scores in a file in `directory`.

    Raises StoppedError where the user said so.
    """
    found: list[PageScore] = []
    with closing(Board(heartbeat.path)) as board, closing(GoldScorer(plan)) as scorer:
        for gold_set, wanted in (part for share in shares for part in share.parts):
            for page in gold_set.read(wanted):
                if board.stopping:
                    raise StoppedError
                found += scorer.scores(page)
                board.add(heartbeat.index, Progress(pages=1))
    with whole_file(Path(directory) / f"{uuid.uuid4().hex}{_SCORES}") as staged:
        staged.write_bytes(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))


def _kept(directory: Path) -> list[PageScore]:
    """Return the scores that were kept, those of pages that were scored again once."""
    files = directory.glob(f"*{_SCORES}")
    scores = (each for path in files for each in pickle.loads(path.read_bytes()))  # noqa: S301 - our own
    return list({(each.set, each.page, each.variant, each.extractor): each for each in scores}.values())


@dataclass(frozen=True, slots=True)
class StructureResult:
    """One method on the pages of one set: by axis its mean, and over how many pages with gold for it, if any.

    On `failed` pages the method wrote no Markdown, and scores 0; on those of `surplus_headings` it has some
    where the gold has none. Mean CPU milliseconds a page are with those of the method's child.
    """

    set: str
    extractor: str
    pages: int
    failed: int
    axes: dict[str, dict[str, float] | None]
    surplus_headings: int
    cpu_ms: float


def _run_structure(options: EvaluateOptions) -> int:
    """Measure the structure of what methods write; returns the exit code, or raises UsageError before."""
    limits = GuardLimits(options.page_timeout, options.page_memory)
    if options.sweep or options.by or options.variants or options.output:
        raise UsageError("--structure takes no --sweep, --by, --variant or --output: leave them out")
    choices = [choice for choice in options.extractors if choice.name != "keep-all"]
    with of_user(ValueError):
        names = [name for name in registry.names() if registry.get(name).writes_markdown]
        others = tuple(filter(peers.MARKDOWN.is_installed, peers.MARKDOWN.names()))
        if any(choice.name == PEERS for choice in choices):
            for name in (name for name in peers.MARKDOWN.names() if name not in others):
                complain(f"{name} is left out: {install_command(peers.EXTRA)}")
        chosen = expanded(choices, names, others, None)
        sets = [(gold_set, _pages(gold_set, options.limit)) for gold_set in map(GoldSet.at, options.gold)]
        contestants = [
            Contestant.of(c.label, c.name, c.options, body_only=options.body_only, writes_markdown=True)
            for c in chosen
        ]
    results = []
    methods = [Method(contestant, limits) for contestant in contestants]
    for gold_set, pages in sets:
        golds = [structure_of(page.markdown or "") for page in pages]
        try:
            results += [_measured(gold_set.name, method, pages, golds) for method in methods]
        except GuardFaultError as fault:
            complain(str(fault))
            return 1
        if not (options.quiet or options.json):
            own = [result for result in results if result.set == gold_set.name]
            title = f"{gold_set.name}: {len(pages)} pages, structure of Markdown"
            show_rows(_structure_rows(own), before=[title], after=[""])
    listed = [{**rounded(asdict(result)), "cpu_ms": round(result.cpu_ms, 3)} for result in results]
    found = {"schema": 1, "structure": listed}
    if options.json:
        show(json.dumps(found, ensure_ascii=False))
    if options.results:
        write_results(options.results, found)
    return 0


def _pages(gold_set: GoldSet, limit: int | None) -> list[GoldPage]:
    """The pages of a set that have Markdown; raises ValueError if none has, or it cannot be read."""
    pages = [page for page in gold_set.read(evenly_spaced(gold_set.count(), limit)) if page.markdown]
    if not pages:
        raise ValueError(f"{gold_set.path} has no page with markdown, which --structure measures against")
    return pages


def _measured(
    set_name: str, method: Method, pages: list[GoldPage], golds: list[Structure]
) -> StructureResult:
    """Run one method over pages."""
    values: dict[str, list[float]] = {axis: [] for axis in AXES}
    failed = surplus = 0
    spent = 0.0
    for page, gold in zip(pages, golds, strict=True):
        made = method.run(page, decode_text(page.html, header_label=None, truncated=False).utf8)
        if made.failure is not None:
            complain(f"{method.label} failed on {set_name} {page.id}: {made.failure}")
            failed += 1
        spent += made.cpu_seconds
        found = structure_of(made.text)
        surplus += bool(found.heads) and not gold.heads
        for axis, value in agreements(gold, found).items():
            values[axis] += [] if value is None else [value]
    axes = {
        axis: {"mean": sum(found) / len(found), "pages": len(found)} if found else None
        for axis, found in values.items()
    }
    return StructureResult(
        set_name, method.label, len(pages), failed, axes, surplus, spent / len(pages) * 1e3
    )


def _structure_rows(results: list[StructureResult]) -> list[tuple[str, ...]]:
    """The table of a set: a row of headings, with the pages of each axis, then one for each method."""
    pages = (of["pages"] if (of := results[0].axes[axis]) else 0 for axis in AXES)
    heads = (f"{axis} ({number})" for axis, number in zip(AXES, pages, strict=True))
    rows = [("extractor", *heads, "surplus head", "CPU ms")]
    for result in results:
        cells = (f"{of['mean']:.3f}" if (of := result.axes[axis]) else "-" for axis in AXES)
        rows.append((result.extractor, *cells, str(result.surplus_headings), f"{result.cpu_ms:.2f}"))
    return rows
