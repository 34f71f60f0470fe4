"""Pages that are annotated and curated together: the same elements, in their order, as one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cedar.transforms.coders import MOST
from cedar.transforms.curate import _Curate, _CurateInShards
from cedar.transforms.curation.plan import CurationPlan
from cedar.transforms.extract import _Extract, _ExtractTogether
from cedar.transforms.model._cost import Cost
from cedar.transforms.model.books import NO_COST
from cedar.transforms.model.markdown_options import MarkdownOptions
from cedar.transforms.model.records import ExtractedPage, Reject
from cedar.transforms.runtime.extract_plan import ExtractPlan
from tests.elements import end, reject, shard
from tests.test_extract import PAGE

ONE = shard("one-00000000-000000000000-000000000100")
PLAN = replace(ExtractPlan.of("cedar"), markdown=MarkdownOptions(), with_metadata=True)
LATE = replace(PAGE, decode=Cost(10.0, 12.0))


def pages(count: int) -> list[Any]:
    words = (
        f"<h1>Page {number}</h1><p>It has a paragraph, and one is enough.</p>" for number in range(count)
    )
    return [replace(PAGE, offset=number, html=html.encode()) for number, html in enumerate(words)]


def worked(step: Any, elements: list[Any]) -> list[list[Any]]:
    """What a step gives for each element of a bundle."""
    step.setup()
    if hasattr(step, "start_bundle"):
        step.start_bundle()
    return [list(step.process(element)) for element in elements]


def untimed(elements: list[list[Any]]) -> list[Any]:
    """The elements of a bundle without the time that they took."""
    out = []
    for element in (element for some in elements for element in some):
        if isinstance(element, ExtractedPage):
            row = element.row._replace(extract_seconds=0.0)
            element = replace(element, row=row, extract=NO_COST, filter=NO_COST)
        elif isinstance(element, Reject):
            element = replace(element, extract=NO_COST)
        out.append(element)
    return out


def test_elements_are_those_of_one_at_a_time() -> None:
    some = pages(2 * MOST + 3)
    elements = [*some[:3], reject(ONE), LATE, *some[3:], end(ONE, len(some) + 2)]
    alone = worked(_Extract(PLAN), elements)
    together = worked(_ExtractTogether(PLAN), elements)
    assert untimed(together) == untimed(alone)
    assert [len(some) for some in together if some] == [MOST, MOST, 6]
    made = [element for some in together for element in some]
    plan = CurationPlan(signals=True, signatures=True)
    curated = worked(_CurateInShards(plan), made)
    assert untimed(curated) == untimed(worked(_Curate(plan), made))


def test_a_mark_is_not_kept_waiting() -> None:
    step = _ExtractTogether(PLAN)
    first, last = worked(step, [*pages(1), end(ONE, 1)])
    assert first == []
    assert [type(element).__name__ for element in last] == ["ExtractedPage", "ShardEnd"]


def test_large_pages_do_not_wait() -> None:
    html = pages(1)[0].html + b"<p>" + b"word " * 250_000
    assert [len(some) for some in worked(_ExtractTogether(PLAN), [replace(PAGE, html=html)])] == [1]


def test_what_a_failed_bundle_left_is_dropped() -> None:
    step = _ExtractTogether(PLAN)
    worked(step, pages(1))
    step.start_bundle()
    assert len(list(step.process(end(ONE, 0)))) == 1


def test_a_page_is_not_charged_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def reads(*_: object) -> None:
        now[0] += 3.0

    monkeypatch.setattr("cedar.transforms.extract.clock", lambda: Cost(now[0], now[0]))
    monkeypatch.setattr("cedar.transforms.extract.markdown_of", reads)
    made = [element for some in worked(_ExtractTogether(PLAN), pages(MOST)) for element in some]
    assert [element.extract for element in made] == [Cost(3.0, 3.0)] * MOST
