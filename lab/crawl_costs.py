"""What reading crawls takes: `python -m lab.crawl_costs broken share query`.

broken: an archive of 200 MB over a loopback server that breaks every connection after 1 to 30 MB; its rows
are held to those of the local file. share: of a run's CPU time, what fetching over loopback takes. query:
requests and bytes that a domain takes of an index of 18 row groups, sorted, and of two sorted streams zipped.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main as cedar
from cedar.transforms.crawls.index_file import IndexFiles
from cedar.transforms.crawls.index_query import query_cost, select_rows
from cedar.transforms.crawls.terms import parse_selection
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import COMMON_CRAWL, RateLimits, WebConfig
from lab.benchmarks import pages as synthetic
from tests.helpers.crawl import respond
from tests.helpers.crawl_root import MAIN
from tests.helpers.crawl_server import Fault, crawl_server
from tests.helpers.index_root import INDEX, SCHEMA, row_of

MEGABYTES = 200
GROUP_ROWS, GROUPS = 20_000, 9
FILES = ("a.warc.gz",)


@contextlib.contextmanager
def served(files: dict[str, bytes], faults: Sequence[Fault | None] = ()) -> Iterator[str]:
    """The root of a server in a process of its own, whose CPU is not counted; faults are of every file."""
    here, there = multiprocessing.Pipe()

    def serve() -> None:
        with crawl_server(files) as server:
            server.faults = {path: list(faults) for path in files}
            there.send(server.root)
            there.recv()

    process = multiprocessing.get_context("fork").Process(target=serve, daemon=True)
    process.start()
    yield here.recv()
    process.terminate()
    process.join()


def extract(output: Path, source: str, *arguments: str) -> dict[str, Any]:
    """Run `cedar extract`; its books."""
    base = ["extract", source, "--output", str(output), "--workers", "1", "--split-size", "0", "--quiet"]
    assert cedar([*base, *arguments]) == 0
    books: dict[str, Any] = json.loads((output / "run.json").read_text())
    return books


def rows(corpus: Path) -> list[dict[str, Any]]:
    """The rows but for the times and the source, in order."""
    (path,) = (corpus / "pages").iterdir()
    table = pq.read_table(path)
    keep = [name for name in table.column_names if not name.endswith("_seconds") and name != "source"]
    return table.select(keep).to_pylist()


def write_large(path: Path, megabytes: int) -> None:
    """An archive of pages that hardly compress."""
    rng = random.Random(3)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        number = 0
        while file.tell() < megabytes * 1_000_000:
            words = base64.b64encode(rng.randbytes(150_000)).decode()
            paragraphs = "".join(f"<p>{words[at : at + 400]}</p>\n" for at in range(0, len(words), 400))
            respond(writer, f"https://a.example/{number}", "200 OK", f"<title>x</title>{paragraphs}".encode())
            number += 1


def broken(directory: Path) -> None:
    """200 MB over connections that break."""
    path = directory / FILES[0]
    write_large(path, MEGABYTES)
    rng = random.Random(5)
    faults = [Fault(cut=rng.randint(10**6, 3 * 10**7), how=rng.choice(["fin", "rst"])) for _ in range(1000)]
    with served({FILES[0]: path.read_bytes()}, [None, *faults]) as root:
        over = extract(directory / "web", root + FILES[0], "--extractor", "cetr")
    local = extract(directory / "local", str(path), "--extractor", "cetr")
    same = rows(directory / "web") == rows(directory / "local") and over["rejected"] == local["rejected"]
    print(f"broken: {path.stat().st_size / 1e6:.0f} MB, {over['pages']} pages, rows equal: {same}")
    print(f"  {over['fetch']}")
    _show_share(over)
    assert same


def share(directory: Path, pages: int) -> None:
    """Of a run over synthetic pages, what fetching takes."""
    with (directory / FILES[0]).open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, page in enumerate(synthetic.pages(pages)):
            respond(writer, f"https://a.example/{number}", "200 OK", page.html)
    with served({FILES[0]: (directory / FILES[0]).read_bytes()}) as root:
        for extractor in ("cedar", "cetr"):
            books = extract(directory / extractor, root + FILES[0], "--extractor", extractor)
            print(f"share, {extractor}: {books['pages']} pages, {books['bytes']['in'] / 1e6:.0f} MB")
            _show_share(books)


def _show_share(books: dict[str, Any]) -> None:
    cpu = {stage: cost["cpu"] for stage, cost in books["seconds"].items()}
    total = sum(cpu.values())
    print(f"  fetch {cpu['fetch']:.2f} s of {total:.2f} s of CPU in the stages: {cpu['fetch'] / total:.1%}")


def query(directory: Path) -> None:
    """A domain, of an index that is in order and of one that is nearly."""
    rng = random.Random(7)
    hosts = sorted(
        {f"{rng.choice(['com', 'org', 'is', 'de'])},{rng.randbytes(4).hex()}" for _ in range(4800)}
    )
    total = 2 * GROUPS * GROUP_ROWS
    each = total // len(hosts)
    made = []
    for host in hosts:
        name = ".".join(reversed(host.split(",")))
        for _ in range(each):
            url = f"https://{name}/{rng.randbytes(6).hex()}/{rng.randbytes(9).hex()}"
            offset = rng.randrange(10**9)
            made.append(row_of(url, f"crawl-data/{MAIN}/{rng.randrange(900):05d}.warc.gz", offset, 30_000))
            made[-1]["content_digest"] = base64.b32encode(rng.randbytes(20)).decode()
    made.sort(key=lambda row: row["url_surtkey"])
    half = len(made) // 2
    domain = ".".join(reversed(hosts[len(hosts) // 3].split(",")))
    for name, order in (
        ("sorted", [made[:half], made[half:]]),
        ("zipped", [_zipped(made[:half]), _zipped(made[half:])]),
    ):
        files = {}
        for number, part in enumerate(order):
            path = directory / f"{name}-{number}.parquet"
            table = pa.Table.from_pylist(part, schema=SCHEMA)
            pq.write_table(table, path, compression="gzip", row_group_size=GROUP_ROWS)
            files[f"{INDEX}/part-{number}.parquet"] = path.read_bytes()
        with crawl_server(files) as server:
            web = Web(WebConfig(crawl_root=server.root, limits=RateLimits(1000.0, 10)))
            index = IndexFiles(web, None)
            found = list(index.footers(COMMON_CRAWL + path for path in files))
            footers = web.fetched
            selection = parse_selection(f"domain={domain}")
            groups = sum(query_cost(file, selection).groups for file in found)
            number = sum(select_rows(index, file, selection).num_rows for file in found)
            asked = web.fetched - footers
        print(
            f"query, {name}: {number} rows of {half * 2:,}; footers {footers.requests} requests, "
            f"{footers.bytes / 1e3:.0f} kB; then {groups} of {2 * GROUPS} row groups in question, "
            f"{asked.requests} requests, {asked.bytes / 1e6:.2f} MB "
            f"of {sum(map(len, files.values())) / 1e6:.0f} MB"
        )


def _zipped(part: list[dict[str, Any]]) -> list[dict[str, Any]]:
    half = len(part) // 2
    return [row for pair in zip(part[:half], part[half:], strict=False) for row in pair]


def main() -> int:
    """Measure what is named, by default all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", help="broken, share, query")
    parser.add_argument("--pages", type=int, default=1500)
    values = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        for name in values.what or ("broken", "share", "query"):
            place = Path(directory) / name
            place.mkdir()
            {
                "broken": lambda place=place: broken(place),
                "share": lambda place=place: share(place, values.pages),
                "query": lambda place=place: query(place),
            }[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
