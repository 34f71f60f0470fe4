"""`cedar report`: a corpus, drawn: its books, its pages, its time; of two corpora what changed."""

from __future__ import annotations

import webbrowser
from collections.abc import Iterable
from pathlib import Path

from pipelines.common.errors import UsageError
from pipelines.common.messages import show
from pipelines.dedup import report as duplicates
from pipelines.drawing.pages import render
from pipelines.explain.command import write_whole
from pipelines.extract.settle import settle
from pipelines.report.change import change
from pipelines.report.facts import CorpusFacts, gather
from pipelines.report.options import ReportOptions
from pipelines.report.scan import open_corpus
from pipelines.report.text import print_report, print_tables
from pipelines.report.view import problems, verdict, view


def run(options: ReportOptions) -> int:
    """Run `cedar report`; returns the exit code: 1 where the corpus does not add up.

    Raises:
        UsageError: the user's input is wrong; nothing was written.
    """
    results = [duplicates.is_result(path) for path in options.corpora]
    if any(results):
        if not all(results):
            raise UsageError("a corpus is not compared with a result of `cedar dedup`")
        return _report_duplicates(options)
    corpora = [open_corpus(path) for path in options.corpora]
    try:
        if options.settle:
            for corpus, _ in corpora:
                settle(corpus)
        facts = [gather(corpus, given, fingerprints=len(corpora) > 1) for corpus, given in corpora]
        changed = change(facts[0], facts[1]) if len(facts) > 1 else None
    except (OSError, ValueError) as fault:
        raise UsageError(f"cannot read the corpus: {fault}") from fault
    last = facts[-1]
    shown = view(last, changed)
    if options.text:
        print_report(shown)
    if options.output is not None or not options.text:
        content = render("report", {"report": shown, "about": options.corpora})
        _write_page(content, options, (verdict(last), *problems(last)))
    return 0 if all(map(_adds_up, facts)) else 1


def _report_duplicates(options: ReportOptions) -> int:
    """Report a result of `cedar dedup`, or two."""
    if options.settle:
        raise UsageError(
            "--settle is for corpora: a result of `cedar dedup` settles itself when it is finished"
        )
    try:
        shown = duplicates.view(options.corpora)
    except (OSError, ValueError) as fault:
        raise UsageError(f"cannot read the result: {fault}") from fault
    if options.text:
        print_tables(shown.where, shown.verdict, shown.tables, duplicates.lines(shown))
    if options.output is not None or not options.text:
        _write_page(render("duplicates", {"result": shown}), options, (shown.verdict,))
    return 0


def _write_page(content: str, options: ReportOptions, summary: Iterable[str]) -> None:
    """Write a report's page, say in a few lines what it says, and show it where that is asked for.

    Raises:
        UsageError: it cannot be written.
    """
    target = Path(options.output or "report.html")
    try:
        written = write_whole(target, content)
    except OSError as fault:
        raise UsageError(f"cannot write {target}: {fault}") from fault
    for line in summary:
        show(line)
    show(f"{target}: {written / 1e3:,.0f} kB")
    if options.open:
        webbrowser.open(target.resolve().as_uri())


def _adds_up(facts: CorpusFacts) -> bool:
    return facts.books.balanced and not facts.missing and facts.page_rows == facts.books.pages
