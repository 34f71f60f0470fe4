"""Ranges: read apart and chained, they are the sequential reading of any file."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.transforms.model.records import Record
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, chains, is_splittable, read_records
from tests.helpers.corpus import books
from tests.warc.warc_samples import (
    HTTP,
    KINDS,
    Pack,
    any_archive,
    arc,
    arc_head,
    damaged,
    frame,
    frames,
    members,
    packed,
    pages,
    read,
    skippable,
    stored,
    warc,
)


def read_range(data: bytes, start: int, stop: int) -> tuple[list[Record | Damage], ReadEnd]:
    return read(data, start=start, stop=stop)


def read_chained(data: bytes, cuts: list[int]) -> tuple[list[Record | Damage], int, int]:
    """The items of all ranges, the sum of their counts, and how many had to be read again."""
    items: list[Record | Damage] = []
    previous = total = again = 0
    for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
        found, end = read_range(data, start, stop)
        if not chains(previous, end.first_offset, end.next_offset):
            again += 1
            found, end = read_range(data, previous, stop)
            assert chains(previous, end.first_offset, end.next_offset)
        items += found
        total += end.records_read
        previous = max(previous, end.next_offset)
    assert previous == len(data)
    return items, total, again


@pytest.mark.slow
@settings(max_examples=250, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_chained_ranges_are_the_sequential_reading(seed: int) -> None:
    chance = random.Random(seed)
    data = damaged(chance, any_archive(chance))
    whole, end = read(data)
    if len(data) < 2:
        return
    cuts = sorted(chance.randrange(1, len(data)) for _ in range(chance.randrange(1, 6)))
    items, total, _ = read_chained(data, cuts)
    assert items == whole
    assert total == end.records_read


def test_ranges_that_nested_archives_mislead_are_read_again() -> None:
    block = HTTP + b"".join(stored(part) for part in pages(20))
    data = b"".join(packed(page) for page in pages(3)) + stored(warc(block)) + members(pages(3))
    whole, _ = read(data)
    again = 0
    for cut in range(1, len(data), 311):
        items, _, count = read_chained(data, [cut])
        assert items == whole
        again += count
    assert again > 10


def test_sound_files_of_a_record_a_member_need_no_repair() -> None:
    for data in (members(pages(30)), frames(pages(30)), b"".join(pages(30))):
        cuts = list(range(100, len(data), len(data) // 9))
        assert read_chained(data, cuts)[2] == 0


def test_a_range_in_which_no_record_starts_chains() -> None:
    part = packed(warc(random.Random(0).randbytes(50_000)))
    data = part + packed(pages(1)[0])
    middle = (1000, 2000)
    items, end = read_range(data, *middle)
    assert not items
    assert (end.first_offset, end.next_offset) == (None, 2000)
    assert chains(len(part), end.first_offset, end.next_offset)
    assert not chains(500, end.first_offset, end.next_offset)


@pytest.mark.slow
@pytest.mark.parametrize("filling", ["record", "zeros", "zeros at the end", "junk"])
@pytest.mark.parametrize("pack", [bytes, packed], ids=["plain", "gzip"])
def test_what_a_range_costs_does_not_grow_with_what_it_lies_in(filling: str, pack: Pack) -> None:
    size = 1 << 24
    noise = random.Random(2).randbytes(1 << 20) * 16
    middle = {
        "record": lambda: pack(warc(noise, kind="resource")),
        "zeros": lambda: bytes(size),
        "zeros at the end": lambda: bytes(size),
        "junk": lambda: noise,
    }[filling]()
    after = b"" if filling == "zeros at the end" else b"".join(map(pack, pages(4)))
    data = b"".join(map(pack, pages(4))) + middle + after
    cuts = list(range(1 << 20, len(data), 1 << 20))
    items, total, again = read_chained(data, cuts)
    assert (items, again) == (read_range(data, 0, len(data))[0], 0)
    assert len(items) == total
    read = sum(read_range(data, *span)[1].bytes_in for span in pairwise([0, *cuts, len(data)]))
    at_start = len(cuts) * (1 << 20)  # a file is read in pieces of this size
    assert read < 2.1 * len(data) + 2.5 * at_start


def test_the_first_range_may_begin_with_padding() -> None:
    data = b"\r\n" * 40 + members(pages(4))
    _, end = read_range(data, 0, 200)
    assert end.first_offset == 80
    assert chains(0, end.first_offset, end.next_offset)
    _, empty = read_range(data, 0, 40)
    assert (empty.first_offset, empty.next_offset) == (None, 80)
    assert chains(0, empty.first_offset, empty.next_offset)
    _, second = read_range(data, 40, 200)
    assert chains(empty.next_offset, second.first_offset, second.next_offset)


def splittable(data: bytes) -> bool:
    return is_splittable(io.BytesIO(data), len(data))


NOISE = random.Random(1).randbytes(2_000_000)


@pytest.mark.parametrize(
    "data",
    [
        b"".join(pages(9)),
        members(pages(9)),
        members(pages(9))[:-50],
        b"\r\n" * 9 + members(pages(9)),
        packed(b"") + members(pages(9)),
        frames(pages(9)),
        skippable(b"x" * 99) + frames(pages(9)),
        packed(pages(1)[0]),
        members([arc_head(), *(arc(i) for i in range(5))]),
        members([pages(1)[0], warc(NOISE)]),
        b"x" * 500 + members(pages(9)),
    ],
    ids=[
        "plain",
        "gzip",
        "gzip cut",
        "padding",
        "empty member",
        "zstd",
        "skippable",
        "one record",
        "arc in members",
        "large second",
        "damaged start",
    ],
)
def test_files_with_a_record_a_member_are_splittable(data: bytes) -> None:
    assert splittable(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nothing",
        packed(b"nothing"),
        packed(b"".join(pages(9))),
        frame(b"".join(pages(9))),
        packed(warc(NOISE)) + members(pages(9)),
        members([b"".join(pages(2)), *pages(9)]),
        b"".join(packed(b"".join(pages(9))[at : at + 300]) for at in range(0, 4000, 300)),
        b"".join(frame(b"".join(pages(9))[at : at + 300]) for at in range(0, 4000, 300)),
        arc_head() + arc(1),
        packed(arc_head() + arc(1)),
    ],
    ids=[
        "empty",
        "text",
        "gzip of text",
        "one member",
        "one frame",
        "large first",
        "several records",
        "gzip blocks",
        "zstd blocks",
        "plain arc",
        "arc in a stream",
    ],
)
def test_other_files_are_not(data: bytes) -> None:
    assert not splittable(data)


def test_only_the_beginning_is_looked_at() -> None:
    class Counting(io.BytesIO):
        count = 0

        def read(self, size: int | None = -1) -> bytes:
            data = super().read(size)
            self.count += len(data)
            return data

    data = members(warc(NOISE[i * 50_000 : (i + 1) * 50_000]) for i in range(40)) * 5
    file = Counting(data)
    assert is_splittable(file, len(data))
    assert file.count < 4_000_000


def test_a_range_reads_little_more_than_itself() -> None:
    data = members(warc(NOISE[i * 50_000 : (i + 1) * 50_000]) for i in range(40)) * 5
    span = FileRange(source="s", size=len(data), start=5_000_000, stop=6_000_000)
    *_, end = read_records(io.BytesIO(data), span, kinds=KINDS)
    assert isinstance(end, ReadEnd)
    assert end.bytes_in < 5_000_000


@pytest.mark.parametrize("start", [0, 3 << 16, 700_000])
def test_a_small_range_reads_64_kib_at_the_beginning_of_the_file_and_64_past_its_end(start: int) -> None:
    data = members(warc(NOISE[i * 500 : (i + 1) * 500]) for i in range(2000))
    span = FileRange(source="s", size=len(data), start=start, stop=start + (1 << 16))
    *_, end = read_records(io.BytesIO(data), span, kinds=KINDS)
    assert isinstance(end, ReadEnd)
    assert end.bytes_in <= 3 << 16


def test_a_cut_file_is_not_read_whole_for_each_of_its_ranges(tmp_path: Path) -> None:
    path = tmp_path / "one.warc.gz"
    assert main(["sample", str(path), "--pages", "500"]) == 0
    assert main(["extract", str(path), "--output", str(tmp_path / "c"), "--split-size", "64KiB"]) == 0
    found = books(tmp_path / "c")
    assert found["shards"] > 8
    assert found["bytes"]["in"] < 3 * path.stat().st_size
