"""Tables of pages, written by test code, and what readers find in them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from cedar.transforms.model.records import Location, Record
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, chains
from tests.helpers.crawl import article

LETTERS = {
    "utf-8": "Überfluß, Ελλάδα, 図書館",
    "windows-1252": "déjà vu, Überfluß, naïve",
    "gbk": "山里的图书馆没有管理员",
    "shift_jis": "図書館は山の中にあります",
    "windows-1251": "Библиотека стоит на горе",
}


class Row(NamedTuple):
    """A row of a table of pages."""

    url: str
    html: bytes
    fetched_at: int
    content_type: str


def rows(number: int) -> list[Row]:
    """Rows whose pages are in several encodings, declared in a header, in the page, or nowhere."""
    found = []
    for n in range(number):
        charset, letters = list(LETTERS.items())[n % len(LETTERS)]
        page = article(n).decode().replace("says at some length", f"says {letters} at some length")
        header = f"text/html; charset={charset}" if n % 3 == 0 else "text/html"
        if n % 3 == 1:
            page = page.replace("<head>", f"<head><meta charset='{charset}'>")
        found.append(
            Row(f"https://crawl.example/{n}", page.encode(charset), 1_700_000_000_000_000 + n, header)
        )
    return found


def write_parquet(path: Path, pages: Sequence[Row], group: int = 100, *, text: bool = False) -> Path:
    columns: dict[str, Any] = {name: list(column) for name, column in zip(Row._fields, zip(*pages))}  # noqa: B905
    columns["fetched_at"] = pa.array(columns["fetched_at"], pa.timestamp("us"))
    if text:
        columns["html"] = [html.decode("utf-8", "replace") for html in columns["html"]]
    pq.write_table(pa.table(columns), path, row_group_size=group, compression="none")
    return path


def json_lines(pages: Sequence[Row]) -> bytes:
    return b"".join(
        json.dumps(page._asdict() | {"html": page.html.decode("utf-8", "replace")}).encode() + b"\n"
        for page in pages
    )


def write_warc_of(path: Path, pages: Sequence[Row]) -> Path:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for page in pages:
            headers = StatusAndHeaders("200 OK", [("Content-Type", page.content_type)], protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record(
                    page.url, "response", payload=io.BytesIO(page.html), http_headers=headers
                )
            )
    return path


def read(
    name: str, data: bytes, start: int = 0, stop: int | None = None, options: ReadOptions | None = None
) -> list[Record | Damage | ReadEnd]:
    """What the reader of a file's name finds in a range of its bytes; the end is last."""
    span = FileRange(source=name, size=len(data), start=start, stop=stop)
    return list(kind_of(name).read(io.BytesIO(data), span, options or ReadOptions()))


def items(name: str, data: bytes) -> list[Record | Damage]:
    """What a reading from 0 to the end finds; the end's number is that of the items."""
    *found, end = read(name, data)
    assert isinstance(end, ReadEnd)
    assert end.records_read == len(found)
    assert end.next_offset == len(data)
    return found  # type: ignore[return-value]


def in_ranges(name: str, data: bytes, step: int) -> Iterator[Record | Damage]:
    """What is found in ranges of a number of bytes; each chains to the one before."""
    following = 0
    for start in range(0, len(data), step):
        *found, end = read(name, data, start, min(start + step, len(data)))
        assert isinstance(end, ReadEnd)
        assert chains(following, end.first_offset, end.next_offset)
        assert end.records_read == len(found)
        following = max(following, end.next_offset)
        yield from found  # type: ignore[misc]


def places(found: Sequence[Record | Damage]) -> list[tuple[int, int, str | None]]:
    """Where items are, and what they are of."""
    return [(item.location.offset, item.location.inner_offset, item.url) for item in found]


def without_place(record: Record | Damage) -> Record:
    assert isinstance(record, Record)
    return replace(record, location=Location("", "", 0, 0))
