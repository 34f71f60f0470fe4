"""The clocks that stages are timed with; no result depends on them but the time columns."""

from __future__ import annotations

import time

from transforms.model.books import Cost


def clock() -> Cost:
    """CPU time of this thread and wall time so far; the difference of two is what lay between."""
    return Cost(time.thread_time(), time.perf_counter())
