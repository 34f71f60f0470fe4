"""Corpora made by test code, without a crawl; as a program, large ones to measure `cedar report` on.

python tests/pictures/corpora.py DIRECTORY ROWS [parquet|avro]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.formats import OutputFormat, open_writer
from cedar.transforms.corpus.settle import settle
from cedar.transforms.model.columns import PageTable, columns_of
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import SCHEMA_VERSION, PageRow, RejectRow, Shard
from cedar.transforms.model.summaries import FileSummary, ShardSummary
from tests.helpers.elements import page_row, reject_row

_GROUP = 4096
SHARD_ROWS = 50_000


def write_corpus(
    root: Path, rows: int, *, output: str = "parquet", shard_rows: int = SHARD_ROWS, salt: str = ""
) -> Corpus:
    """A settled corpus of `rows` pages; every tenth page comes with a reject. `salt` changes some texts."""
    root.mkdir(parents=True, exist_ok=True)
    corpus = Corpus(str(root), output)
    options = {"schema": SCHEMA_VERSION, "extractor": "cetr", "extractor_options": "{}", "format": output}
    options |= {"options_digest": "0" * 32, "salt": salt, "column_groups": []}
    (root / "corpus.json").write_text(json.dumps(options))
    for shard, first in enumerate(range(0, rows, shard_rows)):
        _write_shard(corpus, shard, range(first, min(rows, first + shard_rows)), salt)
    settle(corpus)
    return corpus


def varied_row(number: int, salt: str = "") -> PageRow:
    """One page; lengths, times and hosts vary with the number."""
    changed = salt if number % 7 == 0 else ""
    text = f"Page {number} {changed}" + " of tides and mills" * (number % 97)
    return page_row(
        url=f"https://host{number % 211}.example:8080/page/{number}",
        source="/crawl/one.warc.gz",
        offset=number * 100,
        length=90,
        fetched_at=1_700_000_000_000_000 + number,
        status=200 if number % 50 else None,
        charset="utf-8" if number % 3 else "gbk",
        charset_source="utf8" if number % 3 else "meta",
        replaced=int(number % 101 == 0),
        truncated=number % 103 == 0,
        lang="en" if number % 2 else None,
        title=f"Title {number}",
        text=text if number % 89 else "",
        text_digest=f"{hash_of(number, changed):032x}",
        fallback=None if number % 107 else "cetr: too deep",
        html_bytes=1000 + number % 5000 * 40,
        text_chars=len(text) if number % 89 else 0,
        words=3,
        lines=10,
        content_lines=5,
        tags=20,
        tag_ratio_mean=float(number % 60) if number % 11 else None,
        tag_ratio_std=1.0,
        content_ratio=(number * 7919 % 1000 / 1000) ** 0.3,
        decode_seconds=0.0001 * (1 + number % 10),
        extract_seconds=0.0002 * (1 + number % 13),
    )


def hash_of(number: int, salt: str) -> int:
    """Something like a digest: 128 bits, other ones for another salt."""
    return int.from_bytes(f"{number:012d}{salt:4.4}".encode(), "little")


def _write_shard(corpus: Corpus, shard: int, numbers: range, salt: str) -> None:
    name = f"made-{shard:08d}-000000000000-000000001000"
    attempt = f"attempt{shard}"
    output = OutputFormat(corpus.format, "zstd" if corpus.format == "parquet" else "deflate")
    pages = Path(corpus.root) / corpus.file_name("pages", name)
    rejects = Path(corpus.root) / corpus.file_name("rejects", name)
    for path in (pages, rejects):
        path.parent.mkdir(exist_ok=True)
    writer = open_writer(pages.open("wb"), "Page", PageTable.of().columns, output=output, attempt=attempt)
    for first in range(numbers.start, numbers.stop, _GROUP):
        group = range(first, min(numbers.stop, first + _GROUP))
        writer.write([PageTable.of().values(varied_row(number, salt)) for number in group])
    sizes = {"pages": FileSummary(writer.rows, writer.close(), corpus.suffix("pages"))}
    writer = open_writer(rejects.open("wb"), "Reject", columns_of(RejectRow), output=output, attempt=attempt)
    refused = [number for number in numbers if number % 10 == 0]
    writer.write(
        [
            reject_row("status", "404")._replace(source="/crawl/one.warc.gz", offset=number)
            for number in refused
        ]
    )
    sizes["rejects"] = FileSummary(writer.rows, writer.close(), corpus.suffix("rejects"))
    summary = ShardSummary(
        shard=Shard(name, "/crawl/one.warc.gz", 1000, "mtime:1", 0, 1000),
        first_offset=0,
        next_offset=1000,
        records_read=len(numbers) + 2 * len(refused),
        pages=len(numbers),
        rejected={"status": len(refused), "not_response": len(refused)},
        bytes={"in": 1000, "html": 90_000 * len(numbers), "text": 900 * len(numbers)},
        seconds={stage: Cost(0.5, 0.6) for stage in ("read", "decode", "extract", "write")},
        finished_at=f"2026-01-31T12:{shard % 60:02d}:00+00:00",
        attempt=attempt,
        files=sizes,
        options_digest="",
    )
    path = Path(corpus.commit_path(name))
    path.parent.mkdir(exist_ok=True)
    path.write_text(summary.to_json())


if __name__ == "__main__":
    write_corpus(Path(sys.argv[1]), int(sys.argv[2]), output=(*sys.argv[3:], "parquet")[0])
