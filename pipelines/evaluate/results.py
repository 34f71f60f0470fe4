"""The results of `cedar evaluate`: means, intervals and differences over pages, as tables and JSON."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cedar.pipelines.common.terminal import plural, show_rows
from cedar.pipelines.evaluate.options import Sweep
from cedar.transforms.curation.languages import iso_639_3
from cedar.transforms.files.local import whole_file
from cedar.transforms.files.storage import writing
from cedar.transforms.scoring.contest import Contestant, PageScore
from cedar.transforms.scoring.gold import evenly_spaced
from cedar.transforms.scoring.metrics import Interval, Summary, mean_interval, space_saving, summarise

SCHEMA = 2
"""Version of the JSON's layout."""

NO_GROUP = "unknown"
"""The group of pages whose type or language is not known."""


@dataclass(frozen=True, slots=True)
class Result:
    """One extractor on the pages of one set, or of one group in it (`by` page_type or lang).

    Attributes:
        failed: number of pages on which the extractor failed; they score 0.
        fallbacks: number of pages on which another method stood in.
        summaries: by measure; None where no page has anything for it.
        difference: F1 of the first measure less the first extractor's on the same pages; None for the
            first extractor itself.
        cpu_ms: mean CPU milliseconds a page, of decoding and extracting.
        space_saving: 1 - bytes of text / bytes of HTML; `space_saving_packed`: both deflated.
    """

    set: str
    extractor: str
    by: str | None
    group: str | None
    pages: int
    failed: int
    fallbacks: int
    summaries: tuple[Summary | None, ...]
    difference: Interval | None
    cpu_ms: float
    space_saving: float
    space_saving_packed: float

    @property
    def first(self) -> Summary | None:
        """The summary of the first measure."""
        return self.summaries[0]


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """All scores of a run; extractors and measures are in the order of the command line."""

    contestants: tuple[Contestant, ...]
    metrics: tuple[str, ...]
    by: tuple[str, ...]
    sweep: Sweep | None
    seed: int
    scores: tuple[PageScore, ...]
    folds: int | None = None

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """Results by set, then by extractor; the groups of a set follow it."""
        results: list[Result] = []
        for set_name in dict.fromkeys(s.set for s in self.scores):
            chosen = [s for s in self.scores if s.set == set_name]
            results += _results(chosen, None, None, seed=self.seed)
            for grouping in self.by:
                for group in sorted({_group(s, grouping) for s in chosen}):
                    members = [s for s in chosen if _group(s, grouping) == group]
                    results += _results(members, grouping, group, seed=self.seed)
        return tuple(results)

    @property
    def sets(self) -> tuple[str, ...]:
        """Names of the sets."""
        return tuple(dict.fromkeys(result.set for result in self.results))

    def select(self, set_name: str, by: str | None = None) -> list[Result]:
        """Return the results of a set, over all pages or by group."""
        return [result for result in self.results if (result.set, result.by) == (set_name, by)]

    @property
    def broken(self) -> dict[str, str]:
        """The extractors that could not run on any page, and why."""
        found = {s.extractor: s.failure or "" for s in self.scores if s.is_broken}
        for s in self.scores:
            if not s.is_broken:
                found.pop(s.extractor, None)
        return found

    @property
    def failed_everywhere(self) -> set[str]:
        """The extractors that failed on every page."""
        came_through = {s.extractor for s in self.scores if s.failure is None}
        return {s.extractor for s in self.scores} - came_through

    def failures(self, max_lines: int = 20) -> Iterator[str]:
        """Yield the pages on which an extractor failed, at most `max_lines` of each extractor."""
        broken = self.broken
        yield from (f"{extractor} could not be run: {why}" for extractor, why in broken.items())
        failed: Counter[str] = Counter()
        for s in self.scores:
            if s.extractor in broken:
                continue
            failed[s.extractor] += s.failure is not None
            if s.failure is not None and failed[s.extractor] <= max_lines:
                yield f"{s.extractor} failed on {s.set} {s.page}: {s.failure.splitlines()[0]}"
        for extractor, number in failed.items():
            if number > max_lines:
                yield f"{extractor} failed on {number - max_lines} more; --results names them"

    def f1_of_pages(self, set_name: str, extractor: str, limit: int) -> tuple[float, ...]:
        """Return F1 of the first measure of at most `limit` pages of a set, evenly spaced among them."""
        own = [s for s in self.scores if (s.set, s.extractor) == (set_name, extractor)]
        return tuple(first_f1(own[place]) for place in evenly_spaced(len(own), limit))

    def worst(self, extractor: str, number: int) -> list[PageScore]:
        """Return the pages with the lowest F1 of the first measure, lowest first; none of F1 1."""
        own = [s for s in self.scores if s.extractor == extractor and s.agreements[0] is not None]
        return sorted((s for s in own if first_f1(s) < 1), key=first_f1)[:number]


def _group(score: PageScore, by: str) -> str:
    return (score.page_type if by == "page_type" else iso_639_3(score.lang or "")) or NO_GROUP


def first_f1(score: PageScore) -> float:
    """Return F1 of the first measure, 0 if the gold has nothing for it."""
    first = score.agreements[0]
    return first.f1 if first is not None else 0.0


def _results(
    scores: Iterable[PageScore], by: str | None, group: str | None, *, seed: int
) -> Iterator[Result]:
    """Yield a result for each extractor; all have the same pages in the same order."""
    by_extractor: dict[str, list[PageScore]] = {}
    for each in scores:
        by_extractor.setdefault(each.extractor, []).append(each)
    baseline: list[PageScore] | None = None
    for label, own in by_extractor.items():
        is_broken = all(s.is_broken for s in own)
        measured = [
            [] if is_broken else [a for a in column if a is not None]
            for column in zip(*(s.agreements for s in own), strict=True)
        ]
        yield Result(
            set=own[0].set,
            extractor=label,
            by=by,
            group=group,
            pages=len(own),
            failed=sum(s.failure is not None for s in own),
            fallbacks=sum(s.fallback is not None for s in own),
            summaries=tuple(summarise(column, seed=seed) if column else None for column in measured),
            difference=_difference(own, baseline, seed) if baseline is not None and measured[0] else None,
            cpu_ms=sum(s.cpu_seconds for s in own) / len(own) * 1e3,
            space_saving=space_saving(sum(s.text_bytes for s in own), sum(s.html_bytes for s in own)),
            space_saving_packed=space_saving(
                sum(s.text_packed for s in own), sum(s.html_packed for s in own)
            ),
        )
        if not is_broken:
            baseline = baseline or own


def _difference(own: Sequence[PageScore], baseline: Sequence[PageScore], seed: int) -> Interval:
    pairs = [
        (first_f1(a), first_f1(b)) for a, b in zip(own, baseline, strict=True) if a.agreements[0] is not None
    ]
    a, b = np.array(pairs).T
    return mean_interval(a - b, seed=seed)


def write_results(path: str, found: dict[str, Any]) -> None:
    """Write results, whole or not at all; raises CannotWriteError."""
    with writing(path), whole_file(Path(path)) as written:
        text = json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False)
        written.write_text(f"{text}\n", encoding="utf-8")


def evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return all results as JSON; `docs/evaluation.md` explains the fields."""
    metrics = evaluation.metrics
    return {
        "schema": SCHEMA,
        "cedar": version("cedar-corpus"),
        "seed": evaluation.seed,
        "metrics": list(metrics),
        "sweep": None if evaluation.sweep is None else asdict(evaluation.sweep),
        "extractors": [
            {"label": c.label, "name": c.name, "options": json.loads(c.options)}
            for c in evaluation.contestants
        ],
        "results": [_result_json(result, metrics) for result in evaluation.results],
        "pages": [_page_json(score, metrics) for score in evaluation.scores],
    }


def _result_json(result: Result, metrics: Sequence[str]) -> dict[str, Any]:
    fields = asdict(result)
    by_metric = dict(zip(metrics, fields.pop("summaries"), strict=True))
    return {**rounded({**fields, "metrics": by_metric}), "cpu_ms": round(result.cpu_ms, 3)}


def _page_json(score: PageScore, metrics: Sequence[str]) -> dict[str, Any]:
    names = ("set", "page", "extractor", "failure", "fallback")
    shares = [None if a is None else [a.precision, a.recall, a.f1] for a in score.agreements]
    return {
        **{name: getattr(score, name) for name in names},
        "metrics": rounded(dict(zip(metrics, shares, strict=True))),
        "cpu_ms": round(score.cpu_seconds * 1e3, 3),
    }


def rounded(value: Any) -> Any:
    """Return a JSON value with its numbers rounded to six decimals."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return list(map(rounded, value))
    return round(value, 6) if isinstance(value, float) else value


def print_evaluation(evaluation: Evaluation, notes: Mapping[str, Sequence[str]]) -> None:
    """Print a table for each set and grouping, and below a set's table its notes."""
    for set_name in evaluation.sets:
        pages = evaluation.select(set_name)[0].pages
        title = f"{set_name}: {plural(pages, 'page')}, {evaluation.metrics[0]}"
        show_rows(result_rows(evaluation, set_name), before=[title], after=[*notes[set_name], ""])
        for title, rows in crossed_tables(evaluation, set_name):
            show_rows(rows, before=[f"{set_name}: {title}"], after=[""])


def result_rows(evaluation: Evaluation, set_name: str) -> list[tuple[str, ...]]:
    """Return the table of a set: a row of headings, then one for each extractor."""
    others = evaluation.metrics[1:]
    mean = ("P", "R", "F1", "95 %", "F of means", "Score")
    head = ("extractor", *mean, *others, "difference", "CPU ms", "saved", "packed", "failed")
    rows = [head]
    for result in evaluation.select(set_name):
        first, apart = result.first, result.difference
        numbers = ["-"] * 6
        if first is not None:
            shares = (first.precision, first.recall, first.f1.mean, first.f_of_means, first.score)
            numbers = [f"{share:.3f}" for share in shares]
            numbers.insert(3, f"{first.f1.low:.3f}-{first.f1.high:.3f}")
        rows.append(
            (
                result.extractor,
                *numbers,
                *("-" if s is None else f"{s.f1.mean:.3f}" for s in result.summaries[1:]),
                f"{apart.mean:+.3f} ({apart.low:+.3f} {apart.high:+.3f})" if apart else "",
                f"{result.cpu_ms:.2f}",
                f"{result.space_saving:.0%}",
                f"{result.space_saving_packed:.0%}",
                str(result.failed),
            )
        )
    return rows


def crossed_tables(evaluation: Evaluation, set_name: str) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the tables of a set by group, each with its title."""
    for grouping in evaluation.by:
        results = evaluation.select(set_name, by=grouping)
        groups = {result.group or "": result.pages for result in results}
        columns = [[r for r in results if r.group == group] for group in groups]
        heads = [f"{group} ({pages})" for group, pages in groups.items()]
        yield f"F1 by {grouping}", _crossed(evaluation, heads, columns)


def _crossed(
    evaluation: Evaluation, heads: Sequence[str], columns: Sequence[Sequence[Result]]
) -> list[tuple[str, ...]]:
    """Return F1 of the first measure: a row of headings, then a row for each extractor."""
    tables = [{r.extractor: r.first for r in column} for column in columns]
    rows = [("extractor", *heads)]
    for contestant in evaluation.contestants:
        cells = (table.get(contestant.label) for table in tables)
        rows.append((contestant.label, *("-" if cell is None else f"{cell.f1.mean:.3f}" for cell in cells)))
    return rows
