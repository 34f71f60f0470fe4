"""`cedar extract` over inputs that are not archives: the same rows, books, choices and ends."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cedar.pipelines.cli import main
from tests.extract.runs import extract
from tests.helpers.corpus import books, last_run
from tests.helpers.corpus import rows as page_rows
from tests.helpers.held_runs import held_run
from tests.helpers.processes import kill
from tests.readers.tables import json_lines, rows, write_parquet, write_warc_of

SAME = ("url", "title", "text", "text_digest", "lang", "charset", "charset_source", "replaced", "truncated")


def in_order(corpus: Path) -> list[dict[str, Any]]:
    """The rows in the order in which they stand."""
    found = page_rows(corpus)
    found.sort(key=lambda row: (row["source"], row["offset"], row["inner_offset"]))
    return found


@pytest.mark.slow
def test_the_same_pages_as_warc_and_as_parquet_give_the_same_rows_in_the_same_order(tmp_path: Path) -> None:
    pages = rows(1000)
    warc = write_warc_of(tmp_path / "pages.warc.gz", pages)
    table = write_parquet(tmp_path / "pages.parquet", pages)
    assert extract(warc, tmp_path / "a", "--workers", "1") == 0
    assert extract(table, tmp_path / "b", "--workers", "1", "--split-size", "64KiB") == 0
    assert len(list((tmp_path / "b" / "shards").iterdir())) > 3
    of_warc, of_table = in_order(tmp_path / "a"), in_order(tmp_path / "b")
    assert len(of_warc) == 1000
    assert len({row["charset"] for row in of_warc}) > 3
    assert [[row[name] for name in SAME] for row in of_table] == [
        [row[name] for name in SAME] for row in of_warc
    ]
    times = [int(row["fetched_at"].timestamp() * 1e6) for row in of_table]
    assert times == [page.fetched_at for page in pages]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_a_run_over_tables_that_was_killed_ends_with_the_rows_of_an_undisturbed_one(
    suffix: str, tmp_path: Path
) -> None:
    inputs = tmp_path / "in"
    inputs.mkdir()
    for number in range(3):
        pages = rows(300)
        if suffix == "parquet":
            write_parquet(inputs / f"{number}.parquet", pages, group=50)
        else:
            (inputs / f"{number}.jsonl").write_bytes(json_lines(pages) + b"broken\n")
    options = ("--split-size", "64KiB", "--workers", "1")
    assert extract(inputs, tmp_path / "expected", *options) == 0
    expected = in_order(tmp_path / "expected")
    corpus = tmp_path / "corpus"
    for commits in (1, 3):
        with held_run("extract", str(inputs), "--output", str(corpus), *options, after=commits) as (run, _):
            kill(run)
    assert extract(inputs, corpus, *options) == 0
    assert last_run(corpus)["done_before"] >= 4
    assert in_order(corpus) == expected
    assert books(corpus)["balanced"]
    assert books(corpus)["pages"] == len(expected) == 900
    assert books(corpus)["rejected"] == ({} if suffix == "parquet" else {"damaged_record": 3})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_parquet(tmp_path / "pages.parquet", rows(60), group=20)


def test_choices_of_pages_hold_for_tables(table: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    with lines.open("w") as file:
        for n, page in enumerate(rows(20)):
            html = page.html.decode("utf-8", "replace")
            file.write(json.dumps({"url": page.url, "html": html, "status": 404 if n < 5 else 200}) + "\n")
    corpus = tmp_path / "corpus"
    choices = ("--url-include", "/[0-9]$", "--url-exclude", "/7$")
    assert main(["extract", str(table), str(lines), "--output", str(corpus), "--quiet", *choices]) == 0
    assert books(corpus)["rejected"] == {"status": 5, "url_filter": 50 + 1 + 10 + 1}
    assert books(corpus)["balanced"]
    assert extract(lines, tmp_path / "gone", "--status", "404") == 0
    assert books(tmp_path / "gone")["pages"] == 5
    assert extract(table, tmp_path / "few", "--limit", "7") == 0
    assert books(tmp_path / "few")["pages"] == 7


def test_plan_of_tables_counts_their_pages(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lines.jsonl").write_bytes(json_lines(rows(40)))
    assert main(["extract", str(tmp_path), "--plan"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "pages      100 in 2 files"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("pages.parquet", "--html-column", "page"),
            "no column page, but url, html, fetched_at",
        ),
        (("other.jsonl",), "other.jsonl: no column html or raw_html or content or body, but text, url"),
        (("pages.parquet", "--select", "tld=is"), "--select"),
    ],
)
def test_what_a_table_has_not_ends_the_run_before_it_begins(
    arguments: tuple[str, ...],
    line: str,
    table: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(table.parent)
    Path("other.jsonl").write_text('{"text": "a", "url": "u"}\n', encoding="utf-8")
    assert main(["extract", *arguments, "--output", "corpus"]) == 2
    errors = capsys.readouterr().err
    assert line in errors
    assert len(errors.splitlines()) == 1
    assert not Path("corpus").exists()


def test_a_parquet_file_without_its_footer_fails_by_name_and_the_others_are_read(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cut.parquet").write_bytes(table.read_bytes()[:-20])
    assert extract(tmp_path, tmp_path / "corpus") == 1
    errors = capsys.readouterr().err
    assert "cut.parquet: not a whole Parquet file" in errors
    assert books(tmp_path / "corpus")["pages"] == 60


def test_tables_without_rows_are_read_and_named(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    pq.write_table(pq.read_table(table).slice(0, 0), tmp_path / "none.parquet")
    assert extract(tmp_path, tmp_path / "corpus") == 0
    assert books(tmp_path / "corpus")["pages"] == 60
    assert f"2 of 3 inputs have no record: {empty}" in capsys.readouterr().err


def test_a_corpus_goes_on_with_the_same_columns_only(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(table, tmp_path / "corpus") == 0
    assert extract(table, tmp_path / "corpus", "--url-column", "url") == 2
    assert "url-column None, now 'url'" in capsys.readouterr().err


def test_tables_of_which_every_row_is_damaged_are_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"no\nrow\n")
    assert extract(broken, tmp_path / "corpus") == 1
    assert f"no whole record in any input: {broken} (2 damaged); rejects/ says" in capsys.readouterr().err


def test_a_directory_gives_its_archives_or_else_its_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl.gz").write_bytes(gzip.compress(json_lines(rows(5))))
    write_parquet(tmp_path / "in" / "b.parquet", rows(6))
    packed = tmp_path / "in" / "d.jsonl.lz4"
    packed.write_bytes(b"\x04\x22\x4d\x18")
    assert main(["extract", str(tmp_path / "in"), "--output", str(tmp_path / "tables")]) == 0
    said = f"passed over {packed}: this packing is not read, use gzip or zstd"
    assert said in capsys.readouterr().err
    assert books(tmp_path / "tables")["pages"] == 11
    write_warc_of(tmp_path / "in" / "c.warc.gz", rows(3))
    assert main(["extract", str(tmp_path / "in"), "--output", str(tmp_path / "archives")]) == 0
    others = f"{tmp_path / 'in' / 'a.jsonl.gz'} and 1 more: below {tmp_path / 'in'} only .warc "
    assert f"passed over {others}" in capsys.readouterr().err
    assert books(tmp_path / "archives")["pages"] == 3
