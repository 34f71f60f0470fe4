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

_OVERHEAD_BYTES = 512


class StreamElement(ABC):  # noqa: B024 - its subclasses are registered
    """The type of a shard's elements: Record, Page, ExtractedPage, Reject, ShardEnd, ShardSummary."""


class RecordElement(StreamElement):
    """The type of those that nothing has decoded yet: Record, Reject."""


# Beam's checks at run time ask whether elements are instances of the types that the graph says.
RecordElement.register(Record)
RecordElement.register(Reject)
StreamElement.register(Page)
StreamElement.register(ExtractedPage)
StreamElement.register(ShardEnd)
StreamElement.register(ShardSummary)


class StreamElementCoder(coders.Coder):
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
                return _OVERHEAD_BYTES + len(value.block)
            case Page():
                return _OVERHEAD_BYTES + len(value.html)
            case ExtractedPage():
                return _OVERHEAD_BYTES + value.text_bytes
            case _:
                return _OVERHEAD_BYTES

    def to_type_hint(self) -> type:
        """Return the type whose elements it codes."""
        return StreamElement


for _kind in (StreamElement, RecordElement):
    coders.registry.register_coder(_kind, StreamElementCoder)
