"""The sweep of an option: its best value, and its score on pages that did not choose the value."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cedar.pipelines.evaluate.results import Evaluation, first_f1
from cedar.transforms.scoring.contest import Contestant, PageScore
from cedar.transforms.scoring.metrics import Interval, mean_interval
from cedar.transforms.urls.canonical import host_of


@dataclass(frozen=True, slots=True)
class SweptExtractor:
    """An extractor of a sweep: its label without the option, and a contestant for each value."""

    label: str
    option: str
    values: tuple[str, ...]
    contestants: tuple[Contestant, ...]


@dataclass(frozen=True, slots=True)
class TunedScore:
    """F1 of an extractor on pages that did not choose its value.

    Attributes:
        values: what each fold's pages are scored with: the value that is best on the pages of the others.
    """

    set: str
    extractor: str
    values: tuple[str, ...]
    f1: Interval


def swept_extractors(evaluation: Evaluation) -> Iterator[SweptExtractor]:
    """Yield the extractors of a sweep."""
    if evaluation.sweep is None:
        return
    option, values = evaluation.sweep.option, evaluation.sweep.values
    for first in range(0, len(evaluation.contestants), len(values)):
        contestants = evaluation.contestants[first : first + len(values)]
        label = contestants[0].label.rpartition(f"{option}=")[0].rstrip(":,")
        yield SweptExtractor(label, option, values, contestants)


def best_value(
    evaluation: Evaluation, set_name: str, swept: SweptExtractor
) -> tuple[str, Contestant, float] | None:
    """Return the value with the highest mean F1, its contestant and that F1; None if none could run."""
    means = {result.extractor: result.first for result in evaluation.select(set_name)}
    found = [
        (value, contestant, mean.f1.mean)
        for value, contestant in zip(swept.values, swept.contestants, strict=True)
        if (mean := means.get(contestant.label)) is not None
    ]
    return max(found, key=lambda each: each[2]) if found else None


def sweep_notes(evaluation: Evaluation, set_name: str) -> Iterator[str]:
    """Yield a line on the best value of each extractor, and one on its score by folds."""
    for swept in swept_extractors(evaluation):
        best = best_value(evaluation, set_name, swept)
        if best is None:
            continue
        value, _, f1 = best
        is_edge = value in (swept.values[0], swept.values[-1]) and len(swept.values) > 1
        edge = ", at the edge of the range: try values beyond it" if is_edge else ""
        yield f"{swept.label}: best {swept.option}={value}, F1 {f1:.3f}{edge}; chosen on these pages"
    for tuned in tuned_scores(evaluation, set_name):
        counts = Counter(tuned.values).most_common()
        chosen = ", ".join(f"{value} in {number}" for value, number in counts)
        mean = f"F1 {tuned.f1.mean:.3f} ({tuned.f1.low:.3f} {tuned.f1.high:.3f})"
        folds = f"{len(tuned.values)} folds"
        yield f"{tuned.extractor}: {folds}, {mean} on pages that did not choose the value: {chosen}"


def tuned_scores(evaluation: Evaluation, set_name: str) -> Iterator[TunedScore]:
    """Yield the score by folds of each extractor of a sweep, if folds were asked for."""
    if evaluation.folds is None:
        return
    own = [s for s in evaluation.scores if s.set == set_name and s.agreements[0] is not None]
    fold_of = folds_of_pages(own, evaluation.folds)
    for swept in swept_extractors(evaluation):
        if any(contestant.label in evaluation.broken for contestant in swept.contestants):
            continue
        labels = [contestant.label for contestant in swept.contestants]
        f1 = np.array([[first_f1(s) for s in own if s.extractor == label] for label in labels])
        folds = np.array([fold_of[s.page] for s in own if s.extractor == labels[0]])
        best = [int(f1[:, folds != fold].mean(axis=1).argmax()) for fold in range(evaluation.folds)]
        chosen = np.concatenate([f1[best[fold], folds == fold] for fold in range(evaluation.folds)])
        values = tuple(swept.values[place] for place in best)
        yield TunedScore(set_name, swept.label, values, mean_interval(chosen, seed=evaluation.seed))


def folds_of_pages(scores: Sequence[PageScore], folds: int) -> dict[str, int]:
    """Return the fold of each page, from 0; pages of one host are in one fold.

    Raises ValueError if there are fewer hosts than folds.
    """
    sites = {s.page: (host_of(s.url) if s.url else "") or s.page for s in scores}
    in_order = sorted(set(sites.values()), key=lambda site: hashlib.sha256(site.encode()).digest())
    if len(in_order) < folds:
        raise ValueError(f"{folds} folds need pages of as many sites, and there are {len(in_order)}")
    fold_of_site = {site: place % folds for place, site in enumerate(in_order)}
    return {page: fold_of_site[site] for page, site in sites.items()}
