"""Lists of addresses that are not wanted, given to `cedar extract` and `cedar filter`."""

from __future__ import annotations

import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from tests.extract.runs import extract
from tests.helpers.corpus import books
from tests.helpers.crawl import write_warc
from tests.test_curate import rows


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lists of addresses, and a crawl of thirty pages."""
    folder = tmp_path_factory.mktemp("lists")
    write_warc(folder / "crawl.warc.gz", 30)
    (folder / "words.txt").write_text("7\n11\n")
    (folder / "ut1" / "games").mkdir(parents=True)
    (folder / "ut1" / "games" / "urls").write_text("crawl.example/20\ncrawl.example/21/\n")
    (folder / "domains.txt").write_text("crawl.example\n")
    return folder


def given(lists: Path) -> list[str]:
    return ["--block-words", f"{lists}/words.txt", "--block-ut1", f"{lists}/ut1:games"]


def test_blocked_pages_are_rejects_of_reading_counted_by_list(lists: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    assert extract(lists / "crawl.warc.gz", corpus, *given(lists), "--url-exclude", "/12$") == 0
    found = [(row["stage"], row["reason"], row["detail"]) for row in rows(corpus, "rejects")]
    assert Counter(found) == {
        ("read", "blocked", "words.txt: 11"): 1,
        ("read", "blocked", "words.txt: 7"): 1,
        ("read", "blocked", "ut1/games: crawl.example/20"): 1,
        ("read", "blocked", "ut1/games: crawl.example/21"): 1,
        ("read", "url_filter", "in --url-exclude"): 1,
        ("decode", "status", "404"): 6,
    }
    assert (books(corpus)["blocked"], books(corpus)["balanced"]) == ({"ut1/games": 2, "words.txt": 2}, True)
    pinned = json.loads((corpus / "corpus.json").read_text())
    assert pinned["blocked"].startswith("words words.txt ")
    assert "; addresses ut1/games " in pinned["blocked"]
    assert pinned["soft_at"] == 2


def test_a_corpus_is_filtered_as_the_crawl_is(
    lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, blocked = tmp_path / "plain", tmp_path / "blocked"
    assert extract(lists / "crawl.warc.gz", plain) == 0
    assert main(["filter", str(plain), *given(lists), "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[-2] for line in out.splitlines() if "blocked: " in line] == ["2", "2"]
    everything = ["--block-domains", f"{lists}/domains.txt"]
    assert main(["filter", str(plain), *everything, "--output", str(tmp_path / "none"), "--quiet"]) == 0
    assert books(tmp_path / "none")["rejected"] == {"blocked": 30}
    assert json.loads((tmp_path / "none" / "corpus.json").read_text())["public_suffixes"] == version(
        "publicsuffixlist"
    )
    assert main(["filter", str(plain), *given(lists), "--output", str(blocked), "--quiet"]) == 0
    assert (books(blocked)["pages"], books(blocked)["blocked"]) == (26, {"ut1/games": 2, "words.txt": 2})
    (lists / "words.txt").write_text("7\n11\n# 12\n")
    assert main(["filter", str(plain), *given(lists), "--output", str(blocked), "--quiet"]) == 2
    assert "was made with other options (blocked 'words words.txt" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--block-domains", "none.txt"], "no such list: "),
        (
            ["--block-ut1", "lists"],
            "not a valid choice of UT1 lists: 'lists' (write it as DIR:adult,phishing)",
        ),
        (
            ["--block-ut1", "nowhere:adult"],
            "no UT1 list 'adult' in nowhere: there is no nowhere/adult/domains",
        ),
        (["--block-soft-at", "3"], "--block-soft-at counts words of a list: give --block-soft-words, too"),
        (["--block-words", "."], "cannot read the list "),
    ],
)
def test_lists_that_are_not_there_are_said(
    arguments: list[str], said: str, lists: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(lists / "crawl.warc.gz", tmp_path / "corpus", *arguments) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "corpus").exists()
