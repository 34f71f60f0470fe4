"""Storage without directories and renames, over a store held in memory; and its files, had in ranges."""

from __future__ import annotations

import contextlib
import io
import os
import random
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from obstore.exceptions import GenericError

from cedar.transforms.files import object_stores
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.inputs import find_inputs
from cedar.transforms.files.object_stores import ObjectStorage
from cedar.transforms.files.ranged_file import RangedFile
from cedar.transforms.files.retry import OBJECT_STORE, Retries, TransientStorageError
from cedar.transforms.files.storage import Move
from tests.helpers.object_server import object_server
from tests.helpers.stores import Memory


def test_a_file_becomes_an_object_when_it_is_closed() -> None:
    memory = Memory()
    file = memory.storage.create("s3://b/k")
    file.write(b"text")
    assert memory.contents == {}
    file.close()
    file.close()
    assert memory.contents == {"s3://b/k": b"text"}


def test_a_file_whose_writing_fails_leaves_nothing() -> None:
    memory = Memory()
    with pytest.raises(TypeError), memory.storage.create("s3://b/k") as file:
        file.writelines([b"half", "not bytes"])  # type: ignore[list-item]
    assert memory.contents == {}


def test_the_first_of_two_commits_wins() -> None:
    memory = Memory()
    storage = memory.storage
    assert storage.write_if_absent("s3://b/final", b"two", "s3://b/2")
    assert not storage.write_if_absent("s3://b/final", b"one", "s3://b/1")
    assert memory.contents == {"s3://b/final": b"two"}


def moved(memory: Memory, *numbers: int) -> list[bool]:
    moves = [Move(f"s3://b/{number}", f"s3://b/new/{number}", 3) for number in numbers]
    return list(memory.storage.moves(moves))


def test_a_move_copies_and_deletes_and_knows_when_there_is_nothing_to_move() -> None:
    memory = Memory()
    memory.fill({"s3://b/1": b"one", "s3://b/2": b"two"})
    assert moved(memory, 1, 2) == [True, True]
    assert memory.contents == {"s3://b/new/1": b"one", "s3://b/new/2": b"two"}
    assert moved(memory, 1, 3) == [False, False]


def test_several_files_are_deleted_by_one_request_and_one_by_one_where_that_is_refused() -> None:
    for keep in (False, True):
        memory = Memory(keep=keep)
        memory.fill({"s3://b/1": b"one", "s3://b/2": b"two", "s3://b/3": b"three"})
        with contextlib.suppress(OSError):
            memory.storage.delete("s3://b/1", "s3://b/2", "s3://b/none")
        assert memory.deletes[0] == ["1", "2", "none"]
        assert memory.deletes[1:2] == ([["1"]] if keep else [])


def test_a_delete_that_fails_after_the_copy_is_no_fault() -> None:
    memory = Memory(keep=True)
    memory.fill({"s3://b/1": b"one"})
    assert moved(memory, 1) == [True]
    assert "s3://b/1" in memory.contents


_BROKEN = (
    "Generic S3 error: HTTP error: error decoding response body\n\nDebug source: ...",
    "Generic S3 error: Server returned non-2xx status code: 503 Slow",
    "Generic S3 error: Error performing PUT http://h/b/k in 1 ms - HTTP error: error sending request",
)


@pytest.mark.parametrize("message", _BROKEN)
@pytest.mark.parametrize(
    "ask",
    [
        lambda storage: storage.read("s3://b/k"),
        lambda storage: storage.open("s3://b/k").read(),
        lambda storage: storage.open_range("s3://b/k", 0, 4).read(),
        lambda storage: storage.stat("s3://b/k"),
        lambda storage: storage.create("s3://b/k").close(),
        lambda storage: list(storage.moves([Move("s3://b/k", "s3://b/l", 4)])),
        lambda storage: storage.write_if_absent("s3://b/l", b"text", "s3://b/k"),
        lambda storage: list(storage.list("s3://b")),
    ],
    ids=("read", "open", "range", "stat", "create", "move", "write_if_absent", "list"),
)
def test_a_fault_that_may_pass_is_tried_again_whatever_was_asked(
    ask: Callable[[ObjectStorage], object], message: str
) -> None:
    memory = Memory()
    memory.fill({"s3://b/k": b"text"})
    calm = ask(memory.storage)
    memory = Memory()
    memory.fill({"s3://b/k": b"text"})
    memory.faults = [GenericError(message)] * 3
    assert str(ask(memory.storage))[:10] == str(calm)[:10]
    assert memory.faults == []
    assert len(memory.waits) == 3


def test_a_fault_that_stays_is_one_line_after_ten_attempts() -> None:
    memory = Memory()
    memory.faults = [GenericError(_BROKEN[0])] * 20
    with pytest.raises(TransientStorageError) as caught:
        memory.storage.read("s3://b/k")
    assert len(memory.waits) == 9
    said = str(caught.value)
    assert said.startswith("s3://b/k: Generic S3 error: HTTP error: error decoding response body")
    assert "\n" not in said


@pytest.mark.parametrize(
    "message",
    [
        "Generic S3 error: Server returned non-2xx status code: 400 Bad Request: <Error/>",
        "Generic S3 error: Received redirect without LOCATION, this normally indicates a wrong region",
        "Generic S3 error: PUT http://169.254.169.254/latest/api/token - HTTP error: error sending request",
    ],
)
def test_a_refusal_that_stays_is_not_tried_again(message: str) -> None:
    memory = Memory()
    memory.faults = [GenericError(message)]
    with pytest.raises(OSError, match=r"^s3://b/k: "):
        memory.storage.read("s3://b/k")
    assert memory.waits == []


def test_waits_grow_and_end() -> None:
    retries = Retries(OBJECT_STORE, now=lambda: 0.0, jitter=lambda: 1.0)
    fault = TransientStorageError("503")
    waits = [retries.wait_after(fault) for _ in range(9)]
    assert waits[:3] == [0.1, 0.2, 0.4]
    assert waits[-1] == 8.0
    with pytest.raises(TransientStorageError, match=r"503.*10 attempts"):
        retries.wait_after(fault)
    retries = Retries(OBJECT_STORE, now=lambda: 0.0, jitter=lambda: 0.0)
    assert retries.wait_after(TransientStorageError("503", retry_after=7.0)) == 7.0
    assert retries.wait_after(TransientStorageError("503", retry_after=1e9)) == 300.0


def test_a_commit_whose_answer_was_lost_is_known_as_ours() -> None:
    memory = Memory()
    memory.fill({"s3://b/final": b"one"})
    assert memory.storage.write_if_absent("s3://b/final", b"one", "s3://b/mine")
    assert not memory.storage.write_if_absent("s3://b/final", b"two", "s3://b/other")


def test_an_object_too_large_for_one_copy_is_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_stores, "_MAX_COPY_BYTES", 2)
    memory = Memory()
    memory.fill({"s3://b/1": b"one"})
    memory.copy = None  # type: ignore[assignment, method-assign]
    assert moved(memory, 1) == [True]
    assert memory.contents == {"s3://b/new/1": b"one"}


def test_a_listing_that_breaks_off_is_continued_and_names_no_object_twice() -> None:
    memory = Memory()
    memory.fill({f"s3://b/in/{i}": b"" for i in range(10)})

    class Breaking:
        def __init__(self) -> None:
            self.left = 3

        def list(self, folder: str, *, offset: str) -> Iterator[Any]:
            for found in [found for chunk in memory.store.list(folder, offset=offset) for found in chunk][:4]:
                yield [found]
            if self.left:
                self.left -= 1
                raise GenericError(_BROKEN[0])

    store = Breaking()
    listed = [file.path for file in ObjectStorage(lambda *_: store, memory.waits.append).list("s3://b/in")]
    assert listed == [f"s3://b/in/{i}" for i in range(10)]


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
    memory.fill({"s3://b/k": bytes(20 << 20)})
    with memory.storage.open("s3://b/k") as file:
        while file.read(1 << 20):
            pass
    ends = [0, *(stop for _, stop in memory.ranges)]
    assert [start for start, _ in memory.ranges] == ends[:-1]
    assert ends[-1] == 20 << 20
    assert len(memory.ranges) < 10


def test_a_look_at_a_file_fetches_little_of_it() -> None:
    memory = Memory()
    memory.fill({"s3://b/k": bytes(20 << 20)})
    with memory.storage.open("s3://b/k") as file:
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


def test_a_key_with_an_empty_part_is_named_at_once_and_the_others_are_read() -> None:
    with object_server() as server:
        names = ("in/a.warc.gz", "in/d/x.warc.gz", "in/d/z/y.warc.gz", "in/z.warc.gz")
        server.fill({f"b/{name}": b"x" for name in (*names, "in/d//bad.warc.gz", "in/d//worse.warc.gz")})
        found = find_inputs(["s3://b/in/"])
        assert [file.path for file in found.files] == [f"s3://b/{name}" for name in names]
        ((path, why),) = found.passed_over
        assert path == "s3://b/in/d//"
        assert "rename" in why
        assert server.asked["LIST"] < 10
        found = find_inputs(["s3://b/in/*.warc.gz", "s3://b/in/d/**.gz"])
        assert sorted(file.path for file in found.files) == sorted(f"s3://b/{name}" for name in names)
        server.fill({"c//a.warc.gz": b"x", "c/in/b.warc.gz": b"x", "d/in//": b"", "d/in/c.warc.gz": b"x"})
        assert [file.path for file in find_inputs(["s3://d/in/"]).files] == ["s3://d/in/c.warc.gz"]


def test_the_marker_of_a_directory_is_no_input() -> None:
    with object_server() as server:
        tables = {"b/t/day1.parquet/": b"", "b/t/day1.parquet/part-0.parquet": b"PAR1", "b/t/": b""}
        server.fill({**tables, "b/t/x.warc.gz/": b"", "b/u/": b"", "b/u/a.warc.gz": b"x", "b/u/e.warc": b""})
        for given in ("s3://b/t/", "s3://b/t/**"):
            found = find_inputs([given])
            assert [file.path for file in found.files] == ["s3://b/t/day1.parquet/part-0.parquet"]
            assert "s3://b/t/day1.parquet/" in dict(found.passed_over)
        found = find_inputs(["s3://b/u/"])
        assert [file.path for file in found.files] == ["s3://b/u/a.warc.gz", "s3://b/u/e.warc"]


def test_without_credentials_a_silent_metadata_address_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr("cedar.transforms.files.object_stores._METADATA_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("AWS_METADATA_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        start = time.monotonic()
        with pytest.raises(InputError, match=r"s3://no-credentials/.*AWS_ACCESS_KEY_ID"):
            find_inputs(["s3://no-credentials/in/"])
        assert time.monotonic() - start < 30
