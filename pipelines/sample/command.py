"""A small WARC to try Cedar on: eight responses, five of them pages, all written for this purpose.

    python -m pipelines.sample sample.warc.gz [--pages 200]

An article, a page on a single line, a list, a page in Chinese (GBK), a page without tags; and a 404, a PDF
and a redirect, which become rejects; and as many pages made by a program (`generated`) as are asked for. The
file is the same each time it is made.
"""

from __future__ import annotations

import argparse
import io
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO

from pipelines.common.messages import prepare_streams, show
from pipelines.sample.generated import pages

_HOST = "https://sample.example"
_DATE = "2026-01-31T12:00:00Z"
_HTML = "text/html"


@dataclass(frozen=True, slots=True)
class _Response:
    path: str
    status: str
    content_type: str
    body: bytes
    location: str | None = None


def write_sample(file: BinaryIO, generated_pages: int = 0) -> int:
    """Write the sample WARC; returns its number of responses."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    writer = WARCWriter(file, gzip=True, warc_version="1.1")
    info = writer.create_warcinfo_record("sample.warc.gz", {"software": "cedar"})
    info.rec_headers.replace_header("WARC-Date", _DATE)
    info.rec_headers.replace_header("WARC-Record-ID", _record_id("warcinfo"))
    writer.write_record(info)
    made = (
        _Response(path, "200 OK", f"{_HTML}; charset=utf-8", html.encode())
        for path, html in pages(generated_pages)
    )
    responses = [*_responses(), *made]
    for response in responses:
        headers = [("Content-Type", response.content_type), ("Content-Length", str(len(response.body)))]
        if response.location is not None:
            headers.append(("Location", response.location))
        url = _HOST + response.path
        writer.write_record(
            writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(response.body),
                http_headers=StatusAndHeaders(response.status, headers, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Date": _DATE, "WARC-Record-ID": _record_id(url)},
            )
        )
    return len(responses)


def _responses() -> Iterator[_Response]:
    yield _Response("/news/tide-mill", "200 OK", f"{_HTML}; charset=utf-8", _page("article.html").encode())
    yield _Response("/rivers", "200 OK", _HTML, _page("one_line.html").strip().encode())
    yield _Response("/peaks", "200 OK", _HTML, _page("list.html").encode())
    yield _Response("/tushuguan", "200 OK", _HTML, _page("chinese.html").encode("gbk"))
    yield _Response("/lamp", "200 OK", _HTML, _page("no_tags.txt").encode())
    yield _Response("/gone", "404 Not Found", _HTML, b"<html><body><h1>Not found</h1></body></html>\n")
    yield _Response("/map.pdf", "200 OK", "application/pdf", b"%PDF-1.4\n%%EOF\n")
    yield _Response("/old", "301 Moved Permanently", _HTML, b"<p>moved</p>\n", f"{_HOST}/news/tide-mill")


def _page(name: str) -> str:
    return files("pipelines.sample").joinpath("pages", name).read_text(encoding="utf-8")


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>"


def main() -> int:
    """Write the sample to the path given."""
    prepare_streams()
    parser = argparse.ArgumentParser(description="Write a small WARC to try Cedar on.")
    parser.add_argument("path", type=Path, metavar="FILE.warc.gz")
    parser.add_argument(
        "--pages", type=int, default=0, metavar="N", help="add N pages made by a program (default: 0)"
    )
    values = parser.parse_args()
    path: Path = values.path
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        number = write_sample(file, values.pages)
    show(f"{path}: {number} responses, {path.stat().st_size} bytes")
    return 0
