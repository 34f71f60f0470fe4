"""How web servers are asked, as options: shared by the commands that read inputs."""

from __future__ import annotations

import argparse
import os

from pipelines.common import option_values
from pipelines.common.errors import UsageError
from transforms.corpus.http_options import COMMON_CRAWL, WebOptions
from transforms.corpus.http_pace import Limits
from transforms.corpus.storage import is_uri

_MOST_CONNECTIONS = 100
_LIMITS = Limits()


def add_root_argument(group: argparse._ActionsContainer) -> None:
    """Add the argument that says where the files of Common Crawl are."""
    group.add_argument(
        "--crawl-root",
        type=_root,
        metavar="URI",
        help="where the files of Common Crawl are: a URL, s3://commoncrawl/, a mirror or a directory "
        f"(default: {COMMON_CRAWL}, or what CEDAR_CC_ROOT says)",
    )


def add_web_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say how web servers are asked."""
    group = parser.add_argument_group("how it is fetched", "of https:// and cc: see docs/common-crawl.md")
    add_root_argument(group)
    group.add_argument(
        "--connections",
        type=_connections,
        default=_LIMITS.connections,
        metavar="N",
        help=f"connections to a host at a time (default: {_LIMITS.connections})",
    )
    group.add_argument(
        "--requests-per-second",
        type=_rate,
        default=_LIMITS.requests_per_second,
        metavar="R",
        help=f"new requests to a host, over all workers (default: {_LIMITS.requests_per_second:g})",
    )
    group.add_argument(
        "--contact",
        type=_contact,
        metavar="TEXT",
        help="how the operators of a server may reach you, as an address of mail: sent with each request "
        "(default: what CEDAR_CONTACT says)",
    )
    add_offline_argument(group)


def add_offline_argument(group: argparse._ActionsContainer) -> None:
    """Add the argument that no server is asked."""
    group.add_argument(
        "--offline",
        action="store_true",
        help="ask no web server: what was looked up of crawls before must do, however old",
    )


def web_options(values: argparse.Namespace) -> WebOptions:
    """Gather what was asked for; where an option is not there or was not given, the environment's.

    Raises:
        UsageError: the environment says what cannot be.
    """
    try:
        root = getattr(values, "crawl_root", None) or _root(os.environ.get("CEDAR_CC_ROOT") or COMMON_CRAWL)
        contact = getattr(values, "contact", None) or _contact(os.environ.get("CEDAR_CONTACT", ""))
    except argparse.ArgumentTypeError as error:
        raise UsageError(f"CEDAR_CC_ROOT or CEDAR_CONTACT: {error}") from error
    rate = getattr(values, "requests_per_second", _LIMITS.requests_per_second)
    connections = getattr(values, "connections", _LIMITS.connections)
    return WebOptions(
        limits=Limits(rate, connections),
        contact=contact,
        crawl_root=root,
        offline=getattr(values, "offline", False),
    )


def _root(text: str) -> str:
    """Return a URI or an absolute path that ends in a slash."""
    root = option_values.path(text)
    return (root if is_uri(root) else os.path.abspath(root)).rstrip("/") + "/"  # noqa: PTH100


def _connections(text: str) -> int:
    number = option_values.positive(text)
    if number > _MOST_CONNECTIONS:
        raise option_values.refused("number", text, f"from 1 to {_MOST_CONNECTIONS}")
    return number


def _rate(text: str) -> float:
    rate = option_values.seconds(text)
    if not 0.01 <= rate <= 1000:
        raise option_values.refused("number of requests", text, "from 0.01 to 1000")
    return rate


def _contact(text: str) -> str:
    if not text.isprintable() or not text.isascii() or any(c in text for c in "()\\"):
        raise option_values.refused("contact", text, "plain letters without brackets, as ops@example.org")
    return text
