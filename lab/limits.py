"""Holds extraction, Markdown and metadata to linear time and memory, over hostile pages with all options.

    python -m lab.limits [--sizes 0.4,0.8,1.6,3.2,6.4] [SHAPE ...]

Each page is worked on in a child process of its own. A line per shape: seconds of CPU and MiB of peak memory
at each size. The exit code is 1 if twice the size took more than twice the time or memory, beyond what
starting takes.
"""

import argparse
import os
import resource
import sys
from collections.abc import Sequence

import cedar
from tests.extractors.markdown.test_hostile_markdown import SHAPES

ALL_KEPT = cedar.MarkdownOptions(links="keep", images="keep")
MAX_SECONDS = 120
_SLACK_SECONDS = 0.3
_SLACK_MIB = 24.0
_MAX_RATIO = 2.2
"""Of the time and memory at twice the size: two, and what clocks and allocators differ by."""


def cost(html: bytes) -> tuple[float, float]:
    """Return the CPU time in seconds, and the peak memory in MiB, of one page in a child process."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        cedar.extract(html, markdown=ALL_KEPT)
        cedar.metadata(html, "https://a.example/")
        os._exit(0)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    return (float("inf") if status else seconds), usage.ru_maxrss / 1024


def growth(shape: str, sizes: Sequence[float]) -> tuple[list[tuple[float, float]], bool]:
    """Return the costs of a shape at each size in MB, and whether they grow no faster than the sizes."""
    costs = [cost(SHAPES[shape](int(size * 1e6)).encode()) for size in sizes]
    is_linear = True
    for before, after, small, large in zip(costs, costs[1:], sizes, sizes[1:], strict=False):
        ratio = _MAX_RATIO * large / small / 2
        is_linear &= after[0] <= ratio * before[0] + _SLACK_SECONDS
        is_linear &= after[1] <= ratio * before[1] + _SLACK_MIB
    return costs, is_linear


def main() -> int:
    """Print the costs of all shapes; see the head of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.limits", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--sizes", default="0.4,0.8,1.6,3.2,6.4", help="of the pages, in MB")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="all unless given")
    options = parser.parse_args()
    sizes = [float(size) for size in options.sizes.split(",")]
    cedar.extract("<p>What is imported later is imported before the first child.", markdown=ALL_KEPT)
    cedar.metadata("<p>As above.")
    code = 0
    for shape in options.shapes or SHAPES:
        costs, is_linear = growth(shape, sizes)
        said = "  ".join(f"{seconds:6.2f} s {mib:5.0f} MiB" for seconds, mib in costs)
        print(f"{shape:36} {said}  {'linear' if is_linear else 'NOT LINEAR'}", flush=True)
        code |= not is_linear
    return code


if __name__ == "__main__":
    sys.exit(main())
