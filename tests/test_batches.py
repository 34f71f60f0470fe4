"""Pages that are extracted and curated in batches: the same elements, in their order, as one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.transforms.window import FixedWindows, GlobalWindow, TimestampedValue

from cedar.transforms.batches import PageBatcher
from cedar.transforms.curation.curator import Curator
from cedar.transforms.curation.plan import BATCH_PAGES, CurationPlan
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.costs import NO_COST, Cost
from cedar.transforms.model.page_work import PageWork, StageRunner
from cedar.transforms.model.records import ExtractedPage, Reject
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.page_extractor import PageExtractor
from tests.helpers.elements import end, shard
from tests.test_extract import PAGE

ONE = shard("one-00000000-000000000000-000000000100")
PLAN = ExtractPlan.of("cedar", columns=("markdown", "metadata"))
LATE = replace(PAGE, decode=Cost(10.0, 12.0))


def pages(count: int) -> list[Any]:
    words = (
        f"<h1>Page {number}</h1><p>It has a paragraph, and one is enough.</p>" for number in range(count)
    )
    return [
        replace(PAGE, location=replace(PAGE.location, offset=number), html=html.encode())
        for number, html in enumerate(words)
    ]


class Batches(PageBatcher):
    """Tells the size of the batch that each element is in."""

    def process_elements(self, elements: list[Any]) -> list[Any]:
        return [(len(elements), type(element).__name__) for element in elements]


def batched(elements: list[Any], batch_pages: int = BATCH_PAGES) -> list[list[Any]]:
    """What the step gives for each element of a bundle, and as the bundle ends."""
    step = Batches(batch_pages)
    step.start_bundle()
    found = [step.process(element, 7, GlobalWindow()) for element in elements] + [step.finish_bundle()]
    return [[each.value for each in some] for some in found]


def untimed(elements: list[Any]) -> list[Any]:
    """Elements without the time that they took."""
    out = []
    for element in elements:
        if isinstance(element, ExtractedPage):
            row = element.row._replace(extract_seconds=0.0)
            element = replace(element, row=row, extract=NO_COST, filter=NO_COST)
        elif isinstance(element, Reject):
            element = replace(element, extract=NO_COST)
        out.append(element)
    return out


def test_a_batch_ends_when_it_is_full_and_with_its_bundle() -> None:
    page = "Page"
    assert batched(pages(4), 3) == [[], [], [(3, page)] * 3, [], [(1, page)]]


def test_what_is_no_page_is_not_kept_waiting() -> None:
    first, last, rest = batched([*pages(1), end(ONE, 1)])
    assert (first, last, rest) == ([], [(2, "Page"), (2, "ShardEnd")], [])


def test_large_pages_do_not_wait() -> None:
    html = pages(1)[0].html + b"<p>" + b"word " * 250_000
    assert batched([replace(PAGE, html=html)]) == [[(1, "Page")], []]


def test_what_a_failed_bundle_left_is_dropped() -> None:
    step = Batches(3)
    step.start_bundle()
    step.process(PAGE, 0, GlobalWindow())
    step.start_bundle()
    assert len(step.process(end(ONE, 0), 0, GlobalWindow())) == 1


def test_elements_keep_their_time_and_window() -> None:
    class Told(beam.DoFn):
        def process(self, element: Any, time: Any = beam.DoFn.TimestampParam,
                    window: Any = beam.DoFn.WindowParam) -> list[Any]:  # fmt: skip
            return [(element, int(time), int(window.start))]

    with TestPipeline(runner="FnApiRunner") as pipeline:
        told = (
            pipeline
            | beam.Create([TimestampedValue(number, number) for number in (1, 2, 11)])
            | beam.Map(lambda number: number)
            | beam.WindowInto(FixedWindows(10))
            | beam.Map(lambda _: PAGE).with_output_types(Any)
            | beam.ParDo(Batches(2)).with_output_types(Any)
            | beam.ParDo(Told())
        )
        places = told | beam.Map(lambda each: each[1:])
        assert_that(places, equal_to([(1, 0), (2, 0), (11, 10)]))


def test_pages_together_become_what_they_become_alone() -> None:
    some = [*pages(3), LATE, *pages(9)[3:]]
    extractor = PageExtractor(PLAN)
    together = extractor.extract(some)
    assert untimed(together) == untimed([extractor.extract([page])[0] for page in some])
    assert [type(each) for each in together].count(Reject) == 1
    made = [page for page in together if isinstance(page, ExtractedPage)]
    curator = Curator(CurationPlan(signals=True, signatures=True))
    assert untimed(curator.curate(made)) == untimed([curator.curate([page])[0] for page in made])


def test_a_page_is_not_charged_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def reads(*_: object) -> None:
        now[0] += 3.0

    monkeypatch.setattr("cedar.transforms.runtime.page_extractor.clock", lambda: Cost(now[0], now[0]))
    monkeypatch.setattr("cedar.transforms.extractors.cedar.cedar.CedarExtraction.write_markdown", reads)
    made = PageExtractor(PLAN).extract(pages(BATCH_PAGES))
    assert [element.extract for element in made] == [Cost(3.0, 3.0)] * BATCH_PAGES


def test_a_page_over_its_time_sees_no_further_stage() -> None:
    times = iter([Cost(100.0, 0.0), Cost(101.0, 2.0), Cost(101.0, 2.0), Cost(102.5, 3.0)])
    runner = StageRunner(3.0, machine_errors=(MemoryError,), reject=_refuse, time=lambda: next(times))
    work = PageWork(cpu_before=1.0)
    runner.run(lambda _: None, [work])
    assert (work.cost, work.error) == (Cost(1.0, 2.0), None)
    runner.run(lambda _: None, [work])
    assert work.cost == Cost(2.5, 3.0)
    assert work.error is not None
    assert str(work.error) == "time_limit: 3 s of CPU time"
    runner.run(lambda _: pytest.fail("a further stage"), [work])


def test_errors_of_the_machine_are_no_reject() -> None:
    def fails(_: PageWork) -> None:
        raise MemoryError

    runner = StageRunner(3.0, machine_errors=(MemoryError,), reject=_refuse)
    with pytest.raises(MemoryError):
        runner.run(fails, [PageWork()])


def _refuse(error: Exception) -> RejectedError:
    return RejectedError(RejectReason.PAGE_ERROR, str(error))
