"""How a loop is timed: all measured programs print the same line."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TypeVar

Size = tuple[int, int]
"""Pages and bytes that a loop went over."""

_Input = TypeVar("_Input")


def print_sample(
    loop: Callable[[_Input], Size], given: _Input, more_cpu: Callable[[], float] | None = None
) -> None:
    """Run a loop and print its size and CPU seconds as JSON.

    Args:
        loop: what is timed.
        given: what it goes over.
        more_cpu: CPU seconds so far of other processes that work for the loop.
    """
    more = more_cpu or (lambda: 0.0)
    start, more_start = time.process_time(), more()
    pages, size = loop(given)
    cpu = time.process_time() - start + more() - more_start
    print(json.dumps({"pages": pages, "bytes": size, "cpu": cpu}))
