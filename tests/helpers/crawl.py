"""Small crawls made by test code."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def article(number: int, paragraphs: int = 12) -> bytes:
    """A page with a menu, an article and a footer; no two numbers give the same."""
    body = "\n".join(
        f"<p>Paragraph {n} of page {number} says at some length that boat {n} came in late.</p>"
        for n in range(paragraphs)
    )
    return (
        f"<html lang='en'><head><title>Page {number}</title></head>\n<body>\n"
        f"<ul><li><a href='/'>Home</a></li>\n<li><a href='/{number}'>This</a></li></ul>\n"
        f"<h1>Page {number}</h1>\n{body}\n<div><a href='/imprint'>Imprint</a></div>\n</body></html>\n"
    ).encode()


def write_warc(path: Path, pages: int, *, first: int = 0, paragraphs: int = 12) -> Path:
    """A WARC of `pages` articles, numbered from `first`; every fifth is followed by a 404 and a request."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "test"}))
        for number in range(first, first + pages):
            url = f"https://crawl.example/{number}"
            respond(writer, url, "200 OK", article(number, paragraphs))
            if number % 5 == 0:
                respond(writer, f"{url}/gone", "404 Not Found", b"<p>gone</p>")
                payload = io.BytesIO(b"GET / HTTP/1.1\r\n\r\n")
                writer.write_record(writer.create_warc_record(url, "request", payload=payload))
    return path


def payload_digest(body: bytes) -> str:
    """The WARC-Payload-Digest of a body."""
    return f"sha1:{base64.b32encode(hashlib.sha1(body).digest()).decode()}"


def index_lines(warc: Path, filename: str | None = None) -> list[str]:
    """The CDXJ of a WARC: responses and revisits, by warcio; `filename` is what the index calls the file."""
    lines = []
    with warc.open("rb") as file:
        records = ArchiveIterator(file)
        for record in records:
            if record.rec_type not in ("response", "revisit"):
                continue
            url, date = (record.rec_headers.get_header(f"WARC-{name}") for name in ("Target-URI", "Date"))
            length = records.get_record_length()
            place = {
                "offset": records.get_record_offset(),
                "length": length,
                "filename": filename or warc.name,
            }
            fields = {"url": url, **{name: str(value) for name, value in place.items()}}
            timestamp = "".join(character for character in date if character.isdigit())[:14]
            lines.append(f"{url} {timestamp} {json.dumps(fields)}\n")
    return sorted(lines)


def respond(writer: WARCWriter, url: str, status: str, body: bytes, date: str | None = None) -> None:
    """Write one response."""
    given = {} if date is None else {"WARC-Date": date}
    headers = StatusAndHeaders(status, [("Content-Type", "text/html")], protocol="HTTP/1.1")
    writer.write_record(
        writer.create_warc_record(
            url, "response", payload=io.BytesIO(body), http_headers=headers, warc_headers_dict=given
        )
    )
