"""Bounds by language: FineWeb-2's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from cedar.pipelines.cli import main
from cedar.transforms.curation.fineweb2 import LanguageRow, LanguageTable, bounds_of, read_rows, shipped_rows
from cedar.transforms.curation.plan import parse_rules
from cedar.transforms.curation.rules import RuleFailure
from cedar.transforms.model.annotations import Signals
from tests.extract.runs import extract
from tests.helpers.corpus import books
from tests.helpers.corpus import rows as page_rows
from tests.helpers.crawl import write_warc
from tests.test_curate import rows

GOOD = Signals(*[0.0] * len(Signals._fields))._replace(
    cedar_words=100,
    mean_word_length=5.0,
    terminal_lines=0.5,
    alpha_words=1.0,
    stop_words=3,
    c4_sentences_any_end=9,
)
ROWS = shipped_rows()


def config(row: LanguageRow) -> dict[str, Any]:
    """A row as FineWeb-2 publishes it."""
    names = ("language_score", "dup_line_frac", "line_punct_thr", "new_line_ratio", "min_avg_word_length")
    names += ("max_avg_word_length", "max_non_alpha_words_ratio")
    runs = [[n, share] for n, share in enumerate(row.runs, 2)]
    return {
        **dict(zip(names, row.numbers, strict=True)),
        "top_n_grams": runs[:3],
        "dup_n_grams": runs[3:],
        "stopwords": list(row.words),
    }


def judge(
    language: str | None,
    script: str | None,
    signals: Signals = GOOD,
    *,
    otherwise: str = "keep",
    score: float = 0.1,
    has_scores: bool = False,
) -> RuleFailure | None:
    table = LanguageTable(ROWS, otherwise, has_scores)
    rules = parse_rules((), ("fineweb2",), ("language", "signals"), languages=table)
    page = {"language": language, "language_script": script, "language_score": score}
    return rules.first_failure(page.get, signals)


def test_sixty_languages_have_a_row() -> None:
    assert len(ROWS) == 60
    german = ROWS["deu_Latn"]
    assert german.numbers == (0.821, 0.263, 0.0, 0.152, 0.0, 15.0, 0.774)
    assert german.runs == (0.169, 0.153, 0.137, 0.141, 0.134, 0.126, 0.117, 0.108, 0.098)
    assert german.words[:3] == ("der", "und", "die")
    assert all(len(row.runs) == 9 and row.words and len(bounds_of(row)) == 23 for row in ROWS.values())


@pytest.mark.parametrize(
    ("language", "script", "signal", "limit"),
    [
        ("deu", "Latn", "dup_lines", 0.263),
        ("deu", "Latn", "dup_10gram", 0.098),
        ("vie", "Latn", "top_2gram", ROWS["vie_Latn"].runs[0]),
        ("zho", "Hani", "top_2gram", 0.256),
        ("jpn", "Hani", "dup_5gram", 0.243),
        ("nor", "Latn", "newline_ratio", 0.167),
        ("ara", "Arab", "mean_word_length", 9.0),
        ("fra", "Latn", "dup_line_chars_net", 0.1),
        ("eng", "Latn", "dup_line_chars_net", 0.01),
    ],
)
def test_a_page_is_held_to_the_row_of_its_language(
    language: str, script: str, signal: str, limit: float
) -> None:
    assert judge(language, script, GOOD._replace(**{signal: limit - 0.001})) is None
    verdict = judge(language, script, GOOD._replace(**{signal: limit + 0.001}))
    assert verdict is not None
    preset = "fineweb" if language == "eng" else "fineweb2"
    assert verdict.rule == f"{preset}: {signal} > {limit:.10g}"


@pytest.mark.parametrize(
    ("language", "script", "key"),
    [
        ("isl", "Cyrl", "isl_Cyrl"),
        ("srp", "Latn", "srp_Latn"),
        ("zho", "Latn", "cmn_Latn"),
        ("xho", "Latn", "xho_Latn"),
        (None, None, "no language"),
    ],
)
def test_a_language_without_a_row_is_kept_dropped_or_marked(
    language: str | None, script: str | None, key: str
) -> None:
    assert judge(language, script) is None
    dropped, marked = judge(language, script, otherwise="drop"), judge(language, script, otherwise="mark")
    assert dropped is not None
    assert marked is not None
    assert dropped.rule == marked.rule == f"fineweb2: no row for {key}"
    assert (dropped.is_only_marked, marked.is_only_marked) == (False, True)


def test_scores_are_held_to_the_bound_where_they_are_glotlid_s() -> None:
    assert judge("deu", "Latn", score=0.82) is None
    assert judge("deu", "Latn", score=0.822, has_scores=True) is None
    verdict = judge("deu", "Latn", score=0.82, has_scores=True)
    assert verdict is not None
    assert verdict.reason == "fineweb2: language_score 0.82 < 0.821"


def test_files_are_read_as_they_are_published(tmp_path: Path) -> None:
    (tmp_path / "deu_Latn.yml").write_text(yaml.safe_dump(config(ROWS["deu_Latn"])), encoding="utf-8")
    (tmp_path / "cmn_Hani.yml").write_text(yaml.safe_dump(config(ROWS["cmn_Hani"])), encoding="utf-8")
    assert read_rows(tmp_path) == {name: ROWS[name] for name in ("cmn_Hani", "deu_Latn")}
    (tmp_path / "fra_Latn.yml").write_text(yaml.safe_dump({**config(ROWS["fra_Latn"]), "colour": 1}))
    with pytest.raises(ValueError, match=r"fra_Latn.yml is not a file of FineWeb-2's: keys \['colour'\]"):
        read_rows(tmp_path)


@pytest.mark.slow
def test_corpora_are_made_by_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl, corpus = write_warc(tmp_path / "crawl.warc.gz", 6), tmp_path / "corpus"
    choices = ["--language", "--preset", "fineweb2", "--preset-else", "mark", "--signals"]
    assert main(["extract", str(crawl), "--output", str(corpus), *choices]) == 0
    error = capsys.readouterr().err
    assert error.count("fineweb2 has rows for English and 60 languages: pages in others are marked") == 1
    assert error.count("fineweb2's bounds on language_score are GlotLID's") == 1
    assert "were made for English" not in error
    found = [*page_rows(corpus), *rows(corpus, "dropped")]
    assert all(str(row["drop_reason"]).startswith("fineweb: ") for row in found)
    assert json.loads((corpus / "corpus.json").read_text())["fineweb2"].endswith(" mark")
    plain = tmp_path / "plain"
    assert extract(crawl, plain, "--language", "--signals") == 0
    assert (
        main(["filter", str(plain), "--recipe", "fineweb2", "--output", str(tmp_path / "f"), "--quiet"]) == 0
    )
    assert books(tmp_path / "f")["dropped"] == books(corpus)["dropped"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--preset", "fineweb2"], "--preset fineweb2 goes by the language of a page: give --language, too"),
        (
            ["--preset", "gopher", "--preset-else", "keep"],
            "--preset-else is for --preset fineweb2: give it, too",
        ),
        (
            ["--language", "--preset", "fineweb2=nowhere"],
            "nowhere has no file of FineWeb-2's, as deu_Latn.yml",
        ),
    ],
)
def test_what_makes_no_sense_is_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 1)
    assert extract(crawl, tmp_path / "corpus", *arguments) == 2
    assert said in capsys.readouterr().err
