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
from cedar.transforms.extractors.cedar import cedar, kinds, model
from cedar.transforms.extractors.cedar._features import means
from cedar.transforms.extractors.cedar._forest import Scorer
from cedar.transforms.extractors.cedar._votes import vote
from cedar.transforms.extractors.cedar.cedar import CedarOptions
from cedar.transforms.extractors.cedar.columns import ALL_COLUMNS, BLOCK_COLUMNS, KIND_COLUMNS, VOTES
from cedar.transforms.extractors.cedar.model import KINDS, Forest, Table
from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets
from lab.train import examples
from lab.train.boosting import BoostingPlan, Rows
from lab.train.examples import COPIES, Example

FOLDS = 3
"""Parts of the sites that are scored by trees that did not see them."""

FIRST = BoostingPlan(trees=40, leaves=15, rate=0.2)
KIND = BoostingPlan(trees=60, leaves=7, rate=0.1, ridge=5.0, rows=0.6, columns=0.3, min_rows=10, bins=31)
SECOND = BoostingPlan(trees=120, leaves=31, rate=0.08, columns=0.4)

_CALIBRATION_POINTS = 8
_OTHER_KINDS = 1.6
"""The weight of a page that is not an article: most gold pages are articles, most web pages are not."""

_CHANGED_KIND = {"short": 0.15, "among teasers": 0.15, "short, old markup": 0.15}
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

    def by_page(self, rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The values of each page's rows."""
        return np.split(rows, self.starts[1:-1])

    def rows(self, names: tuple[str, ...], values: NDArray[np.float32], plan: BoostingPlan) -> Rows:
        """Columns of all blocks, float32 (k, r), to learn by which are content."""
        return Rows.of(names, values, shares=self.target, weights=self.row_weights, plan=plan)


@dataclass(frozen=True, slots=True)
class Learned:
    """The table, and what came of it on each of p pages, by trees that did not see its site.

    The scores of kinds, int64 (p, kinds), and the F1 that came, float64 (p,).
    """

    table: Table
    kind_scores: NDArray[np.int64]
    reached: Floats


def gather(sources: list[GoldSource]) -> Lessons:
    """Read all examples; put teasers beside half of the short articles, and the others in old markup."""
    pages, weights = [], []
    for source in sources:
        for page in examples.read(source.path, title_apart=source.title_apart):
            pages.append(page)
            weights.append(source.weight)
    listings = [page for page in pages if (page.origin.kind, page.origin.copy) == ("listing", "as it is")]
    rows = [found for found in map(examples.teasers, listings) if found]
    shorts = [place for place, page in enumerate(pages) if page.origin.copy == "short"]
    for number, place in enumerate(shorts):
        copy = None
        if number % 2:
            copy = examples.short_in_old_markup(pages[place])
        elif rows:
            copy = examples.among_teasers(pages[place], rows[number // 2 % len(rows)], number // 2)
        if copy:
            pages.append(copy)
            weights.append(weights[place])
    shares = [
        COPIES[page.origin.copy] * (1 if page.origin.kind == "article" else _OTHER_KINDS) for page in pages
    ]
    return Lessons.of(pages, np.array(weights) * shares)


def learn(lessons: Lessons, version: str) -> Learned:
    """Learn the table."""
    pages, sizes = lessons.pages, np.diff(lessons.starts)
    folds = np.repeat(lessons.folds, sizes)
    values = np.concatenate([page.values for page in pages], 1)
    rows = lessons.rows(BLOCK_COLUMNS, values, FIRST)
    first = rows.grow(FIRST)
    first_scores = lessons.by_page(_unseen(rows, folds, FIRST))
    votes = [_votes(page, scores) for page, scores in zip(pages, first_scores, strict=True)]
    kind_trees, kind_scores = _kinds(lessons, votes)
    rows_of_kinds = np.repeat(kind_scores, sizes, 0).T.astype(np.float32)
    rows = lessons.rows(
        ALL_COLUMNS, np.concatenate((values, np.concatenate(votes, 1), rows_of_kinds)), SECOND
    )
    second = rows.grow(SECOND)
    scores = lessons.by_page(_unseen(rows, folds, SECOND))
    outcomes = [_outcome(*each) for each in zip(pages, scores, kind_scores, strict=True)]
    expected, reached = np.array(outcomes).T
    as_they_are = np.array([page.origin.copy == "as it is" for page in pages])
    calibration = _calibration(expected[as_they_are], reached[as_they_are])
    return Learned(Table(version, first, kind_trees, second, calibration), kind_scores, reached)


def _unseen(rows: Rows, folds: Offsets, plan: BoostingPlan) -> NDArray[np.int64]:
    """Score all rows, each by trees that did not see its part; in ten-thousandths."""
    scores = np.zeros(folds.size, np.int64)
    for part in range(FOLDS):
        seen, unseen = np.flatnonzero(folds != part), np.flatnonzero(folds == part)
        if unseen.size:
            trees = model.aligned(rows.grow(plan, seen), rows.names)
            scores[unseen] = Scorer(trees).scores(np.ascontiguousarray(rows.values[:, unseen]))
    return scores


def _kinds(
    lessons: Lessons, votes: list[NDArray[np.float32]]
) -> tuple[tuple[Forest, ...], NDArray[np.int64]]:
    """Grow trees for kinds of pages; return them, and scores by trees that did not see the page's site."""
    pages = lessons.pages
    summaries = [
        means(np.concatenate((page.values, voted)), page.word_tenths)
        for page, voted in zip(pages, votes, strict=True)
    ]
    names, values = kinds.summary_names(KIND_COLUMNS), np.concatenate(summaries, 1)
    weights = np.array([(COPIES | _CHANGED_KIND)[page.origin.copy] for page in pages])
    forests, scores = [], []
    for kind in KINDS:
        of_kind = np.array([float(page.origin.kind == kind) for page in pages])
        rows = Rows.of(names, values, shares=np.clip(of_kind, 1e-3, 1 - 1e-3), weights=weights, plan=KIND)
        forests.append(rows.grow(KIND))
        scores.append(_unseen(rows, lessons.folds, KIND))
    return tuple(forests), np.stack(scores, 1)


def _votes(page: Example, first_scores: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return what the first scores say of each block: float32 (len(VOTES), n)."""
    values = np.empty((len(VOTES), first_scores.size), np.float32)
    vote(page.page, _bounded(page, first_scores), values)
    return values


def _bounded(page: Example, scores: NDArray[np.int64]) -> NDArray[np.int64]:
    scores = scores.copy()
    cedar.bound(scores, cedar.find_bounds(page.page, page.values))
    return scores


def _outcome(page: Example, scores: NDArray[np.int64], kind_scores: NDArray[np.int64]) -> tuple[float, float]:
    """Return the F1 that is expected of a page, and the F1 that comes of it."""
    options = CedarOptions(title="drop" if page.title_apart else "keep")
    same = np.array([[0.0, 0.0], [1.0, 1.0]])
    bounded = _bounded(page, scores)
    chosen, kept, _ = cedar.select(page.page, bounded, kind_scores, options=options, calibration=same)
    return chosen.confidence, _f1(page, kept)


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
