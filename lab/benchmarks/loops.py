"""Cedar's own loops, timed as those of the peers are.

python -m lab.benchmarks.loops read FILE...             every response's block, inflated and framed
python -m lab.benchmarks.loops extract NAME BODIES      extract(body, NAME): decode and extract
python -m lab.benchmarks.loops guard NAME BODIES        decode, and extract in the guarded child
python -m lab.benchmarks.loops micro BODIES WARC MOST SECONDS   each stage alone; a JSON list
python -m lab.benchmarks.loops sizes SMALL LARGE SECONDS        each extractor on pages of two sizes
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

from cedar import extract
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors import registry
from cedar.transforms.model.records import Record
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import GuardLimits
from cedar.transforms.warc.reader import FileRange, read_records

from . import pages as synthetic
from .stages import decode_stages, extract_stage, read_stages, seconds_of, write_stage
from .timing import Size, print_sample
from .workload import first_pages, read_bodies

_EXTRACTOR_PAGES = 60
_UNLIMITED = GuardLimits(cpu_seconds=600.0, memory_bytes=4 << 30)


def _read(files: list[str]) -> Size:
    pages = size = 0
    for path in files:
        with open(path, "rb") as file:
            for item in read_records(file, FileRange(source=path, size=Path(path).stat().st_size)):
                if isinstance(item, Record) and item.kind == "response":
                    pages += 1
                    size += len(item.block)
    return pages, size


def _extract(name: str, bodies: list[bytes]) -> Size:
    for body in bodies:
        extract(body, name)
    return len(bodies), sum(map(len, bodies))


def _guard(name: str, bodies: list[bytes]) -> None:
    options = registry.options_json(registry.parse_options(name, {}))
    guard = Guard((name, options), _UNLIMITED, with_html=False)

    def loop(bodies: list[bytes]) -> Size:
        for body in bodies:
            guard.extract(decode_text(body, header_label=None, truncated=False).utf8)
        return len(bodies), sum(map(len, bodies))

    loop(bodies[:1])  # the child is there and warm
    print_sample(loop, bodies, lambda: guard.cpu_seconds)
    guard.close()


def _micro(bodies_path: str, warc: str, most: int, *, seconds: float) -> list[dict[str, object]]:
    bodies = first_pages(read_bodies(bodies_path), most)
    few = bodies[: max(1, min(most, _EXTRACTOR_PAGES))]
    found: list[dict[str, object]] = []

    def add(stage: str, pages: int, size: int, *, cpu: float, **more: object) -> None:
        found.append({"stage": stage, "pages": pages, "bytes": size, "cpu": cpu, **more})

    pages = sum(1 for item in _items(warc) if isinstance(item, Record))
    stages = read_stages(warc)
    cost = {name: seconds_of(work, seconds) for name, work in stages.items()}
    read_bytes = sum(len(item.block) for item in _items(warc) if isinstance(item, Record))
    add("inflate", pages, read_bytes, cpu=cost["inflate"])
    add("frame and parse records", pages, read_bytes, cpu=max(0.0, cost["read"] - cost["inflate"]))
    for name, work in decode_stages(warc).items():
        add(name, pages, read_bytes, cpu=seconds_of(work, seconds))
    decoded = [decode_text(body, header_label=None, truncated=False).utf8 for body in few]
    size = sum(map(len, decoded))
    for name in registry.names():
        add(f"extract {name}", len(decoded), size, cpu=seconds_of(extract_stage(name, decoded), seconds))
    rows, write = write_stage(decoded)
    cpu = seconds_of(write, seconds)
    add("write", rows, size, cpu=cpu, rows_per_second=rows / cpu if cpu else None)
    return found


def _items(path: str) -> list[object]:
    with open(path, "rb") as file:
        return list(read_records(file, FileRange(source=path, size=Path(path).stat().st_size)))


def _sizes(small_size: int, large_size: int, seconds: float) -> list[dict[str, object]]:
    """Cost a byte of a large page and of small ones of the same kind, for every extractor."""
    found: list[dict[str, object]] = []
    for kind in ("article", "minified"):
        small = [synthetic.page(number, kind=kind, size=small_size).html for number in (1, 2, 3)]
        large = synthetic.page(1, kind=kind, size=large_size).html
        for name in registry.names():
            work = extract_stage(name, small)
            work()
            runs, start = 0, time.process_time()
            while not runs or time.process_time() - start < seconds:
                work()
                runs += 1
            small_cost = (time.process_time() - start) / runs / sum(map(len, small))
            work = extract_stage(name, [large])
            costs = []
            for _ in range(3 if seconds else 1):
                start = time.process_time()
                (extraction,) = work()
                costs.append((time.process_time() - start) / len(large))
            large_cost = statistics.median(costs)
            found.append(
                {
                    "extractor": name,
                    "kind": kind,
                    "small_bytes": small_size,
                    "large_bytes": large_size,
                    "ratio": large_cost / small_cost,
                    "fallback": extraction.fallback,
                }
            )
    return found


def main(arguments: list[str]) -> int:
    """Run one loop."""
    match arguments:
        case ["read", *files]:
            print_sample(_read, files)
        case ["extract", name, bodies]:
            pages = read_bodies(bodies)
            _extract(name, pages[:1])  # what is loaded with the first page is no page's cost
            print_sample(lambda given: _extract(name, given), pages)
        case ["guard", name, bodies]:
            _guard(name, read_bodies(bodies))
        case ["micro", bodies, warc, most, seconds]:
            print(json.dumps(_micro(bodies, warc, int(most), seconds=float(seconds))))
        case ["sizes", small, large, seconds]:
            print(json.dumps(_sizes(int(small), int(large), float(seconds))))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
