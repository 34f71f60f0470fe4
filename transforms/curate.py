"""`Curate`: columns that are made of texts, and the rules that pages have to pass."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import apache_beam as beam

from cedar.transforms.batches import PageBatcher
from cedar.transforms.coders import StreamElement
from cedar.transforms.curation.plan import CurationPlan
from cedar.transforms.model.records import ExtractedPage, Reject

if TYPE_CHECKING:
    from cedar.transforms.curation.curator import Curator


class Curate(beam.PTransform):
    """PCollection of ExtractedPage (with what travels in band) -> the same, annotated; dropped, or Reject.

    A plan that asks for nothing has no such step.

    Args:
        page_seconds: CPU time that a page may take in all.
        singly: work on each page alone, so that one that ends the worker is known.
    """

    def __init__(self, plan: CurationPlan, page_seconds: float = math.inf, *, singly: bool = False) -> None:
        super().__init__()
        self._step = _Curate(plan, page_seconds, 1 if singly else plan.batch_pages)
        self._is_on = plan.is_on

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Annotate and filter."""
        if not self._is_on:
            return pages
        return pages | "Curate" >> beam.ParDo(self._step).with_output_types(StreamElement)


class _Curate(PageBatcher):
    _curator: Curator

    def __init__(self, plan: CurationPlan, page_seconds: float, batch_pages: int) -> None:
        super().__init__(batch_pages)
        self._plan = plan
        self._page_seconds = page_seconds

    def setup(self) -> None:
        # Imported here because its tables take a moment, and few plans ask for them.
        from cedar.transforms.curation.curator import Curator

        self._curator = Curator(self._plan, self._page_seconds)

    def process_elements(self, elements: list[Any]) -> list[Any]:
        pages = [element for element in elements if isinstance(element, ExtractedPage)]
        results = iter(self._curator.curate(pages))
        found: list[Any] = []
        for element in elements:
            if isinstance(element, ExtractedPage):
                found.append(next(results))
            elif isinstance(element, Reject):
                found.append(self._curator.masked(element))
            else:
                found.append(element)
        return found
