"""What reading over http took: requests, bytes, retries and waiting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fetched:
    """Sums over requests.

    Attributes:
        bytes: bytes of bodies that were delivered to the reader.
        retries: how often a request had to be sent again, by cause: a status as `503`, `cut`, `stall`, ...
        waited: seconds of waiting, for a server to recover or for the pace.
        wanted: bytes of the records that were selected; 0 where files are read whole.
    """

    requests: int = 0
    bytes: int = 0
    retries: Mapping[str, int] = field(default_factory=dict)
    waited: float = 0.0
    wanted: int = 0

    def __add__(self, other: Fetched) -> Fetched:
        return self if other == NOTHING_FETCHED else self._with(other, 1)

    def __sub__(self, other: Fetched) -> Fetched:
        return self._with(other, -1)

    def _with(self, other: Fetched, sign: int) -> Fetched:
        causes = sorted({*self.retries, *other.retries})
        retries = {cause: self.retries.get(cause, 0) + sign * other.retries.get(cause, 0) for cause in causes}
        return Fetched(
            self.requests + sign * other.requests,
            self.bytes + sign * other.bytes,
            {cause: number for cause, number in retries.items() if number},
            self.waited + sign * other.waited,
            self.wanted + sign * other.wanted,
        )

    def to_json(self) -> dict[str, Any]:
        """As the commit of a shard and `run.json` have it."""
        return {
            "requests": self.requests,
            "bytes": self.bytes,
            "retries": dict(self.retries),
            "waited": round(self.waited, 3),
            **({"wanted": self.wanted} if self.wanted else {}),
        }


NOTHING_FETCHED = Fetched()
