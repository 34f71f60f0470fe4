"""What reading and extracting would take, reckoned from what is known: pages, bytes, requests, hours, money.

A figure that rests on a guess is shown as `about`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from pipelines.common.messages import counted, readable

_PAGE_BYTES = 33_000
"""Compressed bytes of a page with its request and metadata, in an archive as crawlers write them."""

_FILE_BYTES = 1_000_000_000
_FILE_PAGES = 26_000
"""Of a WARC file of Common Crawl's; it says 0.8 to 1.1 GB, 22,000 to 42,000 pages."""

_ROW_BYTES = 3_200
"""Of a page in Parquet, compressed."""

_LINE_BYTES = 10_000_000
"""Bytes a second that one connection brings, over https and the world."""

_CLOUD_LINE_BYTES = 50_000_000
_CLOUD_REQUESTS = 50.0
"""The same, and requests a second, within the data's own region."""

_PAGE_SECONDS: Mapping[str, float] = {"cedar": 0.0025, "cetr": 0.0014}
"""CPU seconds a page, text alone, start-up apart (docs/performance.md, 2026-11-22); for other methods
that of `cedar` is taken. Columns that are asked for come on top."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, and whether it is known and not guessed."""

    amount: float
    is_known: bool = True

    def times(self, factor: float) -> Amount:
        """Return a figure that is guessed from this one."""
        return Amount(self.amount * factor, is_known=False)

    def said(self, text: str) -> str:
        """Return the text, as a guess if it is one."""
        return text if self.is_known else f"about {text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What is to be read: files, in shards, the bytes of the pages that are wanted and those that are read.

    `requests` go to a server; 0 for what is on this machine.
    """

    files: int
    shards: int
    pages: Amount
    wanted: Amount
    bytes: Amount
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What it is done with: processes, at most this many requests a second, dollars for a vCPU-hour."""

    extractor: str
    workers: int
    requests_per_second: float
    price: float


def whole_files(files: int, sizes: int | None, pages: Amount | None, requests: int) -> Workload:
    """Return the reading of whole files."""
    size = Amount(files * _FILE_BYTES, is_known=False) if sizes is None else Amount(sizes)
    guess = Amount(files * _FILE_PAGES, is_known=False) if sizes is None else size.times(1 / _PAGE_BYTES)
    return Workload(
        files=files, shards=files, pages=pages or guess, wanted=size, bytes=size, requests=requests
    )


def _fetch_hours(reading: Workload, bytes_a_second: float, requests_a_second: float) -> float:
    """Hours that fetching takes at least: for the bytes, or for the pace."""
    seconds = max(reading.bytes.amount / bytes_a_second, reading.requests / requests_a_second)
    return seconds / 3600 if reading.requests else 0.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would take: `head` says of what; without a reading finding out costs too much."""

    head: tuple[str, ...]
    reading: Workload | None = None
    means: Means | None = None

    @property
    def lines(self) -> list[str]:
        """The estimate in words: fetch, extract, write, and all together, which takes the longest does."""
        if self.reading is None or self.means is None:
            return list(self.head)
        return [*self.head, *_lines(self.reading, self.means)]

    @property
    def figures(self) -> dict[str, object]:
        """The estimate in numbers, with the names of the records' fields."""
        if self.reading is None or self.means is None:
            return {"said": self.head}
        hours = _hours_of(self.reading, self.means)
        named = dict(zip(("cpu_hours", "fetch_hours", "hours"), hours, strict=True))
        return {**asdict(self.reading), **asdict(self.means), **named, "dollars": hours[0] * self.means.price}


def _hours_of(reading: Workload, means: Means) -> tuple[float, float, float]:
    """Return hours of CPU, of fetching, and of all together."""
    workers = min(means.workers, reading.shards)
    cpu = reading.pages.amount * _page_seconds(means) / 3600
    fetch = _fetch_hours(reading, _LINE_BYTES * workers, means.requests_per_second)
    return cpu, fetch, max(cpu / workers, fetch)


def _page_seconds(means: Means) -> float:
    return _PAGE_SECONDS.get(means.extractor, _PAGE_SECONDS["cedar"])


def _lines(reading: Workload, means: Means) -> list[str]:
    cpu, here, whole = _hours_of(reading, means)
    workers = min(means.workers, reading.shards)
    there = _fetch_hours(reading, _CLOUD_LINE_BYTES * workers, _CLOUD_REQUESTS * workers)
    pace = f"{means.requests_per_second:g} requests/s (or {_hours(there)} from s3 in us-east-1)"
    dollars = "under $0.01" if cpu * means.price < 0.01 else f"about ${cpu * means.price:,.2f}"
    extract = (
        f"{means.extractor}: {_page_seconds(means) * 1e3:.1f} ms a page, about {_hours(cpu)} of CPU, "
        f"{dollars} at ${means.price:g} a vCPU-hour; {counted(means.workers, 'worker')}"
    )
    write = (
        f"about {readable(reading.pages.amount * _ROW_BYTES)} of Parquet, {counted(reading.shards, 'shard')}"
    )
    return [
        titled("fetch" if reading.requests else "read", _fetch(reading, f"about {_hours(here)} at {pace}")),
        titled("extract", extract),
        titled("write", write),
        titled("in all", f"about {_hours(whole)}"),
    ]


def titled(title: str, text: str) -> str:
    """Return a line of a plan."""
    return f"{title:<10} {text}"


def _fetch(reading: Workload, takes: str) -> str:
    wanted = reading.wanted.said(readable(reading.wanted.amount))
    if not reading.requests:
        return f"{wanted} from this machine"
    if reading.bytes != reading.wanted:
        wanted += f" wanted, {readable(reading.bytes.amount)} with what lies between"
    return f"{wanted}, {reading.requests:,} requests: {takes}"


def _hours(number: float) -> str:
    return f"{number:,.1f} h" if number >= 0.1 else f"{max(1, round(number * 3600)):,} s"
