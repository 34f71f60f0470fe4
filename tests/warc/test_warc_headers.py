"""Headers, ARC lines, record starts and dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.warc.records import (
    Header,
    find_start,
    header_end,
    is_start,
    parse_arc,
    parse_date,
    parse_warc,
)

HEADER = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2024-02-29T12:00:00Z\r\n"
    b"WARC-Target-URI: http://a.example/b c\r\nContent-Type: application/http; msgtype=response\r\n"
    b"Content-Length: 12\r\n\r\n"
)
PARSED = Header(
    "response",
    "http://a.example/b c",
    "urn:uuid:1",
    "2024-02-29T12:00:00Z",
    "application/http; msgtype=response",
    12,
    False,
)


def field(line: bytes) -> Header:
    return parse_warc(b"WARC/1.0\r\n" + line + b"\r\n\r\n")


@pytest.mark.parametrize(
    "header",
    [
        HEADER,
        HEADER.replace(b"\r\n", b"\n"),
        HEADER.replace(b"WARC/1.0", b"WARC/0.17"),
        HEADER.replace(b"WARC/1.0", b"WARC/1.1"),
        HEADER.replace(b"WARC/1.0", b"warc/2.0"),
        HEADER.replace(b"WARC-", b"warc-").replace(b"Content-", b"CONTENT-"),
        HEADER.replace(b": ", b" \t:   ").replace(b"response\r", b"response \t\r"),
        HEADER.replace(b": ", b":"),
        HEADER.replace(b": ", b":\r\n "),
        HEADER.replace(b": ", b":\n\t  "),
        HEADER.replace(b"WARC-Date", b"no colon here\r\n: no name\r\n\x00\xff\r\nWARC-Date"),
        HEADER.replace(b": response", b": RESPONSE"),
        HEADER.replace(b"http://a.example/b c", b"<http://a.example/b c>"),
        HEADER.replace(
            b"\r\n\r\n", b"\r\nWARC-Type: request\r\nContent-Length: 99\r\nWARC-Target-URI: x\r\n\r\n"
        ),
    ],
)
def test_header_reads_the_same_in_every_spelling(header: bytes) -> None:
    assert parse_warc(header) == PARSED


@pytest.mark.parametrize(
    ("text", "length"),
    [
        (b"0", 0),
        (b"007", 7),
        (b"-1", None),
        (b"+1", None),
        (b"1_0", None),
        (b"12, 12", None),
        (b"0x10", None),
        (b"", None),
        (b"very long", None),
        (b"9" * 18, 10**18 - 1),
        (b"9223372036854775808", None),
        (b"9" * 5000, None),
        (b"0" * 5000 + b"7", 7),
        (b"-9223372036854775809", None),
        ("٣".encode(), None),
    ],
)
def test_length_is_plain_digits_or_unknown(text: bytes, length: int | None) -> None:
    assert field(b"Content-Length: " + text).length == length


@pytest.mark.parametrize(
    "text",
    [
        b"1" + b"0" * 18,
        b"9223372036854775808",
        b"9" * 5000,
        b"-9223372036854775809",
        b"-1",
        b"",
        b"very long",
    ],
)
def test_a_length_that_tells_nothing_marks_the_record(text: bytes) -> None:
    assert field(b"Content-Length: " + text).truncated
    arc = parse_arc(b"http://a.example/ 10.0.0.1 20080430204825 text/html " + text)
    assert arc is not None
    assert arc.truncated


@pytest.mark.parametrize("text", [b"9" * 18, b"0" * 5000])
def test_a_length_marks_no_record(text: bytes) -> None:
    assert not field(b"Content-Length: " + text).truncated


def test_absent_and_empty_fields_are_none() -> None:
    empty = Header("", None, None, None, None, None, True)
    assert field(b"X: y") == empty
    names = [
        b"WARC-Type",
        b"WARC-Target-URI",
        b"WARC-Record-ID",
        b"WARC-Date",
        b"Content-Type",
        b"WARC-Truncated",
    ]
    assert field(b"\r\n".join(name + b": " for name in names)) == empty
    assert field(b"WARC-Target-URI: <>").url is None


def test_warc_truncated_is_noted() -> None:
    assert field(b"WARC-Truncated: length").truncated


def test_text_is_utf8_or_else_latin1() -> None:
    assert field("WARC-Target-URI: http://é.example/".encode()).url == "http://é.example/"
    assert field(b"WARC-Target-URI: http://\xe9.example/").url == "http://é.example/"


def test_a_name_is_not_found_inside_of_another() -> None:
    assert field(b"X-WARC-Type: a\r\nWARC-Type-Of: b\r\nContent-Length-X: 3") == field(b"X: y")


@pytest.mark.parametrize("blank", [b"\r\n\r\n", b"\n\n", b"\r\n\n", b"\n\r\n"])
def test_header_ends_at_the_blank_line_of_any_kind(blank: bytes) -> None:
    head = b"WARC/1.0\r\nA: b" + blank
    assert header_end(head + b"HTTP/1.1 200 OK\r\n\r\n", 0, 1000, anywhere=True) == (len(head), True)
    assert header_end(head, 0, len(head) - 1, anywhere=True) is None


def test_header_that_runs_into_another_is_not_closed() -> None:
    head = b"WARC/1.0\r\nA: b\r\n"
    assert header_end(head + HEADER, 0, 1000, anywhere=False) == (len(head), False)
    assert header_end(head[:-3] + HEADER, 0, 1000, anywhere=True) == (len(head) - 3, False)
    assert header_end(head[:-3] + HEADER, 0, 1000, anywhere=False) == (len(head) - 3 + len(HEADER), True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            b"http://a.example/ 192.0.2.1 20080430204825 text/html 680\n",
            Header(
                "response",
                "http://a.example/",
                None,
                "20080430204825",
                "application/http; msgtype=response",
                680,
                False,
            ),
        ),
        (
            b"https://a.example/x y?z=1 2 192.0.2.1 20080430204825 text/html; charset=x 680\r\n",
            Header(
                "response",
                "https://a.example/x y?z=1 2",
                None,
                "20080430204825",
                "application/http; msgtype=response",
                680,
                False,
            ),
        ),
        (
            b"dns:a.example 192.0.2.1 20080430204825 text/dns 56",
            Header("response", "dns:a.example", None, "20080430204825", "text/dns", 56, False),
        ),
        (
            b"ftp://a.example/ 2001:db8::1 20080430204825 text/plain 200 AB12 - 209 f.arc 202",
            Header("response", "ftp://a.example/", None, "20080430204825", "text/plain", 202, False),
        ),
        (
            b"dns:a.example 192.0.2.1 null text/dns -1",
            Header("response", "dns:a.example", None, "null", "text/dns", None, True),
        ),
        (
            b"filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76",
            Header("warcinfo", "filedesc://a.arc", None, "20080430204825", "text/plain", 76, False),
        ),
        (b"filedesc:// - - - 76", Header("warcinfo", "filedesc://", None, None, "-", 76, False)),
    ],
)
def test_arc_line(line: bytes, expected: Header) -> None:
    assert parse_arc(line) == expected
    assert is_start(b"x" + line.rstrip() + b"\n", 1)


HTTP = "application/http; msgtype=response"


@pytest.mark.parametrize(
    ("line", "url", "date", "media_type"),
    [
        ("http://a.example/ None 1996120812 text/html 680", "http://a.example/", "1996120812", HTTP),
        ("dns:a.example 192.0.2.1 20160211000000jpg image/jpeg 680",
         "dns:a.example", "20160211000000jpg", "image/jpeg"),
        ("dns:a.example 20080430204825 192.0.2.1 text/dns 680",
         "dns:a.example", "20080430204825", "text/dns"),
        ("dns:a.example 192.0.2.1 20080430204825  680", "dns:a.example", "20080430204825", None),
        ("dns:a.example 20080430204825 text/dns 680", "dns:a.example", "20080430204825", "text/dns"),
        ("http://a.example/1999123112 x - 200804302048 text/html 680",
         "http://a.example/1999123112 x", "200804302048", HTTP),
        ("http://a.example/?q=2001123112 2002123112 y 192.0.2.1 200804302048 text/html 680",
         "http://a.example/?q=2001123112 2002123112 y", "200804302048", HTTP),
        ("http://a.example/ whatever is between 680", "http://a.example/", None, HTTP),
        ("dns:a.example what 680", "dns:a.example", None, None),
    ],
)  # fmt: skip
def test_arc_lines_of_old_crawls(line: str, url: str, date: str | None, media_type: str | None) -> None:
    assert parse_arc(line.encode()) == Header("response", url, None, date, media_type, 680, False)
    assert is_start(b"x" + line.encode() + b"\n", 1)


def test_a_line_of_text_with_an_address_begins_no_record_where_none_is_expected() -> None:
    assert find_start(b"x\nhttp://a.example/ is the page 680\n", 0, 100, anywhere=True) == -1
    assert find_start(b"x\nhttp://a.example/ None 1996120812 text/html 680\n", 0, 100, anywhere=True) == 2


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"http://a.example/ 680",
        b"http://a.example/\n",
        b"Location: http://a.example/ and four more words 12\n",
        b"color: red blue green 1\n",
        b"://a.example/ 192.0.2.1 20080430204825 text/html 680\n",
        b"URL IP-address Archive-date Content-type Archive-length\n",
    ],
)
def test_other_lines_are_no_arc_lines(line: bytes) -> None:
    assert parse_arc(line) is None
    assert not is_start(line, 0)


def test_start_is_found_before_the_stop_and_but_for_plain_warc_at_line_starts_only() -> None:
    arc = b"http://a.example/ 192.0.2.1 20080430204825 text/html 680\n"
    for record in (HEADER, HEADER.replace(b"\r\n", b"\n"), arc):
        data = b"text " + record + b"more\n" + record
        at = data.rindex(record)
        assert find_start(data, 0, len(data), anywhere=False) == at
        assert find_start(data, 0, len(data), anywhere=True) == (at if record == arc else 5)
        for anywhere in (False, True):
            assert find_start(data, 5, len(data), anywhere=anywhere) == at
            assert find_start(data, 5, at, anywhere=anywhere) == -1
            assert find_start(data, at, len(data), anywhere=anywhere) == -1
            assert find_start(b"\nWARC/1.0 is the version\nhere\n", 0, 100, anywhere=anywhere) == -1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-02-29T12:00:01Z", datetime(2024, 2, 29, 12, 0, 1, tzinfo=UTC)),
        ("2024-02-29T12:00:01.5Z", datetime(2024, 2, 29, 12, 0, 1, 500000, tzinfo=UTC)),
        ("2024-02-29T12:00:01.123456789Z", datetime(2024, 2, 29, 12, 0, 1, 123456, tzinfo=UTC)),
        ("2024-02-29T12:00:01+02:00", datetime(2024, 2, 29, 10, 0, 1, tzinfo=UTC)),
        ("2024-02-29T12:00:01", datetime(2024, 2, 29, 12, 0, 1, tzinfo=UTC)),
        ("2024-02-29 12:00:01", datetime(2024, 2, 29, 12, 0, 1, tzinfo=UTC)),
        ("2024-02-29T12:00Z", datetime(2024, 2, 29, 12, 0, tzinfo=UTC)),
        ("2024-02-29", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2024-02", datetime(2024, 2, 1, tzinfo=UTC)),
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("1969-12-31T23:59:59.999999Z", datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("20080430204825", datetime(2008, 4, 30, 20, 48, 25, tzinfo=UTC)),
        ("20080430204825123", datetime(2008, 4, 30, 20, 48, 25, 123000, tzinfo=UTC)),
    ],
)
def test_dates(text: str, expected: datetime) -> None:
    assert parse_date(text) == round(
        (expected - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1)
    )


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "x",
        "null",
        "blue monday",
        "2024-02-30T12:00:00Z",
        "2008-10-294T05:21:46-0700",
        "20081399204825",
        "2024-02-29T25:00:00Z",
        "٢٠٢٤-02-29T12:00:00Z",
        "\ud800",
        "-",
        "9" * 5000,
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ],
)
def test_no_dates(text: str | None) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("20080430", "20080430000000"),
        ("2008043020", "20080430200000"),
        ("200804302048", "20080430204800"),
        ("200804302048251", "20080430204825"),
        ("2008043020482512", "20080430204825"),
        ("200804302048251234", "20080430204825"),
        ("20080430204825jpg", "20080430204825"),
    ],
)
def test_dates_of_arc_with_other_digits_are_filled_up_or_cut(text: str, whole: str) -> None:
    assert parse_date(text) == parse_date(whole) is not None


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2016-12-31T23:59:60.25Z", "2017-01-01T00:00:00.25Z"),
        ("2016-12-31T22:59:60-01:00", "2017-01-01T00:00:00Z"),
        ("20161231235960", "20170101000000"),
        ("2016-12-31T24:00:00Z", "2017-01-01T00:00:00Z"),
        ("2016-12-31T24:00Z", "2017-01-01T00:00:00Z"),
        ("2016-12-31T24:00:00.000+01:00", "2016-12-31T23:00:00Z"),
        ("20161231240000", "20170101000000"),
        ("2016-12-31T24:00:01Z", None),
        ("2016-12-31T23:59:61Z", None),
        ("9999-12-31T24:00:00Z", None),
    ],
)
def test_the_end_of_a_day_and_a_leap_second_are_times(text: str, same: str | None) -> None:
    assert parse_date(text) == parse_date(same)
    assert (parse_date(text) is None) == (same is None)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(
    st.datetimes(
        datetime(1, 1, 2),  # noqa: DTZ001 - the zone is apart
        datetime(9999, 12, 31),  # noqa: DTZ001 - as above
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=-11, minutes=30))]),
    )
)
def test_any_date_comes_back(moment: datetime) -> None:
    expected = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert parse_date(moment.isoformat()) == expected


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(max_size=30))
def test_no_text_makes_parse_date_raise(text: str) -> None:
    parse_date(text)


def test_the_first_segment_of_a_record_is_not_the_whole() -> None:
    header = b"WARC/1.0\r\nContent-Length: 3\r\n"
    assert parse_warc(header + b"WARC-Segment-Number: 1\r\n\r\n").truncated
    assert not parse_warc(header + b"\r\n").truncated
