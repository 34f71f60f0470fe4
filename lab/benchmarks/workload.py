"""The workload: WARC files and the bodies in them, made once and kept.

Three sources: WARC files that are there, gold files (JSON lines with `url` and `html_b64`, perhaps packed
with zstd or gzip), or the synthetic pages of this package. Pages are dealt out to four files, a gzip member
a record, every tenth followed by a metadata record, as crawls have them.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import itertools
import json
import struct
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import zstandard

from . import pages as synthetic

FILES = 4
_DATE = "2026-01-31T12:00:00Z"
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Workload:
    """What is measured on.

    Attributes:
        source: where the pages are from, for people.
        warcs: the files, each with about the same pages.
        bodies: a file with the bodies of all pages, for loops over pages in memory.
        first_bodies: the same of the first file only.
        idle: as many WARC files of one small page each: what a run costs before its pages.
        pages: number of pages.
        html_bytes: bytes of their bodies.
        file_pages, file_html_bytes: both by file.
        warc_bytes: bytes of the files.
    """

    source: str
    warcs: tuple[str, ...]
    bodies: str
    first_bodies: str
    idle: tuple[str, ...]
    pages: int
    html_bytes: int
    file_pages: tuple[int, ...]
    file_html_bytes: tuple[int, ...]
    warc_bytes: int


@dataclass(frozen=True, slots=True)
class _Response:
    url: str
    charset: str | None
    html: bytes


def make(
    directory: Path, *, gold: Path | None, warcs: tuple[Path, ...], count: int, size: int | None = None
) -> Workload:
    """Make the workload, or take the one that was made of the same sources.

    Args:
        directory: where it is made, and kept.
        gold: a directory of gold files, or None.
        warcs: WARC files; where there are any, they are the workload.
        count: number of synthetic pages, where there is neither.
        size: bytes of each of these; None: as they come.
    """
    inputs = warcs or (tuple(sorted(_gold_files(gold))) if gold else ())
    described = [[p.name, p.stat().st_size, p.stat().st_mtime_ns] for p in inputs] or [
        "synthetic",
        count,
        size,
    ]
    key = hashlib.sha256(json.dumps([2, described]).encode()).hexdigest()[:12]
    home = directory / f"workload-{key}"
    manifest = home / "workload.json"
    if manifest.exists():
        kept = json.loads(manifest.read_text())
        return Workload(**{k: tuple(v) if isinstance(v, list) else v for k, v in kept.items()})
    home.mkdir(parents=True, exist_ok=True)
    if warcs:
        source, files = f"{len(warcs)} WARC files", [str(p.resolve()) for p in warcs]
    else:
        responses = _gold_pages(inputs) if gold else _synthetic_pages(count, size)
        source = f"gold pages of {len(inputs)} files" if gold else "synthetic pages"
        files = _pack(home, responses)
    idle = tuple(_one_page(home, number) for number in range(len(files)))
    counts, sizes = [], []
    with (home / "bodies.bin").open("wb") as every, (home / "first.bin").open("wb") as first:
        for number, file in enumerate(files):
            counts.append(0)
            sizes.append(0)
            for body in _bodies_of_warc(file):
                packed = _LENGTH.pack(len(body)) + body
                every.write(packed)
                if number == 0:
                    first.write(packed)
                counts[-1] += 1
                sizes[-1] += len(body)
    made = Workload(
        source=source,
        warcs=tuple(files),
        bodies=str(home / "bodies.bin"),
        first_bodies=str(home / "first.bin"),
        idle=idle,
        pages=sum(counts),
        html_bytes=sum(sizes),
        file_pages=tuple(counts),
        file_html_bytes=tuple(sizes),
        warc_bytes=sum(Path(file).stat().st_size for file in files),
    )
    manifest.write_text(json.dumps(asdict(made), indent=1))
    return made


def read_bodies(path: str | Path) -> list[bytes]:
    """The bodies in a file of bodies."""
    data = Path(path).read_bytes()
    found, at = [], 0
    while at < len(data):
        (size,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        found.append(data[at : at + size])
        at += size
    return found


def warc_bytes(pages: Iterable[synthetic.Page]) -> bytes:
    """Synthetic pages as one WARC file."""
    responses = (_Response(page.url, page.charset, page.html) for page in pages)
    return b"".join(_records(enumerate(responses)))


def _gold_files(directory: Path) -> Iterator[Path]:
    for suffix in ("*.jsonl", "*.jsonl.zst", "*.jsonl.gz"):
        yield from directory.glob(suffix)


def _gold_pages(files: Iterable[Path]) -> Iterator[_Response]:
    for path in files:
        with path.open("rb") as raw:
            lines: io.BufferedIOBase | gzip.GzipFile | zstandard.ZstdDecompressionReader = raw
            if path.suffix == ".zst":
                lines = zstandard.ZstdDecompressor().stream_reader(raw)
            elif path.suffix == ".gz":
                lines = gzip.GzipFile(fileobj=raw)
            for line in io.TextIOWrapper(lines, "utf-8"):
                row = json.loads(line)
                html = base64.b64decode(row["html_b64"])
                yield _Response(row.get("url") or f"https://gold.example/{row['id']}", None, html)


def _synthetic_pages(count: int, size: int | None) -> Iterator[_Response]:
    for page in synthetic.pages(count, size):
        yield _Response(page.url, page.charset, page.html)


def _pack(home: Path, responses: Iterable[_Response]) -> list[str]:
    paths = [home / f"bench-{number:05d}.warc.gz" for number in range(FILES)]
    files = [path.open("wb") for path in paths]
    for number, response in enumerate(responses):
        files[number % FILES].writelines(_records([(number // FILES, response)]))
    for file in files:
        file.close()
    return [str(path) for path in paths]


def _one_page(home: Path, number: int) -> str:
    page = synthetic.page(number, size=synthetic.SMALLEST)
    path = home / f"one-{number:05d}.warc.gz"
    path.write_bytes(_member(_response(_Response(page.url, page.charset, page.html))))
    return str(path)


def _records(responses: Iterable[tuple[int, _Response]]) -> Iterator[bytes]:
    for number, response in responses:
        yield _member(_response(response))
        if number % 10 == 0:
            block = b"fetchTimeMs: 7\r\n"
            yield _member(_record("metadata", response.url, "application/warc-fields", block=block))


def _response(response: _Response) -> bytes:
    charset = f"; charset={response.charset}" if response.charset else ""
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}\r\nContent-Length: {len(response.html)}\r\n\r\n"
    )
    return _record(
        "response", response.url, "application/http; msgtype=response", block=head.encode() + response.html
    )


def _record(kind: str, url: str, content_type: str, *, block: bytes) -> bytes:
    url = "".join(url.split()).encode("ascii", "replace").decode()
    name = uuid.uuid5(uuid.NAMESPACE_URL, kind + url)
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n"
        f"WARC-Date: {_DATE}\r\nWARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def _member(record: bytes) -> bytes:
    return gzip.compress(record, 6, mtime=0)


def _bodies_of_warc(path: str) -> Iterator[bytes]:
    """The bodies of what becomes a page, without their codings and not yet decoded."""
    from cedar.transforms.decode.http import decode_body, parse_http
    from cedar.transforms.decode.page import PageFilter, is_candidate
    from cedar.transforms.model.limits import DEFAULT_MAX_BODY
    from cedar.transforms.model.records import Record
    from cedar.transforms.warc.reader import FileRange, read_records

    wanted = PageFilter()
    with Path(path).open("rb") as file:
        for item in read_records(file, FileRange(source=path, size=Path(path).stat().st_size)):
            if isinstance(item, Record) and item.kind == "response" and is_candidate(item, wanted):
                yield decode_body(parse_http(item.block), DEFAULT_MAX_BODY).data


def first_pages(bodies: list[bytes], count: int) -> list[bytes]:
    """`count` bodies, evenly from all of them."""
    step = max(1, len(bodies) // count)
    return list(itertools.islice(bodies[::step], count))
