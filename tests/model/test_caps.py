"""Each cap: what happens where it is hit, and that it is an option that is told of."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from dataclasses import replace

import pytest
import zstandard

from cedar.pipelines.common.arguments import Parser, add_options
from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.extract.options import ExtractOptions, extract_options
from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Extraction
from cedar.transforms.model.books import RejectedError
from cedar.transforms.model.caps import CAPS, DEFAULT_CAPS, CapOption, Caps
from cedar.transforms.model.records import Page, Record
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, read_records
from tests.documents import page

LIMITS = page("limits")
TEXT = b"<html><body><p>" + b"a heron stands in the river. " * 40 + b"</p></body></html>"


def record(body: bytes, *http: str) -> bytes:
    """A WARC record of a response."""
    block = "\r\n".join(("HTTP/1.1 200 OK", *http, "", "")).encode() + body
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: %d\r\n\r\n"
    )
    return head % len(block) + block + b"\r\n\r\n"


def outcome(archive: bytes, caps: Caps) -> Page | str:
    """The first page of an archive, or the reason for which there is none."""
    item = next(iter(read_records(io.BytesIO(archive), FileRange(source="s", size=len(archive)), caps=caps)))
    assert not isinstance(item, ReadEnd)
    if isinstance(item, Damage):
        return item.reason.value
    assert isinstance(item, Record)
    try:
        return decode_record(item, PageFilter(caps=caps))
    except RejectedError as error:
        return error.reason.value


def cut_to(size: int) -> Callable[[Page | str], bool]:
    return lambda page: isinstance(page, Page) and page.truncated and page.html == TEXT[:size]


def is_plain(page: Page | str) -> bool:
    return isinstance(page, Page) and not page.truncated and page.html == TEXT


def zstd(data: bytes, *, window_log: int = 20, dictionary: bytes = b"") -> bytes:
    """A frame of a given window; in front of it a dictionary."""
    parameters = zstandard.ZstdCompressionParameters(window_log=window_log, write_content_size=False)
    if not dictionary:
        stream = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
        return stream.compress(data) + stream.flush()
    words = zstandard.ZstdCompressionDict(dictionary, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
    first = b"\x5d\x2a\x4d\x18" + len(dictionary).to_bytes(4, "little") + dictionary
    return first + zstandard.ZstdCompressor(dict_data=words, write_checksum=True).compress(data)


def in_zstd_blocks(data: bytes) -> bytes:
    """A frame of raw blocks of one byte each; no checksum."""
    head = b"\x28\xb5\x2f\xfd\0\x50"
    last = len(data) - 1
    return head + b"".join(
        (1 << 3 | (at == last)).to_bytes(3, "little") + data[at : at + 1] for at in range(len(data))
    )


HALF = len(TEXT) // 2
IN_READING: dict[str, tuple[bytes, int, Callable[[Page | str], bool]]] = {
    "max_header": (record(TEXT), 60, lambda found: found == "too_large"),
    "max_body": (record(TEXT), HALF, cut_to(HALF)),
    "max_http_header": (
        record(gzip.compress(TEXT), "X: y", "Content-Encoding: gzip"),
        len("HTTP/1.1 200 OK\r\nX: y\r\nContent"),
        lambda found: found == "media_type",  # for its bytes are no HTML
    ),
    "max_codings": (
        record(gzip.compress(gzip.compress(TEXT)), "Content-Encoding: gzip, gzip"),
        1,
        lambda found: found == "bad_coding",
    ),
    "max_members": (
        record(gzip.compress(TEXT[:HALF]) + gzip.compress(TEXT[HALF:]), "Content-Encoding: gzip"),
        1,
        cut_to(HALF),
    ),
    "max_zstd_blocks": (
        record(in_zstd_blocks(TEXT), "Content-Encoding: zstd"),
        len(TEXT) - 1,
        cut_to(len(TEXT)),
    ),
    "max_zstd_window": (zstd(record(TEXT)), 1 << 19, lambda found: found == "not_an_archive"),
    "max_zstd_dictionary": (
        zstd(record(TEXT), dictionary=record(TEXT)[:200]),
        199,
        lambda found: found == "not_an_archive",
    ),
}


@pytest.mark.parametrize("name", IN_READING)
def test_a_cap_of_reading_ends_as_it_is_told(name: str) -> None:
    archive, cap, is_hit = IN_READING[name]
    assert is_plain(outcome(archive, DEFAULT_CAPS))
    assert is_plain(outcome(archive, replace(DEFAULT_CAPS, **{name: _just_enough(name, cap)})))
    assert is_hit(outcome(archive, replace(DEFAULT_CAPS, **{name: cap})))


def _just_enough(name: str, cap: int) -> int:
    """A value of the cap at which the archive is read whole."""
    return {"max_header": 200, "max_body": len(TEXT), "max_zstd_window": 1 << 20}.get(name, 2 * cap)


def test_a_zstd_window_over_the_cap_costs_its_page_alone() -> None:
    wide, good = zstd(record(TEXT)), gzip.compress(record(TEXT))
    caps = Caps(max_zstd_window=1 << 19)
    assert outcome(record(wide, "Content-Encoding: zstd"), caps) == "bad_coding"
    assert is_plain(outcome(good, caps))
    narrow = zstd(record(TEXT), window_log=19)
    span = FileRange(source="s", size=len(narrow + wide))
    items = list(read_records(io.BytesIO(narrow + wide), span, caps=caps))
    assert [type(item) for item in items] == [Record, Damage, ReadEnd]


def extracted(html: bytes, caps: Caps) -> Extraction:
    return registry.bind("cetd-ds", "{}", caps.text)(html)


def test_a_cap_on_tags_brings_in_the_default_method() -> None:
    page = TEXT + b"<p>x" * 20
    tags = page.count(b"<")
    assert extracted(page, Caps(max_tags=tags)).fallback is None
    found = extracted(page, Caps(max_tags=tags - 1))
    assert found.fallback == f"cetr: {tags} tags"
    assert "heron" in found.text


def test_a_cap_on_attributes_takes_those_beyond() -> None:
    page = TEXT.replace(b"<p>", b"<p " + b" ".join(b"a%d=v" % number for number in range(10)) + b">")
    for most, last in ((10, "a9="), (9, "a8="), (8, "a7=")):
        html = extracted(page, Caps(max_attributes=most)).html
        assert html is not None
        assert last in html
        assert f"a{most}=" not in html
        assert "heron" in html


def test_a_cap_on_depth_takes_tags_and_leaves_text() -> None:
    page = b"<div>" * 30 + b"<p>" + b"a heron stands in the river. " * 40 + b"</p>" + b"</div>" * 30
    deep = extracted(page, Caps(max_depth=40))
    flat = extracted(page, Caps(max_depth=20))
    assert deep.fallback is None
    assert flat.fallback is None
    assert deep.html is not None
    assert flat.html is not None
    assert deep.text == flat.text
    assert (deep.html.count("<div>"), flat.html.count("<div>")) == (30, 16)


def test_every_cap_has_a_test() -> None:
    assert [cap.key for cap in CAPS] == [*IN_READING, "max_tags", "max_attributes", "max_depth"]


def options(*words: str) -> Caps:
    parser = Parser(prog="cedar extract")
    add_options(parser, ExtractOptions)
    return extract_options(parser, ["in", "--output", "out", *words]).caps


def test_every_cap_is_an_option_within_bounds() -> None:
    assert options() == DEFAULT_CAPS
    for cap in CAPS:
        assert getattr(options(cap.name, str(cap.about.least)), cap.key) == cap.about.least
        assert getattr(options(cap.name, cap.shown_default), cap.key) == cap.default
        for value in (cap.about.least - 1, cap.about.most + 1):
            with pytest.raises(UsageError):
                options(cap.name, str(value))


def test_caps_travel_as_text() -> None:
    caps = Caps(max_body=7, max_depth=9)
    assert Caps.of(caps.text) == caps
    assert Caps.of("{}") == DEFAULT_CAPS


def test_the_page_of_limits_tells_of_every_cap() -> None:
    for cap in CAPS:
        assert isinstance(cap.about, CapOption)
        assert f"| `{cap.name}` | {cap.shown_default} | {cap.about.help} | {cap.about.hit} |" in LIMITS
