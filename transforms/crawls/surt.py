"""SURT keys, by which the index of a crawl is nearly in order: the interval where the pages of a host lie.

A key is the host's parts in reverse with commas, without a leading `www.`, then a port, then `)`, path and
query: `com,example,shop:8080)/path`. Intervals leave out what cannot match. They hold strangers, too
(`com,example-x)`), which the exact test finds.
"""

import re

Interval = tuple[str, str]
"""A half-open range of texts in the order of their code points."""

_WWW = re.compile(r"www[0-9]*\.")
_AFTER_COLON = ";"  # the character after ":", which stands before a port


def host_intervals(host: str) -> tuple[Interval, ...]:
    """Return where the keys of a host's pages lie."""
    intervals = []
    for key in _keys(host):
        intervals += [(f"{key})", f"{key}*"), (f"{key}:", f"{key}{_AFTER_COLON}")]
    return tuple(intervals)


def domain_intervals(domain: str) -> tuple[Interval, ...]:
    """Return where the keys of a domain's pages lie, those of hosts below it among them."""
    # Between ")" and ";" are "," and ":".
    return tuple((f"{key})", f"{key}{_AFTER_COLON}") for key in _keys(domain))


def _keys(host: str) -> tuple[str, ...]:
    """Return the host as keys begin, in each form that it may have there."""
    short = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    forms = dict.fromkeys(name for name in (host, short) if name)
    # Numbers of machines are not known to be reversed by all who make keys.
    plain = [host] if host.replace(".", "").isdigit() else []
    return (*(",".join(reversed(form.split("."))) for form in forms), *plain)
