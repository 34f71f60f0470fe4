"""`Curate`: what is known of a page beside its text, and the rules that it has to keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import apache_beam as beam

from transforms.coders import InBand
from transforms.curation.plan import MOVE, REJECT, CurationPlan
from transforms.model.books import Cost, RejectReason, Stage
from transforms.model.records import ExtractedPage, Reject, ShardEnd
from transforms.model.timing import clock

if TYPE_CHECKING:
    from transforms.curation.curator import Curator


class Curate(beam.PTransform):
    """PCollection of ExtractedPage (with what travels in band) -> the same, annotated; dropped or Reject.

    Does nothing, and is no step, where its plan asks for nothing.
    """

    def __init__(self, plan: CurationPlan) -> None:
        super().__init__()
        self._plan = plan

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Annotate and judge."""
        if not self._plan.is_on:
            return pages
        return pages | "Curate" >> beam.ParDo(_Curate(self._plan)).with_output_types(InBand)


class _Curate(beam.DoFn):
    _curator: Curator

    def __init__(self, plan: CurationPlan) -> None:
        self._plan = plan
        self._row = 0  # of the shard's file of pages

    def setup(self) -> None:
        # Here, where it is asked for: its tables take a moment.
        from transforms.curation.curator import Curator

        self._curator = Curator(self._plan)

    def start_bundle(self) -> None:
        self._row = 0

    def process(self, element: Any) -> Iterator[Any]:
        if isinstance(element, ShardEnd):
            self._row = 0
        if not isinstance(element, ExtractedPage):
            yield element
            return
        start = clock()
        curated = self._curator.curate(element.row, element.annotations)
        page = dataclasses.replace(
            element,
            annotations=curated.annotations,
            signature=curated.signature and curated.signature._replace(row=self._row),
        )
        verdict = curated.verdict
        if verdict is not None and self._plan.dropped == REJECT:
            yield _rejected(page, verdict.reason, clock() - start)
            return
        if verdict is not None and self._plan.dropped == MOVE:
            page = dataclasses.replace(page, dropped_by=verdict.rule)
        else:
            self._row += 1
        yield dataclasses.replace(page, filter=clock() - start)


def _rejected(page: ExtractedPage, reason: str, spent: Cost) -> Reject:
    return Reject(
        page.shard,
        page.row.source,
        page.row.offset,
        page.row.length,
        page.row.url,
        Stage.FILTER,
        RejectReason.FILTERED,
        reason,
        decode=page.decode,
        extract=page.extract,
        filter=spent,
    )
