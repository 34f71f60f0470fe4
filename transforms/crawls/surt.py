"""SURT keys, by which the index of a crawl is (nearly) in order: where the pages of a host lie.

A key is the host's parts in reverse with commas, without a leading `www.`, then a port, then `)`, path and
query: `com,example,shop:8080)/path`. Intervals are for leaving out what cannot match, so they hold more than
they must: strangers in between (`com,example-x)`) are for the exact test.
"""

from __future__ import annotations

import re

Interval = tuple[str, str]
"""A half-open range of texts in the order of their code points."""

_WWW = re.compile(r"www[0-9]*\.")
_AFTER_COLON = ";"  # the character after ":", which stands before a port


def host_intervals(host: str) -> tuple[Interval, ...]:
    """Where the keys of a host's pages lie."""
    intervals = []
    for key in _keys(host):
        intervals += [(f"{key})", f"{key}*"), (f"{key}:", f"{key}{_AFTER_COLON}")]
    return tuple(intervals)


def domain_intervals(domain: str) -> tuple[Interval, ...]:
    """Where the keys of a domain's pages lie, those of hosts below it among them."""
    # Between ")" and ";" are "," and ":".
    return tuple((f"{key})", f"{key}{_AFTER_COLON}") for key in _keys(domain))


def prefix_interval(prefix: str) -> Interval:
    """Where texts that begin so lie."""
    return prefix, prefix + "\U0010ffff" * 8


def exact_interval(text: str) -> Interval:
    """Where a text lies."""
    return text, text + "\0"


def _keys(host: str) -> tuple[str, ...]:
    """The host as keys begin, in each form that it may have there."""
    short = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    forms = dict.fromkeys(name for name in (host, short) if name)
    # Numbers of machines are not known to be reversed by all who make keys.
    plain = [host] if host.replace(".", "").isdigit() else []
    return (*(",".join(reversed(form.split("."))) for form in forms), *plain)
