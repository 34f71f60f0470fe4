"""`cedar report` of a corpus with languages, signals and rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pipelines.cli import main
from pipelines.report.change import curation_tables
from pipelines.report.curation import SHARES, CurationFacts, Dropped, quantile, rule_of
from tests.crawl import write_warc
from tests.curation import fasttext_files


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
    assert ("Signals that are shares" in shown) == (mode == "mark")  # else there is no page
    (total,) = (line.split() for line in shown.splitlines() if line.startswith("sum"))
    assert total[1] == total[-1] == "29"


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


def test_two_corpora_differ_by_languages_drops_and_signals() -> None:
    low, high = np.zeros(200, np.int64), np.zeros(200, np.int64)
    low[20], high[100] = 10, 10
    first = CurationFacts(languages=Counter(eng=9, deu=1), signals={"dup_lines": low})
    second = CurationFacts(
        languages=Counter(eng=4),
        signals={"dup_lines": high, "short_lines": low},
        dropped={"c4: c4_sentences < 5": Dropped(3, "c4: c4_sentences 2 < 5", "https://crawl.example/")},
    )
    languages, drops, signals = curation_tables(first, second)
    assert languages.rows == (("deu", "1", "0"), ("eng", "9", "4"))
    assert drops.rows == (("c4: c4_sentences < 5", "0", "3"),)
    assert signals.rows == (("dup_lines", "0.100", "0.500", "0.100", "0.500"),)
    assert not list(curation_tables(CurationFacts(), CurationFacts()))


def test_rules_are_reasons_without_their_values() -> None:
    assert rule_of("fineweb: dup_lines 0.4123 > 0.3") == "fineweb: dup_lines > 0.3"
    assert rule_of("c4: curly_bracket true != false") == "c4: curly_bracket != false"
    assert rule_of("keep: language_score >= 0.65") == "keep: language_score >= 0.65"
    assert rule_of("keep: a b c d") == "keep: a b c d"
    assert rule_of("keep: words > 100 (words 57)") == "keep: words > 100"
    assert rule_of("keep: a in (b, c) (a null)") == "keep: a in (b, c)"
    assert rule_of("gopher: empty") == "gopher: empty"


def test_a_quantile_is_the_bin_below_which_the_share_is() -> None:
    counts = np.zeros(200, np.int64)
    counts[[10, 100]] = 50
    assert quantile(counts, 0.25) == 0.05
    assert quantile(counts, 0.95) == 0.5


def test_shares_are_the_signals_from_0_to_1() -> None:
    assert {"dup_lines", "dup_5gram", "top_4gram", "digit_chars", "c4_lines"} <= set(SHARES)
    assert not {"tokens", "word_entropy", "mean_word_length", "lorem_ipsum", "stop_words"} & set(SHARES)
