"""`Curate`: what is known of a page beside its text, and the rules that it has to keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apache_beam as beam

from transforms.coders import InBand
from transforms.curation.plan import CurationPlan
from transforms.model.records import ExtractedPage, ShardEnd

if TYPE_CHECKING:
    from transforms.curation.curator import Curator


class Curate(beam.PTransform):
    """PCollection of ExtractedPage (with what travels in band) -> the same, annotated; dropped, or Reject.

    Is no step where its plan asks for nothing.
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

    def setup(self) -> None:
        # Here, where it is asked for: its tables take a moment.
        from transforms.curation.curator import Curator

        self._curator = Curator(self._plan)

    def start_bundle(self) -> None:
        self._curator.end_shard()

    def process(self, element: Any) -> tuple[Any]:
        if isinstance(element, ExtractedPage):
            return (self._curator.applied(element),)
        if isinstance(element, ShardEnd):
            self._curator.end_shard()
        return (element,)
