"""A tiny crawl with a columnar index, made of its files' true offsets: one part sorted, one of two zipped."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator
from warcio.warcwriter import WARCWriter

from tests.helpers.crawl import article, respond
from tests.helpers.crawl_root import MAIN, MAIN_PATHS, make_root

INDEX = f"cc-index/table/cc-main/warc/crawl={MAIN}/subset=warc"
PARTS = tuple(f"{INDEX}/part-0000{n}-4dd72944.c000.gz.parquet" for n in range(2))
LISTING = f"crawl-data/{MAIN}/cc-index-table.paths.gz"
SITES = (
    ("example.com", "eng"),
    ("shop.example.com", "eng,fra"),
    ("example-x.com", "fra"),
    ("www.example.org", "deu"),
    ("saga.is", "isl"),
    ("www.frett.is", "isl,eng"),
    ("blog.frett.is", "eng,isl"),
    ("news.test:8080", None),
)
"""Hosts, and what the index says of the languages of their pages."""

_STRINGS = """
url_surtkey url url_host_name url_host_tld url_host_2nd_last_part url_host_3rd_last_part
url_host_4th_last_part url_host_5th_last_part url_host_registry_suffix url_host_registered_domain
url_host_private_suffix url_host_private_domain url_host_name_reversed url_protocol url_port url_path
url_query fetch_time fetch_status fetch_redirect content_digest content_mime_type content_mime_detected
content_charset content_languages content_truncated warc_filename warc_record_offset warc_record_length
warc_segment
"""
_OTHERS = {
    "url_port": pa.int32(),
    "fetch_time": pa.timestamp("ms"),
    "fetch_status": pa.int16(),
    "warc_record_offset": pa.int32(),
    "warc_record_length": pa.int32(),
}
SCHEMA = pa.schema([(name, _OTHERS.get(name, pa.string())) for name in _STRINGS.split()])

Row = dict[str, Any]


def make_index_root(directory: Path, pages: int = 16) -> Path:
    """A root with three files of `pages` pages each, of all sites in turn, and their index."""
    make_root(directory)
    for number, path in enumerate(MAIN_PATHS):
        with (directory / path).open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            writer.write_record(writer.create_warcinfo_record("x", {"software": "test"}))
            for page in range(pages):
                host, _ = SITES[(page * 5 + number) % len(SITES)]
                url = f"https://{host}/Page/{number}-{page}?q={page % 3}"
                respond(writer, url, "200 OK", article(100 * number + page))
                if page % 4 == 0:
                    respond(writer, f"{url}&gone", "404 Not Found", b"<p>gone</p>")
    write_index(directory, rows_of(directory))
    return directory


def rows_of(directory: Path) -> list[Row]:
    """What an index says of the successes in the files of the crawl."""
    languages = dict(SITES)
    rows = []
    for path in MAIN_PATHS:
        with (directory / path).open("rb") as file:
            archive = ArchiveIterator(file)
            for record in archive:
                if record.rec_type != "response" or record.http_headers.get_statuscode() != "200":
                    continue
                url = record.rec_headers["WARC-Target-URI"]
                record.content_stream().read()
                row = row_of(url, path, archive.get_record_offset(), archive.get_record_length())
                row["content_languages"] = languages[urlsplit(url).netloc]
                rows.append(row)
    return rows


def row_of(url: str, path: str, offset: int, length: int) -> Row:
    """A row of the index."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    words = host.split(".")
    key = ",".join(reversed(host.removeprefix("www.").split(".")))
    port = f":{parts.port}" if parts.port else ""
    query = f"?{parts.query}" if parts.query else ""
    return {
        "url_surtkey": f"{key}{port}){parts.path}{query}".lower(),
        "url": url,
        "url_host_name": host,
        "url_host_tld": words[-1],
        "url_host_registered_domain": ".".join(words[-2:]),
        "url_protocol": parts.scheme,
        "url_port": parts.port,
        "url_path": parts.path,
        "fetch_status": 200,
        "content_mime_detected": "text/html",
        "content_charset": "UTF-8",
        "warc_filename": path,
        "warc_record_offset": offset,
        "warc_record_length": length,
    }


def write_index(directory: Path, rows: Sequence[Row], group: int = 5, without: str = "") -> None:
    """Write the index: half of the rows in one part, in order, the others as two sorted streams zipped."""
    order = sorted(rows, key=lambda row: row["url_surtkey"])
    half = len(order) // 2
    rest = order[half:]
    streams = itertools.zip_longest(rest[: len(rest) // 2], rest[len(rest) // 2 :])
    zipped = [row for pair in streams for row in pair if row is not None]
    schema = pa.schema([field for field in SCHEMA if field.name != without])
    for path, part in zip(PARTS, (order[:half], zipped), strict=True):
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        table = pa.Table.from_pylist(list(part), schema=schema)
        pq.write_table(table, directory / path, compression="gzip", row_group_size=group)
    robots = f"cc-index/table/cc-main/warc/crawl={MAIN}/subset=robotstxt/part-00000-x.c000.gz.parquet"
    lines = "".join(f"{path}\n" for path in (*PARTS, robots)).encode()
    (directory / LISTING).write_bytes(gzip.compress(lines))
