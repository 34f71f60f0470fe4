"""What a person sees at the end of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cedar.pipelines.cli import main
from cedar.pipelines.common.outcome import (
    books_line,
    corpus_rows,
    crawl_rows,
    english_presets_note,
    failure_lines,
    print_run_json,
    problem_lines,
)
from cedar.pipelines.common.terminal import format_bytes
from cedar.pipelines.local.progress import progress_line
from cedar.transforms.corpus.settle import Failure, Run, Settled
from cedar.transforms.model.books import Books, Fetched
from cedar.transforms.model.costs import Cost
from cedar.transforms.runtime.progress_file import Progress
from tests.helpers.crawl import write_warc
from tests.helpers.elements import shard

BOOKS = Books(
    shards=3,
    records_read=2700,
    pages=1200,
    rejected={"status": 1000, "time_limit": 300},
    bytes={"html": 50_000_000, "html_read": 60_000_000, "text": 5_000_000, "in": 20_000_000},
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
    cpu_seconds=10.04,
)
NOTE = english_presets_note(BOOKS.judged)
SHARD = shard("a-00000000-000000000000-000000000100")
TIMES = [
    ("CPU time", "10.0 s"),
    ("  decode", "20%"),
    ("  extract", "60%"),
    ("  start-up and Beam", "20%"),
    ("wall time", "20.0 s"),
]
DROPPED = [("  dropped", "200"), ("    gopher", "150"), ("    c4", "50")]
REJECTED = [("status", "1,000"), ("time_limit", "300")]


def test_the_closing_table_of_a_crawl_has_each_sum() -> None:
    assert crawl_rows(RUN) == [
        ("records read", "2,700"),
        ("pages read", "1,700"),
        ("  kept", "1,200"),
        *DROPPED,
        ("rejects", "1,300"),
        *((f"  {reason}", number) for reason, number in REJECTED),
        ("read", "20.0 MB"),
        ("fetched", "7.0 MB in 1,234 requests, again 1,200 after 503, 2 after cut"),
        ("waited for servers", "62 s"),
        ("HTML", "60.0 MB"),
        ("text", "5.0 MB"),
        ("written", "4.0 MB"),
        ("space saved", "90% of the HTML, 80% on disk"),
        *TIMES,
        ("pages per second", "85"),
    ]


def test_the_closing_table_of_a_corpus_counts_pages() -> None:
    assert corpus_rows(RUN) == [
        ("pages read", "2,700"),
        ("  kept", "1,200"),
        *DROPPED,
        ("  rejected", "1,300"),
        *((f"    {reason}", number) for reason, number in REJECTED),
        ("read", "20.0 MB"),
        ("written", "4.0 MB"),
        *TIMES,
        ("pages per second", "135"),
    ]


def test_a_table_leaves_out_what_there_was_not() -> None:
    bare = Books(records_read=3, pages=3, bytes={"html": 10, "text": 5, "in": 4_000})
    labels = [
        "records read",
        "pages read",
        "rejects",
        "read",
        "HTML",
        "text",
        "written",
        "space saved",
        "wall time",
    ]
    of = replace(RUN, books=bare, cpu_seconds=None)
    rows = dict(crawl_rows(replace(of, out_bytes=4_000)))
    assert list(rows) == [*labels, "pages per second"]
    assert rows["space saved"] == "50% of the HTML, 0% on disk"
    assert dict(crawl_rows(replace(of, out_bytes=4_001)))["space saved"] == "50% of the HTML"
    nothing = dict(crawl_rows(replace(of, books=replace(bare, bytes={"html": 10, "text": 5}))))
    assert "space saved" not in nothing
    counted = replace(bare, seconds={"read": Cost(0.5), "decode": Cost(99.5), "extract": Cost(0.0)})
    labels = [label for label, _ in corpus_rows(replace(of, books=counted))]
    assert labels[labels.index("CPU time") :][1:3] == ["  read", "  decode"]
    assert "  extract" not in labels
    shares = [label for label, _ in corpus_rows(replace(of, books=counted, cpu_seconds=101.4))]
    assert "  start-up and Beam" in shares


def test_what_went_wrong_is_told_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
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
    assert problem_lines(run, settled) == expected
    stopped = problem_lines(replace(run, interrupted=True), Settled(books=BOOKS, summaries=()))
    assert stopped == [expected[0], "interrupted with 2 shards to go: the same command continues from here"]
    print_run_json(RUN)
    out, _ = capsys.readouterr()
    told = json.loads(out)
    assert (told["id"], told["records_read"], told["missing"]) == (RUN.id, 2700, list(RUN.missing))
    assert out.count("\n") == 1


def test_below_ten_seconds_of_cpu_time_start_up_is_told_in_seconds() -> None:
    rows = dict(crawl_rows(replace(RUN, cpu_seconds=9.04)))
    assert rows["CPU time"] == "9.0 s, 1.0 s of it start-up"
    assert "  decode" not in rows


def test_the_end_says_what_the_corpus_holds_and_on_a_terminal_what_shows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    command = ["extract", f"{tmp_path}/in", "--output", f"{tmp_path}/corpus", "--workers", "1"]
    for last in ("6 pages in 1 shard", "6 pages in 1 shard; already complete (1 shard)"):
        assert main(command) == 0
        assert capsys.readouterr().out.splitlines()[-1] == f"{tmp_path}/corpus: {last}"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"next: cedar report {tmp_path}/corpus --open"
    assert main([*command, "--json"]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_speed_and_html_are_of_all_pages_that_were_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(tmp_path / "in" / "a.warc.gz", 6)
    told = {}
    for name, rules in (("all", []), ("some", ["--keep", "words < 0"])):
        command = ["extract", f"{tmp_path}/in", "--output", f"{tmp_path}/{name}", "--workers", "1"]
        assert main([*command, *rules, "--json"]) == 0
        told[name] = json.loads(capsys.readouterr().out)
    assert [told[name]["pages"] for name in told] == [6, 0]
    assert told["all"]["pages_read"] == told["some"]["pages_read"] == 6
    assert (
        told["all"]["bytes"]["html_read"]
        == told["some"]["bytes"]["html_read"]
        == told["all"]["bytes"]["html"]
    )


def test_languages_are_named_up_to_five() -> None:
    five = {"deu": 1, "fra": 1, "ita": 1, "nld": 1, "pol": 2}
    assert "judged 6 pages in other languages (pol 2, deu 1, fra 1, ita 1, nld 1): " in english_presets_note(
        five
    )
    assert "nld 1, ...): " in english_presets_note(five | {"rus": 1})


def test_one_page_is_not_called_pages() -> None:
    assert "judged 1 page in other languages (zho 1): " in english_presets_note({"eng": 5, "zho": 1})
    assert books_line(Books(records_read=1, pages=1)).startswith("1 record: 1 page kept, ")
    assert progress_line(Progress(pages=1, rejects=1, committed_pages=1), 0, 1).startswith(
        "1 page, 1/s, 1 reject, 1 page safe"
    )


def test_one_fault_of_many_shards_is_one_line_and_long_lists_are_cut() -> None:
    shards = [shard(f"{n:05d}-00000000-000000000000-000000000100") for n in range(30)]
    full = [f"cannot write corpus: no space left [shard {one.name}]" for one in shards]
    assert failure_lines(full) == [f"failed: {full[0]} (and 29 others with the same fault)"]
    lost = [f"pages/{one.name}.parquet is gone" for one in shards]
    assert [*failure_lines(lost)[:1], *failure_lines(lost)[-1:]] == [
        f"failed: {lost[0]}",
        "... and 20 more faults",
    ]


def test_sizes_are_readable() -> None:
    assert (format_bytes(99_999), format_bytes(100_000)) == ("100.0 kB", "0.1 MB")
    assert (format_bytes(5512), format_bytes(45_800_000), format_bytes(2_100_000_000)) == (
        "5.5 kB",
        "45.8 MB",
        "2.1 GB",
    )
