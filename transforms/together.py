"""Steps that take a few elements of a shard together: code runs faster right after itself.

Between two pages of one step the others run, and take its code and its data out of the processor's caches.
"""

from __future__ import annotations

from typing import Any

from transforms.corpus.shard_writer import StreamOrderError
from transforms.model.records import ExtractedPage, Page, Reject

MOST = 8
"""Elements that wait for each other, at most."""

_MOST_BYTES = 1 << 20
"""HTML of pages from which on they do not wait any longer."""


class Together:
    """Of a DoFn: it takes elements that come in shards; what ends a shard is not kept waiting.

    All that waits is of one shard: of one time, and of one window.

    Raises:
        StreamOrderError: a bundle ends before the mark of its last shard.
    """

    def start_bundle(self) -> None:
        """Drop what a failed bundle has left."""
        self._waiting: list[Any] = []
        self._bytes = 0

    def process(self, element: Any) -> list[Any]:
        """Keep an element waiting, or work on it and all that wait."""
        self._waiting.append(self._begun(element))
        self._bytes += len(element.html) if isinstance(element, Page) else 0
        waits = isinstance(element, Page | ExtractedPage | Reject)
        if waits and len(self._waiting) < MOST and self._bytes < _MOST_BYTES:
            return []
        waiting = self._waiting
        self.start_bundle()
        return self._made(waiting)

    def finish_bundle(self) -> None:
        """Nothing may wait here: the mark of its shard was lost."""
        if self._waiting:
            raise StreamOrderError("the bundle ended before the mark of a shard whose pages wait")

    def _begun(self, element: Any) -> Any:
        """Do with an element what is done at once; return what waits in its place."""
        return element

    def _made(self, waiting: list[Any]) -> list[Any]:
        """Return what becomes of the elements that waited, in their order."""
        raise NotImplementedError
