"""The options of `cedar filter`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common import option_values
from pipelines.common.arguments import Command, record_of
from pipelines.common.curation_options import CurationChoices, add_curation_arguments, curation_choices
from pipelines.common.errors import UsageError
from pipelines.common.talk_options import add_talk_arguments

_EXAMPLES = """examples:
  cedar filter corpus/ --preset fineweb --dry-run
  cedar filter corpus/ --keep 'language == en and words >= 100' --output english/
"""


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """What `cedar filter` was asked for; the help of the parser says what each means."""

    corpus: str
    output: str | None
    dry_run: bool
    format: str | None
    curation: CurationChoices
    workers: int | None
    overwrite: bool
    quiet: bool
    log_level: str


def add_filter_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `cedar filter`."""
    add = parser.add_argument
    add("corpus", type=option_values.path, metavar="CORPUS", help="directory or URI of a corpus")
    add("--dry-run", action="store_true", help="count what would be kept and dropped, and write nothing")
    add("--output", type=option_values.path, metavar="DIR", help="directory or URI of the corpus to write")
    add(
        "--format",
        metavar="F",
        help="format of the corpus to write: parquet, avro or jsonl (default: that of CORPUS)",
    )
    add_curation_arguments(parser)
    group = parser.add_argument_group("how it runs")
    add = group.add_argument
    add("--workers", type=option_values.positive, metavar="N", help="local processes (default: the cores)")
    add("--overwrite", action="store_true", help="start the corpus afresh")
    add_talk_arguments(group)


def filter_options(values: argparse.Namespace) -> FilterOptions:
    """Make the record of parsed arguments.

    Raises:
        UsageError: they do not go together, or there is nothing to do.
    """
    if values.dry_run == (values.output is not None):
        raise UsageError("say what is to be done: --dry-run counts, --output DIR writes")
    if values.dry_run and values.format is not None:
        raise UsageError("--format is that of the corpus that --output writes: leave out --dry-run")
    options = record_of(FilterOptions, values, curation=curation_choices(values))
    if options.curation == CurationChoices():
        raise UsageError("nothing to do: give --keep or --preset")
    if options.dry_run and not (options.curation.keeps or options.curation.presets):
        raise UsageError("nothing to count: give --keep or --preset")
    return options


COMMAND = Command(
    usage="CORPUS (--dry-run | --output DIR) [options]",
    summary="rules over a corpus: what they would drop, or a corpus of what they leave",
    description=(
        "Hold the pages of a corpus to rules: count what they would drop, or write a corpus of "
        "what they leave. Columns that the corpus lacks are made of its texts."
    ),
    examples=_EXAMPLES,
    add_arguments=add_filter_arguments,
    options=lambda parser, argv: filter_options(parser.parse_args(argv)),
)
