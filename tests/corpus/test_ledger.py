"""A corpus of many shards on an object store: few requests, and the commits stay the truth."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.report.command import report_json
from cedar.pipelines.report.facts import read_facts
from cedar.pipelines.report.view import view
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.files.input_kinds import InputError
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.object_stores import ObjectStorage
from cedar.transforms.files.storage import Storage, StoredFile
from tests.helpers.crawl import write_warc
from tests.helpers.object_server import ObjectServer, object_server
from tests.helpers.wide_corpus import BUCKET, OUTPUT, begin, copy, input_path, run_of, widen

SHARDS = 300


def requests(server: ObjectServer, *arguments: str) -> Counter[str]:
    """Run `cedar extract` once more; what it asked for."""
    before = server.asked.copy()
    assert main([*run_of(), *arguments]) == 0
    return server.asked - before


def books(server: ObjectServer) -> dict[str, int]:
    there = server.get(f"{BUCKET}/corpus/run.json")
    assert there is not None
    said: dict[str, int] = json.loads(there[2])
    return said


def commits(server: ObjectServer) -> list[str]:
    return [name for name in server.names if "/shards/" in name]


@pytest.mark.slow
def test_a_run_that_finds_all_done_asks_for_lists_and_the_roll_up(tmp_path: Path) -> None:
    content = write_warc(tmp_path / "one.warc.gz", 3).read_bytes()
    with object_server() as server:
        pattern = begin(server, content)
        widen(server, pattern, range(1, SHARDS))
        first = requests(server)
        assert first["GET"] < SHARDS + 20
        assert sum(requests(server).values()) < 40
        assert books(server)["shards"] == SHARDS
        pages = books(server)["pages"]

        # One that is changed, one that is gone with its input, one that is new.
        changed, gone = commits(server)[10:12]
        size, _, text = server.get(changed) or (0, "", b"")
        more = text.replace(b'"pages": 1', b'"pages": 2').replace(b'"records_read": 3', b'"records_read": 4')
        server.put(changed, more.replace(b'"rows": 1', b'"rows": 2'))
        assert size
        server.delete(gone)
        server.delete(input_path(11).removeprefix("s3://"))
        widen(server, pattern, [SHARDS])
        assert requests(server)["GET"] < 20
        assert books(server)["shards"] == SHARDS
        assert books(server)["pages"] == pages + 1

        # A roll-up that is cut is one that lacks some commits.
        (rollup, *_) = [name for name in server.names if "/rollup/" in name]
        _, _, packed = server.get(rollup) or (0, "", b"")
        for part in (packed[: len(packed) // 2], b"", b"no frame", packed[:-1] + b"?"):
            server.put(rollup, part)
            requests(server)
            assert books(server)["shards"] == SHARDS
            assert books(server)["pages"] == pages + 1


def test_settling_alone_reads_no_rows_and_draws_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    content = write_warc(tmp_path / "one.warc.gz", 3).read_bytes()
    with object_server() as server:
        widen(server, begin(server, content), range(1, 100))
        server.delete(f"{BUCKET}/corpus/run.json")
        assert main(["check", OUTPUT, "--repair"]) == 0
        assert books(server)["shards"] == 100
        before = server.asked.copy()
        capsys.readouterr()
        assert main(["check", OUTPUT, "--repair"]) == 0
        assert sum((server.asked - before).values()) < 20
        assert capsys.readouterr().out == (
            f"{OUTPUT}: 303 records: 102 pages kept, 99 dropped, 102 rejected: the books balance.\n"
        )
        server.put(next(name for name in server.names if "/pages/" in name), b"cut")
        assert main(["check", OUTPUT, "--repair"]) == 1
        assert "3 bytes instead of" in capsys.readouterr().err
    assert not (tmp_path / "report.html").exists()


def test_a_report_reads_files_of_a_store_several_at_a_time_and_adds_them_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = write_warc(tmp_path / "one.warc.gz", 3).read_bytes()
    with object_server() as server:
        copy(server, begin(server, content), range(1, 40))
        reader, get, others = CorpusReader.at(OUTPUT), server.get, threading.Barrier(5)

        def waits_for_others(name: str) -> tuple[int, str, bytes] | None:
            if "/shards/" in name and name not in asked:
                asked.append(name)
                if len(asked) <= 5:
                    others.wait(30)
            return get(name)

        asked: list[str] = []
        monkeypatch.setattr(server, "get", waits_for_others)
        before = server.asked.copy()
        found = read_facts(reader)
        assert sum((server.asked - before).values()) < 5 * 40 + 10
        monkeypatch.setattr(ObjectStorage, "each", Storage.each)
        in_turn = read_facts(reader)
        assert found.first_of_text == in_turn.first_of_text
        assert (found.slowest, found.largest) == (in_turn.slowest, in_turn.largest)
        told, again = (report_json(view(facts, None, None), facts.books) for facts in (found, in_turn))
        assert told == again


@pytest.mark.slow
def test_a_fresh_run_asks_at_most_thirteen_times_for_each_shard(tmp_path: Path) -> None:
    shards = 30
    for number in range(shards):
        short = write_warc(tmp_path / "short", 1, first=5 * number, paragraphs=1).read_bytes()
        with write_warc(tmp_path / f"{number:02d}.warc.gz", 2, first=5 * number).open("ab") as file:
            file.write(short)
    curated = ("--signatures", "--keep", "words > 100", "--workers", "1", "--quiet")
    with object_server() as server:
        assert main(["extract", f"{tmp_path}/*.warc.gz", "--output", OUTPUT, *curated]) == 0
        names = server.names
        kinds = Counter(name.split("/")[2] for name in names)
        assert [kinds[kind] for kind in ("pages", "rejects", "dropped", "signatures")] == [shards] * 4
        assert server.asked["HEAD"] == 0
        # The rest is asked once for a run: by kind of files, their folders are listed.
        assert server.asked.total() <= 13 * shards + 37


def test_lines_of_a_list_are_looked_for_folder_by_folder(tmp_path: Path) -> None:
    paths = [f"s3://{BUCKET}/{folder}/{number:03d}.warc.gz" for folder in "ab" for number in range(40)]
    lines = tmp_path / "paths"
    lines.write_text("\n".join([*paths, "https://nobody.invalid/a.warc.gz"]))
    with object_server() as server:
        server.fill({path.removeprefix("s3://"): 100 for path in (*paths, f"s3://{BUCKET}/a/other")})
        *found, of_the_web = list_inputs([f"@{lines}"])
        assert [(file.path, file.size) for file in found] == [(path, 100) for path in paths]
        assert server.asked == {"LIST": 2}
        assert of_the_web == StoredFile("https://nobody.invalid/a.warc.gz", None, None)
        server.delete(paths[3].removeprefix("s3://"))
        with pytest.raises(InputError, match="nothing matches s3://crawl/a/003"):
            list_inputs([f"@{lines}"])


@pytest.mark.slow
def test_files_that_were_cut_are_not_opened_again_to_see_whether_they_can_be(tmp_path: Path) -> None:
    content = write_warc(tmp_path / "one.warc.gz", 150, paragraphs=60).read_bytes()
    with object_server() as server:
        begin(server, content, "--split-size", "64KiB")
        assert len(commits(server)) > 1
        before = server.asked.copy()
        assert main([*run_of(), "--split-size", "64KiB"]) == 0
        assert (server.asked - before)["HEAD"] == 0


@pytest.mark.slow
def test_what_comes_and_goes_and_what_is_replaced_is_found(tmp_path: Path) -> None:
    archives = [write_warc(tmp_path / f"{number}.warc.gz", 1) for number in range(3)]
    run = ["extract", *map(str, archives), "--output", str(tmp_path / "corpus"), "--workers", "1", "--quiet"]
    assert main(run) == 0
    ledger = Ledger.of(CorpusReader.at(str(tmp_path / "corpus")).corpus)
    shards = sorted(ledger.names)
    paths = [Path(ledger.corpus.commit_path(shard)) for shard in shards]
    assert not ledger.refresh()
    text = paths[1].read_bytes()
    paths[1].unlink()
    (paths[1].parent / "foreign").touch()
    assert ledger.refresh()
    assert sorted(ledger.names) == [shards[0], shards[2]]
    assert ledger.foreign == ["shards/foreign"]
    assert ledger.books.shards == 2
    paths[1].write_bytes(text)
    assert not ledger.refresh()
    assert sorted(ledger.names) == shards
    assert ledger.books.shards == 3
    paths[1].write_bytes(text + b" ")
    assert ledger.refresh()
    assert sorted(ledger.names) == shards


def test_a_ledger_that_was_never_refreshed_knows_the_commits(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "one.warc.gz", 3)
    assert main(["extract", str(path), "--output", str(tmp_path / "corpus"), "--quiet"]) == 0
    corpus = CorpusReader.at(str(tmp_path / "corpus")).corpus
    assert Ledger(corpus).books.shards == 1
    (summary,) = Ledger(corpus).summaries()
    assert Ledger(corpus).names == {summary.shard.name}
    assert Ledger(corpus).summary_of(summary.shard.name) == summary
    assert Ledger(corpus).of_source(str(path)) == [summary]


def test_a_corpus_with_unknown_columns_is_refused_by_their_names(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "one.warc.gz", 3)
    assert main(["extract", str(path), "--output", str(tmp_path / "corpus"), "--quiet"]) == 0
    file = tmp_path / "corpus" / "corpus.json"
    described = json.loads(file.read_text())
    described["column_groups"] = ["confidence", "smells", "title_facts"]
    file.write_text(json.dumps(described))
    with pytest.raises(CorpusError, match="smells, title_facts") as raised:
        CorpusReader.at(str(tmp_path / "corpus"))
    assert "confidence" not in str(raised.value)
