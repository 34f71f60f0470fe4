"""`cedar browse`: every row is in the site, with why it is there; nothing else is overwritten."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.browse.site import whole_site
from cedar.pipelines.cli import main
from tests.browse.sites import chunk, index
from tests.dedup.results import dedup
from tests.explain.test_explain_command import check_whole
from tests.helpers.crawl import article, respond

HOSTILE = "</script><script>window.ran = 1</script>\u202e"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a corpus `c` of nine pages, four of them dropped, and a result `r` over it."""
    root = tmp_path_factory.mktemp("browse")
    with (root / "crawl.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, paragraphs in enumerate((12, 12, 14, 1, 1, 1, 1)):
            respond(writer, f"https://crawl.example/{number}", "200 OK", article(number, paragraphs))
        respond(writer, "https://copy.example/1", "200 OK", article(1))
        near = article(2, 14).replace(b"boat 9 came in late", b"a ferry never arrived")
        respond(
            writer,
            "https://copy.example/2",
            "200 OK",
            near.replace(b"Page 2", HOSTILE.replace("<", "&lt;").encode()),
        )
        respond(writer, f"https://crawl.example/{HOSTILE}", "404 Not Found", b"<p>gone</p>")
    options = [
        "--keep",
        "words > 100",
        "--preset",
        "c4",
        "--signatures",
        "--quiet",
        "--with-markdown",
    ]
    assert main(["extract", str(root / "crawl.warc.gz"), "--output", str(root / "c"), *options]) == 0
    assert dedup(root / "c", "--output", root / "r") == 0
    return root


def browse(root: Path, *arguments: object) -> int:
    return main(["browse", str(root / "c"), "--output", str(root / "site"), *map(str, arguments)])


def test_a_replay_is_an_address_with_a_place_for_the_url(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = "https://pywb.example/coll/{timestamp}/{url}"
    assert browse(crawled, "--replay", address, "--drawings", 0) == 0
    assert index(crawled / "site")["replay"] == address
    for wrong in ("javascript:alert(1)//{url}", "https://pywb.example/coll/"):
        assert browse(crawled, "--replay", wrong) == 2
        assert "{timestamp}/{url}" in capsys.readouterr().err


def test_a_site_has_every_row_and_why_it_is_there(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert browse(crawled, "--duplicates", crawled / "r", "--drawings", 2) == 0
    assert "All 10 rows; 2 drawn" in capsys.readouterr().out
    found = index(crawled / "site")
    strata = [found["strata"][code] for code in found["stratum"]]
    assert Counter(verdict for verdict, *_ in strata) == {
        "kept": 3,
        "duplicate": 2,
        "dropped": 4,
        "rejected": 1,
    }
    assert {rule for verdict, rule, *_ in strata if verdict == "dropped"} == {"keep: words > 100"}
    rows = dict(zip(found["url"], found["rows"], strict=True))
    assert "boat 3 came in late" in rows["https://crawl.example/0"]["text"]
    beginnings = dict(zip(found["url"], found["beginning"], strict=True))
    assert beginnings["https://crawl.example/0"] == rows["https://crawl.example/0"]["text"][:160]
    assert rows["https://crawl.example/0"]["markdown"].startswith("# Page 0")
    assert rows["https://crawl.example/3"]["drop_reason"].startswith("keep: words > 100 (words ")
    assert "--url=https://crawl.example/0 --offset=" in rows["https://crawl.example/0"]["command"]
    bound = found["bounds"].index(["c4", "c4_sentences", ">=", 5])
    assert {row["judged"][bound] for row in found["rows"] if row.get("c4_sentences", 5) is None} <= {"n"}
    judged = [row for row in found["rows"] if row.get("c4_sentences") is not None]
    assert all((row["judged"][bound] == "k") == (row["c4_sentences"] >= 5) for row in judged)
    assert {found["hosts"][host] for host in found["host"]} == {"crawl.example", "copy.example"}
    assert len(found["drawings"]) == 2
    for number in found["drawings"]:
        check_whole((crawled / "site" / "drawings" / f"{number}.html").read_text())


def test_duplicates_say_what_differs_from_the_page_that_is_kept(crawled: Path) -> None:
    assert browse(crawled, "--duplicates", crawled / "r", "--drawings", 0) == 0
    found = index(crawled / "site")
    texts = {number: row["text"] for number, row in enumerate(found["rows"]) if "text" in row}
    copies = {
        number: one for number, one in enumerate(found["alike"]) if one is not None and one[0] is not None
    }
    assert Counter(kind for kind, *_ in copies.values()) == {"text": 1, "near": 1}
    ((number, own, others),) = chunk(crawled / "site", "pairs-0")
    kept = next(n for n in texts if found["cluster"][n] == found["cluster"][number] and n != number)
    marked = {texts[number][start:stop] for start, stop in own} | {
        texts[kept][start:stop] for start, stop in others
    }
    assert {"a ferry never arrived", "boat 9 came in late"} <= marked
    assert any("U+202E" in stretch for stretch in marked)


def test_files_hold_nothing_of_pages_as_markup(crawled: Path) -> None:
    assert browse(crawled, "--drawings", 0) == 0
    for file in (crawled / "site").rglob("*"):
        assert file.is_dir() or "window.ran" not in file.read_text()
    front = unescape((crawled / "site" / "index.html").read_text())
    assert "script-src 'self'; style-src 'self'; img-src 'self' data:" in front
    assert "unsafe" not in front
    assert sorted(path.name for path in (crawled / "site" / "data").iterdir()) == ["index.js", "pages-0.js"]


def test_a_sample_has_rows_of_each_kind_and_says_so(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert browse(crawled, "--duplicates", crawled / "r", "--sample", 6, "--drawings", 0) == 0
    found = index(crawled / "site")
    kinds = {tuple(found["strata"][code][:2]) for code in found["stratum"]}
    assert kinds >= {
        ("kept", ""),
        ("rejected", "status"),
        ("dropped", "keep: words > 100"),
        ("duplicate", "same text"),
    }
    assert sum(total for *_, total in found["strata"]) == 10
    assert f"{len(found['url'])} of 10 rows: some of each rule" in capsys.readouterr().out
    for number, alike in enumerate(found["alike"]):
        if alike and alike[0]:  # the page that is kept has come along
            assert found["cluster"].count(found["cluster"][number]) == 2


def test_a_site_takes_the_place_of_a_site_alone(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, target = str(crawled / "c"), tmp_path / "site"
    arguments = ["browse", corpus, "--drawings", "1", "--output", str(target)]
    assert main(arguments) == 0
    before = {path.name: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    assert main(arguments) == 0
    assert {path.name: path.read_bytes() for path in target.rglob("*") if path.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    for foreign in ("notes.txt", "drawings/7.html", "data/pages-9.js"):
        (target / foreign).write_text("mine")
        assert main(arguments) == 2
        assert f"{foreign} is there, and Cedar did not make it" in capsys.readouterr().err
        assert (target / foreign).read_text() == "mine"
        (target / foreign).unlink()
    (tmp_path / "file").write_text("mine")
    assert main([*arguments[:-1], str(tmp_path / "file")]) == 2


def leave(site: Path, name: str, *, is_replaced: bool) -> None:
    """Make a site in another process, killed while it writes or when the site before it was put aside."""
    code = f"""
import os
import shutil
from pathlib import Path
from cedar.pipelines.browse import site
rename = Path.rename
def killed(path, target):
    if path.name.startswith(".site."):
        os._exit(9)
    return rename(path, target)
Path.rename = killed
with site.whole_site(Path({str(site)!r})) as folder:
    (folder / {name!r}).write_text("left")
    if not {is_replaced}:
        os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9


@pytest.mark.parametrize("is_replaced", [False, True])
def test_what_killed_runs_have_left_is_gone_after_the_next(
    is_replaced: bool, crawled: Path, tmp_path: Path
) -> None:
    arguments = ["browse", str(crawled / "c"), "--drawings", "1", "--output", str(tmp_path / "site")]
    others = [tmp_path / ".site.notes", tmp_path / f".sites.{'0' * 32}", tmp_path / f".site.{'0' * 32}"]
    for other in others:  # no lease says that these are of runs that have ended
        other.mkdir()
    assert main(arguments) == 0
    leave(tmp_path / "site", "half.html", is_replaced=is_replaced)
    assert len(list(tmp_path.iterdir())) > 1 + len(others)
    assert (tmp_path / "site").exists() != is_replaced
    with whole_site(tmp_path / "site"):  # at work meanwhile
        assert (tmp_path / "site" / "index.html").is_file()  # put back, where it was put aside
        at_work = {path for path in tmp_path.iterdir() if path not in others}
        assert len(at_work) == 3  # the site, what is staged, its lease
        assert main(arguments) == 0
        assert {path for path in tmp_path.iterdir() if path not in others} == at_work
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / "site", *others])


@pytest.mark.parametrize("place", ["c", "c/pages", "link", "link/site", "r", "."])
def test_nothing_is_written_over_or_into_what_is_read(
    place: str, crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = crawled / "link"
    if not link.is_symlink():
        link.symlink_to(crawled / "c")
    before = sorted(os.fspath(path) for path in crawled.rglob("*"))
    command = [
        "browse",
        str(crawled / "c"),
        "--duplicates",
        str(crawled / "r"),
        "--output",
        str(crawled / place),
    ]
    assert main(command) == 2
    assert "choose another --output" in capsys.readouterr().err
    assert sorted(os.fspath(path) for path in crawled.rglob("*")) == before


def test_results_of_others_are_refused(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert browse(crawled, "--duplicates", crawled / "c") == 2
    assert "not a result of `cedar dedup`" in capsys.readouterr().err
    described = json.loads((crawled / "r" / "dedup.json").read_text())
    described["corpora"][0]["root"] = str(tmp_path)
    (tmp_path / "dedup.json").write_text(json.dumps(described))
    (tmp_path / "run.json").write_text("{}")
    assert browse(crawled, "--duplicates", tmp_path) == 2
    assert "is not for" in capsys.readouterr().err


def test_a_corpus_whose_run_was_cut_short_is_refused(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "c"
    shutil.copytree(crawled / "c", corpus)
    next((corpus / "shards").iterdir()).unlink()
    assert main(["browse", str(corpus), "--output", str(tmp_path / "site")]) == 2
    assert f"{corpus} is not finished" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_an_archive_that_is_gone_leaves_the_command(crawled: Path, tmp_path: Path) -> None:
    archive = crawled / "crawl.warc.gz"
    archive.rename(tmp_path / "away")
    try:
        assert browse(crawled) == 0
    finally:
        (tmp_path / "away").rename(archive)
    found = index(crawled / "site")
    assert found["drawings"] == []
    assert all(row["command"].startswith("cedar explain ") for row in found["rows"])
