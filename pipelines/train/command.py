"""Learns the table of the `cedar` extractor from pages whose text is known.

python -m pipelines.train --gold wcxb_train.jsonl.zst --gold news.jsonl.zst:1:apart ... --output table.json

Pages of one site stay together: each site is in one of `FOLDS` parts, and what is scored for the second look
and for the calibration was scored by trees that never saw the site. The same pages give the same table.
"""

from __future__ import annotations

import argparse
import zlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipelines.common.messages import remark
from pipelines.train import boosting, examples
from pipelines.train.boosting import Binned, BoostingPlan
from pipelines.train.examples import COPIES, Example
from transforms.extractors.cedar import choice, kinds, model
from transforms.extractors.cedar._votes import vote
from transforms.extractors.cedar.columns import BLOCK_COLUMNS, SECOND_COLUMNS, VOTES
from transforms.extractors.cedar.model import KINDS, UNIT, Forest, Table
from transforms.extractors.html.characters import Flags, Floats, Offsets

FOLDS = 3
"""Parts of the sites that are scored by trees that did not see them."""

FIRST = BoostingPlan(trees=200)
KIND = BoostingPlan(trees=40, depth=3, rate=0.15, ridge=5.0, rows=0.6, columns=0.3)
SECOND = BoostingPlan(trees=120)

_KIND_BINS = 32
_OTHER_SETS = 0.5
_CALIBRATION_POINTS = 8


@dataclass(frozen=True, slots=True)
class GoldSource:
    """A file of pages.

    Attributes:
        path: the file.
        weight: what each of its pages weighs.
        title_apart: whether its texts lack their titles.
    """

    path: Path
    weight: float
    title_apart: bool


@dataclass(frozen=True, slots=True)
class Lessons:
    """All examples, and the rows of their blocks one after another.

    Attributes:
        pages: the examples.
        starts: int64 (pages + 1,), the first row of each.
        folds: int64 (pages,), the part each site is in.
        target: float64 (rows,), the share that is content.
        weight: float64 (rows,): words, of which each page has the same sum.
    """

    pages: list[Example]
    starts: Offsets
    folds: Offsets
    target: Floats
    weight: Floats

    def row_folds(self) -> Offsets:
        """Return the part of each row."""
        return np.repeat(self.folds, np.diff(self.starts))


def main(arguments: list[str] | None = None) -> int:
    """Learn a table and writes it."""
    parser = argparse.ArgumentParser(prog="python -m pipelines.train", description=__doc__.partition("\n")[0])
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
    table, expected, reached = learn(lessons, given.table_version)
    given.output.write_text(model.to_json(table), encoding="utf-8")
    remark(f"{expected.size} pages by trees that did not see them: F1 {reached.mean():.4f}")
    return 0


def _source(text: str) -> GoldSource:
    path, _, rest = text.partition(":")
    weight, _, apart = rest.partition(":")
    return GoldSource(Path(path), float(weight or 1), apart == "apart")


def gather(sources: list[GoldSource]) -> Lessons:
    """Read all examples."""
    pages, weights = [], []
    for source in sources:
        found = list(examples.read(source.path, title_apart=source.title_apart))
        pages += found
        weights += [source.weight] * len(found)
    starts = np.concatenate(([0], np.cumsum([page.shares.size for page in pages])))
    rows = [
        (page.lengths + 0.5) / (page.lengths + 0.5).sum() * weight * COPIES[page.copy]
        for page, weight in zip(pages, weights, strict=True)
    ]
    return Lessons(
        pages=pages,
        starts=starts,
        folds=np.array([zlib.crc32(page.group.encode()) % FOLDS for page in pages]),
        target=np.concatenate([page.shares for page in pages]),
        weight=np.concatenate(rows),
    )


def learn(lessons: Lessons, version: str) -> tuple[Table, Floats, Floats]:
    """Learn the table.

    Args:
        lessons: the examples.
        version: what rows call the table.

    Returns:
        The table; and for each page as it is, scored by trees that did not see its site, the F1 that was
        expected and the F1 that came of it.
    """
    pages = lessons.pages
    data = boosting.binned(BLOCK_COLUMNS, np.concatenate([page.values.T for page in pages]))
    every = np.arange(lessons.target.size)
    first = boosting.grow(data, every, lessons.target, lessons.weight, FIRST)
    first_scores = _unseen(data, lessons.row_folds(), lessons.target, lessons.weight, FIRST)

    kind_trees, kind_scores = _kinds(lessons)
    votes = [
        _second_columns(page, first_scores[start:stop], scores)
        for page, start, stop, scores in zip(
            pages, lessons.starts[:-1], lessons.starts[1:], kind_scores, strict=True
        )
    ]
    more = boosting.binned(SECOND_COLUMNS, np.concatenate([some.T for some in votes]))
    both = Binned(data.names + more.names, data.edges + more.edges, np.concatenate((data.bins, more.bins)))
    second = boosting.grow(both, every, lessons.target, lessons.weight, SECOND)
    scores = _unseen(both, lessons.row_folds(), lessons.target, lessons.weight, SECOND)
    expected, reached = _outcomes(lessons, scores, kind_scores)
    calibration = _calibration(expected, reached)
    table = Table(
        version=version,
        first=first.forest(data),
        kinds=kind_trees,
        second=second.forest(both),
        calibration=calibration,
    )
    return table, expected, reached


def _unseen(data: Binned, folds: Offsets, target: Floats, weight: Floats, plan: BoostingPlan) -> Offsets:
    """Scores of all rows, each by trees that did not see its part: int64, in ten-thousandths."""
    scores = np.zeros(target.size)
    for part in range(FOLDS):
        seen, unseen = np.flatnonzero(folds != part), np.flatnonzero(folds == part)
        if unseen.size:
            grown = boosting.grow(data, seen, target[seen], weight[seen], plan)
            scores[unseen] = grown.scores(data, unseen)
    return np.rint(scores * UNIT).astype(np.int64)


def _kinds(lessons: Lessons) -> tuple[tuple[Forest, ...], NDArray[np.int64]]:
    """Trees for the kinds of pages, and each page's scores by trees that did not see its site."""
    pages = lessons.pages
    rows = [kinds.summary(page.values, page.word_tenths).T for page in pages]
    names = kinds.summary_names(BLOCK_COLUMNS)
    data = boosting.binned(names, np.concatenate(rows), _KIND_BINS)
    weight = np.array([COPIES[page.copy] for page in pages])
    weight *= np.where(_of_many_kinds(lessons), 1.0, _OTHER_SETS)
    forests, scores = [], []
    for kind in KINDS:
        target = np.array([float(page.kind == kind) for page in pages])
        target = np.clip(target, 1e-3, 1 - 1e-3)
        forests.append(boosting.grow(data, np.arange(len(pages)), target, weight, KIND).forest(data))
        scores.append(_unseen(data, lessons.folds, target, weight, KIND))
    return tuple(forests), np.stack(scores, 1)


def _of_many_kinds(lessons: Lessons) -> Flags:
    """Mark the pages whose file has pages of several kinds."""
    files = [page.file for page in lessons.pages]
    kinds = {(page.file, page.kind) for page in lessons.pages}
    several = {file for file in files if sum(own == file for own, _ in kinds) > 1}
    return np.array([file in several for file in files])


def _second_columns(
    page: Example, first_scores: Offsets, kind_scores: NDArray[np.int64]
) -> NDArray[np.float32]:
    values = np.empty((len(SECOND_COLUMNS), first_scores.size), np.float32)
    vote(page.page, first_scores, values[: len(VOTES)])
    values[len(VOTES) :] = kind_scores[:, None]
    return values


def _outcomes(lessons: Lessons, scores: Offsets, kind_scores: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Expected and reached F1 of the pages as they are."""
    same = np.array([[0.0, 0.0], [1.0, 1.0]])
    expected, reached = [], []
    for number, page in enumerate(lessons.pages):
        if page.copy == "as it is":
            own = scores[lessons.starts[number] : lessons.starts[number + 1]]
            likely = kinds.keeps_the_likely(kind_scores[number])
            chosen = choice.choose(own, page.word_tenths, likely=likely, calibration=same)
            expected.append(chosen.confidence)
            reached.append(_f1(page, chosen.kept))
    return np.array(expected), np.array(reached)


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
            points.append(
                (
                    (left[0] * left[2] + right[0] * right[2]) / size,
                    (left[1] * left[2] + right[1] * right[2]) / size,
                    size,
                )
            )
    return np.array([(round(x, 4), round(y, 4)) for x, y, _ in points])
