"""What every store keeps to: on this disk, in memory, and on servers of this machine."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cedar.transforms.files import object_stores
from cedar.transforms.files.globs import find_objects
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.local import LocalStorage, whole_file
from cedar.transforms.files.storage import CannotWriteError, Move, Storage, StoreMissingError, writing
from cedar.transforms.files.stores import storage_for
from tests.helpers import stores

REMOTE = ("memory", "s3", "gs", "az")


@dataclass(frozen=True)
class Place:
    """A store, and a place in it that is empty."""

    storage: Storage
    root: str


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    if not stores.has_moto():
        pytest.skip(stores.NO_S3)
    with stores.s3_server("crawl") as bucket:
        yield bucket


@pytest.fixture(scope="module")
def gs() -> Iterator[str]:
    if not stores.has_moto():
        pytest.skip(stores.NO_S3)
    with stores.gcs_server("crawl-of-google") as bucket:
        yield bucket


@pytest.fixture(scope="module")
def az() -> Iterator[str]:
    if not os.environ.get("AZURITE"):
        pytest.skip(stores.NO_AZURE)
    with stores.azure_server("crawl") as container:
        yield container


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    kind = request.param
    if kind == "local":
        return Place(LocalStorage(), str(tmp_path / "corpus"))
    if kind == "memory":
        return Place(stores.Memory().storage, "s3://b/corpus")
    root = f"{request.getfixturevalue(kind)}/{request.node.originalname}"
    return Place(storage_for(root), root)


every_store = pytest.mark.parametrize("place", ["local", *REMOTE], indirect=True)
remote_stores = pytest.mark.parametrize("place", REMOTE, indirect=True)


def write(place: Place, name: str, content: bytes) -> str:
    path = f"{place.root}/{name}"
    with place.storage.create(path) as file:
        file.write(content)
    return path


@every_store
def test_what_is_written_is_read_and_listed_and_deleted(place: Place) -> None:
    path = write(place, "b/one", b"1")
    assert place.storage.read(path) == b"1"
    (listed,) = place.storage.list(f"{place.root}/b")
    assert (listed.path, listed.size) == (path, 1)
    assert place.storage.stat(path) == listed
    assert str(listed.version).startswith("mtime:" if isinstance(place.storage, LocalStorage) else 'etag:"')
    place.storage.delete(path)
    place.storage.delete(path)
    assert list(place.storage.list(f"{place.root}/b")) == []


@every_store
def test_what_is_not_there_is_none_or_a_fault_of_that_name(place: Place) -> None:
    assert place.storage.read(f"{place.root}/x") is None
    assert list(place.storage.list(f"{place.root}/none")) == []
    for ask in (place.storage.stat, place.storage.open):
        with pytest.raises(FileNotFoundError):
            ask(f"{place.root}/x")
    assert list(place.storage.moves([Move(f"{place.root}/x", f"{place.root}/y", 1)])) == [False]


@every_store
def test_a_name_is_given_once_and_a_move_or_another_write_replaces(place: Place) -> None:
    final, staged = f"{place.root}/b/final", f"{place.root}/a/staged"
    assert place.storage.write_if_absent(final, b"one", staged)
    assert not place.storage.write_if_absent(final, b"two", staged)
    assert place.storage.read(final) == b"one"
    move = Move(write(place, "a/2", b"two"), final, 3)
    assert list(place.storage.moves([move])) == [True]
    assert place.storage.read(final) == b"two"
    assert list(place.storage.moves([move])) == [False]
    place.storage.write(final, b"three", staged)
    assert place.storage.read(final) == b"three"
    place.storage.delete(final, f"{place.root}/none", write(place, "a/3", b""))
    assert not [*place.storage.list(f"{place.root}/a"), *place.storage.list(f"{place.root}/b")]


@every_store
def test_a_listing_of_a_prefix_and_questions_are_in_order(place: Place) -> None:
    paths = [write(place, f"c/{number:02d}", b"%d" % number) for number in range(20)]
    assert [file.path for file in place.storage.list(f"{place.root}/c", "1")] == paths[10:]
    assert list(place.storage.each(place.storage.read, paths)) == [b"%d" % number for number in range(20)]


@every_store
def test_a_listing_is_in_order_and_goes_no_deeper(place: Place) -> None:
    for name in ("b/2", "b/10", "b/c/3", "bb/4"):
        write(place, name, b"x")
    assert [file.path for file in place.storage.list(f"{place.root}/b")] == [
        f"{place.root}/b/10",
        f"{place.root}/b/2",
    ]


@every_store
def test_any_part_of_a_file_is_read_as_it_was_written(place: Place) -> None:
    rng = random.Random(5)
    content = rng.randbytes(3_000_000)
    with place.storage.open(write(place, "large", content)) as file:
        assert file.read(10) == content[:10]
        for _ in range(20):
            start, count = rng.randrange(len(content)), rng.randrange(600_000)
            file.seek(start)
            assert file.read(count) == content[start : start + count]
        file.seek(0)
        assert b"".join(iter(lambda: file.read(70_000), b"")) == content


@every_store
def test_a_range_begins_where_it_is_asked_for_and_has_no_bytes_beyond_the_end(place: Place) -> None:
    content = random.Random(3).randbytes(600_000)
    path = write(place, "b/range", content)
    for start, stop in ((0, 10), (5, 300_000), (300_000, 300_001), (599_990, 600_000)):
        with place.storage.open_range(path, start, stop) as file:
            assert file.tell() == start
            assert file.read(stop - start) == content[start:stop]
    for start, stop in ((599_990, 700_000), (700_000, 700_001)):
        with contextlib.suppress(OSError), place.storage.open_range(path, start, stop) as file:
            assert file.read(stop - start) == content[start:stop]
    with pytest.raises(FileNotFoundError):
        place.storage.open_range(f"{place.root}/none", 0, 1).read(1)


@every_store
def test_an_empty_file_is_a_file(place: Place) -> None:
    path = write(place, "empty", b"")
    assert place.storage.read(path) == b""
    assert place.storage.stat(path).size == 0
    with place.storage.open(path) as file:
        assert file.read() == b""


@every_store
def test_a_glob_and_a_directory_find_what_is_below(place: Place) -> None:
    if isinstance(place.storage, LocalStorage):
        pytest.skip("the disk is walked: see test_inputs")
    storage = place.storage
    for name in ("a/1.warc.gz", "a/2.warc.gz", "a/x/3.warc.gz", "ab/4.warc.gz", "a/2.txt"):
        write(place, name, b"x")

    def names(pattern: str) -> list[str]:
        found = find_objects(storage, f"{place.root}/{pattern}")
        return sorted(file.path.removeprefix(f"{place.root}/") for file in found)

    assert names("a/*.warc.gz") == ["a/1.warc.gz", "a/2.warc.gz"]
    assert names("a/**.warc.gz") == ["a/1.warc.gz", "a/2.warc.gz", "a/x/3.warc.gz"]
    assert names("a*/?.warc.gz") == ["a/1.warc.gz", "a/2.warc.gz", "ab/4.warc.gz"]
    assert names("a/[!1].warc.gz") == ["a/2.warc.gz"]
    assert names("a/") == ["a/1.warc.gz", "a/2.txt", "a/2.warc.gz", "a/x/3.warc.gz"]
    assert names("a/1.warc.gz") == ["a/1.warc.gz"]
    assert names("a/1.warc") == names("a") == names("none/*") == []


@remote_stores
def test_of_many_writers_one_gives_the_name(place: Place) -> None:
    wins: list[int] = []

    def give(number: int) -> None:
        if place.storage.write_if_absent(f"{place.root}/f", b"%d" % number, f"{place.root}/_tmp/{number}"):
            wins.append(number)

    threads = [threading.Thread(target=give, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert place.storage.read(f"{place.root}/f") == b"%d" % wins[0]
    assert len(wins) == 1


@remote_stores
def test_bytes_of_two_versions_are_never_mixed(place: Place) -> None:
    path = write(place, "file", b"a" * 1_000_000)
    with place.storage.open(path) as file:
        assert file.read(10) == b"a" * 10
        write(place, "file", b"b" * 1_000_000)
        with pytest.raises(OSError, match="changed while it was read"):
            file.read()


@pytest.mark.parametrize("kind", ["s3", "gs", "az"])
def test_a_bucket_that_is_not_there_is_a_fault_and_its_inputs_are_one_line(
    kind: str, request: pytest.FixtureRequest
) -> None:
    missing = f"{request.getfixturevalue(kind)}-is-no-bucket"
    with pytest.raises(OSError, match="is-no-bucket"):
        storage_for(missing).create(f"{missing}/x").close()
    with pytest.raises(InputError, match="is-no-bucket"):
        list_inputs([f"{missing}/*.warc.gz"])


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("ftp://host/k", "write a path, or s3://, gs://, az://, abfs://, abfss://"),
        ("hdfs://host:1/k", "mount it, or copy the files"),
        ("viewfs://host/k", "mount it, or copy the files"),
        ("s3a://bucket/k", "write it as s3://"),
    ],
)
def test_a_place_that_nothing_reaches_is_one_line_that_says_what_to_write(path: str, hint: str) -> None:
    with pytest.raises(StoreMissingError, match=hint) as caught:
        storage_for(path)
    assert "\n" not in str(caught.value)


def test_azure_is_reached_by_the_uri_that_hadoop_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", "a2V5")
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    connected = object_stores._connected(0, (), "abfs://crawl@account.dfs.core.windows.net", again=0)
    assert connected.config["account_name"] == "account"
    assert connected.config["container_name"] == "crawl"


def test_faults_of_a_file_that_is_whole_or_nothing_have_its_name(tmp_path: Path) -> None:
    path = tmp_path / "wanted"

    def write() -> None:
        with whole_file(path) as staged:
            staged.write_bytes(b"some")
            raise OSError(28, "no room")

    with pytest.raises(OSError, match="no room") as caught:
        write()
    assert caught.value.filename == str(path)
    assert not list(tmp_path.iterdir())


def test_what_a_killed_writer_has_left_goes_with_the_next_one_and_what_another_writes_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "index [1].cdxj"
    left = tmp_path / f"{path.name}.{'0f' * 16}"
    others = [tmp_path / f"{path.name}.gz", tmp_path / f"{path.name}.{'0f' * 15}", tmp_path / "index 1.cdxj"]
    for file in (left, *others):
        file.touch()
    with whole_file(path) as first, whole_file(path) as second:
        first.write_bytes(b"first")
        second.write_bytes(b"second")
        assert {*tmp_path.iterdir()} == {first, second, *others}
    assert path.read_bytes() == b"first"
    assert {*tmp_path.iterdir()} == {path, *others}


def test_a_file_that_cannot_be_flushed_when_it_is_closed_is_named(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    file = LocalStorage().create(f"{tmp_path}/file")
    file.write(b"some")
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as caught:
            file.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert caught.value.filename == f"{tmp_path}/file"


def test_of_what_is_read_within_a_fault_stays_as_it_is() -> None:
    gone = FileNotFoundError(2, "No such file or directory", "/elsewhere/input")
    with pytest.raises(FileNotFoundError) as caught, writing("/here/output", reads=True):
        raise gone
    assert caught.value is gone
    full = OSError(28, "No space left on device", "/elsewhere")
    said = "cannot write /here/output: No space left on device"
    with pytest.raises(CannotWriteError, match=said), writing("/here/output", reads=True):
        raise full
