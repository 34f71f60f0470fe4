"""Names of crawls: main crawls of Common Crawl, and months of CC-NEWS."""

from __future__ import annotations

import re
from dataclasses import dataclass

SCHEME = "cc:"
LATEST = "latest"
NEWS_LATEST = "news-latest"

_MAIN = re.compile(r"CC-MAIN-[0-9]{4}-[0-9]{2}")
_NEWS = re.compile(r"CC-NEWS[-/]([0-9]{4})[-/](0[1-9]|1[0-2])")
_OLD = ("CC-MAIN-2008-2009", "CC-MAIN-2009-2010", "CC-MAIN-2012")


class CrawlError(ValueError):
    """A crawl that is not there, or cannot be looked up; the message says what to do."""


@dataclass(frozen=True, slots=True)
class CrawlName:
    """A crawl: a main crawl, or a month of CC-NEWS."""

    text: str

    @property
    def is_news(self) -> bool:
        """Whether it is a month of CC-NEWS."""
        return self.text.startswith("CC-NEWS")

    @property
    def folder(self) -> str:
        """Where its files lie below the root, with a slash at the end."""
        folder = f"CC-NEWS/{self.text[8:12]}/{self.text[13:]}" if self.is_news else self.text
        return f"crawl-data/{folder}/"

    @property
    def listing(self) -> str:
        """Where the listing of its WARC files lies below the root."""
        return f"{self.folder}warc.paths.gz"


def crawl_name(text: str) -> CrawlName:
    """Read the name of a crawl: `CC-MAIN-2026-04`, `CC-NEWS-2026-03` or `CC-NEWS/2026/03`.

    Raises CrawlError where no crawl is called so.
    """
    name = text.upper()
    news = _NEWS.fullmatch(name)
    if news is not None:
        return CrawlName(f"CC-NEWS-{news[1]}-{news[2]}")
    if name in _OLD:
        raise CrawlError(f"{name} is laid out in another way: give its ARC files by their URLs")
    if _MAIN.fullmatch(name) is None:
        raise CrawlError(
            f"not a valid crawl: {text!r} (write it as cc:CC-MAIN-2026-04, cc:CC-NEWS-2026-03 or cc:latest)"
        )
    return CrawlName(name)
