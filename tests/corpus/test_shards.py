"""What there is to read: files, globs, lists, directories; and the names of shards."""

from __future__ import annotations

import gzip
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cedar.transforms.corpus.unread import split_stale
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.inputs import find_inputs, list_inputs
from cedar.transforms.files.lists import LineSelection
from cedar.transforms.files.local import LocalStorage
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import Shard, ShardEnd
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.readers.shard_reader import ReadPlan, read_file
from cedar.transforms.readers.shards import shard_inputs, shard_name
from tests.helpers.crawl import write_warc


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    for name in ("b/two.warc.gz", "a.warc", "b/ONE.WARC.GZ", "b/old.arc", "b/note.txt", ".hidden.warc"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name.encode())
    return tmp_path


def names(*inputs: str | Path, **options: object) -> list[str]:
    return [Path(f.path).name for f in find_inputs(map(str, inputs), **options).files]  # type: ignore[arg-type]


def test_directory_is_searched_in_order_for_archives_only(crawl: Path) -> None:
    assert names(crawl) == ["a.warc", "ONE.WARC.GZ", "old.arc", "two.warc.gz"]


def test_output_directory_is_not_searched(crawl: Path) -> None:
    assert names(crawl, exclude=str(crawl / "b")) == ["a.warc"]


def test_any_name_is_taken_when_it_is_named(crawl: Path) -> None:
    assert names(crawl / "b" / "note.txt") == ["note.txt"]


def test_globs_are_sorted_and_duplicates_dropped(crawl: Path) -> None:
    assert names(crawl / "b" / "*.warc.gz", crawl / "b" / "two.warc.gz", crawl / "b") == [
        "two.warc.gz",
        "ONE.WARC.GZ",
        "old.arc",
    ]


def test_a_name_with_glob_characters_is_itself_first(tmp_path: Path) -> None:
    (tmp_path / "a[1].warc").write_bytes(b"")
    (tmp_path / "a1.warc").write_bytes(b"")
    assert names(tmp_path / "a[1].warc") == ["a[1].warc"]


@pytest.mark.parametrize("packed", [False, True])
def test_list_with_prefix_and_half_open_slice(crawl: Path, packed: bool) -> None:
    text = b"a.warc\n\nb/two.warc.gz\r\nb/old.arc\n"
    (crawl / "paths").write_bytes(gzip.compress(text) if packed else text)
    listed = f"@{crawl}/paths"
    assert names(listed, lines=LineSelection(f"{crawl}/")) == ["a.warc", "two.warc.gz", "old.arc"]
    assert names(listed, lines=LineSelection(f"{crawl}/", 1, 2)) == ["two.warc.gz"]
    with pytest.raises(InputError, match="3 lines, none of them in the slice"):
        names(listed, lines=LineSelection(f"{crawl}/", 3))


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("none.warc", "nothing matches .*none.warc"),
        ("*.none", "nothing matches"),
        ("@none.txt", "cannot read the list .*none.txt"),
        ("empty", "no .warc .warc.gz .* file below"),
    ],
)
def test_inputs_that_match_nothing_say_so(
    argument: str, message: str, crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (crawl / "empty").mkdir()
    monkeypatch.chdir(crawl)
    with pytest.raises(InputError, match=message):
        names(argument)


def test_a_binary_list_is_refused(tmp_path: Path) -> None:
    (tmp_path / "paths").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a list: "):
        names(f"@{tmp_path}/paths")


def test_broken_link_and_pipe_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link.warc").symlink_to(tmp_path / "gone")
    with pytest.raises(InputError, match=r"cannot read .*link.warc"):
        names(tmp_path / "link.warc")
    os.mkfifo(tmp_path / "pipe.warc")
    with pytest.raises(InputError, match="not a file: "):
        names(tmp_path / "pipe.warc")


def test_shard_name_is_stem_hash_and_padded_range() -> None:
    name = shard_name("/data/CC-MAIN-2026.5-00000.warc.gz", 0, 1234)
    assert re.fullmatch(r"CC-MAIN-2026\.5-00000-[0-9a-f]{8}-000000000000-000000001234", name)
    assert name != shard_name("/other/CC-MAIN-2026.5-00000.warc.gz", 0, 1234)
    assert shard_name("s3://bucket/x.arc.gz", 0, 1).startswith("x-")


def test_shard_names_fit_into_file_names() -> None:
    name = shard_name("/data/" + "山" * 80 + ".warc", 0, 1)
    assert len(f"{name}.{'a' * 32}.rejects.parquet".encode()) <= 255


def test_each_file_is_one_shard_with_its_version(crawl: Path) -> None:
    (shard,) = shard_inputs(list_inputs([str(crawl / "a.warc")]))
    assert (shard.start, shard.stop, shard.size) == (0, 6, 6)
    assert shard.version == f"mtime:{(crawl / 'a.warc').stat().st_mtime_ns}"


def test_names_that_are_no_text_are_listed(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9.warc"
    with open(path, "wb"):
        pass
    (file,) = list_inputs([str(tmp_path)])
    assert os.fsencode(file.path) == path
    assert shard_inputs([file])[0].name.startswith("caf-")


def test_an_input_of_unknown_size_is_one_whole_shard(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", 3)
    (shard,) = shard_inputs([StoredFile(str(path), None, None)], 1)
    assert shard.name.endswith("-000000000000-whole")
    (known,) = shard_inputs([LocalStorage().stat(str(path))])
    elements = list(read_file(shard, ReadPlan()))
    assert len(elements) == len(list(read_file(known, ReadPlan())))
    end = elements[-1]
    assert isinstance(end, ShardEnd)
    assert end.shard == replace(known, name=shard.name)


@pytest.mark.parametrize("committed_as", ["whole", "known"])
def test_an_input_is_done_whether_its_size_was_known_or_not(committed_as: str) -> None:
    known = StoredFile("/data/a.warc.gz", 100, "mtime:7")
    unknown = StoredFile("/data/a.warc.gz", None, None)
    (first,), (second,) = shard_inputs([known]), shard_inputs([unknown])
    done = replace(first, name=(second if committed_as == "whole" else first).name)
    summary = some_summary(done)
    for shard in (first, second):
        current, stale = split_stale([shard], [summary])
        assert current == {shard.piece: summary}
        assert stale == []
    changed = replace(first, version="mtime:8")
    assert split_stale([changed], [summary]) == ({}, [summary])


def some_summary(shard: Shard) -> ShardSummary:
    return ShardSummary(shard, 0, 100, 1, 1, {}, {"in": 1}, {"read": Cost()}, "", "a" * 32, {}, "d")
