"""Pages that are of an earlier result and of a corpus: a page is not a duplicate of itself."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.dedup.corpora import Kind, Made, edited, words, write_corpus
from tests.dedup.results import dedup, family, rows
from tests.helpers.corpus import books


@pytest.mark.parametrize(
    "options",
    [
        ("--memory", "64KiB"),
        ("--by", "text,near,url"),
        ("--by", "text,near,url", "--memory", "64KiB"),
        ("--verify", "0.7"),
        ("--prefer", "longest"),
    ],
)
def test_a_corpus_against_a_result_made_of_it_is_as_before(options: tuple[str, ...], tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "a", [family(40, 1), family(40, 2)], Kind(full=True))
    assert dedup(corpus, "--output", tmp_path / "r", *options) == 0
    assert dedup(corpus, "--against", tmp_path / "r", "--output", tmp_path / "again", *options) == 0
    assert rows(tmp_path / "again") == rows(tmp_path / "r") != []
    assert books(tmp_path / "again") == books(tmp_path / "r")


def test_a_result_of_several_corpora_keeps_its_choices(tmp_path: Path) -> None:
    texts = [words(seed, 50) for seed in range(12)]
    first = write_corpus(tmp_path / "a", [[Made(" ".join(text)) for text in texts]])
    second = write_corpus(
        tmp_path / "b",
        [[Made(" ".join(edited(text, 1, 3))) for text in texts[:8]] + [Made(" ".join(words(99, 50)))]],
    )
    assert dedup(first, second, "--output", tmp_path / "both") == 0
    against = ("--against", tmp_path / "both")
    assert dedup(first, *against, "--output", tmp_path / "ra", "--write") == 0
    assert dedup(second, *against, "--output", tmp_path / "rb", "--write") == 0
    assert books(tmp_path / "ra")["near"] == 0
    assert (books(tmp_path / "rb")["near"], books(tmp_path / "rb")["alone"]) == (8, 1)
    kept = sum(
        pq.read_table(path).num_rows for r in ("ra", "rb") for path in (tmp_path / r).glob("corpus/pages/*")
    )
    assert kept == books(tmp_path / "both")["alone"] + books(tmp_path / "both")["kept"]


def test_the_page_that_a_result_keeps_stays_the_one_that_is_kept(tmp_path: Path) -> None:
    short, long = words(1, 60), words(1, 61)
    corpus = write_corpus(tmp_path / "a", [[Made(" ".join(short)), Made(" ".join(long))]])
    assert dedup(corpus, "--output", tmp_path / "r", "--prefer", "longest") == 0
    assert dedup(corpus, "--against", tmp_path / "r", "--output", tmp_path / "again") == 0
    assert [row["keep"] for row in rows(tmp_path / "again")] == [False, True]


def test_a_page_of_two_earlier_results_is_one_page_of_one_cluster(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "a", [family(30, 5)])
    other = write_corpus(tmp_path / "b", [family(30, 5)])
    for name in ("r", "again"):
        against = ("--against", tmp_path / "r") if name == "again" else ()
        assert dedup(corpus, *against, "--output", tmp_path / name) == 0
    both = ("--against", tmp_path / "r", "--against", tmp_path / "again")
    assert dedup(other, *both, "--output", tmp_path / "last") == 0
    assert books(tmp_path / "last")["bridges"] == 0


def test_another_text_at_the_same_place_is_another_page(tmp_path: Path) -> None:
    text = words(1, 60)
    corpus = write_corpus(tmp_path / "a", [[Made(" ".join(text))]])
    assert dedup(corpus, "--output", tmp_path / "r") == 0
    for path in sorted(corpus.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    write_corpus(corpus, [[Made(" ".join(edited(text, 1, 3)))]])
    assert dedup(corpus, "--against", tmp_path / "r", "--output", tmp_path / "again") == 0
    assert (books(tmp_path / "again")["near"], books(tmp_path / "again")["alone"]) == (1, 0)


@pytest.mark.parametrize(("kind", "workers"), [(Kind(), 2), (Kind(signed=False, format="jsonl"), 1)])
def test_corpora_below_a_path_that_is_not_utf_8_are_compared(
    kind: Kind, workers: int, tmp_path: Path
) -> None:
    made = [family(30, 1), family(20, 2)]
    odd = tmp_path / os.fsdecode(b"\xff\xfe")
    corpus = write_corpus(odd / "a", made, kind)
    assert dedup(corpus, "--output", odd / "r", "--write", "--workers", workers) == 0
    assert dedup(corpus, "--against", odd / "r", "--output", odd / "again", "--write") == 0
    plain = write_corpus(tmp_path / "a", made, kind)
    assert dedup(plain, "--output", tmp_path / "r", "--write") == 0
    assert books(odd / "r") == books(odd / "again") == books(tmp_path / "r")
