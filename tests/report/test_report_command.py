"""`cedar report`: its sums are those of the corpus, for both formats, and for two corpora."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.report.changes import change_tables
from cedar.pipelines.report.counts import MAX_KEYS
from cedar.pipelines.report.facts import CorpusFacts, read_facts
from cedar.transforms.corpus.corpus_reader import CorpusReader, Place
from cedar.transforms.corpus.errors import LostFilesError
from cedar.transforms.model.summaries import ShardSummary
from tests.explain.test_explain_command import check_whole
from tests.helpers.crawl import write_warc
from tests.report.corpora import varied_row, write_corpus

ROWS = 1000


def gathered(root: Path, **options: bool) -> CorpusFacts:
    return read_facts(CorpusReader.at(str(root)), **options)


@pytest.fixture(scope="module", params=["parquet", "avro"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of four shards."""
    root = tmp_path_factory.mktemp("corpus") / "made"
    write_corpus(root, ROWS, output=request.param, shard_rows=300)
    return root


def report(tmp_path: Path, *arguments: str) -> str:
    target = tmp_path / "report.html"
    assert main(["report", *arguments, "--output", str(target)]) == 0
    return target.read_text(encoding="utf-8")


def test_totals_are_those_of_run_json(made: Path, tmp_path: Path) -> None:
    text = report(tmp_path, str(made))
    check_whole(text)
    stated = json.loads((made / "run.json").read_text())
    facts = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", text))
    for name, key in (("records read", "records_read"), ("pages kept", "pages"), ("rejects", "rejects")):
        assert facts[name].replace(",", "") == str(stated[key])
    assert "1,200 records: 1,000 pages kept, 200 rejected: the books balance." in text
    assert '<p class="problem">' not in text


def test_counts_and_histograms_have_every_row(made: Path) -> None:
    facts = gathered(made)
    assert facts.page_rows == ROWS
    assert list(facts.details) == [("status", "404", ROWS // 10)]
    assert list(facts.tallies["status"]) == [(200, 980), (None, 20)]
    assert sum(count for *_, count in facts.tallies["charset"]) == ROWS
    with_ratio = sum(varied_row(number).tag_ratio_mean is not None for number in range(ROWS))
    for name, histogram in facts.histograms.items():
        assert histogram.total == (with_ratio if name == "tag_ratio" else ROWS)
    rows = [varied_row(number) for number in range(ROWS)]
    assert facts.histograms["text"].counts[0] == sum(row.text_chars == 0 for row in rows)
    assert facts.truncated == sum(row.truncated for row in rows)
    fallbacks = {why: count for why, count in facts.tallies["fallback"] if why is not None}
    assert sum(fallbacks.values()) == sum(row.fallback is not None for row in rows)


def test_extremes_are_the_slowest_and_largest_pages(made: Path) -> None:
    facts = gathered(made)
    rows = [varied_row(number) for number in range(ROWS)]
    largest = sorted(rows, key=lambda row: -row.html_bytes)[:10]
    assert [(mark.url, mark.value) for mark in facts.largest] == [(r.url, r.html_bytes) for r in largest]
    slowest = max(row.decode_seconds + row.extract_seconds for row in rows)
    assert facts.slowest[0].value == pytest.approx(slowest, rel=1e-6)
    for mark in (*facts.largest, *facts.slowest):
        (number,) = [n for n, row in enumerate(rows) if row.url == mark.url]
        assert facts.reader.text_at(mark.place) == rows[number].text


def test_hosts_have_their_sums(made: Path) -> None:
    facts = gathered(made)
    rows = [varied_row(number) for number in range(ROWS)]
    by_name = {host: sums for host, *sums in facts.hosts}
    assert len(by_name) == 211
    assert not facts.hosts.is_cut
    own = [row for row in rows if row.url.startswith("https://host7.example:8080/")]
    html, text = (sum(getattr(row, name) for row in own) for name in ("html_bytes", "text_chars"))
    assert by_name["host7.example"] == [len(own), html, text, sum(row.text_chars == 0 for row in own)]


def test_table_of_hosts_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_KEYS > 50
    monkeypatch.setattr("cedar.pipelines.report.counts.MAX_KEYS", 50)
    write_corpus(tmp_path / "c", ROWS, shard_rows=300)
    facts = gathered(tmp_path / "c")
    assert facts.hosts.is_cut
    assert len(list(facts.hosts)) <= 100


def test_samples_show_the_text_of_their_pages(made: Path, tmp_path: Path) -> None:
    text = report(tmp_path, str(made))
    samples = re.findall(r'<article class="sample">(.*?)</article>', text, re.DOTALL)
    assert len(samples) >= 4
    for sample in samples:
        (url,) = re.findall(r'dir="ltr">(https://[^<]+)</p>', sample)
        row = varied_row(int(url.rpartition("/")[2]))
        assert row.text[:300] in sample
        command = f"cedar explain /crawl/one.warc.gz --url={url} --offset={row.offset} --extractor=cetr"
        assert command in sample


def test_two_corpora_show_what_changed(made: Path, tmp_path: Path) -> None:
    write_corpus(tmp_path / "second", ROWS - 100, shard_rows=450, salt="new")
    first, second = gathered(made, fingerprints=True), gathered(tmp_path / "second", fingerprints=True)
    found = {table.title: table.rows for table in change_tables(first, second)}
    changed = sum(number % 7 == 0 for number in range(ROWS - 100))
    counts = [row[1] for row in found["What changed: the pages, by URL"]]
    assert counts == [f"{ROWS - 100 - changed:,}", f"{changed:,}", "100", "0"]
    assert ("salt", "", "new") in found["Options that differ"]
    most = found["Texts whose length changed most"]
    lengths = [(int(before.replace(",", "")), int(after.replace(",", ""))) for _, before, after in most]
    assert {abs(after - before) for before, after in lengths} == {3}
    text = report(tmp_path, str(made), str(tmp_path / "second"))
    check_whole(text)
    assert "in both, with another text</td>" in text
    assert 'class="other"' in text


def test_of_the_second_corpus_only_the_shards_of_pages_that_are_named_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(tmp_path / "first", 200, shard_rows=10)
    write_corpus(tmp_path / "second", 200, shard_rows=10, salt="new")
    first, second = (gathered(tmp_path / name, fingerprints=True) for name in ("first", "second"))
    opened: list[str] = []
    batches = CorpusReader.batches

    def counted(reader: CorpusReader, summary: ShardSummary, *more: Any) -> Any:
        opened.append(summary.shard.name)
        return batches(reader, summary, *more)

    monkeypatch.setattr(CorpusReader, "batches", counted)
    *_, most = change_tables(first, second)
    assert (most.title, len(most.rows)) == ("Texts whose length changed most", 10)
    shards = {int(url.rpartition("/")[2]) // 10 for url, *_ in most.rows}
    assert set(opened) == {second.summaries[shard].shard.name for shard in shards}


def test_charts_have_tables_of_the_same_numbers(made: Path, tmp_path: Path) -> None:
    text = report(tmp_path, str(made))
    charts = [int(n) for n in re.findall(r'data-kind="bars" data-count="(\d+)"', text)]
    tables = re.findall(r" as a table</summary>.*?<tbody>(.*?)</tbody>", text, re.DOTALL)
    assert charts == [table.count("<tr>") for table in tables]
    assert len(charts) == 5


def test_report_of_a_real_run_and_its_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warc = write_warc(tmp_path / "crawl.warc.gz", 7)
    arguments = ["--extractor", "cetr-tm:lambda=0.5", "--quiet"]
    assert main(["extract", str(warc), "--output", str(tmp_path / "corpus"), *arguments]) == 0
    text = report(tmp_path, str(tmp_path / "corpus"))
    command = re.findall(r"cedar explain (\S+) --url=(\S+) --offset=(\d+) --extractor=(\S+)</code>", text)[0]
    assert command[3] == "cetr-tm:threshold_factor=0.5"
    source, url, offset, method = command
    chosen = ["--url", url, "--offset", offset, "--extractor", method]
    assert main(["explain", source, *chosen, "--output", str(tmp_path / "page.html")]) == 0
    capsys.readouterr()
    assert main(["report", str(tmp_path / "corpus"), "--text"]) == 0
    assert "12 records: 7 pages kept, 5 rejected: the books balance." in capsys.readouterr().out
    page = str(tmp_path / "report.html")
    assert main(["report", str(tmp_path / "corpus"), "--json", "--output", page]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)
    assert page in said.err


def test_quiet_says_nothing_but_what_is_wrong(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(tmp_path, str(made), "-q")
    assert capsys.readouterr() == ("", "")
    (made / "run.json").rename(tmp_path / "run.json")
    try:
        assert report(tmp_path, str(made), "-q")
    finally:
        (tmp_path / "run.json").rename(made / "run.json")
    assert "there is no run.json" in capsys.readouterr().err
    assert main(["report", str(made), "-q", "--text"]) == 2


def test_text_at_refuses_a_row_that_is_not_there(made: Path) -> None:
    reader = CorpusReader.at(str(made))
    shard = next(reader.summaries()).shard.name
    with pytest.raises(LostFilesError, match=f"pages/{shard}"):
        reader.text_at(Place(shard, 10_000))


def test_a_meaning_is_shown_whole_in_a_narrow_window_and_options_do_not_break(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = tmp_path / "crawl.warc.gz"
    assert main(["sample", str(crawl)]) == 0
    assert main(["extract", str(crawl), "--output", str(tmp_path / "c"), "-q"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("COLUMNS", "70")
    target = tmp_path / "r.html"
    assert main(["report", str(tmp_path / "c"), "--text", "--output", str(target)]) == 0
    meaning = "a record of another type than --record-types, such as request or metadata"
    table = capsys.readouterr().out.partition("Where the records went")[2].partition("\n\n")[0]
    assert all(word in table for word in meaning.split())
    assert "…" not in table
    whole = meaning.replace("--record-types", '<span class="unbroken">--record-types</span>', 1)
    assert whole.partition(",")[0] in target.read_text(encoding="utf-8")
