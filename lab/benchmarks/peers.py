"""What people run today, a loop each; each prints one line of JSON, or says which package is missing.

    python -m lab.benchmarks.peers NAME FILE...

    resiliparse, trafilatura-fast   WARC files to Parquet: fastwarc, the extractor, pyarrow
    fastwarc, warcio                reading WARC files alone: every response's payload
    resiliparse-page                a file of bodies: detect the charset, decode, parse, extract
    lxml-parse                      a file of bodies: lxml.html parses the bytes, and that is all

The CPU time is that of the loop, imports apart. Nothing here imports Cedar.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .timing import Size, print_sample
from .workload import read_bodies

PACKAGES = {
    "resiliparse": ("fastwarc", "resiliparse", "pyarrow"),
    "trafilatura-fast": ("fastwarc", "resiliparse", "trafilatura", "pyarrow"),
    "fastwarc": ("fastwarc",),
    "warcio": ("warcio",),
    "resiliparse-page": ("resiliparse",),
    "lxml-parse": ("lxml",),
}
"""The packages that each loop needs."""

MISSING = 3
"""Exit code where a package is missing."""

_GROUP = 500  # rows of a row group


def missing_packages(name: str) -> list[str]:
    """Those of the packages that the loop called `name` needs which are not installed."""
    from importlib.util import find_spec

    return [package for package in PACKAGES[name] if find_spec(package) is None]


def _responses(files: list[str]) -> Iterator[tuple[str, bytes]]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for path in files:
        with open(path, "rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, auto_decode="all"):
                yield record.headers.get("WARC-Target-URI"), record.reader.read()


def _to_parquet(extract: Callable[[bytes], str]) -> Callable[[list[str]], Size]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("url", pa.string()), ("text", pa.string())])

    def loop(files: list[str]) -> Size:
        pages = size = 0
        urls: list[str] = []
        texts: list[str] = []
        with (
            tempfile.TemporaryDirectory() as home,
            pq.ParquetWriter(Path(home) / "out", schema, compression="zstd") as out,
        ):
            for url, body in _responses(files):
                urls.append(url)
                texts.append(extract(body))
                pages += 1
                size += len(body)
                if len(urls) == _GROUP:
                    out.write_table(pa.table([urls, texts], schema=schema))
                    urls, texts = [], []
            out.write_table(pa.table([urls, texts], schema=schema))
        return pages, size

    return loop


def _resiliparse() -> Callable[[bytes], str]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(body: bytes) -> str:
        tree = HTMLTree.parse(bytes_to_str(body, detect_encoding(body)))
        return extract_plain_text(tree, main_content=True)

    return extract


def _trafilatura_fast() -> Callable[[bytes], str]:
    import trafilatura
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def extract(body: bytes) -> str:
        return trafilatura.extract(bytes_to_str(body, detect_encoding(body)), fast=True) or ""

    return extract


def _lxml() -> Callable[[bytes], object]:
    import lxml.etree
    import lxml.html

    def parse(body: bytes) -> object:
        try:
            return lxml.html.document_fromstring(body)
        except lxml.etree.ParserError:  # nothing in it
            return None

    return parse


def _fastwarc(files: list[str]) -> Size:
    pages = size = 0
    for _, body in _responses(files):
        pages += 1
        size += len(body)
    return pages, size


def _warcio(files: list[str]) -> Size:
    from warcio.archiveiterator import ArchiveIterator

    pages = size = 0
    for path in files:
        with open(path, "rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response":
                    size += len(record.content_stream().read())
                    pages += 1
    return pages, size


def _print_over_bodies(work: Callable[[bytes], object], path: str) -> None:
    def loop(bodies: list[bytes]) -> Size:
        for body in bodies:
            work(body)
        return len(bodies), sum(map(len, bodies))

    bodies = read_bodies(path)
    loop(bodies[:1])  # what is loaded with the first page is no page's cost
    print_sample(loop, bodies)


def main(arguments: list[str]) -> int:
    """Run one loop."""
    name, files = arguments[0], arguments[1:]
    missing = missing_packages(name)
    if missing:
        print(f"missing: {', '.join(missing)}", file=sys.stderr)
        return MISSING
    match name:
        case "resiliparse":
            print_sample(_to_parquet(_resiliparse()), files)
        case "trafilatura-fast":
            print_sample(_to_parquet(_trafilatura_fast()), files)
        case "fastwarc":
            print_sample(_fastwarc, files)
        case "warcio":
            print_sample(_warcio, files)
        case "resiliparse-page":
            _print_over_bodies(_resiliparse(), files[0])
        case "lxml-parse":
            _print_over_bodies(_lxml(), files[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
