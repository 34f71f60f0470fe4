"""`cedar report`: a corpus, drawn: its counts, its pages, its time; given two corpora, what changed."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.common.terminal import (
    escape_controls,
    info,
    print_out,
    print_unless,
    table_console,
    warn,
)
from cedar.pipelines.dedup.plan import read_description
from cedar.pipelines.dedup.result import DedupResult
from cedar.pipelines.drawing.pages import publish, render
from cedar.pipelines.report import duplicates
from cedar.pipelines.report.facts import read_facts
from cedar.pipelines.report.figures import ReportTable
from cedar.pipelines.report.options import ReportOptions
from cedar.pipelines.report.view import view
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.outputs import refuse_overwriting
from cedar.transforms.corpus.settle import books_json
from cedar.transforms.model.books import Books

if TYPE_CHECKING:
    from rich.console import Console

_ROWS = 10
_FIRST_COLUMN = 24  # characters that a first column keeps


def print_report(report: Mapping[str, Any]) -> None:
    """Print the sums and the tables of a report."""
    tables = (ReportTable("", ("", ""), tuple(report["facts"])), *_tables(report))
    lines: list[tuple[str, str]] = []
    for sample in report["samples"]:
        text = "".join(piece.text for piece in sample.pieces)[:200]
        lines += [
            (f"\n{sample.title}", "bold"),
            (sample.url, ""),
            (" / ".join(text.splitlines()), ""),
            (sample.command, "dim"),
        ]
    print_tables(report["where"], report["verdict"], tables, lines=lines, problems=report["problems"])


def _tables(report: Mapping[str, Any]) -> list[ReportTable]:
    return [*report["change"], *report["books"], *report["pages"], *report["times"], report["hosts"]]


def report_json(report: Mapping[str, Any], books: Books) -> dict[str, Any]:
    """Return what a report says as JSON: the books in numbers, tables as they are shown."""
    tables = tables_json(report["where"], report["verdict"], _tables(report))
    return {"problems": report["problems"], **books_json(books), **tables}


def tables_json(where: str, verdict: str, tables: Iterable[ReportTable]) -> dict[str, Any]:
    """Return tables as JSON, each as objects of its rows, below their titles."""
    rows = {table.title: [dict(zip(table.heads, row, strict=True)) for row in table.rows] for table in tables}
    return {"corpus": where, "verdict": verdict, "tables": rows}


def print_tables(
    where: str,
    verdict: str,
    tables: Iterable[ReportTable],
    *,
    lines: Iterable[tuple[str, str]],
    problems: Sequence[str] = (),
) -> None:
    """Print tables below a heading, and lines with their styles; no colours with NO_COLOR or in a pipe."""
    from rich.text import Text

    with table_console() as console:
        console.print(Text(escape_controls(where), style="bold"))
        console.print(Text(verdict, style="" if problems else "green"))
        for problem in problems:
            console.print(Text(escape_controls(problem), style="bold red"))
        for table in tables:
            _print_table(console, table)
        for line, style in lines:
            console.print(Text(escape_controls(line), style=style))


def _print_table(console: "Console", table: ReportTable) -> None:
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
            min_width=min(widest, _FIRST_COLUMN) if place == 0 else None if left else widest,
        )
    for row in rows:
        drawn.add_row(*(Text(escape_controls(cell)) for cell in row))
    console.print(drawn)
    more = len(table.rows) - len(rows)
    notes = [f"{more} more in the HTML."] if more else []
    if table.note:
        notes.append(table.note)
    if notes:
        console.print(Text(" ".join(notes), "dim"))


def run(options: ReportOptions) -> int:
    """Run `cedar report`; returns 1 if the corpus does not add up. Raises UsageError before it writes."""
    target = _target(options)
    results = [read_description(path) is not None for path in options.corpora]
    if any(results):
        if options.duplicates is not None:
            raise UsageError("--duplicates is for the report of a corpus")
        if not all(results):
            raise UsageError("cannot compare a corpus with a result of `cedar dedup`")
        return _report_duplicates(options, target)
    readers = [CorpusReader.at(path) for path in options.corpora]
    duplicates_of = DedupResult.of(options.duplicates, readers[0].corpus.root)
    facts = [read_facts(reader, fingerprints=len(readers) > 1) for reader in readers]
    first = facts[0] if len(facts) > 1 else None
    shown = view(facts[-1], first, duplicates_of.count_kinds(facts[-1].summaries))
    if options.json:
        print_out(json.dumps(report_json(shown, facts[-1].books)))
    elif options.text:
        print_report(shown)
    if target is not None:
        content = render("report", {"report": shown, "about": options.corpora})
        lines = (shown["verdict"], *shown["problems"])
        publish(target, content, lines, is_opened=options.open, say=_say(options))
    if options.quiet:
        warn(*shown["problems"])
    adds_up = (one.books.balanced and not one.missing and one.page_rows == one.books.pages for one in facts)
    return 0 if all(adds_up) else 1


def _report_duplicates(options: ReportOptions, target: Path | None) -> int:
    with usage_errors(OSError, ValueError, saying="cannot read the result"):
        shown = duplicates.view(options.corpora)
    if options.json:
        print_out(json.dumps(tables_json(shown["where"], shown["verdict"], shown["tables"])))
    elif options.text:
        print_tables(
            shown["where"], shown["verdict"], shown["tables"], lines=duplicates.lines(shown["samples"])
        )
    if target is not None:
        content = render("duplicates", {"result": shown})
        publish(target, content, (shown["verdict"],), is_opened=options.open, say=_say(options))
    return 0


def _say(options: ReportOptions) -> Callable[[str], None]:
    """Return what prints the verdict and the path; if JSON is asked for, standard output is for it."""
    return info if options.json and not options.quiet else print_unless(options.quiet)


def _target(options: ReportOptions) -> Path | None:
    """Return where the page goes; None = no page is wanted. Raises CorpusError for a place it may not go."""
    if (options.text or options.json) and options.output is None:
        return None
    target = Path(options.output or "report.html")
    refuse_overwriting(str(target), filter(None, (*options.corpora, options.duplicates)))
    return target
