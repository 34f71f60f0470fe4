"""Archives made by hand for the reader's tests, and the reading of them in one call."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable

from transforms.records import Record
from transforms.warc.reader import Damage, ReadCaps, ReadEnd, read_records

HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
KINDS = frozenset({"response", "warcinfo", "request", "metadata", ""})


def page(number: int, size: int = 400) -> bytes:
    """An HTTP response of about `size` bytes with a page that no other number has."""
    words = b" ".join(b"word%d" % (number * 7919 + i * i) for i in range(size // 9))
    return HTTP + b"<html><body><p>page %d</p><p>%s</p></body></html>\n" % (number, words)


def warc(
    block: bytes,
    url: str | None = "http://a.example/",
    *,
    kind: str | None = "response",
    length: object = None,
    version: str = "WARC/1.0",
    more: Iterable[str] = (),
    eol: str = "\r\n",
) -> bytes:
    """A WARC record; `length` overrides its Content-Length, "" leaves it out."""
    lines = [version]
    if kind is not None:
        lines.append(f"WARC-Type: {kind}")
    lines += [
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>",
        "WARC-Date: 2024-02-29T12:00:00Z",
    ]
    if url is not None:
        lines.append(f"WARC-Target-URI: {url}")
    lines += ["Content-Type: application/http; msgtype=response", *more]
    if length != "":
        lines.append(f"Content-Length: {len(block) if length is None else length}")
    return (eol.join(lines) + eol + eol).encode() + block + b"\r\n\r\n"


def pages(count: int, size: int = 400) -> list[bytes]:
    """Records of different pages: http://a.example/0, /1, ..."""
    return [warc(page(i, size), f"http://a.example/{i}") for i in range(count)]


def packed(data: bytes, level: int = 6) -> bytes:
    """One gzip member."""
    return gzip.compress(data, level, mtime=0)


def stored(data: bytes) -> bytes:
    """One gzip member whose data are not compressed."""
    deflater = zlib.compressobj(0, zlib.DEFLATED, 31)
    return deflater.compress(data) + deflater.flush()


def members(records: Iterable[bytes]) -> bytes:
    """A gzip member a record."""
    return b"".join(packed(record) for record in records)


def read(
    data: bytes,
    *,
    start: int = 0,
    stop: int | None = None,
    kinds: frozenset[str] = KINDS,
    caps: ReadCaps | None = None,
) -> tuple[list[Record | Damage], ReadEnd]:
    """All items of the archive and the mark that closes them; checks what must hold of every reading."""
    *items, end = read_records(
        io.BytesIO(data),
        source="s",
        size=len(data),
        start=start,
        stop=stop,
        kinds=kinds,
        caps=caps or ReadCaps(),
    )
    assert isinstance(end, ReadEnd)
    assert not any(isinstance(item, ReadEnd) for item in items)
    assert end.records_read == len(items)
    for item in items:
        assert 0 <= item.offset <= item.offset + item.length <= len(data)
    offsets = [item.offset for item in items]
    assert offsets == sorted(offsets)
    assert end.first_offset == (offsets[0] if offsets else None)
    return items, end


def records(data: bytes, **options: object) -> list[Record]:
    """The items of an archive in which nothing is damaged."""
    items, _ = read(data, **options)
    assert all(isinstance(item, Record) for item in items), items
    return items


def split(items: list[Record | Damage]) -> tuple[list[Record], list[Damage]]:
    """Records and damages apart."""
    return (
        [item for item in items if isinstance(item, Record)],
        [item for item in items if isinstance(item, Damage)],
    )
