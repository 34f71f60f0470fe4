"""Learns the table of the `cedar` extractor from pages whose text is known.

python -m lab.train --gold wcxb_train.jsonl.zst --gold news.jsonl.zst:1:apart ... \
    --output table.json

The same pages give the same table. Pages of one site stay together: each site is in one of `FOLDS` parts, and
what is scored for the second look, for the kinds and for the confidence was scored by trees that never saw
the site.
"""

import argparse
import hashlib
import re
import resource
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cedar.pipelines.common.terminal import info
from cedar.transforms.extractors.cedar import kinds, model
from cedar.transforms.extractors.cedar._choice import choose
from cedar.transforms.extractors.cedar._completion import complete
from cedar.transforms.extractors.cedar._features import means
from cedar.transforms.extractors.cedar._votes import vote
from cedar.transforms.extractors.cedar.columns import BLOCK_COLUMNS, KIND_COLUMNS, SECOND_COLUMNS, VOTES
from cedar.transforms.extractors.cedar.model import KINDS, UNIT, Forest, Table
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from lab.train import boosting, examples
from lab.train.boosting import Binned, BoostingPlan
from lab.train.examples import COPIES, Example

FOLDS = 3
"""Parts of the sites that are scored by trees that did not see them."""

FIRST = BoostingPlan(trees=200)
KIND = BoostingPlan(trees=200, depth=3, rate=0.08, ridge=5.0, rows=0.6, columns=0.3)
SECOND = BoostingPlan(trees=120)

_KIND_BINS = 32
_CALIBRATION_POINTS = 8
_OTHER_KINDS = 1.6
"""The weight of a page that is not an article: most gold pages are articles, most web pages are not."""

_ONE_KIND = 0.2
"""What a page of a file of one kind weighs where kinds are learned."""

_CHANGED_KIND = {"short": 0.15}
"""What the copies with another text weigh there."""


@dataclass(frozen=True, slots=True)
class GoldSource:
    """A file of pages, what each of them weighs, and whether its texts lack their titles."""

    path: Path
    weight: float
    title_apart: bool


@dataclass(frozen=True, slots=True)
class Lessons:
    """All p examples, and the r rows of their blocks one after another.

    Attributes:
        page_weights: what each page weighs, (p,).
        starts: each page's first row, and the number of rows, (p + 1,).
        folds: the part that each page's site is in, (p,).
        target: the share of each row that is content, (r,).
        row_weights: the words of each row, scaled so that those of a page sum up to its weight, (r,).
    """

    pages: list[Example]
    page_weights: Floats
    starts: Offsets
    folds: Offsets
    target: Floats
    row_weights: Floats

    @staticmethod
    def of(pages: list[Example], weights: Floats) -> "Lessons":
        """Put the rows of examples together."""
        rows = [
            (page.lengths + 0.5) / (page.lengths + 0.5).sum() * weight
            for page, weight in zip(pages, weights.tolist(), strict=True)
        ]
        return Lessons(
            pages=pages,
            page_weights=weights,
            starts=np.concatenate(([0], np.cumsum([page.shares.size for page in pages]))),
            folds=np.array([zlib.crc32(page.origin.group.encode()) % FOLDS for page in pages]),
            target=np.concatenate([page.shares for page in pages]),
            row_weights=np.concatenate(rows),
        )

    def unseen(self, data: Binned, plan: BoostingPlan) -> list[Offsets]:
        """Score the rows of each page by trees that did not see its part; in ten-thousandths."""
        folds = np.repeat(self.folds, np.diff(self.starts))
        return np.split(_unseen(data, folds, self.target, self.row_weights, plan), self.starts[1:-1])


@dataclass(frozen=True, slots=True)
class Learned:
    """The table, and what came of it on each of p pages, by trees that did not see its site.

    The scores of kinds, int64 (p, kinds), and the F1 that came, float64 (p,).
    """

    table: Table
    kind_scores: NDArray[np.int64]
    reached: Floats


def gather(sources: list[GoldSource]) -> Lessons:
    """Read all examples."""
    pages, weights = [], []
    for source in sources:
        for page in examples.read(source.path, title_apart=source.title_apart):
            pages.append(page)
            other = _OTHER_KINDS if page.origin.kind != "article" else 1.0
            weights.append(source.weight * COPIES[page.origin.copy] * other)
    return Lessons.of(pages, np.array(weights))


def learn(lessons: Lessons, version: str) -> Learned:
    """Learn the table."""
    pages = lessons.pages
    data = boosting.binned(BLOCK_COLUMNS, np.concatenate([page.values.T for page in pages]))
    every = np.arange(lessons.target.size)
    first = boosting.grow(data, every, lessons.target, lessons.row_weights, FIRST)
    votes = [_votes(page, scores) for page, scores in zip(pages, lessons.unseen(data, FIRST), strict=True)]
    kind_trees, kind_scores = _kinds(lessons, votes)
    rows_of_kinds = np.repeat(kind_scores, np.diff(lessons.starts), 0).astype(np.float32)
    more = boosting.binned(SECOND_COLUMNS, np.concatenate((np.concatenate(votes, 1), rows_of_kinds.T)).T)
    both = Binned(data.names + more.names, data.edges + more.edges, np.concatenate((data.bins, more.bins)))
    second = boosting.grow(both, every, lessons.target, lessons.row_weights, SECOND)
    scores = lessons.unseen(both, SECOND)
    outcomes = [_outcome(*each) for each in zip(pages, scores, kind_scores, strict=True)]
    expected, reached = np.array(outcomes).T
    as_they_are = np.array([page.origin.copy == "as it is" for page in pages])
    table = Table(
        version=version,
        first=first.forest(data),
        kinds=kind_trees,
        second=second.forest(both),
        calibration=_calibration(expected[as_they_are], reached[as_they_are]),
    )
    return Learned(table, kind_scores, reached)


def _unseen(data: Binned, folds: Offsets, target: Floats, weight: Floats, plan: BoostingPlan) -> Offsets:
    """Return scores of all rows, each by trees that did not see its part: int64, in ten-thousandths."""
    scores = np.zeros(target.size)
    for part in range(FOLDS):
        seen, unseen = np.flatnonzero(folds != part), np.flatnonzero(folds == part)
        if unseen.size:
            grown = boosting.grow(data, seen, target[seen], weight[seen], plan)
            scores[unseen] = grown.scores(data, unseen)
    return np.rint(scores * UNIT).astype(np.int64)


def _kinds(
    lessons: Lessons, votes: list[NDArray[np.float32]]
) -> tuple[tuple[Forest, ...], NDArray[np.int64]]:
    """Grow trees for kinds of pages; return them, and scores by trees that did not see the page's site."""
    pages = lessons.pages
    rows = [
        means(np.concatenate((page.values, voted)), page.word_tenths).T
        for page, voted in zip(pages, votes, strict=True)
    ]
    data = boosting.binned(kinds.summary_names(KIND_COLUMNS), np.concatenate(rows), _KIND_BINS)
    weight = _kind_weights(pages)
    forests, scores = [], []
    for kind in KINDS:
        target = np.array([float(page.origin.kind == kind) for page in pages])
        target = np.clip(target, 1e-3, 1 - 1e-3)
        forests.append(boosting.grow(data, np.arange(len(pages)), target, weight, KIND).forest(data))
        scores.append(_unseen(data, lessons.folds, target, weight, KIND))
    return tuple(forests), np.stack(scores, 1)


def _kind_weights(pages: list[Example]) -> Floats:
    """Return what each page weighs where kinds are learned, float64 (pages,)."""
    weights = COPIES | _CHANGED_KIND
    kinds_of = Counter(file for file, _ in {(page.origin.file, page.origin.kind) for page in pages})
    of_file = [1.0 if kinds_of[page.origin.file] > 1 else _ONE_KIND for page in pages]
    return np.array(of_file) * [weights[page.origin.copy] for page in pages]


def _votes(page: Example, first_scores: Offsets) -> NDArray[np.float32]:
    """Return what the first scores say of each block: float32 (len(VOTES), n)."""
    values = np.empty((len(VOTES), first_scores.size), np.float32)
    vote(page.page, np.ascontiguousarray(first_scores), values)
    return values


def _outcome(page: Example, scores: Offsets, kind_scores: NDArray[np.int64]) -> tuple[float, float]:
    """Return the F1 that is expected of a page, and the F1 that comes of it."""
    same = np.array([[0.0, 0.0], [1.0, 1.0]])
    shared = kinds.shared_doubt(kind_scores)
    scores = np.ascontiguousarray(scores)
    one_text = shared == kinds.ALL_SHARED
    chosen = choose(scores, page.word_tenths, shared=shared, calibration=same)
    whole = complete(page.page, scores, chosen.kept, one_text=one_text)
    return chosen.confidence, _f1(page, whole)


def _f1(page: Example, kept: Flags) -> float:
    """F1 over bags of words."""
    found = Counter(word for block in np.flatnonzero(kept) for word in page.block_words[block])
    gold = Counter(page.gold)
    total = found.total() + gold.total()
    return 2 * (found & gold).total() / total if total else 1.0


def _calibration(expected: Floats, reached: Floats) -> NDArray[np.float64]:
    """Means of equal parts of the pages in the order of what was expected, made ascending."""
    order = np.argsort(expected, kind="stable")
    points: list[tuple[float, float, int]] = []
    for part in np.array_split(order, min(_CALIBRATION_POINTS, order.size)):
        points.append((float(expected[part].mean()), float(reached[part].mean()), part.size))
        # Pool adjacent violators (Ayer et al. 1955).
        while len(points) > 1 and points[-1][1] < points[-2][1]:
            right, left = points.pop(), points.pop()
            size = left[2] + right[2]
            x, y = ((left[i] * left[2] + right[i] * right[2]) / size for i in (0, 1))
            points.append((x, y, size))
    return np.array([(round(x, 4), round(y, 4)) for x, y, _ in points])


def main(arguments: list[str] | None = None) -> int:
    """Learn a table and write it."""
    parser = argparse.ArgumentParser(prog="python -m lab.train", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--gold",
        action="append",
        required=True,
        metavar="FILE[:WEIGHT[:apart]]",
        help="pages with known text, .jsonl.zst; what a page weighs (1); whether titles stand apart",
    )
    parser.add_argument("--output", type=Path, required=True, help="the table to write, .json")
    parser.add_argument("--table-version", required=True, metavar="NAME", help="what rows call the table")
    given = parser.parse_args(arguments)
    lessons = gather([_source(text) for text in given.gold])
    learned = learn(lessons, given.table_version)
    written = model.to_json(learned.table).encode()
    given.output.write_bytes(written)
    for line in _lines(lessons.pages, learned.kind_scores, learned.reached):
        info(line)
    digest = hashlib.sha256(written).hexdigest()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    info(f"table {given.table_version}, SHA-256 {digest}: {time.process_time():.0f} s of CPU, {peak:.0f} MiB")
    return 0


def _source(text: str) -> GoldSource:
    path, _, rest = text.partition(":")
    weight, _, apart = rest.partition(":")
    return GoldSource(Path(path), float(weight or 1), apart == "apart")


def _lines(pages: list[Example], kind_scores: NDArray[np.int64], reached: Floats) -> Iterator[str]:
    """Say what trees reach on pages that they did not see, a line for each source and copy."""
    groups = np.array([f"{re.split('[._]', page.origin.file)[0]}, {page.origin.copy}" for page in pages])
    found = [KINDS[kind] for kind in kind_scores.argmax(1).tolist()]
    right = np.array([page.origin.kind == kind for page, kind in zip(pages, found, strict=True)])
    for group in dict.fromkeys(groups.tolist()):
        of_it = groups == group
        yield (
            f"sites not seen: {group}: {np.count_nonzero(of_it)} pages, F1 {reached[of_it].mean():.4f}, "
            f"of the right kind {right[of_it].mean():.3f}"
        )


if __name__ == "__main__":
    sys.exit(main())
