"""From a record to a page, and the reasons why it is none."""

from __future__ import annotations

import gzip
import re

import pytest

from cedar.transforms.decode.page import PageFilter, decode_record, is_candidate
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.records import Location, Record
from cedar.transforms.urls.rules import UrlRules

URL = "https://sample.example/"


LOCATION = Location(shard="shard", source="/data/a.warc", offset=7, length=70, inner_offset=3)


def record(
    block: bytes | None = None,
    *,
    status: str = "200 OK",
    headers: str = "Content-Type: text/html",
    body: bytes = b"<html lang='de'><p>Wort</p></html>",
    url: str | None = URL,
    kind: str = "response",
    content_type: str | None = "application/http; msgtype=response",
    truncated: bool = False,
) -> Record:
    if block is None:
        block = f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + body
    return Record(
        LOCATION,
        kind,
        url,
        "urn:x",
        "2026-01-31T12:00:00Z",
        content_type,
        block,
        truncated,
    )


def reason(of: Record, **filters: object) -> str:
    with pytest.raises(RejectedError) as error:
        decode_record(of, PageFilter(**filters))  # type: ignore[arg-type]
    assert not is_candidate(of, PageFilter(**filters))  # type: ignore[arg-type]
    return error.value.reason.value


def test_a_page_carries_what_record_and_response_say() -> None:
    page = decode_record(record(headers="Content-Type: Text/HTML; charset=utf-8"), PageFilter())
    assert page.location == LOCATION
    assert (page.url, page.record_id, page.status, page.media_type) == (URL, "urn:x", 200, "text/html")
    assert page.fetched_at == 1_769_860_800_000_000
    assert (page.charset, page.charset_source, page.replaced) == ("utf-8", "utf8", 0)
    assert page.lang == "de"
    assert page.html == b"<html lang='de'><p>Wort</p></html>"
    assert (page.html_bytes, page.html_chars, page.truncated) == (34, 34, False)


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (record(url=None), "no_url"),
        (record(url=""), "no_url"),
        (record(status="404 Not Found"), "status"),
        (record(status="301 Moved"), "status"),
        (record(headers="Content-Type: application/pdf", body=b"%PDF-1.4"), "media_type"),
        (record(headers="X-Nothing: 1", body=b"just words"), "media_type"),
        (record(body=b""), "empty_body"),
        (record(block=b""), "empty_body"),
        (record(block=b"no HTTP"), "bad_http"),
        (record(status="103 Early Hints"), "status"),
        (record(headers="Content-Encoding: br", body=b"\x00\x01\x02\x9f" * 9), "bad_coding"),
        (record(content_type="text/dns", block=b"20260131 example", url="dns:example"), "media_type"),
    ],
)  # fmt: skip
def test_what_is_no_page_says_why(of: Record, expected: str) -> None:
    assert reason(of) == expected


def test_url_filters() -> None:
    assert reason(record(), urls=UrlRules(include=re.compile("news"))) == "url_filter"
    assert reason(record(), urls=UrlRules(exclude=re.compile("sample"))) == "url_filter"
    assert decode_record(record(), PageFilter(urls=UrlRules(include=re.compile("sample")))).url == URL


def test_statuses_are_closed_ranges() -> None:
    assert PageFilter(statuses=((200, 200), (404, 410))).takes_status(410)
    assert not PageFilter(statuses=((200, 200), (404, 410))).takes_status(411)
    assert decode_record(record(status="404 Gone"), PageFilter(statuses=((404, 404),))).status == 404


@pytest.mark.parametrize("label", ["", "Content-Type: text/plain", "Content-Type: application/octet-stream"])
def test_html_is_found_by_its_content_where_the_label_says_little(label: str) -> None:
    of = record(headers=label or "X-Nothing: 1")
    assert decode_record(of, PageFilter()).html.startswith(b"<html")
    assert is_candidate(of, PageFilter())


def test_coded_bodies_are_candidates_too() -> None:
    of = record(
        headers="Content-Encoding: gzip\r\nTransfer-Encoding: chunked",
        body=b"%x\r\n" % len(body := gzip.compress(b"<html><p>x</p></html>")) + body + b"\r\n0\r\n\r\n",
    )
    assert decode_record(of, PageFilter()).html == b"<html><p>x</p></html>"
    assert is_candidate(of, PageFilter())


def test_body_over_the_cap_keeps_its_beginning() -> None:
    page = decode_record(record(body=b"<p>" + b"x" * 100), PageFilter(), max_body=50)
    assert (page.truncated, page.html_bytes) == (True, 50)


def test_truncated_record_is_a_truncated_page() -> None:
    page = decode_record(record(body="<p>山".encode()[:-1], truncated=True), PageFilter())
    assert (page.truncated, page.html, page.replaced) == (True, b"<p>", 0)


def test_language_comes_from_the_page_then_from_the_header() -> None:
    header = "Content-Type: text/html\r\nContent-Language: fr-CA, en"
    assert decode_record(record(headers=header), PageFilter()).lang == "de"
    assert decode_record(record(headers=header, body=b"<p>x</p>"), PageFilter()).lang == "fr-CA"
    strange = "Content-Type: text/html\r\nContent-Language: <b>"
    assert decode_record(record(headers=strange, body=b"<p>x</p>"), PageFilter()).lang is None


def test_a_resource_record_is_its_own_body() -> None:
    of = record(kind="resource", content_type="text/html", block=b"<p>x</p>")
    page = decode_record(of, PageFilter(record_types=frozenset({"resource"})))
    assert (page.status, page.html, page.media_type) == (None, b"<p>x</p>", "text/html")


NEXT = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>after it</p>"


@pytest.mark.parametrize(
    "first",
    [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n",
        "HTTP/1.1 100 Continue\n\nHTTP/1.1 102 Processing\n\nHTTP/2 103\n\n",
        "HTTP/1.0 200 Connection established\r\nProxy-agent: a\r\n\r\n",
        "HTTP/1.0 200 Connection established\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ],
)
def test_the_answer_after_interim_ones_is_the_page(first: str) -> None:
    page = decode_record(record(block=(first + NEXT).encode()), PageFilter())
    assert (page.status, page.media_type, page.html) == (200, "text/html", b"<p>after it</p>")
    assert reason(record(block=(first + NEXT.replace("200 OK", "404 Not Found")).encode())) == "status"


def test_interim_answers_without_end_are_no_page() -> None:
    assert reason(record(block=b"HTTP/1.1 100 Continue\r\n\r\n" * 1000 + NEXT.encode())) == "status"


def test_a_page_that_shows_an_http_head_keeps_it() -> None:
    of = record(headers="Content-Type: text/html", body=b"HTTP/1.1 404 Not Found\r\n\r\n<p>is what it said")
    assert decode_record(of, PageFilter()).html.startswith(b"HTTP/1.1 404")


@pytest.mark.parametrize("label", ["text/html", "text/html; charset=utf-8", "application/octet-stream"])
def test_a_response_that_is_a_message_is_one_whatever_its_label_says(label: str) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>tide</p>"
    page = decode_record(record(kind="response", content_type=label, block=block), PageFilter())
    assert (page.status, page.html) == (200, b"<p>tide</p>")


@pytest.mark.parametrize("content_type", ["no-type", "application/http; msgtype=response", None])
def test_html_without_a_head_is_a_page_without_a_status(content_type: str | None) -> None:
    of = record(block=b"\r\n<!DOCTYPE HTML><p>of HTTP/0.9", content_type=content_type)
    page = decode_record(of, PageFilter())
    assert (page.status, page.html.strip()) == (None, b"<!DOCTYPE HTML><p>of HTTP/0.9")


@pytest.mark.parametrize(
    ("content_range", "truncated"),
    [
        ("bytes 0-18/19", False),
        ("bytes 0-18/100", True),
        ("bytes 5-23/24", True),
        ("bytes 0-18/*", True),
        ("", True),
    ],
)
def test_a_part_of_a_page_is_truncated(content_range: str, truncated: bool) -> None:
    headers = f"Content-Type: text/html\r\nContent-Range: {content_range}"
    of = record(status="206 Partial Content", headers=headers)
    assert decode_record(of, PageFilter()).truncated is truncated


@pytest.mark.parametrize(
    ("headers", "truncated"),
    [
        ("Content-Length: 35", True),
        ("content-length:  900000 ", True),
        ("Content-Length: 34", False),
        ("Content-Length: 20", False),
        ("Content-Length: many", False),
        ("Content-Length: -1", False),
        ("Content-Length: " + "9" * 5000, False),
        # as crawlers store what they decoded, under the old header
        ("Content-Length: 54\r\nContent-Encoding: gzip", False),
        ("Content-Length: 54\r\nTransfer-Encoding: chunked", False),
    ],
)
def test_a_body_shorter_than_its_declared_length_is_truncated(headers: str, truncated: bool) -> None:
    page = decode_record(record(headers=f"Content-Type: text/html\r\n{headers}"), PageFilter())
    assert page.html_bytes == 34
    assert page.truncated is truncated
