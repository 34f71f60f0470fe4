"""`cedar crawls`: prints the crawls, newest first."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace

from pipelines.common.errors import of_user
from pipelines.common.messages import show
from pipelines.common.web_options import web_at
from pipelines.crawls.options import CrawlsOptions
from transforms.crawls.catalogue import Crawl, CrawlError
from transforms.crawls.lookup import Cache, CrawlLookup, Freshness, default_directory
from transforms.files.http_client import Web
from transforms.files.http_options import Persistence


def run(options: CrawlsOptions) -> int:
    """Print the crawls; returns the exit code. Raises UsageError where they cannot be looked up."""
    asked = web_at(options.crawl_root, offline=options.offline)
    web = Web(replace(asked, persistence=Persistence(attempts=5)))
    today = datetime.datetime.now(datetime.UTC).date()
    lookup = CrawlLookup(web, Cache(default_directory()), today, Freshness(options.refresh))
    with of_user(CrawlError):
        crawls = lookup.crawls()
    for crawl in crawls:
        dates = f"{crawl.begun[:10]} to {crawl.ended[:10]}" if crawl.ended else ""
        line = f"{crawl.id:<18} {dates:<24} {crawl.title}".rstrip()
        show(json.dumps(_facts(crawl)) if options.json else line)
    return 0


def _facts(crawl: Crawl) -> dict[str, str | None]:
    return {
        "name": crawl.id,
        "begun": crawl.begun or None,
        "ended": crawl.ended or None,
        "title": crawl.title,
    }
