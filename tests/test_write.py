"""`WriteShard`: rows, commit and books of a shard; and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import apache_beam as beam
import fastavro
import pyarrow.parquet as pq
import pytest
from apache_beam.testing.test_pipeline import TestPipeline

from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.formats import FORMATS, OutputFormat, read_lines
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.settle import settle
from cedar.transforms.corpus.shard_writer import StreamOrderError, WritePlan
from cedar.transforms.model import columns
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.columns import ColumnGroup
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import SignatureRow, described
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.write import WriteShard
from tests.helpers.elements import end, extracted, reject, shard


def write(tmp_path: Path, elements: list[Any], **options: Any) -> list[ShardSummary]:
    """Run one bundle through the sink, without Beam."""
    plan = WritePlan(options_digest="digest", **options)
    sink = WriteShard(Corpus(str(tmp_path), plan.output.format), plan)
    sink.setup()
    sink.start_bundle()
    summaries = [summary for element in elements for summary in sink.process(element)]
    sink.finish_bundle()
    sink.teardown()
    return summaries


ONE = shard("one-00000000-000000000000-000000000100")
TWO = shard("two-00000000-000000000000-000000000100")


def test_shards_are_committed_with_balanced_books(tmp_path: Path) -> None:
    summaries = write(
        tmp_path,
        [
            extracted(ONE, 1, "wörd"),
            reject(ONE),
            extracted(ONE, 2),
            reject(ONE, RejectReason.NOT_RESPONSE),
            end(ONE, 4),
            end(TWO, 0),
        ],
    )
    one, two = summaries
    assert (one.records_read, one.pages, one.rejected) == (4, 2, {"not_response": 1, "status": 1})
    assert one.books.balanced
    assert one.bytes == {"in": 100, "html": 2000, "text": 9, "html_read": 2000}
    assert one.seconds["read"] == Cost(1, 2)
    assert one.seconds["decode"] == Cost(4, 8)
    assert one.seconds["extract"] == Cost(2, 4)
    assert one.seconds["write"].wall > 0
    assert (two.records_read, two.pages, two.rejected) == (0, 0, {})
    assert list(two.files) == ["pages"]
    assert pq.read_table(tmp_path / f"pages/{TWO.name}.parquet").num_rows == 0
    urls = pq.read_table(tmp_path / f"pages/{ONE.name}.parquet")["url"].to_pylist()
    assert urls == ["https://sample.example/1", "https://sample.example/2"]
    assert list(Ledger.of(Corpus(str(tmp_path), "parquet")).summaries()) == summaries


@pytest.mark.parametrize("file_format", ["parquet", "avro"])
def test_dropped_pages_and_signatures_have_files_of_their_own(file_format: str, tmp_path: Path) -> None:
    dropped = replace(extracted(ONE, 2), dropped_by="too_short")
    signed = replace(extracted(ONE, 1), signature=SignatureRow(0, b"t" * 16, b"u" * 8, None))
    output = OutputFormat(file_format, next(iter(FORMATS[file_format].suffixes)))
    (summary,) = write(tmp_path, [signed, dropped, reject(ONE), end(ONE, 3)], output=output)
    assert (summary.pages, summary.dropped, summary.rejected) == (1, {"too_short": 1}, {"status": 1})
    assert summary.books.balanced
    rows = {name: file.rows for name, file in summary.file_names.items()}
    kinds = {kind: f"{kind}/{ONE.name}.{file_format}" for kind in ("pages", "rejects", "dropped")}
    assert rows == dict.fromkeys(kinds.values(), 1) | {f"signatures/{ONE.name}.parquet": 1}
    (row,) = pq.read_table(tmp_path / f"signatures/{ONE.name}.parquet").to_pylist()
    assert row["text_digest"] == b"t" * 16
    corpus = Corpus(str(tmp_path), file_format)
    assert list(Ledger.of(corpus).summaries()) == [summary]
    settled = settle(corpus)
    assert (settled.books.dropped, settled.books.balanced) == ({"too_short": 1}, True)
    assert not settled.broken
    assert settled.orphans == settled.foreign == ()
    revoke(corpus, ONE.name)
    assert not [path for kind in FILE_KINDS for path in tmp_path.glob(f"{kind}/*")]


FORMAT_NAMES = ("parquet", "avro", "jsonl")


@pytest.mark.parametrize("file_format", FORMAT_NAMES)
@pytest.mark.parametrize(
    ("value", "detail"),
    [
        ({"lang": "e\udcffn"}, "lang (string): 'utf-8' codec can't encode character '\\udcff'"),
        ({"title": 7}, "title (string): descriptor 'encode'"),
        ({"content_lines": 1 << 31}, "content_lines (int32): "),
        ({"html_chars": -(1 << 63) - 1}, "html_chars (int64): "),
        ({"status": "200"}, "status (int32): "),
        ({"fetched_at": 1 << 60}, "fetched_at (timestamp): not in the years 1 to 9999"),
        ({"extract_seconds": 1e39}, "extract_seconds (float32): float too large"),
        ({"threshold": "x"}, "threshold (float64): "),
    ],
)
def test_a_page_that_no_column_can_hold_is_a_reject_and_the_shard_continues(
    file_format: str, value: dict[str, Any], detail: str, tmp_path: Path
) -> None:
    odd = extracted(ONE, 2)
    odd = replace(odd, row=odd.row._replace(**value), signature=SignatureRow(0, b"t" * 16, b"u" * 8, None))
    signed = [
        replace(extracted(ONE, n), signature=SignatureRow(0, b"t" * 16, b"u" * 8, None)) for n in (1, 3)
    ]
    output = OutputFormat(file_format, next(iter(FORMATS[file_format].suffixes)))
    (summary,) = write(tmp_path, [signed[0], odd, signed[1], end(ONE, 3)], output=output)
    assert (summary.pages, summary.rejected) == (2, {"not_writable": 1})
    assert summary.books.balanced
    assert summary.seconds["decode"] == Cost(3, 6)
    (row,) = rows_of(Corpus(str(tmp_path), file_format), summary, "rejects")
    assert (row["stage"], row["reason"]) == ("write", "not_writable")
    assert row["detail"].startswith(detail)
    signatures = pq.read_table(tmp_path / f"signatures/{ONE.name}.parquet")
    assert signatures["row"].to_pylist() == [0, 1]


@pytest.mark.parametrize("file_format", FORMAT_NAMES)
def test_a_reject_says_what_it_can_of_what_is_not_text(file_format: str, tmp_path: Path) -> None:
    odd = replace(reject(ONE), url="http://a.test/\ud800", detail="\x00no\udfff" + "n" * 600)
    output = OutputFormat(file_format, next(iter(FORMATS[file_format].suffixes)))
    (summary,) = write(tmp_path, [odd, end(ONE, 1)], output=output)
    (row,) = rows_of(Corpus(str(tmp_path), file_format), summary, "rejects")
    assert row["url"] == "http://a.test/\ufffd"
    assert row["detail"] == "no\ufffd" + "n" * 497


def rows_of(corpus: Corpus, summary: ShardSummary, kind: str) -> list[dict[str, Any]]:
    path = Path(corpus.root, corpus.file_name(kind, summary.shard.name))
    if corpus.format == "parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    with path.open("rb") as file:
        return [dict(row) for row in (fastavro.reader(file) if corpus.format == "avro" else read_lines(file))]


@described
class Colours(NamedTuple):
    """A group of columns."""

    colour: Annotated[str | None, "what it looks like"]
    hue: Annotated[float | None, "degrees"]


@pytest.mark.parametrize("file_format", ["parquet", "avro"])
def test_a_group_of_columns_is_a_record_that_the_writer_joins(
    file_format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = ColumnGroup("colours", Colours)
    monkeypatch.setattr(columns, "COLUMN_GROUPS", (*columns.COLUMN_GROUPS, group))
    monkeypatch.setattr(columns, "ALL_GROUPS", (*columns.ALL_GROUPS, "colours"))
    green = replace(extracted(ONE, 1), annotations=(Colours("green", 120.0),))
    output = OutputFormat(file_format, next(iter(FORMATS[file_format].suffixes)))
    groups = ("colours", "html")
    write(tmp_path, [green, extracted(ONE, 2), end(ONE, 2)], output=output, column_groups=groups)
    path = tmp_path / f"pages/{ONE.name}.{file_format}"
    if file_format == "avro":
        with path.open("rb") as file:
            rows = list(fastavro.reader(file))
    else:
        rows = pq.read_table(path).to_pylist()
    assert list(rows[0])[-3:] == ["html", "colour", "hue"]
    assert [(row["html"], row["colour"], row["hue"]) for row in rows] == [
        ("<p>text</p>", "green", 120.0),
        ("<p>text</p>", None, None),
    ]


def test_a_group_of_columns_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown group of columns 'smells'"):
        columns.PageTable.of(("smells",))


@pytest.mark.parametrize(("mode", "rows"), [("notable", 1), ("all", 2)])
def test_reject_rows(mode: str, rows: int, tmp_path: Path) -> None:
    elements = [reject(ONE), reject(ONE, RejectReason.NOT_RESPONSE), end(ONE, 2)]
    (summary,) = write(tmp_path, elements, reject_rows=mode)
    assert summary.files["rejects"].rows == rows
    assert pq.read_table(tmp_path / f"rejects/{ONE.name}.parquet").num_rows == rows


def test_no_rejects_file_without_rows(tmp_path: Path) -> None:
    (summary,) = write(tmp_path, [reject(ONE, RejectReason.NOT_RESPONSE), end(ONE, 1)])
    assert list(summary.files) == ["pages"]
    assert not (tmp_path / "rejects").exists()


def test_html_column_only_when_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "without", [extracted(ONE, 1), end(ONE, 1)])
    write(tmp_path / "with", [extracted(ONE, 1), end(ONE, 1)], column_groups=("html",))
    assert "html" not in pq.read_schema(tmp_path / "without" / f"pages/{ONE.name}.parquet").names
    assert pq.read_table(tmp_path / "with" / f"pages/{ONE.name}.parquet")["html"].to_pylist() == [
        "<p>text</p>"
    ]


def test_row_groups_are_bounded_in_text_and_rows(tmp_path: Path) -> None:
    elements = [*(extracted(ONE, n, "x" * 100) for n in range(25)), end(ONE, 25)]
    write(tmp_path / "bytes", elements, output=OutputFormat(group_chars=1000))
    write(tmp_path / "rows", elements, output=OutputFormat(group_rows=4))
    for name, groups in (("bytes", 3), ("rows", 7)):
        metadata = pq.read_metadata(tmp_path / name / f"pages/{ONE.name}.parquet")
        assert (metadata.num_row_groups, metadata.num_rows) == (groups, 25)


def test_committed_summary_passes_through(tmp_path: Path) -> None:
    (summary,) = write(tmp_path, [end(ONE, 0)])
    assert write(tmp_path, [summary]) == [summary]


def test_second_attempt_takes_the_summary_of_the_first(tmp_path: Path) -> None:
    (first,) = write(tmp_path, [extracted(ONE, 1, "first"), end(ONE, 1)])
    (second,) = write(tmp_path, [extracted(ONE, 1, "second"), end(ONE, 1)])
    assert second == first
    assert pq.read_table(tmp_path / f"pages/{ONE.name}.parquet")["text"].to_pylist() == ["first"]
    assert not list(tmp_path.glob("_tmp/*"))


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([extracted(ONE, 1), extracted(TWO, 1)], "while one-.* was open"),
        ([extracted(ONE, 1), end(TWO, 1)], "while one-.* was open"),
        (
            [extracted(ONE, 1), reject(ONE), end(ONE, 3)],
            "3 records read, but 1 pages, 0 dropped .* 1 rejects",
        ),
        ([extracted(ONE, 1), end(ONE, 0)], "0 records read, but 1 pages"),
        ([extracted(ONE, 1)], "ended before the mark of one-"),
        ([extracted(ONE, 1), end(ONE, 1), extracted(ONE, 2)], "ended before the mark of one-"),
    ],
    ids=["interleaved", "foreign mark", "lost", "surplus", "no mark", "after the mark"],
)
def test_reordered_or_incomplete_input_raises_and_commits_nothing_wrong(
    elements: list[Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(StreamOrderError, match=message):
        write(tmp_path, elements)
    for summary in Ledger.of(Corpus(str(tmp_path), "parquet")).summaries():
        assert summary.books.balanced
        assert summary.pages == 1


def test_left_over_state_of_a_failed_bundle_is_dropped(tmp_path: Path) -> None:
    sink = WriteShard(Corpus(str(tmp_path), "parquet"), WritePlan(options_digest="digest"))
    sink.setup()
    sink.start_bundle()
    assert list(sink.process(extracted(ONE, 1))) == []
    sink.start_bundle()
    (summary,) = [s for element in (extracted(ONE, 1), end(ONE, 1)) for s in sink.process(element)]
    sink.finish_bundle()
    assert summary.pages == 1


class _Emit(beam.DoFn):
    def __init__(self, elements: list[Any]) -> None:
        self._elements = elements

    def process(self, _: int) -> Iterator[Any]:
        yield from self._elements


def test_counters_mirror_the_books(tmp_path: Path) -> None:
    pipeline = TestPipeline(runner="FnApiRunner")
    elements = [extracted(ONE, 1), reject(ONE), reject(ONE, RejectReason.NOT_RESPONSE), end(ONE, 3)]
    sink = WriteShard(Corpus(str(tmp_path), "parquet"), WritePlan(options_digest="digest"))
    _ = pipeline | beam.Create([0]) | beam.ParDo(_Emit(elements)) | beam.ParDo(sink)
    result = pipeline.run()
    counters = {
        c.key.metric.name: c.committed
        for c in result.metrics().query()["counters"]
        if c.key.metric.namespace == "cedar"
    }
    assert counters == {
        "records-read": 3,
        "pages-written": 1,
        "rejected-status": 1,
        "rejected-not_response": 1,
        "html-bytes": 1000,
        "text-bytes": 4,
    }
