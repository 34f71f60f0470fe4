"""The books: reasons of rejects, and the sums that must balance.

Every record that was read is a page, a page that a filter dropped, or a reject with one of the reasons below:
``records_read == pages + sum(dropped.values()) + sum(rejected.values())``, for each shard and for the corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cedar.transforms.model.costs import NO_COST, Cost
from cedar.transforms.model.texts import describe


@dataclass(frozen=True, slots=True)
class Fetched:
    """Sums over requests.

    Attributes:
        bytes: bytes of bodies that were delivered to the reader.
        retries: how often a request had to be sent again, by cause: a status as `503`, `cut`, `stall`, ...
        waited: seconds of waiting, for a server to recover or for the pace.
        wanted: bytes of the records that were selected; 0 where files are read whole.
    """

    requests: int = 0
    bytes: int = 0
    retries: Mapping[str, int] = field(default_factory=dict)
    waited: float = 0.0
    wanted: int = 0

    def __add__(self, other: Fetched) -> Fetched:
        return self if other == NOTHING_FETCHED else self._with(other, 1)

    def __sub__(self, other: Fetched) -> Fetched:
        return self._with(other, -1)

    def _with(self, other: Fetched, sign: int) -> Fetched:
        causes = sorted({*self.retries, *other.retries})
        retries = {cause: self.retries.get(cause, 0) + sign * other.retries.get(cause, 0) for cause in causes}
        return Fetched(
            self.requests + sign * other.requests,
            self.bytes + sign * other.bytes,
            {cause: number for cause, number in retries.items() if number},
            self.waited + sign * other.waited,
            self.wanted + sign * other.wanted,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the sums as the commit of a shard and `run.json` have them."""
        return {
            "requests": self.requests,
            "bytes": self.bytes,
            "retries": dict(self.retries),
            "waited": round(self.waited, 3),
            **({"wanted": self.wanted} if self.wanted else {}),
        }


NOTHING_FETCHED = Fetched()


class Stage(StrEnum):
    """The steps of a record's way, in order."""

    FETCH = "fetch"
    READ = "read"
    DECODE = "decode"
    EXTRACT = "extract"
    FILTER = "filter"
    WRITE = "write"


class RejectReason(StrEnum):
    """Why a record did not become a page; the value is what users see."""

    meaning: str
    """One line for people."""

    def __new__(cls, value: str, meaning: str = "") -> RejectReason:
        """Make a reason that is the string `value`."""
        reason = str.__new__(cls, value)
        reason._value_, reason.meaning = value, meaning
        return reason

    NOT_RESPONSE = "not_response", "a record of another type than --record-types, such as request or metadata"
    STATUS = "status", "an HTTP status outside --status"
    MEDIA_TYPE = "media_type", "neither HTML nor XHTML, by label or by sniffing"
    URL_FILTER = "url_filter", "left out by --url-include or --url-exclude"
    SAMPLE = "sample", "left out by --sample"
    BLOCKED = (
        "blocked",
        "an address in a list of --block-domains, --block-urls and so on, or in one of --block-ut1",
    )
    NO_URL = "no_url", "a response without a target URI, or a row without a URL"
    EMPTY_BODY = "empty_body", "a response without a body, or a row without HTML"
    NOT_AN_ARCHIVE = (
        "not_an_archive",
        "a file, or the rest of one, in which no WARC or ARC record was found",
    )
    DAMAGED_MEMBER = "damaged_member", "compressed data that do not inflate, or whose checksum is wrong"
    DAMAGED_RECORD = "damaged_record", "bytes where a record should begin and none does, or an unreadable row"
    TRUNCATED_MEMBER = "truncated_member", "the file ends inside a record, before its body began"
    TOO_LARGE = "too_large", "a WARC header over 64 KiB, or a JSON line over eight times --max-body"
    BAD_HTTP = "bad_http", "a response whose block is neither an HTTP message nor HTML"
    BAD_CODING = "bad_coding", "a content coding that is unknown or cannot be decoded at all"
    TIME_LIMIT = "time_limit", "the page took longer than --page-timeout"
    MEMORY_LIMIT = "memory_limit", "extraction needed more than --page-memory"
    EXTRACTOR_ERROR = "extractor_error", "the extractor failed on this page"
    SIGNAL_ERROR = "signal_error", "a --signal failed on this page, or returned what its column cannot hold"
    PAGE_ERROR = "page_error", "Cedar itself failed on this page, in the stage that is named"
    NOT_WRITABLE = "not_writable", "a page with a value that its column cannot hold"
    FILTERED = "filtered", "a page that fails --keep or a --preset (--dropped reject), or a duplicate"
    INDEX_MISMATCH = (
        "index_mismatch",
        "the index names another record than the file has at this offset, or the file has none there",
    )
    MISSING_FILE = "missing_file", "the crawl index names a file that is not there, though its crawl is"


OF_ADDRESSES = (RejectReason.SAMPLE, RejectReason.URL_FILTER, RejectReason.BLOCKED)
"""Reasons that the address of a record decides."""

_DAMAGE = (
    RejectReason.NOT_AN_ARCHIVE,
    RejectReason.DAMAGED_MEMBER,
    RejectReason.DAMAGED_RECORD,
    RejectReason.TRUNCATED_MEMBER,
    RejectReason.TOO_LARGE,
)
"""Reasons of stretches in which no header of a record could be parsed; only readers of archives give them."""


_OF_PAGES = (
    RejectReason.TIME_LIMIT,
    RejectReason.MEMORY_LIMIT,
    RejectReason.EXTRACTOR_ERROR,
    RejectReason.SIGNAL_ERROR,
    RejectReason.PAGE_ERROR,
    RejectReason.NOT_WRITABLE,
    RejectReason.FILTERED,
)
"""Reasons of pages that were read; other records never became a page."""


class RejectedError(Exception):
    """Raised by the pure rooms where a record cannot become a page; becomes one reject.

    `status` and `media_type` are of the answer, if it was parsed.
    """

    def __init__(
        self,
        reason: RejectReason,
        detail: str = "",
        *,
        status: int | None = None,
        media_type: str | None = None,
    ) -> None:
        super().__init__(f"{reason.value}: {detail}" if detail else reason.value)
        self.reason = reason
        self.detail = detail
        self.status = status
        self.media_type = media_type


def rejection_of(error: Exception) -> RejectedError:
    """Return what a page is rejected for where a step of Cedar's failed on it."""
    if isinstance(error, RejectedError):
        return error
    return RejectedError(RejectReason.PAGE_ERROR, describe(error))


@dataclass(frozen=True, slots=True)
class Books:
    """Sums over shards: records; pages, rejects by reason, drops by rule; bytes; stage times; fetching.

    `judged` are the pages that presets judged, by language, where that is known; `masked` the places of
    personal data that were masked, by kind, also in dropped pages; `blocked` the rejects of that
    reason, by list; `tokens` the tokens of pages, by column and language, as `gpt2 eng`.
    """

    shards: int = 0
    records_read: int = 0
    pages: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    bytes: Mapping[str, int] = field(default_factory=dict)
    seconds: Mapping[str, Cost] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    fetched: Fetched = NOTHING_FETCHED
    judged: Mapping[str, int] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)
    blocked: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)

    @property
    def drops(self) -> int:
        """Number of pages that a filter took out, over all rules."""
        return sum(self.dropped.values())

    @property
    def pages_read(self) -> int:
        """Number of pages that were worked on: kept, dropped, or rejected from extraction on."""
        return self.pages + self.drops + sum(self.rejected.get(reason, 0) for reason in _OF_PAGES)

    @property
    def html_read(self) -> int:
        """Bytes of HTML of the pages that were kept or dropped."""
        return self.bytes.get("html_read", self.bytes.get("html", 0))

    @property
    def rejects(self) -> int:
        """Number of records rejected, over all reasons."""
        return sum(self.rejected.values())

    @property
    def headers(self) -> int:
        """Number of records whose header was parsed, whatever became of them."""
        return self.records_read - sum(self.rejected.get(reason, 0) for reason in _DAMAGE)

    @property
    def balanced(self) -> bool:
        """Whether every record read is accounted for."""
        return self.records_read == self.pages + self.drops + self.rejects

    def __add__(self, other: Books) -> Books:
        return Books(
            self.shards + other.shards,
            self.records_read + other.records_read,
            self.pages + other.pages,
            fetched=self.fetched + other.fetched,
            seconds={
                stage: self.seconds.get(stage, NO_COST) + other.seconds.get(stage, NO_COST)
                for stage in {**self.seconds, **other.seconds}
            },
            **{name: _added(getattr(self, name), getattr(other, name)) for name in _COUNTS},
        )


_COUNTS = ("rejected", "bytes", "dropped", "judged", "masked", "blocked", "tokens")
"""Numbers by name, summed name by name."""


def _added(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    # Most shards have nothing of most kinds; what was added before is in order.
    return {key: a.get(key, 0) + b.get(key, 0) for key in sorted({**a, **b})} if b else dict(a)
