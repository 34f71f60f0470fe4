"""`cedar report`: a corpus, drawn: its books, its pages, its time; of two corpora what changed."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from pipelines.common.errors import UsageError
from pipelines.common.messages import show
from pipelines.drawing.pages import render
from pipelines.explain.command import write_whole
from pipelines.extract.settle import settle
from pipelines.report.change import change
from pipelines.report.facts import Facts, gather
from pipelines.report.options import ReportOptions
from pipelines.report.scan import open_corpus
from pipelines.report.text import print_report
from pipelines.report.view import problems, verdict, view


def run(options: ReportOptions) -> int:
    """Run `cedar report`; returns the exit code: 1 where the corpus does not add up.

    Raises:
        UsageError: the user's input is wrong; nothing was written.
    """
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
        target = Path(options.output or "report.html")
        content = render("report", {"report": shown, "about": options.corpora})
        try:
            written = write_whole(target, content)
        except OSError as fault:
            raise UsageError(f"cannot write {target}: {fault}") from fault
        show(verdict(last))
        for problem in problems(last):
            show(problem)
        show(f"{target}: {written / 1e3:,.0f} kB")
        if options.open:
            webbrowser.open(target.resolve().as_uri())
    return 0 if all(map(_adds_up, facts)) else 1


def _adds_up(facts: Facts) -> bool:
    return facts.books.balanced and not facts.missing and facts.page_rows == facts.books.pages
