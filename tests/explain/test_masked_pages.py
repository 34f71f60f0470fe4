"""Nothing that a corpus masks is shown of its pages, however the address is written in their source."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.browse.drawings import Drawings
from cedar.pipelines.browse.rows import ShownRow, Stratum
from cedar.pipelines.cli import main
from cedar.transforms.files.http_options import WebConfig
from tests.helpers.crawl import respond

_SITE = "https://site.example"
_WORDS = "Boats and mills stand by the river, and people walk there on long evenings in the summer. "
_ADDRESSES = (
    "ann.q@mail.example.com",
    "ann.q&#64;mail.example.com",
    "ann.q&#x40;mail&period;example.com",
    "ann.q@<b>mail</b>.example.com",
    "ann.q@<wbr>mail.example.com",
    "ann.q@mail<!-- no -->.example.com",
    "ann.q<span></span>@mail.example.com",
    "+49&#160;30&#160;1234567",
    "&#43;49 30 1234567",
    "+49 <i>30</i> 1234567",
    "8.8.<b>4</b>.4",
    "8&#46;8.4.4",
)
_SHOWN = ("ann.q", "example.com", "30 1234567", "30\xa01234567", "1234567", "8.8.4.4")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of one page with addresses in all ways in its text, its title and its head line."""
    folder = tmp_path_factory.mktemp("masked")
    warc = folder / "crawl.warc.gz"
    lines = "".join(f"<p>{_WORDS}To {address} one writes. {_WORDS}</p>\n" for address in _ADDRESSES)
    one_line = "".join(f"{_WORDS[:n]} to {_ADDRESSES[1]} and " for n in range(20, 70))
    page = (
        f"<title>Of ann.q&#64;mail.example.com</title><article id='ann.q@mail.example.com'>"
        f"<h1>By &#43;49 30 1234567</h1>{lines}<p>{one_line}</p></article>"
    )
    with warc.open("wb") as file:
        respond(WARCWriter(file, gzip=True), f"{_SITE}/page", "200 OK", page.encode())
    made = folder / "corpus"
    assert main(["extract", str(warc), f"--output={made}", "--quiet", "--mask=email,ip,phone"]) == 0
    return made


def _assert_masked(shown: str) -> None:
    shown = html.unescape(shown)
    assert [word for word in ("<EMAIL>", "<PHONE>", "<IP>") if word not in shown] == []
    assert [one for one in _SHOWN if one in shown] == []


@pytest.mark.parametrize("extractor", ["cedar", "cetr", "keep-all", "cetd-ds", "ccb"])
def test_explain_shows_blocks_and_titles_masked(
    corpus: Path, extractor: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "drawn.html"
    page = ["explain", str(corpus), f"--url={_SITE}/page", f"--extractor={extractor}"]
    assert main([*page, f"--output={drawn}", "--text"]) == 0
    _assert_masked(capsys.readouterr().out.replace(str(drawn), ""))
    _assert_masked(drawn.read_text())
    assert 'class="source"' not in drawn.read_text()


def test_methods_that_are_compared_and_gold_show_nothing_more(corpus: Path, tmp_path: Path) -> None:
    drawn, gold = tmp_path / "drawn.html", tmp_path / "gold.txt"
    gold.write_text(f"{_WORDS}To ann.q@mail.example.com one writes.")
    page = ["explain", str(corpus), f"--url={_SITE}/page", f"--output={drawn}"]
    assert main([*page, "--extractor=cedar", "--extractor=cetr"]) == 0
    _assert_masked(drawn.read_text())
    assert main([*page, f"--gold={gold}"]) == 0
    _assert_masked(drawn.read_text())


def test_explain_prints_markdown_masked(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(corpus), f"--url={_SITE}/page", "--markdown"]) == 0
    _assert_masked(capsys.readouterr().out)


def test_pages_that_browse_draws_are_masked(corpus: Path) -> None:
    described = json.loads((corpus / "corpus.json").read_text())
    drawings = Drawings(described, WebConfig())
    values = {"source": str(corpus.parent / "crawl.warc.gz"), "offset": 0}
    drawings.add(0, ShownRow(Stratum("kept", "", "eng", 3), f"{_SITE}/page", "", values, None))
    ((_, drawn),) = drawings.drawn(1)
    _assert_masked(drawn)


def test_the_source_of_a_corpus_without_masks_is_shown(corpus: Path, tmp_path: Path) -> None:
    drawn, warc = tmp_path / "drawn.html", str(corpus.parent / "crawl.warc.gz")
    page = ["explain", warc, f"--url={_SITE}/page", "--extractor=cetr", f"--output={drawn}"]
    assert main(page) == 0
    assert "ann.q&amp;#64;mail.example.com" in drawn.read_text()
