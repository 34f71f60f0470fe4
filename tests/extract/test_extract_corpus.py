"""`cedar extract` from end to end: rows, books, resume, and what is refused."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from tests.extract.runs import FILES, PAGES, assert_whole, extract
from tests.helpers.corpus import books, contents, last_run
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--workers", "2"), ("--format", "avro", "--workers", "1")])
def test_workers_and_format_do_not_change_the_rows(
    options: tuple[str, ...], crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, *options) == 0
    assert_whole(corpus, expected)


def test_a_run_into_a_whole_corpus_does_nothing(
    crawl: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, "--workers", "1") == 0
    before = {p: p.stat().st_mtime_ns for p in corpus.rglob("pages/*")}
    assert extract(crawl, corpus, "--workers", "1") == 0
    assert {p: p.stat().st_mtime_ns for p in corpus.rglob("pages/*")} == before
    assert last_run(corpus)["done_before"] == FILES
    assert last_run(corpus)["pages"] == 0
    assert_whole(corpus, expected)


def test_overwrite_starts_afresh_with_other_options(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    one = crawl / "00000.warc.gz"
    assert extract(one, corpus, "--workers", "1") == 0
    assert extract(one, corpus, "--extractor", "keep-all") == 2
    assert extract(one, corpus, "--extractor", "keep-all", "--overwrite") == 0
    rows = page_rows(corpus)
    assert {row["extractor"] for row in rows} == {"keep-all"}
    assert {row["content_ratio"] for row in rows} == {1.0}
    assert len(list((corpus / "pages").iterdir())) == 1


def test_changed_input_is_refused_until_refresh(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, path = tmp_path / "corpus", tmp_path / "a.warc.gz"
    write_warc(path, 3)
    assert extract(path, corpus) == 0
    write_warc(path, 4, first=50)
    assert extract(path, corpus) == 2
    assert "--refresh" in capsys.readouterr().err
    assert len(page_rows(corpus)) == 3
    assert extract(path, corpus, "--refresh") == 0
    assert [row["title"] for row in page_rows(corpus)] == ["Page 50", "Page 51", "Page 52", "Page 53"]
    assert len(list((corpus / "shards").iterdir())) == 1


def test_a_refused_run_has_changed_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "corpus"
    for name in ("a", "b"):
        write_warc(tmp_path / "in" / f"{name}.warc.gz", 3)
    assert extract(tmp_path / "in", corpus) == 0
    next((corpus / "pages").glob("a-*")).unlink()
    begun = corpus / "_tmp" / f"{1:032x}.lock"  # of a process that is gone
    begun.parent.mkdir()
    begun.touch()
    write_warc(tmp_path / "in" / "b.warc.gz", 4, first=50)
    before = contents(corpus)
    assert extract(tmp_path / "in", corpus, "--extractor", "keep-all") == 2
    assert contents(corpus) == before
    begun.unlink()
    begun.parent.rmdir()
    before = contents(corpus)
    assert extract(tmp_path / "in", corpus) == 2
    assert "b.warc.gz changed since it was read" in capsys.readouterr().err
    assert contents(corpus) == before


def test_lost_output_is_made_anew(crawl: Path, expected: list[dict[str, Any]], tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, "--workers", "1") == 0
    next((corpus / "pages").iterdir()).unlink()
    assert extract(crawl, corpus, "--workers", "1") == 0
    assert last_run(corpus)["pages"] == PAGES
    assert_whole(corpus, expected)


def test_output_without_a_commit_is_named_and_deleted(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "corpus"
    one = crawl / "00000.warc.gz"
    assert extract(one, corpus) == 0
    (corpus / "pages" / "stray-00000000-000000000000-000000000001.parquet").write_bytes(b"x")
    assert extract(one, corpus) == 0
    assert "deleted pages/stray-" in capsys.readouterr().err
    assert len(list((corpus / "pages").iterdir())) == 1


def test_limit_stops_after_about_so_many_pages(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, "--limit", "50", "--workers", "1") == 0
    assert books(corpus)["pages"] == 80
    assert books(corpus)["balanced"]
    assert extract(crawl, corpus, "--limit", "50", "--workers", "1") == 0
    assert books(corpus)["pages"] == 80
    assert extract(crawl, corpus, "--workers", "1") == 2
    small = tmp_path / "small"
    assert extract(crawl, small, "--limit", "7", "--workers", "1") == 0
    assert books(small)["pages"] == 7
    ruled = tmp_path / "ruled"
    assert extract(crawl, ruled, "--limit", "7", "--workers", "1", "--keep", "words < 0") == 0
    assert books(ruled)["dropped"] == {"keep: words < 0": 7}
    assert extract(crawl, ruled, "--limit", "7", "--workers", "1", "--keep", "words < 0") == 0
    assert books(ruled)["records_read"] < 30


def test_filters_and_reject_rows(crawl: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    one = crawl / "00000.warc.gz"
    filters = ["--status", "404", "--url-include", "/1.*gone", "--url-exclude", "15", "--reject-rows", "all"]
    assert extract(one, corpus, *filters) == 0
    assert [row["url"] for row in page_rows(corpus)] == ["https://crawl.example/10/gone"]
    rejects = pq.read_table(next((corpus / "rejects").iterdir())).to_pylist()
    reasons = [row["reason"] for row in rejects]
    assert reasons.count("not_response") == 9
    assert reasons.count("url_filter") == 47
    assert books(corpus)["records_read"] == len(rejects) + 1


def test_offsets_in_rows_lead_back_to_the_record(crawl: Path, expected: list[dict[str, Any]]) -> None:
    from warcio.archiveiterator import ArchiveIterator

    for row in expected[::37]:
        with open(row["source"], "rb") as file:
            file.seek(row["offset"])
            record = next(iter(ArchiveIterator(file)))
            assert record.rec_headers.get_header("WARC-Target-URI") == row["url"]
            assert record.rec_headers.get_header("WARC-Record-ID") == f"<{row['record_id']}>"


@pytest.mark.slow
def test_a_fault_of_reading_is_retried_named_and_never_committed(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cedar.transforms.files.local import LocalStorage

    tries: list[str] = []
    real_open = LocalStorage.open

    def faulty_open(self: LocalStorage, path: str) -> Any:
        if (
            path.endswith(("00002.warc.gz", "00003.warc.gz"))
            and sys._getframe(2).f_code.co_name == "read_file"
        ):
            tries.append(Path(path).name)
            if path.endswith("00002.warc.gz") or tries.count("00003.warc.gz") < 3:
                raise OSError(5, "Input/output error")
        return real_open(self, path)

    monkeypatch.setattr(LocalStorage, "open", faulty_open)
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, "--workers", "1") == 1
    assert "failed: " in (errors := capsys.readouterr().err)
    assert "00002.warc.gz: OSError: [Errno 5] Input/output error" in errors
    assert "Traceback" not in errors
    assert len(list((corpus / "shards").iterdir())) == FILES - 1
    assert books(corpus)["balanced"]
    assert [f["source"].endswith("00002.warc.gz") for f in last_run(corpus)["failures"]] == [True]


@pytest.mark.slow
def test_full_disk_is_a_fault_and_costs_nothing_else(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cedar.transforms.files.local import LocalStorage

    real_create = LocalStorage.create

    def full(self: LocalStorage, path: str) -> Any:
        if "00001-" in path and ".pages." in path:
            raise OSError(28, "No space left on device")
        return real_create(self, path)

    monkeypatch.setattr(LocalStorage, "create", full)
    corpus = tmp_path / "corpus"
    assert extract(crawl, corpus, "--workers", "1") == 1
    assert "No space left on device" in capsys.readouterr().err
    assert books(corpus)["pages"] == (FILES - 1) * PAGES


def test_output_that_cannot_be_written_ends_with_2(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert extract(crawl, tmp_path / "file") == 2
    said = f"cannot write {tmp_path}/file: Not a directory (choose a place where you may write)"
    assert said in capsys.readouterr().err
    (tmp_path / "other" / "pages").mkdir(parents=True)
    (tmp_path / "other" / "pages" / "mine.txt").write_text("precious")
    assert extract(crawl, tmp_path / "other") == 2
    assert "no corpus.json" in capsys.readouterr().err
    assert extract(crawl, tmp_path / "other", "--overwrite") == 2
    assert (tmp_path / "other" / "pages" / "mine.txt").read_text() == "precious"


def test_damaged_files_are_rejects_and_exit_0(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "empty.warc.gz").write_bytes(b"")
    (tmp_path / "in" / "noise.warc.gz").write_bytes(os.urandom(0) + bytes(range(256)) * 40)
    whole = write_warc(tmp_path / "in" / "cut.warc.gz", 10).read_bytes()
    (tmp_path / "in" / "cut.warc.gz").write_bytes(whole[: len(whole) * 2 // 3])
    corpus = tmp_path / "corpus"
    assert extract(tmp_path / "in", corpus) == 0
    assert books(corpus)["balanced"]
    assert books(corpus)["rejected"]["not_an_archive"] == 2
    assert 5 <= books(corpus)["pages"] <= 8


def test_closing_table_and_progress_lines(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = str(crawl / "00000.warc.gz")
    assert main(["extract", one, "--output", str(tmp_path / "corpus")]) == 0
    out, err = capsys.readouterr()
    lines = {line.rsplit(maxsplit=1)[0].strip(): line.split()[-1] for line in out.splitlines() if line}
    assert (lines["records read"], lines["pages read"], lines["status"]) == ("57", "40", "8")
    assert "space saved" in out
    assert re.search(r"CPU time +[0-9.]+ s, [0-9.]+ s of it start-up\n", out)
    assert err == ""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_times_of_a_run_hold_those_of_guarded_children_and_worker_processes(
    workers: str, crawl: Path, tmp_path: Path
) -> None:
    options = ("--extractor", "cetd-ds", "--workers", workers)
    assert extract(crawl / "0000[01].warc.gz", tmp_path / "corpus", *options) == 0
    (path,) = (tmp_path / "corpus" / "runs").iterdir()
    run = json.loads(path.read_text())
    stages = {stage: cost["cpu"] for stage, cost in run["seconds"].items()}
    assert list(stages) == ["read", "decode", "extract", "write"]
    assert all(cost["wall"] > 0 for cost in run["seconds"].values())
    # Sending a page to the child and waiting for it costs the worker far less than that.
    assert stages["extract"] / run["pages"] > 0.00005
    assert run["rest_seconds"] > 0
    assert run["cpu_seconds"] == pytest.approx(sum(stages.values()) + run["rest_seconds"], abs=0.002)


def test_quiet_prints_nothing(crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert extract(crawl / "00000.warc.gz", tmp_path / "corpus") == 0
    assert capsys.readouterr() == ("", "")


def test_summary_of_a_shard_says_all_that_is_promised(crawl: Path, tmp_path: Path) -> None:
    corpus, one = tmp_path / "corpus", crawl / "00000.warc.gz"
    assert extract(one, corpus) == 0
    (path,) = (corpus / "shards").iterdir()
    summary = json.loads(path.read_text())
    assert set(summary) == {
        "schema", "name", "source", "size", "mtime", "mark", "start", "stop", "first_offset", "next_offset",
        "records_read", "pages", "dropped", "rejected", "bytes", "seconds", "finished_at", "attempt", "files",
        "table", "version", "judged", "masked", "blocked", "fetch", "options_digest", "corpus_id",
    }  # fmt: skip
    size = one.stat().st_size
    assert (summary["source"], summary["size"], summary["stop"]) == (str(one), size, size)
    assert (summary["first_offset"], summary["next_offset"]) == (0, size)
    assert summary["records_read"] == 57 == summary["pages"] + sum(summary["rejected"].values())
    assert set(summary["bytes"]) == {"in", "html", "html_read", "text"}
    assert summary["bytes"]["in"] == size
    assert set(summary["seconds"]) == {"read", "decode", "extract", "write"}
    identity = json.loads((corpus / "corpus.json").read_text())
    assert (summary["options_digest"], summary["table"]) == (identity["options_digest"], identity["table"])
    for name, file in summary["files"].items():
        assert (corpus / name).stat().st_size == file["bytes"]
        assert pq.read_metadata(corpus / name).num_rows == file["rows"]
