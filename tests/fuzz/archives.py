"""Archives in every form from a seed, and what must come out of them."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate

import zstandard

from tests.warc.warc_samples import skippable, stored

Pack = Callable[[bytes], bytes]

_WORDS = [b"heron", b"stone", b"ripple", b"<p>", b"</p>\n", b"garnet", b"fjord", b"saddle\r\n", b"zephyr"]
_DICTIONARY_MAGIC = 0x184D2A5D


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive in the pieces that damage is measured by.

    Attributes:
        form: its name.
        units: members, frames or plain records; they join to the file.
        spans: of each record in order the first and the last unit that hold bytes of it.
        urls: of each record in order.
        records: the bytes of each record in order, as they are where nothing is compressed.
        base: units at the beginning without which nothing can be read (a dictionary).
        aligned: whether no record runs over a border.
    """

    form: str
    units: list[bytes]
    spans: list[tuple[int, int]]
    urls: list[str]
    records: list[bytes]
    base: int
    aligned: bool


def _gzip(level: int) -> Pack:
    return lambda data: gzip.compress(data, level, mtime=0)


def _zstd(*, checksum: bool = True, level: int = 3) -> Pack:
    compressor = zstandard.ZstdCompressor(level, write_checksum=checksum)
    return lambda data: compressor.compress(data)  # type: ignore[no-any-return]


def _zstd_raw(data: bytes) -> bytes:
    whole = _zstd()(data)
    header = zstandard.frame_header_size(whole)
    size = 100_000
    starts = range(0, max(1, len(data)), size)
    blocks = (
        (len(data[at : at + size]) << 3 | (at == starts[-1])).to_bytes(3, "little") + data[at : at + size]
        for at in starts
    )
    return bytes(whole[:header]) + b"".join(blocks) + bytes(whole[-4:])


PACKS: dict[str, Pack] = {
    "gzip": _gzip(6),
    "gzip stored": stored,
    "zstd": _zstd(),
    "zstd raw": _zstd_raw,
}


def warc(block: bytes, url: str, *, kind: str = "response") -> bytes:
    """A WARC record."""
    return (
        (
            f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-02-29T12:00:00Z\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
        ).encode()
        + block
        + b"\r\n\r\n"
    )


def arc(block: bytes, url: str) -> bytes:
    """An ARC record."""
    return f"{url} 192.0.2.1 20080430204825 text/html {len(block)}\n".encode() + block + b"\n"


def payload(chance: random.Random, nested: bool) -> bytes:
    """An HTTP response: text, binary, or archives within the archive."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    size = chance.choice([0, 30, 300, 300, 1000, 1000, 4000, 15_000])
    match chance.randrange(8):
        case 0:
            return head + chance.randbytes(size)
        case 1 | 2 if nested:
            pack = PACKS[chance.choice(list(PACKS))]
            inner = [warc(chance.randbytes(200), f"http://nested.example/{i}") for i in range(3)]
            return head + b"".join(map(pack, inner)) + chance.randbytes(size)
        case _:
            return head + b" ".join(chance.choices(_WORDS, k=size // 6 + 1))


def make(chance: random.Random, *, count: int | None = None) -> Archive:
    """An archive of a random form with random records."""
    count = count or chance.choice([1, 2, 5, 12, 12, 20])
    kind = chance.randrange(10)
    # An ARC file and one that is cut anywhere show no more than a line or a border where a record begins: in
    # them, nested records cannot be told from true ones by anybody, once there is damage.
    is_arc = kind < 9 and chance.random() < 0.2
    blocks = [payload(chance, nested=kind < 9 and not is_arc) for _ in range(count)]
    urls = [f"http://a.example/{number}" for number in range(count)]
    write = arc if is_arc else warc
    records = [write(block, url) for block, url in zip(blocks, urls, strict=True)]
    name = chance.choice(list(PACKS))
    pack = PACKS[name]
    prefix = "ARC, " if is_arc else ""
    match kind:
        case 0 | 1:
            return _aligned(f"{prefix}plain", records, urls, [1] * count, bytes)
        case 2 | 3 | 4:
            return _aligned(f"{prefix}{name}, a record a member", records, urls, [1] * count, pack)
        case 5:
            return _aligned(f"{prefix}{name}, one member", records, urls, [count], pack)
        case 6:
            groups = [chance.randrange(1, 4) for _ in range(count)]
            return _aligned(f"{prefix}{name}, several records a member", records, urls, groups, pack)
        case 7:
            return _with_dictionary(f"{prefix}zstd with a dictionary", records, urls)
        case 8:
            return _with_fillers(chance, f"{prefix}{name}, with empty members", records, urls, name)
        case _:
            return _cut(chance, f"{prefix}{name}, cut anywhere", records, urls, pack)


def _aligned(form: str, records: list[bytes], urls: list[str], groups: Iterable[int], pack: Pack) -> Archive:
    units: list[bytes] = []
    spans: list[tuple[int, int]] = []
    at = 0
    for size in groups:
        group = records[at : at + size]
        spans += [(len(units), len(units))] * len(group)
        if group:
            units.append(pack(b"".join(group)))
        at += size
    return Archive(form, units, spans, urls, records, 0, True)


def _with_dictionary(form: str, records: list[bytes], urls: list[str]) -> Archive:
    dictionary = zstandard.ZstdCompressionDict(b"".join(_WORDS) * 5 + records[0][:300])
    compressor = zstandard.ZstdCompressor(dict_data=dictionary, write_checksum=True)
    first = skippable(dictionary.as_bytes(), _DICTIONARY_MAGIC)
    units = [first, *(compressor.compress(record) for record in records)]
    spans = [(number, number) for number in range(1, len(units))]
    return Archive(form, units, spans, urls, records, 1, True)


def _with_fillers(
    chance: random.Random, form: str, records: list[bytes], urls: list[str], name: str
) -> Archive:
    pack = PACKS[name]
    fillers = [pack(b""), b"\r\n", b"\0" * 9]
    if name.startswith("zstd"):
        fillers += [skippable(chance.randbytes(20)), skippable(pack(records[0]))]
    units: list[bytes] = []
    spans = []
    for record in records:
        if chance.random() < 0.5:
            units.append(chance.choice(fillers))
        spans.append((len(units), len(units)))
        units.append(pack(record))
    return Archive(form, units, spans, urls, records, 0, True)


def _cut(chance: random.Random, form: str, records: list[bytes], urls: list[str], pack: Pack) -> Archive:
    stream = b"".join(records)
    sizes, size = [], chance.choice([60, 400, 3000, 20_000])
    while sum(sizes) < len(stream):
        sizes.append(chance.randrange(1, 2 * size))
    ends = list(accumulate(sizes))
    units = [pack(stream[end - size : end]) for end, size in zip(ends, sizes, strict=True)]
    spans, begins = [], 0
    for record in records:
        holders = [i for i, end in enumerate(ends) if begins < end and begins + len(record) > end - sizes[i]]
        spans.append((holders[0], holders[-1]))
        begins += len(record)
    return Archive(form, units, spans, urls, records, 0, False)
