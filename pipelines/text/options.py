"""The options of `cedar text`: one frozen record, and the parser that makes it."""

import argparse
import sys
from dataclasses import dataclass, replace

from cedar.pipelines.common.arguments import Command, record_from_args
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import path
from cedar.pipelines.common.shared_options import (
    ExtractorOptions,
    body_only_option,
    markdown_choice,
    markdown_option,
    read_extractor,
    root_option,
    web_at,
)
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.options import flag, option, options_of_record
from cedar.transforms.readers.choices import InputOptions

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """The options of `cedar text`."""

    pages: tuple[str, ...] = option(
        "HTML files; with --url an archive, a table or a corpus; - or nothing for standard input",
        name="pages",
        parse=lambda text: text if text == STANDARD_INPUT else path(text),
        metavar="PAGE",
        repeats="*",
    )
    url: str | None = option("the record, row or page of a corpus with this URL", metavar="URL")
    at: str | None = option(
        "the capture of --url whose date begins so (2014-01, 20140103), or else is nearest", metavar="DATE"
    )
    offset: int | None = option("the record whose member begins at this byte of the file", unit="whole")
    extractor: ExtractorOptions | None = option(
        "method, with options as NAME:K=V,K=V",
        parse=read_extractor,
        metavar="NAME",
        shown="the corpus' own, cedar",
    )
    body_only: bool = body_only_option()
    crawl_root: str | None = root_option()
    asks_for_markdown: bool = flag("print Markdown: headings, lists, tables, code", name="--markdown")
    markdown_option: tuple[tuple[str, str], ...] = markdown_option()
    front_matter: bool = flag(
        "with --markdown: title, headline, author, date, site, url, language as YAML before it"
    )
    json: bool = flag(
        "print JSON, one object per page and line: page, url, title, headline, lang, text, metrics"
    )
    with_metadata: bool = flag("with --json: add dates, authors, address, licence and the like")
    tables: InputOptions = options_of_record(
        InputOptions, "fetched_at_column", "content_type_column", "status_column", "base_url"
    )

    @property
    def markdown(self) -> MarkdownOptions | None:
        """What Markdown is to keep; None = the text is printed."""
        return markdown_choice(self.markdown_option, asked_by="--markdown", is_asked=self.asks_for_markdown)


def text_options(values: argparse.Namespace) -> TextOptions:
    """Make the record of parsed arguments; raise UsageError where they name nothing, or do not agree."""
    options = record_from_args(TextOptions, values)
    _ = options.markdown, web_at(options.crawl_root)
    if not options.pages:
        if sys.stdin is None or sys.stdin.isatty():
            raise UsageError("nothing to read: give a PAGE, or pipe one in (see `cedar text --help`)")
        options = replace(options, pages=(STANDARD_INPUT,))
    if len(options.pages) > 1 and (options.url is not None or options.offset is not None):
        raise UsageError("--url and --offset choose one page: give one PAGE with them")
    if options.at is not None and options.url is None:
        raise UsageError("--at chooses a capture of a page: give its --url, too")
    if options.front_matter and (options.markdown is None or options.json):
        raise UsageError("--front-matter stands before printed Markdown: write --markdown, and no --json")
    if options.with_metadata and not options.json:
        raise UsageError("--with-metadata is printed as JSON: add --json")
    return options


COMMAND = Command(
    usage="PAGE... [options]",
    summary="print the text of pages",
    description=(
        "Print the text of pages: of HTML files, of a record of an archive or a table, or of standard "
        "input. Each block is one line; an empty line separates pages."
    ),
    examples="""examples:
  cedar text page.html
  cedar text page.html --markdown
  cedar text page.html --markdown --front-matter
  cedar text site/*.html --json --with-metadata
  curl -s https://example.org/ | cedar text
  cedar text crawl.warc.gz --url https://example.org/
  cedar text corpus/ --url https://example.org/
""",
    record=TextOptions,
    parse=lambda parser, argv: text_options(parser.parse_args(argv)),
)
