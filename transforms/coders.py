"""What flows between the steps of a shard, and its coder.

Beam's counters estimate the size of a sample of the elements: the default coder would pickle whole pages.
"""

from __future__ import annotations

import pickle
from abc import ABC
from typing import Any

from apache_beam import coders

from cedar.transforms.model.records import ExtractedPage, Page, Record, Reject, ShardEnd
from cedar.transforms.model.summaries import ShardSummary

_ROOM = 512


class InBand(ABC):  # noqa: B024 - its subclasses are registered
    """The type of a shard's elements: Record, Page, ExtractedPage, Reject, ShardEnd, ShardSummary."""


class RecordInBand(InBand):
    """The type of those that nothing has decoded yet: Record, Reject."""


# Beam's checks at run time ask whether elements are instances of the types that the graph says.
RecordInBand.register(Record)
RecordInBand.register(Reject)
InBand.register(Page)
InBand.register(ExtractedPage)
InBand.register(ShardEnd)
InBand.register(ShardSummary)


class InBandCoder(coders.Coder):
    """Pickles elements of a shard's stream; estimates their size without."""

    def encode(self, value: Any) -> bytes:
        """Pickle."""
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)

    def decode(self, encoded: bytes) -> Any:
        """Unpickle."""
        return pickle.loads(encoded)  # noqa: S301 - from a worker of the same job

    def estimate_size(self, value: Any) -> int:
        """Estimate how many bytes an element takes: its payload and a little."""
        match value:
            case Record():
                return _ROOM + len(value.block)
            case Page():
                return _ROOM + len(value.html)
            case ExtractedPage():
                return _ROOM + value.text_bytes
            case _:
                return _ROOM

    def to_type_hint(self) -> type:
        """Return the type whose elements it codes."""
        return InBand


for _kind in (InBand, RecordInBand):
    coders.registry.register_coder(_kind, InBandCoder)
