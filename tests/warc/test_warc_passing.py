"""Records that nobody wants are passed over: what is wanted, and the counts, are those of a whole reading."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.model.records import Record
from cedar.transforms.urls.sample import SampleSize, sample_of
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, chains, read_records
from tests.warc.warc_samples import (
    HTTP,
    KINDS,
    any_archive,
    damaged,
    frames,
    members,
    overwritten,
    packed,
    page,
    pages,
    read,
    split,
    stored,
    warc,
)

IsWanted = Callable[[str], bool]


def read_wanted(
    data: bytes, is_wanted: IsWanted, *, start: int = 0, stop: int | None = None
) -> tuple[list[Record | Damage], ReadEnd]:
    """The items that are left when unwanted records are passed over, and the end."""
    file_range = FileRange(source="s", size=len(data), start=start, stop=stop)
    *items, end = read_records(io.BytesIO(data), file_range, kinds=KINDS, is_wanted=is_wanted)
    assert isinstance(end, ReadEnd)
    assert end.records_read == len(items) + sum(end.passed.values())
    return items, end


def never(_url: str) -> bool:
    return False


def ends_in(*digits: str) -> IsWanted:
    return lambda url: url.endswith(digits)


def sample(seed: int) -> IsWanted:
    return sample_of(SampleSize(share=0.3), seed, ()).has


def without_unwanted(items: list[Record | Damage], is_wanted: IsWanted) -> list[Record | Damage]:
    return [item for item in items if isinstance(item, Damage) or item.url is None or is_wanted(item.url)]


def assert_as_whole(data: bytes, is_wanted: IsWanted) -> int:
    """A reading that passes over records gives what the whole one gives; returns how many it passed over."""
    whole, whole_end = read(data)
    items, end = read_wanted(data, is_wanted)
    assert without_unwanted(items, is_wanted) == without_unwanted(whole, is_wanted)
    assert (end.records_read, end.next_offset) == (whole_end.records_read, whole_end.next_offset)
    assert end.first_offset == whole_end.first_offset
    return sum(end.passed.values())


def test_all_but_the_last_are_passed_over_and_counted_by_kind() -> None:
    parts = [
        warc(b"software: x\r\n", None, kind="warcinfo"),
        *pages(5),
        warc(b"GET", kind="request"),
        *pages(1),
    ]
    items, end = read_wanted(members(parts), never)
    assert [item.kind for item in items if isinstance(item, Record)] == ["warcinfo", "response"]
    assert end.passed == {"response": 5, "request": 1}


def test_what_is_wanted_is_read_where_it_stands() -> None:
    data = members(pages(9))
    items, end = read_wanted(data, ends_in("2", "3", "7"))
    wanted = [item for item in read(data)[0] if item.url and item.url[-1] in "237"]
    assert items == [*wanted, read(data)[0][-1]]
    assert end.passed == {"response": 5}


@settings(max_examples=150, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sound_cut_and_joined_files_of_any_form_give_what_a_whole_reading_gives(seed: int) -> None:
    chance = random.Random(seed)
    data = any_archive(chance)
    match chance.randrange(4):
        case 0:
            data += any_archive(chance)
        case 1:
            data = data[: chance.randrange(len(data))]
        case 2:
            data += chance.randbytes(chance.randrange(300))
        case _:
            pass
    assert_as_whole(data, sample(seed))


@pytest.mark.parametrize("padding", [0, 1, 255, 256, 3000, 65_000, 70_000, 140_000])
def test_a_page_that_looks_like_the_end_of_its_member_brings_no_records_of_others(padding: int) -> None:
    """It ends its first part with the size that its member has, and goes on as a member of another site."""
    foreign = stored(warc(b"HTTP/1.1 200 OK\r\n\r\n<p>foreign", url="https://other.example/7"))
    filler = random.Random(padding).randbytes(padding)

    def deceiving(size: int) -> bytes:
        block = b"HTTP/1.1 200 OK\r\n\r\n" + filler + size.to_bytes(4, "little") + foreign
        return warc(block, url="https://x.example/1")

    record = deceiving(len(deceiving(0)))
    for pack in (stored, gzip.compress):
        data = members(pages(2)) + pack(record) + members(pages(3))
        assert assert_as_whole(data, ends_in("7")) >= 3


@settings(max_examples=150, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_chained_ranges_pass_over_what_one_reading_passes_over_also_in_damaged_files(seed: int) -> None:
    chance = random.Random(seed)
    data = damaged(chance, any_archive(chance))
    whole, whole_end = read_wanted(data, sample(seed))
    cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(1, 6)))
    items: list[Record | Damage] = []
    previous = total = 0
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        found, end = read_wanted(data, sample(seed), start=start, stop=stop)
        if not chains(previous, end.first_offset, end.next_offset):
            found, end = read_wanted(data, sample(seed), start=previous, stop=stop)
        items += found
        total += end.records_read
        previous = max(previous, end.next_offset)
    assert items == whole
    assert total == whole_end.records_read


def nested(pack: Callable[[bytes], bytes]) -> bytes:
    """A page that holds an archive as it is, in a member that is not compressed."""
    inner = b"".join(pack(part) for part in pages(4))
    return stored(warc(HTTP + inner, "http://a.example/nest"))


@pytest.mark.parametrize("pack", [packed, stored])
def test_a_nested_archive_is_no_border(pack: Callable[[bytes], bytes]) -> None:
    data = members(pages(2)) + nested(pack) + members(pages(3))
    assert assert_as_whole(data, never) == 4  # the nest is inflated, and so is the last record
    assert assert_as_whole(data, ends_in("nest")) == 4


def test_a_border_needs_a_record_after_it() -> None:
    size = len(warc(HTTP + bytes(4) + packed(b"no record")))
    data = stored(warc(HTTP + size.to_bytes(4, "little") + packed(b"no record")))
    assert assert_as_whole(members(pages(2)) + data + members(pages(3)), never) == 4


def test_damage_between_records_that_are_passed_over_stays_where_it_is() -> None:
    data = b"junk" + b"junk".join(members(pages(4)) for _ in range(3))
    assert assert_as_whole(data, never) == 9
    assert len(split(read_wanted(data, never)[0])[1]) == 3


def test_records_of_one_size_hide_none_of_them() -> None:
    same = packed(warc(page(1), "http://a.example/1"))
    # The size of the next record would do for a record with another size in its trailer, or that is cut.
    for wrong in (same[:-4] + b"\0\0\0\0", same[:-40]):
        data = same + wrong + same * 3
        _, whole = read(data)
        items, end = read_wanted(data, never)
        assert end.records_read == whole.records_read
        assert any(isinstance(item, Damage) for item in items)


@pytest.mark.parametrize(
    "data",
    [
        b"".join(packed(one + two) for one, two in zip(pages(6), pages(6), strict=True)),
        packed(b"".join(pages(6))),
        members(part[:-2] for part in pages(6)),
        members(warc(page(i), length="") for i in range(6)),
        members(warc(page(i), length=len(page(i)) - 30) for i in range(6)),
        members(warc(page(i), length=10**9) for i in range(6)),
        b"\r\n".join(packed(part) for part in pages(6)),
        b"".join(packed(b"".join(pages(6))[at : at + 300]) for at in range(0, 3000, 300)),
        b"".join(pages(6)),
        frames(pages(6)),
    ],
    ids=[
        "two records a member",
        "one member",
        "other line ends",
        "no length",
        "a short length",
        "a long length",
        "padding",
        "blocks",
        "plain",
        "zstd",
    ],
)
def test_what_shows_no_border_is_read(data: bytes) -> None:
    assert assert_as_whole(data, never) == 0


def test_damage_in_a_body_that_is_passed_over_is_not_seen() -> None:
    first, second, third = (packed(part) for part in pages(3, 9000))
    data = first + overwritten(second, len(second) // 2, b"\xff" * 9) + third
    assert any(isinstance(item, Damage) for item in read(data)[0])
    items, end = read_wanted(data, never)
    assert not any(isinstance(item, Damage) for item in items)
    assert end.passed == {"response": 2}


def test_a_damaged_head_is_seen() -> None:
    first, second, third = (packed(part) for part in pages(3, 900))
    items, end = read_wanted(first + overwritten(second, 12, b"\xff" * 9) + third, never)
    assert any(isinstance(item, Damage) for item in items)
    assert end.records_read == 3


def test_lengths_that_lie_cost_a_bounded_search() -> None:
    class Counting(io.BytesIO):
        count = 0

        def read(self, size: int | None = -1) -> bytes:
            found = super().read(size)
            self.count += len(found)
            return found

    # The next member begins behind 3 MiB that hold no magic: no search may go so far.
    filling = packed(
        warc(HTTP + random.Random(1).randbytes(3 << 20).replace(b"\x1f", b""), "http://a.example/")
    )
    data = members(pages(3)) + filling + members(pages(3))
    file = Counting(data)
    *_, end = read_records(file, FileRange(source="s", size=len(data)), is_wanted=never)
    assert isinstance(end, ReadEnd)
    assert end.records_read == 7
    assert file.count < 1.2 * len(data) + (1 << 20)
