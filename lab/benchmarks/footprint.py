"""Memory and disk of each step from a crawl to a corpus: `python -m lab.benchmarks.footprint WARC...`.

Of each step the most that its processes held together, pages that they share counted once, and the bytes
that it left for each page that was read. The table is that of docs/operations.md. Linux only.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .measure import environment
from .memory import peak_of
from .whole import CHOICES, KEEP

EVERYTHING = CHOICES["everything"]


def steps(warcs: list[str]) -> Iterator[tuple[str, list[str], str]]:
    """What is run, in its order: its name, the command, and the folder that it leaves."""
    for name, options in {**CHOICES, "--full-signatures": ("--full-signatures",)}.items():
        folder = name.strip("-").replace(" ", "-")
        yield f"extract, {name}", ["extract", *warcs, "--output", folder, *options, "--workers", "1"], folder
    lines = ["extract", *warcs, "--output", "lines", *EVERYTHING, "--format", "jsonl", "--workers", "1"]
    yield "extract, everything, as JSON lines", lines, "lines"
    for workers in ("2", "4"):
        many = ["extract", *warcs, "--output", f"many{workers}", *EVERYTHING, "--workers", workers]
        yield f"extract, everything, {workers} workers, all together", many, f"many{workers}"
    rules = [*KEEP, "--preset", "fineweb", "--workers", "1"]
    yield "filter --preset fineweb --dry-run", ["filter", "nothing", "--dry-run", *rules], ""
    yield "filter --preset fineweb --output", ["filter", "nothing", "--output", "kept", *rules], "kept"
    for name, corpus, more in (
        ("dedup", "signatures", []),
        ("dedup, no signatures yet", "nothing", []),
        ("dedup --write", "signatures", ["--write"]),
    ):
        folder = "found" + str(len(name))
        yield name, ["dedup", corpus, "--output", folder, *more, "--workers", "1"], folder
    yield "report", ["report", "everything", "--output", "report.html"], ""


def main() -> None:
    """Run each, and print a line of the table."""
    warcs = [str(Path(warc).resolve()) for warc in sys.argv[1:]]
    print("| step | MiB | bytes left a page | of which |\n|---|---:|---:|---|")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name, arguments, left in steps(warcs):
            command = [sys.executable, "-m", "cedar", *arguments]
            command += [] if arguments[0] == "report" else ["--quiet"]
            process = subprocess.Popen(command, cwd=home, env=environment(), stdout=subprocess.DEVNULL)
            mebibytes = peak_of(process)
            if process.wait():
                raise subprocess.CalledProcessError(process.returncode, command)
            pages = json.loads((home / "nothing" / "run.json").read_text())["pages"]
            sizes = _sizes(home / left) if left else {}
            parts = ", ".join(f"{part} {size / pages:,.0f}" for part, size in sizes.items())
            print(f"| {name} | {mebibytes:.0f} | {sum(sizes.values()) / pages:,.0f} | {parts} |", flush=True)


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes of the files of each part of a corpus or result."""
    parts = sorted(part for part in folder.iterdir() if part.is_dir() and part.name != "_tmp")
    sizes = {part.name: sum(f.stat().st_size for f in part.rglob("*") if f.is_file()) for part in parts}
    return {name: size for name, size in sizes.items() if size}


if __name__ == "__main__":
    main()
