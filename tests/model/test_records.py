"""One definition of the columns gives both schemas, and readers see the types right."""

from __future__ import annotations

import gzip
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from cedar.transforms.corpus.formats import FORMATS, OutputFormat, open_writer
from cedar.transforms.files.local import LocalStorage
from cedar.transforms.model.columns import (
    COLUMN_GROUPS,
    PageTable,
    arrow_schema,
    avro_schema,
    columns_of,
)
from cedar.transforms.model.records import PageRow, RejectRow, SignatureRow
from tests.helpers.elements import page_row

ATTEMPT = "0123456789abcdef" * 2
ROW = page_row(
    url="https://sample.example/ü",
    offset=1 << 40,
    fetched_at=1_769_860_800_000_001,
    lang=None,
    title="Tide",
    text="a\nb 山",
    text_chars=5,
    html_bytes=1 << 33,
    tag_ratio_std=None,
    decode_seconds=0.5,
    extract_seconds=0.25,
)

DESIGNED_PAGE_COLUMNS = {
    "url": "string",
    "source": "string",
    "offset": "int64",
    "length": "int64",
    "inner_offset": "int64",
    "warc_name": "string?",
    "warc_offset": "int64?",
    "record_id": "string?",
    "warcinfo_id": "string?",
    "payload_digest": "string?",
    "fetched_at": "timestamp?",
    "status": "int32?",
    "media_type": "string?",
    "charset": "string",
    "charset_source": "string",
    "replaced": "int32",
    "truncated": "bool",
    "lang": "string?",
    "title": "string?",
    "text": "string",
    "text_digest": "string",
    "extractor": "string",
    "extractor_options": "string",
    "fallback": "string?",
    "html_bytes": "int64",
    "html_chars": "int64",
    "text_chars": "int32",
    "words": "int32",
    "lines": "int32",
    "content_lines": "int32",
    "tags": "int32",
    "link_chars": "int32",
    "tag_ratio_mean": "float64?",
    "tag_ratio_std": "float64?",
    "threshold": "float64?",
    "content_ratio": "float64",
    "decode_seconds": "float32",
    "extract_seconds": "float32",
    "html": "string?",
}


def test_page_columns_are_those_of_the_design_in_order() -> None:
    columns = PageTable.of(("html",)).columns
    found = {c.name: c.kind + "?" * c.nullable for c in columns}
    assert found == DESIGNED_PAGE_COLUMNS
    assert list(found) == list(DESIGNED_PAGE_COLUMNS)
    assert [c.name for c in PageTable.of().columns] == list(DESIGNED_PAGE_COLUMNS)[:-1]


def test_the_confidence_of_a_method_stands_behind_the_columns_of_the_design() -> None:
    designed = list(DESIGNED_PAGE_COLUMNS)[:-1]
    assert [c.name for c in PageTable.of(("confidence",)).columns] == [*designed, "confidence"]


def test_every_column_is_documented_and_no_other() -> None:
    of_groups = [c.name for group in COLUMN_GROUPS if group.record is PageRow for c in group.columns]
    assert [*(c.name for c in PageTable.of().columns), *of_groups] == list(PageRow._fields)
    assert all(c.nullable for group in COLUMN_GROUPS if group.record is PageRow for c in group.columns)
    records = (RejectRow, SignatureRow, *(g.record for g in COLUMN_GROUPS if g.record is not PageRow))
    assert all([c.name for c in columns_of(record)] == list(record._fields) for record in records)


def test_reject_columns_hold_no_payload() -> None:
    names = [c.name for c in columns_of(RejectRow)]
    assert names == [
        *(
            "url",
            "source",
            "offset",
            "length",
            "inner_offset",
            "warc_name",
            "warc_offset",
            "record_id",
            "payload_digest",
        ),
        *("fetched_at", "status", "media_type", "stage", "reason", "detail"),
    ]


def test_arrow_and_avro_schemas_agree() -> None:
    arrow = arrow_schema(PageTable.of().columns)
    avro = avro_schema("Page", PageTable.of().columns)
    assert [f["name"] for f in avro["fields"]] == arrow.names
    nullable = [isinstance(f["type"], list) for f in avro["fields"]]
    assert nullable == [arrow.field(name).nullable for name in arrow.names]
    assert arrow.field("fetched_at").type == pa.timestamp("us", tz="UTC")
    fastavro.parse_schema(avro)


values = PageTable.of().values


@pytest.mark.parametrize(("format_", "compression"), [(f, c) for f in FORMATS for c in FORMATS[f].suffixes])
def test_rows_round_trip_with_types_and_attempt(format_: str, compression: str, tmp_path: Path) -> None:
    output = OutputFormat(format_, compression)
    output.check()
    path = str(tmp_path / "rows")
    writer = open_writer(
        LocalStorage().create(path), "Page", PageTable.of().columns, output=output, attempt=ATTEMPT
    )
    writer.write([values(ROW), values(ROW._replace(fetched_at=None, url="second"))])
    writer.write([values(ROW._replace(url="third"))])
    size = writer.close()
    assert size == Path(path).stat().st_size
    assert writer.rows == 3
    if format_ == "parquet":
        rows = pq.read_table(path).to_pylist()
        metadata = pq.read_metadata(path)
        assert metadata.num_row_groups == 2
        expected = {"none": "UNCOMPRESSED"}.get(compression, compression.upper())
        assert metadata.row_group(0).column(0).compression == expected
    elif format_ == "jsonl":
        rows = json_rows(path, compression)
        date = "2026-01-31T12:00:00.000001Z"
        assert [row["date"] for row in rows] == [date, None, date]
        assert [row["text"] for row in rows] == [ROW.text] * 3
        for row in rows:
            if row["fetched_at"] is not None:
                row["fetched_at"] = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=row["fetched_at"])
            del row["id"], row["date"]
    else:
        with open(path, "rb") as file:
            reader = fastavro.reader(file)
            assert reader.codec == ("null" if compression == "none" else compression)
            rows = list(reader)
    assert [row["url"] for row in rows] == [ROW.url, "second", "third"]
    assert rows[0]["fetched_at"] == datetime(2026, 1, 31, 12, 0, 0, 1, tzinfo=UTC)
    assert rows[1]["fetched_at"] is None
    assert {k: v for k, v in rows[0].items() if k != "fetched_at"} == {
        k: v for k, v in ROW._asdict().items() if k not in ("fetched_at", "html", "confidence")
    }
    with open(path, "rb") as file:
        assert FORMATS[format_].attempt(file) == ATTEMPT


def json_rows(path: str, compression: str) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines, read as any program would."""
    with open(path, "rb") as file:
        if compression == "zstd":
            with zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as inflated:
                data = inflated.read()
        else:
            data = gzip.decompress(file.read())
    return [json.loads(line) for line in data.splitlines()]


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_without_rows_is_readable(format_: str, tmp_path: Path) -> None:
    path = str(tmp_path / "rows")
    output = OutputFormat(format_, next(iter(FORMATS[format_].suffixes)))
    open_writer(
        LocalStorage().create(path), "Page", PageTable.of().columns, output=output, attempt=ATTEMPT
    ).close()
    if format_ == "parquet":
        assert pq.read_table(path).num_rows == 0
    elif format_ == "jsonl":
        assert json_rows(path, "zstd") == []
    else:
        with open(path, "rb") as file:
            assert list(fastavro.reader(file)) == []
    with open(path, "rb") as file:
        assert FORMATS[format_].attempt(file) == ATTEMPT
    assert FORMATS[format_].attempt(io.BytesIO(b"not a file of rows")) is None


def test_missing_package_of_a_codec_is_found_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import fastavro._write_py as codecs
    from fastavro import _write

    def missing(*_: object) -> None:
        raise ValueError("zstandard codec is supported but you need to install backports.zstd")

    for module in (codecs, _write):
        monkeypatch.setitem(module.BLOCK_WRITERS, "zstandard", missing)
    with pytest.raises(ValueError, match=r"pip install .*zstd"):
        OutputFormat("avro", "zstandard").check()


def test_unknown_format_and_compression_are_refused() -> None:
    with pytest.raises(ValueError, match="choose one of parquet, avro"):
        OutputFormat("csv", "zstd").check()
    with pytest.raises(ValueError, match="choose deflate, zstandard, none"):
        OutputFormat("avro", "zstd").check()


def test_avro_docs_are_in_the_schema() -> None:
    buffer = io.BytesIO()
    fastavro.writer(buffer, fastavro.parse_schema(avro_schema("Reject", columns_of(RejectRow))), [])
    buffer.seek(0)
    schema = fastavro.reader(buffer).writer_schema
    assert {f["name"]: f["doc"] for f in schema["fields"]} == {c.name: c.doc for c in columns_of(RejectRow)}


def test_texts_of_pages_are_marked_as_personal() -> None:
    columns = PageTable.of(("markdown", "metadata")).columns
    assert {column.name for column in columns if column.personal} >= {
        *("title", "text", "markdown", "author", "site_name", "description", "canonical_url")
    }
