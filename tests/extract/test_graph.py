"""The main job's graph: payloads stay in one fused stage, and its parts work alone."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow.parquet as pq
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to

from cedar.pipelines.extract.graph import JobPlan, build_graph, commits_line
from cedar.pipelines.sample.archive import write_sample
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.shard_writer import StreamOrderError, WritePlan
from cedar.transforms.curation.plan import NO_CURATION, CurationPlan
from cedar.transforms.curation.rules import Rules
from cedar.transforms.decode.page import PageFilter, decode_record
from cedar.transforms.decode_page import DecodePage
from cedar.transforms.extract_rows import Extract, _Part
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import ExtractedPage, Page, PageRow, Record, Reject, ShardEnd
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.read import ReadShard, ReadWarc
from cedar.transforms.readers.records import from_html
from cedar.transforms.readers.shard_reader import ReadPlan
from cedar.transforms.readers.shards import shard_inputs
from cedar.transforms.runtime.extract_plan import ExtractPlan
from cedar.transforms.runtime.page_extractor import PageExtractor
from cedar.transforms.warc.reader import FileRange, read_records
from cedar.transforms.write import WriteShard
from tests.helpers.elements import end, extracted, shard


def plan_into(corpus: Path) -> JobPlan:
    return JobPlan(
        Corpus(str(corpus), "parquet"),
        ReadPlan(),
        ExtractPlan.of("cetr"),
        WritePlan(options_digest="digest"),
    )


def counts(summary: ShardSummary) -> tuple[int, int, dict[str, int]]:
    return summary.records_read, summary.pages, dict(summary.rejected)


SAMPLE_COUNTS_FILTERED = (9, 4, {"filtered": 1, "media_type": 1, "not_response": 1, "status": 2})
SAMPLE_COUNTS = (9, 5, {"media_type": 1, "not_response": 1, "status": 2})


def test_main_job_writes_and_sums_up_each_shard(sample: Path, tmp_path: Path) -> None:
    shards = shard_inputs(list_inputs([str(sample)]))
    with TestPipeline(runner="FnApiRunner") as pipeline:
        summaries = build_graph(pipeline, shards, plan_into(tmp_path / "corpus"))
        assert_that(summaries | beam.Map(counts), equal_to([SAMPLE_COUNTS]))
    table = pq.read_table(tmp_path / "corpus" / "pages")
    assert table.num_rows == 5


def test_how_far_a_job_elsewhere_is_is_told_by_its_commits(sample: Path, tmp_path: Path) -> None:
    (shard,) = shard_inputs(list_inputs([str(sample)]))
    plan = plan_into(tmp_path / "corpus")
    with TestPipeline(runner="FnApiRunner") as pipeline:
        build_graph(pipeline, [shard], plan)
    shards = [shard, *(replace(shard, name=f"other-{number}") for number in range(3))]
    line = commits_line(Ledger.of(plan.corpus), shards, 10.0)
    assert line == "1 of 4 shards, 5 pages, 0/s, 4 rejects, 30 s left"


@pytest.mark.slow
def test_a_committed_shard_is_not_read_again(sample: Path, tmp_path: Path) -> None:
    shards = shard_inputs(list_inputs([str(sample)]))
    plan = plan_into(tmp_path / "corpus")
    with TestPipeline(runner="FnApiRunner") as pipeline:
        build_graph(pipeline, shards, plan)
    (first,) = Ledger.of(plan.corpus).summaries()
    sample.unlink()
    with TestPipeline(runner="FnApiRunner") as pipeline:
        again = build_graph(pipeline, shards, plan)
        assert_that(again | beam.Map(lambda s: s.attempt), equal_to([first.attempt]))


CURATED = CurationPlan(signals=True, signatures=True, rules=Rules(presets=("gopher",)))


@pytest.mark.parametrize("curation", [NO_CURATION, CURATED])
def test_reading_to_writing_is_one_stage_and_only_shards_are_shuffled(
    curation: CurationPlan, tmp_path: Path
) -> None:
    pipeline = beam.Pipeline(runner="FnApiRunner")
    build_graph(pipeline, [shard()], replace(plan_into(tmp_path), curation=curation))
    _, stages = FnApiRunner().create_stages(pipeline.to_runner_api())
    names = [[transform.unique_name for transform in stage.transforms] for stage in stages]
    steps = ("ReadShard", "DecodePage", "Extract", *(("Curate",) * curation.is_on), "WriteShard")
    homes = [[i for i, stage in enumerate(names) if any(n.startswith(s) for n in stage)] for s in steps]
    assert all(len(home) == 1 for home in homes)
    assert len({home[0] for home in homes}) == 1


@pytest.mark.parametrize(
    ("curation", "expected"),
    [(NO_CURATION, SAMPLE_COUNTS), (replace(CURATED, dropped="reject"), SAMPLE_COUNTS_FILTERED)],
)
def test_no_payload_is_ever_encoded(
    curation: CurationPlan, expected: Any, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(kind: type) -> None:
        def no_pickling(self: object, _: int) -> Any:
            raise AssertionError(f"a {kind.__name__} was about to cross a stage")

        monkeypatch.setattr(kind, "__reduce_ex__", no_pickling)

    for kind in (Record, Page, ExtractedPage, PageRow, ShardEnd):
        refuse(kind)
    with pytest.raises(AssertionError, match="ShardEnd was about to cross"):
        pickle.dumps(end(shard(), 0))
    shards = shard_inputs(list_inputs([str(sample)]))
    with TestPipeline(runner="FnApiRunner") as pipeline:
        summaries = build_graph(pipeline, shards, replace(plan_into(tmp_path / "corpus"), curation=curation))
        assert_that(summaries | beam.Map(counts), equal_to([expected]))


class _Emit(beam.DoFn):
    """Stands in for the readers of two shards whose elements got mixed up."""

    def process(self, _: int) -> Iterator[Any]:
        one, two = shard("one-00000000-000000000000-000000000100"), shard()
        yield extracted(one, 1)
        yield extracted(two, 1)
        yield end(one, 1)
        yield end(two, 1)


def test_interleaved_shards_fail_the_pipeline(tmp_path: Path) -> None:
    sink = WriteShard(Corpus(str(tmp_path), "parquet"), WritePlan(options_digest="digest"))
    with (
        pytest.raises(StreamOrderError, match=r"while one-.* was open"),
        TestPipeline("FnApiRunner") as pipeline,
    ):
        _ = pipeline | beam.Create([0]) | beam.ParDo(_Emit()) | beam.ParDo(sink)
    assert list(Ledger.of(Corpus(str(tmp_path), "parquet")).summaries()) == []


def test_shuffled_payloads_are_refused_by_the_sink(sample: Path, tmp_path: Path) -> None:
    """A shuffle between reading and writing takes the order away: it must not pass unnoticed."""

    class Reverse(beam.DoFn):
        def process(self, pair: tuple[int, list[Any]]) -> Iterator[Any]:
            yield from reversed(pair[1])

    plan = plan_into(tmp_path / "corpus")
    sink = WriteShard(plan.corpus, plan.write)
    shards = shard_inputs(list_inputs([str(sample)]))
    with (
        pytest.raises(StreamOrderError, match="0 pages, 0 dropped pages and 0 rejects"),
        TestPipeline("FnApiRunner") as pipeline,
    ):
        _ = (
            pipeline
            | beam.Create(shards)
            | beam.ParDo(ReadShard(plan.corpus, plan.read)).with_output_types(Any)
            | DecodePage()
            | beam.Map(lambda element: (0, element))
            | beam.GroupByKey()
            | beam.ParDo(Reverse())
            | beam.ParDo(sink)
        )
    assert list(Ledger.of(plan.corpus).summaries()) == []


def test_read_warc_works_alone_and_emits_no_marks(sample: Path) -> None:
    with TestPipeline(runner="FnApiRunner") as pipeline:
        elements = pipeline | ReadWarc(str(sample))
        kinds = elements | beam.Map(lambda e: type(e).__name__)
        assert_that(kinds, equal_to(["Record"] * 8 + ["Reject"]))


def test_extract_without_decode_page_says_so_when_the_graph_is_built(sample: Path) -> None:
    pipeline = TestPipeline(runner="FnApiRunner")
    with pytest.raises(TypeError, match=r"put DecodePage\(\) between"):
        _ = pipeline | ReadWarc(str(sample)) | Extract()


def test_extract_names_decode_page_where_the_graph_tells_no_type() -> None:
    record = from_html("https://sea.example/", b"<p>Tides")
    with pytest.raises(TypeError, match=r"put DecodePage\(\) between"):
        next(_Part().process(record))  # type: ignore[arg-type]


@pytest.mark.slow
def test_extract_works_alone_with_two_outputs(sample: Path) -> None:
    with TestPipeline(runner="FnApiRunner") as pipeline:
        outputs = (
            pipeline
            | ReadWarc(str(sample))
            | DecodePage(PageFilter(statuses=((200, 200),)))
            | Extract("cetr-tm", smoothing="literal")
        )
        titles = outputs.pages | beam.Map(lambda row: row.title)
        reasons = outputs.rejects | beam.Map(lambda reject: reject.reason.value)
        assert outputs.pages.element_type is PageRow
        assert outputs.rejects.element_type is Reject
        assert_that(
            titles,
            equal_to(
                [
                    "The tide mill turns again",
                    "How to read a river",
                    "Peaks of the northern range",
                    "山里的图书馆",
                    None,
                ]
            ),
            label="titles",
        )
        assert_that(reasons, equal_to(["media_type", "not_response", "status", "status"]), label="reasons")


def test_a_failing_extractor_costs_one_page(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extractor = PageExtractor(ExtractPlan.of("cetr"))
    method = extractor._method

    def breaks(html: bytes) -> Any:
        if b"tide mill" in html:
            raise ZeroDivisionError("no such page")
        return method(html)

    extractor._method = breaks
    with sample.open("rb") as file:
        pages = [
            decode_record(item, PageFilter())
            for item in read_records(file, FileRange(source="s", size=sample.stat().st_size))
            if isinstance(item, Record) and item.url and item.url.endswith(("tide-mill", "peaks"))
        ]
    first, second = extractor.extract(pages)
    assert isinstance(first, Reject)
    assert first.reason is RejectReason.EXTRACTOR_ERROR
    assert first.detail == "ZeroDivisionError: no such page"
    assert isinstance(second, ExtractedPage)


def test_extract_refuses_unknown_options_when_it_is_built() -> None:
    with pytest.raises(ValueError, match="smoothing"):
        Extract("cetr", smooothing="fixed")
    with pytest.raises(ValueError, match="did you mean cetr"):
        Extract("ctr")


def test_the_sample_is_the_same_each_time() -> None:
    first, second = io.BytesIO(), io.BytesIO()
    assert write_sample(first) == write_sample(second) == 8
    assert first.getvalue() == second.getvalue()
