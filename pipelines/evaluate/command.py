"""`cedar evaluate`: gold pages in, scores out.

Each worker scores a share of each set's pages and writes its scores to a file; the launcher reads the files.
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

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.terminal import print_out, warn
from cedar.pipelines.drawing.pages import DRAWN
from cedar.pipelines.evaluate.options import EvaluateOptions, expanded
from cedar.pipelines.evaluate.page import directory_of_pages, write_page
from cedar.pipelines.evaluate.results import (
    Evaluation,
    evaluation_json,
    print_evaluation,
    rounded,
    write_results,
)
from cedar.pipelines.evaluate.sweep import sweep_notes, tuned_scores
from cedar.pipelines.local.stopping import StopRequest
from cedar.pipelines.local.supervisor import LocalRun, run_local
from cedar.pipelines.local.workspace import workspace
from cedar.transforms.corpus.outputs import refuse_foreign_file, refuse_overwriting
from cedar.transforms.extractors import registry
from cedar.transforms.files.local import whole_file
from cedar.transforms.files.storage import writing
from cedar.transforms.runtime.guard_limits import GuardLimits
from cedar.transforms.runtime.progress_file import Progress, ProgressFile, StoppedError, WorkerSlot
from cedar.transforms.scoring import peers
from cedar.transforms.scoring.contest import Contestant, GoldScorer, PageScore, ScorePlan
from cedar.transforms.scoring.gold import GoldSet, evenly_spaced
from cedar.transforms.scoring.metrics import METRICS

Part = tuple[GoldSet, tuple[int, ...]]
"""A set and the numbers of the pages wanted of it."""

_SCORES = ".scores"


@dataclass(frozen=True, slots=True)
class Share:
    """The pages of one batch of work, of any sets."""

    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """The gold sets that the pages are of."""
        return ", ".join(dict.fromkeys(gold_set.name for gold_set, _ in self.parts))

    @property
    def length(self) -> int:
        """Number of pages, which stand for bytes."""
        return sum(len(wanted) for _, wanted in self.parts)


def run(options: EvaluateOptions) -> int:
    """Run `cedar evaluate`. Returns 1 if an extractor failed on every page; UsageError before it starts."""
    _check_outputs(options)
    plan, parts = prepare(options)
    try:
        scores = score(plan, parts, options.workers, quiet=options.quiet)
    except RuntimeError as fault:
        warn(f"failed: {str(fault).splitlines()[0]}")
        return 1
    evaluation = Evaluation(
        scores=tuple(scores),
        contestants=plan.contestants,
        metrics=plan.metrics,
        by=options.by,
        sweep=options.sweep,
        folds=options.folds,
        seed=options.seed,
    )
    with usage_errors(ValueError):
        tuned = [each for name in evaluation.sets for each in tuned_scores(evaluation, name)]
    found = {**evaluation_json(evaluation), "folds": [rounded(asdict(each)) for each in tuned]}
    if options.json:
        print_out(json.dumps(found, ensure_ascii=False))
    elif not options.quiet:
        print_evaluation(evaluation, {name: list(sweep_notes(evaluation, name)) for name in evaluation.sets})
    warn(*evaluation.failures())
    if options.results:
        write_results(options.results, found)
    if options.output:
        with writing(options.output):
            write_page(evaluation, Path(options.output), [gold_set for gold_set, _ in parts])
    return 1 if evaluation.broken or evaluation.failed_everywhere else 0


def prepare(options: EvaluateOptions) -> tuple[ScorePlan, tuple[Part, ...]]:
    """Return the measures, and the pages to measure. Raises UsageError."""
    for name in options.metrics:
        if name not in METRICS:
            raise UsageError(f"unknown metric {name!r}; there are: {', '.join(METRICS)}")
    if not options.metrics:
        raise UsageError("--metric is empty: name a measure, such as lcs")
    choices = expanded(options.extractors, registry.names(), peers.names(), sweep=options.sweep)
    with usage_errors(ValueError):
        contestants = tuple(
            Contestant.of(c.label, c.name, c.options, body_only=options.body_only) for c in choices
        )
        parts = tuple(_part(GoldSet.at(path), options.limit) for path in options.gold)
    _refuse_duplicates("gold sets", (gold_set.name for gold_set, _ in parts))
    limits = GuardLimits(options.page_timeout, options.page_memory)
    return ScorePlan(contestants, options.metrics, limits), parts


def _check_outputs(options: EvaluateOptions) -> None:
    """Raise UsageError or CorpusError if results cannot be written where they are wanted."""
    for place in (options.results, options.output):
        if place:
            with writing(place, UsageError):
                Path(place).resolve().parent.stat()
            refuse_overwriting(place, options.gold)
    if options.results:
        refuse_foreign_file(options.results, b'"cedar": "')
    if options.output:
        refuse_foreign_file(options.output, DRAWN)
        refuse_overwriting(str(directory_of_pages(Path(options.output))), options.gold, is_folder=True)


def _part(gold_set: GoldSet, limit: int | None) -> Part:
    """Return the wanted pages of a set. They are read once; raises ValueError if that fails."""
    wanted = tuple(evenly_spaced(gold_set.count(), limit))
    _refuse_duplicates(f"pages of {gold_set.path}", (page.id for page in gold_set.read(wanted)))
    return gold_set, wanted


def _refuse_duplicates(what: str, names: Iterable[str]) -> None:
    for name, number in Counter(names).items():
        if number > 1:
            raise UsageError(f"two {what} are called {name!r}")


def score(plan: ScorePlan, parts: Sequence[Part], workers: int, *, quiet: bool = True) -> list[PageScore]:
    """Return the scores of all pages, in the order of sets, pages, extractors. Raises RuntimeError."""
    pages = sum(len(wanted) for _, wanted in parts)
    workers = min(workers, pages)
    shares = [
        Share(tuple((gold_set, wanted[first::workers]) for gold_set, wanted in parts))
        for first in range(workers)
    ]
    with workspace() as folder, StopRequest(note="") as stop:
        how = LocalRun(
            work=functools.partial(score_shares, plan, directory=str(folder)),
            is_done=lambda _: False,
            workers=workers,
            quiet=quiet,
            counts_pages=True,
            may_fork=False,
        )
        failures = run_local(how, shares, stop).failures
        if stop.asked:
            raise KeyboardInterrupt
        if failures:
            lost = sum(share.length for share, _ in failures)
            raise RuntimeError(f"{lost:,} of {pages:,} pages are not scored: {failures[0][1]}")
        scores = _read_scores(folder)
    ids = ((gold_set.name, page.id) for gold_set, wanted in parts for page in gold_set.read(wanted))
    places = {key: place for place, key in enumerate(ids)}
    labels = [each.label for each in plan.contestants]
    scores.sort(key=lambda s: (places[s.set, s.page], labels.index(s.extractor)))
    return scores


def score_shares(plan: ScorePlan, shares: Sequence[Share], slot: WorkerSlot, *, directory: str) -> None:
    """Score some pages in this process, and write the scores to a file in `directory`.

    Raises StoppedError if the user interrupts.
    """
    found: list[PageScore] = []
    with closing(ProgressFile(slot.path)) as progress_file, closing(GoldScorer(plan)) as scorer:
        for gold_set, wanted in (part for share in shares for part in share.parts):
            for page in gold_set.read(wanted):
                if progress_file.stopping:
                    raise StoppedError
                found += scorer.scores(page)
                progress_file.add(slot.index, Progress(pages=1))
    with whole_file(Path(directory) / f"{uuid.uuid4().hex}{_SCORES}") as staged:
        staged.write_bytes(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))


def _read_scores(directory: Path) -> list[PageScore]:
    """Return the scores in the files; a page that was scored twice counts once."""
    files = directory.glob(f"*{_SCORES}")
    scores = (each for path in files for each in pickle.loads(path.read_bytes()))  # noqa: S301 - our own
    return list({(each.set, each.page, each.extractor): each for each in scores}.values())
