"""Data sets of a corpus: their columns, their files, and what becomes of an interruption."""

from __future__ import annotations

import errno
import json
import operator
import shlex
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.pipelines.cli import main
from cedar.transforms.corpus.corpus_reader import CorpusReader, as_lists
from cedar.transforms.corpus.errors import LostFilesError, ReplacedCorpusError
from cedar.transforms.corpus.export import ExportPlan, begin, choose_columns, export
from cedar.transforms.corpus.formats import output_format, read_lines
from cedar.transforms.corpus.shuffle import shuffled
from cedar.transforms.files.local import lease
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.columns import PageTable
from tests.helpers.crawl import write_warc
from tests.helpers.object_server import _Handler, object_server
from tests.helpers.stores import Memory

COLUMNS = ("text", "url", "fetched_at", "words")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of two shards."""
    folder = tmp_path_factory.mktemp("export")
    for number in (40, 25):
        write_warc(folder / f"{number}.warc.gz", number, first=number)
    inputs = [str(path) for path in sorted(folder.glob("*.warc.gz"))]
    assert (
        main(["extract", *inputs, "--output", str(folder / "corpus"), "--quiet", "--extractor", "cetr"]) == 0
    )
    return folder / "corpus"


def pages_of(corpus: Path) -> list[tuple[Any, ...]]:
    """The rows that a data set is to have."""
    files = sorted((corpus / "pages").iterdir())
    tables = [pq.read_table(file, columns=list(COLUMNS), read_dictionary=[]) for file in files]
    return [tuple(row[name] for name in COLUMNS) for table in tables for row in table.to_pylist()]


def export_to(corpus: Path, output: Path, *more: str) -> int:
    return main(["export", str(corpus), "--output", str(output), "--columns", ",".join(COLUMNS), *more])


def data_of(output: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((output / "data").iterdir())}


def plan_of(corpus: Path, root: Path, file_bytes: int = 1) -> ExportPlan:
    """A plan whose groups have seven rows, and whose files, as a rule, one group."""
    source = CorpusReader.at(str(corpus))
    output = output_format("parquet")
    output = type(output)(output.format, output.compression, group_rows=7)
    columns = choose_columns(source.page_table.columns, ",".join(COLUMNS))
    return ExportPlan(source, str(root), columns, output, file_bytes)


@pytest.mark.parametrize("name", ["parquet", "avro", "jsonl"])
def test_rows_are_those_of_the_corpus_in_order(corpus: Path, tmp_path: Path, name: str) -> None:
    assert export_to(corpus, tmp_path / "data set", "--format", name) == 0
    (file,) = (tmp_path / "data set" / "data").iterdir()
    expected = pages_of(corpus)
    with file.open("rb") as opened:
        if name == "parquet":
            read: Any = pq.read_table(opened).to_pylist()
        else:
            read = list(read_lines(opened) if name == "jsonl" else fastavro.reader(opened))
    assert [tuple(row) for row in read] == [COLUMNS] * len(expected)
    found = [tuple(row.values()) for row in read]
    if name == "jsonl":
        expected = [
            (*row[:2], row[2] and round(row[2].timestamp() * 1_000_000), *row[3:]) for row in expected
        ]
    assert found == expected
    assert len(found) > 60


def test_a_data_set_has_ids_if_they_are_asked_for(corpus: Path, tmp_path: Path) -> None:
    named = ["--columns", "id,url"]
    assert main(["export", str(corpus), "--output", str(tmp_path / "d"), *named, "--format", "jsonl"]) == 0
    (file,) = (tmp_path / "d" / "data").iterdir()
    with file.open("rb") as opened:
        rows = list(read_lines(opened))
    assert [list(row) for row in rows] == [["id", "url"]] * len(pages_of(corpus))
    tables = [pq.read_table(path) for path in sorted((corpus / "pages").iterdir())]
    records = [f"<{record}>" for table in tables for record in table.column("record_id").to_pylist()]
    assert [row["id"] for row in rows] == records
    assert main(["export", str(corpus), "--output", str(tmp_path / "all"), "--quiet"]) == 0
    (file,) = (tmp_path / "all" / "data").iterdir()
    assert "id" not in pq.read_schema(file).names


def test_a_file_ends_where_it_has_its_size(corpus: Path, tmp_path: Path) -> None:
    states = list(export(plan := plan_of(corpus, tmp_path / "d"), begin(plan, overwrite=False)))
    rows = [file.rows for file in states[-1].files.values()]
    assert len(rows) > 5
    assert all(7 <= number < 14 for number in rows[:-1])
    assert sum(rows) == len(pages_of(corpus))
    assert [file.bytes for file in states[-1].files.values()] == [
        len(data) for data in data_of(tmp_path / "d").values()
    ]
    one = list(export(plan := plan_of(corpus, tmp_path / "one", 1 << 30), begin(plan, overwrite=False)))
    assert [file.rows for file in one[-1].files.values()] == [sum(rows)]


def test_what_was_interrupted_is_continued_to_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    whole = plan_of(corpus, tmp_path / "whole")
    count = len(list(export(whole, begin(whole, overwrite=False))))
    for files in range(count):
        plan = plan_of(corpus, tmp_path / f"cut-{files}")
        running = export(plan, begin(plan, overwrite=False))
        for _ in range(files):
            next(running)
        running.close()
        left = tmp_path / f"cut-{files}" / "_tmp" / "000000.parquet.0123"
        left.parent.mkdir(parents=True, exist_ok=True)
        left.write_bytes(b"half a file")
        if not files:
            left.unlink()  # a place that has files and no export.json is somebody else's
            left.parent.rmdir()
        assert list(export(plan, begin(plan, overwrite=False)))[-1].next is None
        assert data_of(tmp_path / f"cut-{files}") == data_of(tmp_path / "whole")
        assert not list((tmp_path / f"cut-{files}").glob("_tmp/*"))


def test_a_second_run_writes_nothing(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export_to(corpus, tmp_path / "d") == 0
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "d" / "data").iterdir()}
    (tmp_path / "d" / "README.md").write_text("a card of mine")
    assert export_to(corpus, tmp_path / "d") == 0
    assert "already complete" in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "d" / "data").iterdir()} == before
    assert (tmp_path / "d" / "README.md").read_text() == "a card of mine"


def test_a_corpus_without_pages_gives_a_data_set_without_files(tmp_path: Path) -> None:
    (tmp_path / "empty.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n"
    )
    assert main(["extract", str(tmp_path / "empty.warc"), "--output", str(tmp_path / "c"), "--quiet"]) == 0
    assert export_to(tmp_path / "c", tmp_path / "d") == 0
    state = json.loads((tmp_path / "d" / "export.json").read_text())
    assert (state["files"], state["next"]) == ({}, None)


@pytest.mark.parametrize("kind", ["pages", "rejects"])
@pytest.mark.parametrize("checksums", [True, False])
def test_a_flipped_bit_is_found_and_its_file_is_to_be_removed(
    kind: str, checksums: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not checksums:  # as in files of older versions
        write = pq.ParquetWriter
        monkeypatch.setattr(
            pq, "ParquetWriter", lambda *a, **k: write(*a, **k | {"write_page_checksum": False})
        )
    crawl, corpus = write_warc(tmp_path / "a.warc.gz", 6), str(tmp_path / "c")
    arguments = ["--quiet", "--extractor", "cetr", "--compression", "none"]
    assert main(["extract", str(crawl), "--output", corpus, *arguments]) == 0
    reader = CorpusReader.at(corpus)
    (summary,) = reader.summaries()
    (path,) = (tmp_path / "c" / kind).iterdir()
    names = pq.read_schema(path).names
    rows = list(reader.batches(summary, kind, names))
    whole = path.read_bytes()
    found: list[str] = []
    for at in range(0, len(whole), 41):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x80]) + whole[at + 1 :])
        try:
            read = list(reader.batches(summary, kind, names))
            [as_lists(batch) for _, batch in read]
            assert read == rows or not checksums
        except LostFilesError as fault:
            found.append(str(fault))
    assert all(f"{path} is broken" in line and line.endswith("; remove it") for line in found)
    assert any("checksum" in line for line in found) == checksums
    assert any("UTF" in line for line in found) or checksums


def test_other_choices_and_damage_end_with_a_line_that_says_what_to_do(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "d"
    assert export_to(corpus, output) == 0
    cases = {
        ("--file-size", "5MiB"): "other file-size",
        ("--format", "jsonl"): "other format",
        ("--columns", "url"): "other columns",
    }
    for more, message in cases.items():
        assert export_to(corpus, output, *more) == 2
        assert message in capsys.readouterr().err
    (file,) = (output / "data").iterdir()
    content = file.read_bytes()
    file.write_bytes(content[:-1])
    assert export_to(corpus, output) == 2
    assert "is not as it was written: --overwrite starts again" in capsys.readouterr().err
    assert export_to(corpus, output, "--overwrite") == 0
    assert file.read_bytes() == content


def test_places_of_others_are_refused(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for output in (tmp_path / "mine", corpus, corpus / "data", corpus.parent):
        for more in ((), ("--overwrite",)):
            assert export_to(corpus, output, *more) == 2
            assert "choose another --output" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_place_that_cannot_be_written_or_that_another_run_has_is_a_line(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "d"
    output.mkdir()
    with lease(str(output / "_lock")):
        assert export_to(corpus, output) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"{output}/_lock: another run is at work on this data set; wait until it has ended")

    def refused(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("cedar.transforms.files.local._locked", refused)
    said = f"cedar: cannot write {output}: Read-only file system (choose a place where you may write)\n"
    for command in ("export", "dedup"):
        assert main([command, str(corpus), "--output", str(output)]) == 2
        assert capsys.readouterr().err == said
    assert not list(output.iterdir())


def test_columns_are_chosen_by_name_or_left_out() -> None:
    there = PageTable.of(("html", "language")).columns
    names = [column.name for column in there]
    assert [c.name for c in choose_columns(there, None)] == names
    assert [c.name for c in choose_columns(there, "text, url")] == ["text", "url"]
    assert [c.name for c in choose_columns(there, "-text,-url")] == [
        n for n in names if n not in ("text", "url")
    ]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("text,urk", "no column 'urk': did you mean url"),
        ("text,", "an empty name: write it as --columns text,url"),
        (",", "an empty name: write it as --columns text,url"),
        ("text,url,text", "names 'text' twice"),
        ("text,-url", "not both"),
        (",".join(f"-{c.name}" for c in PageTable.of().columns), "leaves no column"),
    ],
)
def test_columns_that_cannot_be_chosen_say_why(names: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        choose_columns(PageTable.of().columns, names)


@pytest.mark.parametrize("blocks", [0, 1])
def test_a_full_disk_is_a_line_that_names_the_data_set(blocks: int, corpus: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cedar", "export", str(corpus), "--output", str(tmp_path / "data")]
    limited = f"ulimit -f {blocks}; exec {shlex.join(command)}"
    done = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    said = f"cedar: cannot write {tmp_path}/data: File too large (longer files are not allowed there)\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


def test_a_store_that_takes_nothing_is_a_line_before_a_page_is_read(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Handler, "do_PUT", lambda handler: handler.send_error(403))
    monkeypatch.setattr(CorpusReader, "batches", None)
    with object_server():
        assert main(["export", str(corpus), "--output", "s3://bucket/data"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("cedar: cannot write s3://bucket/data: ")


def rows_of(output: Path) -> list[dict[str, Any]]:
    rows = []
    for path in sorted((output / "data").iterdir()):
        with path.open("rb") as file:
            rows += list(read_lines(file))
    return rows


LINES = ("--format", "jsonl", "--compression", "none", "--columns", "id,url,words")


def test_json_lines_can_be_plain_in_a_data_set_alone(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(corpus), "--output", str(tmp_path / "d"), *LINES]) == 0
    (file,) = (tmp_path / "d" / "data").iterdir()
    assert file.name == "000000.jsonl"
    urls = [json.loads(line)["url"] for line in file.read_text().splitlines()]
    assert urls == [url for _, url, _, _ in pages_of(corpus)]
    capsys.readouterr()
    command = ["extract", str(corpus.parent), "--output", str(tmp_path / "c"), "--format", "jsonl"]
    assert main([*command, "--compression", "none"]) == 2
    assert "choose zstd, gzip" in capsys.readouterr().err


def test_a_shuffled_data_set_has_the_same_pages_in_another_order(corpus: Path, tmp_path: Path) -> None:
    command = ["export", str(corpus), "--quiet", *LINES]
    assert main([*command, "--output", str(tmp_path / "plain")]) == 0
    assert main([*command, "--output", str(tmp_path / "one"), "--shuffle", "1"]) == 0
    assert main([*command, "--output", str(tmp_path / "two"), "--shuffle", "2"]) == 0
    plain, one, two = (rows_of(tmp_path / name) for name in ("plain", "one", "two"))
    assert plain not in (one, two)
    assert one != two
    by_id = operator.itemgetter("id")
    assert sorted(plain, key=by_id) == sorted(one, key=by_id) == sorted(two, key=by_id)


@given(st.integers(1, 40), st.integers(1, 9), st.integers(0, 2000))
@settings(max_examples=30)
def test_the_order_depends_on_the_seed_alone(at_once: int, parts: int, buffer: int) -> None:
    def order(at_once: int, parts: int) -> list[int]:
        batches = [
            pa.record_batch({"number": pa.array(range(start, min(start + at_once, 100)))})
            for start in range(0, 100, at_once)
        ]
        with tempfile.TemporaryDirectory() as folder:
            found = list(shuffled(batches, 7, parts, folder=Path(folder)))
        assert [name for name, _ in found] == sorted(name for name, _ in found)
        return [number for _, table in found for number in table["number"].to_pylist()]

    whole = order(100, 1)
    assert sorted(whole) == list(range(100)) != whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cedar.transforms.corpus.shuffle._BUFFER_BYTES", buffer)
        assert order(at_once, parts) == whole


def test_a_shuffled_data_set_is_continued_to_the_same_bytes(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cedar.transforms.corpus.export._PART_BYTES", 4096)  # several parts

    def plan(name: str) -> ExportPlan:
        return replace(plan_of(corpus, tmp_path / name), shuffle=5)

    whole = list(export(plan("whole"), begin(plan("whole"), overwrite=False)))
    assert len(whole) > 5
    for files in (1, 2, 4):
        running = export(plan(f"cut-{files}"), begin(plan(f"cut-{files}"), overwrite=False))
        for _ in range(files):
            next(running)
        running.close()
        done = list(export(plan(f"cut-{files}"), begin(plan(f"cut-{files}"), overwrite=False)))[-1]
        assert done.contents == whole[-1].contents
        assert data_of(tmp_path / f"cut-{files}") == data_of(tmp_path / "whole")


def test_pages_are_chosen_by_a_condition(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(corpus), "--output", str(tmp_path / "all"), "--columns", "url,offset"]) == 0
    (file,) = (tmp_path / "all" / "data").iterdir()
    chosen = [row["url"] for row in pq.read_table(file).to_pylist() if row["offset"] > 9000]
    assert 0 < len(chosen) < len(pages_of(corpus))
    command = ["export", str(corpus), "--output", str(tmp_path / "d"), *LINES]
    assert main([*command, "--where", "offset > 9000"]) == 0
    assert [row["url"] for row in rows_of(tmp_path / "d")] == chosen
    assert "- where: `offset > 9000`" in (tmp_path / "d" / "README.md").read_text()
    capsys.readouterr()
    assert main(command) == 2
    assert "where" in capsys.readouterr().err
    for condition, said in (("word > 9", "word"), ("words >", "words"), ("language == eng", "--language")):
        assert main([*command[:3], str(tmp_path / "x"), "--where", condition]) == 2
        error = capsys.readouterr().err
        assert error.startswith("cedar: --where: ")
        assert said in error
    assert not (tmp_path / "x").exists()


def test_the_card_counts_languages_words_licences_and_what_rules_dropped(tmp_path: Path) -> None:
    crawl, corpus = write_warc(tmp_path / "a.warc.gz", 6), str(tmp_path / "corpus")
    rules = ("--with-metadata", "--language", "--keep", "language == eng")
    assert main(["extract", str(crawl), "--output", corpus, "--quiet", *rules]) == 0
    assert main(["filter", corpus, "--output", corpus + "2", "--quiet", "--keep", "words > 99999"]) == 0
    assert main(["export", corpus, "--output", str(tmp_path / "d"), "--quiet"]) == 0
    assert main(["export", corpus + "2", "--output", str(tmp_path / "d2"), "--quiet"]) == 0
    card = (tmp_path / "d" / "README.md").read_text()
    words = sum(row[-1] for row in pages_of(tmp_path / "corpus"))
    assert f"6 pages, {words:,} words, " in card
    assert "| `eng` | 6 |" in card
    assert "| licence | pages |" in card
    assert "| unknown | 6 |" in card
    assert "digest" not in card.partition("| column |")[0] + card.partition("Made by")[2]
    assert "| `keep: words > 99999` | 6 |" in (tmp_path / "d2" / "README.md").read_text()


def test_the_card_is_of_the_data_set_that_overwrote_another(corpus: Path, tmp_path: Path) -> None:
    card = tmp_path / "d" / "README.md"
    export = ["export", str(corpus), "--output", str(tmp_path / "d"), *LINES]
    assert main([*export, "--columns", "id,text"]) == 0
    first = card.read_text()
    assert "| `text` |" in first
    card.write_text(
        first.replace("---\n", "---\nlicense: cc0-1.0\n", 1).replace("<!-- cedar", "Mine.\n<!-- cedar")
    )
    assert main([*export, "--columns", "id,url", "--sample", "2", "--overwrite"]) == 0
    after = card.read_text()
    assert "license: cc0-1.0\n" in after
    assert "Mine.\n<!-- cedar" in after
    assert "| `url` |" in after
    assert "| `text` |" not in after
    assert f"\n{len(rows_of(tmp_path / 'd'))} pages, " in after
    assert f"description: {len(rows_of(tmp_path / 'd'))} pages, " in after
    assert main([*export, "--columns", "id,url", "--sample", "2"]) == 0
    assert card.read_text() == after


@pytest.mark.parametrize("place", ["disk", "store"])
@pytest.mark.parametrize("other", [{}, {"file_bytes": 2}])
def test_of_two_exports_to_one_place_one_goes_on(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, other: dict[str, Any]
) -> None:
    memory = Memory().storage
    monkeypatch.setattr(
        "cedar.transforms.corpus.corpus.storage_for",
        lambda path: memory if path.startswith("s3://") else storage_for(path),
    )
    root = "s3://b/data set" if place == "store" else str(tmp_path / "out")
    plan = replace(plan_of(corpus, tmp_path), root=root)
    first = export(plan, begin(plan, overwrite=False))
    next(first)
    plan = replace(plan, **other)
    second = export(plan, begin(plan, overwrite=bool(other)))
    next(second)
    with pytest.raises(ReplacedCorpusError, match="another cedar export"):
        list(first)
    *_, done = second
    assert done.rows == 65
    assert begin(plan, overwrite=False) == done


def test_the_card_names_what_was_done_to_the_corpus(tmp_path: Path) -> None:
    crawl, corpus = write_warc(tmp_path / "a.warc.gz", 6), tmp_path / "corpus"
    clean, data = tmp_path / "clean", tmp_path / "data"
    assert main(["extract", str(crawl), "--output", str(corpus), "--quiet", "--signatures"]) == 0
    deduplicate = ["dedup", str(corpus), "--output", str(clean), "--write", "--lines"]
    assert main([*deduplicate, "--quiet"]) == 0
    written = clean / "corpus"
    assert main(["export", str(written), "--output", str(data), "--quiet", "--format", "jsonl"]) == 0
    of_corpus, of_data = (
        (root / "README.md").read_text().partition("Made by Cedar")[2].splitlines()
        for root in (written, data)
    )
    choices = {line for line in of_corpus if line.startswith("- ") and ": `" in line}
    assert any(line.startswith("- deduplicated from") for line in choices)
    assert any(line.startswith("- common lines") for line in choices)
    assert {line for line in choices - set(of_data) if not line.startswith("- format: ")} == set()
