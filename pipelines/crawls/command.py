"""`cedar crawls`: prints the crawls, newest first."""

import json
from dataclasses import replace

from cedar.pipelines.common.errors import usage_errors
from cedar.pipelines.common.shared_options import web_at
from cedar.pipelines.common.terminal import print_out
from cedar.pipelines.crawls.options import CrawlsOptions
from cedar.transforms.crawls.cache import Cache, default_directory
from cedar.transforms.crawls.catalogue import CrawlLookup, Freshness
from cedar.transforms.crawls.names import CrawlError
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.retry import INTERACTIVE


def run(options: CrawlsOptions) -> int:
    """Print the crawls; returns the exit code. Raises UsageError where they cannot be looked up."""
    config = web_at(options.crawl_root, offline=options.offline)
    web = Web(replace(config, retry_policy=INTERACTIVE))
    lookup = CrawlLookup(web, Cache(default_directory()), Freshness(options.update_listings))
    with usage_errors(CrawlError):
        crawls = lookup.crawls()
    for crawl in crawls:
        dates = f"{crawl.begun[:10]} to {crawl.ended[:10]}" if crawl.ended else ""
        line = f"{crawl.id:<18} {dates:<24} {crawl.title}".rstrip()
        when = {"begun": crawl.begun or None, "ended": crawl.ended or None}
        facts = {"name": crawl.id, **when, "title": crawl.title}
        print_out(json.dumps(facts) if options.json else line)
    return 0
