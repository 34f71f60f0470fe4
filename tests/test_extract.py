"""Extraction of pages: the CPU time of a page, looked at between its steps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cedar.transforms.model.books import RejectReason, Stage
from cedar.transforms.model.costs import NO_COST, Cost
from cedar.transforms.model.records import ExtractedPage, Location, Page, Reject
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.guard_limits import GuardLimits
from cedar.transforms.runtime.page_extractor import PageExtractor

PAGE = Page(
    location=Location(shard="one", source="/data/a.warc", offset=7, length=9),
    url="https://a.test/",
    record_id=None,
    fetched_at=None,
    status=200,
    media_type="text/html",
    charset="utf-8",
    charset_source="utf8",
    replaced=0,
    truncated=False,
    lang=None,
    html=b"<h1>A page of some words</h1><p>It has a paragraph, and one is enough here.</p>",
    html_bytes=80,
    html_chars=80,
    decode=NO_COST,
)


def test_a_page_that_took_its_time_in_decoding_is_a_reject_of_any_method() -> None:
    for method in ("cedar", "cetr", "keep-all"):
        extractor = PageExtractor(ExtractPlan.of(method))
        (page,) = extractor.extract([PAGE])
        assert isinstance(page, ExtractedPage)
        (late,) = extractor.extract([replace(PAGE, decode=Cost(10.0, 12.0))])
        assert isinstance(late, Reject)
        assert (late.stage, late.reason) == (Stage.EXTRACT, RejectReason.TIME_LIMIT)
        assert late.detail == "10 s of CPU time"
        assert late.decode == Cost(10.0, 12.0)
        assert late.extract.cpu > 0


def test_a_page_that_is_late_gets_no_markdown_nor_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        "cedar.transforms.extractors.cedar.cedar.CedarExtraction.write_markdown",
        lambda *_: asked.append("markdown"),
    )
    monkeypatch.setattr(
        "cedar.transforms.metadata.reading.page_metadata", lambda *_, **_named: asked.append("metadata")
    )
    limits = GuardLimits(cpu_seconds=2.0)
    plan = replace(ExtractPlan.of("cedar"), limits=limits, columns=("markdown", "metadata"))
    extractor = PageExtractor(plan)
    (late,) = extractor.extract([replace(PAGE, decode=Cost(2.0, 2.0))])
    assert isinstance(late, Reject)
    assert late.reason is RejectReason.TIME_LIMIT
    assert asked == []
    (page,) = extractor.extract([PAGE])
    assert isinstance(page, ExtractedPage)
    assert asked == ["markdown", "metadata"]


def test_the_row_of_a_page_with_tags_that_are_not_read_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = PageExtractor(ExtractPlan.of("cedar"))
    for most, truncated in ((4, False), (3, True)):
        monkeypatch.setattr("cedar.transforms.extractors.html.reading.MAX_TAGS", most)
        (page,) = extractor.extract([PAGE])
        assert isinstance(page, ExtractedPage)
        assert page.row.truncated is truncated
