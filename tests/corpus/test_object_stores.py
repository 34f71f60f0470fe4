"""Storage without directories and renames, over a store held in memory; and its files, had in ranges."""

from __future__ import annotations

import io
import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stores import Memory
from transforms.corpus.object_stores import ObjectStorage, StoredObject
from transforms.corpus.ranged_file import RangedFile


def test_a_file_becomes_an_object_when_it_is_closed() -> None:
    memory = Memory()
    file = ObjectStorage(memory).create("s3://b/k")
    file.write(b"text")
    assert memory.contents == {}
    file.close()
    file.close()
    assert memory.contents == {"s3://b/k": b"text"}


def test_a_file_whose_writing_fails_leaves_nothing() -> None:
    memory = Memory()
    with pytest.raises(TypeError), ObjectStorage(memory).create("s3://b/k") as file:
        file.writelines([b"half", "not bytes"])  # type: ignore[list-item]
    assert memory.contents == {}


def test_the_first_of_two_commits_wins_and_the_second_stays_staged() -> None:
    memory = Memory()
    memory.contents |= {"s3://b/1": b"one", "s3://b/2": b"two"}
    storage = ObjectStorage(memory)
    assert storage.create_if_absent("s3://b/2", "s3://b/final")
    assert not storage.create_if_absent("s3://b/1", "s3://b/final")
    assert memory.contents == {"s3://b/final": b"two", "s3://b/1": b"one"}


def test_a_staged_object_that_is_gone_is_a_fault() -> None:
    with pytest.raises(FileNotFoundError):
        ObjectStorage(Memory()).create_if_absent("s3://b/1", "s3://b/final")


def test_a_move_copies_and_deletes_and_knows_when_there_is_nothing_to_move() -> None:
    memory = Memory()
    memory.contents["s3://b/1"] = b"one"
    assert ObjectStorage(memory).move("s3://b/1", "s3://b/2")
    assert memory.contents == {"s3://b/2": b"one"}
    assert not ObjectStorage(memory).move("s3://b/1", "s3://b/2")


def test_a_copy_that_is_short_is_a_fault_and_keeps_its_source() -> None:
    memory = Memory(cut=True)
    memory.contents["s3://b/1"] = b"one"
    with pytest.raises(OSError, match="not the 3 bytes"):
        ObjectStorage(memory).move("s3://b/1", "s3://b/2")
    assert memory.contents["s3://b/1"] == b"one"


def test_a_delete_that_fails_after_the_copy_is_no_fault() -> None:
    memory = Memory(keep=True)
    memory.contents["s3://b/1"] = b"one"
    assert ObjectStorage(memory).move("s3://b/1", "s3://b/2")
    assert ObjectStorage(memory).create_if_absent("s3://b/1", "s3://b/final")


def test_the_version_of_an_object_is_its_time_of_change_as_corpora_have_it() -> None:
    changed = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    assert StoredObject("s3://b/k", 1, changed, "tag").file.version == f"mtime:{int(1767323045.678901 * 1e9)}"


@given(
    size=st.integers(0, 3_000_000),
    moves=st.lists(st.tuples(st.floats(0, 1.1), st.integers(0, 900_000)), max_size=8),
)
def test_a_file_had_in_ranges_reads_as_its_bytes_do(size: int, moves: list[tuple[float, int]]) -> None:
    content = random.Random(size).randbytes(size)
    plain = io.BytesIO(content)
    with io.BufferedReader(RangedFile(lambda start, stop: content[start:stop], size)) as file:
        for place, count in moves:
            at = int(place * size)
            assert file.seek(at) == plain.seek(at)
            assert file.read(count) == plain.read(count)
            assert file.read(count) == plain.read(count)
            assert file.tell() == plain.tell() or at >= size


def test_ranges_do_not_overlap_and_grow_while_reading_goes_on() -> None:
    memory = Memory()
    memory.contents["s3://b/k"] = bytes(20 << 20)
    with ObjectStorage(memory).open("s3://b/k") as file:
        while file.read(1 << 20):
            pass
    ends = [0, *(stop for _, stop in memory.ranges)]
    assert [start for start, _ in memory.ranges] == ends[:-1]
    assert ends[-1] == 20 << 20
    assert len(memory.ranges) < 10


def test_a_look_at_a_file_fetches_little_of_it() -> None:
    memory = Memory()
    memory.contents["s3://b/k"] = bytes(20 << 20)
    with ObjectStorage(memory).open("s3://b/k") as file:
        file.read(1000)
        file.seek(10 << 20)
        file.read(1000)
    assert sum(stop - start for start, stop in memory.ranges) <= 1 << 20


def test_a_range_that_comes_short_is_a_fault() -> None:
    file = RangedFile(lambda start, stop: bytes(stop - start - 1), 100)
    with pytest.raises(OSError, match="99 bytes came"):
        file.read(10)


def test_a_fault_of_a_range_fetched_ahead_is_heard_by_the_reader() -> None:
    def fetch(start: int, stop: int) -> bytes:
        if start > 2 << 20:
            raise ConnectionError("gone")
        return bytes(stop - start)

    with RangedFile(fetch, 10 << 20) as file, pytest.raises(ConnectionError):
        file.readall()
