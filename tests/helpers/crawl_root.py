"""A tiny root of Common Crawl's data: a list of crawls, two main crawls, a month of CC-NEWS."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.helpers.crawl import write_warc

MAIN, NEXT, NEWS = "CC-MAIN-2026-04", "CC-MAIN-2026-08", "CC-NEWS-2026-03"
_SEGMENT = f"crawl-data/{MAIN}/segments/1768220468194.5/warc"
MAIN_PATHS = tuple(f"{_SEGMENT}/CC-MAIN-20260112192206-20260112222206-0000{n}.warc.gz" for n in range(3))
NEWS_PATHS = ("crawl-data/CC-NEWS/2026/03/CC-NEWS-20260301004326-02814.warc.gz",)


def make_root(directory: Path) -> Path:
    """Lay the files out below a directory. `NEXT` is in the list of crawls, but has no files yet."""
    for number, path in enumerate((*MAIN_PATHS, *NEWS_PATHS)):
        write_warc(directory / path, 4, first=10 * number)
    write_listing(directory, f"crawl-data/{MAIN}", MAIN_PATHS)
    write_listing(directory, "crawl-data/CC-NEWS/2026/03", NEWS_PATHS)
    crawls = [
        {
            "id": NEXT,
            "name": "February 2026 Index",
            "from": "2026-02-06T00:00:00",
            "to": "2026-02-19T00:00:00",
        },
        {
            "id": MAIN,
            "name": "January 2026 Index",
            "from": "2026-01-12T16:12:39",
            "to": "2026-01-25T14:05:40",
        },
        {"id": "CC-MAIN-2013-20", "name": "Summer 2013 Index"},
    ]
    (directory / "collinfo.json").write_text(json.dumps(crawls))
    return directory


def write_listing(directory: Path, folder: str, paths: tuple[str, ...]) -> None:
    """Write a `warc.paths.gz`."""
    (directory / folder).mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{path}\n" for path in paths).encode()
    (directory / folder / "warc.paths.gz").write_bytes(gzip.compress(lines))


def files_of(directory: Path) -> dict[str, bytes]:
    """What is below a directory, for a server."""
    found = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}
