"""The head of an HTTP response: what is read, what is put up with, what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode.http import HttpMessage, parse_http
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.limits import MAX_HTTP_HEADER
from tests.helpers.shapes import assert_linear

HTML = b"<!doctype html><p>\xc3\xa9"


def test_head_and_body_are_taken_apart():
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nX: c\r\nContent-Language: a b \r\n"
    block = head + b"\r\n" + HTML
    message = parse_http(block)
    assert message.status == 200
    assert message.headers == (("content-type", "text/html; charset=utf-8"), ("content-language", "a b"))
    assert bytes(message.body) == HTML


def test_body_is_a_view_of_the_block():
    block = b"HTTP/1.1 200 OK\r\n\r\n" + HTML
    body = parse_http(block).body
    assert isinstance(body, memoryview)
    assert body.obj is block


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"HTTP/1.0 200 OK", 200),
        (b"HTTP/1.1 200", 200),
        (b"HTTP/1.1 200 ", 200),
        (b"HTTP/2 301", 301),
        (b"HTTP/3 204 ", 204),
        (b"ICY 200 OK", 200),
        (b"http/1.1 404 not found", 404),
        (b"HTTP/1.1  200  OK", 200),
        (b"HTTP/1.1\t200\tOK", 200),
        (b"HTTP/1.1 200OK", 200),
        (b"HTTP 200 OK", 200),
        (b"HTTP/1.1 999 Request denied", 999),
        (b"\r\n\r\nHTTP/1.1 200 OK", 200),
        (b"HTTP/1.1 200 caf\xe9 \x00", 200),
    ],
)
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_odd_status_lines_are_read(line, status, end):
    message = parse_http(line + end + b"Content-Type: b" + end + end + HTML)
    assert (message.status, message.headers, bytes(message.body)) == (status, (("content-type", "b"),), HTML)


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"\r\n\r\n",
        b"words and HTTP/1.1 200 OK",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 20\r\n\r\n",
        b"HTTP/1.1 2000 OK\r\n\r\n",
        b"HTTP/1.1200 OK\r\n\r\n",
        b"HTTP/1.1\r\n200 OK\r\n\r\n",
        b"HTTPS/1.1 200 OK\r\n\r\n",
        b"Content-Type: text/html\r\n\r\n<p>",
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ],
)
def test_what_does_not_begin_as_a_response_is_refused(block):
    with pytest.raises(RejectedError) as caught:
        parse_http(block)
    assert caught.value.reason is RejectReason.BAD_HTTP


def test_names_are_lower_case_and_values_latin_1():
    message = parse_http(
        b"HTTP/1.1 200\r\nCoNtEnT-TyPe :\ttext/HTML\t\r\nContent-Language: caf\xe9\x00\xa0\r\n\r\n"
    )
    assert message.headers == (("content-type", "text/HTML"), ("content-language", "café\x00\xa0"))


def test_junk_lines_are_skipped_with_what_is_folded_into_them():
    block = (
        b"HTTP/1.1 200\r\nno colon\r\n folded: junk\r\n: no name\r\nbad name: x\r\nContent-Type: y\r\n\r\n"
    )
    assert parse_http(block).headers == (("content-type", "y"),)


def test_folded_lines_are_joined_by_one_space():
    block = b"HTTP/1.1 200\r\nContent-Type: text/html;\r\n  a=b\r\n\t;x=1\r\nContent-Encoding: c\r\n\r\n"
    folded = ("content-type", "text/html; a=b ;x=1")
    assert parse_http(block).headers == (folded, ("content-encoding", "c"))


@pytest.mark.parametrize("blank", [b"\r\n\r\n", b"\n\n", b"\n\r\n", b"\r\n\n"])
def test_any_blank_line_ends_the_head(blank):
    message = parse_http(b"HTTP/1.1 200 OK\r\nContent-Type: b" + blank + b"C: d\r\n\r\nbody")
    assert (message.headers, bytes(message.body)) == ((("content-type", "b"),), b"C: d\r\n\r\nbody")


def test_a_line_of_markup_ends_a_head_without_a_blank_line():
    message = parse_http(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n<!DOCTYPE html>\n<p>a\n\n<p>b")
    assert message.headers == (("content-type", "text/html"),)
    assert bytes(message.body) == b"<!DOCTYPE html>\n<p>a\n\n<p>b"


@pytest.mark.parametrize(
    "block", [b"HTTP/1.1 200 OK", b"HTTP/1.1 200\r\nContent-Type: b", b"HTTP/1.1 200\r\nContent-Type: b\r\n"]
)
def test_a_head_alone_has_no_body(block):
    message = parse_http(block)
    assert message.status == 200
    assert bytes(message.body) == b""


def test_a_head_over_the_cap_keeps_the_fields_before_it_and_the_whole_body():
    block = b"HTTP/1.1 200 OK\r\nContent-Type: b\r\nLong: " + b"x" * 2**20 + b"\r\nAfter: c\r\n\r\n" + HTML
    message = parse_http(block)
    assert message.headers == (("content-type", "b"),)
    assert bytes(message.body) == HTML


def test_without_a_blank_line_the_limit_ends_the_head():
    block = b"HTTP/1.1 200 OK\r\n" + b"Content-Type: b\r\n" * 10_000
    message = parse_http(block)
    assert set(message.headers) == {("content-type", "b")}
    assert bytes(message.body) == block[MAX_HTTP_HEADER:]


def test_get_gives_the_last_value_that_is_not_empty():
    message = HttpMessage(200, (("a", "1"), ("b", "x"), ("a", "2"), ("a", "")), b"")
    assert message.get("a") == "2"
    assert message.get("c") is None


def test_a_million_folded_lines_are_read_up_to_the_cap():
    block = b"HTTP/1.1 200 OK\r\nContent-Type: b\r\n" + b" x\r\n" * 1_000_000 + b"C: d\r\n\r\n" + HTML
    message = parse_http(block)
    assert message.headers[0][0] == "content-type"
    assert len(message.headers[0][1]) < 65536
    assert bytes(message.body) == HTML


@pytest.mark.parametrize(
    "unit", [b" x\r\n", b"\r\n ", b"a", b"a ", b"\r\r", b"a:b\r\n", b"a\r\n", b"\t\n\t", b":", b" : ", b"\0"]
)
def test_heads_are_read_in_linear_time(unit):
    def make(size):
        return b"HTTP/1.1 200 OK\r\nContent-Type: b\r\n" + unit * (size // len(unit)) + b"\r\n\r\n<html>"

    assert_linear(parse_http, make, 2**17)


@given(st.binary(max_size=300))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_any_bytes_after_a_status_line_make_a_message(rest):
    block = b"HTTP/1.1 200 OK\r\n" + rest
    message = parse_http(block)
    assert message.status == 200
    assert block.endswith(bytes(message.body))
    assert all(name == name.lower() and "\n" not in value for name, value in message.headers)
