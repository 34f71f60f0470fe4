"""Lines that many pages of a host have go from the kept pages, but for the first: all, and nothing else."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.dedup import command as command_module
from cedar.pipelines.dedup import plan as plan_module
from tests.dedup.corpora import Kind, Made, words, write_corpus
from tests.dedup.results import dedup, refused
from tests.helpers.corpus import rows as page_rows

NOTICE = "All rights reserved by the makers of this site."
LINES = ("--write", "--lines")


def sentence(seed: int) -> str:
    """A line that no other seed has."""
    return " ".join(words(seed, 12))


def page(host: str, number: int, *lines: str) -> Made:
    """A page with lines of its own around some others."""
    seed = 1000 * sum(map(ord, host)) + 10 * number
    own = [sentence(seed + n) for n in range(4)]
    return Made("\n".join([*own[:2], *lines, *own[2:]]), f"https://{host}/{number}")


def texts(result: Path) -> dict[str, str]:
    return {row["url"]: row["text"] for row in page_rows(result / "corpus")}


def common_lines(result: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted((result / "lines").glob("*/*.parquet")):
        found += pq.read_table(path).to_pylist()
    return found


def test_a_line_on_three_pages_of_a_host_goes_but_for_the_first(tmp_path: Path) -> None:
    twice = "This line is on two pages of the first host."
    pages = [page("a.example", n, NOTICE, *([twice] if n < 2 else [])) for n in range(4)]
    others = [page("b.example", n, NOTICE) for n in range(2)]
    corpus = write_corpus(tmp_path / "c", [pages[:2], [*pages[2:], *others]])
    assert dedup(corpus, "--output", tmp_path / "r", *LINES) == 0
    found = texts(tmp_path / "r")
    for made in (pages[0], *others):
        assert found[str(made.url)] == made.text
    for made in pages[1:]:
        assert found[str(made.url)] == made.text.replace(f"{NOTICE}\n", "")
    assert common_lines(tmp_path / "r") == [
        {"host": "a.example", "line": NOTICE, "pages": 4, "url": "https://a.example/0"}
    ]
    books = json.loads((tmp_path / "r" / "run.json").read_text())
    assert books["lines"] == {"lines": 1, "removed": 3, "changed": 3, "dropped": 0}
    removed = {row["url"]: row["lines_removed"] for row in page_rows(tmp_path / "r" / "corpus")}
    assert [removed[str(made.url)] for made in (*pages, *others)] == [0, 1, 1, 1, 0, 0]
    assert main(["check", str(tmp_path / "r" / "corpus")]) == 0


def test_by_corpus_lines_of_all_hosts_count_and_none_keeps_them_nowhere(tmp_path: Path) -> None:
    pages = [page(f"{n}.example", n, NOTICE) for n in range(3)]
    corpus = write_corpus(tmp_path / "c", [pages])
    options = ("--lines-by", "corpus", "--lines-keep", "none")
    assert dedup(corpus, "--output", tmp_path / "r", *LINES, *options) == 0
    assert not any(NOTICE in text for text in texts(tmp_path / "r").values())
    assert dedup(corpus, "--output", tmp_path / "four", *LINES, *options, "--lines-pages", 4) == 0
    assert all(NOTICE in text for text in texts(tmp_path / "four").values())


def test_short_lines_and_lines_of_duplicates_stay(tmp_path: Path) -> None:
    short = "Read more about it."
    assert len(short) == 19
    pages = [page("a.example", n, short) for n in range(5)]
    copies = [Made(pages[0].text, f"https://a.example/copy/{n}") for n in range(5)]
    corpus = write_corpus(tmp_path / "c", [[*copies, *pages]])
    assert dedup(corpus, "--output", tmp_path / "r", *LINES) == 0
    found = texts(tmp_path / "r")
    assert len(found) == 5
    assert set(found.values()) == {made.text for made in pages}
    assert not common_lines(tmp_path / "r")


def test_lines_of_pages_that_a_filter_marked_are_not_counted_and_stay(tmp_path: Path) -> None:
    marked = [
        Made(made.text, made.url, drop_reason="keep: words > 1")
        for made in (page("a.example", n, NOTICE) for n in range(3))
    ]
    kept = [page("a.example", n, NOTICE) for n in range(3, 5)]
    corpus = write_corpus(tmp_path / "c", [[*marked, *kept]], Kind(drops=True))
    assert dedup(corpus, "--output", tmp_path / "r", *LINES) == 0
    assert texts(tmp_path / "r") == {made.url: made.text for made in (*marked, *kept)}


def test_a_page_that_would_lose_more_than_half_is_a_reject_with_the_reason(tmp_path: Path) -> None:
    menu = [sentence(seed) for seed in range(9)]
    pages = [page("a.example", n, *menu) for n in range(3)]
    corpus = write_corpus(tmp_path / "c", [pages])
    assert dedup(corpus, "--output", tmp_path / "r", *LINES, "--by", "text") == 0
    assert list(texts(tmp_path / "r")) == [pages[0].url]
    rejects = page_rows(tmp_path / "r" / "corpus", "rejects")
    assert [(row["url"], row["reason"]) for row in rejects] == [(made.url, "filtered") for made in pages[1:]]
    assert all("lines that many pages have" in row["detail"] for row in rejects)
    books = json.loads((tmp_path / "r" / "run.json").read_text())
    assert books["lines"] == {"lines": 9, "removed": 0, "changed": 0, "dropped": 2}


def test_measures_of_a_text_are_of_what_is_written(tmp_path: Path) -> None:
    pages = [page("a.example", n, NOTICE) for n in range(3)]
    corpus = write_corpus(tmp_path / "c", [pages], Kind(language=True, signals=True))
    assert dedup(corpus, "--output", tmp_path / "r", *LINES) == 0
    written = {row["url"]: row for row in page_rows(tmp_path / "r" / "corpus")}
    same = [Made(written[str(made.url)]["text"], made.url) for made in pages]
    anew = write_corpus(tmp_path / "anew", [same], Kind(language=True, signals=True))
    for row in page_rows(anew):
        there = written[row["url"]]
        for name in ("text_digest", "text_chars", "cedar_words", "sentences", "top_2gram"):
            assert there[name] == row[name], name
        assert there["words"] == len(row["text"].split()) or not there["lines_removed"]


def test_lines_in_the_result_are_masked_as_the_pages_are(tmp_path: Path) -> None:
    contact = "Write to editors@news.example.com for all else."
    pages = [page("a.example", n, contact) for n in range(3)]
    corpus = write_corpus(tmp_path / "c", [pages])
    assert dedup(corpus, "--output", tmp_path / "r", *LINES, "--mask", "email") == 0
    assert [row["line"] for row in common_lines(tmp_path / "r")] == ["Write to <EMAIL> for all else."]
    assert sum("<EMAIL>" in text for text in texts(tmp_path / "r").values()) == 1


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of hosts with lines of their own on many pages."""
    chance = random.Random(3)
    pages = []
    for host in range(12):
        menus = [sentence(10**6 + 10 * host + n) for n in range(5)]
        pages += [page(f"{host}.example", n, *chance.sample(menus, chance.randrange(3))) for n in range(20)]
    chance.shuffle(pages)
    shards = [pages[start : start + 40] for start in range(0, len(pages), 40)]
    return write_corpus(tmp_path_factory.mktemp("sites") / "c", shards)


@pytest.mark.parametrize("options", [("--workers", 1), ("--memory", "16KiB", "--workers", 2)])
def test_neither_workers_nor_memory_change_what_goes(
    options: tuple[object, ...], sites: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan_module, "_SHARE_BYTES", 4 << 10)  # so that there are several packs
    assert dedup(sites, "--output", tmp_path / "r", *LINES, *options) == 0
    seen: dict[tuple[str, str], int] = {}
    for row in page_rows(sites):
        host = row["url"].split("/")[2]
        for line in row["text"].split("\n"):
            seen[host, line] = seen.get((host, line), 0) + 1
    common = {key: count for key, count in seen.items() if count >= 3}
    found = common_lines(tmp_path / "r")
    assert {(row["host"], row["line"]): row["pages"] for row in found} == common
    firsts: set[tuple[str, str]] = set()
    left = texts(tmp_path / "r")
    for before in page_rows(sites):
        host = before["url"].split("/")[2]
        lines = []
        for line in before["text"].split("\n"):
            if (host, line) not in firsts:
                lines.append(line)
            if (host, line) in common:
                firsts.add((host, line))
        assert left[before["url"]] == "\n".join(lines)


@pytest.fixture(scope="module")
def whole(sites: Path) -> Path:
    """The result of a run that nothing disturbed."""
    assert dedup(sites, "--output", sites.parent / "whole", *LINES) == 0
    return sites.parent / "whole"


@pytest.mark.parametrize("step", ["lines", "common", "write"])
def test_a_run_that_is_cut_short_goes_on_to_the_same_lines(
    step: str, sites: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = (*LINES, "--workers", 1, "--memory", "64KiB")
    work, calls = command_module._STEPS[step].work, []

    def dies(plan: Any, number: int, slot: Any) -> None:
        calls.append(number)
        if len(calls) > 1:
            raise OSError(5, "the machine failed")
        work(plan, number, slot)

    monkeypatch.setattr(plan_module, "_SHARE_BYTES", 4 << 10)  # so that there are several packs
    with monkeypatch.context() as patch:
        patch.setitem(command_module._STEPS, step, replace(command_module._STEPS[step], work=dies))
        assert dedup(sites, "--output", tmp_path / "r", *options) == 1
    assert dedup(sites, "--output", tmp_path / "r", *options) == 0
    assert common_lines(tmp_path / "r") == common_lines(whole)
    assert page_rows(tmp_path / "r" / "corpus") == page_rows(whole / "corpus")


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_broken_table_of_lines_is_made_again(
    damage: str, sites: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = Path(shutil.copytree(whole, tmp_path / "r"))
    before = common_lines(result)
    broken = min(result.glob("lines/*/*"))
    if damage == "gone":
        broken.unlink()
    else:
        broken.write_bytes(broken.read_bytes()[:50])
    assert dedup(sites, "--output", result, *LINES) == 0
    assert str(broken) in capsys.readouterr().err
    assert common_lines(result) == before


def test_what_goes_with_lines_is_refused_without_them(
    sites: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "--write" in refused(capsys, sites, "--output", tmp_path / "r", "--lines")
    assert "--lines" in refused(capsys, sites, "--output", tmp_path / "r", "--write", "--lines-pages", 5)
    counted = write_corpus(tmp_path / "c", [[page("a.example", 1)]])
    described = json.loads((counted / "corpus.json").read_text())
    (counted / "corpus.json").write_text(json.dumps({**described, "token_counts": "gpt2=gpt2.json 0"}))
    assert "--count-tokens" in refused(capsys, counted, "--output", tmp_path / "r", *LINES)
