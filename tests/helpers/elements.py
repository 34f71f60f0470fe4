"""Elements of a shard's stream, made up for tests of the steps that carry them."""

from __future__ import annotations

from typing import Any

from cedar.transforms.model.books import RejectReason, Stage
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import (
    ExtractedPage,
    Location,
    PageRow,
    Reject,
    RejectRow,
    Shard,
    ShardEnd,
)

ONE_SECOND = Cost(1.0, 2.0)


def shard(name: str = "crawl-0a1b2c3d-000000000000-000000000100") -> Shard:
    return Shard(name, f"/data/{name[:5]}.warc.gz", 100, "mtime:7", 0, 100)


def page_row(**changes: Any) -> PageRow:
    """The row of a small page; `changes` are values of its columns."""
    row = PageRow(
        url="https://sample.example/",
        source="/data/crawl.warc.gz",
        offset=0,
        length=10,
        inner_offset=0,
        warc_name=None,
        warc_offset=None,
        record_id=None,
        warcinfo_id=None,
        payload_digest=None,
        fetched_at=1_769_860_800_000_000,
        status=200,
        media_type="text/html",
        charset="utf-8",
        charset_source="utf8",
        replaced=0,
        truncated=False,
        lang="en",
        title=None,
        text="text",
        text_digest="00",
        extractor="cetr",
        extractor_options="{}",
        fallback=None,
        html_bytes=1000,
        html_chars=1000,
        text_chars=4,
        words=1,
        lines=2,
        content_lines=1,
        tags=3,
        link_chars=0,
        tag_ratio_mean=1.5,
        tag_ratio_std=0.5,
        threshold=None,
        content_ratio=0.5,
        decode_seconds=1.0,
        extract_seconds=1.0,
        html=None,
    )
    return row._replace(**changes)


def extracted(of: Shard, number: int, text: str = "text") -> ExtractedPage:
    row = page_row(
        url=f"https://sample.example/{number}",
        source=of.source,
        offset=number * 10,
        text=text,
        text_chars=len(text),
        html="<p>text</p>",
    )
    return ExtractedPage(of.name, row, len(text.encode()), ONE_SECOND, ONE_SECOND)


def reject(of: Shard, reason: RejectReason = RejectReason.STATUS) -> Reject:
    return Reject(
        location=Location(of.name, of.source, 5, 5),
        url="https://sample.example/r",
        stage=Stage.DECODE,
        reason=reason,
        detail="404",
        decode=ONE_SECOND,
    )


def reject_row(reason: str = "no_url", detail: str = "") -> RejectRow:
    """A row of the rejects."""
    known = Reject(
        location=Location("", "s", 0, 1),
        url=None,
        stage=Stage.READ,
        reason=RejectReason(reason),
        detail=detail,
    )
    return known.row


def end(of: Shard, records_read: int) -> ShardEnd:
    return ShardEnd(of, 0, 100, records_read, 100, ONE_SECOND)
