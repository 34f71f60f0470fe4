"""`cedar extract cc:NAME`: whole crawls, slices and samples of them, over whatever root."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.transforms.files.http_client import Web
from tests.helpers.crawl_root import MAIN, MAIN_PATHS, NEWS, NEWS_PATHS, NEXT
from tests.helpers.crawl_server import CrawlServer, FakeClock, Fault
from tests.helpers.processes import ForkedRun, kill, wait_for_shards, wait_until

PUBLIC = "https://data.commoncrawl.org/"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache of its own, and no waiting."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("cedar.transforms.runtime.worker_progress.WorkerProgress.sleep", lambda *_: None)
    monkeypatch.setattr("cedar.transforms.files.http_client.sleep_silently", lambda *_: None)


def extract(output: Path, root: object, *arguments: str) -> int:
    base = ["extract", *arguments, "--output", str(output), "--workers", "1", "--extractor", "cetr"]
    return main([*base, "--crawl-root", str(root)])


def sources(corpus: Path) -> list[str]:
    commits = (corpus / "shards").iterdir()
    return sorted(json.loads(path.read_text())["source"].removeprefix(PUBLIC) for path in commits)


def urls(corpus: Path) -> list[str]:
    return sorted(url for p in (corpus / "pages").iterdir() for url in pq.read_table(p)["url"].to_pylist())


def last_run(corpus: Path) -> dict[str, Any]:
    runs = [json.loads(path.read_text()) for path in (corpus / "runs").iterdir()]
    return max(runs, key=lambda run: (run["started_at"], run["done_before"]))


@pytest.mark.slow
def test_rows_of_a_crawl_are_those_of_its_files_and_each_is_one_request(
    root: Path, server: CrawlServer, tmp_path: Path
) -> None:
    assert extract(tmp_path / "web", server.root, f"cc:{MAIN}") == 0
    assert extract(tmp_path / "folder", root, f"cc:{MAIN}") == 0
    assert urls(tmp_path / "web") == urls(tmp_path / "folder")
    assert len(urls(tmp_path / "web")) == 12
    assert sources(tmp_path / "web") == list(MAIN_PATHS)
    for path in MAIN_PATHS:
        assert [asked.headers["range"] for asked in server.asked(path)] == ["bytes=0-"]
    names = sorted(path.name for path in (tmp_path / "web" / "shards").iterdir())
    assert all(name.endswith("-000000000000-whole.json") for name in names)
    assert names == sorted(path.name for path in (tmp_path / "folder" / "shards").iterdir())
    commit = json.loads((tmp_path / "web" / "shards" / names[0]).read_text())
    assert (commit["size"], commit["etag"]) == (len(server.files[MAIN_PATHS[0]]), '"v1"')
    assert last_run(tmp_path / "web")["crawls"][0]["crawl"] == MAIN


def test_a_corpus_begun_over_the_web_goes_on_from_a_folder(
    root: Path, server: CrawlServer, tmp_path: Path
) -> None:
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", "0:2") == 0
    assert extract(tmp_path / "corpus", root, f"cc:{MAIN}") == 0
    assert sources(tmp_path / "corpus") == list(MAIN_PATHS)
    assert last_run(tmp_path / "corpus")["done_before"] == 2


def test_slices_and_samples_choose_files(root: Path, tmp_path: Path) -> None:
    assert extract(tmp_path / "slice", root, f"cc:{MAIN}", f"cc:{NEWS}", "--slice", ":1") == 0
    assert sources(tmp_path / "slice") == [MAIN_PATHS[0], NEWS_PATHS[0]]
    assert extract(tmp_path / "one", root, "cc:latest", "--sample-files", "1", "--seed", "7") == 0
    assert extract(tmp_path / "two", root, "cc:latest", "--sample-files", "2", "--seed", "7") == 0
    assert set(sources(tmp_path / "one")) < set(sources(tmp_path / "two"))
    assert extract(tmp_path / "limit", root, "cc:latest", "--sample-files", "1", "--limit", "2") == 0
    assert 2 <= len(urls(tmp_path / "limit")) <= 4


def test_a_refusal_by_the_root_is_waited_out(
    server: CrawlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    monkeypatch.setattr(
        "cedar.transforms.read.Web",
        lambda options, pace, _: Web(options, pace, clock.sleep, now=clock.now),
    )
    server.faults[MAIN_PATHS[0]] = [Fault(403)]
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", ":1") == 0
    fetch = json.loads((tmp_path / "corpus" / "run.json").read_text())["fetch"]
    assert fetch["retries"] == {"403": 1}
    assert fetch["waited"] > 59


def test_a_file_that_is_gone_fails_alone(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.always[MAIN_PATHS[1]] = Fault(404)
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}") == 1
    assert f"{PUBLIC}{MAIN_PATHS[1]}: FileNotFoundError: no such file" in capsys.readouterr().err
    assert sources(tmp_path / "corpus") == [MAIN_PATHS[0], MAIN_PATHS[2]]


@pytest.mark.parametrize(
    "answer", [b"<html><p>Sign in</html>", b"", gzip.compress(b"<p>Sign in")], ids=("html", "nothing", "gzip")
)
def test_a_file_of_a_crawl_that_is_answered_with_another_thing_is_a_fault_and_asked_again(
    answer: bytes, server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = server.files[MAIN_PATHS[1]]
    server.files[MAIN_PATHS[1]] = answer
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}") == 1
    assert sources(tmp_path / "corpus") == [MAIN_PATHS[0], MAIN_PATHS[2]]
    assert "a login page" in capsys.readouterr().err
    server.files[MAIN_PATHS[1]] = right
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}") == 0
    assert sources(tmp_path / "corpus") == list(MAIN_PATHS)


def test_refresh_reads_again_what_has_changed(server: CrawlServer, tmp_path: Path) -> None:
    choice = (f"cc:{MAIN}", "--slice", ":2")
    assert extract(tmp_path / "corpus", server.root, *choice) == 0
    server.etags[MAIN_PATHS[0]] = '"v2"'
    server.files[MAIN_PATHS[0]] = server.files[MAIN_PATHS[2]]
    before = urls(tmp_path / "corpus")
    assert extract(tmp_path / "corpus", server.root, *choice) == 0
    assert urls(tmp_path / "corpus") == before
    assert extract(tmp_path / "corpus", server.root, *choice, "--refresh") == 0
    after = urls(tmp_path / "corpus")
    assert len(after) == len(before)
    assert "https://crawl.example/20" in after
    assert "https://crawl.example/0" not in after
    assert extract(tmp_path / "corpus", server.root, *choice) == 0
    assert last_run(tmp_path / "corpus")["missing"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["cc:CC-MAIN-2026-05"], f"no crawl CC-MAIN-2026-05; near it: {MAIN}, {NEXT}"),
        ([f"cc:{MAIN}", "--slice", "9:"], f"the listing of {MAIN} has 3 lines, none of them in the slice"),
        ([f"cc:{MAIN}", "--prefix", "s3://x/"], "--prefix is for the lines of a list"),
        (["cc:nonsense"], "not a valid crawl: 'nonsense'"),
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


def test_crawls_are_listed_newest_first(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CEDAR_CC_ROOT", str(root))
    assert main(["crawls"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "CC-MAIN-2026-08    2026-02-06 to 2026-02-19 February 2026 Index",
        "CC-MAIN-2026-04    2026-01-12 to 2026-01-25 January 2026 Index",
        "CC-MAIN-2013-20                             Summer 2013 Index",
    ]
    assert main(["crawls", "--json"]) == 0
    first, *_, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {
        "name": "CC-MAIN-2026-08",
        "begun": first["begun"],
        "ended": first["ended"],
        "title": "February 2026 Index",
    }
    assert (last["begun"], last["ended"]) == (None, None)


def test_sources_of_a_crawl_are_found_below_another_root(
    server: CrawlServer, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["text", PUBLIC + MAIN_PATHS[0], "--url", "https://crawl.example/3"]
    assert main([*arguments, "--crawl-root", server.root]) == 0
    assert "of page 3 says" in capsys.readouterr().out


@pytest.mark.slow
def test_killed_in_the_middle_of_a_file_it_goes_on_and_fetches_nothing_twice_that_is_committed(
    root: Path, server: CrawlServer, tmp_path: Path
) -> None:
    assert extract(tmp_path / "quiet", root, f"cc:{MAIN}") == 0
    server.faults[MAIN_PATHS[2]] = [Fault(cut=1000, how="stall")]
    corpus = tmp_path / "corpus"
    command = ["extract", f"cc:{MAIN}", "--crawl-root", server.root, "--output", str(corpus)]
    process = ForkedRun(*command, "--workers", "2", "--extractor", "cetr", "--quiet")
    try:
        wait_until(lambda: bool(server.asked(MAIN_PATHS[2])), process)
        wait_for_shards(corpus, 2, process)
    finally:
        kill(process)
    server.log.clear()
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}") == 0
    assert urls(tmp_path / "corpus") == urls(tmp_path / "quiet")
    assert [asked.path for asked in server.log if asked.path in MAIN_PATHS] == [MAIN_PATHS[2]]
    books = json.loads((tmp_path / "corpus" / "run.json").read_text())
    assert books["balanced"]
    assert books["records_read"] == json.loads((tmp_path / "quiet" / "run.json").read_text())["records_read"]


def test_offline_nothing_is_asked(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", ":1") == 0
    server.log.clear()
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", ":1", "--offline") == 0
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--offline") == 1
    assert "is not contacted; leave out --offline" in capsys.readouterr().err
    assert extract(tmp_path / "other", server.root, f"cc:{NEWS}", "--offline") == 2
    assert server.log == []


def test_a_root_that_refuses_for_an_hour_ends_the_run(
    server: CrawlServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cedar.transforms.files.pace._REFUSED_SECONDS", 0.0)
    for path in MAIN_PATHS:
        server.always[path] = Fault(403)
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", ":1") == 1
    assert "has refused all requests for an hour (403): try again tomorrow" in capsys.readouterr().err
    assert not list((tmp_path / "corpus" / "shards").glob("*"))


def test_a_run_says_first_what_it_will_take(
    server: CrawlServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", ":1") == 0
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == [f"{MAIN}: 3 files, 1 to be read", "pages      22,000 to 42,000 in 1 file"]
    assert [line.split()[0] for line in told[2:]] == ["fetch"]
    assert extract(tmp_path / "corpus", server.root, f"cc:{MAIN}", "--slice", ":1") == 0
    assert capsys.readouterr().err == ""
