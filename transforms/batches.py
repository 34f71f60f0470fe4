"""Steps that work on a few pages at once, and what ends a batch."""

from __future__ import annotations

from typing import Any

import apache_beam as beam
from apache_beam.utils.windowed_value import WindowedValue

from cedar.transforms.model.records import ExtractedPage, Page, Reject

MAX_BATCH_BYTES = 512 << 10
"""Bytes of HTML from which on a batch is full."""


class PageBatcher(beam.DoFn):
    """A DoFn that hands pages and rejects to `process_elements`, at most `batch_pages` at a time.

    An element that is neither, such as the end of a shard, ends its batch at once, and so does the end of a
    bundle. Each result has the time and the window of its element.
    """

    def __init__(self, batch_pages: int) -> None:
        self._batch_pages = batch_pages

    def start_bundle(self) -> None:
        """Forget what a failed bundle has left."""
        self._batch: list[WindowedValue] = []
        self._batch_bytes = 0

    def process(
        self, element: Any, time: Any = beam.DoFn.TimestampParam, window: Any = beam.DoFn.WindowParam
    ) -> list[WindowedValue]:
        """Put an element into the batch; return the results of the batch if that ends it."""
        self._batch.append(WindowedValue(element, time, (window,)))
        if isinstance(element, Page):
            self._batch_bytes += len(element.html)
        is_full = len(self._batch) >= self._batch_pages or self._batch_bytes >= MAX_BATCH_BYTES
        if isinstance(element, Page | ExtractedPage | Reject) and not is_full:
            return []
        return self.finish_bundle()

    def finish_bundle(self) -> list[WindowedValue]:
        """Return the results of the batch."""
        batch = self._batch
        self.start_bundle()
        results = self.process_elements([waiting.value for waiting in batch])
        return [waiting.with_value(result) for waiting, result in zip(batch, results, strict=True)]

    def process_elements(self, elements: list[Any]) -> list[Any]:
        """Return one result for each element, in their order."""
        raise NotImplementedError
