"""How web servers are asked, as options: shared by the commands that read inputs."""

from __future__ import annotations

import argparse
import functools
import os
from dataclasses import dataclass
from typing import Any

from pipelines.common import option_values
from pipelines.common.errors import of_user
from transforms.files.http_options import COMMON_CRAWL, Limits, WebOptions
from transforms.files.places import absolute
from transforms.model.options import Group, flag, option

_LIMITS = Limits()


_FETCHED = Group("how it is fetched", "of https:// and cc: see docs/common-crawl.md")
_fetched = functools.partial(option, group=_FETCHED)


def _root(text: str) -> str:
    """Return a URI or an absolute path that ends in a slash."""
    return absolute(option_values.path(text)).rstrip("/") + "/"


def _rate(text: str) -> float:
    rate = option_values.seconds(text)
    if not 0.01 <= rate <= 1000:
        raise option_values.refused("number of requests", text, "from 0.01 to 1000")
    return rate


def _contact(text: str) -> str:
    if not text.isprintable() or not text.isascii() or any(c in text for c in "()\\"):
        raise option_values.refused("contact", text, "plain letters without brackets, as ops@example.org")
    return text


def root_option(group: Group | None = None) -> Any:
    """Make the field that says where the files of Common Crawl are."""
    return option(
        "where the files of Common Crawl are: a URL, s3://commoncrawl/, a mirror or a directory",
        parse=_root,
        metavar="URI",
        shown=f"{COMMON_CRAWL}, or what CEDAR_CC_ROOT says",
        group=group,
    )


def offline_option(group: Group | None = None) -> Any:
    """Make the field that says that no server is contacted."""
    return flag("use cached listings of crawls only, however old; contact no web server", group=group)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebChoices:
    """How web servers are asked; the help of each field says what it means."""

    crawl_root: str | None = root_option(_FETCHED)
    connections: int = _fetched(
        "connections to a host at a time", _LIMITS.connections, unit="number", most=100
    )
    requests_per_second: float = _fetched(
        "new requests to a host, over all workers", _LIMITS.requests_per_second, parse=_rate, metavar="R"
    )
    contact: str | None = _fetched(
        "how the operators of a server may reach you, as an address of mail: sent with each request",
        parse=_contact,
        metavar="TEXT",
        shown="what CEDAR_CONTACT says",
    )
    offline: bool = offline_option(_FETCHED)


def web_options(choices: WebChoices) -> WebOptions:
    """Return how web servers are asked: where an option was not given, as the environment says.

    Raises UsageError for a value of the environment that is not valid.
    """
    with of_user(argparse.ArgumentTypeError, saying="CEDAR_CC_ROOT or CEDAR_CONTACT"):
        root = choices.crawl_root or _root(os.environ.get("CEDAR_CC_ROOT") or COMMON_CRAWL)
        contact = choices.contact or _contact(os.environ.get("CEDAR_CONTACT", ""))
    return WebOptions(
        limits=Limits(choices.requests_per_second, choices.connections),
        contact=contact,
        crawl_root=root,
        offline=choices.offline,
    )


def web_at(crawl_root: str | None, *, offline: bool = False) -> WebOptions:
    """Return how web servers are asked where nothing else was said of it; raises as `web_options`."""
    return web_options(WebChoices(crawl_root=crawl_root, offline=offline))
