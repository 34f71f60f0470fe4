"""The results of `cedar evaluate` as one page of HTML: no script, no request, all text escaped."""

from __future__ import annotations

import base64
import hashlib
import re
import shlex
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from pipelines.drawing.score_charts import Line, ScoreBar, ScorePoint, bars, lines, scatter
from pipelines.evaluate.results import Evaluation
from pipelines.evaluate.table import group_rows, result_rows, variant_rows
from transforms.score import Contestant
from transforms.scoring import oracles, peers
from transforms.scoring.gold_files import GoldSet
from transforms.scoring.page_score import PageScore
from transforms.scoring.variants import ORIGINAL

WORST = 8
"""Pages that are listed for each extractor."""


def write_page(evaluation: Evaluation, path: Path, sets: Sequence[GoldSet]) -> None:
    """Write the page, and the worst pages of every extractor into the directory `<name>-pages` next to it.

    Raises:
        OSError: something cannot be written.
    """
    directory = directory_of_pages(path)
    wanted = {
        (score.set, score.page) for c in evaluation.contestants for score in evaluation.worst(c.label, WORST)
    }
    directory.mkdir(exist_ok=True)
    for gold_set in sets:
        for page in gold_set.read(range(gold_set.count())):
            if (page.set, page.id) in wanted:
                (directory / file_name(page.set, page.id)).write_bytes(page.html)
    path.write_text(page_html(evaluation, directory), encoding="utf-8")


def directory_of_pages(path: Path) -> Path:
    """Return where the worst pages are kept that a page of results shows."""
    return path.with_name(f"{path.stem}-pages")


def file_name(set_name: str, page: str) -> str:
    """Name of the file that a page is kept in: plain characters, and no two alike."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", f"{set_name}-{page}")[:80].lstrip(".-")
    digest = hashlib.sha256(f"{set_name}\0{page}".encode()).hexdigest()[:6]
    return f"{plain}-{digest}.html"


def page_html(evaluation: Evaluation, directory: Path) -> str:
    """Return the page."""
    templates = files("pipelines.drawing") / "templates"
    style = (templates / "evaluation.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    pages = len({(score.set, score.page) for score in evaluation.scores})
    summary = (
        f"{len(evaluation.contestants)} extractors on {pages} pages ({', '.join(evaluation.sets)}). "
        f"Bars and points: {evaluation.metrics[0]}; F1 is the mean over pages, with its 95 % bootstrap "
        f"interval. Differences are paired, to {evaluation.contestants[0].label}."
    )
    body = [_set_section(evaluation, name) for name in evaluation.sets]
    body.append(_worst_section(evaluation, directory))
    return Template((templates / "evaluation.html").read_text(encoding="utf-8")).substitute(
        style=style, style_hash=digest, summary=escape(summary), body="\n".join(body)
    )


def _set_section(evaluation: Evaluation, name: str) -> str:
    results = evaluation.select(name)
    measured = [(r.extractor, r.first) for r in results if r.first is not None]
    parts = [f"<section><h2>{escape(name)}</h2>"]
    if evaluation.sweep is None:
        rows = [ScoreBar(label, s.f1.mean, s.f1.low, s.f1.high) for label, s in measured]
        parts.append(_chart(bars(rows, f"F1 on {name}")))
        points = [ScorePoint(label, s.recall, s.precision) for label, s in measured]
        parts.append(_chart(scatter(points, f"Precision and recall on {name}", "recall", "precision")))
    else:
        parts += _curves(evaluation, name)
    parts.append(_table(result_rows(evaluation, name, ORIGINAL)))
    parts += [f"<p>{escape(note)}</p>" for note in evaluation.bounds(name, ORIGINAL)]
    for grouping in evaluation.by:
        parts.append(f"<h3>F1 by {escape(grouping)}</h3>")
        parts.append(_table(group_rows(evaluation, name, grouping)))
    if len(evaluation.variants) > 1:
        parts.append("<h3>F1 by form of the pages</h3>")
        parts.append(_table(variant_rows(evaluation, name)))
    return "".join([*parts, "</section>"])


def _curves(evaluation: Evaluation, name: str) -> list[str]:
    """Precision, recall and F1 over the option that was varied: a chart for each extractor."""
    assert evaluation.sweep is not None
    option, values = evaluation.sweep.option, evaluation.sweep.values
    found = {r.extractor: r.first for r in evaluation.select(name)}
    charts = []
    for first in range(0, len(evaluation.contestants), len(values)):
        swept = evaluation.contestants[first : first + len(values)]
        own = [
            (float(value), summary)
            for value, contestant in zip(values, swept, strict=True)
            if (summary := found.get(contestant.label)) is not None
        ]
        series = [
            Line("precision", tuple((x, s.precision) for x, s in own)),
            Line("recall", tuple((x, s.recall) for x, s in own)),
            Line("F1", tuple((x, s.f1.mean) for x, s in own)),
        ]
        method = swept[0].label.rpartition(f"{option}=")[0].rstrip(":,")
        charts.append(f"<h3>{escape(method)}</h3>")
        drawn = lines(series, f"{method} on {name} over {option}", option, evaluation.metrics[0])
        charts.append(_chart(drawn))
    return charts


def _worst_section(evaluation: Evaluation, directory: Path) -> str:
    parts = ["<section><h2>Worst pages</h2>"]
    for contestant in evaluation.contestants:
        rows = "".join(
            f"<tr><td class='left'>{escape(score.set)} {escape(score.page)}</td>{_numbers(score)}"
            f"<td class='left'>{escape(score.failure or score.fallback or '')}</td>"
            f"<td class='left command'>{_explain(contestant, score, directory)}</td></tr>"
            for score in evaluation.worst(contestant.label, WORST)
        )
        parts.append(
            f"<h3>{escape(contestant.label)}</h3><div class='wide'><table><tr><th>page</th><th>P</th>"
            f"<th>R</th><th>F1</th><th></th><th></th></tr>{rows}</table></div>"
        )
    return "".join([*parts, "</section>"])


def _numbers(score: PageScore) -> str:
    first = score.agreements[0]
    assert first is not None
    return f"<td>{first.precision:.3f}</td><td>{first.recall:.3f}</td><td>{first.f1:.3f}</td>"


def _explain(contestant: Contestant, score: PageScore, directory: Path) -> str:
    """Return the command that draws what became of a page; the extractors of others cannot be asked."""
    path = str(directory / file_name(score.set, score.page))
    if contestant.name.startswith(peers.PREFIX) or contestant.name == oracles.NAME:
        return f"<code>{escape(path)}</code>"
    command = ["cedar", "explain", path, "--extractor", contestant.name]
    for name, value in contestant.given:
        command += ["--extractor-option", f"{name}={value}"]
    return f"<code>{escape(shlex.join(command))}</code>"


def _chart(svg: str) -> str:
    """Return a chart that scrolls where the window is narrow: shrunk, its text could not be read."""
    return f"<div class='wide'>{svg}</div>"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f"<div class='wide'><table><tr>{head}</tr>{body}</table></div>"
