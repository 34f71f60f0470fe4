"""Sound archives: every container form, offsets that find the record again, quirks that are no damage."""

from __future__ import annotations

import io
from collections.abc import Callable
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Location, Record
from cedar.transforms.warc.framing import Framing
from cedar.transforms.warc.members import PIECE
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, read_records
from cedar.transforms.warc.records import START_REACH
from tests.warc.warc_samples import (
    KINDS,
    arc,
    arc_head,
    frame,
    frames,
    members,
    packed,
    page,
    pages,
    read,
    records,
    split,
    stored,
    warc,
)


def plain(parts: list[bytes]) -> bytes:
    return b"".join(parts)


def one_member(parts: list[bytes]) -> bytes:
    return packed(b"".join(parts))


def pairs(parts: list[bytes]) -> bytes:
    return b"".join(packed(b"".join(parts[i : i + 2])) for i in range(0, len(parts), 2))


def uncompressed_members(parts: list[bytes]) -> bytes:
    return b"".join(stored(part) for part in parts)


def pairs_in_frames(parts: list[bytes]) -> bytes:
    return b"".join(frame(b"".join(parts[i : i + 2])) for i in range(0, len(parts), 2))


def one_frame(parts: list[bytes]) -> bytes:
    return frame(b"".join(parts), checksum=False)


CONTAINERS = [
    plain,
    members,
    pairs,
    one_member,
    uncompressed_members,
    frames,
    pairs_in_frames,
    one_frame,
]
Packing = Callable[[list[bytes]], bytes]


@pytest.mark.parametrize("pack", CONTAINERS)
def test_every_container_gives_the_same_records(pack: Packing) -> None:
    found = records(pack(pages(7)))
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(7)]
    assert [r.block for r in found] == [page(i) for i in range(7)]
    assert {(r.kind, r.truncated, r.date) for r in found} == {("response", False, "2024-02-29T12:00:00Z")}
    assert {r.record_id for r in found} == {"urn:uuid:00000000-0000-4000-8000-000000000001"}


@pytest.mark.parametrize("pack", CONTAINERS)
def test_a_record_is_found_again_by_its_offset_and_length(pack: Packing) -> None:
    data = pack([warc(page(i, 30_000), f"http://a.example/{i}") for i in range(24)])
    for record in records(data):
        again, _ = split(read(data[record.location.offset : record.location.end])[0])
        inner = record.location.inner_offset
        assert [r.block for r in again if r.location.inner_offset == inner] == [record.block]


def test_offsets_in_members_of_one_record() -> None:
    parts = pages(3)
    found = records(members(parts))
    sizes = [len(packed(part)) for part in parts]
    assert [(r.location.offset, r.location.length, r.location.inner_offset) for r in found] == [
        (0, sizes[0], 0),
        (sizes[0], sizes[1], 0),
        (sizes[0] + sizes[1], sizes[2], 0),
    ]


def test_offsets_in_members_of_several_records() -> None:
    parts = pages(4)
    data = pairs(parts)
    second = len(packed(parts[0] + parts[1]))
    found = records(data)
    assert [(r.location.offset, r.location.inner_offset) for r in found] == [
        (0, 0),
        (0, len(parts[0])),
        (second, 0),
        (second, len(parts[2])),
    ]
    assert [found[1].location.length, found[3].location.length] == [second, len(data) - second]


def test_length_in_plain_files_is_header_and_block() -> None:
    parts = pages(3)
    found = records(b"".join(parts))
    assert [r.location.offset for r in found] == [0, len(parts[0]), len(parts[0]) + len(parts[1])]
    assert [r.location.length for r in found] == [len(part) - 4 for part in parts]
    assert [r.location.inner_offset for r in found] == [0, 0, 0]


@pytest.mark.parametrize("flags", [1, 2, 4, 8, 16, 4 | 8, 31])
def test_gzip_headers_with_every_optional_field(flags: int) -> None:
    part = pages(1)[0]
    member = packed(part)
    extra = (b"\x05\0" + b"sl\1\0x" if flags & 4 else b"") + (b"name\0" if flags & 8 else b"")
    extra += (b"comment\0" if flags & 16 else b"") + (b"\0\0" if flags & 2 else b"")
    member = member[:3] + bytes([flags]) + member[4:10] + extra + member[10:]
    filler = packed(warc(bytes(range(256)) * 255, kind="metadata"))
    assert [r.url for r in records(member * 3, kinds=KINDS)] == ["http://a.example/0"] * 3
    assert len(records((filler + member) * 200)) == 400


def test_padding_between_members_and_records_is_no_damage() -> None:
    parts = pages(3)
    for padding in (b"", b"\r\n", b"\0" * 9000, b" \t\r\n\0\n" * 20_000):
        assert len(records(padding + padding.join(map(packed, parts)) + padding)) == 3
        assert len(records(padding + padding.join(parts) + padding)) == 3
        assert len(records(packed(padding + padding.join(parts) + padding))) == 3


def test_empty_members_are_passed_over() -> None:
    first, second = map(packed, pages(2))
    empty = packed(b"")
    assert [r.location.offset for r in records(empty + first + empty * 3 + second + empty)] == [
        20,
        20 + len(first) + 60,
    ]


def test_line_ends_of_lf_only() -> None:
    parts = [warc(page(i), f"http://a.example/{i}", eol="\n").rstrip() + b"\n\n\n" for i in range(4)]
    for data in (b"".join(parts), members(parts), packed(b"".join(parts))):
        assert [len(r.block) for r in records(data)] == [len(page(i)) for i in range(4)]


def test_records_without_closing_line_ends() -> None:
    parts = [part[:-4] for part in pages(4)]
    for data in (b"".join(parts), members(parts), packed(b"".join(parts))):
        assert [r.block for r in records(data)] == [page(i) for i in range(4)]


def test_wanted_kinds_only_have_blocks() -> None:
    data = members(
        [warc(b"x: y\r\n", kind="warcinfo"), *pages(1), warc(b"GET", kind="Request"), warc(b"z", kind=None)]
    )
    found = records(data, kinds=frozenset({"response"}))
    assert [(r.kind, bool(r.block)) for r in found] == [
        ("warcinfo", False),
        ("response", True),
        ("request", False),
        ("", False),
    ]
    assert [r.truncated for r in found] == [False] * 4


def test_a_missing_url_is_none() -> None:
    assert [r.url for r in records(members([warc(page(0), None), *pages(1)]))] == [None, "http://a.example/0"]


def test_warc_truncated_marks_the_record() -> None:
    assert records(members([warc(page(0), more=["WARC-Truncated: length"])]))[0].truncated


@pytest.mark.parametrize("length", ["", "-7", "many"])
@pytest.mark.parametrize("pack", CONTAINERS)
def test_without_a_length_the_block_ends_at_the_next_record(pack: Packing, length: str) -> None:
    parts = pages(6)
    parts[2] = warc(page(2), "http://a.example/2", length=length)
    parts[5] = warc(page(5), "http://a.example/5", length=length)
    found = records(pack(parts))
    assert [r.block for r in found] == [page(i) for i in range(6)]
    assert [i for i, r in enumerate(found) if r.truncated] == [2, 5]


@pytest.mark.parametrize("size", [5_000, 300_000, 3_000_000])
@pytest.mark.parametrize("pack", CONTAINERS)
def test_blocks_over_the_cap_keep_their_beginning(pack: Packing, size: int) -> None:
    parts = [*pages(1), warc(page(1, size)), *pages(1)]
    found = records(pack(parts), max_block=4_000)
    assert [len(r.block) for r in found] == [len(page(0)), 4_000, len(page(0))]
    assert found[1].block == page(1, size)[:4_000]
    assert [r.truncated for r in found] == [False, True, False]


@pytest.mark.parametrize(
    "before_the_end", [0, 1, 100, START_REACH + 200, 2 * START_REACH - 1, 2 * START_REACH]
)
@pytest.mark.parametrize("pack", [plain, one_member])
def test_a_record_is_found_behind_an_empty_one_of_no_length_wherever_a_piece_ends(
    pack: Packing, before_the_end: int
) -> None:
    lengthless = warc(b"", "http://empty.example/", length="")[:-4]
    at = PIECE - before_the_end - len(lengthless)
    filler = warc(b"x" * (at - len(warc(b"", length=100_000))), "http://a.example/")
    assert len(filler) == at
    found = records(pack([filler, lengthless, *pages(20)]))
    assert [r.url for r in found[1:]] == [
        "http://empty.example/",
        *(f"http://a.example/{i}" for i in range(20)),
    ]
    assert found[1].block == b""


@pytest.mark.slow
def test_blocks_larger_than_what_is_held_in_hand() -> None:
    large = [page(i, 1_000_000) for i in range(3)]
    for pack in CONTAINERS:
        assert [r.block for r in records(pack([warc(block) for block in large]))] == large


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("pack", CONTAINERS)
def test_arc_files(pack: Packing, version: int) -> None:
    found = records(pack([arc_head(), *(arc(i, version=version) for i in range(5))]))
    assert [r.kind for r in found] == ["warcinfo"] + ["response"] * 5
    assert found[0].block.startswith(b"1 0 InternetArchive\nURL ")
    assert [r.block for r in found[1:]] == [page(i) for i in range(5)]
    assert {(r.content_type, r.date, r.record_id) for r in found[1:]} == {
        ("application/http; msgtype=response", "20080430204825", None)
    }


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    blocks=st.lists(st.binary(max_size=600).filter(lambda b: b"WARC/" not in b), min_size=1, max_size=8),
    grouping=st.sampled_from([1, 2, 3, 99]),
    level=st.sampled_from([0, 6, None]),
    eol=st.sampled_from(["\n", "\r\n"]),
    padding=st.sampled_from([b"", b"\r\n", b"\0\0"]),
)
def test_random_records_come_back_in_any_container(
    blocks: list[bytes], grouping: int, level: int | None, eol: str, padding: bytes
) -> None:
    parts = [warc(block, f"http://a.example/{i}", eol=eol) for i, block in enumerate(blocks)]
    groups = [b"".join(parts[i : i + grouping]) for i in range(0, len(parts), grouping)]
    data = padding.join(group if level is None else packed(group, level) for group in groups)
    found = records(data)
    assert [(r.url, r.block, r.truncated) for r in found] == [
        (f"http://a.example/{i}", block, False) for i, block in enumerate(blocks)
    ]
    for record in found:
        again, _ = split(read(data[record.location.offset : record.location.end])[0])
        assert (record.url, record.block) in [(r.url, r.block) for r in again]


@pytest.mark.parametrize("pack", CONTAINERS)
def test_ranges_join_to_the_sequential_read(pack: Packing) -> None:
    data = pack([*pages(5), warc(b"x: y", kind="warcinfo"), *pages(3)])
    whole, whole_end = read(data)
    for cut in range(1, len(data), 97):
        left, left_end = read(data, stop=cut)
        right, right_end = read(data, start=cut)
        assert left + right == whole
        assert all(item.location.offset < cut for item in left)
        assert left_end.next_offset == (right_end.first_offset or len(data))
        assert right_end.next_offset == whole_end.next_offset == len(data)


def test_warcio_reads_the_same_from_a_file_of_its_own() -> None:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    writer.write_record(writer.create_warcinfo_record("a.warc.gz", {"software": "x"}))
    http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    for i in range(9):
        body = io.BytesIO(page(i, 3000 * i))
        writer.write_record(
            writer.create_warc_record(f"http://a.example/{i}", "response", body, http_headers=http)
        )
    found = records(out.getvalue())
    expected = []
    iterator = ArchiveIterator(io.BytesIO(out.getvalue()), no_record_parse=True)
    for record in iterator:
        block = record.raw_stream.read()
        expected.append(
            (
                record.rec_type,
                record.rec_headers["WARC-Target-URI"],
                f"<{record.rec_headers['WARC-Record-ID'].strip('<>')}>",
                record.rec_headers["WARC-Date"],
                block,
                iterator.get_record_offset(),
                iterator.get_record_length(),
            )
        )
    assert [
        (r.kind, r.url, f"<{r.record_id}>", r.date, r.block, r.location.offset, r.location.length)
        for r in found
    ] == expected


def test_the_source_and_the_shard_stand_in_every_record() -> None:
    data = members(pages(2))
    found = list(read_records(io.BytesIO(data), FileRange(source="x.warc.gz", size=len(data), shard="x-0")))
    assert [(r.location.source, r.location.shard) for r in found if isinstance(r, Record)] == [
        ("x.warc.gz", "x-0")
    ] * 2
    assert found[-1] == ReadEnd(0, len(data), 2, len(data))


@pytest.mark.parametrize(
    "data",
    [
        b"\x04\x22\x4d\x18d@" + plain(pages(3)),
        b"<html>\n" + page(1),
        packed(page(1)),
        packed(page(1)) * 9,
        b"\0" * 5000,
        b"\x1f\x8b",
        b"x",
    ],
)
def test_a_file_without_a_record_is_no_archive(data: bytes) -> None:
    (item,), end = read(data)
    assert isinstance(item, Damage)
    assert (item.reason, item.location.offset, item.location.length) == (
        RejectReason.NOT_AN_ARCHIVE,
        0,
        len(data),
    )
    assert end.next_offset == len(data)


def test_an_empty_file_is_no_archive() -> None:
    assert read(b"")[0] == [Damage(Location("", "s", 0, 0), None, RejectReason.NOT_AN_ARCHIVE, "empty file")]


def test_a_file_that_ends_early_is_a_fault() -> None:
    data = members(pages(4))
    with pytest.raises(OSError, match="ends at byte"):
        list(read_records(io.BytesIO(data[:-50]), FileRange(source="s", size=len(data))))


def test_errors_of_the_file_pass_through() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise PermissionError("no")

    with pytest.raises(PermissionError):
        list(read_records(Failing(), FileRange(source="s", size=10)))


def test_files_that_read_less_than_asked_for_read_the_same() -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(min(size or 0, 777))

    data = members(pages(5, 3000))
    items = list(read_records(Slow(data), FileRange(source="s", size=len(data)), kinds=KINDS))
    assert items[:-1] == read(data)[0]


def test_a_record_that_fills_its_member_is_framed_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(members(pages(3)))
    monkeypatch.delattr(Framing, "frame")
    assert read(members(pages(3))) == expected
    assert len(expected[0]) == 3


_ODD = (
    b"WARC/1.0\r\n",
    b"\r\n",
    b"\n",
    b"Content-Length: 3\r\n",
    b"WARC-Type: response\r\n",
    b"abc",
    b" ",
    b"\0",
)


@given(st.lists(st.lists(st.sampled_from(_ODD), max_size=12).map(b"".join), min_size=1, max_size=3))
def test_what_is_framed_in_one_step_is_what_closer_looks_give(parts: list[bytes]) -> None:
    data = members([warc(b"x" * 9), *parts, *(part + b"\r\n\r\n" for part in parts)])
    at_once = read(data)
    with mock.patch.object(Framing, "frame_whole_member", return_value=None):
        assert at_once == read(data)


@pytest.mark.parametrize("outer", [packed, frame])
@pytest.mark.parametrize("inner", [packed, frame])
def test_an_archive_that_is_compressed_twice_is_called_so(
    outer: Callable[[bytes], bytes], inner: Callable[[bytes], bytes]
) -> None:
    (damage,), _ = read(outer(inner(pages(1)[0])))
    assert isinstance(damage, Damage)
    assert damage.reason is RejectReason.NOT_AN_ARCHIVE
    assert "twice" in damage.detail
