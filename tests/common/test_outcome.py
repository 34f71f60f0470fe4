"""What a person sees at the end of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cedar.pipelines.common.messages import readable
from cedar.pipelines.common.outcome import (
    corpus_rows,
    english_presets_note,
    outcome_rows,
    print_outcome,
    show_run,
    troubles,
)
from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.settle import Failure, Run, Settled
from cedar.transforms.model._cost import Cost
from cedar.transforms.model.books import Books, Fetched
from tests.elements import shard

BOOKS = Books(
    shards=3,
    records_read=2700,
    pages=1200,
    rejected={"not_html": 1000, "status": 300},
    bytes={"html": 50_000_000, "text": 5_000_000, "in": 20_000_000},
    seconds={"read": Cost(0.04, 1.0), "decode": Cost(2.0, 2.0), "extract": Cost(6.0, 6.5)},
    dropped={"gopher": 150, "c4": 50},
    fetched=Fetched(requests=1234, bytes=7_000_000, retries={"503": 1200, "cut": 2}, waited=61.6),
    judged={"eng": 9, "deu": 3},
)
RUN = Run(
    id="r",
    started_at="a",
    finished_at="b",
    seconds=20.0,
    books=BOOKS,
    out_bytes=4_000_000,
    shards=3,
    cpu_seconds=9.04,
)
NOTE = english_presets_note(BOOKS.judged)
SHARD = shard("a-00000000-000000000000-000000000100")
TIMES = [
    ("CPU time", "9.0 s"),
    ("  decode", "22%"),
    ("  extract", "66%"),
    ("  start-up and Beam", "11%"),
    ("wall time", "20.0 s"),
]
DROPPED = [("dropped", "200"), ("  gopher", "150"), ("  c4", "50")]
REJECTED = [("  not_html", "1,000"), ("  status", "300")]


def test_the_closing_table_of_a_crawl_has_each_sum() -> None:
    assert outcome_rows(RUN) == [
        ("records read", "2,700"),
        ("pages", "1,200"),
        *DROPPED,
        ("rejects", "1,300"),
        *REJECTED,
        ("read", "20.0 MB"),
        ("fetched", "7.0 MB in 1,234 requests, again 1,200 after 503, 2 after cut"),
        ("waited for servers", "62 s"),
        ("HTML", "50.0 MB"),
        ("text", "5.0 MB"),
        ("written", "4.0 MB"),
        ("space saved", "90% of the HTML, 80% on disk"),
        *TIMES,
        ("pages per second", "60"),
    ]


def test_the_closing_table_of_a_corpus_counts_pages() -> None:
    assert corpus_rows(RUN) == [
        ("pages read", "2,700"),
        ("kept", "1,200"),
        *DROPPED,
        *REJECTED,
        ("read", "20.0 MB"),
        ("written", "4.0 MB"),
        *TIMES,
        ("pages per second", "135"),
    ]


def test_a_table_leaves_out_what_there_was_not() -> None:
    bare = Books(records_read=3, pages=3, bytes={"html": 10, "text": 5, "in": 4_000})
    labels = [
        "records read",
        "pages",
        "rejects",
        "read",
        "HTML",
        "text",
        "written",
        "space saved",
        "wall time",
    ]
    of = replace(RUN, books=bare, cpu_seconds=None)
    rows = dict(outcome_rows(replace(of, out_bytes=4_000)))
    assert list(rows) == [*labels, "pages per second"]
    assert rows["space saved"] == "50% of the HTML, 0% on disk"
    assert dict(outcome_rows(replace(of, out_bytes=4_001)))["space saved"] == "50% of the HTML"
    nothing = dict(outcome_rows(replace(of, books=replace(bare, bytes={"html": 10, "text": 5}))))
    assert "space saved" not in nothing
    counted = replace(bare, seconds={"read": Cost(0.5), "decode": Cost(99.5), "extract": Cost(0.0)})
    shares = [label for label, _ in corpus_rows(replace(of, books=counted)) if label.startswith(" ")]
    assert shares == ["  read", "  decode"]
    shares = [label for label, _ in corpus_rows(replace(of, books=counted, cpu_seconds=101.4))]
    assert "  start-up and Beam" in shares


def test_what_went_wrong_is_told_a_line_each_also_when_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = replace(RUN, failures=(Failure(SHARD, "no luck"),), missing=("b", "c"))
    settled = Settled(
        books=replace(BOOKS, pages=1100),
        summaries=(),
        broken={"d": "shards/d is broken"},
        orphans=("pages/e",),
        foreign=("notes.txt",),
    )
    expected = [
        f"failed: no luck [shard {SHARD.name}]",
        "not done: shard b",
        "not done: shard c",
        "shards/d is broken: run again to make it again",
        "deleted pages/e: no commit names it",
        "ignored unknown file notes.txt",
        "the books do not balance: 2700 records read, 1100 pages, 200 dropped and 1300 rejects",
    ]
    assert troubles(run, settled) == expected
    stopped = troubles(replace(run, interrupted=True), Settled(books=BOOKS, summaries=()))
    assert stopped == [expected[0], "interrupted with 2 shards to go: the same command continues from here"]
    corpus = Corpus(str(tmp_path / "corpus"), "parquet")
    print_outcome(run, settled, corpus, quiet=True)
    out, error = capsys.readouterr()
    assert out == ""
    assert error.splitlines() == [f"cedar: {line}" for line in (NOTE, *expected)]
    print_outcome(replace(RUN, books=replace(BOOKS, judged={})), Settled(BOOKS, ()), corpus, quiet=True)
    assert capsys.readouterr() == ("", "")
    show_run(RUN)
    out, _ = capsys.readouterr()
    told = json.loads(out)
    assert (told["id"], told["records_read"], told["missing"]) == (RUN.id, 2700, list(RUN.missing))
    assert out.count("\n") == 1


def test_the_outcome_ends_with_what_the_corpus_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, settled = Corpus(str(tmp_path / "corpus"), "parquet"), Settled(books=BOOKS, summaries=())
    held = f"{corpus.root}: 1,200 pages in 3 shards"
    for done_before, shards, last in (
        (0, 3, held),
        (0, 0, held),
        (1, 3, f"{held} (1 of 3 shards were done before)"),
        (3, 3, f"{held}; already complete (3 shards)"),
        (1, 1, f"{held}; already complete (1 shard)"),
    ):
        run = replace(RUN, done_before=done_before, shards=shards)
        print_outcome(run, settled, corpus, quiet=False, of_corpus=True)
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == last
        assert len(lines) == (1 if done_before == shards > 0 else 1 + len(corpus_rows(run)))


def test_languages_are_named_up_to_five() -> None:
    five = {"deu": 1, "fra": 1, "ita": 1, "nld": 1, "pol": 2}
    assert "judged 6 pages in other languages (pol 2, deu 1, fra 1, ita 1, nld 1): " in english_presets_note(
        five
    )
    assert "nld 1, ...): " in english_presets_note(five | {"rus": 1})


def test_sizes_are_readable() -> None:
    assert (readable(99_999), readable(100_000)) == ("100.0 kB", "0.1 MB")
    assert (readable(5512), readable(45_800_000), readable(2_100_000_000)) == (
        "5.5 kB",
        "45.8 MB",
        "2.1 GB",
    )
