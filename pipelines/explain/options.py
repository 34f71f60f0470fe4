"""The options of `cedar explain`: one frozen record, and the parser that makes it."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import ExtractorOptions, quiet_option, read_extractor, root_option
from cedar.transforms.model.options import flag, option, options_of_record, required
from cedar.transforms.readers.choices import InputOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainOptions:
    """The options of `cedar explain`."""

    page: str = required(
        "an HTML file; or a WARC or ARC file, or a corpus, with --url",
        name="page",
        unit="path",
        metavar="PAGE",
    )
    url: str | None = option("the record, or the page of a corpus, with this URL", metavar="URL")
    crawl_root: str | None = root_option()
    at: str | None = option(
        "the capture of --url whose date begins so (2014-01, 20140103), or else is nearest", metavar="DATE"
    )
    offset: int | None = option("the record whose member begins at this byte of the file", unit="whole")
    choices: tuple[ExtractorOptions, ...] = option(
        "method, with options as NAME:K=V,K=V; several are compared",
        name="--extractor",
        parse=read_extractor,
        repeats="append",
        metavar="NAME",
        shown="the corpus' own, cedar",
    )
    gold: str | None = option(
        "the text that should be kept; missing and surplus words are marked", unit="path", metavar="FILE"
    )
    output: str | None = option(
        "HTML file to write",
        unit="local path",
        metavar="FILE",
        shown="PAGE.explain.html or PAGE-URL.explain.html here",
        alias="-o",
    )
    open: bool = flag("show it in the browser")
    markdown: bool = flag("print the kept blocks as Markdown; no HTML unless --output is given")
    text: bool = flag("print kept and dropped blocks; no HTML unless --output is given")
    quiet: bool = quiet_option(None)
    tables: InputOptions = options_of_record(
        InputOptions, "fetched_at_column", "content_type_column", "status_column", "base_url"
    )


COMMAND = Command(
    usage="PAGE [options]",
    summary="draw one page: what was kept, and why",
    description="Draw one page: what a method kept and dropped, and the numbers that say why.",
    examples="""examples:
  cedar explain page.html --extractor cetr --extractor cetd-ds
  cedar explain crawl.warc.gz --url https://site.example/page --open
  cedar explain corpus/ --url https://site.example/page
  cedar explain page.html --extractor cetr-tm:lambda=0.5 --text
""",
    record=ExplainOptions,
)
