"""Options that several commands share: what a run prints, how it extracts and fetches, what Markdown keeps.

An extractor is written as `cetr`, `cetr:smoothing=literal,k=4`, `package.module:function:k=4`.
"""

import argparse
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cedar.pipelines.common import option_types
from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.transforms.files.http_options import COMMON_CRAWL, RateLimits, WebConfig
from cedar.transforms.files.places import absolute
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.options import Group, flag, option
from cedar.transforms.urls.sample import SampleSize, UrlSample

RUNNING = Group("run")

# A comma that no K= follows belongs to the value: some options are lists.
_BETWEEN_PAIRS = re.compile(r",(?=[^,=]+=)")

_LOG_LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class ExtractorOptions:
    """An extractor as the user wrote it."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        """The extractor as it is written on the command line."""
        given = ",".join(f"{name}={value}" for name, value in self.options)
        return f"{self.name}:{given}" if given else self.name

    def __str__(self) -> str:
        """Return the label."""
        return self.label


DEFAULT_EXTRACTOR = ExtractorOptions("cedar")
"""The extractor of a command if none is named."""


def read_extractor(text: str) -> ExtractorOptions:
    """Parse a name, `peer:NAME`, or `package.module:function`; then, after a colon, `K=V,K=V`.

    Raises argparse.ArgumentTypeError if it is not written so.
    """
    name, _, given = text.rpartition(":")
    if "=" not in given:
        name, given = text, ""
    pairs = [pair.partition("=")[::2] for pair in _BETWEEN_PAIRS.split(given)] if given else []
    if not name or name.endswith(":") or "=" in name or not all(key and value for key, value in pairs):
        raise option_types.invalid_value("extractor", text, "write it as cetr or cetr:smoothing=literal,k=4")
    return ExtractorOptions(name, tuple(pairs))


def quiet_option(group: Group | None = RUNNING) -> Any:
    """Make the option of a run that prints errors only."""
    return flag("print only errors", alias="-q", group=group)


def json_option(what: str, group: Group | None = RUNNING) -> Any:
    """Make the option that prints JSON; `what` names its content."""
    return flag(f"print JSON: {what}", group=group)


def log_level_option() -> Any:
    """Make the option of the least level that is logged."""
    return option(", ".join(_LOG_LEVELS), "warning", choices=_LOG_LEVELS, metavar="LEVEL", group=RUNNING)


def log_format_option() -> Any:
    """Make the option of the log's format."""
    return option(
        "text, or json: print on stderr one object per line, with an event for each shard",
        "text",
        choices=("text", "json"),
        metavar="F",
        group=RUNNING,
    )


def metrics_file_option() -> Any:
    """Make the option of the file for Prometheus."""
    return option(
        "keep figures of the run in a file for Prometheus, rewritten every ten seconds",
        parse=option_types.path,
        metavar="NAME.prom",
        group=RUNNING,
    )


def body_only_option(group: Group | None = None) -> Any:
    """Make the option that keeps the body of an article only."""
    return flag(
        "leave out headline, comments and captions (sets title, comments, captions to drop)", group=group
    )


def sample_option(group: Group | None = None) -> Any:
    """Make the field that says how many of the pages are taken."""
    return option(
        "only a sample of the pages, by a hash of the URL: 1%, or N if their URLs are known before",
        parse=option_types.sample_size,
        metavar="SIZE",
        group=group,
    )


def refuse_seed_alone(seed: int, sample: SampleSize | None) -> None:
    """Raise UsageError for a seed of no sample."""
    if seed and sample is None:
        raise UsageError("--seed chooses among samples: give --sample, too")


def seed_option(group: Group | None = None) -> Any:
    """Make the field that says which sample it is."""
    return option("another seed gives another sample", 0, unit="whole", metavar="S", group=group)


def sample_identity(size: SampleSize | None, sample: UrlSample | None) -> dict[str, object]:
    """Return what a corpus is pinned to by a sample: nothing if it has all pages."""
    if size is None or sample is None:
        return {}
    return {"sample": str(size), "sample_bound": f"{sample.bound:x}", "seed": sample.seed}


def markdown_option(group: Group | None = None) -> Any:
    """Make the option of the elements that Markdown keeps."""
    return option(
        "what the Markdown keeps: links=drop or keep, emphasis=keep or drop, formulas=latex or drop, "
        "images=drop or keep, the defaults first; may be repeated",
        unit="pair",
        repeats="append",
        group=group,
    )


def markdown_choice(
    pairs: Iterable[tuple[str, str]], *, asked_by: str, is_asked: bool
) -> MarkdownOptions | None:
    """Return the options of Markdown; None if it is not asked for. Raises UsageError for invalid pairs."""
    if not is_asked:
        if pairs:
            raise UsageError(f"--markdown-option is for Markdown: give {asked_by}, too")
        return None
    with usage_errors(ValueError):
        return MarkdownOptions.of(pairs)


_LIMITS = RateLimits()


_FETCHED = Group("requests", "for https:// and cc: see docs/common-crawl.md")
_fetched = _FETCHED.option


def _root(text: str) -> str:
    """Return a URI or an absolute path that ends in a slash."""
    return absolute(option_types.path(text)).rstrip("/") + "/"


def _rate(text: str) -> float:
    rate = option_types.seconds(text)
    if not 0.01 <= rate <= 1000:
        raise option_types.invalid_value("number of requests", text, "from 0.01 to 1000")
    return rate


def _contact(text: str) -> str:
    if not text.isprintable() or not text.isascii() or any(c in text for c in "()\\"):
        raise option_types.invalid_value(
            "contact", text, "plain letters without brackets, as ops@example.org"
        )
    return text


def root_option(group: Group | None = None) -> Any:
    """Make the option of the place of Common Crawl's files."""
    return option(
        "where the files of Common Crawl are: a URL, s3://commoncrawl/, a mirror or a directory",
        parse=_root,
        metavar="URI",
        shown=f"{COMMON_CRAWL}, or what CEDAR_CC_ROOT says",
        group=group,
    )


def offline_option(group: Group | None = None) -> Any:
    """Make the option that contacts no server."""
    return flag("use cached listings of crawls only, however old; contact no web server", group=group)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """The options of requests to web servers."""

    crawl_root: str | None = root_option(_FETCHED)
    connections: int = _fetched(
        "simultaneous connections to a host", _LIMITS.connections, unit="number", maximum=100
    )
    requests_per_second: float = _fetched(
        "new requests per second to a host, in total", _LIMITS.requests_per_second, parse=_rate, metavar="R"
    )
    contact: str | None = _fetched(
        "how the operators of a server may reach you, such as an e-mail address: sent with each request",
        parse=_contact,
        metavar="TEXT",
        shown="what CEDAR_CONTACT says",
    )
    offline: bool = offline_option(_FETCHED)


def web_config(options: WebOptions) -> WebConfig:
    """Return the configuration of requests; the environment stands in for options that are not given.

    Raises UsageError for an invalid value of the environment.
    """
    with usage_errors(argparse.ArgumentTypeError, saying="CEDAR_CC_ROOT or CEDAR_CONTACT"):
        root = options.crawl_root or _root(os.environ.get("CEDAR_CC_ROOT") or COMMON_CRAWL)
        contact = options.contact or _contact(os.environ.get("CEDAR_CONTACT", ""))
    return WebConfig(
        limits=RateLimits(options.requests_per_second, options.connections),
        contact=contact,
        crawl_root=root,
        offline=options.offline,
    )


def web_at(crawl_root: str | None, *, offline: bool = False) -> WebConfig:
    """Return the default configuration of requests with this root; raises as `web_config`."""
    return web_config(WebOptions(crawl_root=crawl_root, offline=offline))
