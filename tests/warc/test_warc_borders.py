"""Records that run over the borders of members, as blockwise compressors leave them."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import re
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Record
from cedar.transforms.warc.gzip_members import GzipMembers
from cedar.transforms.warc.members import FEED, MAGIC_BYTES, FileWindow
from cedar.transforms.warc.records import START_REACH
from cedar.transforms.warc.stream import MemberStream
from tests.helpers.shapes import assert_linear
from tests.warc.warc_samples import (
    arc,
    arc_head,
    frame,
    members,
    packed,
    page,
    pages,
    raw_frame,
    read,
    records,
    skippable,
    split,
    stored,
    warc,
)

COUNT = 40
PARTS = [warc(page(i, 3000), f"http://a.example/{i}") for i in range(COUNT)]
STREAM = b"".join(PARTS)
Pack = Callable[[bytes], bytes]
PACKS: list[Pack] = [packed, stored, frame, raw_frame]


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def holders(pieces: list[bytes], begins: int, ends: int) -> tuple[int, int]:
    """Numbers of the pieces that hold the first and the last byte of [begins, ends) of what they join to."""
    offsets = list(itertools.accumulate(map(len, pieces)))
    return (
        next(i for i, end in enumerate(offsets) if begins < end),
        next(i for i, end in enumerate(offsets) if ends <= end),
    )


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("size", [1, 5, 17, 100, 999, 3400, 20_000])
def test_members_cut_anywhere_join_to_the_records(pack: Pack, size: int) -> None:
    parts = PARTS if size > 20 else pages(3)
    found = records(b"".join(map(pack, cut(b"".join(parts), size))))
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(len(parts))]
    expected = [page(i, 3000 if size > 20 else 400) for i in range(len(parts))]
    assert [r.block for r in found] == expected
    assert not any(r.truncated for r in found)


@pytest.mark.parametrize("pack", [packed, frame])
@pytest.mark.parametrize("size", [1, 7, 61])
def test_arc_records_over_borders(pack: Pack, size: int) -> None:
    data = arc_head() + b"".join(arc(i) for i in range(6))
    found = records(b"".join(map(pack, cut(data, size))))
    assert [r.block for r in found[1:]] == [page(i) for i in range(6)]


@pytest.mark.parametrize("pack", [packed, frame])
def test_offset_and_length_reach_from_the_first_member_to_the_last(pack: Pack) -> None:
    pieces = cut(STREAM, 1000)
    packs = [pack(piece) for piece in pieces]
    ends = list(itertools.accumulate(map(len, packs)))
    begins = list(itertools.accumulate(map(len, PARTS), initial=0))
    for number, record in enumerate(records(b"".join(packs))):
        first, last = holders(pieces, begins[number], begins[number + 1] - 4)
        assert record.location.offset == ends[first] - len(packs[first])
        assert record.location.inner_offset == begins[number] - 1000 * first
        assert record.location.end == ends[last]


def test_a_record_over_borders_is_found_again_by_its_offset_and_length() -> None:
    data = b"".join(map(packed, cut(STREAM, 1000)))
    for record in records(data):
        again, _ = split(read(data[record.location.offset : record.location.end])[0])
        inner = record.location.inner_offset
        assert [r.block for r in again if r.location.inner_offset == inner] == [record.block]


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_members_of_random_sizes_join_to_the_records(seed: int) -> None:
    chance = random.Random(seed)
    sizes = [chance.choice([10, 500, 30_000, 300_000]) for _ in range(6)]
    parts = [warc(page(i, size), f"http://a.example/{i}") for i, size in enumerate(sizes)]
    stream, pack, packs = b"".join(parts), chance.choice(PACKS), b""
    while stream:
        at = chance.randrange(1, chance.choice([30, 3000, 70_000, 400_000]))
        packs += pack(stream[:at]) + (pack(b"") if chance.random() < 0.1 else b"")
        stream = stream[at:]
    found = records(packs)
    assert [r.block for r in found] == [page(i, size) for i, size in enumerate(sizes)]
    assert not any(r.truncated for r in found)


def test_empty_members_padding_and_skippable_frames_do_not_end_a_record() -> None:
    for pack, between in (
        (packed, packed(b"")),
        (packed, b"\0" * 100),
        (frame, skippable(b"xyz")),
        (frame, frame(b"")),
    ):
        pieces = map(pack, cut(b"".join(pages(3)), 150))
        assert [r.block for r in records(between.join(pieces) + between)] == [page(i) for i in range(3)]


def test_the_members_of_a_record_of_its_own_are_its_length() -> None:
    # As the proposal for WARC in Zstandard has it: a record is one frame or more, no frame has two records.
    data = b"".join(frame(part[:1000]) + frame(part[1000:]) for part in PARTS)
    found = records(data)
    assert [r.block for r in found] == [page(i, 3000) for i in range(COUNT)]
    assert [r.location.inner_offset for r in found] == [0] * COUNT
    ends = [r.location.end for r in found]
    assert [r.location.offset for r in found] == [0, *ends[:-1]]


def test_a_member_that_begins_a_record_ends_the_one_before() -> None:
    short = packed(PARTS[1][:1000])
    (first, cut_short, last), _ = read(packed(PARTS[0]) + short + packed(PARTS[2]))
    assert isinstance(cut_short, Record)
    assert cut_short.truncated
    assert page(1, 3000).startswith(cut_short.block)
    assert isinstance(first, Record)
    assert isinstance(last, Record)
    assert (first.block, last.block) == (page(0, 3000), page(2, 3000))
    header = packed(PARTS[1][:100])
    _, (damage,) = split(read(packed(PARTS[0]) + header + packed(PARTS[2]))[0])
    assert (damage.location.offset, damage.location.length) == (len(packed(PARTS[0])), len(header))


def test_a_record_that_is_whole_does_not_go_on() -> None:
    garbage = packed(b"neither header nor block")
    found, (damage,) = split(read(packed(PARTS[0]) + garbage + packed(PARTS[1]))[0])
    assert [r.block for r in found] == [page(0, 3000), page(1, 3000)]
    assert (damage.location.offset, damage.location.length) == (len(packed(PARTS[0])), len(garbage))


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("size", [400, 1000, 7000])
def test_damage_costs_the_records_of_its_member_alone(pack: Pack, size: int) -> None:
    pieces = cut(STREAM, size)
    begins = list(itertools.accumulate(map(len, PARTS), initial=0))
    spans = [holders(pieces, a, b) for a, b in itertools.pairwise(begins)]
    sound = [pack(piece) for piece in pieces]
    for bad in (2, len(pieces) // 2):
        for change in (
            lambda data: data[: len(data) // 2],
            lambda data: b"XX" + data[2:],
            lambda data: data[:-6] + b"\0\0" + data[-4:],
            lambda data: data[: len(data) // 2] + b"\xff" * 30 + data[len(data) // 2 + 30 :],
            lambda _: b"",
        ):
            packs = [*sound[:bad], change(sound[bad]), *sound[bad + 1 :]]
            found, damages = split(read(b"".join(packs))[0])
            urls = {r.url: r.block for r in found if not r.truncated}
            for number, (first, last) in enumerate(spans):
                if not first <= bad <= last:
                    assert urls.get(f"http://a.example/{number}") == page(number, 3000)
            # what is gone without a trace may show in nothing but the lengths
            assert damages or any(r.truncated for r in found) or not change(sound[bad])


def _noise(sizes: list[int]) -> list[bytes]:
    """Records of these sizes that do not shrink."""
    chance = random.Random(5)
    return [warc(chance.randbytes(size), f"http://a.example/{i}") for i, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("aligned", "cut_up", "size", "bad"),
    [
        ([], [2 << 20, *[30_000] * 40], 65_280, 35),
        ([], [30_000] * 200, 1_500_000, 1),
        ([40_000] * 30, [40_000] * 30, 7_000, 1),
        ([40_000] * 30, [40_000] * 30, 7_000, 40),
    ],
    ids=["a large first record", "large members", "after members that begin records", "further on"],
)
def test_damage_costs_no_more_where_the_first_mebibyte_does_not_show_how_members_were_cut(
    aligned: list[int], cut_up: list[int], size: int, bad: int
) -> None:
    parts = _noise(aligned + cut_up)
    packs = [packed(piece) for piece in cut(b"".join(parts[len(aligned) :]), size)]
    packs[bad] = packs[bad][: len(packs[bad]) // 2] + b"\xff" * 50 + packs[bad][len(packs[bad]) // 2 + 50 :]
    data = members(parts[: len(aligned)]) + b"".join(packs)
    found, _ = split(read(data)[0])
    begins = list(itertools.accumulate(map(len, parts[len(aligned) :]), initial=0))
    spans = [(a // size, (b - 1) // size) for a, b in itertools.pairwise(begins)]
    expected = {number for number, (first, last) in enumerate(spans) if not first <= bad <= last}
    urls = {f"http://a.example/{number + len(aligned)}" for number in expected}
    assert urls <= {record.url for record in found if not record.truncated}
    for at in range(len(data) // 7, len(data), len(data) // 7):
        (left, left_end), (right, right_end) = read(data, stop=at), read(data, start=at)
        if left_end.next_offset == right_end.first_offset:
            assert split(left + right)[0] == found


@pytest.mark.parametrize("pack", PACKS)
def test_padding_in_which_a_block_ends_at_a_border_is_its_own(pack: Pack) -> None:
    blocks = [b"a block that ends in blanks" + b" \n\0" * 40, page(1)]
    stream = b"".join(warc(block, f"http://a.example/{i}") for i, block in enumerate(blocks))
    border = stream.index(b" \n\0") + 60
    found = records(pack(stream[:border]) + pack(stream[border:]))
    assert [(r.block, r.truncated) for r in found] == [(block, False) for block in blocks]
    assert found[0].location.end == len(pack(stream[:border]) + pack(stream[border:]))


@pytest.mark.parametrize("pack", PACKS)
def test_a_long_record_that_is_cut_ends_before_a_member_of_padding_and_a_record(pack: Pack) -> None:
    parts = pages(3)
    short = warc(page(0, 300_000), "http://a.example/cut", length=900_000)[:-4]
    found, damages = split(read(pack(short) + b"".join(pack(b"\0\0" + part) for part in parts))[0])
    assert [r.url for r in found] == ["http://a.example/cut", *(f"http://a.example/{i}" for i in range(3))]
    assert [r.truncated for r in found] == [True, False, False, False]
    assert not damages


@pytest.mark.parametrize("size", [1, 4, 5])
@pytest.mark.parametrize("pack", PACKS)
def test_a_first_line_that_a_border_cuts_is_seen_behind_bytes_of_another_record(
    pack: Pack, size: int
) -> None:
    stray = pack(b"words of a block without a line end")
    found, (damage,) = split(read(stray + pack(STREAM[:size]) + pack(STREAM[size:]))[0])
    assert [r.block for r in found] == [page(i, 3000) for i in range(COUNT)]
    assert found[0].location.offset == damage.location.length == len(stray)


@pytest.mark.parametrize("kept", [40, 1000])
@pytest.mark.parametrize("pack", PACKS)
def test_a_record_that_lacks_its_end_leaves_the_one_behind_it_whose_first_line_is_cut(
    pack: Pack, kept: int
) -> None:
    pieces = [PARTS[0][:kept], b"W", b"ARC/", PARTS[1][5:70], PARTS[1][70:], PARTS[2]]
    found, _ = split(read(b"".join(map(pack, pieces)))[0])
    assert [r.block for r in found[-2:]] == [page(1, 3000), page(2, 3000)]
    assert found[-2].location.offset == len(pack(pieces[0]))


@pytest.mark.parametrize("pack", PACKS)
def test_behind_a_damaged_member_a_record_is_found_whose_first_line_is_cut(pack: Pack) -> None:
    bad = bytearray(pack(PARTS[1]))
    bad[-5] ^= 1  # of the checksum
    pieces = [pack(PARTS[0]), bytes(bad), pack(b"WAR"), pack(b""), pack(PARTS[2][3:]), pack(PARTS[3])]
    found, (damage,) = split(read(b"".join(pieces))[0])
    assert [r.url for r in found] == ["http://a.example/0", "http://a.example/2", "http://a.example/3"]
    assert damage.location.length == len(bad)


def test_an_arc_line_that_a_border_cuts_is_seen_behind_bytes_of_another_record() -> None:
    data = b"".join(arc(i) for i in range(3))
    stray = frame(b"words of a block without a line end")
    found, _ = split(read(frame(arc_head()) + stray + frame(data[:3]) + frame(data[3:]))[0])
    assert [r.block for r in found[1:]] == [page(i) for i in range(3)]


def test_of_a_first_line_no_more_is_read_than_a_start_is_known_by() -> None:
    data = stored(b"http:") + stored(b"x") * (3 * START_REACH)
    container = GzipMembers(FileWindow(io.BytesIO(data), len(data)))
    member = container.open(0)
    assert member is not None
    stream = MemberStream(member, container)
    stream.need(START_REACH)
    assert len(stream.buffer) == START_REACH


def test_a_file_cut_in_a_later_member_of_its_last_record_keeps_the_page() -> None:
    data = b"".join(map(packed, cut(STREAM, 1000)))
    (*_, last), _ = read(data[:-200])
    assert isinstance(last, Record)
    assert last.truncated
    assert last.url == f"http://a.example/{COUNT - 1}"
    assert len(last.block) > 1000


def test_a_header_over_the_cap_goes_over_borders() -> None:
    parts = pages(4)
    parts[1] = warc(page(1), "http://a.example/1", more=["X: " + "y" * 200_000])
    found, (damage,) = split(read(b"".join(map(packed, cut(b"".join(parts), 10_000))))[0])
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in (0, 2, 3)]
    assert damage.reason is RejectReason.TOO_LARGE


@pytest.mark.slow
def test_ranges_join_to_the_sequential_read_where_members_begin_records() -> None:
    data = (
        b"".join(map(packed, cut(STREAM, 700))) + members(PARTS[:5]) + b"".join(map(packed, cut(STREAM, 500)))
    )
    whole, _ = read(data)
    assert len(whole) == 2 * COUNT + 5
    for at in range(1, len(data), 1999):
        left, left_end = read(data, stop=at)
        right, right_end = read(data, start=at)
        assert left + right == whole
        assert left_end.next_offset == (right_end.first_offset or right_end.next_offset)


def test_a_large_record_over_borders_stays_flat_in_memory() -> None:
    size = 32 << 20
    head = b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n" % size
    data = packed(head) + packed(b"\0" * (1 << 20)) * 32 + packed(PARTS[0])
    tracemalloc.start()
    found, _ = split(read(data, kinds=frozenset({"response"}))[0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [r.kind for r in found] == ["metadata", "response"]
    assert peak < 8 << 20


@pytest.mark.parametrize("pack", [packed, stored, frame])
@pytest.mark.parametrize(
    "stream",
    [
        lambda size: b"WARC/1.0\r\nContent-Length: 250000\r\n\r\n" + b"x" * size,
        lambda size: b"WARC/1.0\r\nContent-Length: 99999999\r\n\r\n" + b"x" * size,
        lambda size: b"WARC/1.0\r\nX: " + b"x" * size,
        lambda size: b"http:" + b"x" * size,
        lambda size: b"WARC/1.0\r\nContent-Length: 1000\r\n\r\n" * (size // 40),
        lambda size: b"WARC/1.0\r\nContent-Length: 100\r\n\r\n" + b"http:\n" * (size // 6),
    ],
    ids=["block", "long block", "header", "line", "records", "schemes"],
)
def test_time_at_most_trebles_for_each_doubling_of_tiny_members(pack: Pack, stream: Pack) -> None:
    assert_linear(read, lambda size: b"".join(map(pack, cut(stream(size), 7))), 8000)


class _LongMagic(GzipMembers):
    """Gzip members, found by eight bytes."""

    __slots__ = ()
    magic = re.compile(re.escape(gzip.compress(b"x", mtime=0)[:MAGIC_BYTES]))


@pytest.mark.parametrize("offset", [FEED - back for back in range(MAGIC_BYTES + 1)])
def test_a_magic_of_eight_bytes_is_found_over_the_border_of_a_block(offset: int) -> None:
    data = bytes(offset) + gzip.compress(b"a member" * 100, mtime=0)
    container = _LongMagic(FileWindow(io.BytesIO(data), len(data)))
    assert container.find_member(0, len(data)) == offset
