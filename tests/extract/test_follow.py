"""The streaming source, step by step, and what protects commits from inputs that change."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.extract.job import JobPlan, make_plan
from cedar.pipelines.extract.streaming import build_stream
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.unread import commits_of
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.follow import FileObservation, ListUndone, TakeFile, WholeFiles
from cedar.transforms.model.records import Shard
from tests.extract.runs import options_for
from tests.extract.stream_runs import beam_flags, shard_of, work
from tests.helpers.crawl import write_warc


class State:
    """Stands in for a runner's state of one key."""

    def __init__(self) -> None:
        self.value: tuple[FileObservation, bool] | None = None

    def read(self) -> tuple[FileObservation, bool] | None:
        return self.value

    def write(self, value: tuple[FileObservation, bool]) -> None:
        self.value = value


def taken(looks: list[tuple[StoredFile, float]], seconds: float = 10) -> list[StoredFile]:
    step, state = WholeFiles(seconds), State()
    return [
        found.file
        for file, moment in looks
        for found in step.process((b"/a", FileObservation(file, moment)), state)
    ]


OLD, NEW = StoredFile("/a", 1, "mtime:1"), StoredFile("/a", 2, "mtime:2")


def test_a_file_is_taken_once_when_it_rested_long_enough() -> None:
    assert taken([(OLD, 0), (OLD, 10), (OLD, 20)]) == [OLD]
    assert taken([(OLD, 0), (NEW, 10), (NEW, 20)]) == [NEW]
    assert taken([(OLD, 0), (OLD, 10), (NEW, 20), (NEW, 30), (NEW, 40)]) == [OLD, NEW]


def test_looks_in_a_burst_do_not_make_a_file_whole() -> None:
    assert taken([(OLD, 0), (OLD, 0.01), (OLD, 0.02)]) == []


def plan_into(corpus: Path) -> JobPlan:
    return make_plan(options_for("in", "--output", str(corpus)), arriving=True)[0]


def pages(plan: JobPlan) -> list[int]:
    return [summary.pages for summary in Ledger.of(plan.corpus).summaries()]


def test_only_files_that_are_not_committed_as_they_are_now_are_listed(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    done, new = (write_warc(tmp_path / "in" / name, 2) for name in ("done.warc.gz", "new.warc.gz"))
    work(plan, shard_of(done))
    step = ListUndone(lambda: list_inputs([str(tmp_path / "in")]), plan.corpus)
    step.setup()
    assert [path for path, _ in step.process(None)] == [os.fsencode(new)]
    write_warc(done, 3)
    assert [path for path, _ in step.process(None)] == [os.fsencode(done), os.fsencode(new)]


def test_a_renamed_file_is_taken_once_its_old_name_stands_for_another(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    old, new = tmp_path / "in" / "a.warc.gz", tmp_path / "in" / "b.warc.gz"
    work(plan, shard_of(write_warc(old, 2)))
    step = ListUndone(lambda: list_inputs([str(tmp_path / "in")]), plan.corpus)
    step.setup()
    old.rename(new)
    assert list(step.process(None)) == []
    write_warc(old, 3)
    ((_, look),) = step.process(None)
    work(plan, *TakeFile(plan.corpus).process(look))
    assert [path for path, _ in step.process(None)] == [os.fsencode(new)]


def test_taking_a_changed_file_revokes_what_it_was_before_and_nothing_else(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    changing, other = (write_warc(tmp_path / "in" / name, 2) for name in ("a.warc.gz", "b.warc.gz"))
    work(plan, shard_of(changing), shard_of(other))
    write_warc(changing, 5)
    step = ListUndone(lambda: list_inputs([str(changing)]), plan.corpus)
    step.setup()
    ((_, look),) = step.process(None)
    assert list(TakeFile(plan.corpus).process(look)) == [shard_of(changing)]
    assert [s.shard.source for s in Ledger.of(plan.corpus).summaries()] == [str(other)]
    assert list(commits_of(plan.corpus, str(changing))) == []


def test_a_late_commit_of_the_file_as_it_was_is_undone_by_the_next_reader(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    path = write_warc(tmp_path / "a.warc.gz", 2)
    work(plan, shard_of(path))
    os.utime(path, ns=(1, 10**18))
    work(plan, shard_of(path))
    (summary,) = Ledger.of(plan.corpus).summaries()
    assert summary.shard == shard_of(path)


def test_a_shard_of_a_file_that_has_changed_is_passed_over(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    path = write_warc(tmp_path / "a.warc.gz", 2)
    before = shard_of(path)
    write_warc(path, 3)
    work(plan, before)
    assert pages(plan) == []


def test_a_file_that_changes_while_it_is_read_is_not_committed(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    batch = replace(plan, read=replace(plan.read, arriving=False))
    path = write_warc(tmp_path / "a.warc.gz", 2)
    before = replace(shard_of(path), version="mtime:1")
    with pytest.raises(Exception, match="changed while it was read"):
        work(batch, before)
    assert pages(plan) == []


@pytest.mark.slow
def test_the_ledger_follows_the_commits(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    first, second = (write_warc(tmp_path / name, 2) for name in ("a.warc.gz", "b.warc.gz"))
    ledger = Ledger(plan.corpus)
    ledger.refresh()
    work(plan, shard_of(first), shard_of(second))
    ledger.refresh()
    assert [s.shard for s in ledger.of_source(str(first))] == [shard_of(first)]
    os.utime(first, ns=(1, 10**18))
    work(plan, shard_of(first))
    Path(plan.corpus.commit_path(shard_of(second).name)).unlink()
    ledger.refresh()
    assert [s.shard for s in ledger.summaries()] == [shard_of(first)]
    assert ledger.of_source(str(second)) == []


def test_the_steps_of_the_source_run_in_a_pipeline(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    path = write_warc(tmp_path / "a.warc.gz", 2)
    (file,) = list_inputs([str(path)])
    looks = [(os.fsencode(path), FileObservation(file, moment)) for moment in (0.0, 5.0)]
    with TestPipeline(runner="FnApiRunner") as pipeline:
        shards = (
            pipeline
            | beam.Create([looks])
            | beam.FlatMap(lambda pairs: pairs).with_output_types(tuple[bytes, FileObservation])
            | beam.ParDo(WholeFiles(5.0)).with_output_types(FileObservation)
            | beam.ParDo(TakeFile(plan.corpus)).with_output_types(Shard)
        )
        assert_that(shards, equal_to([shard_of(path)]))


def test_a_streaming_job_reads_whole_files() -> None:
    streaming = ("in", "--output", "out", "--watch", "1", "--runner", "FlinkRunner")
    assert options_for(*streaming).split_size == 0
    with pytest.raises(UsageError, match="leave out --split-size"):
        options_for(*streaming, "--split-size", "1MiB")
    assert options_for("in", "--output", "out").split_size == 128 << 20


def test_flink_gets_the_options_that_the_job_needs_unless_the_user_gives_them() -> None:
    given = ("in", "--output", "out", "--runner", "FlinkRunner", "--checkpointing_interval", "5")
    stream = beam_flags(options_for(*given, "--watch", "1"))
    assert "--max_bundle_size=1" in stream
    assert "--streaming" in stream
    assert "--checkpointing_interval=30000" not in stream
    batch = beam_flags(options_for(*given))
    assert "--streaming" not in batch
    assert "--max_bundle_size=1" not in batch


def test_the_streaming_job_shuffles_only_names_and_shards(tmp_path: Path) -> None:
    options = options_for("in", "--output", str(tmp_path), "--watch", "1", "--runner", "FlinkRunner")
    plan, _ = make_plan(options, arriving=True)
    pipeline = beam.Pipeline(runner="FnApiRunner")
    build_stream(pipeline, plan, options)
    _, stages = FnApiRunner().create_stages(pipeline.to_runner_api())
    steps = ("ReadShard", "DecodePage", "Extract", "WriteShard")
    homes = {
        number
        for number, stage in enumerate(stages)
        if any(transform.unique_name.startswith(steps) for transform in stage.transforms)
    }
    assert len(homes) == 1
