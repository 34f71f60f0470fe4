"""`Curate`: what is known of a page besides its text, and the rules that it has to keep."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import apache_beam as beam
from apache_beam.utils.windowed_value import WindowedValue

from cedar.transforms.coders import Arrival, InBand, Together
from cedar.transforms.curation.plan import CurationPlan
from cedar.transforms.model.records import ExtractedPage, Reject

if TYPE_CHECKING:
    from cedar.transforms.curation.curator import Curator


class Curate(beam.PTransform):
    """PCollection of ExtractedPage (with what travels in band) -> the same, annotated; dropped, or Reject.

    A plan that asks for nothing has no such step. A page may take `page_seconds` of CPU time in all.
    Pages are worked on a few together where elements come in shards, or where a function of the user's takes
    many; one at a time where they come so.
    """

    def __init__(
        self, plan: CurationPlan, page_seconds: float = math.inf, *, arrival: Arrival = Arrival.IN_ANY_ORDER
    ) -> None:
        super().__init__()
        step: type[_Curate] = _CurateInShards if arrival is Arrival.IN_SHARDS else _Curate
        if plan.together > 1 and arrival is not Arrival.IN_SHARDS_ALONE:
            step = _CurateTogether
        self._step = step(plan, page_seconds)
        self._is_on = plan.is_on

    def expand(self, pages: beam.PCollection) -> beam.PCollection:
        """Annotate and judge."""
        if not self._is_on:
            return pages
        return pages | "Curate" >> beam.ParDo(self._step).with_output_types(InBand)


class _Curate(beam.DoFn):
    _curator: Curator

    def __init__(self, plan: CurationPlan, page_seconds: float = math.inf) -> None:
        self._plan = plan
        self._page_seconds = page_seconds

    def setup(self) -> None:
        # Here, where it is asked for: its tables take a moment.
        from cedar.transforms.curation.curator import Curator

        self._curator = Curator(self._plan, self._page_seconds)

    def process(self, element: Any) -> list[Any]:
        return self._curator.applied([element])


class _CurateInShards(Together, _Curate):
    """The same over a few pages of a shard at once."""

    def _made(self, waiting: list[Any]) -> list[Any]:
        return self._curator.applied(waiting)


class _CurateTogether(_Curate):
    """The same over several pages at once; what ends a shard is not kept waiting."""

    def start_bundle(self) -> None:
        self._waiting: list[WindowedValue] = []

    def process(
        self, element: Any, time: Any = beam.DoFn.TimestampParam, window: Any = beam.DoFn.WindowParam
    ) -> list[Any]:
        self._waiting.append(WindowedValue(element, time, (window,)))
        waits = isinstance(element, ExtractedPage | Reject) and len(self._waiting) < self._plan.together
        return [] if waits else self.finish_bundle()

    def finish_bundle(self) -> list[WindowedValue]:
        waiting, self._waiting = self._waiting, []
        made = self._curator.applied([one.value for one in waiting])
        return [one.with_value(value) for one, value in zip(waiting, made, strict=True)]
