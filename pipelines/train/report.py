"""What a table reaches on pages of sites, and of sources, that it did not learn from."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pipelines.train.examples import Example
from pipelines.train.learning import Learned, Lessons, judge, learn
from transforms.extractors.cedar.model import KINDS
from transforms.extractors.html.characters import Floats


def by_site(lessons: Lessons, learned: Learned) -> Iterator[str]:
    """Say what trees reach that did not see a page's site, a line for each source and copy."""
    yield from _lines("sites not seen", lessons.pages, learned.kind_scores, learned.reached)


def by_source(lessons: Lessons) -> Iterator[str]:
    """Learn once for each source without it, and say what comes of its pages.

    A source is what stands before the first `_` of a file's name; of a single one nothing is said.
    """
    sources = np.array([_source(page) for page in lessons.pages])
    there = list(dict.fromkeys(sources.tolist()))
    for source in there if len(there) > 1 else ():
        table = learn(lessons.some(sources != source), "without").table
        unseen = [page for page, name in zip(lessons.pages, sources, strict=True) if name == source]
        kind_scores, reached = judge(table, unseen)
        yield from _lines(f"without {source}", unseen, kind_scores, reached)


def _source(page: Example) -> str:
    return page.origin.file.partition(".")[0].partition("_")[0]


def _lines(
    label: str, pages: list[Example], kind_scores: NDArray[np.int64], reached: Floats
) -> Iterator[str]:
    groups = np.array([f"{_source(page)}, {page.origin.copy}" for page in pages])
    predicted = kind_scores.argmax(1).tolist()
    right = np.array([KINDS[kind] == page.origin.kind for page, kind in zip(pages, predicted, strict=True)])
    for group in dict.fromkeys(groups.tolist()):
        of_it = groups == group
        yield (
            f"{label}: {group}: {np.count_nonzero(of_it)} pages, F1 {reached[of_it].mean():.4f}, "
            f"of the right kind {right[of_it].mean():.3f}"
        )
