"""The results of `cedar evaluate` in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.common.messages import show_rows
from pipelines.evaluate.results import Evaluation, Result
from transforms.scoring.variants import ORIGINAL


def print_evaluation(evaluation: Evaluation) -> None:
    """Print a table a set and form, then those by group and by form, on stdout."""
    for set_name in evaluation.sets:
        for variant in evaluation.variants:
            rows = result_rows(evaluation, set_name, variant)
            pages = evaluation.select(set_name, variant)[0].pages
            form = "" if variant == ORIGINAL else f", {variant}"
            notes = tuple(evaluation.bounds(set_name, variant))
            title = f"{set_name}{form}: {pages} pages, {evaluation.metrics[0]}"
            show_rows(rows, before=[title], after=[*notes, ""])
        for title, rows in crossed_tables(evaluation, set_name):
            show_rows(rows, before=[f"{set_name}: {title}"], after=[""])


def result_rows(evaluation: Evaluation, set_name: str, variant: str) -> list[tuple[str, ...]]:
    """Return the table of a set and form: a row of headings, then one for each extractor."""
    others = evaluation.metrics[1:]
    mean = ("P", "R", "F1", "95 %", "F of means", "Score")
    head = ("extractor", *mean, *others, "difference", "CPU ms", "saved", "failed")
    rows = [head]
    for result in evaluation.select(set_name, variant):
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
                f"{result.space_saving:.0%} {result.space_saving_packed:.0%}",
                str(result.failed or ""),
            )
        )
    return rows


def crossed_tables(evaluation: Evaluation, set_name: str) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the tables of a set by group, and by form of the pages, each with its title."""
    for grouping in evaluation.by:
        results = evaluation.select(set_name, by=grouping)
        groups = {result.group or "": result.pages for result in results}
        columns = [[r for r in results if r.group == group] for group in groups]
        heads = [f"{group} ({pages})" for group, pages in groups.items()]
        yield f"F1 by {grouping}", _crossed(evaluation, heads, columns)
    if len(evaluation.variants) > 1:
        columns = [evaluation.select(set_name, variant) for variant in evaluation.variants]
        yield "F1 by form of the pages", _crossed(evaluation, evaluation.variants, columns)


def _crossed(
    evaluation: Evaluation, heads: Sequence[str], columns: Sequence[Sequence[Result]]
) -> list[tuple[str, ...]]:
    """F1 of the first measure: a row of headings, then one for each extractor."""
    tables = [{r.extractor: r.first for r in column} for column in columns]
    rows = [("extractor", *heads)]
    for contestant in evaluation.contestants:
        cells = (table.get(contestant.label) for table in tables)
        rows.append((contestant.label, *("-" if cell is None else f"{cell.f1.mean:.3f}" for cell in cells)))
    return rows
