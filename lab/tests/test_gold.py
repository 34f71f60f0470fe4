"""Gold sets are made of checkouts laid out as their sources are, and told apart by digests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cedar.transforms.scoring.gold import GoldPage, GoldSet
from lab import gold

HTML = b"<title>T</title><p>Words of a page"


def write(path: Path, content: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def made(name: str, source: Path, monkeypatch: pytest.MonkeyPatch) -> GoldPage:
    monkeypatch.setitem(gold.SETS, name, {"html": "", "text": ""})
    target = source / f"{name}.jsonl.zst"
    assert gold.make(name, source, target) == 1
    (page,) = GoldSet.at(str(target)).read([0])
    return page


def test_wcxb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "url": "https://a.example/",
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": {"title": "T", "main_content": "Words", "with": ["a"], "without": ["b"]},
    }
    write(tmp_path / "dev/ground-truth/0007.json", json.dumps(said))
    write(tmp_path / "dev/html/0007.html.gz", gzip.compress(HTML))
    page = made("wcxb_dev", tmp_path, monkeypatch)
    assert (page.id, page.html, page.text, page.page_type) == ("wcxb/0007", HTML, "Words", "forum")
    assert (page.wanted, page.unwanted) == (("a",), ("b",))


def test_news424(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path / "articles.json", json.dumps({"a1": {"articleBody": "Words", "url": "https://a.example/"}})
    )
    write(tmp_path / "html/a1.html", HTML)
    assert made("news424_more", tmp_path, monkeypatch).text == "Words"


def test_cleaneval_loses_wrapper_and_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "orig/3.html", b'<text id="3">' + HTML + b"</text>")
    write(tmp_path / "clean/3.txt", "URL: https://a.example/\n\n<h> Head\n<p> Words\n")
    page = made("cleaneval_en", tmp_path, monkeypatch)
    assert (page.html, page.text, page.url) == (HTML, "Head\nWords", "https://a.example/")


def test_comments_of_dragnet_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "HTML/R1.html", HTML)
    write(tmp_path / "Corrected/R1.html.corrected.txt", "Words\n!@#$%^&*()\nA comment\n")
    assert made("dragnet", tmp_path, monkeypatch).text == "Words"


def test_what_spans_of_l3s_mark_is_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marked = '<h1><span class="x-nc-sel1">Head</span></h1><p><span class="x-nc-sel2">One</span> <b>no</b>'
    write(tmp_path / "original/u.html", HTML)
    write(tmp_path / "annotated/u.html", marked)
    assert made("l3s_gn1", tmp_path, monkeypatch).text == "Head\nOne"


def test_a_set_is_told_by_its_digests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = {"id": "a", "text": "Words", "html": "<p>Words"}
    path = tmp_path / "mine.jsonl"
    write(path, json.dumps(page) + "\n")
    html, text = gold.digests(path)
    monkeypatch.setitem(gold.SETS, "mine", {"html": html, "text": text})
    assert gold.main(["check", str(path)]) == 0
    write(path, json.dumps({**page, "text": "Other"}) + "\n")
    assert gold.main(["check", str(path)]) == 1
    assert "the same pages, others texts" in capsys.readouterr().out
