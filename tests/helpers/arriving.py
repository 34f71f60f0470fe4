"""A program that lets WARC files arrive in a directory, as crawlers do: ready ones, and slow ones in pieces.

    python -m tests.helpers.arriving DIRECTORY FILES PAGES SEED SECONDS

All moments come from the seed. File `n` holds the pages from ``1000 * n`` on. Every third file is written
under its final name in pieces; the others come by renaming, from a dot name, `.open`, `.tmp` or `.part`.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.helpers.crawl import write_warc


def let_arrive(directory: Path, files: int, pages: int, seed: int, seconds: float) -> None:
    """Write `files` files within `seconds`."""
    with tempfile.TemporaryDirectory() as ready:
        made = [write_warc(Path(ready) / f"{n:03d}.warc.gz", pages, first=1000 * n) for n in range(files)]
        choice = random.Random(seed)
        writers = []
        for number, path in enumerate(made):
            moment, pieces = choice.uniform(0, seconds), choice.randint(3, 6)
            arguments = (path, directory, number, moment, pieces)
            writers.append(threading.Thread(target=_slowly if number % 3 == 0 else _renamed, args=arguments))
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()


def _slowly(path: Path, directory: Path, _: int, moment: float, pieces: int) -> None:
    time.sleep(moment)
    data = path.read_bytes()
    step = len(data) // pieces + 1
    with (directory / path.name).open("wb", buffering=0) as file:
        for at in range(0, len(data), step):
            file.write(data[at : at + step])
            time.sleep(0.1)


def _renamed(path: Path, directory: Path, number: int, moment: float, _: int) -> None:
    name = path.name
    unfinished = (f".{name}", f"{name}.open", f"{name}.tmp", f"{name}.part")[number % 4]
    time.sleep(moment)
    data = path.read_bytes()
    with (directory / unfinished).open("wb", buffering=0) as file:
        file.write(data[: len(data) // 2])
        time.sleep(0.3)
        file.write(data[len(data) // 2 :])
    (directory / unfinished).rename(directory / name)


if __name__ == "__main__":
    let_arrive(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
