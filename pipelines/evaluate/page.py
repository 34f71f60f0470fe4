"""The page of `cedar evaluate --output`: charts, tables, and the worst pages drawn."""

import hashlib
import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cedar.pipelines.common.page_lookup import PageSource, read_page
from cedar.pipelines.common.shared_options import ExtractorOptions
from cedar.pipelines.common.terminal import plural
from cedar.pipelines.drawing.charts import Plane, ScoreBar, ScoreBars, Series
from cedar.pipelines.drawing.pages import render, write_html
from cedar.pipelines.evaluate.results import Evaluation, crossed_tables, result_rows
from cedar.pipelines.evaluate.sweep import best_value, sweep_notes, swept_extractors
from cedar.pipelines.explain.drawn import Reference, bounded_memory, explain
from cedar.pipelines.explain.drawn import page_html as drawing_html
from cedar.transforms.extractors import registry
from cedar.transforms.files.http_options import WebConfig
from cedar.transforms.model.books import RejectedError
from cedar.transforms.runtime.guard_limits import GuardFaultError
from cedar.transforms.scoring.contest import Contestant, PageScore
from cedar.transforms.scoring.gold import GoldSet

WORST = 8
"""Pages that are listed for each extractor."""

MAX_DRAWN = 80
"""Pages that are drawn for all extractors together, a few hundred kB each."""

MAX_DOTS = 200
"""Pages of a set that are dots of a chart."""


def write_page(evaluation: Evaluation, path: Path, sets: Sequence[GoldSet]) -> None:
    """Write the page, and into `<name>-pages` the worst pages of each extractor and drawings of them.

    Raises UsageError or OSError.
    """
    directory = directory_of_pages(path)
    directory.mkdir(exist_ok=True)
    shown = shown_contestants(evaluation)
    worst = [
        (contestant, score)
        for contestant in shown
        for score in evaluation.worst(contestant.label, min(WORST, max(1, MAX_DRAWN // len(shown))))
    ]
    gold: dict[tuple[str, str], str] = {}
    wanted = {(score.set, score.page) for _, score in worst}
    for gold_set in sets:
        for page in gold_set.read(range(gold_set.count())):
            if (page.set, page.id) in wanted:
                gold[page.set, page.id] = page.text
                (directory / file_name(page.set, page.id)).write_bytes(page.html)
    rows: dict[str, list[WorstPage]] = {contestant.label: [] for contestant in shown}
    for contestant, score in worst:
        text = gold[score.set, score.page]
        drawing = _draw(contestant, score, directory, gold=text, metric=evaluation.metrics[0])
        rows[contestant.label].append(WorstPage.of(score, f"{directory.name}/{drawing}"))
    write_html(path, page_html(evaluation, rows))


def shown_contestants(evaluation: Evaluation) -> list[Contestant]:
    """Return the extractors whose worst pages are shown: all, or those with the best values of a sweep."""
    if evaluation.sweep is None:
        return list(evaluation.contestants)
    found = (
        best_value(evaluation, set_name, swept)
        for swept in swept_extractors(evaluation)
        for set_name in evaluation.sets
    )
    return list(dict.fromkeys(best[1] for best in found if best is not None))


@dataclass(frozen=True, slots=True)
class WorstPage:
    """A row of the worst pages: its precision, recall and F1, a remark, and a file that shows it."""

    page: str
    shares: tuple[str, str, str]
    remark: str
    link: str

    @staticmethod
    def of(score: PageScore, link: str) -> "WorstPage":
        """Make the row of a score."""
        first = score.agreements[0]
        assert first is not None
        precision, recall, f1 = (f"{value:.3f}" for value in (first.precision, first.recall, first.f1))
        remark = score.failure or score.fallback or ""
        return WorstPage(f"{score.set} {score.page}", (precision, recall, f1), remark, link)


def _draw(contestant: Contestant, score: PageScore, directory: Path, *, gold: str, metric: str) -> str:
    """Draw a page as `cedar explain` does, next to it; return the drawing's name, or the page's.

    Pages of extractors by others, and pages on which the extractor fails, are not drawn.
    """
    name = file_name(score.set, score.page)
    if contestant.is_peer or score.failure is not None:
        return name
    choice = ExtractorOptions(contestant.name, tuple(contestant.given))
    record = registry.parse_options(choice.name, json.loads(contestant.options))
    page = read_page(PageSource(path=str(directory / name), offset=None), None, WebConfig())
    try:
        with bounded_memory():
            work = explain(page.html, choice, record)
    except (RejectedError, GuardFaultError, MemoryError):
        return name
    shares = score.agreements[0]
    assert shares is not None
    reference = Reference.of_gold(work.text, gold, metric=metric, shares=shares)
    command = shlex.join(["cedar", "explain", str(directory / name), "--extractor", choice.label])
    drawing = f"{name.removesuffix('.html')}-{re.sub(r'[^A-Za-z0-9._-]', '_', contestant.label)[:60]}.html"
    write_html(directory / drawing, drawing_html(page, [work], [reference], command=command))
    return drawing


def directory_of_pages(path: Path) -> Path:
    """Return where the worst pages are kept that a page of results shows."""
    return path.with_name(f"{path.stem}-pages")


def file_name(set_name: str, page: str) -> str:
    """Return a file name for a page: plain characters, and different for each page."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", f"{set_name}-{page}")[:80].lstrip(".-")
    digest = hashlib.sha256(f"{set_name}\0{page}".encode()).hexdigest()[:6]
    return f"{plain}-{digest}.html"


def page_html(evaluation: Evaluation, worst: Mapping[str, Sequence[WorstPage]]) -> str:
    """Return the page; `worst` are the worst pages by the extractor's label."""
    extractors = plural(len(evaluation.contestants), "extractor")
    pages = plural(len({(score.set, score.page) for score in evaluation.scores}), "page")
    summary = (
        f"{extractors} on {pages} ({', '.join(evaluation.sets)}). "
        f"Bars, dots and points: {evaluation.metrics[0]}. F1 is the mean over pages, with its 95 % bootstrap "
        f"interval; a dot is a page. Differences are paired, to {evaluation.contestants[0].label}."
    )
    sections = [_section(evaluation, name) for name in evaluation.sets]
    return render("evaluation", {"summary": summary, "sections": sections, "worst": worst})


def _section(evaluation: Evaluation, name: str) -> dict[str, Any]:
    """Return what the page shows of a set: charts and tables, each with a heading or "", and notes."""
    charts = _scores(evaluation, name) if evaluation.sweep is None else _curves(evaluation, name)
    tables = [("", result_rows(evaluation, name)), *crossed_tables(evaluation, name)]
    notes = list(sweep_notes(evaluation, name))
    return {"name": name, "charts": list(charts), "tables": tables, "notes": notes}


def _scores(evaluation: Evaluation, name: str) -> Iterator[tuple[str, ScoreBars | Plane]]:
    """Yield the charts of a set: F1 with its interval, and precision over recall."""
    measured = [(r.extractor, r.first) for r in evaluation.select(name) if r.first is not None]
    rows = tuple(
        ScoreBar(label, s.f1.mean, s.f1.low, s.f1.high, evaluation.f1_of_pages(name, label, MAX_DOTS))
        for label, s in measured
    )
    yield "", ScoreBars(f"F1 on {name}", rows)
    points = tuple(Series(label, ((s.recall, s.precision),)) for label, s in measured)
    yield "", Plane.of_points(f"Precision and recall on {name}", ("recall", "precision"), points)


def _curves(evaluation: Evaluation, name: str) -> Iterator[tuple[str, Plane]]:
    """Yield a chart for each extractor: precision, recall and F1 over the option that was varied."""
    found = {r.extractor: r.first for r in evaluation.select(name)}
    for swept in swept_extractors(evaluation):
        tried = zip(swept.values, swept.contestants, strict=True)
        own = [(float(value), s) for value, c in tried if (s := found.get(c.label)) is not None]
        series = (
            Series("precision", tuple((x, s.precision) for x, s in own)),
            Series("recall", tuple((x, s.recall) for x, s in own)),
            Series("F1", tuple((x, s.f1.mean) for x, s in own)),
        )
        title = f"{swept.label} on {name} over {swept.option}"
        yield swept.label, Plane.of_lines(title, (swept.option, evaluation.metrics[0]), series)
