"""A small WARC file: handmade pages, and generated ones of an imaginary town's newspaper, forum and guide.

The handmade pages are an article, a page on a single line, a list, a page in Chinese (GBK), and a page
without tags; a 404, a PDF and a redirect become rejects. Generated pages have menus, teasers and footers as
on real sites. The same number of pages gives the same bytes.
"""

import gzip
import io
import uuid
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import BinaryIO

_HOST = "https://sample.example"
_DATE = "2026-01-31T12:00:00"
_NAME = "sample.warc.gz"
_HTML = "text/html"
_UTF8 = "text/html; charset=utf-8"
_HEAD_BYTES = 1024  # of the first record, whose header has 400


@dataclass(frozen=True, slots=True)
class Response:
    """A response of a WARC file."""

    url: str
    body: bytes
    content_type: str = _UTF8
    status: str = "200 OK"
    location: str | None = None


def write_warc(file: BinaryIO, name: str, responses: Iterable[Response], *, date: str) -> None:
    """Write a `warcinfo` record that names the file, then responses, all of one time.

    `date` is in UTC, without the Z: "2026-01-31T12:00:00".
    """
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    writer = WARCWriter(file, gzip=True, warc_version="1.1")
    info = writer.create_warcinfo_record(name, {"software": "cedar sample"})
    info.rec_headers.replace_header("WARC-Date", f"{date}Z")
    info.rec_headers.replace_header("WARC-Record-ID", _record_id(name))
    writer.write_record(info)
    for response in responses:
        headers = [("Content-Type", response.content_type), ("Content-Length", str(len(response.body)))]
        if response.location is not None:
            headers.append(("Location", response.location))
        writer.write_record(
            writer.create_warc_record(
                response.url,
                "response",
                payload=io.BytesIO(response.body),
                http_headers=StatusAndHeaders(response.status, headers, protocol="HTTP/1.1"),
                warc_headers_dict={
                    "WARC-Date": f"{date}Z",
                    "WARC-Record-ID": _record_id(date + response.url),
                },
            )
        )


def write_sample(file: BinaryIO, generated_pages: int = 0) -> int:
    """Write the handmade records and some generated pages. Returns the number of responses."""
    generated = (Response(_HOST + path, html.encode()) for path, html in pages(generated_pages))
    responses = (*_responses(), *generated)
    write_warc(file, _NAME, responses, date=_DATE)
    return len(responses)


def _responses() -> Iterator[Response]:
    mill = f"{_HOST}/news/tide-mill"
    yield Response(mill, _page("article.html").encode())
    yield Response(f"{_HOST}/rivers", _page("one_line.html").strip().encode(), _HTML)
    yield Response(f"{_HOST}/peaks", _page("list.html").encode(), _HTML)
    yield Response(f"{_HOST}/tushuguan", _page("chinese.html").encode("gbk"), _HTML)
    yield Response(f"{_HOST}/lamp", _page("no_tags.txt").encode(), _HTML)
    missing = b"<html><body><h1>Not found</h1></body></html>\n"
    yield Response(f"{_HOST}/gone", missing, _HTML, "404 Not Found")
    yield Response(f"{_HOST}/map.pdf", b"%PDF-1.4\n%%EOF\n", "application/pdf")
    yield Response(f"{_HOST}/old", b"<p>moved</p>\n", _HTML, "301 Moved Permanently", mill)


def _page(name: str) -> str:
    return files("cedar.pipelines.sample").joinpath("pages", name).read_text(encoding="utf-8")


def _record_id(name: str) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>"


def is_sample(path: Path) -> bool:
    """Return whether a file is empty, or begins with the `warcinfo` record of a sample. Raises OSError."""
    with path.open("rb") as file:
        if not file.read(1):
            return True
        file.seek(0)
        try:
            head = gzip.GzipFile(fileobj=file).read(_HEAD_BYTES)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            return False
    return _record_id(_NAME).encode() in head


_PLACES, _PEOPLE, _ACTIONS, _WHEN, _TOPICS = (
    words.split(", ")
    for words in (
        "harbour, old mill, market hall, river lock, lighthouse, sail loft, tide pond, rope walk",
        "the harbour master, a group of pupils, the baker, two surveyors, the lock keeper, a visitor",
        "repaired, measured, painted, opened, described, closed for a week, bought, photographed",
        "on Saturday, after the storm, for the first time in years, early in the morning, last winter",
        "News, Weather, Tides, Culture, Sport, Letters, Archive, Contact",
    )
)
_WHY = (
    "because the water had risen higher than anybody remembered",
    "so that the ferries can land again before the season begins",
    "although the council had voted against it twice",
    "and found that the timbers under the floor were sound",
    "while the band played what it knew, which was not much",
    "in spite of the rain, which stopped only when everything was over",
)


def pages(number: int, *, first: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the path and the HTML of the generated pages [first, first + number), each made of its number."""
    kinds = (_article, _article, _article, _listing, _thread, _guide)
    for index in range(first, first + number):
        random = Random(index)  # noqa: S311 - the same page each time, no secret
        yield kinds[index % len(kinds)](index, random)


def _sentence(random: Random) -> str:
    parts = (random.choice(_PEOPLE), random.choice(_ACTIONS), f"the {random.choice(_PLACES)}")
    text = f"{' '.join(parts)} {random.choice(_WHEN)}, {random.choice(_WHY)}."
    return text[0].upper() + text[1:]


def _paragraph(random: Random) -> str:
    return " ".join(_sentence(random) for _ in range(random.randint(2, 5)))


def _headline(random: Random) -> str:
    return f"{random.choice(_PEOPLE)} and the {random.choice(_PLACES)}".capitalize()


def _article(index: int, random: Random) -> tuple[str, str]:
    headline = _headline(random)
    paragraphs = "\n".join(f"<p>{_paragraph(random)}</p>" for _ in range(random.randint(3, 9)))
    content = (
        f"<article><h1>{headline}</h1>\n<p class='byline'>By our correspondent</p>\n{paragraphs}\n"
        f"<figure><img src='/i/{index}.jpg'><figcaption>The {random.choice(_PLACES)}</figcaption></figure>"
        "</article>\n"
    )
    return f"/news/{index}", _framed(headline, content, random)


def _listing(index: int, random: Random) -> tuple[str, str]:
    items = "\n".join(
        f"<li><a href='/news/{random.randrange(1000)}'>{_headline(random)}</a> "
        f"<p>{_sentence(random)}</p></li>"
        for _ in range(random.randint(6, 14))
    )
    return f"/list/{index}", _framed("All articles", f"<h1>All articles</h1>\n<ul>{items}</ul>\n", random)


def _thread(index: int, random: Random) -> tuple[str, str]:
    posts = "\n".join(
        f"<div class='post'><b>{random.choice(_PEOPLE)}</b> <small>{random.randint(1, 28)} May</small>"
        f"<p>{_paragraph(random)}</p><a href='#'>Reply</a></div>"
        for _ in range(random.randint(3, 8))
    )
    question = f"Who knows the {random.choice(_PLACES)}?"
    return f"/forum/{index}", _framed(question, f"<h1>{question}</h1>\n{posts}\n", random)


def _guide(index: int, random: Random) -> tuple[str, str]:
    rows = "\n".join(
        f"<tr><td>{place}</td><td>{random.randint(1, 40)} m</td><td>{random.choice(_WHEN)}</td></tr>"
        for place in _PLACES
    )
    content = (
        f"<h1>Guide to the harbour, part {index}</h1>\n<p>{_paragraph(random)}</p>\n"
        f"<table><tr><th>Place</th><th>Depth</th><th>Seen</th></tr>\n{rows}</table>\n<p>{_paragraph(random)}</p>\n"
    )
    return f"/guide/{index}", _framed(f"Guide, part {index}", content, random)


def _framed(title: str, content: str, random: Random) -> str:
    menu = "\n".join(f"<li><a href='/{topic.lower()}'>{topic}</a></li>" for topic in _TOPICS)
    teasers = "\n".join(
        f"<div class='teaser'><a href='/news/{random.randrange(1000)}'>{_headline(random)}</a>"
        f"<span>{random.randint(2, 59)} minutes ago</span></div>"
        for _ in range(random.randint(4, 10))
    )
    footer = "".join(f"<a href='/{word.lower()}'>{word}</a> | " for word in ("Imprint", "Terms", "Jobs"))
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
        f"<title>{title} - The Harbour Post</title>\n"
        "<style>.teaser { border: 1px solid } nav li { display: inline }</style>\n"
        "<script>window.tracker = function (page) { return page + 1 };</script></head>\n"
        f"<body><nav><ul>{menu}</ul></nav>\n<main>{content}</main>\n"
        f"<aside><h2>Most read</h2>\n{teasers}</aside>\n"
        f"<footer>{footer}The Harbour Post, all rights reserved</footer>\n</body></html>\n"
    )
