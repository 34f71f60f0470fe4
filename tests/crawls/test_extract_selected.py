"""`cedar extract cc:NAME --select`: rows of a filtered whole reading, however often it is cut short."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from cedar.pipelines.cli import main
from tests.helpers.corpus import books, rows
from tests.helpers.crawl_root import MAIN, MAIN_PATHS, NEWS
from tests.helpers.crawl_server import CrawlServer, Fault
from tests.helpers.index_root import PARTS, make_index_root, rows_of, write_index
from tests.helpers.processes import ForkedRun, kill, wait_until

SELECT = ("--select", "tld=is !host=blog.frett.is")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of its own, no waiting, small shards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("cedar.transforms.runtime.worker_progress.WorkerProgress.sleep", lambda *_: None)
    monkeypatch.setattr("cedar.transforms.files.http_client.sleep_silently", lambda *_: None)
    monkeypatch.setattr("cedar.pipelines.extract.selection.SHARD_ROWS", 4)


def extract(output: Path, root: object, *arguments: str) -> int:
    base = ["extract", *arguments, "--output", str(output), "--workers", "1", "--extractor", "cetr"]
    return main([*base, "--crawl-root", str(root), "--quiet"])


@pytest.fixture(scope="module")
def whole(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The rows of all pages of the crawl."""
    corpus = tmp_path_factory.mktemp("unselected") / "corpus"
    assert extract(corpus, root, f"cc:{MAIN}") == 0
    return rows(corpus)


def is_selected(row: dict[str, Any]) -> bool:
    return re.match(r"https://(saga|www\.frett)\.is/", row["url"]) is not None


def test_rows_of_a_selection_are_those_of_the_whole_files_filtered(
    server: CrawlServer, whole: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    assert extract(corpus, server.root, f"cc:{MAIN}", *SELECT) == 0
    assert rows(corpus) == [row for row in whole if is_selected(row)]
    assert len(rows(corpus)) == 12
    written = books(corpus)
    assert (written["records_read"], written["pages"], written["rejected"]) == (12, 12, {})
    assert written["fetch"]["wanted"] == sum(row["length"] for row in rows(corpus))
    assert written["fetch"]["wanted"] <= written["fetch"]["bytes"]
    (run,) = (json.loads(path.read_text()) for path in (corpus / "runs").iterdir())
    of_index = [asked for asked in server.log if asked.path in PARTS]
    assert run["index_fetch"]["requests"] == len(of_index)
    assert run["fetch"] == written["fetch"]
    digest = json.loads((corpus / "corpus.json").read_text())["selection_digest"]
    assert [path.name for path in (corpus / "selection").iterdir()] == [f"{digest}.parquet"]
    names = sorted(path.name for path in (corpus / "shards").iterdir())
    assert names == [f"sel-{digest[:8]}-{a:012d}-{a + 4:012d}.json" for a in (0, 4, 8)]


def test_the_same_command_asks_neither_the_index_nor_for_what_is_committed(
    server: CrawlServer, root: Path, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    server.always[MAIN_PATHS[1]] = Fault(401)
    assert extract(corpus, server.root, f"cc:{MAIN}", *SELECT) == 1
    runs = [json.loads(path.read_text()) for path in (corpus / "runs").iterdir()]
    assert all(MAIN_PATHS[1] in failure["fault"] for failure in runs[0]["failures"])
    done = len(list((corpus / "shards").iterdir()))
    assert 0 < done < 3
    server.always.clear()
    server.log.clear()
    assert extract(corpus, server.root, "cc:latest", "--select", "!host=blog.frett.is tld=is,is") == 0
    assert not [asked for asked in server.log if asked.path in PARTS]
    first = [row for row in rows(corpus) if row["source"].endswith(MAIN_PATHS[0])]
    asked = [asked.first for asked in server.asked(MAIN_PATHS[0])]
    assert len(rows(corpus)) == 12
    assert len(asked) < len(first)
    server.log.clear()
    assert extract(corpus, root, f"cc:{MAIN}", *SELECT) == 0
    assert books(corpus)["balanced"]
    assert server.log == []


def test_a_manifest_that_is_lost_is_made_again(root: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    assert extract(corpus, root, f"cc:{MAIN}", *SELECT, "--sample", "5", "--seed", "3") == 0
    (manifest,) = (corpus / "selection").iterdir()
    before = rows(corpus)
    assert len(before) == 5
    manifest.write_bytes(b"")
    (commit, *_) = (corpus / "shards").iterdir()
    commit.unlink()
    assert extract(corpus, root, f"cc:{MAIN}", *SELECT, "--sample", "5", "--seed", "3") == 0
    assert rows(corpus) == before
    assert extract(corpus, root, f"cc:{MAIN}", *SELECT, "--overwrite") == 0
    assert len(list((corpus / "selection").iterdir())) == 1
    assert len(rows(corpus)) == 12


def test_slices_and_copies_of_the_index(
    server: CrawlServer, root: Path, whole: list[dict[str, Any]], tmp_path: Path
) -> None:
    copy = root / "cc-index/table/cc-main/warc"
    given = ("--slice", "1:", "--index", str(copy), "--limit", "3")
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", *SELECT, *given) == 0
    found = rows(tmp_path / "corpus")
    assert 3 <= len(found) < 8
    assert all(row in whole and not row["source"].endswith(MAIN_PATHS[0]) for row in found)
    assert not [asked for asked in server.log if asked.path in PARTS]


def test_wrong_rows_of_an_index_are_rejects_and_the_books_balance(tmp_path: Path) -> None:
    root = make_index_root(tmp_path / "root")
    wrong = rows_of(root)
    for number, row in enumerate(wrong):
        row["warc_record_offset"] += number % 3 == 0
        row["warc_record_length"] -= number % 3 <= 1
    write_index(root, wrong)
    assert extract(tmp_path / "corpus", root, f"cc:{MAIN}", "--select", "status=200") == 0
    written = books(tmp_path / "corpus")
    assert (written["records_read"], written["pages"]) == (48, 16)
    assert written["rejected"] == {"index_mismatch": 32}
    assert written["balanced"]
    assert {row["reason"] for row in rows(tmp_path / "corpus", "rejects")} == {"index_mismatch"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([f"cc:{MAIN}", "--select", "tld=de"], "no page matches --select tld=de"),
        ([f"cc:{MAIN}", "--select", "tdl=is"], "not a valid selection: at 'tdl=is': no key 'tdl'"),
        ([f"cc:{MAIN}", "--select", 'url~="["'], "not a valid regular expression"),
        ([f"cc:{MAIN}", "--select", "tld=is subset=robotstxt"], "cannot read"),
        ([f"cc:{MAIN}", "--select", "tld=is subset=crawldiagnostics"], "there is no index of"),
        ([f"cc:{NEWS}", "--select", "tld=is"], "--select is for main crawls"),
        (["a.warc.gz", "--select", "tld=is"], "--select is for main crawls"),
        ([f"cc:{MAIN}", "--select", "tld=is", "--watch", "9"], "leave out --watch"),
        ([f"cc:{MAIN}", "--sample", "9"], "write --sample 1%"),
        ([f"cc:{MAIN}", "--index", "x"], "--index is only for --select"),
        ([f"cc:{MAIN}", "--select", "tld=is", "--index", "x"], "there is no index of"),
        ([f"cc:{MAIN}", "--select", "tld=is", "--slice", "9:"], "has 3 lines, none of them in the slice"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(
    arguments: list[str], message: str, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "corpus", root, *arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "corpus").exists()


def test_a_corpus_of_another_selection_is_refused_and_the_index_not_asked(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    assert extract(corpus, server.root, "cc:latest", *SELECT) == 0
    server.log.clear()
    capsys.readouterr()
    assert extract(corpus, server.root, f"cc:{MAIN}", "--select", "tld=com") == 2
    assert "select '!host=blog.frett.is tld=is', now 'tld=com'" in capsys.readouterr().err
    assert extract(corpus, server.root, f"cc:{MAIN}") == 2
    assert not [asked for asked in server.log if asked.path in PARTS]
    described = json.loads((corpus / "corpus.json").read_text())
    described["crawl"] = "CC-MAIN-2025-51"
    (corpus / "corpus.json").write_text(json.dumps(described))
    assert extract(corpus, server.root, "cc:latest", *SELECT) == 2
    assert f"the corpus holds CC-MAIN-2025-51, latest is now {MAIN}: name one" in capsys.readouterr().err


def start(server: CrawlServer, corpus: Path, workers: int) -> ForkedRun:
    """A run of its own, in small shards."""
    command = ["extract", f"cc:{MAIN}", "--crawl-root", server.root, *SELECT, "--output", str(corpus)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cedar.pipelines.extract.selection.SHARD_ROWS", 4)
        return ForkedRun(*command, "--workers", str(workers), "--extractor", "cetr", "--quiet")


def await_stall(server: CrawlServer, process: ForkedRun) -> None:
    """Wait until the last file is asked for, which the server does not send."""
    wait_until(lambda: bool(server.asked(MAIN_PATHS[2])), process)


@pytest.mark.slow
def test_killed_in_the_middle_of_a_selection_it_goes_on_where_it_was(
    server: CrawlServer, whole: list[dict[str, Any]], tmp_path: Path
) -> None:
    server.faults[MAIN_PATHS[2]] = [Fault(cut=200, how="stall")]
    process = start(server, tmp_path / "corpus", workers=1)
    try:
        await_stall(server, process)
    finally:
        kill(process)
    server.log.clear()
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", *SELECT) == 0
    assert rows(tmp_path / "corpus") == [row for row in whole if is_selected(row)]
    assert {asked.path for asked in server.log} == {MAIN_PATHS[2]}
    assert books(tmp_path / "corpus")["balanced"]


def test_a_plan_says_what_would_be_read_and_writes_nothing(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = ["extract", f"cc:{MAIN}", *SELECT, "--crawl-root", server.root, "--plan"]
    assert main([*plan, "--sample", "50"]) == 0
    head, select, fetch = capsys.readouterr().out.splitlines()
    assert re.fullmatch(rf"{MAIN}: 48 pages; index: 2 files, \d+ row groups in question, [0-9.]+ kB .*", head)
    assert select == (
        "select     !host=blog.frett.is tld=is: 12 pages in 3 files (fewer than --sample 50: all)"
    )
    assert re.match(
        r"fetch      6\.\d kB wanted, 2\d\.\d kB with what lies between, 3 requests, \d shards?: at least",
        fetch,
    )
    assert not list(tmp_path.glob("*corpus*"))
    assert not [asked for asked in server.log if asked.path in MAIN_PATHS]


def test_a_plan_of_whole_files_gives_a_range_where_it_does_not_know(
    server: CrawlServer, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", f"cc:{MAIN}", "--crawl-root", server.root, "--slice", "1:", "--plan"]) == 0
    head, pages, fetch = capsys.readouterr().out.splitlines()
    assert head == f"{MAIN}: 3 files, 2 to be read"
    assert pages == "pages      44,000 to 84,000 in 2 files"
    assert fetch.startswith("fetch      1.6 GB to 2.2 GB, 2 requests, 2 shards")
    assert main(["extract", f"cc:{MAIN}", "--select", "tld=is", "--crawl-root", server.root, "--plan"]) == 0
    capsys.readouterr()
    assert main(["extract", f"cc:{MAIN}", "--crawl-root", server.root, "--slice", "1:", "--plan"]) == 0
    # Now the index has been looked at: 48 pages in 3 files.
    assert "pages      24 to 40 in 2 files" in capsys.readouterr().out
    assert main(["extract", f"cc:{MAIN}", "--crawl-root", str(root), "--slice", ":1", "--plan"]) == 0
    _, pages, read = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"read       1\d\.\d kB from this machine, 1 shard", read)
    assert re.fullmatch(r"pages      \d+ in 1 file", pages)


def test_a_dear_question_is_not_asked_for_a_plan(
    server: CrawlServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cedar.pipelines.extract.forecast._MAX_INDEX_BYTES", 100)
    plan = ["extract", f"cc:{MAIN}", "--select", "lang+=isl", "--crawl-root", server.root, "--plan"]
    assert main(plan) == 0
    _, select, advice = capsys.readouterr().out.splitlines()
    assert select == "select     lang+=isl: not asked, at most 48 pages"
    assert "a tld=, a domain= or --slice makes it less" in advice
    assert all(asked.headers["range"].startswith("bytes=-") for asked in server.log if asked.path in PARTS)


def test_a_column_that_the_index_lacks_is_named_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_index_root(tmp_path / "root", pages=2)
    write_index(root, rows_of(root), without="content_languages")
    assert extract(tmp_path / "corpus", root, f"cc:{MAIN}", "--select", "lang=isl") == 2
    assert "the index of this crawl has no column content_languages" in capsys.readouterr().err
    assert not (tmp_path / "corpus").exists()


def test_what_takes_long_is_told_of(
    server: CrawlServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cedar.pipelines.extract.selection._PROGRESS_SECONDS", 0.0)
    server.faults[PARTS[1]] = [Fault(503, {"Retry-After": "90"})]
    plan = ["extract", f"cc:{MAIN}", "--select", "tld=is", "--crawl-root", server.root, "--plan"]
    assert main(plan) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "index: 1 of 2 footers",
        "waiting 90 s for a web server: 503",
        "index: 2 of 2 footers",
        "index: 1 of 2 files asked",
        "index: 2 of 2 files asked",
    ]
    assert main([*plan, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_a_worker_that_is_killed_in_the_middle_of_a_selection_costs_nothing(
    server: CrawlServer, whole: list[dict[str, Any]], tmp_path: Path
) -> None:
    server.faults[MAIN_PATHS[2]] = [Fault(cut=200, how="stall")]
    process = start(server, tmp_path / "corpus", workers=2)
    try:
        await_stall(server, process)
        for worker in psutil.Process(process.pid).children():
            with suppress(psutil.NoSuchProcess):
                worker.kill()
        assert process.wait(60) == 0
    finally:
        kill(process)
    assert rows(tmp_path / "corpus") == [row for row in whole if is_selected(row)]
    assert books(tmp_path / "corpus")["balanced"]
