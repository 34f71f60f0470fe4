"""Archives made by hand for the reader's tests, and the reading of them in one call."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from collections.abc import Callable, Iterable

import zstandard

from cedar.transforms.model.records import Record
from cedar.transforms.warc.reader import MAX_BLOCK, Damage, FileRange, ReadEnd, read_records

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


def arc_head() -> bytes:
    """The version block of an ARC file."""
    return (
        b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 InternetArchive\n"
        b"URL IP-address Archive-date Content-type Archive-length\n\n\n"
    )


def arc(number: int, *, version: int = 1) -> bytes:
    """An ARC record with a page."""
    block = page(number)
    middle = b"" if version == 1 else b"200 AB12 - 209 a.arc "
    line = b"http://a.example/%d 192.0.2.1 20080430204825 text/html %s%d\n" % (number, middle, len(block))
    return line + block + b"\n"


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


def frame(data: bytes, *, level: int = 3, checksum: bool = True, sized: bool = True) -> bytes:
    """One Zstandard frame."""
    compressor = zstandard.ZstdCompressor(level, write_checksum=checksum, write_content_size=sized)
    packed_frame: bytes = compressor.compress(data)
    return packed_frame


def raw_frame(data: bytes, *, checksum: bool = True) -> bytes:
    """One Zstandard frame whose blocks are not compressed."""
    whole = frame(data, checksum=checksum)
    header = zstandard.frame_header_size(whole)
    pieces = [data[at : at + 100_000] for at in range(0, len(data), 100_000)] or [b""]
    blocks = b"".join(
        (len(piece) << 3 | (at == len(pieces) - 1)).to_bytes(3, "little") + piece
        for at, piece in enumerate(pieces)
    )
    return whole[:header] + blocks + (whole[-4:] if checksum else b"")


Pack = Callable[[bytes], bytes]
PACKS: list[Pack] = [bytes, packed, stored, frame, raw_frame]


def skippable(data: bytes, magic: int = 0x184D2A50) -> bytes:
    """One skippable frame."""
    return magic.to_bytes(4, "little") + len(data).to_bytes(4, "little") + data


def frames(records: Iterable[bytes]) -> bytes:
    """A Zstandard frame a record."""
    return b"".join(frame(record) for record in records)


def read(
    data: bytes,
    *,
    start: int = 0,
    stop: int | None = None,
    kinds: frozenset[str] = KINDS,
    max_block: int = MAX_BLOCK,
) -> tuple[list[Record | Damage], ReadEnd]:
    """All items of the archive and the mark that closes them; checks what must hold of every reading."""
    *items, end = read_records(
        io.BytesIO(data),
        FileRange(source="s", size=len(data), start=start, stop=stop),
        kinds=kinds,
        max_block=max_block,
    )
    assert isinstance(end, ReadEnd)
    assert not any(isinstance(item, ReadEnd) for item in items)
    assert end.records_read == len(items)
    for item in items:
        assert 0 <= item.location.offset <= item.location.end <= len(data)
    offsets = [item.location.offset for item in items]
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


def page_with_archive(chance: random.Random) -> bytes:
    """A page with an archive in it."""
    pack = chance.choice(PACKS)
    inner = b"".join(pack(warc(page(i, 100), f"http://nested.example/{i}")) for i in range(3))
    return HTTP + page(0, 300) + chance.choice([b"", b"\r\n"]) + inner + page(1, chance.choice([0, 300]))


def any_archive(chance: random.Random) -> bytes:
    """A file of a random form with pages and nested archives."""
    count = chance.randrange(1, 15)
    blocks = [
        page_with_archive(chance) if chance.random() < 0.4 else page(i, chance.choice([50, 900]))
        for i in range(count)
    ]
    parts = [warc(block, f"http://a.example/{i}") for i, block in enumerate(blocks)]
    if chance.random() < 0.15:
        parts = [arc_head(), *(arc(i) for i in range(count))]
    pack = chance.choice(PACKS)
    match chance.randrange(5):
        case 0:
            size = chance.randrange(1, 4)
            groups = [b"".join(parts[i : i + size]) for i in range(0, len(parts), size)]
        case 1:
            stream, size = b"".join(parts), chance.choice([50, 700])
            groups = [stream[at : at + size] for at in range(0, len(stream), size)]
        case _:
            groups = parts
    padding = chance.choice([b"", b"", b"\r\n", b"\0" * 40])
    return padding + padding.join(map(pack, groups))


def damaged(chance: random.Random, data: bytes) -> bytes:
    """The file with some damage."""
    changed = bytearray(data)
    for _ in range(chance.randrange(4)):
        at, size = chance.randrange(len(changed) + 1), chance.choice([1, 20, 400])
        match chance.randrange(5):
            case 0:
                changed[at : at + 1] = chance.randbytes(1)
            case 1:
                del changed[at : at + size]
            case 2:
                changed[at:at] = chance.randbytes(size)
            case 3:
                changed[at : at + size] = b"\0" * size
            case _:
                source = chance.randrange(len(changed) + 1)
                changed[at:at] = changed[source : source + chance.randrange(3000)]
    return bytes(changed)


def overwritten(data: bytes, at: int, what: bytes) -> bytes:
    return data[:at] + what + data[at + len(what) :]
