"""What flows between the steps of a shard: its coder, and steps that take a few elements together.

Beam's counters estimate the size of a sample of the elements: the default coder would pickle whole pages.
Code runs faster right after itself: between two pages of one step the others take it out of the caches.
"""

from __future__ import annotations

import pickle
from abc import ABC
from enum import Enum
from typing import Any

from apache_beam import coders

from cedar.transforms.model.records import ExtractedPage, Page, Record, Reject, ShardEnd
from cedar.transforms.model.summaries import ShardSummary

MOST, MOST_BYTES = 8, 1 << 19
"""Elements that wait for each other at most, and the bytes of HTML from which on there are enough of them."""


class Arrival(Enum):
    """How elements come to a step."""

    IN_SHARDS = "as `ReadShard` gives them: a few are worked on together"
    IN_SHARDS_ALONE = "the same, but each alone, so that one that ends the worker is known"
    IN_ANY_ORDER = "in a pipeline of the user's"


class Together:
    """Of a DoFn: it takes elements that come in shards; what ends a shard is not kept waiting.

    All that waits is of one shard: of one time, and of one window.
    """

    def start_bundle(self) -> None:
        """Drop what a failed bundle has left."""
        self._waiting: list[Any] = []
        self._bytes = 0

    def process(self, element: Any) -> list[Any]:
        """Keep an element waiting, or work on it and all that wait."""
        self._waiting.append(self._begun(element))
        self._bytes += len(element.html) if isinstance(element, Page) else 0
        is_enough = len(self._waiting) >= MOST or self._bytes >= MOST_BYTES
        if isinstance(element, Page | ExtractedPage | Reject) and not is_enough:
            return []
        waiting = self._waiting
        self.start_bundle()
        return self._made(waiting)

    def _begun(self, element: Any) -> Any:
        """Do with an element what is done at once; return what waits in its place."""
        return element

    def _made(self, waiting: list[Any]) -> list[Any]:
        """Return what becomes of elements that waited, in their order."""
        raise NotImplementedError


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
