"""The options of `cedar crawls`: one frozen record, and the parser that makes it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pipelines.common.arguments import Command, record_of
from pipelines.common.web_options import add_offline_argument, add_root_argument, web_options
from transforms.corpus.http_options import WebOptions

_EXAMPLES = """examples:
  cedar crawls
  cedar crawls --crawl-root /data/mirror/
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlsOptions:
    """What `cedar crawls` was asked for.

    Attributes:
        refresh: what was looked up before is not good enough.
        web: how web servers are asked, and where the list is.
    """

    refresh: bool
    web: WebOptions


def add_crawls_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cedar crawls`."""
    parser.add_argument(
        "--refresh", action="store_true", help="look the list up anew (default: once in 24 hours)"
    )
    add_root_argument(parser)
    add_offline_argument(parser)


def crawls_options(values: argparse.Namespace) -> CrawlsOptions:
    """Make the record of parsed arguments."""
    return record_of(CrawlsOptions, values, web=web_options(values))


COMMAND = Command(
    usage="[options]",
    summary="the crawls that Common Crawl has published",
    description="List the crawls that cedar extract takes as cc:NAME, newest first, with their dates.",
    examples=_EXAMPLES,
    add_arguments=add_crawls_arguments,
    options=lambda parser, argv: crawls_options(parser.parse_args(argv)),
)
