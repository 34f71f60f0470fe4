"""What `cedar dedup` refuses, in a line, and when it goes on all the same."""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.dedup.corpora import Kind, Made, write_corpus
from tests.dedup.results import BASE, NEAR, OTHER, dedup, refused, rows


def test_what_cannot_be_is_refused_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE)]])
    out = ("--output", tmp_path / "r")
    assert "it has no corpus.json" in refused(capsys, tmp_path, *out)
    assert "is named twice" in refused(capsys, corpus, corpus, *out)
    assert "is an input: choose another --output" in refused(capsys, corpus, "--output", corpus)
    assert "extract it with --language" in refused(capsys, corpus, *out, "--scope", "language")
    assert "extract it with --full-signatures" in refused(capsys, corpus, *out, "--verify", "0.8")
    assert "or leave out --bands and --rows" in refused(capsys, corpus, *out, "--bands", "20", "--rows", "5")
    assert "a signature has 112" in refused(capsys, corpus, *out, "--bands", "20")
    assert "no such column" in refused(capsys, corpus, *out, "--prefer", "heron")
    assert "no such column" in refused(capsys, corpus, *out, "--prefer", "title")
    assert "not a result of" in refused(capsys, corpus, *out, "--against", corpus)
    assert "give --write" in refused(capsys, corpus, *out, "--format", "avro")
    assert "(write it as 0.8)" in refused(capsys, corpus, *out, "--verify", "2")
    assert "some of text, near, url" in refused(capsys, corpus, *out, "--by", "texts")
    assert "nothing can be written" in refused(capsys, corpus, "--output", "https://bucket.example/r")
    assert "not a place that can be reached" in refused(capsys, corpus, "--output", "hdfs://host/r")
    assert not (tmp_path / "r").exists()


def test_corpora_whose_columns_one_corpus_cannot_have_are_refused_before_anything_is_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = write_corpus(tmp_path / "plain", [[Made(BASE)]], Kind(own="own:score:float32"))
    measured = write_corpus(tmp_path / "measured", [[Made(OTHER)]], Kind(signals=True))
    counted = write_corpus(tmp_path / "counted", [[Made(OTHER)]], Kind(own="own:score:int64"))
    out = ("--output", tmp_path / "r")
    for corpora in ((plain, measured), (measured, plain)):
        assert refused(capsys, *corpora, *out, "--write") == (
            f"cedar: {plain} lacks the columns cedar_words to rw_removed_words that {measured} has: "
            f"extract it with --signals, add them with `cedar filter {plain} --signals`, or leave out --write"
        )
    assert refused(capsys, plain, counted, *out, "--write") == (
        f"cedar: column score is float32 in {plain} and int64 in {counted}: make one again with "
        "another name or type, or leave out --write"
    )
    assert not (tmp_path / "r").exists()
    assert dedup(plain, measured, counted, *out) == 0


def test_pages_of_a_corpus_without_a_column_that_may_be_null_are_written_without_a_value(
    tmp_path: Path,
) -> None:
    plain = write_corpus(tmp_path / "plain", [[Made(BASE)]])
    known = write_corpus(tmp_path / "known", [[Made(OTHER, language="deu")]], Kind(language=True))
    assert dedup(plain, known, "--output", tmp_path / "r", "--write") == 0
    written = [
        row for path in (tmp_path / "r/corpus/pages").iterdir() for row in pq.read_table(path).to_pylist()
    ]
    assert {row["text"]: row["language"] for row in written} == {BASE: None, OTHER: "deu"}


def test_another_choice_is_another_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE), Made(NEAR)]])
    out = ("--output", tmp_path / "r")
    assert dedup(corpus, *out) == 0
    full = write_corpus(tmp_path / "b", [], Kind(full=True))
    assert "made otherwise (--bands)" in refused(capsys, full, *out, "--bands", "13")
    assert "made otherwise (--write, --mask)" in refused(capsys, corpus, *out, "--write", "--mask", "ip")
    assert "made otherwise (--by)" in refused(capsys, corpus, *out, "--by", "text")
    (tmp_path / "r/duplicates/mine.txt").write_text("not Cedar's")
    assert dedup(corpus, *out, "--by", "text", "--overwrite") == 0
    assert rows(tmp_path / "r") == []
    assert (tmp_path / "r/duplicates/mine.txt").exists()


def test_a_corpus_that_has_changed_is_refused_until_refreshed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE), Made(NEAR)]])
    out = ("--output", tmp_path / "r")
    assert dedup(corpus, *out) == 0
    shutil.rmtree(corpus)
    write_corpus(corpus, [[Made(BASE), Made(OTHER)]])
    assert f"{corpus} has changed since" in refused(capsys, corpus, *out)
    assert dedup(corpus, *out, "--restart") == 0
    assert rows(tmp_path / "r") == []


def test_a_corpus_that_is_not_settled_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE)], [Made(NEAR)]])
    (corpus / "run.json").unlink()
    told = refused(capsys, corpus, "--output", tmp_path / "r")
    assert "is not finished: it has no run.json" in told
    assert "if a run is at work on it" in told


def test_a_file_that_is_gone_is_named_and_nothing_is_half_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE)], [Made(NEAR)]])
    next((corpus / "signatures").iterdir()).unlink()
    assert dedup(corpus, "--output", tmp_path / "r") == 1
    assert "signatures/in" in capsys.readouterr().err
    assert not (tmp_path / "r/run.json").exists()


def test_a_place_with_what_looks_like_a_corpus_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE)]])
    (tmp_path / "r/pages").mkdir(parents=True)
    (tmp_path / "r/pages/mine.txt").write_text("not Cedar's")
    line = refused(capsys, corpus, "--output", tmp_path / "r")
    assert line.endswith("r holds pages/mine.txt but no dedup.json: choose another --output")
    assert not (tmp_path / "r/dedup.json").exists()


@pytest.mark.parametrize("size", [100, 1_500])
def test_a_full_disk_is_told_by_the_result_that_was_asked_for(
    size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = write_corpus(tmp_path / "a", [[Made(BASE), Made(NEAR), Made(OTHER)]])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        assert dedup(corpus, "--output", tmp_path / "r") == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    (line,) = set(capsys.readouterr().err.splitlines())
    said = f"cannot write {tmp_path}/r: File too large (longer files are not allowed there)"
    assert line.startswith("cedar: ")
    assert line.endswith(said)
