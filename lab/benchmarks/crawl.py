"""Made-up crawls of any size: `python -m lab.benchmarks.crawl DIR --files 10 --pages 100000 --seed 1`.

WARC files as a crawler writes them, request, response and metadata of each page: hosts with templates,
languages and encodings of their own, pages from some hundred bytes to nine megabytes, exact and near
duplicates across files, errors, redirects, pictures, revisits, damage. Beside them `truth.json` says what is
in them (`Truth`). A page follows from the seed and its number alone, so files are made at once and are the
same on every machine; a processor makes some 600 pages a second.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import itertools
import json
import multiprocessing
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import BinaryIO

from cedar.pipelines.sample.archive import pages as paper_pages
from lab.benchmarks.made_up import Language, languages

_DATE = "2026-01-31T12:00:00Z"
_PAGES_A_HOST = 60
_ENCODINGS = {"de": "latin-1", "fr": "cp1252", "ru": "cp1251", "zh": "gbk", "ja": "shift_jis"}
_EXACT, _NEAR = 0.04, 0.05
"""Shares of pages that are copies of earlier ones, whole or with some sentences changed."""

_BESIDE = (
    ("404 Not Found", "text/html", 0.05, "status"),
    ("301 Moved Permanently", "text/html", 0.06, "status"),
    ("503 Service Unavailable", "text/html", 0.01, "status"),
    ("200 OK", "image/png", 0.05, "media_type"),
    ("200 OK", "application/pdf", 0.01, "media_type"),
    ("200 OK", "text/html; charset=utf-8", 0.004, "empty_body"),
)
"""What stands between pages: status and type of a response, its share of pages, and why it is no page."""

_DAMAGED, _REVISITS = 0.004, 0.04
_PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 12


@dataclass(frozen=True, slots=True)
class Truth:
    """What is in a crawl: records (a damaged stretch is one), pages, and why other records are none."""

    records: int
    pages: int
    rejected: dict[str, int]


@dataclass(frozen=True, slots=True)
class Host:
    """A site: its name, its language, the encoding of its pages, and what stands around each text."""

    name: str
    language: Language
    encoding: str
    packs: bool
    head: str
    above: str
    below: str
    block: str

    @staticmethod
    @functools.lru_cache(maxsize=512)
    def of(seed: int, number: int) -> Host:
        """Make a site out of its number."""
        draw = Random(f"{seed} host {number}")
        language = draw.choices(languages(), [of.share for of in languages()])[0]
        encoding = _ENCODINGS.get(language.code, "utf-8") if draw.random() < 0.2 else "utf-8"
        name = f"www.{draw.choice(('post', 'shop', 'forum', 'blog', 'town'))}{number}.example"
        links = [
            f"<li class='m{n}'><a href='/{n}'>{language.title(draw)}</a></li>"
            for n in range(draw.randint(5, 60))
        ]
        script = "".join(
            f"function f{n}(a,b){{return a<b?'{draw.randrange(10**9)}':'<b>'+{draw.random()};}}\n"
            for n in range(draw.randint(0, 900))
        )
        style = "".join(f".m{n}{{margin:{draw.randint(0, 40)}px}}" for n in range(draw.randint(0, 300)))
        menu = "".join(links) if draw.random() < 0.3 else "\n".join(links)
        lists = [f"<ul class='menu'>{menu}</ul>", f"<nav><ol>{menu}</ol></nav>", f"<div id=bar>{menu}</div>"]
        wrap = draw.choice(
            (("<main>", "</main>"), ("<table><tr><td>", "</td></tr></table>"), ("<div id=c>", "</div>"))
        )
        footer = " | ".join(f"<a href='/{n}'>{language.title(draw)}</a>" for n in range(draw.randint(2, 25)))
        return Host(
            name=name,
            language=language,
            encoding=encoding,
            packs=draw.random() < 0.2,
            head=f"<meta charset='{encoding}'><style>{style}</style><script>{script}</script>",
            above=draw.choice(lists) + wrap[0],
            below=f"{wrap[1]}<div class='foot'>{footer} &copy; {name}</div>",
            block=draw.choice(
                ("<p>{}</p>\n", "<p>{}</p>", "<div>{}</div>\n", "{}<br><br>\n", "<li>{}</li>\n")
            ),
        )


def html_of(seed: int, number: int, *, edited: Random | None = None) -> tuple[Host, str]:
    """Make the page of a number, or a near duplicate of it: some sentences, and the hour, are others."""
    draw = Random(f"{seed} page {number}")
    host = Host.of(
        seed, int(draw.paretovariate(1.2) * 7919 + number // _PAGES_A_HOST) % (1 + number // _PAGES_A_HOST)
    )
    if draw.random() < 0.05:  # a page of the sample's paper
        return host, next(html for _, html in paper_pages(1, first=number))
    blocks = list(_blocks(host.language, draw))
    if edited is not None:
        for _ in range(1 + len(blocks) // 25):
            blocks[edited.randrange(len(blocks))] = host.language.paragraph(edited)
    title = host.language.title(draw)
    hour = f"<span>{(edited or draw).randrange(24)}:00</span>"
    text = "".join(map(host.block.format, blocks))
    return host, (
        f"<!DOCTYPE html><html lang='{host.language.code}'><head><title>{title} {number}</title>"
        f"{host.head}</head>\n"
        f"<body>{host.above}<h1>{title} {number}</h1>{hour}{text}{host.below}</body></html>\n"
    )


def _blocks(language: Language, draw: Random) -> Iterator[str]:
    """Paragraphs of a page: most have some kilobytes, one in 500 is large, one in 10,000 above the cap."""
    kind = draw.random()
    if kind < 0.0001:
        wanted = 9_000_000
    elif kind < 0.002:
        wanted = draw.randint(200_000, 1_500_000)
    else:
        wanted = int(200 * 200 ** draw.random())
    if 0.01 < kind < 0.011:  # deeply nested
        yield "<div><span>" * draw.randint(500, 3000)
    while wanted > 0:
        paragraph = language.paragraph(draw)
        wanted -= len(paragraph)
        yield paragraph


class CrawlFile:
    """One file of a crawl, written record by record.

    Args:
        file: what is written to.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._records = itertools.count()
        self.counts: Counter[str] = Counter()
        """Records by `page` or the reason of their reject."""

    def add(
        self, kind: str, url: str, block: bytes, *, outcome: str = "not_response", headers: str = ""
    ) -> None:
        """Write a record in a gzip member of its own."""
        number = f"{zlib.crc32(url.encode()):08x}-0000-4000-8000-{next(self._records):012x}"
        media_type = "warc-fields" if kind == "metadata" else f"http;msgtype={kind}"
        head = (
            f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: {_DATE}\r\nWARC-Target-URI: {url}\r\n{headers}"
            f"WARC-Record-ID: <urn:uuid:{number}>\r\n"
            f"Content-Type: application/{media_type}\r\n"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        self._write(packer.compress(head.encode() + block + b"\r\n\r\n") + packer.flush(), outcome)

    def damage(self, draw: Random) -> None:
        """Write a member whose checksum is wrong, or what is no member at all."""
        if draw.random() < 0.5:
            member = gzip.compress(b"WARC/1.0\r\nWARC-Type: response\r\n" + draw.randbytes(3000), 1, mtime=0)
            self._write(member[:-8] + bytes(8), "damaged_member")
        else:
            content = draw.randbytes(draw.randint(10, 5000)).replace(b"\x1f\x8b", b"\xff\xff")
            self._write(b"\xff" + content, "damaged_record")

    def _write(self, content: bytes, outcome: str) -> None:
        self._file.write(content)
        self.counts[outcome] += 1

    def respond(
        self, url: str, status: str, media_type: str, *, body: bytes, packed: bool, outcome: str
    ) -> None:
        """Write a response, its request before it and its metadata after it."""
        self.add(
            "request", url, f"GET / HTTP/1.1\r\nHost: {url.split('/')[2]}\r\nAccept: */*\r\n\r\n".encode()
        )
        if packed:
            body = gzip.compress(body, 1, mtime=0)
        coding = "Content-Encoding: gzip\r\n" if packed else ""
        head = (
            f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\n{coding}Content-Length: {len(body)}\r\n\r\n"
        )
        self.add("response", url, head.encode() + body, outcome=outcome)
        self.add("metadata", url, b"fetchTimeMs: 114\r\ncharset-detected: UTF-8\r\n")


def _add_page(file: CrawlFile, seed: int, number: int) -> None:
    """Write the page of a number and what stands after it."""
    draw = Random(f"{seed} fetch {number}")
    share = draw.random()
    earlier = draw.randrange(number) if number and share < _EXACT + _NEAR else number
    host, html = html_of(seed, earlier, edited=draw if share >= _EXACT and earlier < number else None)
    url = f"https://{host.name}/{host.language.code}/{number}"
    says = f"; charset={host.encoding}" if draw.random() < 0.7 else ""
    body = html.encode(host.encoding, "replace")
    file.respond(url, "200 OK", f"text/html{says}", body=body, packed=host.packs, outcome="page")
    for status, media_type, part, reason in _BESIDE:
        if draw.random() < part:
            other = {"empty_body": b"", "media_type": _PICTURE}.get(reason, b"<html><p>Not here.</html>")
            file.respond(f"{url}/{part}", status, media_type, body=other, packed=False, outcome=reason)
    if draw.random() < _REVISITS:
        headers = f"WARC-Refers-To-Target-URI: {url}\r\n"
        file.add("revisit", url, b"HTTP/1.1 304 Not Modified\r\n\r\n", headers=headers)
    if draw.random() < _DAMAGED:
        file.damage(draw)


def write_file(task: tuple[Path, int, range]) -> Counter[str]:
    """Write a file of the pages of some numbers; what is in it."""
    path, seed, numbers = task
    with path.open("wb") as opened:
        file = CrawlFile(opened)
        file.add("warcinfo", "https://crawl.example/", b"software: a program\r\n")
        for number in numbers:
            _add_page(file, seed, number)
    return file.counts


def write_crawl(directory: Path, *, files: int, pages: int, seed: int = 1, processes: int = 2) -> Truth:
    """Write `pages` pages in `files` files below a directory; what is in them, as in `truth.json`."""
    directory.mkdir(parents=True, exist_ok=True)
    stops = [pages * number // files for number in range(files + 1)]
    tasks = [
        (directory / f"crawl-{seed}-{number:05d}.warc.gz", seed, range(*span))
        for number, span in enumerate(itertools.pairwise(stops))
    ]
    with multiprocessing.Pool(processes) as pool:
        counts = sum(pool.imap_unordered(write_file, tasks), Counter[str]())
    total = counts.total()
    truth = Truth(total, counts.pop("page", 0), dict(sorted(counts.items())))
    (directory / "truth.json").write_text(json.dumps(asdict(truth), indent=1), encoding="utf-8")
    return truth


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a made-up crawl.")
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--files", type=int, default=10, metavar="N")
    parser.add_argument("--pages", type=int, default=100_000, metavar="N", help="in all files together")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    values = parser.parse_args()
    print(write_crawl(values.directory, files=values.files, pages=values.pages, seed=values.seed))


if __name__ == "__main__":
    main()
