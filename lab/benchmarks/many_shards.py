"""What a corpus of many shards takes where all is done: requests to an object store, CPU time, memory.

    python -m lab.benchmarks.many_shards [SHARDS] [store | disk]

The store is a small server of this process; each command runs in a process of its own, whose CPU time and
memory are counted. One more input shows what the end of a run takes; `report` reads all rows. Then the same
on the disk. With `store` or `disk` only that is shown.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.readers.shards import shard_name
from tests.helpers.crawl import write_warc
from tests.helpers.object_server import ObjectServer, object_server
from tests.helpers.wide_corpus import INPUTS, OUTPUT, begin, copy, input_path

_ROUND_TRIP = 0.03
"""Seconds of an answer of an object store."""


def run(what: str, arguments: Sequence[str], server: ObjectServer | None = None) -> None:
    """Run a command of Cedar's, and print what it took."""
    before = None if server is None else server.asked.copy()
    command = [sys.executable, "-m", "cedar", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    most = 0
    while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
        # What the system counts at the end is of this process, too, which it was forked off.
        with contextlib.suppress(OSError, TypeError):
            said = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
            most = max(most, int(said[1]))
        time.sleep(0.05)
    _, status, usage = ended
    line = f"{what}: exit {os.waitstatus_to_exitcode(status)}, "
    line += f"{usage.ru_utime + usage.ru_stime:.1f} s of CPU, {most >> 10} MiB"
    if server is not None and before is not None:
        asked = server.asked - before
        total = asked.total()
        line += f", {total:,} requests {dict(asked)}, {total * _ROUND_TRIP:,.0f} s of answers one by one"
    print(line, flush=True)


def main(shards: int, directory: Path, shown: Sequence[str]) -> None:
    """Measure."""
    content = write_warc(directory / "one.warc.gz", 3).read_bytes()
    with object_server() as server:
        copy(server, begin(server, content), range(1, shards))
        extract = ["extract", INPUTS, "--output", OUTPUT, "--workers", "1"]
        if "store" in shown:
            run("the first run after it, which reads each commit", extract, server)
            run("a run that finds all done", extract, server)
            server.put(input_path(shards).removeprefix("s3://"), content)
            run("a run that finds one input more", extract, server)
            run("check --repair", ["check", OUTPUT, "--repair"], server)
            run("report", ["report", OUTPUT, "--output", str(directory / "report.html")], server)
        if "disk" not in shown:
            return
        places = [(name, *(server.get(name) or (0, "", b""))) for name in server.names]
    for name, size, _, held in places:
        path = directory / name.partition("/")[2]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            # Of files of rows the bytes are counted.
            is_text = name.endswith(".json")
            file.write(held.replace(b"s3://crawl", os.fsencode(directory)) if is_text else held)
            file.truncate(max(size, len(held)) if not held else file.tell())
    for commit in (directory / "corpus" / "shards").iterdir():
        said = json.loads(commit.read_bytes())
        stat = Path(said["source"]).stat()
        state = {"size": stat.st_size, "stop": stat.st_size, "mtime": str(stat.st_mtime_ns)}
        del said["etag"]
        name = shard_name(said["source"], 0, stat.st_size)
        for kind in FILE_KINDS:
            before = directory / "corpus" / kind / f"{commit.stem}.parquet"
            if before.exists():
                if said["attempt"].encode() not in before.read_bytes():
                    # A file of this machine names its attempt near an end.
                    with before.open("r+b") as file:
                        file.seek(-len(said["attempt"]), os.SEEK_END)
                        file.write(said["attempt"].encode())
                before.rename(before.with_name(f"{name}.parquet"))
        said["files"] = {file.replace(commit.stem, name): numbers for file, numbers in said["files"].items()}
        commit.unlink()
        commit.with_name(f"{name}.json").write_text(json.dumps({**said, **state, "name": name}, indent=1))
    local = ["extract", f"{directory}/in/*.warc.gz", "--output", f"{directory}/corpus", "--workers", "1"]
    run("the first run after it on the disk, which reads each commit", local)
    run("a run on the disk that finds all done", local)
    corpus = f"{directory}/corpus"
    run("check --repair on the disk", ["check", corpus, "--repair"])
    run("report on the disk", ["report", corpus, "--output", str(directory / "report.html")])


if __name__ == "__main__":
    count = next((int(given) for given in sys.argv[1:] if given.isdigit()), 90_000)
    places = [given for given in sys.argv[1:] if not given.isdigit()]
    with tempfile.TemporaryDirectory() as folder:
        main(count, Path(folder), places or ["store", "disk"])
