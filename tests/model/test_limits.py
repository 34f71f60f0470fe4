"""Each limit: what happens at it and beyond it."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable

import pytest
import zstandard

from cedar.transforms.decode.codings import MAX_MEMBERS, MAX_ZSTD_BLOCKS
from cedar.transforms.decode.http import MAX_CODINGS
from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.extractors.tree.limits import FLAT_DEPTH, MAX_ATTRIBUTES, MAX_DEPTH, MAX_TAGS
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.limits import DEFAULT_MAX_BODY, MAX_HTTP_HEADER, max_block
from cedar.transforms.model.records import Page, Record
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, read_records
from cedar.transforms.warc.records import MAX_HEADER
from cedar.transforms.warc.zstd_frames import MAX_DICTIONARY, MAX_WINDOW
from tests.helpers.documents import page

TEXT = b"<html><body><p>" + b"a heron stands in the river. " * 40 + b"</p></body></html>"
HALF = len(TEXT) // 2


def record(body: bytes, *http: str, more: bytes = b"") -> bytes:
    """A WARC record of a response."""
    block = "\r\n".join(("HTTP/1.1 200 OK", *http, "", "")).encode() + body
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n" + more
    return head + b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"


def outcome(archive: bytes, max_body: int = DEFAULT_MAX_BODY) -> Page | str:
    """The first page of an archive, or the reason for which there is none."""
    span = FileRange(source="s", size=len(archive))
    item = next(iter(read_records(io.BytesIO(archive), span, max_block=max_block(max_body))))
    assert not isinstance(item, ReadEnd)
    if isinstance(item, Damage):
        return item.reason.value
    assert isinstance(item, Record)
    try:
        return decode_record(item, PageFilter(), max_body)
    except RejectedError as error:
        return error.reason.value


def is_cut_to(size: int, found: Page | str) -> bool:
    return isinstance(found, Page) and found.truncated and found.html == TEXT[:size]


def is_whole(found: Page | str) -> bool:
    return isinstance(found, Page) and not found.truncated and found.html == TEXT


def zstd(data: bytes, window_log: int = 20) -> bytes:
    """A frame of a given window."""
    parameters = zstandard.ZstdCompressionParameters(window_log=window_log, write_content_size=False)
    stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return stream.compress(data) + stream.flush()


def after_dictionary(data: bytes, size: int) -> bytes:
    """A file whose dictionary of `size` bytes its frame needs."""
    dictionary = record(TEXT)[:200].rjust(size, b"-")
    words = zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    first = b"\x5d\x2a\x4d\x18" + size.to_bytes(4, "little") + dictionary
    return first + zstandard.ZstdCompressor(1, dict_data=words, write_checksum=True).compress(data)


def in_zstd_blocks(data: bytes, empty: int) -> bytes:
    """A frame of empty blocks and one raw one; no checksum."""
    head = b"\x28\xb5\x2f\xfd\0\x50"
    return head + bytes(3) * empty + (len(data) << 3 | 1).to_bytes(3, "little") + data


def in_codings(number: int) -> bytes:
    """A page coded so many times."""
    body = TEXT
    for _ in range(number):
        body = gzip.compress(body)
    return record(body, "Content-Encoding: " + ", ".join(["gzip"] * number))


def in_members(number: int) -> bytes:
    """A page in this many gzip members, and its second half in one more."""
    body = gzip.compress(TEXT[:HALF]) + gzip.compress(b"") * (number - 1) + gzip.compress(TEXT[HALF:])
    return record(body, "Content-Encoding: gzip")


def with_http_header(size: int) -> bytes:
    """A gzipped page whose HTTP header has `size` bytes before its coding."""
    start = len("HTTP/1.1 200 OK\r\nX: \r\nContent-Encoding: gzip\r\n")
    return record(gzip.compress(TEXT), "X: " + "y" * (size - start), "Content-Encoding: gzip")


def with_header(size: int) -> bytes:
    """A page in a record with a header of `size` bytes."""
    block_starts = record(TEXT).index(b"HTTP/1.1")
    return record(TEXT, more=b"X: " + b"y" * (size - block_starts - 5) + b"\r\n")


@pytest.mark.parametrize(
    ("archive_of", "limit", "hit"),
    [
        (with_header, MAX_HEADER, "too_large"),
        (with_http_header, MAX_HTTP_HEADER, "media_type"),  # undecoded bytes are no HTML
        (in_codings, MAX_CODINGS, "bad_coding"),
        (lambda log: zstd(record(TEXT), log), MAX_WINDOW.bit_length() - 1, "not_an_archive"),
        (lambda log: record(zstd(TEXT, log), "Content-Encoding: zstd"), 27, "bad_coding"),
        (lambda size: after_dictionary(record(TEXT), size), MAX_DICTIONARY, "not_an_archive"),
    ],
    ids=["header", "http header", "codings", "window of a file", "window of a body", "dictionary"],
)
def test_a_record_over_a_limit_is_rejected(archive_of: Callable[[int], bytes], limit: int, hit: str) -> None:
    assert is_whole(outcome(archive_of(limit)))
    assert outcome(archive_of(limit + 1)) == hit


def test_a_body_over_a_limit_keeps_its_beginning() -> None:
    assert is_whole(outcome(record(TEXT), len(TEXT)))
    assert is_cut_to(HALF, outcome(record(TEXT), HALF))
    assert is_whole(outcome(in_members(MAX_MEMBERS - 1)))
    assert is_cut_to(HALF, outcome(in_members(MAX_MEMBERS)))
    coded = record(in_zstd_blocks(TEXT, MAX_ZSTD_BLOCKS - 1), "Content-Encoding: zstd")
    assert is_whole(outcome(coded))
    coded = record(in_zstd_blocks(TEXT, MAX_ZSTD_BLOCKS), "Content-Encoding: zstd")
    assert is_cut_to(len(TEXT), outcome(coded))


def test_a_zstd_window_over_the_limit_costs_its_record_alone() -> None:
    archive = zstd(record(TEXT)) + zstd(record(TEXT), 28)
    span = FileRange(source="s", size=len(archive))
    items = list(read_records(io.BytesIO(archive), span))
    assert [type(item) for item in items] == [Record, Damage, ReadEnd]


def extracted(html: bytes) -> Extraction:
    return registry.bind("cetd-ds", "{}")(html)


@pytest.mark.slow
def test_over_the_limit_on_tags_another_method_stands_in() -> None:
    most = TEXT + b"<p>" * (MAX_TAGS - TEXT.count(b"<"))
    assert extracted(most).fallback is None
    found = extracted(most + b"<p>")
    assert found.fallback == f"cetr: {MAX_TAGS + 1} tags"
    assert "heron" in found.text


def test_attributes_over_the_limit_are_left_out() -> None:
    attributes = b" ".join(b"a%d=v" % number for number in range(MAX_ATTRIBUTES + 1))
    html = extracted(TEXT.replace(b"<p>", b"<p " + attributes + b">")).html
    assert html is not None
    assert f"a{MAX_ATTRIBUTES - 1}=" in html
    assert f"a{MAX_ATTRIBUTES}=" not in html
    assert "heron" in html


def test_over_the_limit_on_depth_tags_go_and_text_stays() -> None:
    text = b"<p>" + b"a heron stands in the river. " * 40 + b"</p>"
    deep = extracted(b"<div>" * (MAX_DEPTH + 1) + text + b"</div>" * (MAX_DEPTH + 1))
    assert deep.fallback is None
    assert deep.html is not None
    assert FLAT_DEPTH // 2 < deep.html.count("<div>") <= FLAT_DEPTH
    assert deep.text == extracted(text).text


def test_the_page_of_limits_tells_of_every_limit() -> None:
    told = page("limits")
    for number in (MAX_CODINGS, MAX_MEMBERS, MAX_ZSTD_BLOCKS, MAX_TAGS, MAX_ATTRIBUTES, MAX_DEPTH):
        assert f"| {number:,} |" in told
    for size in (MAX_HEADER, MAX_HTTP_HEADER):
        assert f"| {size >> 10} KiB |" in told
    for size in (DEFAULT_MAX_BODY, MAX_WINDOW, MAX_DICTIONARY):
        assert f"| {size >> 20} MiB |" in told
