"""`Curate`: what is known of a page besides its text, and the rules that it has to keep."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import apache_beam as beam

from transforms.coders import InBand
from transforms.curation.plan import CurationPlan
from transforms.model.records import ExtractedPage

if TYPE_CHECKING:
    from transforms.curation.curator import Curator


class Curate(beam.PTransform):
    """PCollection of ExtractedPage (with what travels in band) -> the same, annotated; dropped, or Reject.

    A plan that asks for nothing has no such step. A page may take `page_seconds` of CPU time in all.
    """

    def __init__(self, plan: CurationPlan, page_seconds: float = math.inf) -> None:
        super().__init__()
        self._plan = plan
        self._page_seconds = page_seconds

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Annotate and judge."""
        if not self._plan.is_on:
            return pages
        return pages | "Curate" >> beam.ParDo(_Curate(self._plan, self._page_seconds)).with_output_types(
            InBand
        )


class _Curate(beam.DoFn):
    _curator: Curator

    def __init__(self, plan: CurationPlan, page_seconds: float = math.inf) -> None:
        self._plan = plan
        self._page_seconds = page_seconds

    def setup(self) -> None:
        # Here, where it is asked for: its tables take a moment.
        from transforms.curation.curator import Curator

        self._curator = Curator(self._plan, self._page_seconds)

    def process(self, element: Any) -> tuple[Any]:
        return (self._curator.applied(element) if isinstance(element, ExtractedPage) else element,)
