"""`cedar report` of a corpus with languages, signals and rules."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from warcio.warcwriter import WARCWriter

from cedar.pipelines.cli import main
from cedar.pipelines.drawing.words import excerpt
from cedar.pipelines.report.changes import curation_tables
from cedar.pipelines.report.counts import Histogram, Tally
from cedar.pipelines.report.facts import SHARES, CurationFacts, Dropped, read_facts
from cedar.pipelines.report.figures import funnel, rule_in_words
from cedar.pipelines.report.marks import counting_parts
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.curation.rules import rule_of
from tests.curation import fasttext_files
from tests.helpers.crawl import respond, write_warc


def drawn(root: Path, *arguments: object) -> str:
    assert (
        main(["report", str(root / "corpus"), "--output", str(root / "report.html"), *map(str, arguments)])
        == 0
    )
    return (root / "report.html").read_text(encoding="utf-8")


def report(corpus: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["report", str(corpus), "--text"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("file_format", ["parquet", "avro", "jsonl"])
@pytest.mark.parametrize("mode", ["move", "mark"])
def test_a_report_says_what_rules_dropped_with_the_value_that_decided(
    mode: str,
    file_format: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    crawl = write_warc(tmp_path / "crawl.warc.gz", 20)
    corpus = tmp_path / "corpus"
    options = ["--preset", "gopher-repetition", "--dropped", mode, "--format", file_format]
    assert main(["extract", str(crawl), "--output", str(corpus), "--quiet", *options]) == 0
    shown = report(corpus, capsys)
    assert "What rules dropped" in shown
    (rule,) = (
        line.split() for line in shown.splitlines() if line.startswith("gopher-repetition: top_3gram 0.2")
    )
    assert rule[3:6] == [">", "0.18", "20"]
    assert "https://crawl.example/0" in shown
    (total,) = (line.split() for line in shown.splitlines() if line.startswith("sum"))
    assert total[1] == total[-1] == "29"


def spoil_column(path: Path, name: str) -> None:
    """Overwrite the values of a column of a Parquet file; what else it has can still be read."""
    group = pq.ParquetFile(path).metadata.row_group(0)
    (column,) = (c for c in map(group.column, range(group.num_columns)) if c.path_in_schema == name)
    with path.open("r+b") as file:
        file.seek(column.data_page_offset)
        file.write(b"\xff" * (column.total_compressed_size // 2))


def test_a_dropped_page_whose_text_cannot_be_read_is_named_and_the_report_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 20)
    corpus = tmp_path / "corpus"
    options = ["--preset", "gopher-repetition", "--dropped", "move"]
    assert main(["extract", str(crawl), "--output", str(corpus), "--quiet", *options]) == 0
    (dropped,) = (corpus / "dropped").iterdir()
    spoil_column(dropped, "text")
    capsys.readouterr()
    assert main(["report", str(corpus), "--output", str(tmp_path / "report.html")]) == 1
    told = capsys.readouterr().out
    assert f"{dropped} is broken: " in told
    assert told.index("; remove it\n") < told.index(
        "once that is removed, the same `cedar extract` makes lost and broken shards again\n"
    )
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "(cannot be read: " in html
    assert "https://crawl.example/0" in html
    dropped.unlink()
    assert main(["extract", str(crawl), "--output", str(corpus), "--quiet", *options]) == 0
    assert "cannot be read" not in drawn(tmp_path)


def test_a_report_says_which_languages_were_found_and_which_declared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = fasttext_files.write(tmp_path / "own.bin")
    crawl = write_warc(tmp_path / "crawl.warc.gz", 20)
    corpus = tmp_path / "corpus"
    assert (
        main(["extract", str(crawl), "--output", str(corpus), "--quiet", "--language-model", str(model)]) == 0
    )
    shown = report(corpus, capsys)
    assert "Language that was found" in shown
    assert "Latn" in shown
    assert ("en, found " in shown) == ("eng  " not in shown.partition("Language that was found")[2])


def test_a_corpus_without_any_of_it_has_no_such_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 5)
    assert main(["extract", str(crawl), "--output", str(tmp_path / "corpus"), "--quiet"]) == 0
    shown = report(tmp_path / "corpus", capsys)
    assert "Signals" not in shown
    assert "found" not in shown.partition("HTTP status")[2]


def curated(languages: dict[str, int], **signals: tuple[float, int]) -> CurationFacts:
    """Facts of pages of some languages, and of pages that all have one value of a signal."""
    facts = CurationFacts(("language", "signals"))
    found = [language for language, pages in languages.items() for _ in range(pages)]
    facts.languages.add(
        pa.table({"lang": found, "language": found, "language_script": ["Latn"] * len(found)})
    )
    for name, (value, pages) in signals.items():
        facts.signals[name].add(np.full(pages, value))
    return facts


def test_two_corpora_differ_by_languages_drops_and_signals() -> None:
    first = curated({"eng": 9, "deu": 1}, dup_lines=(0.1, 10))
    second = curated({"eng": 4}, dup_lines=(0.5, 10), short_lines=(0.1, 10))
    second.dropped["c4: c4_sentences < 5"] = Dropped(3, ())
    languages, drops, signals = curation_tables(first, second)
    assert languages.rows == (("deu", "1", "0"), ("eng", "9", "4"))
    assert drops.rows == (("c4: c4_sentences < 5", "0", "3"),)
    assert signals.rows == (("dup_lines", "0.100", "0.500", "0.100", "0.500"),)
    assert not list(curation_tables(CurationFacts(()), CurationFacts(())))


def test_rules_are_reasons_without_their_values() -> None:
    assert rule_of("fineweb: dup_lines 0.4123 > 0.3") == "fineweb: dup_lines > 0.3"
    assert rule_of("c4: curly_bracket true != false") == "c4: curly_bracket != false"
    assert rule_of("keep: language_score >= 0.65") == "keep: language_score >= 0.65"
    assert rule_of("keep: a b c d") == "keep: a b c d"
    assert rule_of("keep: words > 100 (words 57)") == "keep: words > 100"
    assert rule_of("keep: a in (b, c) (a null)") == "keep: a in (b, c)"
    assert rule_of("gopher: empty") == "gopher: empty"
    assert rule_of("fineweb2: no row for cym_Latn") == "fineweb2: no row for cym_Latn"


def test_a_quantile_is_the_bin_in_which_the_share_is_reached() -> None:
    histogram = Histogram(np.linspace(0, 1, 201))
    histogram.add(np.array([0.05] * 50 + [0.5] * 50 + [np.nan]))
    assert histogram.total == 100
    assert [histogram.edges[histogram.quantile(share)] for share in (0.25, 0.95)] == [0.05, 0.5]


def test_a_tally_adds_batches_up_and_names_the_most_frequent_first() -> None:
    tally = Tally("host", sums=("bytes",))
    for hosts in (["a", "b"], ["b", None], ["b"]):
        tally.add(pa.table({"host": pa.array(hosts, pa.string()), "bytes": [2] * len(hosts)}))
    assert list(tally) == [("b", 3, 6), ("a", 1, 2), (None, 1, 2)]
    assert not tally.is_cut


def test_shares_are_the_signals_from_0_to_1() -> None:
    assert {"dup_lines", "dup_5gram", "top_4gram", "digit_chars", "c4_lines"} <= set(SHARES)
    assert not {"cedar_words", "word_entropy", "mean_word_length", "lorem_ipsum", "stop_words"} & set(SHARES)


@pytest.mark.parametrize("with_signals", [True, False])
def test_words_are_counted_in_scripts_without_spaces_where_signals_are(
    tmp_path: Path, *, with_signals: bool
) -> None:
    sentence = "".join(chr(0x4E00 + n) for n in range(60))
    table = tmp_path / "pages.jsonl"
    table.write_text(f'{{"url": "https://zh.example/", "html": "<html lang=zh><p>{sentence}</p></html>"}}\n')
    options = ["--extractor", "keep-all", *(["--signals"] if with_signals else [])]
    assert main(["extract", str(table), "--output", str(tmp_path / "corpus"), "--quiet", *options]) == 0
    said = "60 words in the pages" if with_signals else "1 words split at blanks in the pages"
    assert said in drawn(tmp_path)


def test_the_funnel_goes_from_records_to_what_is_unique(tmp_path: Path) -> None:
    write_warc(tmp_path / "crawl.warc.gz", 20)
    write_warc(tmp_path / "short.warc.gz", 3, first=101, paragraphs=1)
    options = ["--keep", "words > 100", "--signals", "--signatures", "--dropped", "mark", "--quiet"]
    assert main(["extract", str(tmp_path), "--output", str(tmp_path / "corpus"), *options]) == 0
    assert main(["dedup", str(tmp_path / "corpus"), "--output", str(tmp_path / "unique")]) == 0
    facts = read_facts(CorpusReader.at(str(tmp_path / "corpus")))
    found = {step.label: step.count for step in funnel(facts, {"near": 12, "text": 1}).steps}
    assert found == {
        "records": 33,
        "not_response": 6,
        "status": 4,
        "pages extracted": 23,
        "keep: words > 100": 3,
        "pages kept": 20,
        "similar text": 12,
        "same text": 1,
        "unique pages": 7,
    }
    shown = funnel(facts, None)
    assert shown.languages == (("eng", shown.words),)
    page = drawn(tmp_path, "--duplicates", tmp_path / "unique")
    assert ">unique pages</td>" in page
    assert ">unique pages</td>" not in drawn(tmp_path)
    assert main(["report", str(tmp_path / "unique"), "--duplicates", str(tmp_path / "unique")]) == 2


def test_texts_of_a_rule_are_cut_to_where_it_shows(tmp_path: Path) -> None:
    line = "<p>The same line comes again and again in this text of ours.</p>\n"
    start = "".join(
        f"<p>Paragraph {n} of the beginning says something of its own at length.</p>\n" for n in range(30)
    )
    pages = {f"https://{host}.example/": start + line * 40 for host in ("one", "two", "two", "three", "four")}
    with (tmp_path / "crawl.warc.gz").open("wb") as file:
        for url, body in pages.items():
            respond(WARCWriter(file, gzip=True), url, "200 OK", f"<html><body>{body}</body></html>".encode())
    options = ["--preset", "gopher-repetition", "--output", str(tmp_path / "corpus"), "--quiet"]
    assert main(["extract", str(tmp_path / "crawl.warc.gz"), *options]) == 0
    page = drawn(tmp_path)
    assert page.count('<mark class="differs">The same line comes again') >= 3
    assert "… " in page
    assert page.count("--url=https://two.example/") == 1
    assert 'aria-label="dup_lines: median' in page
    assert "at most 0.3: 4 fail, 100.0%" in page


@pytest.mark.parametrize(
    ("signal", "text", "shown"),
    [
        ("dup_lines", "a b\nc\na b\n a b", ["a b", " a b"]),
        ("short_lines", "short\n" + "long " * 10, ["short"]),
        ("terminal_lines", "It ends.\nit does not\nDoes it?", ["it does not"]),
        ("top_2gram", "old mill, new mill, old mill", ["old mill", "old mill"]),
        ("dup_5gram", "a b c d e; a b c d e", ["a b c d e"]),
        ("curly_bracket", "two words\nif (a) { b(); }\n{", ["if (a) { b(); }"]),
        ("bullet_lines", "• one\ntwo\n‣ three", ["• one", "‣ three"]),  # the product's own list
        ("terminal_lines", "Ends.\nEnds。\nends not", ["ends not"]),
        ("alpha_words", "one 12/3 two", ["12/3"]),
        ("hash_ratio", "a #b c", ["#b"]),
        ("dup_2gram", "東京タワー東京", ["東京"]),
        ("cedar_words", "few", []),
    ],
)
def test_what_counts_against_a_text_is_found_in_it(signal: str, text: str, shown: list[str]) -> None:
    assert [text[start:stop] for start, stop in counting_parts(signal, text)] == shown


def test_an_excerpt_begins_before_the_first_mark_and_marks_what_it_has() -> None:
    text = " ".join(f"word{n}" for n in range(200))
    start, last = text.index("word100"), text.index("word150")
    cut = excerpt(text, [(start, start + 7), (last, last + 7)], 200)
    assert cut[0].text == "… "
    assert [piece.text for piece in cut if piece.mark] == ["word100"]
    assert len("".join(piece.text for piece in cut)) <= 204
    assert [piece.text for piece in excerpt("short", ())] == ["short"]


def test_rules_of_presets_are_said_in_words() -> None:
    words = rule_in_words("fineweb: dup_lines > 0.3")
    assert words == "share of lines that repeat an earlier line: above 0.3"
    assert rule_in_words("gopher-quality: cedar_words < 50") == "words: below 50"
    assert rule_in_words("keep: words >= 150") == ""
    assert rule_in_words("keep: dup_lines > 0.3 and words > 5") == ""
