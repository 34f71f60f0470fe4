"""Files of HTML: named, and below a directory, which is one input whatever the number of its files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from tests.extract.runs import extract
from tests.helpers.corpus import books, last_run
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import article
from tests.helpers.held_runs import held_run
from tests.helpers.processes import kill

NAMES = ("index.html", "a/b c.html", "a/ü.htm", "news/2026/x.xhtml", "z.HTML")


def write_site(site: Path, number: int = 0) -> Path:
    for n, name in enumerate((*NAMES, *(f"many/{n:04d}.html" for n in range(number)))):
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(article(n))
        os.utime(path, (1_769_860_800 + n, 1_769_860_800 + n))
    (site / "style.css").write_text("p {}", encoding="utf-8")
    return site


def in_order(corpus: Path) -> list[dict[str, Any]]:
    return sorted(page_rows(corpus), key=lambda row: row["source"])


def test_a_directory_gives_a_page_a_file(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site")
    assert extract(site, tmp_path / "corpus") == 0
    rows = in_order(tmp_path / "corpus")
    assert [row["source"] for row in rows] == sorted(str(site / name) for name in NAMES)
    assert [row["url"] for row in rows] == [Path(row["source"]).as_uri() for row in rows]
    assert {row["media_type"] for row in rows} == {"text/html", "application/xhtml+xml"}
    (first,) = (row for row in rows if row["source"].endswith("/index.html"))
    assert (first["title"], first["status"], first["offset"]) == ("Page 0", None, 0)
    assert first["length"] == first["html_bytes"] == len(article(0))
    assert first["fetched_at"].timestamp() == 1_769_860_800
    (shard,) = (tmp_path / "corpus" / "shards").iterdir()
    assert json.loads(shard.read_text())["records_read"] == len(NAMES)


def test_urls_are_made_of_a_base_and_the_path_below_the_directory(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site")
    assert extract(site, tmp_path / "corpus", "--base-url", "https://x.example/") == 0
    urls = {row["url"] for row in page_rows(tmp_path / "corpus")}
    assert urls == {
        "https://x.example/index.html",
        "https://x.example/a/b%20c.html",
        "https://x.example/a/%C3%BC.htm",
        "https://x.example/news/2026/x.xhtml",
        "https://x.example/z.HTML",
    }
    named = site / "a" / "b c.html"
    assert extract(named, tmp_path / "one", "--base-url", "https://x.example/") == 0
    assert [row["url"] for row in page_rows(tmp_path / "one")] == ["https://x.example/b%20c.html"]


def test_choices_of_pages_hold_for_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = write_site(tmp_path / "site", 40)
    (site / "empty.html").touch()
    corpus = tmp_path / "corpus"
    assert extract(site, corpus, "--url-include", "many|empty", "--url-exclude", "0003") == 0
    assert books(corpus)["rejected"] == {"url_filter": len(NAMES) + 1, "empty_body": 1}
    assert books(corpus)["pages"] == 39
    assert extract(site, tmp_path / "few", "--limit", "7") == 0
    assert books(tmp_path / "few")["pages"] == 7
    assert main(["extract", str(site), "--plan"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "pages      46 in 46 files"


@pytest.mark.slow
def test_a_run_that_was_killed_ends_with_the_rows_of_an_undisturbed_one(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site", 400)
    options = ("--split-size", "64KiB", "--workers", "1")
    assert extract(site, tmp_path / "expected", *options) == 0
    expected = in_order(tmp_path / "expected")
    assert len(expected) == 400 + len(NAMES)
    corpus = tmp_path / "corpus"
    with held_run("extract", str(site), "--output", str(corpus), *options, after=2) as (run, _):
        kill(run)
    assert extract(site, corpus, *options) == 0
    assert last_run(corpus)["done_before"] >= 2
    assert in_order(corpus) == expected
    assert books(corpus)["balanced"]


def test_a_directory_that_changed_is_read_again_only_when_asked_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = write_site(tmp_path / "site")
    corpus = tmp_path / "corpus"
    assert extract(site, corpus) == 0
    assert extract(site, corpus) == 0
    (site / "new.html").write_bytes(article(99))
    assert extract(site, corpus) == 2
    assert "changed since it was read: --refresh reads it again" in capsys.readouterr().err
    assert extract(site, corpus, "--refresh") == 0
    assert len(page_rows(corpus)) == len(NAMES) + 1


def test_links_are_followed_once(tmp_path: Path) -> None:
    site = write_site(tmp_path / "site")
    (site / "link.html").symlink_to(site / "index.html")
    (site / "dead.html").symlink_to(site / "nowhere.html")
    assert extract(site, tmp_path / "corpus") == 0
    assert len(page_rows(tmp_path / "corpus")) == len(NAMES)


def test_a_page_of_such_a_corpus_is_found_by_its_url(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = write_site(tmp_path / "site")
    assert extract(site, tmp_path / "corpus", "--base-url", "https://x.example/") == 0
    assert main(["text", str(tmp_path / "corpus"), "--url", "https://x.example/index.html"]) == 0
    assert "Paragraph 3 of page 0" in capsys.readouterr().out
