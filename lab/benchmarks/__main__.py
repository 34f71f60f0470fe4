"""`make bench`: Cedar next to what people use today, in CPU time, in turns, as ratios.

    python -m lab.benchmarks [--only SUITE,...] [--runs N] [--json FILE] [--docs FILE] [WARC...]

CEDAR_GOLD names a directory of gold files to take the pages from; without it and without WARC files, pages
are made up.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from . import report, suites, workload
from .suites import Results, Settings
from .whole import whole
from .workload import Workload

SCHEMA = 1
"""Version of the results' JSON: raised when a field changes its meaning or goes."""

SUITES: dict[str, Callable[[Workload, Settings, Results], None]] = {
    "start-up": suites.start_up,
    "end-to-end": suites.end_to_end,
    "profile": suites.profile,
    "whole": whole,
    "pages": suites.pages_in_memory,
    "reading": suites.reading,
    "growth": suites.growth,
    "workers": suites.two_workers,
    "stages": suites.stages,
    "sizes": suites.sizes,
}
"""All suites by the names that `--only` takes, in the order in which they run."""

_PACKAGES = (
    "apache-beam", "numpy", "lxml", "isal", "pyarrow", "fastwarc", "resiliparse", "trafilatura", "warcio"
)  # fmt: skip


def _machine() -> dict[str, Any]:
    model = ""
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "cpu": model or platform.processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "packages": versions,
    }


def main(arguments: list[str] | None = None) -> int:
    """Measure; print the table, write JSON and, if asked for, the document."""
    parser = argparse.ArgumentParser(prog="make bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("warcs", nargs="*", type=Path, metavar="WARC", help="files to measure on")
    parser.add_argument("--only", default="", metavar="SUITE,...", help=f"of: {', '.join(SUITES)}")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="alternating runs (default: 5)")
    parser.add_argument("--pages", type=int, default=1000, metavar="N", help="synthetic pages (1000)")
    parser.add_argument("--quick", action="store_true", help="one run, 20 small pages: does it work at all?")
    parser.add_argument("--work", type=Path, default=Path("build/bench"), metavar="DIR", help="(build/bench)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="(DIR/results.json)")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="fill this document's tables")
    parser.add_argument("--price", type=float, default=report.PRICE, help="dollars a vCPU-hour, for the bill")
    options = parser.parse_args(arguments)
    chosen = [name for name in options.only.split(",") if name] or list(SUITES)
    unknown = [name for name in chosen if name not in SUITES]
    if unknown:
        parser.error(f"no such suite: {', '.join(unknown)}; there are: {', '.join(SUITES)}")
    gold = Path(os.environ["CEDAR_GOLD"]) if os.environ.get("CEDAR_GOLD") and not options.warcs else None
    settings = Settings(rounds=options.runs, slow_rounds=min(3, options.runs))
    count, size = options.pages, None
    if options.quick:
        settings, count, size = Settings(1, 1, 2, 6_000, 12_000, 0.0, 0.0), 20, 6_000
    options.work.mkdir(parents=True, exist_ok=True)
    work = workload.make(options.work, gold=gold, warcs=tuple(options.warcs), count=count, size=size)
    print(f"{work.source}: {work.pages:,} pages, {work.html_bytes / 1e6:,.1f} MB of HTML", file=sys.stderr)
    found = Results([], {}, {}, {})
    for name in chosen:
        print(f"{name}:", file=sys.stderr, flush=True)
        SUITES[name](work, settings, found)
    results = {
        "schema": SCHEMA,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": _machine(),
        "workload": asdict(work),
        "rounds": settings.rounds,
        "suites": chosen,
        "figures": [{**asdict(figure), "met": figure.met} for figure in found.figures],
        "samples": {name: [asdict(s) for s in samples] for name, samples in found.samples.items()},
        "missing": found.missing,
        "details": found.details,
        "cpu_seconds_of_all": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, 1),
    }
    path = options.json or options.work / "results.json"
    path.write_text(json.dumps(results, indent=1) + "\n")
    report.print_tables(results)
    print(f"\n{path}", file=sys.stderr)
    if options.docs:
        report.fill(options.docs, results, options.price)
        print(options.docs, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
