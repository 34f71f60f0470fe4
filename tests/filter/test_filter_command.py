"""`cedar filter`: counts from columns alone, or a corpus of what the rules leave."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.filter import command as filtering
from cedar.transforms.corpus.corpus_reader import CorpusReader
from cedar.transforms.curation.plan import CurationPlan, parse_rules
from tests.curation import fasttext_files
from tests.helpers.corpus import contents
from tests.helpers.crawl import write_warc
from tests.test_curate import books, crawl, extract, rows

assert crawl  # the fixture: four files of thirty pages, long and short ones in turn

RULES = ("--preset", "gopher-repetition", "--keep", "text_chars >= 500")
SHORT = "keep: text_chars >= 500"


@pytest.fixture(scope="module")
def corpus(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus without any columns of curation."""
    corpus = tmp_path_factory.mktemp("corpora") / "plain"
    assert extract(crawl, corpus) == 0
    return corpus


@pytest.fixture(scope="module")
def measured(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with signals."""
    corpus = tmp_path_factory.mktemp("corpora") / "measured"
    assert extract(crawl, corpus, "--signals") == 0
    return corpus


def cedar(*arguments: object) -> int:
    return main(["filter", *map(str, arguments)])


def table(out: str) -> dict[str, int]:
    """The rows of the table that --dry-run prints."""
    lines = [line.rsplit(None, 2) for line in out.splitlines() if line.rstrip().endswith("%")]
    return {label.strip(): int(number.replace(",", "")) for label, number, _ in lines}


def test_a_dry_run_counts_and_writes_nothing(
    measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(measured.rglob("*"))
    assert cedar(measured, *RULES, "--dry-run") == 0
    found = table(capsys.readouterr().out)
    assert (found["pages"], found["kept"] + found["dropped"]) == (120, 120)
    assert found[SHORT] == 60
    assert found["dropped"] == sum(n for name, n in found.items() if name.startswith(("keep:", "gopher")))
    assert cedar(measured, *RULES, "--dry-run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["pages"], said["kept"], said["dropped"][SHORT]) == (120, found["kept"], 60)
    assert cedar(measured, *RULES, "--sample", "20", "--dry-run") == 0
    (outside,) = (line for line in capsys.readouterr().out.splitlines() if "outside --sample" in line)
    assert outside.split() == ["outside", "--sample", "100"]  # no share of the pages in the sample
    assert sorted(measured.rglob("*")) == before
    assert not list(tmp_path.iterdir())


def test_columns_and_texts_give_the_same_counts(corpus: Path, measured: Path) -> None:
    rules = parse_rules((), ("fineweb",), ("signals",))
    by_columns = filtering.count(CorpusReader.at(str(measured)), CurationPlan(rules=rules))
    by_texts = filtering.count(CorpusReader.at(str(corpus)), CurationPlan(rules=rules, signals=True))
    assert by_columns == by_texts
    assert by_columns.pages == 120
    assert by_columns.dropped.total() > 0


def test_columns_that_a_corpus_lacks_are_made_and_that_is_said(
    corpus: Path, measured: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cedar(corpus, "--preset", "c4", "--dry-run") == 0
    assert "has no signals: they are made of its texts" in capsys.readouterr().err
    assert cedar(measured, "--preset", "c4", "--dry-run") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.parametrize("file_format", ["parquet", "avro"])
def test_a_filtered_corpus_is_what_extraction_with_the_rules_makes(
    file_format: str, crawl: Path, tmp_path: Path
) -> None:
    assert extract(crawl, tmp_path / "plain", "--format", file_format) == 0
    assert (
        cedar(tmp_path / "plain", *RULES, "--signatures", "--output", tmp_path / "filtered", "--quiet") == 0
    )
    assert extract(crawl, tmp_path / "direct", *RULES, "--signatures", "--format", file_format) == 0
    assert books(tmp_path / "filtered")["dropped"] == books(tmp_path / "direct")["dropped"]
    assert books(tmp_path / "filtered")["balanced"]
    if file_format == "parquet":
        for kind in ("pages", "dropped", "signatures"):
            assert rows(tmp_path / "filtered", kind) == rows(tmp_path / "direct", kind)


@pytest.mark.parametrize("mode", ["mark", "reject"])
def test_books_of_a_filtered_corpus_balance(mode: str, measured: Path, tmp_path: Path) -> None:
    target = tmp_path / "filtered"
    assert cedar(measured, *RULES, "--dropped", mode, "--output", target, "--quiet") == 0
    found = books(target)
    assert (found["records_read"], found["balanced"]) == (120, True)
    if mode == "mark":
        reasons = Counter(row["drop_reason"] for row in rows(target, "pages"))
        assert sum(n for reason, n in reasons.items() if str(reason).startswith(SHORT)) == 60
        assert found["pages"] == 120
    else:
        assert found["rejected"]["filtered"] + found["pages"] == 120


def test_a_filtered_corpus_is_not_made_twice_and_goes_on(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "filtered"
    assert cedar(measured, *RULES, "--output", target, "--quiet") == 0
    expected = rows(target, "pages")
    commits = sorted((target / "shards").iterdir())
    kept = [path.read_text() for path in commits]
    commits[0].unlink()
    assert cedar(measured, *RULES, "--output", target) == 0
    assert "(3 of 4 shards were done before)" in capsys.readouterr().out
    assert rows(target, "pages") == expected
    assert [path.read_text() for path in commits[1:]] == kept[1:]


def test_a_shard_that_was_extracted_anew_is_filtered_anew(crawl: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "filtered"
    assert extract(crawl, source) == 0
    assert cedar(source, "--keep", "words > 100", "--output", target, "--quiet") == 0
    before = {path.name: json.loads(path.read_text())["attempt"] for path in (target / "shards").iterdir()}
    (name, *_) = sorted(before)
    (source / "pages" / name.replace(".json", ".parquet")).unlink()
    assert extract(crawl, source) == 0
    assert cedar(source, "--keep", "words > 100", "--output", target, "--quiet") == 0
    after = {path.name: json.loads(path.read_text())["attempt"] for path in (target / "shards").iterdir()}
    assert {shard for shard in after if after[shard] != before[shard]} == {name}


def test_a_filtered_corpus_can_be_filtered_again(measured: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert cedar(measured, "--keep", "text_chars >= 500", "--output", one, "--quiet") == 0
    assert cedar(one, "--preset", "gopher-repetition", "--output", two, "--quiet") == 0
    described = json.loads((two / "corpus.json").read_text())
    assert described["source_keep"] == "text_chars >= 500"
    assert described["presets"] == "gopher-repetition"
    assert books(two)["records_read"] == books(one)["pages"]


def test_rules_of_all_generations_are_named(measured: Path, tmp_path: Path) -> None:
    corpora = [measured, *(tmp_path / name for name in ("one", "two", "three", "four"))]
    rules = [
        ("--preset", "gopher-repetition"),
        ("--keep", "words >= 1"),
        ("--keep", "words >= 2"),
        ("--preset", "gopher-quality"),
    ]
    for source, target, rule in zip(corpora[:-1], corpora[1:], rules, strict=True):
        assert cedar(source, *rule, "--output", target, "--quiet") == 0
    described = json.loads((corpora[-1] / "corpus.json").read_text())
    assert described["source_presets"] == "gopher-repetition"
    assert described["source_keep"] == "words >= 1; words >= 2"
    assert described["presets"] == "gopher-quality"
    assert main(["export", str(corpora[-1]), "--output", str(tmp_path / "data"), "--quiet"]) == 0
    for card in (corpora[-1] / "README.md", tmp_path / "data" / "README.md"):
        assert "- source presets: `gopher-repetition`" in card.read_text()
        assert "- source keep: `words >= 1; words >= 2`" in card.read_text()


def test_languages_are_made_where_they_are_asked_for_and_counted_where_presets_judge(
    measured: Path, tmp_path: Path
) -> None:
    model = fasttext_files.write(tmp_path / "own.bin")
    target = tmp_path / "filtered"
    options = ("--language-model", model, "--keep", "language is not null")
    assert cedar(measured, *options, "--output", target, "--quiet") == 0
    pages = rows(target, "pages")
    assert {row["language_source"] for row in pages} == {"own.bin"}
    rules = parse_rules((), ("c4",), ("signals", "language"))
    by_columns = filtering.count(CorpusReader.at(str(target)), CurationPlan(rules=rules))
    by_texts = filtering.count(CorpusReader.at(str(target)), CurationPlan(rules=rules, signals=True))
    assert by_columns.judged == by_texts.judged == Counter(row["language"] for row in pages)
    assert cedar(target, "--language-model", model, "--keep", "language == en", "--dry-run") == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--output", "x"], "nothing to do: give --keep, --preset, --mask or --block-domains"),
        (["--dry-run"], "nothing to count: give --keep, --preset or --block-domains"),
        (["--dry-run", "--signals"], "nothing to count: give --keep, --preset or --block-domains"),
        (["--preset", "c4"], "--dry-run counts, --output DIR writes"),
        (["--preset", "c4", "--dry-run", "--output", "x"], "--dry-run counts, --output DIR writes"),
        (["--keep", "cedar_words > 3", "--dry-run"], "cedar_words is filled only with --signals"),
        (["--keep", "html is null", "--dry-run"], "html is filled only with --with-html"),
        (
            ["--language-model", "nowhere", "--keep", "words > 3", "--dry-run"],
            "cannot read the language model",
        ),
    ],
)
def test_what_makes_no_sense_is_one_line(
    options: list[str], message: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cedar(corpus, *options) == 2
    assert message in capsys.readouterr().err


def test_what_is_no_corpus_or_the_corpus_itself_is_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cedar(tmp_path, "--preset", "c4", "--dry-run") == 2
    assert "not a corpus: " in capsys.readouterr().err
    assert cedar(corpus, "--preset", "c4", "--output", corpus, "--quiet") == 2
    assert "is an input: choose another --output" in capsys.readouterr().err


def test_other_rules_are_another_corpus(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "filtered"
    assert cedar(measured, "--preset", "c4", "--output", target, "--quiet") == 0
    assert cedar(measured, "--preset", "gopher", "--output", target, "--quiet") == 2
    assert "was made with other options" in capsys.readouterr().err
    assert cedar(measured, "--preset", "gopher", "--output", target, "--quiet", "--overwrite") == 0


def test_a_file_of_the_source_that_is_lost_is_named(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "source"
    assert extract(crawl, source) == 0
    lost: Any = sorted((source / "pages").iterdir())[1]
    lost.unlink()
    assert cedar(source, "--keep", "words > 3", "--dry-run") == 1
    assert f"pages/{lost.name} is gone" in capsys.readouterr().err
    assert cedar(source, "--keep", "words > 3", "--output", tmp_path / "filtered", "--quiet") == 1
    assert lost.name in capsys.readouterr().err


def test_a_filtered_corpus_stays_if_a_commit_of_its_source_is_broken(corpus: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "filtered"
    shutil.copytree(corpus, source)
    assert cedar(source, "--keep", "words > 3", "--output", target, "--quiet") == 0
    before = contents(target)
    next((source / "shards").iterdir()).write_text("{}")
    assert cedar(source, "--keep", "words > 9", "--output", target, "--quiet", "--overwrite") == 1
    assert contents(target) == before


@pytest.mark.slow
def test_every_group_of_columns_goes_through_a_filter(crawl: Path, tmp_path: Path) -> None:
    source, output = tmp_path / "source", tmp_path / "output"
    assert extract(crawl, source, "--with-metadata", "--with-markdown", "--signals") == 0
    assert cedar(source, "--keep", "text_chars >= 500", "--output", output, "--quiet") == 0
    kept = {row["url"]: row for row in rows(output, "pages")}
    assert len(kept) == 60
    for row in rows(source, "pages"):
        if row["url"] in kept:
            assert {name: kept[row["url"]][name] for name in row} == row
            assert row["markdown"]


def test_a_corpus_is_filtered_into_another_format(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    as_it_was, lines = tmp_path / "parquet", tmp_path / "jsonl"
    assert cedar(measured, "--keep", "text_chars >= 500", "--output", as_it_was) == 0
    assert cedar(measured, "--keep", "text_chars >= 500", "--output", lines, "--format", "jsonl") == 0
    kept = [(row["url"], row["text"]) for row in rows(as_it_was, "pages")]
    read = [
        (row["url"], row["text"])
        for path in sorted((lines / "pages").glob("*.jsonl.zst"))
        for row in map(json.loads, pyarrow.input_stream(path).read().splitlines())
    ]
    assert sorted(read) == sorted(kept) != []
    assert cedar(measured, "--keep", "text_chars >= 500", "--output", lines) == 2
    assert "was made with other options" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--dry-run", "--format", "avro"), "leave out --dry-run"),
        (("--output", "x", "--format", "csv"), "unknown format 'csv': choose one of parquet, avro, jsonl"),
    ],
)
def test_formats_that_cannot_be_written_are_refused(
    measured: Path,
    tmp_path: Path,
    given: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cedar(measured, "--keep", "text_chars >= 500", *given) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_is_gone_from_the_source_is_taken_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "in" / "one.warc.gz", 4)
    other = tmp_path / "in" / "other.warc.gz"
    source, target = tmp_path / "source", tmp_path / "target"
    write_warc(other, 6, first=10)
    assert extract(tmp_path / "in", source) == 0
    assert cedar(source, "--keep", "words > 1", "--output", target, "--quiet") == 0
    # A shard is named by the size of its input, too.
    write_warc(other, 3, first=20)
    assert extract(tmp_path / "in", source, "--refresh") == 0
    capsys.readouterr()
    assert cedar(source, "--keep", "words > 1", "--output", target, "--quiet") == 0
    assert f"1 shard taken out: no longer in {source}" in capsys.readouterr().err
    assert [row["url"] for row in rows(target, "pages")] == [row["url"] for row in rows(source, "pages")]
    assert books(target)["pages"] == 7


def test_a_corpus_whose_run_was_cut_short_is_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = tmp_path / "cut"
    shutil.copytree(corpus, cut)
    min((cut / "shards").iterdir()).unlink()
    for what in (("--dry-run",), ("--output", tmp_path / "x")):
        assert cedar(cut, "--keep", "words > 1", *what) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert "its run.json says 4 shards, but 3 are committed" in line
    (cut / "run.json").unlink()
    assert cedar(cut, "--keep", "words > 1", "--dry-run") == 2
    assert "it has no run.json" in capsys.readouterr().err
    assert main(["check", str(cut), "--repair"]) == 0
    assert cedar(cut, "--keep", "words > 1", "--dry-run") == 0
