"""What every store keeps to: on this disk, in memory, through pyarrow, and on servers of this machine."""

from __future__ import annotations

import contextlib
import importlib.util
import random
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyarrow import fs

from tests import stores
from transforms.corpus.arrow_files import ArrowStorage
from transforms.corpus.globs import find
from transforms.corpus.inputs import InputError, list_inputs
from transforms.corpus.local import LocalStorage
from transforms.corpus.object_stores import ObjectStorage
from transforms.corpus.storage import RemoteStorage, Storage, StoreMissingError
from transforms.corpus.stores import remote_storage_for, storage_for

REMOTE = ("memory", "arrow", "s3", "gs")


@dataclass(frozen=True)
class Place:
    """A store, and a place in it that is empty."""

    storage: Storage
    root: str


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    if not (importlib.util.find_spec("boto3") and importlib.util.find_spec("moto")):
        pytest.skip(stores.NO_S3)
    with stores.s3_server("crawl") as bucket:
        yield bucket


@pytest.fixture(scope="module")
def gs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not stores.has_gcs_server():
        pytest.skip(stores.NO_GCS)
    with stores.gcs_server("crawl", tmp_path_factory.mktemp("gcs")) as bucket:
        yield bucket


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    kind = request.param
    if kind == "local":
        return Place(LocalStorage(), str(tmp_path / "corpus"))
    if kind == "memory":
        return Place(ObjectStorage(stores.Memory()), "s3://b/corpus")
    if kind == "arrow":
        return Place(ArrowStorage("hdfs://h:9000/", fs.LocalFileSystem(), f"{tmp_path}/"), "hdfs://h:9000/c")
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
    assert str(listed.version).startswith("mtime:")
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
    with pytest.raises(FileNotFoundError):
        place.storage.create_if_absent(f"{place.root}/x", f"{place.root}/y")


@every_store
def test_a_name_is_given_once_and_a_move_replaces(place: Place) -> None:
    final = f"{place.root}/b/final"
    assert place.storage.create_if_absent(write(place, "a/1", b"one"), final)
    second = write(place, "a/2", b"two")
    assert not place.storage.create_if_absent(second, final)
    assert place.storage.read(final) == b"one"
    assert place.storage.move(second, final)
    assert place.storage.read(final) == b"two"
    assert not place.storage.move(second, final)
    assert place.storage.read(second) is None


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
    storage: RemoteStorage = place.storage  # type: ignore[assignment]
    for name in ("a/1.warc.gz", "a/2.warc.gz", "a/x/3.warc.gz", "ab/4.warc.gz", "a/2.txt"):
        write(place, name, b"x")

    def names(pattern: str) -> list[str]:
        found = find(storage, f"{place.root}/{pattern}")
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
    if isinstance(place.storage, ArrowStorage):
        pytest.skip("a check and a rename: weaker, and said to be")
    wins: list[int] = []

    def give(number: int) -> None:
        if place.storage.create_if_absent(write(place, f"_tmp/{number}", b"%d" % number), f"{place.root}/f"):
            wins.append(number)

    threads = [threading.Thread(target=give, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert place.storage.read(f"{place.root}/f") == b"%d" % wins[0]
    assert len(wins) == 1


@pytest.mark.parametrize("place", ["memory", "s3", "gs"], indirect=True)
def test_bytes_of_two_versions_are_never_mixed(place: Place) -> None:
    path = write(place, "file", b"a" * 1_000_000)
    with place.storage.open(path) as file:
        assert file.read(10) == b"a" * 10
        write(place, "file", b"b" * 1_000_000)
        with pytest.raises(OSError, match="changed while it was read"):
            file.read()


@pytest.mark.parametrize("kind", ["s3", "gs"])
def test_a_bucket_that_is_not_there_is_a_fault_and_its_inputs_are_one_line(
    kind: str, request: pytest.FixtureRequest
) -> None:
    missing = f"{request.getfixturevalue(kind)}-is-no-bucket"
    with pytest.raises(OSError, match="is-no-bucket"):
        storage_for(missing).create(f"{missing}/x").close()
    with pytest.raises(InputError, match="is-no-bucket"):
        list_inputs([f"{missing}/*.warc.gz"])


@pytest.mark.parametrize(("scheme", "package", "extra"), [("s3", "boto3", "aws"), ("gs", "google", "gcp")])
def test_a_package_that_is_missing_is_one_line(
    scheme: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, f"transforms.corpus.{'s3' if scheme == 's3' else 'gcs'}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(StoreMissingError, match=rf"^{scheme}:// needs a package: .*\[{extra}\]'\)$"):
        storage_for(f"{scheme}://b/k")


@pytest.mark.parametrize("path", ["ftp://host/k", "hdfs://no-such-host:1/k"])
def test_a_place_that_nothing_reaches_is_one_line(path: str) -> None:
    with pytest.raises(StoreMissingError) as caught:
        remote_storage_for(path)
    assert "\n" not in str(caught.value)
