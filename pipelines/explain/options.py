"""The options of `cedar explain`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common import option_values
from pipelines.common.arguments import Command, record_of
from pipelines.common.extractor_choice import ExtractorChoice, extractor_choice
from pipelines.common.web_options import add_root_argument, web_options
from transforms.corpus.http_options import WebOptions

_EXAMPLES = """examples:
  cedar explain page.html --extractor cetr --extractor cetd-ds
  cedar explain crawl.warc.gz --url https://site.example/page --open
  cedar explain corpus/ --url https://site.example/page
  cedar explain page.html --extractor cetr-tm:lambda=0.5 --text
"""


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """What `cedar explain` was asked for; the help of the parser says what each means.

    Without `choices` the method is that of the corpus, or the default.
    """

    page: str
    url: str | None
    offset: int | None
    choices: tuple[ExtractorChoice, ...]
    shared_options: tuple[tuple[str, str], ...]
    gold: str | None
    output: str | None
    markdown: bool
    text: bool
    open: bool
    web: WebOptions


def add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar explain`."""
    add = parser.add_argument
    add(
        "page",
        type=option_values.path,
        metavar="PAGE",
        help="an HTML file; or a WARC or ARC file, or a corpus, with --url",
    )
    add("--url", metavar="URL", help="the record, or the page of a corpus, with this URL")
    add_root_argument(parser)
    add(
        "--offset",
        type=option_values.whole_number,
        metavar="N",
        help="the record whose member begins at this byte of the file",
    )
    add(
        "--extractor",
        type=extractor_choice,
        action="append",
        default=[],
        metavar="NAME",
        help="method, with options as NAME:K=V,K=V; several are compared (default: the corpus' own, cedar)",
    )
    add(
        "--extractor-option",
        type=option_values.pair,
        action="append",
        default=[],
        metavar="K=V",
        help="option of every method that has it; may be repeated",
    )
    add(
        "--gold",
        type=option_values.path,
        metavar="FILE",
        help="text that should be kept: missing and surplus words are marked",
    )
    add(
        "--output",
        type=option_values.path,
        metavar="FILE",
        help="HTML file to write (default: PAGE.explain.html in this directory)",
    )
    add("--open", action="store_true", help="show it in the browser")
    add(
        "--markdown",
        action="store_true",
        help="print what is kept as Markdown; no HTML unless --output is given",
    )
    add("--text", action="store_true", help="print kept and dropped blocks; no HTML unless --output is given")


def explain_options(values: argparse.Namespace) -> ExplainOptions:
    """Make the record of parsed arguments."""
    return record_of(
        ExplainOptions,
        values,
        choices=values.extractor,
        shared_options=values.extractor_option,
        web=web_options(values),
    )


COMMAND = Command(
    usage="PAGE [options]",
    summary="one page, drawn: what was kept, and why",
    description="Draw one page: the numbers of a method, what it kept and dropped, and why.",
    examples=_EXAMPLES,
    add_arguments=add_explain_arguments,
    options=lambda parser, argv: explain_options(parser.parse_args(argv)),
)
