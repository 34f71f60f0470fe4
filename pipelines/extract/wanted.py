"""Which records become pages, by the options."""

from __future__ import annotations

import re

from pipelines.extract.options import ExtractOptions
from transforms.decode.page import PageFilter


def wanted_pages(options: ExtractOptions) -> PageFilter:
    """Return what becomes a page."""
    return PageFilter(
        record_types=frozenset(options.record_types),
        statuses=options.statuses,
        url_include=re.compile(options.url_include) if options.url_include else None,
        url_exclude=re.compile(options.url_exclude) if options.url_exclude else None,
        caps=options.caps,
    )
