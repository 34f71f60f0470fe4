"""The options of `cedar report`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common import option_values
from pipelines.common.arguments import Command, record_of
from pipelines.common.errors import UsageError

_EXAMPLES = """examples:
  cedar report corpus/
  cedar report january/ february/ --output change.html
"""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What `cedar report` was asked for; the help of the parser says what each means."""

    corpora: tuple[str, ...]
    output: str | None
    text: bool
    settle: bool
    open: bool


def add_report_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar report`."""
    add = parser.add_argument
    add(
        "corpora",
        type=option_values.path,
        metavar="CORPUS",
        nargs="+",
        help="directory or URI of a corpus, or of a result of cedar dedup; of two, what changed",
    )
    add(
        "--output",
        type=option_values.path,
        metavar="FILE",
        help="HTML file to write (default: report.html in this directory)",
    )
    add("--open", action="store_true", help="show it in the browser")
    add("--text", action="store_true", help="print a summary; no HTML unless --output is given")
    add(
        "--settle",
        action="store_true",
        help="check the corpus, and write run.json anew from its shards",
    )


def report_options(values: argparse.Namespace) -> ReportOptions:
    """Make the record of parsed arguments.

    Raises:
        UsageError: more than two corpora.
    """
    if len(values.corpora) > 2:
        raise UsageError("a report is of one corpus, or compares two")
    return record_of(ReportOptions, values)


COMMAND = Command(
    usage="CORPUS [CORPUS] [options]",
    summary="a corpus, drawn: its books, its pages, its time",
    description="Draw a corpus: its books, its pages and its time; of two corpora what changed.",
    examples=_EXAMPLES,
    add_arguments=add_report_arguments,
    options=lambda parser, argv: report_options(parser.parse_args(argv)),
)
