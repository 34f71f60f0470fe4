"""A report in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pipelines.common.messages import table_console, visible
from pipelines.report.figures import ReportTable
from pipelines.report.view import ReportView
from transforms.corpus.settle import books_json
from transforms.model.books import Books

if TYPE_CHECKING:
    from rich.console import Console

_ROWS = 10
_FIRST = 24  # characters of a first column that are not given up to the others


def print_report(report: ReportView) -> None:
    """Print the sums and the tables of a report."""
    tables = (ReportTable("", ("", ""), report.facts), *_tables(report))
    lines = (
        line
        for sample in report.samples
        for line in (
            (f"\n{sample.title}", "bold"),
            (sample.url, ""),
            (" / ".join("".join(piece.text for piece in sample.pieces)[:200].splitlines()), ""),
            (sample.command, "dim"),
        )
    )
    print_tables(report.where, report.verdict, tables, lines, report.problems)


def _tables(report: ReportView) -> Iterator[ReportTable]:
    yield from (*report.change, *report.books, *report.pages, *report.times, report.hosts)


def report_json(report: ReportView, books: Books) -> dict[str, Any]:
    """Return what a report says as JSON: the books in numbers, tables as they are shown."""
    told = tables_json(report.where, report.verdict, _tables(report))
    return {"problems": report.problems, **books_json(books), **told}


def tables_json(where: str, verdict: str, tables: Iterable[ReportTable]) -> dict[str, Any]:
    """Return tables as JSON, each as objects of its rows, below their titles."""
    rows = {table.title: [dict(zip(table.heads, row, strict=True)) for row in table.rows] for table in tables}
    return {"corpus": where, "verdict": verdict, "tables": rows}


def print_tables(
    where: str,
    verdict: str,
    tables: Iterable[ReportTable],
    lines: Iterable[tuple[str, str]],
    problems: Sequence[str] = (),
) -> None:
    """Print tables below a heading, and lines with their styles. NO_COLOR and pipes want no colours."""
    from rich.text import Text

    with table_console() as console:
        console.print(Text(visible(where), style="bold"))
        console.print(Text(verdict, style="" if problems else "green"))
        for problem in problems:
            console.print(Text(visible(problem), style="bold red"))
        for table in tables:
            _print_table(console, table)
        for line, style in lines:
            console.print(Text(visible(line), style=style))


def _print_table(console: Console, table: ReportTable) -> None:
    from rich.table import Table as RichTable
    from rich.text import Text

    if table.title:
        console.print(Text(f"\n{table.title}", style="bold"))
    rows = table.rows if not table.title else table.rows[:_ROWS]
    drawn = RichTable(box=None, pad_edge=False, show_header=any(table.heads), header_style="dim")
    for place, head in enumerate(table.heads):
        left = place == 0 or place in table.texts
        widest = max(len(head), *(len(row[place]) for row in rows)) if rows else len(head)
        drawn.add_column(
            head,
            justify="left" if left else "right",
            no_wrap=True,
            min_width=min(widest, _FIRST) if place == 0 else None if left else widest,
        )
    for row in rows:
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    console.print(drawn)
    more = len(table.rows) - len(rows)
    if more or table.note:
        console.print(
            Text(" ".join(filter(None, (f"{more} more in the HTML." if more else "", table.note))), "dim")
        )
