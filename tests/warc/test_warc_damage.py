"""Damaged archives: nothing raises, nothing is lost silently, and what is sound comes back as it was."""

from __future__ import annotations

import contextlib
import random
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Location, Record
from cedar.transforms.warc.reader import Damage
from cedar.transforms.warc.records import MAX_HEADER
from tests.warc.warc_samples import (
    frame,
    members,
    overwritten,
    packed,
    page,
    pages,
    read,
    records,
    split,
    stored,
    warc,
)

COUNT = 9
BAD = 4
PARTS = [warc(page(i, 20_000), f"http://a.example/{i}") for i in range(COUNT)]
PACKED = [packed(part) for part in PARTS]


def with_bad(member: bytes) -> tuple[bytes, int]:
    """The file with its fifth member replaced, and where that begins."""
    return b"".join([*PACKED[:BAD], member, *PACKED[BAD + 1 :]]), sum(map(len, PACKED[:BAD]))


def assert_others_intact(found: list[Record]) -> None:
    sound = [(f"http://a.example/{i}", page(i, 20_000)) for i in range(COUNT) if i != BAD]
    assert [(r.url, r.block) for r in found if not r.truncated] == sound


@pytest.mark.parametrize(
    "member",
    [
        PACKED[BAD][: len(PACKED[BAD]) // 2],
        overwritten(PACKED[BAD], len(PACKED[BAD]) // 2, b"\xff" * 48),
        overwritten(PACKED[BAD], len(PACKED[BAD]) // 2, b"\0" * 48),
        overwritten(PACKED[BAD], len(PACKED[BAD]) - 8, b"\xde\xad\xbe\xef"),
        overwritten(PACKED[BAD], len(PACKED[BAD]) - 4, b"\xde\xad\xbe\xef"),
        PACKED[BAD][:-3],
        overwritten(stored(PARTS[BAD]), 5000, b"X" * 50),
    ],
    ids=["cut", "ones", "zeros", "checksum", "size", "trailer", "stored"],
)
def test_a_damaged_member_costs_itself_alone(member: bytes) -> None:
    data, at = with_bad(member)
    found, damages = split(read(data)[0])
    assert_others_intact(found)
    assert damages == [
        Damage(
            Location("", "s", at, len(member)),
            f"http://a.example/{BAD}",
            RejectReason.DAMAGED_MEMBER,
            damages[0].detail,
        )
    ]


@pytest.mark.parametrize("what", [b"\0\0", b"XXXX", b"\x1f\x8b\x08\xe0", b"\x1f\x8b\x07\0"])
def test_a_member_without_its_magic_is_a_stretch_without_a_record(what: bytes) -> None:
    data, at = with_bad(overwritten(PACKED[BAD], 0, what))
    found, (damage,) = split(read(data)[0])
    assert_others_intact(found)
    assert damage.reason is RejectReason.DAMAGED_RECORD
    assert damage.location.end == at + len(PACKED[BAD])
    assert damage.location.offset <= at + 2


@pytest.mark.slow
@settings(max_examples=80, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_damage_inside_a_member_leaves_all_others_identical(seed: int) -> None:
    chance = random.Random(seed)
    member = bytearray(PACKED[BAD])
    for _ in range(chance.choice([1, 1, 2, 50])):
        member[chance.randrange(len(member))] ^= 1 << chance.randrange(8)
    if chance.random() < 0.3:
        del member[chance.randrange(len(member)) :]
    items, _ = read(with_bad(bytes(member))[0])
    found, damages = split(items)
    others = [r for r in found if r.url != f"http://a.example/{BAD}"]
    assert [(r.url, r.block) for r in others] == [
        (f"http://a.example/{i}", page(i, 20_000)) for i in range(COUNT) if i != BAD
    ]
    # harmless bits (the time in the gzip header) leave the record as it was; all else is one damage
    bad = [r for r in found if r.url == f"http://a.example/{BAD}"]
    assert [r.block for r in bad] == [page(BAD, 20_000)] * len(bad)
    assert len(bad) + len(damages) == 1


@pytest.mark.parametrize("pack", [members, b"".join, lambda parts: packed(b"".join(parts))])
def test_a_file_cut_anywhere_keeps_what_came_before(pack: object) -> None:
    parts = pages(4)
    assert callable(pack)
    data: bytes = pack(parts)
    whole = records(data)
    for size in range(len(data)):
        found, damages = split(read(data[:size])[0])
        assert len(damages) <= 1
        complete = [r for r in found if not r.truncated]
        assert [r.block for r in complete] == [r.block for r in whole[: len(complete)]]
        for cut in found[len(complete) :]:
            assert cut.block == whole[len(complete)].block[: len(cut.block)]
        assert len(found) - len(complete) <= 1


def test_a_page_cut_at_the_tail_is_a_truncated_record() -> None:
    data = b"".join(PACKED)
    (*_, last), _ = read(data[: -len(PACKED[-1]) // 2])
    assert isinstance(last, Record)
    assert last.truncated
    assert last.url == f"http://a.example/{COUNT - 1}"
    assert page(COUNT - 1, 20_000).startswith(last.block)
    assert len(last.block) > 5000


@pytest.mark.parametrize("size", [1, 5, 12, 60])
def test_a_tail_without_a_whole_header_is_a_truncated_member(size: int) -> None:
    for data, last in ((b"".join(PACKED[:2]), PACKED[2]), (b"".join(PARTS[:2]), PARTS[2])):
        (damage,) = split(read(data + last[:size])[0])[1]
        assert (damage.reason, damage.location.length) == (RejectReason.TRUNCATED_MEMBER, size)


def test_garbage_between_members_and_records_is_one_damage() -> None:
    for garbage in (
        b"Donkey Kong\n" * 70,
        b"\x1f\x8b\x08\xffjunk" * 50,
        packed(b"no record"),
        b"x" * 200_000,
    ):
        for parts in (PACKED, PARTS):
            before = b"".join(parts[:3])
            found, (damage,) = split(read(before + garbage + b"\n" + b"".join(parts[3:]))[0])
            assert [r.block for r in found] == [page(i, 20_000) for i in range(COUNT)]
            assert damage.reason is RejectReason.DAMAGED_RECORD
            assert len(before) - 4 <= damage.location.offset <= len(before)
            assert abs(damage.location.end - len(before) - len(garbage)) <= 1


def test_a_start_that_is_damaged_does_not_cost_the_file() -> None:
    for parts in (PACKED, PARTS):
        data = b"XXXXXXXX" + b"".join(parts)[8:]
        found, (damage,) = split(read(data)[0])
        assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(1, COUNT)]
        assert (damage.location.offset, damage.location.length) == (0, len(parts[0]))


@pytest.mark.parametrize("pack", [b"".join, lambda parts: packed(b"".join(parts))])
def test_a_length_too_small_is_a_truncated_record_and_a_damage(pack: object) -> None:
    parts = pages(5)
    parts[2] = warc(page(2), "http://a.example/2", length=100)
    assert callable(pack)
    found, (damage,) = split(read(pack(parts))[0])
    assert [r.block for r in found] == [page(i)[: 100 if i == 2 else None] for i in range(5)]
    assert [r.truncated for r in found] == [False, False, True, False, False]
    assert damage.reason is RejectReason.DAMAGED_RECORD


def test_a_length_too_small_in_a_member_of_its_own_is_a_truncated_record_and_a_damage() -> None:
    parts = pages(3)
    parts[1] = warc(page(1), "http://a.example/1", length=100)
    found, (damage,) = split(read(members(parts))[0])
    assert [r.truncated for r in found] == [False, True, False]
    assert (damage.location.offset, damage.location.length) == (
        found[1].location.offset,
        len(packed(parts[1])),
    )


@pytest.mark.parametrize("excess", [1, 9, 300, 1000, 10**6, 10**15])
@pytest.mark.parametrize("pack", [b"".join, lambda parts: packed(b"".join(parts)), members])
def test_a_length_too_great_costs_no_other_record(pack: object, excess: int) -> None:
    if pack is not b"".join and pack is not members and excess > 10**5:
        excess = 10**5
    parts = pages(5)
    parts[2] = warc(page(2), "http://a.example/2", length=len(page(2)) + excess)
    assert callable(pack)
    items, _ = read(pack(parts))
    found, damages = split(items)
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(5)]
    assert not damages
    assert [r.block.rstrip() for r in found] == [page(i).rstrip() for i in range(5)]
    assert found[2].truncated or excess <= 4


@pytest.mark.parametrize("length", ["9223372036854775807", "9223372036854775808", "1" + "0" * 400])
@pytest.mark.parametrize("pack", [b"".join, lambda parts: packed(b"".join(parts)), members])
def test_a_length_beyond_all_files_is_a_truncated_record_and_costs_no_other(
    pack: object, length: str
) -> None:
    parts = pages(5)
    for i in (2, 4):
        parts[i] = warc(page(i), f"http://a.example/{i}", length=length)
    assert callable(pack)
    found, damages = split(read(pack(parts))[0])
    assert not damages
    assert [(r.url, r.truncated) for r in found] == [(f"http://a.example/{i}", i in (2, 4)) for i in range(5)]
    assert [r.block.rstrip() for r in found] == [page(i).rstrip() for i in range(5)]


def test_a_great_length_that_hides_records_in_a_stream_is_a_damage() -> None:
    parts = [warc(page(0, 300_000), "http://a.example/0", length=600_000), *pages(900)]
    found, (damage,) = split(read(packed(b"".join(parts)))[0])
    assert damage.reason is RejectReason.DAMAGED_RECORD
    assert damage.url == "http://a.example/0"
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(900 - len(found), 900)]
    assert found


def test_a_great_length_of_a_record_whose_block_is_not_kept_hides_no_record() -> None:
    filler = warc(page(0, 300_000), "http://a.example/0", kind="metadata", length=600_000)
    found, (damage,) = split(read(packed(filler + b"".join(pages(900))), kinds=frozenset({"response"}))[0])
    assert (damage.reason, damage.url) == (RejectReason.DAMAGED_RECORD, "http://a.example/0")
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in range(900 - len(found), 900)]


def test_a_header_that_is_cut_does_not_take_the_next_record_along() -> None:
    parts = pages(3)
    parts[1] = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://lost.example/\r\n"
    for data in (b"".join(parts), packed(b"".join(parts))):
        found, (damage,) = split(read(data)[0])
        assert [r.url for r in found] == ["http://a.example/0", "http://a.example/2"]
        assert damage.url == "http://lost.example/"


@pytest.mark.parametrize("size", [30, 120, 190, 300, 500])
def test_a_record_that_is_cut_anywhere_does_not_take_the_one_behind_it_along(size: int) -> None:
    parts = pages(4)
    parts[1] = parts[1][:size]
    found, damages = split(read(b"".join(parts))[0])
    assert [r.block for r in found if not r.truncated] == [page(i) for i in (0, 2, 3)]
    assert len(damages) + sum(r.truncated for r in found) == 1


@pytest.mark.parametrize("size", [30, 120, 190, 300, 500])
def test_a_stored_member_that_is_cut_does_not_give_the_records_of_the_next_one_as_its_own(size: int) -> None:
    parts = [stored(part) for part in pages(4)]
    data = parts[0] + parts[1][:size] + parts[2] + parts[3]
    found, (damage,) = split(read(data)[0])
    assert [r.url for r in found] == [f"http://a.example/{i}" for i in (0, 2, 3)]
    assert (damage.location.offset, damage.location.length) == (len(parts[0]), size)


def test_garbage_behind_a_record_that_is_closed_does_not_put_its_length_in_doubt() -> None:
    nested = warc(page(0) + b"\r\n" + warc(page(1), "http://nested.example/") + b"end", "http://a.example/1")
    data = nested + b"garbage\n" + pages(1)[0]
    for pack in (bytes, packed):
        found, damages = split(read(pack(data))[0])
        assert [r.url for r in found] == ["http://a.example/1", "http://a.example/0"]
        assert not found[0].truncated
        assert len(damages) == 1


def test_a_cut_member_that_ends_where_the_next_one_ends_does_not_cost_that() -> None:
    # The same codes in both: behind the cut, the inflater finds its way in the data of the second.
    letters = random.Random(3).choices(b"abcdefgh", k=900)
    parts = [warc(bytes(letters), "http://a.example/01"), warc(bytes(letters[::-1]), "http://a.example/10")]

    def coded(data: bytes) -> bytes:
        deflater = zlib.compressobj(6, zlib.DEFLATED, 31, strategy=zlib.Z_HUFFMAN_ONLY)
        return deflater.compress(data) + deflater.flush()

    cut, second = coded(parts[0]), coded(parts[1])
    swallowed = 0
    for size in range(20, len(cut) - 8):
        data = cut[:size] + second + PACKED[2]
        found, (damage,) = split(read(data)[0])
        assert [r.url for r in found] == ["http://a.example/10", "http://a.example/2"]
        assert (damage.location.offset, damage.location.length) == (0, size)
        inflater = zlib.decompressobj(-15)
        with contextlib.suppress(zlib.error):
            inflater.decompress(data[10:])
        swallowed += len(data) - len(inflater.unused_data) == size + len(second) - 8
    assert swallowed


def test_a_header_over_the_cap_is_too_large_and_costs_no_other_record() -> None:
    parts = pages(5)
    parts[2] = warc(page(2), "http://a.example/2", more=["X: " + "y" * 70_000])
    for data in (b"".join(parts), members(parts), packed(b"".join(parts))):
        found, (damage,) = split(read(data)[0])
        assert [r.url for r in found] == [f"http://a.example/{i}" for i in (0, 1, 3, 4)]
        assert (damage.reason, damage.url) == (RejectReason.TOO_LARGE, "http://a.example/2")
    size = parts[0].index(b"\r\n\r\n") + 4
    field = b"X: " + b"y" * (MAX_HEADER - size - 5) + b"\r\n"
    exact = parts[0].replace(b"Content-Length", field + b"Content-Length")
    assert len(records(exact)) == 1
    assert split(read(exact.replace(b"X: ", b"X: y"))[0])[1][0].reason is RejectReason.TOO_LARGE


def test_a_damaged_record_in_a_member_of_many_keeps_those_before_it() -> None:
    parts = [warc(page(i, 3000), f"http://a.example/{i}") for i in range(600)]
    data = packed(b"".join(parts))
    data = overwritten(data, len(data) * 2 // 3, b"\xff" * 40)
    found, (damage,) = split(read(data + b"".join(PACKED))[0])
    assert damage.reason is RejectReason.DAMAGED_MEMBER
    early, late = found[:-COUNT], found[-COUNT:]
    assert len(early) > 390
    assert [r.block for r in early] == [page(i, 3000) for i in range(len(early))]
    assert damage.url == f"http://a.example/{len(early)}"
    assert [r.block for r in late] == [page(i, 20_000) for i in range(COUNT)]


def test_a_wrong_checksum_of_several_records_costs_the_last() -> None:
    member = packed(b"".join(PARTS[:2]))
    found, (damage,) = split(read(member[:-8] + b"\0\0\0\0" + member[-4:] + PACKED[3])[0])
    assert [r.url for r in found] == ["http://a.example/0", "http://a.example/3"]
    assert (damage.reason, damage.url) == (RejectReason.DAMAGED_MEMBER, "http://a.example/1")


def test_records_nested_in_a_member_with_a_wrong_checksum_stay_hidden() -> None:
    nested = stored(warc(b"".join(map(stored, PARTS)), "http://nested.example/"))
    data = PACKED[0] + nested[:-8] + b"\0\0\0\0" + nested[-4:] + PACKED[1]
    found, (damage,) = split(read(data)[0])
    assert [r.url for r in found] == ["http://a.example/0", "http://a.example/1"]
    assert damage.url == "http://nested.example/"


@pytest.mark.parametrize("pack", [packed, stored, frame])
@pytest.mark.parametrize("before", [b"L", b"\xef\xbb\xbf"])
def test_members_nested_in_a_whole_record_in_plain_do_not_say_what_the_file_is(
    pack: Callable[[bytes], bytes], before: bytes
) -> None:
    block = b"".join(pack(warc(page(i), f"http://nested.example/{i}")) for i in range(3))
    found, (start, end) = split(read(before + warc(block, "http://a.example/0") + b"WARC-Type")[0])
    assert [(r.url, r.block) for r in found] == [("http://a.example/0", block)]
    assert (start.location.length, end.location.length) == (len(before), len(b"WARC-Type"))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_mutation_of_any_container_raises_or_breaks_the_books(seed: int) -> None:
    chance = random.Random(seed)
    parts = [warc(page(i, chance.choice([50, 3000])), f"http://a.example/{i}") for i in range(6)]
    pack = chance.choice([members, b"".join, lambda p: packed(b"".join(p)), lambda p: stored(b"".join(p))])
    data = bytearray(pack(parts))
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + chance.randrange(1, 400)]
            case 2:
                data[at:at] = chance.randbytes(chance.randrange(1, 400))
            case _:
                source = chance.randrange(len(data))
                data[at:at] = data[source : source + chance.randrange(1, 2000)]
    if data:
        items, end = read(bytes(data))
        assert items
        assert end.next_offset == len(data)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_chained_ranges_of_a_damaged_file_are_its_sequential_read(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(members(warc(page(i, 800), f"http://a.example/{i}") for i in range(12)))
    for _ in range(3):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    whole, _ = read(bytes(data))
    cut = chance.randrange(1, len(data))
    left, left_end = read(bytes(data), stop=cut)
    right, right_end = read(bytes(data), start=cut)
    if left_end.next_offset == (right_end.first_offset or len(data)):
        assert left + right == whole
    resumed, _ = (
        read(bytes(data), start=left_end.next_offset) if left_end.next_offset < len(data) else ([], None)
    )
    assert left + resumed == whole
