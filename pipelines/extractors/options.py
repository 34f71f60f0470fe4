"""The options of `cedar extractors`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common.arguments import Command, record_of


@dataclass(frozen=True, slots=True)
class ExtractorsOptions:
    """What `cedar extractors` was asked for; the help of the parser says what it means."""

    names: tuple[str, ...]


def add_extractors_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar extractors`."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a method: its paper and options (default: a line of each)",
    )


COMMAND = Command(
    usage="[NAME ...]",
    summary="the list of methods; of one its paper and its options",
    description="List the methods that --extractor takes; of those that are named their papers and options.",
    examples="examples:\n  cedar extractors\n  cedar extractors cetr\n",
    add_arguments=add_extractors_arguments,
    options=lambda parser, argv: record_of(ExtractorsOptions, parser.parse_args(argv)),
)
