"""`cedar explain`: what the file says, that it is whole, and what ends with exit code 2."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

from cedar import extract, names
from cedar.pipelines.cli import main
from cedar.pipelines.common.arguments import Parser, add_options, record_from_args
from cedar.pipelines.common.shared_options import ExtractorOptions
from cedar.pipelines.drawing.charts import MAX_BARS
from cedar.pipelines.drawing.words import words
from cedar.pipelines.explain.options import ExplainOptions
from cedar.transforms.extractors import registry
from tests.helpers.crawl import article, write_warc

SAMPLES = files("cedar.pipelines.sample").joinpath("pages")
HOSTILE = (
    "<html><head><title></title><script>alert(1)</script>\u202e title & <b></title></head>\n<body>\n"
    + "<ul><li><a href='/'>Home</a></li>\n<li><a href='/x'>Menu</a></li></ul>\n" * 4
    + "<p>&lt;script&gt;document.title='run'&lt;/script&gt; and a long text of many words after it</p>\n"
    + "<p>\u202eturned round\u202c and \u2066isolated\u2069 &lt;img src=x onerror=alert(1)&gt; and more</p>\n"
    + "<p onclick=alert(2)>]]&gt;--&gt;&lt;/style&gt;&lt;/script&gt;{{ 7 * 7 }} {% raw %} a long line</p>\n"
    + "</body></html>\n"
)
VOID = {"meta", "link", "input", "br", "rect", "line", "circle", "path"}


class Document(HTMLParser):
    """The elements of a page; `broken` names end tags that do not fit."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.broken: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.content: dict[str, list[str]] = {"style": [], "script": [], "title": []}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID or tag == "rect":
            self.open.append(tag)
        if tag in self.content:
            self.content[tag].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.broken.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.content:
            self.content[self.open[-1]][-1] += data

    def count(self, tag: str, kind: str = "") -> int:
        found = (attrs for name, attrs in self.elements if name == tag)
        return sum(not kind or kind in (attrs.get("class") or "").split() for attrs in found)


def explain(tmp_path: Path, page: str | bytes, *arguments: str) -> str:
    """The HTML that `cedar explain` makes of a page."""
    source, target = tmp_path / "page.html", tmp_path / "out.html"
    source.write_bytes(page.encode() if isinstance(page, str) else page)
    assert main(["explain", str(source), "--output", str(target), *arguments]) == 0
    return target.read_text(encoding="utf-8")


def check_whole(text: str) -> Document:
    """Assert that a page is well formed, fetches nothing, and allows its own script alone."""
    document = Document(text)
    assert not document.broken
    assert not document.open
    for _, attrs in document.elements:
        assert not any(name.startswith("on") or name == "style" for name in attrs)
        for name in ("src", "href", "action", "srcset", "data", "poster"):
            value = attrs.get(name)
            assert value is None or value.startswith("#") or value == "data:,"
    policies = [
        a["content"] for _, a in document.elements if a.get("http-equiv") == "Content-Security-Policy"
    ]
    (policy,) = policies
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    styles = re.findall("style-src '([^']+)'", policy)
    assert styles == [digest(document.content["style"][0])]
    scripts = [script for script in document.content["script"] if not script.startswith("[")]
    assert re.findall("script-src '([^']+)'", policy) == ([digest(scripts[0])] if scripts else ["none"])
    return document


def digest(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


class Unguarded:
    """Stands for the page guard, whose child takes longer to start than all that is looked at here."""

    def __init__(self, arguments: tuple[str, str], *_: object, with_blocks: bool) -> None:
        assert with_blocks
        self.extract = registry.bind(*arguments)

    def close(self) -> None:
        pass


@pytest.fixture
def _unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cedar.pipelines.explain.drawn.Guard", Unguarded)


@pytest.mark.usefixtures("_unguarded")
@pytest.mark.parametrize("extractor", names())
@pytest.mark.parametrize(
    "page", ["article.html", "one_line.html", "list.html", "chinese.html", "no_tags.txt"]
)
def test_every_method_explains_every_page(page: str, extractor: str, tmp_path: Path) -> None:
    html = SAMPLES.joinpath(page).read_text(encoding="utf-8")
    document = check_whole(explain(tmp_path, html, "--extractor", extractor))
    result = extract(html, extractor=extractor)
    rows = [attrs for tag, attrs in document.elements if tag == "li" and "id" in attrs]
    assert len(rows) == len(result.blocks)
    assert [attrs.get("class") == "k" for attrs in rows] == [block.kept for block in result.blocks]


@pytest.mark.parametrize("extractor", ["cetr", "cetr-tm", "cetr-km", "keep-all"])
def test_charts_have_a_bar_for_each_line(extractor: str, tmp_path: Path) -> None:
    text = explain(tmp_path, article(3, paragraphs=40), "--extractor", extractor)
    lines = extract(article(3, paragraphs=40), extractor=extractor).metrics.lines
    counts = [int(number) for number in re.findall(r'data-kind="bars" data-count="(\d+)"', text)]
    assert counts == [lines] * (1 if extractor == "keep-all" else 3)
    groups = re.findall(r'<g class="bars[^"]*">(.*?)</g>', text, re.DOTALL)
    assert [group.count("<rect") for group in groups] == counts


def test_more_lines_than_bars_share_them_and_the_page_says_so(tmp_path: Path) -> None:
    text = explain(tmp_path, article(3, paragraphs=MAX_BARS + 500))
    (count,) = set(re.findall(r'data-kind="bars" data-count="(\d+)"', text))
    assert MAX_BARS / 2 <= int(count) <= MAX_BARS
    assert "neighbours share a bar" in text


def test_verdict_has_the_numbers_of_the_extraction(tmp_path: Path) -> None:
    page = article(1)
    text = explain(tmp_path, page, "--extractor", "cetr-tm:lambda=0.5")
    metrics = extract(page, extractor="cetr-tm", threshold_factor=0.5).metrics
    verdict = re.sub("<[^>]+>", "", re.search('<p class="verdict".*?</p>', text, re.DOTALL)[0])  # type: ignore[index]
    assert f"cetr-tm:lambda=0.5 kept {metrics.text_chars} of " in verdict
    assert f"({metrics.content_ratio:.0%}): {metrics.content_lines} of {metrics.lines} lines" in verdict


@pytest.mark.slow
@pytest.mark.usefixtures("_unguarded")
def test_text_of_a_hostile_page_stays_text(tmp_path: Path) -> None:
    for extractor in names():
        text = explain(tmp_path, HOSTILE, "--extractor", extractor)
        document = check_whole(text)
        assert document.count("script") == 2
        assert not document.count("img")
        assert not re.search("[\u202a-\u202e\u2066-\u2069]", text)
        assert "‹U+202E›" in text
        assert "{{ 7 * 7 }}" in text


def test_gold_marks_missing_and_surplus_words(tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text(
        "Home\n" + "\n".join(b.text for b in extract(article(1)).blocks if b.kept and "3" not in b.text)
    )
    text = explain(tmp_path, article(1), "--gold", str(gold))
    assert '<mark class="missing">Home</mark>' in text
    surplus = re.findall('<mark class="surplus">(.*?)</mark>', text)
    assert any("3" in words for words in surplus)
    assert "Against gold: precision" in text
    assert "(lcs); in any order, 1 word missing, " in text  # the default measure of `cedar evaluate`


@pytest.mark.parametrize("extractor", ["cetr", "cedar"])
def test_a_headline_that_is_kept_is_not_missing_from_the_title(tmp_path: Path, extractor: str) -> None:
    page = Path("tests/gold/handmade/en-article-lighthouse.html")
    gold = page.with_suffix(".txt").read_text(encoding="utf-8")
    text = explain(
        tmp_path, page.read_bytes(), "--extractor", extractor, "--gold", str(page.with_suffix(".txt"))
    )
    missing, surplus = (
        words(" ".join(re.findall(f'<mark class="{kind}">(.*?)</mark>', text)[1:]))  # after the legend
        for kind in ("missing", "surplus")
    )
    assert "The last keeper of Gannet Rock" in gold
    assert not missing
    assert f"0 words missing, {len(surplus)} surplus" in text


def test_marks_of_a_gold_of_cleaneval_are_no_words(tmp_path: Path) -> None:
    gold = tmp_path / "gold.txt"
    gold.write_text("URL: https://news.example/here\n\n<h>Home\n<p>" + extract(article(1)).text)
    text = explain(tmp_path, article(1), "--gold", str(gold))
    assert re.findall('<mark class="missing">(.*?)</mark>', text) == ["missing", "Home"]  # after the legend
    assert "1 word missing" in text


def test_methods_are_compared_word_by_word(tmp_path: Path) -> None:
    text = explain(tmp_path, article(1), "--extractor", "keep-all", "--extractor", "cetr")
    document = check_whole(text)
    assert document.count("section", "method") == 2
    surplus = re.findall('<mark class="surplus">(.*?)</mark>', text)
    assert "Home" in surplus
    assert '<mark class="missing">Home</mark>' in text


def test_options_reach_the_methods_that_have_them(tmp_path: Path) -> None:
    text = explain(tmp_path, article(1), "--extractor", "cetr:k=2", "--extractor", "keep-all")
    assert "k 2" in text


def test_commas_part_options_only_where_another_follows() -> None:
    parser = Parser(prog="cedar explain")
    add_options(parser, ExplainOptions)
    values = parser.parse_args(["page.html", "--extractor", "x:members=a,b,c,votes=2", "--extractor", "y"])
    assert record_from_args(ExplainOptions, values).choices == (
        ExtractorOptions("x", (("members", "a,b,c"), ("votes", "2"))),
        ExtractorOptions("y", ()),
    )


@pytest.mark.slow
def test_long_pages_give_files_of_bounded_size(tmp_path: Path) -> None:
    line = "<p>" + "&lt;&amp; words of a line " * 4 + "</p><i></i>\n"
    text = explain(tmp_path, "<body>\n" + line * (1_300_000 // len(line)) + "</body>")
    assert len(text.encode()) < 5_000_000
    assert "are left out here to keep this file small" in text


def test_record_of_an_archive_is_chosen_by_url_and_by_offset(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", 3)
    target = tmp_path / "out.html"
    by_url = ["explain", str(path), "--url", "https://crawl.example/2", "--output", str(target)]
    assert main(by_url) == 0
    text = target.read_text()
    assert '<h1 dir="auto">Page 2</h1>' in text
    (offset,) = re.findall(r"crawl\.warc\.gz, byte ([\d,]+)\)", text)
    assert main(["explain", str(path), "--offset", offset.replace(",", ""), "--output", str(target)]) == 0
    assert '<h1 dir="auto">Page 2</h1>' in target.read_text()


def test_a_page_of_another_status_can_be_explained(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", 1)
    target = tmp_path / "out.html"
    assert main(["explain", str(path), "--url", "https://crawl.example/0/gone", "--output", str(target)]) == 0
    assert '<dd dir="auto">404</dd>' in target.read_text()


def test_markdown_is_printed_and_nothing_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text("<h1>Salt pans</h1>" + "<p>They dry <b>salt</b> by the sea.</p>" * 9)
    assert main(["explain", "page.html", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("# Salt pans\n\nThey dry **salt** by the sea.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert main(["explain", "page.html", "--markdown", "--extractor", "cetr"]) == 2
    assert "cetr keeps lines of text and cannot write Markdown" in capsys.readouterr().err


def test_text_prints_blocks_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = HOSTILE.replace("Menu", "Menu\x1b[31m")
    (tmp_path / "page.html").write_text(page)
    assert main(["explain", "page.html", "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    blocks = extract(page, "cedar").blocks
    assert sum(line.startswith("+ ") for line in lines) == sum(block.kept for block in blocks)
    assert sum(line.startswith("- ") for line in lines) == sum(not block.kept for block in blocks)
    assert not any("\x1b" in line or "\u202e" in line for line in lines)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
