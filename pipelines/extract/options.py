"""The options of `cedar extract`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.common import option_values
from pipelines.common.arguments import Command, add_browser_argument, record_of
from pipelines.common.curation_options import CurationChoices, add_curation_arguments, curation_choices
from pipelines.common.errors import UsageError
from pipelines.common.markdown_options import add_markdown_arguments, markdown_choice
from pipelines.common.option_values import LOCAL_RUNNERS
from pipelines.common.talk_options import add_talk_arguments
from pipelines.common.web_options import add_web_arguments, web_options
from pipelines.extract.beam_arguments import beam_actions, split_arguments
from pipelines.extract.queues import PubSubQueue, Queue, queue
from pipelines.extract.selection_options import (
    SelectionOptions,
    add_selection_arguments,
    selection_options,
)
from transforms.corpus.http_options import WebOptions
from transforms.corpus.inputs import LineChoice
from transforms.corpus.storage import is_uri
from transforms.model.caps import CAPS, Caps
from transforms.model.markdown_options import MarkdownOptions

_SPLIT_SIZE = 128 << 20
_CRAWL = "cc:"

_EXAMPLES = """example:
  cedar extract crawl/*.warc.gz --output corpus/
  cedar extract 'incoming/*.warc.gz' --watch 30 --output corpus/
  cedar extract @warc.paths.gz --slice 0:90 --prefix s3://bucket/ --output s3://bucket/corpus
  cedar extract cc:latest --sample-files 20 --output corpus/
  cedar extract cc:CC-MAIN-2026-04 --select 'tld=is lang=isl' --plan
"""


@dataclass(frozen=True, slots=True)
class ExtractOptions:
    """What `cedar extract` was asked for; the help of the parser says what each means."""

    inputs: tuple[str, ...]
    output: str
    lines: LineChoice
    selection: SelectionOptions | None
    format: str
    compression: str
    extractor: str
    extractor_options: tuple[tuple[str, str], ...]
    statuses: tuple[tuple[int, int], ...]
    record_types: tuple[str, ...]
    url_include: str | None
    url_exclude: str | None
    limit: int | None
    split_size: int
    workers: int | None
    watch: float | None
    queue: Queue | None
    overwrite: bool
    refresh: bool
    caps: Caps
    reject_rows: str
    with_html: bool
    with_metadata: bool
    markdown: MarkdownOptions | None
    curation: CurationChoices
    web: WebOptions
    page_timeout: float
    page_memory: int
    browser_no_sandbox: bool
    runner: str
    plan: bool
    price: float
    quiet: bool
    log_level: str
    beam_arguments: tuple[str, ...]

    @property
    def is_local(self) -> bool:
        """Whether the job runs in processes of this machine."""
        return self.runner in LOCAL_RUNNERS

    @property
    def goes_on(self) -> bool:
        """Whether the job has no end of its own."""
        return self.watch is not None or self.queue is not None


def add_extract_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar extract`."""
    add = parser.add_argument
    add(
        "inputs",
        type=_input,
        nargs="*",
        metavar="INPUT",
        help="files, URLs, globs, directories (searched for .warc, .warc.gz, .warc.zst, .arc, .arc.gz), or "
        "@LIST: a file or URL, perhaps gzipped, with a path a line (# begins a comment), or cc:NAME: a crawl "
        "of Common Crawl's, as cc:CC-MAIN-2026-04, cc:CC-NEWS-2026-03, cc:latest",
    )
    add(
        "--output",
        type=option_values.path,
        metavar="DIR",
        help="directory or URI of the corpus (required, but for --plan)",
    )
    group = parser.add_argument_group("what is read")
    add = group.add_argument
    add(
        "--slice",
        type=option_values.line_slice,
        metavar="A:B",
        help="half-open range of the lines of a list or of a crawl's files",
    )
    add("--prefix", default="", metavar="P", help="put in front of each line of a list")
    add(
        "--sample-files",
        type=option_values.positive,
        metavar="K",
        help="K lines of a list, or K files of a crawl (of the slice), drawn by a hash: everywhere the same",
    )
    add(
        "--seed",
        type=option_values.whole_number,
        default=0,
        metavar="S",
        help="of the hash (default: 0)",
    )
    add_selection_arguments(group)
    add(
        "--status",
        type=option_values.statuses,
        default=((200, 299),),
        metavar="RANGES",
        help="HTTP statuses that become pages, as 200 or 200-299,404 (default: 200-299)",
    )
    add(
        "--record-types",
        type=option_values.record_types,
        default=("response",),
        metavar="TYPES",
        help="WARC record types that become pages, with commas (default: response)",
    )
    add("--url-include", type=option_values.regex, metavar="REGEX", help="only URLs in which it is found")
    add("--url-exclude", type=option_values.regex, metavar="REGEX", help="no URLs in which it is found")
    add(
        "--split-size",
        type=option_values.split_size,
        metavar="SIZE",
        help="cut larger files into pieces of this size, from 64KiB, where that is exact; 0 = never "
        "(default: 128MiB)",
    )
    add("--limit", type=option_values.positive, metavar="N", help="stop after about N pages: for trying out")
    group = parser.add_argument_group("what is made of it")
    add = group.add_argument
    add(
        "--extractor",
        default="cedar",
        metavar="NAME",
        help="method; `cedar extractors` lists them (default: cedar)",
    )
    add(
        "--extractor-option",
        type=option_values.pair,
        action="append",
        default=[],
        metavar="K=V",
        help="option of the method, as smoothing=literal; may be repeated",
    )
    add("--format", default="parquet", metavar="F", help="parquet, avro or jsonl (default: parquet)")
    add(
        "--compression",
        metavar="C",
        help="parquet: zstd (default), snappy, gzip, none; avro: deflate (default), zstandard, none; "
        "jsonl: zstd (default), gzip",
    )
    add(
        "--reject-rows",
        choices=("notable", "all"),
        default="notable",
        metavar="MODE",
        help="notable, or all: rows for records of other types too (default: notable)",
    )
    add(
        "--page-timeout",
        type=option_values.seconds,
        default=10.0,
        metavar="SECONDS",
        help="CPU time that a tree method may take for a page; wall time is six times that (default: 10)",
    )
    add(
        "--page-memory",
        type=option_values.size,
        default=512 << 20,
        metavar="SIZE",
        help="memory that a tree method may take for a page (default: 512MiB)",
    )
    add_browser_argument(parser)
    add("--with-html", action="store_true", help="add the kept HTML of tree methods as a column")
    add_markdown_arguments(group, "--with-markdown", "add the content as Markdown as a column")
    add(
        "--with-metadata",
        action="store_true",
        help="add dates, authors, address, licence and the like as columns",
    )
    add_curation_arguments(parser)
    add_web_arguments(parser)
    group = parser.add_argument_group("how much of it", "what happens beyond: see docs/limits.md")
    for cap in CAPS:
        group.add_argument(
            f"--{cap.name.replace('_', '-')}",
            type=functools.partial(option_values.cap_value, cap),
            default=cap.default,
            metavar="SIZE" if cap.about.is_size else "N",
            help=f"{cap.about.what} (default: {cap.shown})",
        )
    group = parser.add_argument_group("how it runs")
    add = group.add_argument
    add(
        "--workers",
        type=option_values.positive,
        metavar="N",
        help="local processes (default: one for 32 MiB of input, at most the cores and the shards)",
    )
    add(
        "--watch",
        type=option_values.seconds,
        metavar="SECONDS",
        help="keep going: look for files that are new or have changed, this often (default: off)",
    )
    add(
        "--queue",
        type=queue,
        metavar="URI",
        help="instead of INPUT: messages that name the inputs, "
        "from kafka://HOST:PORT[,HOST:PORT]/TOPIC[?group=NAME] or pubsub://PROJECT/SUBSCRIPTION; "
        "only for runners that stream",
    )
    add(
        "--plan",
        action="store_true",
        help="say what would be read and what it would take, as hours and money; write nothing",
    )
    add(
        "--price",
        type=option_values.seconds,
        default=0.04,
        metavar="DOLLARS",
        help="of a vCPU-hour, for --plan (default: 0.04)",
    )
    add("--overwrite", action="store_true", help="start the corpus afresh")
    add("--refresh", action="store_true", help="read inputs again that have changed")
    add(
        "--runner",
        type=option_values.runner,
        default="local",
        metavar="R",
        help="local, or a runner of Beam's with its own options (default: local)",
    )
    add_talk_arguments(group)


def extract_options(
    parser: argparse.ArgumentParser, argv: Sequence[str], beam_actions: Callable[[], dict[str, bool]]
) -> ExtractOptions:
    """Parse the arguments of `cedar extract`; nothing is looked at on disk.

    Args:
        parser: a parser with `add_extract_arguments`.
        argv: the arguments after `extract`.
        beam_actions: gives Beam's own options, and whether each takes a value; asked only when an option
            is met that the parser does not know.

    Raises:
        UsageError: an option is unknown, or a value makes no sense.
    """
    own, beam_arguments = split_arguments(parser, argv, beam_actions)
    values = parser.parse_intermixed_args(own)
    if values.queue is not None:
        _check_queue(values)
    elif not values.inputs:
        raise UsageError(f"nothing to read: give an INPUT or --queue (see `{parser.prog} --help`)")
    if values.plan:
        _check_plan(values)
    elif values.output is None:
        raise UsageError(f"nowhere to write: give --output (see `{parser.prog} --help`)")
    _check_list(values)
    streaming = values.runner not in LOCAL_RUNNERS and (values.watch is not None or values.queue is not None)
    if values.watch is not None:
        _check_endless(values, "--watch")
    if streaming and values.split_size:
        raise UsageError("a streaming job reads whole files: leave out --split-size")
    if values.split_size is None:
        values.split_size = 0 if streaming else _SPLIT_SIZE
    compression = values.compression
    if compression is None:
        compression = {"avro": "deflate"}.get(values.format, "zstd")
    if values.format == "avro" and compression == "zstd":
        compression = "zstandard"
    return record_of(
        ExtractOptions,
        values,
        output=_absolute(values.output or ""),
        lines=_lines(values),
        selection=selection_options(values),
        compression=compression,
        extractor_options=values.extractor_option,
        statuses=values.status,
        caps=Caps(**{cap.name: getattr(values, cap.name) for cap in CAPS}),
        markdown=markdown_choice(values, "--with-markdown"),
        curation=curation_choices(values),
        web=web_options(values),
        beam_arguments=beam_arguments,
    )


def _input(text: str) -> str:
    """Return a path, a URI, an `@list` or a crawl."""
    return text if text.startswith(("@", _CRAWL)) else option_values.path(text)


def _check_list(values: argparse.Namespace) -> None:
    """Refuse options of a list where there is none; messages of a queue take the prefix as lines do."""
    lists = any(given.startswith("@") for given in values.inputs)
    crawls = any(given.startswith(_CRAWL) for given in values.inputs)
    choices = (
        ("--slice", values.slice and not crawls),
        ("--prefix", values.prefix and values.queue is None),
        ("--sample-files", values.sample_files and not crawls),
    )
    for name, given in choices:
        if given and not lists:
            raise UsageError(f"{name} is for the lines of a list: give an INPUT like @warc.paths.gz")


def _lines(values: argparse.Namespace) -> LineChoice:
    """Find which lines of lists are read."""
    start, stop = values.slice or (0, None)
    return LineChoice(values.prefix, start, stop, values.sample_files, values.seed)


def _check_endless(values: argparse.Namespace, name: str) -> None:
    if values.overwrite:
        raise UsageError(f"{name} goes on where it was when it is started again: leave out --overwrite")
    if values.limit is not None:
        raise UsageError(f"{name} reads all that comes: leave out --limit")


def _check_queue(values: argparse.Namespace) -> None:
    if values.inputs:
        raise UsageError(f"--queue names the inputs: leave out {values.inputs[0]}")
    if values.watch is not None:
        raise UsageError("--queue is read as messages come: leave out --watch")
    _check_endless(values, "--queue")
    if values.runner in LOCAL_RUNNERS:
        raise UsageError("--queue needs a runner that streams: --runner FlinkRunner or DataflowRunner")
    if values.runner == "FlinkRunner" and isinstance(values.queue, PubSubQueue):
        raise UsageError("pubsub:// is read by --runner DataflowRunner; Flink reads kafka://")


def _check_plan(values: argparse.Namespace) -> None:
    for name, given in (("--watch", values.watch is not None), ("--queue", values.queue is not None)):
        if given:
            raise UsageError(f"--plan tells of what there is now: leave out {name}")


def _absolute(path: str) -> str:
    if is_uri(path) or not path:
        return path.rstrip("/")
    return os.path.abspath(path)  # noqa: PTH100 - links keep their names


COMMAND = Command(
    usage="INPUT ... --output DIR [options]",
    summary="WARC files to a corpus: text and metrics of every page",
    description=(
        "Read WARC and ARC files, extract the main content of every page, write a corpus. "
        "A run that was cut short goes on when the same command is given again."
    ),
    examples=_EXAMPLES,
    add_arguments=add_extract_arguments,
    options=lambda parser, argv: extract_options(parser, argv, beam_actions),
)
