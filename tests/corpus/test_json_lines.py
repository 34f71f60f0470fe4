"""Files of JSON lines: what loaders read, and whose attempt they are."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.json
import pytest
import zstandard

from cedar.pipelines.cli import main
from cedar.transforms.corpus.formats import JsonLinesWriter, attempt_of_lines, read_lines
from cedar.transforms.model.columns import PageTable, columns_of
from cedar.transforms.model.records import RejectRow
from tests.helpers.crawl import write_warc
from tests.helpers.elements import extracted, reject_row, shard

ATTEMPT = "0123456789abcdef" * 2
ONE = shard()
COLUMNS = PageTable.of(("confidence",)).columns
SUFFIXES = {"zstd": "jsonl.zst", "gzip": "jsonl.gz"}


class _Kept(io.BytesIO):
    """A file whose bytes can be read when it is closed."""

    def close(self) -> None:
        self.kept = self.getvalue()
        super().close()


def written(compression: str, *texts: str, **changes: Any) -> bytes:
    file = _Kept()
    lines = JsonLinesWriter(file, "Page", COLUMNS, compression=compression, attempt=ATTEMPT)
    table = PageTable.of(("confidence",))
    lines.write(
        [table.values(extracted(ONE, n, text).row._replace(**changes)) for n, text in enumerate(texts)]
    )
    assert lines.close() == len(file.kept)
    return file.kept


@pytest.mark.parametrize("compression", ["zstd", "gzip"])
def test_duckdb_reads_a_file(compression: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{SUFFIXES[compression]}"
    path.write_bytes(written(compression, "one", "two"))
    assert duckdb.sql(f"select text from '{path}'").fetchall() == [("one",), ("two",)]


def decompressed(compression: str, data: bytes) -> bytes:
    """As loaders do: the first frame of zstd, all members of gzip."""
    if compression == "gzip":
        return gzip.decompress(data)
    return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)).read()


@pytest.mark.parametrize("compression", SUFFIXES)
def test_a_line_is_a_page_with_the_keys_of_loaders_and_all_columns(compression: str) -> None:
    data = decompressed(compression, written(compression, "one\ntwo", '水车 \u2028 \x85 "q"'))
    assert data.count(b"\n") == 2
    assert len(data.decode().splitlines()) == 2
    one, two = map(json.loads, data.splitlines())
    assert list(one)[:3] == ["id", "text", "url"]
    assert set(one) == {"id", "date", *(column.name for column in COLUMNS)}
    assert list(one) == list(two)
    assert one["id"] == f"{ONE.source}#0#0"
    assert one["date"] == "2026-01-31T12:00:00Z"
    assert one["fetched_at"] == 1_769_860_800_000_000
    assert one["title"] is None
    assert two["text"] == '水车 \u2028 \x85 "q"'


def test_what_json_cannot_hold_is_null_and_ids_are_those_of_records() -> None:
    (row,) = read_lines(io.BytesIO(written("zstd", "a", record_id="urn:uuid:1", threshold=float("nan"))))
    assert row["id"] == "<urn:uuid:1>"
    assert row["threshold"] is None
    (row,) = read_lines(io.BytesIO(written("zstd", "a", fetched_at=None)))
    assert row["date"] is None


@pytest.mark.parametrize("compression", SUFFIXES)
def test_rows_are_read_back_and_rejects_are_as_they_are(compression: str) -> None:
    assert [row["text"] for row in read_lines(io.BytesIO(written(compression, "a", "b")))] == ["a", "b"]
    file = _Kept()
    lines = JsonLinesWriter(file, "Reject", columns_of(RejectRow), compression=compression, attempt=ATTEMPT)
    lines.write([reject_row("status", "404")])
    lines.close()
    (row,) = read_lines(io.BytesIO(file.kept))
    assert list(row) == [column.name for column in columns_of(RejectRow)]


@pytest.mark.parametrize("compression", SUFFIXES)
def test_a_file_names_its_attempt_unless_it_is_cut(compression: str) -> None:
    for data in (written(compression, "a"), written(compression)):
        assert attempt_of_lines(io.BytesIO(data)) == ATTEMPT
        for length in (0, 1, len(data) // 2, len(data) - 1):
            assert attempt_of_lines(io.BytesIO(data[:length])) is None
    assert attempt_of_lines(io.BytesIO(b"PAR1" * 100)) is None


@pytest.mark.parametrize("compression", SUFFIXES)
def test_the_same_rows_are_the_same_bytes(compression: str) -> None:
    assert written(compression, "a", "b") == written(compression, "a", "b")


@pytest.mark.parametrize(("compression", "command"), [("zstd", "zstd"), ("gzip", "gzip")])
def test_the_tools_of_the_system_read_it(compression: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{SUFFIXES[compression]}"
    path.write_bytes(written(compression, "a", "b"))
    try:
        run = subprocess.run([command, "-dc", str(path)], capture_output=True, check=True)
    except FileNotFoundError:
        pytest.skip(f"there is no {command}")
    assert run.stdout == decompressed(compression, path.read_bytes())


def test_a_schema_is_found_in_the_first_lines() -> None:
    texts = [f"text {number}" for number in range(2000)]
    table = pyarrow.json.read_json(io.BytesIO(decompressed("zstd", written("zstd", *texts))))
    assert table["text"].to_pylist() == texts
    assert str(table.schema.field("text_chars").type) == "int64"


@pytest.mark.parametrize(
    "data", [b"nothing", b"\x1f\x8b\x08\0", gzip.compress(b"[1]\n", mtime=0), gzip.compress(b"{", mtime=0)]
)
def test_what_is_no_such_file_is_an_error(data: bytes) -> None:
    with pytest.raises((ValueError, EOFError)):
        next(read_lines(io.BytesIO(data)))


@pytest.mark.slow
@pytest.mark.parametrize("compression", SUFFIXES)
def test_a_corpus_of_json_lines_is_made_once_reported_and_filtered(
    compression: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = write_warc(tmp_path / "crawl.warc.gz", 30)
    corpus, same = tmp_path / "corpus", tmp_path / "same"
    options = ("--signals", "--signatures", "--keep", "words > 30", "--quiet")
    lines = ("--format", "jsonl", "--compression", compression)
    assert main(["extract", str(crawl), "--output", str(corpus), *options, *lines]) == 0
    assert main(["extract", str(crawl), "--output", str(same), *options]) == 0
    (path,) = (corpus / "pages").iterdir()
    assert path.name.endswith(SUFFIXES[compression])
    before = path.stat().st_mtime_ns
    assert main(["extract", str(crawl), "--output", str(corpus), *options, *lines]) == 0
    assert path.stat().st_mtime_ns == before
    with path.open("rb") as file:
        rows = list(read_lines(file))
    assert len(rows) == 30
    counts = []
    for root in (corpus, same):
        capsys.readouterr()
        assert main(["filter", str(root), "--preset", "fineweb", "--dry-run"]) == 0
        counts.append(capsys.readouterr().out.rpartition("\n/")[0])
        assert main(["report", str(root), "--text"]) == 0
    assert counts[0] == counts[1]
    target = tmp_path / "filtered"
    assert main(["filter", str(corpus), "--keep", "words > 100", "--output", str(target), "--quiet"]) == 0
    assert (target / "pages" / path.name).exists()
    path.write_bytes(path.read_bytes()[:-7])
    assert main(["extract", str(crawl), "--output", str(corpus), *options, *lines]) == 0
    assert "made again" in capsys.readouterr().err
    with path.open("rb") as file:
        assert [{**row, "decode_seconds": 0, "extract_seconds": 0} for row in read_lines(file)] == [
            {**row, "decode_seconds": 0, "extract_seconds": 0} for row in rows
        ]
