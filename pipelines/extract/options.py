"""The options of `cedar extract`: the record of which its parser is made, and the checks between them."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cedar.pipelines.beam.beam_arguments import split_arguments
from cedar.pipelines.common import option_types
from cedar.pipelines.common.arguments import Command, ConfigOptions, Parser, record_from_args
from cedar.pipelines.common.curation_options import CurationOptions
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.common.option_types import LOCAL_RUNNERS
from cedar.pipelines.common.shared_options import (
    DEFAULT_EXTRACTOR,
    RUNNING,
    ExtractorOptions,
    WebOptions,
    body_only_option,
    json_option,
    log_format_option,
    log_level_option,
    markdown_choice,
    markdown_option,
    metrics_file_option,
    quiet_option,
    read_extractor,
    refuse_seed_alone,
    sample_option,
    seed_option,
    web_config,
)
from cedar.pipelines.common.url_options import UrlOptions
from cedar.pipelines.extract.queues import KafkaQueue, PubSubQueue, Queue, parse_queue
from cedar.transforms.crawls.names import NEWS_LATEST, SCHEME
from cedar.transforms.crawls.terms import Selection, SelectionError, parse_selection
from cedar.transforms.files.http_options import WebConfig
from cedar.transforms.files.lists import LineSelection
from cedar.transforms.files.places import absolute
from cedar.transforms.model.limits import DEFAULT_MAX_BODY
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.options import Group, flag, option, options_of_record
from cedar.transforms.readers.choices import InputOptions
from cedar.transforms.urls.sample import SampleSize

_SPLIT_SIZE = 128 << 20
_INDEX_SUFFIXES = (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz")

_READ = Group("inputs")
_MADE = Group("rows")
_read = _READ.option
_made = _MADE.option
_running = RUNNING.option


def _selection(text: str) -> Selection:
    try:
        return parse_selection(text)
    except SelectionError as error:
        raise argparse.ArgumentTypeError(f"not a valid selection: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """What `cedar extract` was asked for; the help of each field says what it means."""

    inputs: tuple[str, ...] = option(
        "files (WARC, ARC, WACZ, Parquet, JSON lines, HTML), URLs, globs, directories (searched for "
        "archives, else for tables, else for HTML), @LIST: a file or URL, perhaps gzipped, with one path "
        "per line (# begins a comment), or cc:NAME: a crawl of Common Crawl, such as cc:CC-MAIN-2026-04, "
        "cc:CC-NEWS-2026-03, cc:latest",
        name="inputs",
        parse=lambda text: text if text.startswith(("@", SCHEME)) else option_types.path(text),
        repeats="*",
        metavar="INPUT",
    )
    output: str = option(
        "directory or URI of the corpus (required unless --plan is given)",
        "",
        parse=lambda text: absolute(option_types.path(text)),
        metavar="DIR",
        shown="",
        alias="-o",
    )
    slice: tuple[int, int | None] | None = _read(
        "read only lines A to B - 1 of a list, or files of a crawl, counted from 0",
        parse=option_types.line_slice,
        metavar="A:B",
    )
    prefix: str = _read("text to put in front of each line of a list", "", metavar="P", shown="")
    sample_files: int | None = _read(
        "draw K lines of a list, or K files of a crawl (of the slice), by a hash: everywhere the same",
        unit="number",
        metavar="K",
    )
    seed: int = seed_option(_READ)
    select: Selection | None = option(
        "only pages of a crawl by its index, such as 'tld=is lang=isl': see docs/common-crawl.md",
        parse=_selection,
        metavar="EXPR",
        group=_READ,
    )
    cdx: tuple[str, ...] = _read(
        "only the captures that CDXJ or CDX files name, or the index of a WACZ; INPUT says where their WARC "
        "files are: see docs/archives.md",
        unit="path",
        repeats="+",
        metavar="FILE",
    )
    sample: SampleSize | None = sample_option(_READ)
    index: str | None = _read(
        "a copy of the index, laid out in crawl=NAME/subset=warc/",
        unit="path",
        metavar="URI",
        shown="the one below --crawl-root",
    )
    statuses: tuple[tuple[int, int], ...] = _read(
        "HTTP statuses that become pages, such as 200 or 200-299,404",
        ((200, 299),),
        name="--status",
        parse=option_types.statuses,
        metavar="RANGES",
        shown="200-299",
        shapes=True,
    )
    record_types: tuple[str, ...] = _read(
        "WARC record types that become pages, separated by commas",
        ("response",),
        parse=option_types.record_types,
        metavar="TYPES",
        shapes=True,
    )
    text_plain: str = _read(
        "reject, or keep: records of type text/plain become pages, too, and all of their text is kept",
        "reject",
        choices=("reject", "keep"),
        metavar="MODE",
        shapes=True,
    )
    split_size: int = _read(
        "split larger files into shards of this size (at least 64KiB) if that can be exact; 0 = never",
        _SPLIT_SIZE,
        unit="size",
        parse=option_types.split_size,
        metavar="SIZE",
        shapes=True,
    )
    limit: int | None = _read("stop after about N pages, to try something out", unit="number", shapes=True)
    extractor: ExtractorOptions = option(
        "extractor, with options as NAME:K=V,K=V; `cedar extractors` lists them",
        DEFAULT_EXTRACTOR,
        parse=read_extractor,
        metavar="NAME",
        group=_MADE,
    )
    body_only: bool = body_only_option(_MADE)
    format: str = _made("parquet, avro or jsonl", "parquet", metavar="F", shapes=True)
    compression: str = _made(
        "parquet: zstd (default), snappy, gzip, none; avro: deflate (default), zstandard, none; "
        "jsonl: zstd (default), gzip",
        "",
        parse=option_types.codec,
        metavar="C",
        shown="",
        shapes=True,
    )
    reject_rows: str = _made(
        "notable, or all: write rows also for records of other types, and outside --sample",
        "notable",
        choices=("notable", "all"),
        metavar="MODE",
        shapes=True,
    )
    page_timeout: float = _made(
        "CPU time that a page may take; wall time: six times that", 10.0, unit="seconds", shapes=True
    )
    max_body: int = _made(
        "bytes of a page's body that are kept, as transferred and after each coding",
        DEFAULT_MAX_BODY,
        unit="size",
        minimum=1 << 10,
        maximum=1 << 30,
        shapes=True,
    )
    page_memory: int = _made(
        "memory that a tree method may use for a page", 512 << 20, unit="size", minimum=16 << 20, shapes=True
    )
    with_html: bool = flag("add a column with the kept HTML (tree methods only)", group=_MADE, adds="html")
    with_markdown: bool = flag("add a column with the content as Markdown", group=_MADE, adds="markdown")
    markdown_option: tuple[tuple[str, str], ...] = markdown_option(_MADE)
    with_metadata: bool = flag(
        "add columns for dates, authors, address, licence and the like", group=_MADE, adds="metadata"
    )
    files: ConfigOptions = options_of_record(ConfigOptions)
    urls: UrlOptions = options_of_record(UrlOptions)
    curation: CurationOptions = options_of_record(CurationOptions)
    web_options: WebOptions = options_of_record(WebOptions)
    choices: InputOptions = options_of_record(InputOptions)
    workers: int | None = _running(
        "local processes", unit="number", shown="one for 32 MiB of input, at most the cores and the shards"
    )
    watch: float | None = _running(
        "keep running, and look for new and changed files this often", unit="seconds", shown="off"
    )
    kafka_property: tuple[tuple[str, str], ...] = _running(
        "set a property of Kafka's consumer, such as security.protocol=SASL_SSL; for a secret, give "
        "env:NAME or file:PATH; may be repeated",
        unit="pair",
        repeats="append",
    )
    queue: Queue | None = option(
        "instead of INPUT: read the names of inputs from kafka://HOST:PORT[,HOST:PORT]/TOPIC[?group=NAME] "
        "or pubsub://PROJECT/SUBSCRIPTION; needs a runner that streams",
        parse=parse_queue,
        metavar="URI",
        group=RUNNING,
    )
    plan: bool = flag("print what would be read: files, shards, bytes, requests and pages", group=RUNNING)
    overwrite: bool = flag("delete the existing corpus, and start again", group=RUNNING)
    refresh: bool = flag("read changed inputs again", group=RUNNING)
    update_listings: bool = flag("fetch listings and indexes of crawls again", group=RUNNING)
    allow_empty: bool = flag("exit with 0 even if no input has a record", group=RUNNING)
    runner: str = _running(
        "local, or a Beam runner with its own options", "local", parse=option_types.runner, metavar="R"
    )
    quiet: bool = quiet_option()
    json: bool = json_option("what runs/ keeps of this run, on one line")
    log_level: str = log_level_option()
    log_format: str = log_format_option()
    metrics_file: str | None = metrics_file_option()
    beam_arguments: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether the job runs in processes of this machine."""
        return self.runner in LOCAL_RUNNERS

    @property
    def is_selection(self) -> bool:
        """Whether an index says which records are read."""
        return self.select is not None or bool(self.cdx)

    @property
    def endless(self) -> str:
        """The option by which the job has no end of its own; "" if it has one."""
        return "--queue" if self.queue is not None else "--watch" if self.watch is not None else ""

    @property
    def lines(self) -> LineSelection:
        """Which lines of lists are read."""
        start, stop = self.slice or (0, None)
        return LineSelection(self.prefix, start, stop, self.sample_files, self.seed, self.allow_empty)

    @property
    def markdown(self) -> MarkdownOptions | None:
        """What Markdown is to keep; None = there is no such column."""
        return markdown_choice(self.markdown_option, asked_by="--with-markdown", is_asked=self.with_markdown)

    @property
    def web(self) -> WebConfig:
        """How web servers are asked."""
        return web_config(self.web_options)


def extract_options(parser: Parser, argv: Sequence[str]) -> ExtractOptions:
    """Parse the arguments of `cedar extract`; raise UsageError; nothing is looked at on disk."""
    own, beam_arguments = split_arguments(parser, argv)
    options = record_from_args(ExtractOptions, parser.parse_mixed(own), beam_arguments=beam_arguments)
    if options.queue is not None:
        _check_queue(options)
    elif not options.inputs:
        raise UsageError(f"nothing to read: give an INPUT or --queue (see `{parser.prog} --help`)")
    if options.plan and options.endless:
        raise UsageError(f"--plan describes the inputs of now: leave out {options.endless}")
    if not options.plan and not options.output:
        raise UsageError(f"nowhere to write: give --output (see `{parser.prog} --help`)")
    if options.kafka_property:
        if not isinstance(options.queue, KafkaQueue):
            raise UsageError("--kafka-property is only for Kafka: give --queue kafka://...")
        options = replace(options, queue=options.queue.with_properties(options.kafka_property))
    if options.sample_files is None:
        refuse_seed_alone(options.seed, options.sample)
    _check_list(options)
    _check_selection(options)
    streaming = bool(options.endless) and not options.is_local
    if options.endless:
        _check_endless(options)
    if streaming and options.split_size not in (0, _SPLIT_SIZE):
        raise UsageError("a streaming job reads whole files: leave out --split-size")
    options = replace(
        options,
        split_size=0 if streaming else options.split_size,
        compression=_compression(options.format, options.compression),
        curation=options.curation.checked(),
    )
    if options.with_html and options.curation.masks.mask:
        raise UsageError("--mask does not mask HTML: leave out --with-html")
    # Refused now, if they are not valid.
    _ = options.markdown, options.web
    return options


def _compression(output_format: str, given: str) -> str:
    if output_format == "avro":
        return {"": "deflate", "zstd": "zstandard"}.get(given, given)
    return given or "zstd"


def _check_list(options: ExtractOptions) -> None:
    """Refuse options for lists if no input is a list; messages of a queue take the prefix as lines do."""
    lists = any(given.startswith("@") for given in options.inputs)
    crawls = any(given.startswith(SCHEME) for given in options.inputs)
    choices = (
        ("--slice", options.slice and not crawls),
        ("--prefix", options.prefix and options.queue is None),
        ("--sample-files", options.sample_files and not crawls),
    )
    for name, given in choices:
        if given and not lists:
            raise UsageError(f"{name} is for the lines of a list: give an INPUT like @warc.paths.gz")


def _check_selection(options: ExtractOptions) -> None:
    """Refuse options that do not go together with a selection, or that need one."""
    if not options.is_selection and options.sample is not None and options.sample.number is not None:
        raise UsageError(
            "how many pages files have is not known before they are read: write --sample 1%, "
            "or add --select, --cdx or --limit"
        )
    for source in options.inputs:
        if source.lower().endswith(_INDEX_SUFFIXES):
            raise UsageError(f"{source} is an index: write --cdx {source}, and its WARC files as INPUT")
    if options.cdx and options.endless:
        raise UsageError(f"--cdx names records of files that are there: leave out {options.endless}")
    if options.select is None:
        if options.index is not None:
            raise UsageError("--index is only for --select: leave it out, or add --select")
        return
    if options.cdx:
        raise UsageError("--select asks the index of a crawl, --cdx is an index: leave out one of them")
    for source in options.inputs:
        name = source.removeprefix(SCHEME).upper()
        if not source.startswith(SCHEME) or name.startswith("CC-NEWS") or name == NEWS_LATEST.upper():
            raise UsageError(f"--select is for main crawls, such as cc:CC-MAIN-2026-04: leave out {source}")
    if options.endless:
        raise UsageError(f"--select needs a complete crawl: leave out {options.endless}")


def _check_endless(options: ExtractOptions) -> None:
    if options.runner == "SparkRunner":
        raise UsageError(f"{options.endless}: Beam's Spark runner does not stream, use --runner FlinkRunner")
    if options.overwrite:
        raise UsageError(
            f"{options.endless} continues by itself when it is started again: leave out --overwrite"
        )
    if options.limit is not None:
        raise UsageError(f"{options.endless} reads everything that arrives: leave out --limit")


def _check_queue(options: ExtractOptions) -> None:
    if options.inputs:
        raise UsageError(f"--queue names the inputs: leave out {options.inputs[0]}")
    if options.watch is not None:
        raise UsageError("--queue reads messages as they arrive: leave out --watch")
    if options.is_local:
        raise UsageError("--queue needs a runner that streams: --runner FlinkRunner or DataflowRunner")
    if options.runner == "FlinkRunner" and isinstance(options.queue, PubSubQueue):
        raise UsageError("pubsub:// is read by --runner DataflowRunner; Flink reads kafka://")


COMMAND = Command(
    usage="INPUT ... --output DIR [options]",
    summary="make a corpus of WARC files: text and metrics of every page",
    description=(
        "Read WARC and ARC files, extract the main content of every page, and write a corpus. If a run is "
        "interrupted, the same command continues it."
    ),
    examples="""example:
  cedar extract crawl/*.warc.gz --output corpus/
  cedar extract 'incoming/*.warc.gz' --watch 30 --output corpus/
  cedar extract @warc.paths.gz --slice 0:90 --prefix s3://bucket/ --output s3://bucket/corpus
  cedar extract cc:latest --sample-files 20 --output corpus/
  cedar extract cc:CC-MAIN-2026-04 --select 'tld=is lang=isl' --plan
""",
    record=ExtractOptions,
    parse=extract_options,
)
