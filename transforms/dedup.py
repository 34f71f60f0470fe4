"""`GroupRecords` and `do_tasks`: the work on duplicates, with shards, parts and blobs of records as elements.

There is never an element for each page: a shard's records of a part are one blob, small ones of several
shards are put together, and blobs are grouped by part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import apache_beam as beam
import numpy as np
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.windowed_value import WindowedValue

from cedar.transforms.curation.duplicates import Words

_BLOB_BYTES = 64 << 10

Records = Callable[[int], Iterable[tuple[str, Words]]]
"""Makes the records of a shard, by its number: the name of a part, and those that belong to it; pickles."""

Finish = Callable[[str, Iterable[bytes]], None]
"""Writes the result of a part, by its name and the blobs of its records; pickles."""


class GroupRecords(beam.PTransform):
    """PCollection of numbers of shards -> nothing of use; all parts, also empty ones, are written."""

    def __init__(self, records: Records, parts: Sequence[str], finish: Finish) -> None:
        super().__init__()
        self._records = records
        self._parts = tuple(parts)
        self._finish = finish

    def expand(self, shards: beam.PCollection) -> beam.PCollection:
        """Make records, group them, finish each part."""
        blobs = (
            shards
            | "Spread" >> beam.Reshuffle()
            | "Records" >> beam.ParDo(_MakeRecords(self._records)).with_output_types(tuple[str, bytes])
        )
        none = beam.Create([(part, b"") for part in self._parts]).with_output_types(tuple[str, bytes])
        return (
            (blobs, shards.pipeline | "Parts" >> none)
            | beam.Flatten()
            | beam.GroupByKey()
            | "Finish" >> beam.MapTuple(self._finish)
        )


def do_tasks(work: Callable[[int], None]) -> beam.PTransform:
    """PCollection of numbers of tasks -> nothing of use; each is done by `work`, which pickles."""
    return "Spread" >> beam.Reshuffle() | "Do" >> beam.Map(work)


class _MakeRecords(beam.DoFn):
    def __init__(self, records: Records) -> None:
        self._make = records
        self._held: dict[str, list[bytes]] = {}
        self._sizes: dict[str, int] = {}

    def start_bundle(self) -> None:
        self._held, self._sizes = {}, {}

    def process(self, shard: int) -> Iterator[tuple[str, bytes]]:
        for part, records in self._make(shard):
            self._held.setdefault(part, []).append(np.ascontiguousarray(records).tobytes())
            self._sizes[part] = self._sizes.get(part, 0) + records.nbytes
            if self._sizes[part] >= _BLOB_BYTES:
                yield part, self._take(part)

    def finish_bundle(self) -> Iterator[Any]:
        window = GlobalWindow()
        for part in list(self._held):
            yield WindowedValue((part, self._take(part)), window.max_timestamp(), (window,))

    def _take(self, part: str) -> bytes:
        self._sizes.pop(part)
        return b"".join(self._held.pop(part))
