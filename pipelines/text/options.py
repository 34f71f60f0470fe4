"""The options of `cedar text`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common.arguments import Command, record_of
from pipelines.common.extractor_choice import ExtractorChoice, extractor_choice
from pipelines.common.markdown_options import add_markdown_arguments, markdown_choice
from pipelines.common.option_values import path, whole_number
from pipelines.common.web_options import add_root_argument, web_options
from transforms.corpus.http_options import WebOptions
from transforms.model.markdown_options import MarkdownOptions

STANDARD_INPUT = "-"

_EXAMPLES = """examples:
  cedar text page.html
  cedar text page.html --markdown
  curl -s https://example.org/ | cedar text -
  cedar text crawl.warc.gz --url https://example.org/
  cedar text corpus/ --url https://example.org/
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """What `cedar text` was asked for.

    Attributes:
        page: path or URI of an HTML file, an archive or a corpus, or `-` for standard input.
        url: the record, or the page of the corpus, with this URL, or None.
        offset: the record whose member begins at this byte, or None.
        extractor: the method; None = that of the corpus, or the default.
        web: how web servers are asked.
        markdown: what Markdown is to keep; None = the text is printed.
    """

    page: str
    url: str | None
    offset: int | None
    extractor: ExtractorChoice | None
    web: WebOptions
    markdown: MarkdownOptions | None = None


def add_text_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar text`."""
    add = parser.add_argument
    add(
        "page",
        type=_page,
        metavar="PAGE",
        help="an HTML file; an archive, or a corpus, with --url; or - for standard input",
    )
    add("--url", metavar="URL", help="the record, or the page of a corpus, with this URL")
    add(
        "--offset",
        type=whole_number,
        metavar="N",
        help="the record whose member begins at this byte of the file",
    )
    add(
        "--extractor",
        type=extractor_choice,
        metavar="NAME",
        help="method, with options as NAME:K=V,K=V (default: the corpus' own, cedar)",
    )
    add_root_argument(parser)
    add_markdown_arguments(parser, "--markdown", "print Markdown: headings, lists, tables, code")


def text_options(values: argparse.Namespace) -> TextOptions:
    """Make the record of parsed arguments."""
    return record_of(
        TextOptions, values, web=web_options(values), markdown=markdown_choice(values, "--markdown")
    )


def _page(text: str) -> str:
    return text if text == STANDARD_INPUT else path(text)


COMMAND = Command(
    usage="PAGE [options]",
    summary="the text of one page on standard output",
    description=(
        "Print the text of one page: of an HTML file, of a record of an archive, or of standard "
        "input. One block is one line."
    ),
    examples=_EXAMPLES,
    add_arguments=add_text_arguments,
    options=lambda parser, argv: text_options(parser.parse_args(argv)),
)
