"""A page is explained, and its text printed, by its URL in a corpus: nobody needs to know its file."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from tests.helpers.crawl import article, respond

_SITE = "https://site.example"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a page that was kept, one that a rule dropped, and one that was rejected."""
    folder = tmp_path_factory.mktemp("crawl")
    warc = folder / "crawl.warc.gz"
    with warc.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        respond(writer, f"{_SITE}/long", "200 OK", article(3))
        respond(writer, f"{_SITE}/short", "200 OK", b"<p>A few words of text.</p>")
        respond(writer, f"{_SITE}/gone", "404 Not Found", b"<p>gone</p>")
    made = folder / "corpus"
    command = ["extract", str(warc), "--output", str(made), "--quiet", "--keep", "text_chars >= 100"]
    assert main([*command, "--extractor", "cetr:k=2"]) == 0
    return made


@pytest.mark.parametrize(
    ("page", "fate"), [("long", "kept"), ("short", "dropped by keep: text_chars >= 100 (text_chars 20)")]
)
def test_explain_says_what_became_of_a_page_and_draws_it(
    corpus: Path, tmp_path: Path, page: str, fate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "page.html"
    assert main(["explain", str(corpus), f"--url={_SITE}/{page}", f"--output={drawn}"]) == 0
    first, verdict, _ = capsys.readouterr().out.splitlines()
    assert first == f"{corpus}: {fate}"
    assert verdict.startswith("cetr:k=2 kept ")
    assert f"{_SITE}/{page}" in drawn.read_text()


def test_explain_says_why_a_record_is_no_page(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(corpus), f"--url={_SITE}/gone", "--text"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"{corpus}: rejected: status (404)"


def test_a_method_that_is_named_stands_in_for_that_of_the_corpus(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(corpus), f"--url={_SITE}/long", "--extractor=cedar", "--text"]) == 0
    assert "cetr" not in capsys.readouterr().out


def test_text_is_that_of_the_corpus(corpus: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["text", str(corpus), f"--url={_SITE}/short"]) == 0
    printed = capfdbinary.readouterr()
    assert printed.out == b"A few words of text.\n"
    assert printed.err.decode() == f"cedar: {corpus}: dropped by keep: text_chars >= 100 (text_chars 20)\n"


def test_pages_of_a_corpus_are_drawn_in_files_of_their_own(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for page in ("long", "short"):
        assert main(["explain", str(corpus), f"--url={_SITE}/{page}"]) == 0
    names = sorted(path.name for path in tmp_path.glob("*.html"))
    assert [name.rpartition("-")[0] for name in names] == [
        f"corpus-site-example-{page}" for page in ("long", "short")
    ]


def test_columns_of_a_table_are_named(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "t.jsonl").write_text('{"page": "<p>A row of words.</p>", "at": "https://sea.example/"}\n')
    command = ["text", str(tmp_path / "t.jsonl"), "--url", "https://sea.example/"]
    assert main(command) == 2
    said = b"but page, at: give --html-column and --url-column"
    assert said in capfdbinary.readouterr().err
    assert main([*command, "--html-column", "page", "--url-column", "at"]) == 0
    assert capfdbinary.readouterr().out == b"A row of words.\n"


def test_a_page_that_stays_marked_is_told_so(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marked = str(tmp_path / "marked")
    warc = str(corpus.parent / "crawl.warc.gz")
    rule = ["--keep", "text_chars >= 100", "--dropped", "mark", "--quiet"]
    assert main(["extract", warc, "--output", marked, *rule]) == 0
    for page, fate in (
        ("short", "kept, marked by keep: text_chars >= 100 (text_chars 20)"),
        ("long", "kept"),
    ):
        assert main(["explain", marked, f"--url={_SITE}/{page}", "--text"]) == 0
        assert capsys.readouterr().out.splitlines()[0] == f"{marked}: {fate}"


def test_records_without_a_url_are_not_among_those_to_choose_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    warc, made = tmp_path / "crawl.warc.gz", str(tmp_path / "corpus")
    with warc.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        respond(writer, "", "200 OK", article(1))
        respond(writer, f"{_SITE}/one", "200 OK", article(2))
    assert main(["extract", str(warc), "--output", made, "--quiet"]) == 0
    assert main(["explain", made]) == 2
    told = f"cedar: {made} is a corpus: choose a page of it with --url, as {_SITE}/one\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], f"is a corpus: choose a page of it with --url, as {_SITE}/long, {_SITE}/short, {_SITE}/gone"),
        (
            [f"--url={_SITE}/lon"],
            f"has no page with the URL {_SITE}/lon: choose one like it, as {_SITE}/long",
        ),
        (["--url=x:y"], "has no page with the URL x:y"),
        (["--offset=0"], "is a corpus: --offset is for archives, choose a page of it with --url"),
    ],
)
def test_a_page_that_is_not_there_ends_with_2_and_says_which_are(
    corpus: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", str(corpus), *arguments]) == 2
    assert capsys.readouterr().err == f"cedar: {corpus} {complaint}\n"


@pytest.mark.parametrize("size", [0, 1])
def test_a_row_whose_input_has_changed_is_told_so(
    size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, corpus = tmp_path / "t.jsonl", str(tmp_path / "corpus")
    lines = [f'{{"url": "{_SITE}/{n}", "html": "<p>{"some words " * 9}"}}\n' for n in range(2)]
    table.write_text("".join(lines))
    assert main(["extract", str(table), "--output", corpus, "--quiet", "--extractor", "cetr"]) == 0
    table.write_text("".join(lines[:size]) + "\n" * size * len(lines[0]))
    assert main(["text", corpus, f"--url={_SITE}/1"]) == 2
    error = capsys.readouterr().err
    assert f"{table} has changed since the corpus was made: it" in error
    assert "byte" not in error


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus with a page of three dates."""
    folder = tmp_path_factory.mktemp("captures")
    warc = folder / "crawl.warc.gz"
    with warc.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for year in (2013, 2014, 2016):
            page = f"<p>What the page said in {year}, in some more words than a few.</p>".encode()
            respond(writer, f"{_SITE}/", "200 OK", page, date=f"{year}-01-03T10:00:00Z")
    made = folder / "corpus"
    assert main(["extract", str(warc), "--output", str(made), "--quiet"]) == 0
    return made


@pytest.mark.parametrize(
    ("at", "year"),
    [
        *(("2014", 2014), ("2016-01-03", 2016), ("2013-01-03T10:00:00Z", 2013), ("20160103", 2016)),
        *(("2015", 2014), ("2015-02", 2016), ("1999", 2013), ("20300101000000", 2016)),  # the nearest
    ],
)
def test_a_capture_is_chosen_by_its_date(
    captures: Path, at: str, year: int, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [str(captures), f"--url={_SITE}/", f"--at={at}", "--text"]
    assert main(["explain", *command]) == 0
    out = capsys.readouterr().out
    assert f"said in {year}" in out
    assert f"the capture of {year}-01-03T10:00:00Z" in out


def test_other_captures_of_a_page_are_named(
    captures: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["text", str(captures), f"--url={_SITE}/"]) == 0
    said = capfdbinary.readouterr().err.decode()
    assert "--at" in said
    for year in (2013, 2014, 2016):
        assert said.count(f"{year}-01-03T10:00:00Z") == 1


def test_a_date_of_several_captures_is_offered_once(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    dates = ("2013-01-03T10:00:00Z", "2014-01-03T10:00:00Z")
    with (tmp_path / "a.warc.gz").open("wb") as file:
        writer = WARCWriter(file)
        for date in (dates[0], dates[1], dates[1], dates[0]):
            respond(writer, f"{_SITE}/", "200 OK", b"<p>What the page said.</p>", date=date)
    corpus = str(tmp_path / "c")
    assert main(["extract", str(tmp_path / "a.warc.gz"), "--output", corpus, "--quiet"]) == 0
    assert main(["text", corpus, f"--url={_SITE}/"]) == 0
    said = capfdbinary.readouterr().err.decode()
    assert [said.count(date) for date in dates] == [1, 1]


@pytest.mark.parametrize(("at", "year"), [("2014", 2014), ("2015", 2014), ("20161231", 2016)])
def test_a_capture_of_an_archive_is_chosen_by_its_date(
    captures: Path, at: str, year: int, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    warc = str(captures.parent / "crawl.warc.gz")
    assert main(["text", warc, f"--url={_SITE}/", f"--at={at}"]) == 0
    assert f"said in {year}" in capfdbinary.readouterr().out.decode()
    assert main(["text", warc, f"--url={_SITE}/none", f"--at={at}"]) == 2


def test_a_capture_is_not_a_request_of_the_same_url(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with (tmp_path / "a.warc.gz").open("wb") as file:
        writer = WARCWriter(file)
        respond(writer, f"{_SITE}/", "200 OK", b"<p>What the page said.</p>", date="2014-01-03T10:00:00Z")
        writer.write_record(writer.create_warc_record(f"{_SITE}/", "request", payload=io.BytesIO(b"GET /")))
    command = ["extract", str(tmp_path / "a.warc.gz"), "--output", str(tmp_path / "c"), "--quiet"]
    assert main([*command, "--reject-rows", "all"]) == 0
    assert main(["text", str(tmp_path / "c"), f"--url={_SITE}/", "--at=2030"]) == 0
    out, err = capfdbinary.readouterr()
    assert b"What the page said." in out
    assert b"--at" not in err


def test_what_is_no_date_is_refused(captures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for at in ("soon", "", "2014-13-77x", "201x", "2014-01?", "20140103x", "2014/01", "2-0-1-4"):
        assert main(["text", str(captures), f"--url={_SITE}/", f"--at={at}"]) == 2
        assert "2014-01-03" in capsys.readouterr().err
    assert main(["text", str(captures), "--at=2015"]) == 2
    assert "--url" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["text", "explain"])
def test_a_page_of_a_web_server_is_fetched_first(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "https://site.invalid/"]) == 2
    assert "curl -sL https://site.invalid/" in capsys.readouterr().err
