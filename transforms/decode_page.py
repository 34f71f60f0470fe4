"""`DecodePage`: WARC records to decoded HTML pages."""

from __future__ import annotations

from typing import Any

import apache_beam as beam

from cedar.transforms.coders import StreamElement
from cedar.transforms.decode.page import PageFilter, decode_record, rejected_record
from cedar.transforms.model.books import OF_ADDRESSES, Stage, rejection_of
from cedar.transforms.model.costs import clock
from cedar.transforms.model.limits import DEFAULT_MAX_BODY
from cedar.transforms.model.records import Record


class DecodePage(beam.PTransform):
    """PCollection of Record (with what travels in band) -> the same with Page for Record, or Reject.

    Args:
        filter: what becomes a page; by default responses with a status of 200 to 299.
        max_body: bytes of a page's body that are kept.

    Raises:
        TypeError: the filter is of another type.
    """

    def __init__(
        self,
        filter: PageFilter | None = None,  # noqa: A002 - the word of the command line
        *,
        max_body: int = DEFAULT_MAX_BODY,
    ) -> None:
        super().__init__()
        if not isinstance(filter, PageFilter | None):
            raise TypeError(f"filter is a PageFilter or None, not {type(filter).__name__}")
        self._filter = filter or PageFilter()
        self._max_body = max_body

    def expand(self, records: beam.PCollection) -> beam.PCollection:
        """Decode."""
        return records | "Decode" >> beam.ParDo(_Decode(self._filter, self._max_body)).with_output_types(
            StreamElement
        )


class _Decode(beam.DoFn):
    def __init__(self, filter: PageFilter, max_body: int) -> None:  # noqa: A002 - as above
        self._filter = filter
        self._max_body = max_body

    def process(self, element: Any) -> list[Any]:
        if not isinstance(element, Record):
            return [element]
        start = clock()
        try:
            page = decode_record(element, self._filter, self._max_body)
        except (MemoryError, OSError):
            raise  # the machine's fault, not the page's
        except Exception as error:  # noqa: BLE001 - whatever a record does to a step is its own reject
            why = rejection_of(error)
            # A reject for its address alone counts as a choice of records to read.
            stage = Stage.READ if why.reason in OF_ADDRESSES else Stage.DECODE
            return [rejected_record(element, stage, why, decode=clock() - start)]
        page.decode = clock() - start
        return [page]
