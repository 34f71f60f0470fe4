"""Storage without directories and renames, over a store held in memory."""

from __future__ import annotations

import sys
import types
from typing import BinaryIO

import pytest

from transforms.corpus.object_stores import GcsClient, ObjectStorage, S3Client
from transforms.corpus.storage import BeamStorage, LocalStorage
from transforms.corpus.stores import storage_for


class Memory:
    """A store; `cut` makes copies lose their end, `keep` makes deletes fail."""

    def __init__(self, *, cut: bool = False, keep: bool = False) -> None:
        self.objects: dict[str, bytes] = {}
        self._cut = cut
        self._keep = keep

    def put(self, path: str, file: BinaryIO) -> None:
        self.objects[path] = file.read()
        file.close()  # as clients of stores do

    def put_if_absent(self, path: str, content: bytes) -> bool:
        return self.objects.setdefault(path, content) is content

    def copy(self, source: str, target: str) -> bool:
        if source not in self.objects:
            return False
        self.objects[target] = self.objects[source][: -1 if self._cut else None]
        return True

    def size(self, path: str) -> int | None:
        return len(self.objects[path]) if path in self.objects else None

    def delete(self, path: str) -> None:
        if self._keep:
            raise PermissionError(path)
        self.objects.pop(path, None)


class MemoryStorage(ObjectStorage):
    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self._memory = memory

    def read(self, path: str) -> bytes | None:
        return self._memory.objects.get(path)


def test_a_file_becomes_an_object_when_it_is_closed() -> None:
    memory = Memory()
    file = MemoryStorage(memory).create("s3://b/k")
    file.write(b"text")
    assert memory.objects == {}
    file.close()
    file.close()
    assert memory.objects == {"s3://b/k": b"text"}


def test_a_file_whose_writing_fails_leaves_nothing() -> None:
    memory = Memory()
    with pytest.raises(TypeError), MemoryStorage(memory).create("s3://b/k") as file:
        file.writelines([b"half", "not bytes"])  # type: ignore[list-item]
    assert memory.objects == {}


def test_the_first_of_two_commits_wins_and_the_second_stays_staged() -> None:
    memory = Memory()
    memory.objects |= {"s3://b/1": b"one", "s3://b/2": b"two"}
    storage = MemoryStorage(memory)
    assert storage.create_if_absent("s3://b/2", "s3://b/final")
    assert not storage.create_if_absent("s3://b/1", "s3://b/final")
    assert memory.objects == {"s3://b/final": b"two", "s3://b/1": b"one"}


def test_a_staged_object_that_is_gone_is_a_fault() -> None:
    with pytest.raises(FileNotFoundError):
        MemoryStorage(Memory()).create_if_absent("s3://b/1", "s3://b/final")


def test_a_move_copies_and_deletes_and_knows_when_there_is_nothing_to_move() -> None:
    memory = Memory()
    memory.objects["s3://b/1"] = b"one"
    assert MemoryStorage(memory).move("s3://b/1", "s3://b/2")
    assert memory.objects == {"s3://b/2": b"one"}
    assert not MemoryStorage(memory).move("s3://b/1", "s3://b/2")


def test_a_copy_that_is_short_is_a_fault_and_keeps_its_source() -> None:
    memory = Memory(cut=True)
    memory.objects["s3://b/1"] = b"one"
    with pytest.raises(OSError, match="not the 3 bytes"):
        MemoryStorage(memory).move("s3://b/1", "s3://b/2")
    assert memory.objects["s3://b/1"] == b"one"


def test_a_delete_that_fails_after_the_copy_is_no_fault() -> None:
    memory = Memory(keep=True)
    memory.objects["s3://b/1"] = b"one"
    assert MemoryStorage(memory).move("s3://b/1", "s3://b/2")
    assert MemoryStorage(memory).create_if_absent("s3://b/1", "s3://b/final")


@pytest.mark.parametrize(
    ("path", "kind", "client"),
    [
        ("/corpus", LocalStorage, None),
        ("s3://b/k", ObjectStorage, S3Client),
        ("gs://b/k", ObjectStorage, GcsClient),
        ("hdfs://host/k", BeamStorage, None),
    ],
)
def test_each_scheme_has_its_storage(
    path: str, kind: type, client: type | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("boto3", "google.cloud.storage"):
        monkeypatch.setitem(sys.modules, package, types.ModuleType(package))
    storage = storage_for(path)
    assert type(storage) is kind
    assert client is None or isinstance(vars(storage)["_client"], client)
