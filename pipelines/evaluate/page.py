"""The results of `cedar evaluate` as one page of HTML: no script, no request, all text escaped."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.drawing.charts import Plane, ScoreBar, ScoreBars, Series
from pipelines.drawing.pages import render, write_whole
from pipelines.evaluate.results import Evaluation, crossed_tables, result_rows
from transforms.scoring import oracles
from transforms.scoring.contest import Contestant, PageScore
from transforms.scoring.gold import GoldSet
from transforms.scoring.variants import ORIGINAL

WORST = 8
"""Pages that are listed for each extractor."""


def write_page(evaluation: Evaluation, path: Path, sets: Sequence[GoldSet]) -> None:
    """Write the page, and the worst pages of each extractor into `<name>-pages`; UsageError or OSError."""
    directory = directory_of_pages(path)
    wanted = {
        (score.set, score.page) for c in evaluation.contestants for score in evaluation.worst(c.label, WORST)
    }
    directory.mkdir(exist_ok=True)
    for gold_set in sets:
        for page in gold_set.read(range(gold_set.count())):
            if (page.set, page.id) in wanted:
                (directory / file_name(page.set, page.id)).write_bytes(page.html)
    write_whole(path, page_html(evaluation, directory))


def directory_of_pages(path: Path) -> Path:
    """Return where the worst pages are kept that a page of results shows."""
    return path.with_name(f"{path.stem}-pages")


def file_name(set_name: str, page: str) -> str:
    """Name of the file that a page is kept in: plain characters, and no two alike."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", f"{set_name}-{page}")[:80].lstrip(".-")
    digest = hashlib.sha256(f"{set_name}\0{page}".encode()).hexdigest()[:6]
    return f"{plain}-{digest}.html"


@dataclass(frozen=True, slots=True)
class Section:
    """What is shown of a set: charts and tables with a heading or "", and notes below the first table."""

    name: str
    charts: tuple[tuple[str, ScoreBars | Plane], ...]
    tables: tuple[tuple[str, Sequence[Sequence[str]]], ...]
    notes: tuple[str, ...]


def page_html(evaluation: Evaluation, directory: Path) -> str:
    """Return the page."""
    pages = len({(score.set, score.page) for score in evaluation.scores})
    summary = (
        f"{len(evaluation.contestants)} extractors on {pages} pages ({', '.join(evaluation.sets)}). "
        f"Bars and points: {evaluation.metrics[0]}; F1 is the mean over pages, with its 95 % bootstrap "
        f"interval. Differences are paired, to {evaluation.contestants[0].label}."
    )
    worst = [
        (c.label, [_worst(c, score, directory) for score in evaluation.worst(c.label, WORST)])
        for c in evaluation.contestants
    ]
    sections = [_section(evaluation, name) for name in evaluation.sets]
    return render("evaluation", {"summary": summary, "sections": sections, "worst": worst})


def _section(evaluation: Evaluation, name: str) -> Section:
    tables = [("", result_rows(evaluation, name, ORIGINAL)), *crossed_tables(evaluation, name)]
    charts = _scores(evaluation, name) if evaluation.sweep is None else _curves(evaluation, name)
    return Section(name, tuple(charts), tuple(tables), tuple(evaluation.bounds(name, ORIGINAL)))


def _scores(evaluation: Evaluation, name: str) -> Iterator[tuple[str, ScoreBars | Plane]]:
    """F1 with its interval, and precision over recall."""
    measured = [(r.extractor, r.first) for r in evaluation.select(name) if r.first is not None]
    rows = tuple(ScoreBar(label, s.f1.mean, s.f1.low, s.f1.high) for label, s in measured)
    yield "", ScoreBars(f"F1 on {name}", rows)
    points = tuple(Series(label, ((s.recall, s.precision),)) for label, s in measured)
    yield "", Plane.of_points(f"Precision and recall on {name}", ("recall", "precision"), points)


def _curves(evaluation: Evaluation, name: str) -> Iterator[tuple[str, Plane]]:
    """Precision, recall and F1 over the option that was varied: a chart for each extractor."""
    assert evaluation.sweep is not None
    option, values = evaluation.sweep.option, evaluation.sweep.values
    found = {r.extractor: r.first for r in evaluation.select(name)}
    for first in range(0, len(evaluation.contestants), len(values)):
        swept = evaluation.contestants[first : first + len(values)]
        own = [
            (float(value), summary)
            for value, contestant in zip(values, swept, strict=True)
            if (summary := found.get(contestant.label)) is not None
        ]
        series = (
            Series("precision", tuple((x, s.precision) for x, s in own)),
            Series("recall", tuple((x, s.recall) for x, s in own)),
            Series("F1", tuple((x, s.f1.mean) for x, s in own)),
        )
        method = swept[0].label.rpartition(f"{option}=")[0].rstrip(":,")
        title = f"{method} on {name} over {option}"
        yield method, Plane.of_lines(title, (option, evaluation.metrics[0]), series)


def _worst(contestant: Contestant, score: PageScore, directory: Path) -> tuple[str, ...]:
    """A page, its figures, what is to be said of it, and the command that draws it; of peers the file."""
    first = score.agreements[0]
    assert first is not None
    path = str(directory / file_name(score.set, score.page))
    command = ["cedar", "explain", path, "--extractor", contestant.name]
    for name, value in contestant.given:
        command += ["--extractor-option", f"{name}={value}"]
    is_of_others = contestant.is_peer or contestant.name == oracles.NAME
    return (
        f"{score.set} {score.page}",
        *(f"{value:.3f}" for value in (first.precision, first.recall, first.f1)),
        score.failure or score.fallback or "",
        path if is_of_others else shlex.join(command),
    )
