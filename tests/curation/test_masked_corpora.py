"""Commands mask what they write: texts, columns, rejects, and what is made of a masked corpus."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from cedar.transforms.curation.curator import Curator
from cedar.transforms.curation.masks import Mask
from cedar.transforms.curation.plan import CurationPlan
from cedar.transforms.model.books import RejectedError, RejectReason, Stage
from cedar.transforms.model.records import Location, Reject
from tests.extract.runs import extract
from tests.helpers.corpus import books
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import respond

PAGE = """<html><head><title>Letters to ann@example.org</title></head><body><article>
<p>The miller can be reached at ann@example.org, or by telephone at +49 30 1234567, all day.</p>
<p>His pump is at 8.8.8.8, where a page of its own says how high the water stood, number NUMBER.</p>
</article></body></html>"""
URL = "https://letters.example/1"
KINDS = ("--mask", "phone,email,ip")


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crawl") / "letters.warc.gz"
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number in range(3):
            respond(
                writer,
                f"https://letters.example/{number}",
                "200 OK",
                PAGE.replace("NUMBER", str(number)).encode(),
            )
    return path


@pytest.fixture(scope="module")
def plain(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = tmp_path_factory.mktemp("corpora") / "plain"
    assert extract(crawl, corpus, "--with-markdown", "--signatures") == 0
    return corpus


@pytest.fixture(scope="module")
def masked(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = tmp_path_factory.mktemp("corpora") / "masked"
    assert extract(crawl, corpus, *KINDS, "--with-markdown", "--signatures") == 0
    return corpus


def cedar(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def without_data(corpus: Path) -> list[dict[str, Any]]:
    """The rows of a corpus, in which no personal data stands."""
    rows = page_rows(corpus)
    for row in rows:
        assert "<EMAIL>, or by telephone at <PHONE>, all day." in row["text"]
        assert row["title"] == "Letters to <EMAIL>"
        assert "ann@" not in str(row)
        assert "8.8.8.8" not in str(row)
    return rows


def test_a_corpus_is_masked_and_its_books_say_what(masked: Path, crawl: Path) -> None:
    rows = without_data(masked)
    assert [row["masked"] for row in rows] == [4, 4, 4]
    assert books(masked)["masked"] == {"email": 6, "ip": 3, "phone": 3}
    (signatures,) = (masked / "signatures").iterdir()
    digests = pq.read_table(signatures)["text_digest"].to_pylist()
    assert [digest.hex() for digest in digests] == [row["text_digest"] for row in rows]
    for row in rows:
        assert row["text_digest"] == hashlib.blake2b(row["text"].encode(), digest_size=16).hexdigest()
    described = json.loads((masked / "corpus.json").read_text())
    assert (described["mask"], described["mask_with"]) == ("email,ip,phone", "words")
    assert extract(crawl, masked, "--mask", "email", "--with-markdown", "--signatures") == 2


def test_signatures_are_of_the_text_before(masked: Path, plain: Path) -> None:
    keys = [
        pq.read_table(next((corpus / "signatures").iterdir()))["keys"].to_pylist()
        for corpus in (masked, plain)
    ]
    assert keys[0] == keys[1]
    assert "masked" not in page_rows(plain)[0]


def test_filter_and_dedup_mask_what_they_write(plain: Path, masked: Path, tmp_path: Path) -> None:
    assert cedar("filter", plain, "--output", tmp_path / "filtered", *KINDS, "--quiet") == 0
    wanted = [row["text"] for row in without_data(masked)]
    assert [row["text"] for row in without_data(tmp_path / "filtered")] == wanted
    assert (
        cedar("dedup", plain, "--output", tmp_path / "unique", "--write", *KINDS, "--by", "text", "--quiet")
        == 0
    )
    assert [row["text"] for row in without_data(tmp_path / "unique" / "corpus")] == wanted


def test_a_corpus_of_several_is_known_as_masked_if_one_of_them_is(
    plain: Path, masked: Path, tmp_path: Path
) -> None:
    choices = ("--output", tmp_path / "d", "--write", "--by", "text", "--quiet")
    assert cedar("dedup", plain, masked, *choices) == 0
    described = json.loads((tmp_path / "d" / "corpus" / "corpus.json").read_text())
    assert (described["mask"], described["mask_with"]) == ("email,ip,phone", "words")


def test_a_masked_corpus_stays_masked(
    masked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cedar("filter", masked, "--output", tmp_path / "f", "--keep", "words > 1", "--signals") == 0
    assert "its masked texts" in capsys.readouterr().err
    without_data(tmp_path / "f")
    assert json.loads((tmp_path / "f" / "corpus.json").read_text())["mask"] == "email,ip,phone"


def test_a_reject_whose_error_quotes_its_page_is_masked(
    crawl: Path, plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "quoting.py").write_text(
        "import cedar\n"
        "def score(page: cedar.SignalInput) -> float:\n"
        "    raise ValueError(f'cannot score: {page.text!r}' * 9)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    signal = ("--signal", "score=quoting:score", *KINDS)
    extract(crawl, tmp_path / "e", *signal)
    cedar("filter", plain, "--output", tmp_path / "f", *signal, "--quiet")
    for made in ("e", "f"):
        details = [reject["detail"] for reject in page_rows(tmp_path / made, "rejects")]
        assert any("<EMAIL>" in detail for detail in details)
        assert not any("ann@" in detail or "8.8.8.8" in detail for detail in details)


@pytest.mark.parametrize(
    "quoted", ["ann@example.org ", "é " * 240 + "ann@exampl", "x" * 470 + " +49 30 1234567"]
)
def test_rejects_of_the_steps_before_are_masked_and_no_address_is_cut(quoted: str) -> None:
    place = Location("", "/crawl.warc", 0, 1)
    error = RejectedError(RejectReason.EXTRACTOR_ERROR, quoted * 60)
    masked = Curator(CurationPlan(mask=Mask(("email", "ip", "phone")))).masked(
        Reject.of(place, None, Stage.EXTRACT, error=error)
    )
    assert masked.detail
    assert "ann" not in masked.detail
    assert "+49" not in masked.detail


def test_a_page_of_a_masked_corpus_is_shown_masked(
    masked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cedar("text", masked, "--url", URL) == 0
    assert cedar("text", masked, "--url", URL, "--markdown") == 0
    assert cedar("explain", masked, "--url", URL, "--text") == 0
    assert cedar("explain", masked, "--url", URL, "--output", tmp_path / "page.html") == 0
    shown = capsys.readouterr().out + (tmp_path / "page.html").read_text()
    assert shown.count("&lt;EMAIL&gt;") >= 1
    assert shown.count("<EMAIL>") >= 3
    assert "ann@" not in shown
    assert "8.8.8.8" not in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("extract", "CRAWL", "--output", "X", "--mask", "mail"), "choose from email, ip, phone"),
        (("extract", "CRAWL", "--output", "X", "--mask-with", "words"), "give --mask email,ip,phone, too"),
        (("extract", "CRAWL", "--output", "X", "--mask", "ip", "--with-html"), "leave out --with-html"),
        (("dedup", "PLAIN", "--output", "X", "--mask", "ip"), "give --write, too"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    arguments: tuple[str, ...],
    said: str,
    crawl: Path,
    plain: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    places = {"CRAWL": crawl, "PLAIN": plain, "X": tmp_path / "x"}
    assert cedar(*(places.get(word, word) for word in arguments)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
def test_a_corpus_with_html_is_not_masked(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = tmp_path / "html"
    assert extract(crawl, html, "--extractor", "cetd-ds", "--with-html") == 0
    assert cedar("filter", html, "--output", tmp_path / "x", *KINDS) == 2
    assert "make it without --with-html" in capsys.readouterr().err
    assert cedar("dedup", html, "--output", tmp_path / "y", "--write", *KINDS) == 2
    assert "make it without --with-html" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("filter",), ("dedup", "--write")])
def test_a_corpus_is_not_masked_in_two_styles(
    command: tuple[str, ...], crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    masked = tmp_path / "masked"
    assert extract(crawl, masked, "--mask", "email") == 0
    again = (command[0], masked, *command[1:], "--output", tmp_path / "again", "--mask", "phone")
    capsys.readouterr()
    assert cedar(*again, "--mask-with", "datatrove") == 2
    assert "--mask-with words" in capsys.readouterr().err
    assert cedar(*again, "--mask-with", "words") == 0
