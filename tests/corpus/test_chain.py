"""Files that are cut into shards: the union is the sequential read, and the chain proves it."""

from __future__ import annotations

import gzip
import io
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.common import option_types
from cedar.transforms.corpus.unread import breaks
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import Shard
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.readers.shards import shard_inputs
from tests.extract.runs import extract
from tests.helpers.corpus import books, last_run
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import article, respond, write_warc
from tests.helpers.elements import shard as some_shard


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards smaller than a user may ask for: so small files have many of them."""
    monkeypatch.setattr(option_types, "_MIN_SPLIT_BYTES", 1)


def summary(start: int, stop: int, first: int | None, following: int) -> ShardSummary:
    shard = Shard(f"s-{start}", "/data/a.warc.gz", 300, "mtime:7", start, stop)
    return ShardSummary(shard, first, following, 1, 1, {}, {"in": 1}, {"read": Cost()}, "", "a", {}, "d")


def test_a_chain_that_holds_has_no_break() -> None:
    chain = [summary(0, 100, 0, 120), summary(100, 200, 120, 210), summary(200, 300, 210, 300)]
    assert breaks(chain) == []
    assert breaks(chain[:1]) == []


def test_a_shard_that_begins_elsewhere_is_read_again_from_there() -> None:
    chain = [summary(0, 100, 0, 120), summary(100, 200, 105, 210), summary(200, 300, 250, 300)]
    assert breaks(chain) == [replace(chain[1].shard, read_from=120)]


def test_all_breaks_that_are_known_are_mended_in_one_round() -> None:
    chain = [
        summary(0, 100, 0, 120),
        summary(100, 200, 105, 210),  # begins wrongly
        summary(200, 300, 210, 310),  # follows that, and may be right
        summary(300, 400, 305, 410),  # wrongly, if so
        summary(400, 500, 410, 500),
    ]
    mended = [replace(chain[1].shard, read_from=120), replace(chain[3].shard, read_from=310)]
    assert breaks(chain) == mended
    chain[2] = summary(200, 300, 250, 310)
    assert breaks(chain) == mended[:1]


def test_a_record_longer_than_a_shard_leaves_it_empty() -> None:
    empty = [summary(0, 100, 0, 250), summary(100, 200, None, 250), summary(200, 300, 250, 300)]
    assert breaks(empty) == []
    wrong = [summary(0, 100, 0, 250), summary(100, 200, 150, 250), summary(200, 300, 250, 300)]
    assert breaks(wrong) == [replace(wrong[1].shard, read_from=250)]
    # An empty shard says no more than that nothing begins in it.
    own_range = [summary(0, 100, 0, 250), summary(100, 200, None, 200), summary(200, 300, 250, 300)]
    assert breaks(own_range) == []
    missed = [summary(0, 100, 0, 150), summary(100, 200, None, 200), summary(200, 300, 250, 300)]
    assert breaks(missed) == [replace(missed[1].shard, read_from=150)]


def test_all_shards_within_a_record_that_begin_wrongly_are_mended_in_one_round() -> None:
    nested = [summary(0, 100, 0, 350), *(summary(at, at + 100, at + 10, at + 110) for at in (100, 200))]
    after = summary(300, 400, 350, 400)
    assert breaks([*nested, after]) == [replace(each.shard, read_from=350) for each in nested[1:]]


def nested_warc(path: Path, pages: int, rng: random.Random) -> Path:
    """A WARC whose pages hold gzipped WARCs in stored members: true gzip headers stand all over it."""
    inner = io.BytesIO()
    inner_writer = WARCWriter(inner, gzip=True)
    for number in range(20):
        respond(inner_writer, f"https://inner.example/{number}", "200 OK", rng.randbytes(2000))
    with path.open("wb") as file:
        for number in range(pages):
            record = io.BytesIO()
            payload = article(number, 2) + (inner.getvalue() if number % 3 == 1 else b"")
            respond(WARCWriter(record, gzip=False), f"https://nested.example/{number}", "200 OK", payload)
            file.write(gzip.compress(record.getvalue(), 0 if number % 3 == 1 else 6, mtime=0))
    return path


def rows_and_rejects(corpus: Path) -> tuple[list[dict[str, Any]], dict[str, int], int]:
    return page_rows(corpus), books(corpus)["rejected"], books(corpus)["records_read"]


def damaged(path: Path, rng: random.Random) -> Path:
    """The same file with a few stretches overwritten."""
    data = bytearray(path.read_bytes())
    for _ in range(4):
        at = rng.randrange(len(data) - 200)
        data[at : at + 100] = rng.randbytes(100)
    path.write_bytes(data)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain crawl", "nested", "damaged", "nested and damaged", "uncompressed"])
def test_any_split_gives_the_rows_of_the_whole(kind: str, tmp_path: Path) -> None:
    rng = random.Random(kind)
    path = tmp_path / "crawl.warc.gz"
    path = nested_warc(path, 21, rng) if "nested" in kind else write_warc(path, 120)
    if "damaged" in kind:
        damaged(path, rng)
    if kind == "uncompressed":
        path.write_bytes(gzip.decompress(path.read_bytes()))
    whole = tmp_path / "whole"
    assert extract(path, whole, "--split-size", "0", "--workers", "1") == 0
    expected = rows_and_rejects(whole)
    assert len(expected[0]) >= 12
    for split in (path.stat().st_size // 2, path.stat().st_size // 20):
        corpus = tmp_path / f"split-{split}"
        assert extract(path, corpus, "--split-size", str(split), "--workers", "1") == 0
        assert rows_and_rejects(corpus) == expected
        assert books(corpus)["balanced"]
        # Damage may make a small file's beginning look as if it could not be cut.
        assert "damaged" in kind or len(list((corpus / "shards").iterdir())) > 1


@pytest.mark.slow
def test_false_starts_are_repaired_and_said(tmp_path: Path) -> None:
    path = nested_warc(tmp_path / "crawl.warc.gz", 15, random.Random(5))
    corpus = tmp_path / "corpus"
    assert extract(path, corpus, "--split-size", "20000", "--workers", "1") == 0
    assert last_run(corpus)["repaired"] > 0
    again = tmp_path / "again"
    assert extract(path, again, "--split-size", "0", "--workers", "1") == 0
    assert rows_and_rejects(corpus) == rows_and_rejects(again)
    # A second run finds a chain that holds.
    assert extract(path, corpus, "--split-size", "20000", "--workers", "1") == 0
    assert last_run(corpus)["repaired"] == 0


@pytest.mark.parametrize("name", ["crawl.warc.gz", "my crawl of may.warc.gz"])
def test_a_chain_that_was_left_torn_is_repaired_by_the_next_run(name: str, tmp_path: Path) -> None:
    path = write_warc(tmp_path / name, 60)
    corpus = tmp_path / "corpus"
    assert extract(path, corpus, "--split-size", "4000", "--workers", "1") == 0
    expected = rows_and_rejects(corpus)
    second = sorted((corpus / "shards").iterdir())[1]
    changed = json.loads(second.read_text())
    changed["first_offset"] += 1
    second.write_text(json.dumps(changed))
    assert extract(path, corpus, "--split-size", "4000", "--workers", "1") == 0
    assert last_run(corpus)["repaired"] == 1
    assert rows_and_rejects(corpus) == expected


def test_a_file_in_one_member_is_one_shard(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", 200)
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), mtime=0))
    (whole,) = shard_inputs(list_inputs([str(path)]), 1000)
    assert (whole.start, whole.stop) == (0, path.stat().st_size)


def test_ranges_cover_the_file_and_none_is_tiny(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", 100)
    size = path.stat().st_size
    for split in (1000, 3333, size - 1, size):
        shards = shard_inputs(list_inputs([str(path)]), split)
        assert [s.start for s in shards] == [0, *(s.stop for s in shards[:-1])]
        assert shards[-1].stop == size
        assert all(s.length == split for s in shards[:-1])
        assert split / 2 < shards[-1].length <= split * 1.5
    assert some_shard().length == 100
