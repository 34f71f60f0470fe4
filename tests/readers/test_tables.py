"""Parquet and JSON lines with a column of HTML: every row is a record or a damage, in whatever ranges."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.model.books import RejectedError, RejectReason
from cedar.transforms.model.records import Record
from cedar.transforms.readers.choices import InputOptions, ReadOptions
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.readers.records import from_html
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd
from tests.readers.tables import Row, in_ranges, items, json_lines, places, read, rows, without_place


def parquet(pages: list[Row], group: int = 10, **columns: object) -> bytes:
    table = pa.Table.from_pylist([page._asdict() for page in pages])
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values))
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=group)
    return sink.getvalue()


def of_values(**values: object) -> bytes:
    """A Parquet file of one row."""
    sink = io.BytesIO()
    pq.write_table(pa.table({name: [value] for name, value in values.items()}), sink)
    return sink.getvalue()


def only(name: str, data: bytes, **choices: str) -> Record:
    (record, _) = read(name, data, options=ReadOptions(choices=InputOptions(**choices)))
    assert isinstance(record, Record)
    return record


def test_rows_are_records_with_their_values_in_order() -> None:
    pages = rows(25)
    found = items("a.parquet", parquet(pages))
    assert [record.url for record in found] == [page.url for page in pages]
    assert [record.block for record in found if isinstance(record, Record)] == [page.html for page in pages]
    first = found[0]
    assert isinstance(first, Record)
    assert (first.content_type, first.status, first.location.inner_offset) == (pages[0].content_type, None, 0)
    page = decode_record(first, PageFilter())
    assert (page.fetched_at, page.status, page.media_type) == (pages[0].fetched_at, None, "text/html")


def test_a_line_is_the_same_record_as_the_row_of_text_plain_and_packed() -> None:
    pages = [page for page in rows(40) if page.html.isascii() or b"\xc3" in page.html]
    data = json_lines(pages)
    plain = items("a.jsonl", data)
    text = [page._replace(html=page.html.decode("utf-8", "replace")) for page in pages]  # type: ignore[arg-type]
    rows_of_text = items("a.parquet", parquet(text))
    packed = items("a.jsonl.gz", gzip.compress(data)), items("a.jsonl.zst", zstandard.compress(data))
    for other in (rows_of_text, *packed):
        assert [without_place(record) for record in other] == [without_place(record) for record in plain]
    for record in plain:
        line = json.loads(data[record.location.offset : record.location.end])
        assert line["url"] == record.url


@given(step=st.integers(1, 60_000))
def test_lines_in_ranges_are_those_of_the_whole_file(step: int) -> None:
    data = b"\n  \n" + json_lines(rows(12)) + b"broken\n\n" + json_lines(rows(3)).rstrip(b"\n")
    step = max(step, 40)
    assert places(list(in_ranges("a.jsonl", data, step))) == places(items("a.jsonl", data))


@given(step=st.integers(300, 60_000))
def test_row_groups_in_ranges_are_those_of_the_whole_file(step: int) -> None:
    data = parquet(rows(30), group=4)
    assert places(list(in_ranges("a.parquet", data, step))) == places(items("a.parquet", data))


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[1]",
        b"3",
        b'{"html": 1, "url": "u"}',
        b'{"html": ["a"], "url": "u"}',
        b"[" * 100_000,
        b'{"html": "a", "url": "' + b"\xff" * 9 + b'"}',
        b"1" * 5000,
    ],
)
def test_a_line_that_is_no_row_is_damage_and_costs_no_other(line: bytes) -> None:
    good = json_lines(rows(3))
    before, damage, *after = items("a.jsonl", good[: good.index(b"\n") + 1] + line + b"\n" + good)
    assert isinstance(damage, Damage)
    assert damage.reason is RejectReason.DAMAGED_RECORD
    assert damage.location.length == len(line) + 1
    assert [r.url for r in (before, *after)] == [f"https://crawl.example/{n}" for n in (0, 0, 1, 2)]


def test_a_line_longer_than_a_range_is_read_by_the_range_that_it_starts_in() -> None:
    data = (
        json_lines(rows(2))
        + b'{"html": "'
        + b"x" * 3_000_000
        + b'"}\n'
        + b"\n" * 300_000
        + json_lines(rows(1))
    )
    whole = items("a.jsonl", data)
    assert [item.location for item in in_ranges("a.jsonl", data, 100_000)] == [
        item.location for item in whole
    ]
    *_, end = read("a.jsonl", data, start=1_000_000, stop=1_100_000)
    assert isinstance(end, ReadEnd)
    assert end.bytes_in < 500_000


def test_a_line_over_the_bound_is_too_large_and_is_not_held() -> None:
    good = json_lines(rows(2))
    options = ReadOptions(max_body=4 << 10)
    data = good + b'{"html": "' + b"x" * 300_000 + b'"}\n' + good
    *found, end = read("a.jsonl", data, options=options)
    assert [type(item) for item in found] == [Record, Record, Damage, Record, Record]
    assert isinstance(found[2], Damage)
    assert (found[2].reason, found[2].location.length) == (RejectReason.TOO_LARGE, 300_013)
    assert isinstance(end, ReadEnd)
    assert end.next_offset == len(data)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_packed_file_that_is_cut_ends_in_damage(pack: type[bytes]) -> None:
    name = "a.jsonl.gz" if pack is gzip.compress else "a.jsonl.zst"
    random.seed(3)
    pages = [page._replace(html=random.randbytes(2000).hex().encode()) for page in rows(500)]
    data = pack(json_lines(pages))
    *found, damage = items(name, data[: len(data) // 2])
    assert isinstance(damage, Damage)
    assert damage.reason is RejectReason.DAMAGED_MEMBER
    assert 50 < len(found) < 450
    assert found[0].url == pages[0].url


def test_a_row_group_that_is_damaged_costs_its_own_rows_alone() -> None:
    pages = rows(40)
    data = bytearray(parquet(pages, group=10))
    column = pq.ParquetFile(io.BytesIO(data)).metadata.row_group(1).column(1)
    start = column.dictionary_page_offset or column.data_page_offset
    data[start : start + 60] = b"\xff" * 60
    found = items("a.parquet", bytes(data))
    urls = [record.url for record in found if isinstance(record, Record)]
    assert urls == [page.url for page in (*pages[:10], *pages[20:])]
    (damage,) = (item for item in found if isinstance(item, Damage))
    assert damage.reason is RejectReason.DAMAGED_RECORD
    assert "10 rows of row group 1" in damage.detail


def test_damage_anywhere_in_a_file_never_loses_a_row_in_silence() -> None:
    rng = random.Random(7)
    whole = parquet(rows(30), group=10)
    read_files = 0
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        try:
            found = items("a.parquet", bytes(data))
        except OSError:
            continue  # no footer: the file is named, nothing of it is committed
        read_files += 1
        kept = sum(isinstance(item, Record) for item in found)
        lost = sum(
            int(item.detail.split()[0])
            for item in found
            if isinstance(item, Damage) and "rows" in item.detail
        )
        odd = sum("rows" not in item.detail for item in found if isinstance(item, Damage))
        assert kept + lost + odd == 30
    assert read_files > 50


@pytest.mark.parametrize("cut", [0, 3, 100, -1])
def test_a_parquet_file_without_its_footer_is_a_fault(cut: int) -> None:
    data = parquet(rows(10))[:cut]
    with pytest.raises(OSError, match="not a whole Parquet file"):
        read("a.parquet", data)


class _FailingFile(io.BytesIO):
    """Fails once it has given some bytes."""

    left = 20_000

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.left -= len(data)
        if self.left < 0:
            raise OSError("the disk is gone")
        return data


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", "a.jsonl.gz"])
def test_a_fault_of_the_disk_is_no_damage(name: str) -> None:
    random.seed(3)
    pages = [page._replace(html=random.randbytes(20_000).hex().encode()) for page in rows(60)]
    data = parquet(pages) if name == "a.parquet" else json_lines(pages)
    data = gzip.compress(data) if name.endswith(".gz") else data
    span = FileRange(source=name, size=len(data))
    with pytest.raises(OSError, match="the disk is gone"):
        list(kind_of(name).read(_FailingFile(data), span, ReadOptions()))


def test_text_is_utf8_whatever_page_and_label_say() -> None:
    marked = "<html><head><meta charset='gbk'></head><p>Überfluß \x1b naïve</p></html>"
    wide = "".join(f"{letter}\0" for letter in "<html><body><p>as if it were UTF-16</p></body></html>")
    for text in (marked, wide):
        for name, data in _text_of_html(text):
            page = decode_record(only(name, data), PageFilter())
            assert (page.html.decode(), page.charset, page.replaced) == (text, "utf-8", 0)
    page = decode_record(from_html("https://sea.example/", wide), PageFilter())
    assert (page.html.decode(), page.charset) == (wide, "utf-8")


def test_a_column_of_html_is_html_by_its_name_whether_it_holds_text_or_bytes() -> None:
    for html in ("just words", "<section><p>a</p></section>"):
        for value in (html, html.encode()):
            for content_type in (None, ""):
                row = only("a.parquet", of_values(html=value, url="u", content_type=content_type))
                assert decode_record(row, PageFilter()).media_type == "text/html"
    for value, content_type in ((b"%PDF-1.7", None), (b"just words", "text/plain"), ("words", "text/plain")):
        with pytest.raises(RejectedError, match="media_type"):
            decode_record(
                only("a.parquet", of_values(html=value, url="u", content_type=content_type)), PageFilter()
            )


def test_an_array_of_rows_is_told_by_its_name() -> None:
    damage, end = read("a.jsonl", b'[{"url": "u", "html": "<p>a"}]')
    assert isinstance(damage, Damage)
    assert damage.detail.startswith("an array, not one object a line: ")
    assert isinstance(end, ReadEnd)


def _text_of_html(html: str) -> tuple[tuple[str, bytes], ...]:
    return (
        ("a.parquet", of_values(html=html, url="u", content_type="text/html; charset=gbk")),
        (
            "a.jsonl",
            json.dumps({"html": html, "url": "u", "content_type": "text/html; charset=gbk"}).encode(),
        ),
    )


def test_surrogates_in_json_become_replacement_characters() -> None:
    record = only("a.jsonl", rb'{"url": "u", "html": "<p>a\ud83d b\ude00</p>"}')
    assert record.block == "<p>a\ufffd b\ufffd</p>".encode()
    line = rb'{"url": "u\ud83d", "html": "<p>a", "timestamp": "\ude00", "content_type": "text/html\ud83d"}'
    page = only("a.jsonl", line)
    assert (page.url, page.date) == ("u\ufffd", "\ufffd")


@pytest.mark.parametrize(
    ("value", "microseconds"),
    [
        ("2026-01-31T12:00:00Z", 1_769_860_800_000_000),
        ("2026-01-31 13:00:00+01:00", 1_769_860_800_000_000),
        ("20260131120000", 1_769_860_800_000_000),
        (1_769_860_800, 1_769_860_800_000_000),
        (1_769_860_800_123, 1_769_860_800_123_000),
        (1_769_860_800.5, 1_769_860_800_500_000),
        ("yesterday", None),
        (float("inf"), None),
        (10**400, None),
        (10**30, None),
        (-1e30, None),
        (float("nan"), None),
        (1_769_860_800_123_456_789, 1_769_860_800_123_457),
        (20260131120000, 1_769_860_800_000_000),
        (20260131120000.0, 1_769_860_800_000_000),
        (20260131, 1_769_817_600_000_000),
        (20261331, 20_261_331_000_000),  # no date: seconds
        (18991231, 18_991_231_000_000),
        (None, None),
        ([1], None),
    ],
)
def test_dates_are_read_as_they_come(value: object, microseconds: int | None) -> None:
    data = json.dumps({"url": "u", "html": "<p>a</p>", "timestamp": value}).encode()
    assert decode_record(only("a.jsonl", data), PageFilter()).fetched_at == microseconds


def test_times_of_parquet_beyond_a_calendar_are_null_and_none_wraps() -> None:
    years = [datetime(year, 6, 1, 12) for year in (1000, 1969, 2026, 3000, 9999)]  # noqa: DTZ001 - as Parquet has it
    sink = io.BytesIO()
    table = {"url": ["u"] * 5, "html": ["<p>a</p>"] * 5, "date": pa.array(years, pa.timestamp("us"))}
    pq.write_table(pa.table(table), sink, use_deprecated_int96_timestamps=True)
    found = [
        decode_record(r, PageFilter()) for r in items("a.parquet", sink.getvalue()) if isinstance(r, Record)
    ]
    expected = [year.replace(tzinfo=UTC) for year in years]
    assert [
        datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=page.fetched_at or 0) for page in found
    ] == expected
    for unit, number in (("ms", 2**62), ("us", 2**62), ("ms", -(2**62))):
        sink = io.BytesIO()
        table = {
            "url": ["u"],
            "html": ["<p>a</p>"],
            "date": pa.array([number], pa.int64()).cast(pa.timestamp(unit)),
        }
        pq.write_table(pa.table(table), sink, version="2.6", store_schema=True)
        assert decode_record(only("a.parquet", sink.getvalue()), PageFilter()).fetched_at is None


def test_an_integer_of_thousands_of_digits_costs_no_line() -> None:
    line = '{"url": "u", "html": "<p>a</p>", "size": ' + "9" * 5000 + "}"
    assert decode_record(only("a.jsonl", line.encode()), PageFilter()).url == "u"


def test_times_of_parquet_have_their_units_and_zones() -> None:
    for kind in (pa.timestamp("s"), pa.timestamp("ns", "Europe/Oslo"), pa.timestamp("us", "UTC")):
        table = {
            "url": ["u"],
            "html": ["<p>a</p>"],
            "date": pa.array([1_769_860_800], pa.timestamp("s")).cast(kind),
        }
        sink = io.BytesIO()
        pq.write_table(pa.table(table), sink)
        page = decode_record(only("a.parquet", sink.getvalue()), PageFilter())
        assert page.fetched_at == 1_769_860_800_000_000


@pytest.mark.parametrize(
    ("status", "is_page"), [(200, True), ("200", True), (404, False), (None, True), ("?", True)]
)
def test_status_is_asked_for_where_there_is_one(status: object, is_page: bool) -> None:
    record = only("a.jsonl", json.dumps({"url": "u", "html": "<p>a</p>", "status_code": status}).encode())
    if is_page:
        assert decode_record(record, PageFilter()).html == b"<p>a</p>"
    else:
        with pytest.raises(RejectedError, match="status: 404"):
            decode_record(record, PageFilter())


def test_nothing_where_html_or_url_should_be_is_rejected_by_name() -> None:
    data = (
        b'{"url": "u", "html": null}\n{"url": null, "html": "<p>a</p>"}\n{"url": "u", "html": "<p>a</p>"}\n'
    )
    reasons = []
    for record in items("a.jsonl", data):
        assert isinstance(record, Record)
        try:
            decode_record(record, PageFilter())
        except RejectedError as error:
            reasons.append(error.reason)
    assert reasons == [RejectReason.EMPTY_BODY, RejectReason.NO_URL]


def test_two_columns_of_the_name_that_is_chosen_are_refused() -> None:
    texts, urls = pa.array(["<p>a</p>"]), pa.array(["u"])
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([texts, texts, urls], ["html", "html", "url"]), sink)
    with pytest.raises(OSError, match="more than one column html: rename one"):
        only("a.parquet", sink.getvalue())
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([texts, urls, urls], ["html", "url", "other"]), sink)
    assert only("a.parquet", sink.getvalue()).url == "u"


def test_columns_are_found_by_their_usual_names_or_named() -> None:
    data = of_values(raw_html=b"<p>a</p>", uri="u", page=b"<p>b</p>", link="v")
    assert only("a.parquet", data).block == b"<p>a</p>"
    named = only("a.parquet", data, html_column="page", url_column="link")
    assert (named.block, named.url) == (b"<p>b</p>", "v")
    with pytest.raises(OSError, match="no column nothing, but raw_html, uri, page, link: give --html-column"):
        only("a.parquet", data, html_column="nothing")
    with pytest.raises(OSError, match="no column url or uri or target_uri, but html: give --url-column"):
        only("a.jsonl", b'{"html": "a"}')


def test_all_columns_that_are_missing_are_named_at_once() -> None:
    wanted = "no column html or raw_html or content or body, nor url or uri or target_uri, nor code, but HTML"
    with pytest.raises(OSError, match=wanted) as caught:
        only("a.parquet", of_values(HTML="<p>a", Url="u"), status_column="code")
    options = ": give --html-column and --url-column and --status-column"
    assert str(caught.value).endswith(f", but HTML, Url{options}")


@pytest.mark.parametrize("line", [{"url": "u", "html": 7}, {"url": "u", "id": 7}])
def test_a_line_without_html_is_told_by_its_url(line: dict[str, object]) -> None:
    data = json.dumps({"url": "other", "html": "<p>a"}) + "\n" + json.dumps(line)
    _, lost = items("a.jsonl", data.encode())
    assert isinstance(lost, Damage)
    assert lost.url == "u"


def test_columns_in_dictionaries_are_read() -> None:
    table = pa.table({"html": pa.array(["<p>a</p>"] * 3).dictionary_encode(), "url": ["u"] * 3})
    sink = io.BytesIO()
    pq.write_table(table, sink)
    assert [r.block for r in items("a.parquet", sink.getvalue()) if isinstance(r, Record)] == [
        b"<p>a</p>"
    ] * 3


def test_html_over_the_cap_is_cut_and_told_so() -> None:
    options = ReadOptions(max_body=64 << 10)
    html = "<p>" + "x" * 200_000
    for name, data in (
        ("a.parquet", of_values(html=html, url="u")),
        ("a.jsonl", json.dumps({"html": html, "url": "u"}).encode()),
    ):
        record, _ = read(name, data, options=options)
        assert isinstance(record, Record)
        page = decode_record(record, PageFilter(), options.max_body)
        assert (page.truncated, page.html_bytes) == (True, 64 << 10)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_damaged_member_costs_its_own_lines_alone(pack: Callable[[bytes], bytes]) -> None:
    parts = [json_lines(rows(30)[at : at + 10]) for at in (0, 10, 20)]
    packed = [pack(part) for part in parts]
    broken = bytearray(packed[1])
    broken[len(broken) // 2 : len(broken) // 2 + 4] = b"\xff\0\xff\0"
    found = items("a.jsonl", packed[0] + bytes(broken) + packed[2])
    urls = [item.url for item in found if isinstance(item, Record)]
    assert urls[:10] == [row.url for row in rows(10)]
    assert urls[-10:] == [row.url for row in rows(30)[20:]]
    assert [item.reason for item in found if isinstance(item, Damage)][-1] is RejectReason.DAMAGED_MEMBER
    cut = items("a.jsonl", packed[0] + packed[1][: len(packed[1]) // 2])
    assert [item.url for item in cut if isinstance(item, Record)][:10] == urls[:10]
    assert isinstance(cut[-1], Damage)


def test_each_object_says_by_its_own_names_what_its_fields_are() -> None:
    lines = [
        {"url": "http://a.example/0", "html": "<p>a"},
        {"uri": "http://a.example/1", "body": "<p>b", "status": 404, "timestamp": "2026-01-02T03:04:05Z"},
        {"id": 7},
        {"url": "http://a.example/3", "html": "<p>c", "code": 500},
    ]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    first, second, none, last = items("a.jsonl", data)
    assert isinstance(second, Record)
    assert (first.url, second.url, second.block, second.status, second.date) == (
        "http://a.example/0", "http://a.example/1", b"<p>b", 404, "2026-01-02T03:04:05Z",
    )  # fmt: skip
    assert isinstance(none, Damage)
    assert none.detail.startswith("no column html or raw_html or content or body, nor url or uri or")
    *named, _ = read("a.jsonl", data, options=ReadOptions(choices=InputOptions(status_column="code")))
    assert [getattr(item, "status", None) for item in named] == [None, None, None, 500]
    assert isinstance(last, Record)
    with pytest.raises(OSError, match="no column nowhere"):
        read("a.jsonl", data, options=ReadOptions(choices=InputOptions(status_column="nowhere")))
    with pytest.raises(OSError, match="no column html"):
        read("a.jsonl", b'{"id": 1}\n{"id": 2}\n')
