"""The command line of `cedar extractors`, which takes no options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from pipelines.common.arguments import Command, Parser


def add_extractors_arguments(_: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar extractors`: there are none."""


def extractors_options(parser: Parser, argv: Sequence[str]) -> None:
    """Make sure that nothing was asked for.

    Raises:
        UsageError: something was.
    """
    parser.parse_args(argv)


COMMAND = Command(
    summary="the list of methods, with paper, summary and options",
    description="List the methods that --extractor takes, each with its paper and its options.",
    examples="example:\n  cedar extractors\n",
    add_arguments=add_extractors_arguments,
    options=extractors_options,
)
