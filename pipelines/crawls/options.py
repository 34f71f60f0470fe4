"""The options of `cedar crawls`."""

from dataclasses import dataclass

from cedar.pipelines.common.arguments import Command
from cedar.pipelines.common.shared_options import json_option, offline_option, root_option
from cedar.transforms.model.options import flag


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlsOptions:
    """The options of `cedar crawls`."""

    update_listings: bool = flag("fetch the list again (default: once in 24 hours)")
    crawl_root: str | None = root_option()
    offline: bool = offline_option()
    json: bool = json_option("one object per crawl and line", None)


COMMAND = Command(
    usage="[options]",
    summary="list the crawls of Common Crawl",
    description="List the crawls that cedar extract accepts as cc:NAME, newest first, with their dates.",
    examples="""examples:
  cedar crawls
  cedar crawls --crawl-root /data/mirror/
""",
    record=CrawlsOptions,
)
