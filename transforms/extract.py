"""`ExtractPages`: decoded pages to rows of clean text and metrics, in the stream of a shard."""

from __future__ import annotations

from typing import Any

import apache_beam as beam

from cedar.transforms.batches import PageBatcher
from cedar.transforms.coders import StreamElement
from cedar.transforms.curation.plan import BATCH_PAGES
from cedar.transforms.model.records import Page
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.page_extractor import PageExtractor


class ExtractPages(beam.PTransform):
    """PCollection of Page (with what travels in band) -> the same with ExtractedPage for Page, or Reject.

    Args:
        singly: work on each page alone, so that one that ends the worker is known.
    """

    def __init__(self, plan: ExtractPlan, *, singly: bool = False) -> None:
        super().__init__()
        # Text alone is a single stage, which gains nothing from batches.
        in_batches = plan.is_annotated and not singly
        self._step = _Extract(plan, BATCH_PAGES if in_batches else 1)

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Extract."""
        return pages | "Extract" >> beam.ParDo(self._step).with_output_types(StreamElement)


class _Extract(PageBatcher):
    _extractor: PageExtractor | None = None

    def __init__(self, plan: ExtractPlan, batch_pages: int) -> None:
        super().__init__(batch_pages)
        self._plan = plan

    def setup(self) -> None:
        self._extractor = PageExtractor(self._plan)

    def process_elements(self, elements: list[Any]) -> list[Any]:
        assert self._extractor is not None
        results = iter(self._extractor.extract([page for page in elements if isinstance(page, Page)]))
        return [next(results) if isinstance(element, Page) else element for element in elements]

    def teardown(self) -> None:
        if self._extractor is not None:
            self._extractor.close()
