"""The same pages once as WARC and once as Parquet: equal columns, and what the second door costs.

    python -m lab.benchmarks.tables --rows 100000 --rounds 7 GOLD.jsonl.zst ...

Rows are made of gold pages, one after the other and again from the first, with a URL of their own each.
Both files are extracted in turns by one worker; CPU time is that of the command and all its processes,
less that of a file of one row. At the end: the columns that are equal in all rows, and those that differ.
"""

from __future__ import annotations

import argparse
import base64
import io
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from cedar.transforms.corpus.corpus_reader import BATCH_ROWS, CorpusReader
from cedar.transforms.model.columns import TIME_COLUMNS

KINDS = ("warc.gz", "parquet")
PLACES = ("source", "offset", "length", "inner_offset", "record_id", "status")
"""Where a page stands in its input, and what a table does not say of it: these may differ."""
MAX_OVER = 1.05
GROUP_ROWS = 256


def pages(gold: list[Path]) -> Iterator[bytes]:
    """The pages of gold sets, again and again."""
    while True:
        for path in gold:
            with path.open("rb") as file:
                for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), "utf-8"):
                    yield base64.b64decode(json.loads(line)["html_b64"])


def write(folder: Path, gold: list[Path], rows: int) -> None:
    """Write both files; of a second's precision, as WARC-Date has it."""
    schema = pa.schema(
        [
            ("html", pa.binary()),
            ("url", pa.string()),
            ("fetched_at", pa.timestamp("us", "UTC")),
            ("content_type", pa.string()),
        ]
    )
    folder.mkdir(parents=True)
    with (
        (folder / "rows.warc.gz").open("wb") as file,
        pq.ParquetWriter(folder / "rows.parquet", schema) as table,
    ):
        writer = WARCWriter(file, gzip=True)
        numbered = enumerate(itertools.islice(pages(gold), rows))
        while batch := list(itertools.islice(numbered, GROUP_ROWS)):
            columns: list[list[object]] = [[], [], [], []]
            for number, html in batch:
                url = f"https://rows.example/{number}"
                fetched = datetime.fromtimestamp(1_700_000_000 + number, UTC)
                headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                record = writer.create_warc_record(
                    url,
                    "response",
                    payload=io.BytesIO(html),
                    http_headers=headers,
                    warc_headers_dict={"WARC-Date": fetched.strftime("%Y-%m-%dT%H:%M:%SZ")},
                )
                writer.write_record(record)
                for column, value in zip(columns, (html, url, fetched, "text/html"), strict=True):
                    column.append(value)
            table.write_table(pa.table(columns, schema))


def cpu_seconds(folder: Path, kind: str, more: list[str]) -> float:
    """Extract a file into `corpus-KIND`; returns the CPU seconds of all processes."""
    output = folder / f"corpus-{kind}"
    shutil.rmtree(output, ignore_errors=True)
    command = ["extract", str(folder / f"rows.{kind}"), "--output", str(output), "--workers", "1", "--quiet"]
    process = subprocess.Popen([sys.executable, "-m", "cedar", *command, *more])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"exit code {process.returncode}"
    return usage.ru_utime + usage.ru_stime


def rows_of(corpus: Path) -> Iterator[pa.RecordBatch]:
    """The rows of a corpus in order, in batches of one size but for the last."""
    reader = CorpusReader.at(str(corpus))
    names = [column.name for column in reader.table.columns if column.name not in TIME_COLUMNS]
    batches = (
        batch for summary in reader.summaries() for _, batch in reader.batches(summary, "pages", names)
    )
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        while sum(each.num_rows for each in waiting) >= BATCH_ROWS:
            table = pa.Table.from_batches(waiting).combine_chunks()
            yield table.slice(0, BATCH_ROWS).to_batches()[0]
            waiting = table.slice(BATCH_ROWS).to_batches()
    if waiting:
        yield pa.Table.from_batches(waiting).combine_chunks().to_batches()[0]


def compare(folder: Path) -> tuple[int, set[str]]:
    """Compare the two corpora; returns the rows, and the names of columns that differ anywhere."""
    rows, differing = 0, set()
    for warc, table in itertools.zip_longest(*(rows_of(folder / f"corpus-{kind}") for kind in KINDS)):
        assert warc is not None, "more rows of the table"
        assert table is not None, "more rows of the archive"
        assert warc.num_rows == table.num_rows
        rows += warc.num_rows
        differing |= {name for name in warc.schema.names if not warc[name].equals(table[name])}
    return rows, differing


def main() -> int:
    """The command; returns 1 where other columns differ than may, or the table costs more than it may."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.benchmarks.tables", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("gold", nargs="+", type=Path, metavar="GOLD.jsonl.zst")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=Path, default=Path("build/tables"))
    options, more = parser.parse_known_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    for name, rows in (("one", 1), ("all", options.rows)):
        write(options.folder / name, options.gold, rows)
    pages_per_round: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(options.rounds):
        for kind in KINDS:
            start = cpu_seconds(options.folder / "one", kind, more)
            spent = cpu_seconds(options.folder / "all", kind, more) - start
            pages_per_round[kind].append(1e6 * spent / options.rows)
    rows, differing = compare(options.folder / "all")
    medians = {kind: statistics.median(each) for kind, each in pages_per_round.items()}
    for kind, each in pages_per_round.items():
        print(f"{kind:8} {medians[kind]:8.0f} us of CPU a page ({min(each):.0f} to {max(each):.0f})")
    ratio = medians["parquet"] / medians["warc.gz"]
    print(f"{rows:,} rows; parquet {ratio:.3f} of warc.gz; differ: {', '.join(sorted(differing)) or 'none'}")
    return 0 if rows and differing <= set(PLACES) and ratio <= MAX_OVER else 1


if __name__ == "__main__":
    sys.exit(main())
