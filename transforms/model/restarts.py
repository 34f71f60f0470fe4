"""Restarts of local workers: which worker, why, and on which page."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Restart:
    """One restart of a local worker.

    Attributes:
        worker: its number, from 1.
        cause: why its process was replaced: `killed by signal 9`, `hung for over 60 s`, ...
        url: the page that it worked on; "" if it was between two pages, or works on none.
        among_others: it worked on several pages at once; `url` is the last of them.
        item: the shard, or the step, that it worked on.
        attempt: how often that was tried, from 1.
        rejected: the page is rejected from now on.
    """

    worker: int
    cause: str
    item: str
    attempt: int
    url: str = ""
    among_others: bool = False
    rejected: bool = False

    def __str__(self) -> str:
        """Return the line that people read."""
        on = f" while on {self.url}" if self.url else ""
        on += " or a page before it" if self.url and self.among_others else ""
        where = f"({self.item}, attempt {self.attempt})"
        rejected = "; the page is rejected" if self.rejected else ""
        return f"worker {self.worker} restarted: {self.cause}{on} {where}{rejected}"

    def to_json(self) -> dict[str, Any]:
        """Return the restart as records of runs and events have it."""
        return asdict(self)
