"""`cedar extract --queue`: names that come as messages, once, twice, too early, or are none."""

from __future__ import annotations

import logging
import os
import signal
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.io import kafka
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.pipeline import AppliedPTransform, PipelineVisitor
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing import test_stream
from apache_beam.testing.test_pipeline import TestPipeline
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.transforms import external
from apache_beam.utils.timestamp import Timestamp

from cedar.pipelines.common.errors import UsageError
from cedar.pipelines.extract import streaming
from cedar.pipelines.extract.graph import add_steps
from cedar.pipelines.extract.job import JobPlan, make_plan
from cedar.pipelines.extract.options import ExtractOptions
from cedar.pipelines.extract.queues import KafkaQueue, PubSubQueue, read_messages
from cedar.pipelines.extract.streaming import build_stream, shards_of
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.files.http_options import WebConfig
from cedar.transforms.follow import EmitUntilCommitted, PendingInput, SplitNames
from cedar.transforms.model.records import Shard
from tests.extract.runs import options_for, urls
from tests.extract.stream_runs import beam_flags, shard_of, work
from tests.helpers.crawl import write_warc
from tests.helpers.crawl_server import FakeClock, Fault, crawl_server, patient_web

KAFKA = "kafka://localhost:9092/names"


def options_into(corpus: Path, *more: str) -> ExtractOptions:
    return options_for("--queue", KAFKA, "--runner", "FlinkRunner", "--output", str(corpus), *more)


def plan_into(corpus: Path) -> JobPlan:
    return make_plan(options_into(corpus), arriving=True)[0]


class Name:
    """One name before `EmitUntilCommitted`, with its state and timer in place of a runner's."""

    def __init__(self, plan: JobPlan, path: Path) -> None:
        self._step = EmitUntilCommitted(plan.corpus, 30.0)
        self._path = os.fsencode(path)
        self._waiting: PendingInput | None = None
        self.rests: list[int] = []

    def message(self) -> list[Shard]:
        return list(self._step.process((self._path, True), self, self))

    def again(self) -> list[Shard]:
        return list(self._step.again(self._path, self, self))

    @property
    def waits(self) -> bool:
        return self._waiting is not None

    def read(self) -> PendingInput | None:
        return self._waiting

    def write(self, waiting: PendingInput) -> None:
        self._waiting = waiting

    def clear(self) -> None:
        self._waiting = None

    def set(self, moment: Timestamp) -> None:
        self.rests.append(round((moment - Timestamp.now()).micros / 30e6))


def test_a_name_is_taken_once_however_often_it_comes_and_forgotten_when_it_is_done(tmp_path: Path) -> None:
    plan, path = plan_into(tmp_path / "corpus"), write_warc(tmp_path / "a.warc.gz", 2)
    name = Name(plan, path)
    assert name.message() == [shard_of(path)]
    assert (name.message(), name.again(), name.waits) == ([], [], True)
    work(plan, shard_of(path))
    assert (name.again(), name.waits) == ([], False)
    assert (name.message(), name.waits) == ([], False)


def test_names_on_web_servers_are_asked_for_as_the_options_say(tmp_path: Path) -> None:
    data = write_warc(tmp_path / "a.warc.gz", 1).read_bytes()
    with crawl_server({"a.warc.gz": data}) as server:
        step = EmitUntilCommitted(
            plan_into(tmp_path / "corpus").corpus, 30.0, WebConfig(contact="me@here.example")
        )
        step.setup()
        name = Name(plan_into(tmp_path / "corpus"), tmp_path)
        (shard,) = step.process((f"{server.root}a.warc.gz".encode(), True), name, name)
        assert (shard.source, shard.size) == (f"{server.root}a.warc.gz", len(data))
        assert server.log[0].headers["user-agent"].endswith("; me@here.example)")


def test_a_server_that_fails_is_asked_five_times_for_a_name(
    tmp_path: Path,
) -> None:
    with crawl_server({}) as server:
        server.faults["a.warc.gz"] = [Fault(status=503)] * 20
        step = EmitUntilCommitted(plan_into(tmp_path / "corpus").corpus, 30.0, None)
        step._web = patient_web(FakeClock(), step._options)
        name = Name(plan_into(tmp_path / "corpus"), tmp_path)
        assert list(step.process((f"{server.root}a.warc.gz".encode(), True), name, name)) == []
        assert len(server.log) == 5


def test_a_name_of_nothing_is_logged_once_and_taken_when_there_is_something(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plan, path = plan_into(tmp_path / "corpus"), tmp_path / "a.warc.gz"
    name = Name(plan, path)
    assert [name.message(), *(name.again() for _ in range(8)), name.message()] == [[]] * 10
    assert name.rests == [1, 2, 4, 8, 16, 32, 64, 64, 64, 1]
    assert [r.getMessage().startswith(str(path)) for r in caplog.records if r.levelno >= logging.WARNING] == [
        True
    ]
    write_warc(path, 2)
    assert name.again() == [shard_of(path)]
    assert name.rests[-1] == 1


def test_a_file_that_cannot_be_read_waits_like_one_that_is_not_there(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "corpus")
    (tmp_path / "a.warc.gz").symlink_to("a.warc.gz")
    name = Name(plan, tmp_path / "a.warc.gz")
    assert (name.message(), name.waits) == ([], True)


def test_a_file_that_changes_or_goes_before_it_is_read_is_taken_as_it_is_then(tmp_path: Path) -> None:
    plan, path = plan_into(tmp_path / "corpus"), write_warc(tmp_path / "a.warc.gz", 2)
    name = Name(plan, path)
    name.message()
    before = shard_of(path)
    os.utime(path, ns=(1, 10**18))
    work(plan, before)
    assert list(Ledger.of(plan.corpus).summaries()) == []
    assert name.again() == [shard_of(path)] != [before]
    away = path.rename(tmp_path / "away")
    assert name.again() == []
    away.rename(path)
    assert name.again() == [shard_of(path)]


def test_a_file_that_changed_since_it_was_done_is_read_anew_when_it_is_named_again(tmp_path: Path) -> None:
    plan, path = plan_into(tmp_path / "corpus"), write_warc(tmp_path / "a.warc.gz", 2)
    work(plan, shard_of(path))
    write_warc(path, 3)
    assert Name(plan, path).message() == [shard_of(path)]
    assert list(Ledger.of(plan.corpus).summaries()) == []


def test_a_file_that_went_away_when_it_was_done_is_not_waited_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    plan, path = plan_into(tmp_path / "corpus"), write_warc(tmp_path / "a.warc.gz", 2)
    name = Name(plan, path)
    work(plan, *name.message())
    path.unlink()
    assert (name.again(), name.waits, Name(plan, path).message()) == ([], False, [])
    assert not caplog.records


def test_a_directory_names_its_archives_and_is_done_when_all_are(tmp_path: Path) -> None:
    plan = plan_into(tmp_path / "in" / "corpus")
    paths = [write_warc(tmp_path / "in" / name, 1) for name in ("a.warc.gz", "b.warc.gz")]
    name = Name(plan, tmp_path / "in")
    first, second = name.message()
    assert [first, second] == [shard_of(path) for path in paths]
    work(plan, first)
    assert (name.again(), name.waits) == ([], True)
    work(plan, second)
    assert (name.again(), name.waits) == ([], False)


@pytest.mark.parametrize(
    ("message", "prefix", "names"),
    [
        (b"/data/a.warc.gz", "", ["/data/a.warc.gz"]),
        (b"\n  a.warc.gz\r\n\n../b \n", "", ["/here/a.warc.gz", "/b"]),
        (b"k/a.warc.gz", "s3://bucket/", ["s3://bucket/k/a.warc.gz"]),
        ("gs://b/über".encode(), "", ["gs://b/über"]),
        (b"@list", "", ["/here/@list"]),
        (b"", "", []),
        (b"\xff/a", "", []),
        (b"/a\0b\n/c", "", ["/c"]),
        (b"/" + b"x" * 5000 + b"\n/c", "", ["/c"]),
    ],
)
def test_a_message_is_a_name_a_line(message: bytes, prefix: str, names: list[str]) -> None:
    assert [os.fsdecode(name) for name, _ in SplitNames(prefix, "/here").process(message)] == names


def test_what_is_no_name_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert list(SplitNames("", "/").process(b"\xff" * 1000)) == []
    (record,) = caplog.records
    assert len(record.getMessage()) < 400


def crawled(*numbers: int) -> list[str]:
    return sorted(f"https://crawl.example/{n}" for n in numbers)


@pytest.mark.slow
def test_messages_become_rows_once_though_they_come_twice(tmp_path: Path) -> None:
    options = options_into(tmp_path / "corpus")
    plan, _ = make_plan(options, arriving=True)
    for number in range(3):
        write_warc(tmp_path / f"{number}.warc.gz", 2, first=10 * number)
    messages = [f"{tmp_path}/{number}.warc.gz".encode() for number in (0, 1, 0)]
    messages += [f"\n{tmp_path}/2.warc.gz\n{tmp_path}/1.warc.gz\n".encode(), b"\xff"]
    for _ in range(2):  # the second job has no state, and gets all messages again
        with TestPipeline(options=PipelineOptions(["--streaming"])) as pipeline:
            received = test_stream.TestStream().add_elements(messages).advance_watermark_to_infinity()
            add_steps(shards_of(pipeline | received, plan, options), plan)
        assert urls(tmp_path / "corpus") == crawled(0, 1, 10, 11, 20, 21)
        assert len(list((tmp_path / "corpus" / "shards").iterdir())) == 3


def test_in_a_stream_a_name_that_is_missing_blocks_nothing_and_is_tried_when_its_rest_is_over(
    tmp_path: Path,
) -> None:
    options = options_into(tmp_path / "corpus")
    plan, _ = make_plan(options, arriving=True)
    late, there = tmp_path / "late.warc.gz", write_warc(tmp_path / "there.warc.gz", 1)

    def arrives(shard: Shard) -> Shard:
        if shard.source == str(there):
            write_warc(late, 1, first=5)
        return shard

    messages = (
        test_stream.TestStream()
        .add_elements([str(late).encode(), str(there).encode(), str(late).encode()])
        .advance_processing_time(Timestamp.now().seconds() + 60)  # its clock begins at 0
        .advance_watermark_to_infinity()
    )
    with TestPipeline(options=PipelineOptions(["--streaming"])) as pipeline:
        shards = shards_of(pipeline | messages, plan, options) | beam.Map(arrives)
        sources = shards | beam.Map(lambda shard: shard.source)
        assert_that(sources, equal_to([str(there), str(late)]))


def test_the_job_shuffles_only_names_and_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def created(pipeline: beam.Pipeline, source: Any, _: str) -> beam.PCollection:
        assert source == KafkaQueue("localhost:9092", "names", None)
        return pipeline | beam.Create([b"/nothing"])

    monkeypatch.setattr(streaming, "read_messages", created)
    options = options_into(tmp_path / "corpus")
    pipeline = beam.Pipeline(runner="FnApiRunner")
    build_stream(pipeline, make_plan(options, arriving=True)[0], options)
    _, stages = FnApiRunner().create_stages(pipeline.to_runner_api())
    steps = ("ReadShard", "DecodePage", "Extract", "WriteShard")
    homes = [s for s in stages if any(t.unique_name.startswith(steps) for t in s.transforms)]
    assert len(homes) == 1


def test_pubsub_is_read_by_the_connector_of_beam() -> None:
    pipeline = beam.Pipeline(runner="FnApiRunner")
    read_messages(pipeline, PubSubQueue("my-project", "names"), "DataflowRunner")
    (source,) = (
        part.transform.source for part in _parts(pipeline) if isinstance(part.transform, beam.io.Read)
    )
    assert source.full_subscription == "projects/my-project/subscriptions/names"


@pytest.mark.parametrize(
    ("runner", "arguments"),
    [("FlinkRunner", ["--experiments=use_deprecated_read"]), ("DataflowRunner", [])],
)
def test_kafka_is_read_by_the_connector_of_beam(
    runner: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: dict[str, Any] = {}

    def service(append_args: list[str]) -> str:
        told["arguments"] = append_args
        raise RuntimeError("no Java here")

    monkeypatch.setattr(external, "ImplicitSchemaPayloadBuilder", told.update)
    monkeypatch.setattr(kafka, "default_io_expansion_service", service)
    with pytest.raises(RuntimeError, match="no Java here"):
        read_messages(beam.Pipeline(), KafkaQueue("a:1,b:2", "names", "cedar"), runner)
    config = {"bootstrap.servers": "a:1,b:2", "auto.offset.reset": "earliest", "group.id": "cedar"}
    assert (told["consumer_config"], told["topics"]) == (config, ["names"])
    assert (told["commit_offset_in_finalize"], told["arguments"]) == (True, arguments)


def _parts(pipeline: beam.Pipeline) -> list[AppliedPTransform]:
    found: list[AppliedPTransform] = []

    class Visitor(PipelineVisitor):
        def visit_transform(self, transform_node: AppliedPTransform) -> None:
            found.append(transform_node)

    pipeline.visit(Visitor())
    return found


@pytest.mark.parametrize(
    ("uri", "queue"),
    [
        ("kafka://a:9092/t", KafkaQueue("a:9092", "t", None)),
        (
            "kafka://a-1.example:9092,[::1]:1/t.x_y-z?group=g%20h",
            KafkaQueue("a-1.example:9092,[::1]:1", "t.x_y-z", "g h"),
        ),
        ("pubsub://my-project/names-sub", PubSubQueue("my-project", "names-sub")),
    ],
)
def test_uris_of_queues(uri: str, queue: object) -> None:
    assert options_for("--queue", uri, "--output", "o", "--runner", "DataflowRunner").queue == queue


FLINK = ("--runner", "FlinkRunner")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("in", "--queue", KAFKA, *FLINK), "leave out in"),
        (("--queue", KAFKA), "a runner that streams: --runner FlinkRunner"),
        (("--queue", KAFKA, "--runner", "SparkRunner"), "Beam's Spark runner does not stream"),
        (("in", "--watch", "3", "--runner", "SparkRunner"), "Beam's Spark runner does not stream"),
        (("--queue", KAFKA, *FLINK, "--watch", "3"), "leave out --watch"),
        (("--queue", KAFKA, *FLINK, "--overwrite"), "leave out --overwrite"),
        (("--queue", KAFKA, *FLINK, "--limit", "3"), "leave out --limit"),
        (("--queue", KAFKA, *FLINK, "--split-size", "1MiB"), "leave out --split-size"),
        (("--queue", "pubsub://project/names", *FLINK), "--runner DataflowRunner"),
        ((), "give an INPUT or --queue"),
    ],
)
def test_what_makes_no_sense_with_a_queue_is_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        options_for("--output", "out", *arguments)


def test_the_corpus_of_a_queue_is_that_of_a_streaming_watch(tmp_path: Path) -> None:
    watch = options_for("in", "--output", str(tmp_path), "--watch", "1", *FLINK)
    assert make_plan(watch)[1] == make_plan(options_into(tmp_path))[1]
    assert "--streaming" in beam_flags(options_into(tmp_path))


def test_a_connector_that_cannot_be_had_ends_the_job_with_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(pipeline: beam.Pipeline, source: Any, _: str) -> beam.PCollection:
        raise RuntimeError("no Java here")

    monkeypatch.setattr(streaming, "read_messages", fails)
    assert streaming.run(options_into(tmp_path / "corpus")) == 1
    assert "the streaming job failed: " in (error := capsys.readouterr().err)
    assert "no Java here" in error


def test_ctrl_c_while_a_streaming_job_begins_is_its_word_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin = streaming.held_corpus

    def begins(options: ExtractOptions) -> AbstractContextManager[JobPlan]:
        os.kill(os.getpid(), signal.SIGINT)
        return begin(options)

    def runs(pipeline: beam.Pipeline, stop: StopRequest, **_: Any) -> None:
        assert stop.wait(60)

    monkeypatch.setattr(streaming, "held_corpus", begins)
    monkeypatch.setattr(streaming, "read_messages", lambda pipeline, *_: pipeline | beam.Create([]))
    monkeypatch.setattr(streaming, "run_until_done", runs)
    assert streaming.run(options_into(tmp_path / "corpus")) == 130
    assert capsys.readouterr().err == "stopping now; shards that are done stay done\n"


def queue_of(*properties: str) -> KafkaQueue:
    options = options_into(Path("/corpus"), *(f"--kafka-property={given}" for given in properties))
    assert isinstance(options.queue, KafkaQueue)
    return options.queue


def test_secrets_of_a_broker_are_looked_up_and_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUST", "tell nobody")
    (tmp_path / "jaas").write_text('org.x.Login required password="hush";\n')
    queue = queue_of(
        "security.protocol=SASL_SSL",
        f"sasl.jaas.config=file:{tmp_path}/jaas",
        "ssl.truststore.password=env:TRUST",
    )
    assert dict(queue.properties) == {
        "security.protocol": "SASL_SSL",
        "sasl.jaas.config": 'org.x.Login required password="hush";',
        "ssl.truststore.password": "tell nobody",
    }
    assert "tell nobody" not in repr(queue)
    assert queue.hidden("refused: tell nobody, SASL_SSL") == "refused: ***, SASL_SSL"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("ssl.keystore.password=hush", "a secret; write ssl.keystore.password=env:NAME"),
        ("sasl.jaas.config=env:NO_SUCH_NAME", "the variable NO_SUCH_NAME is not set"),
        ("sasl.jaas.config=file:/no/such", "cannot read /no/such: No such file"),
        ("group.id=g", "the URI of --queue names it"),
    ],
)
def test_settings_of_a_broker_that_cannot_be_are_refused_in_a_line(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        queue_of(given)
    assert "hush" not in str(caught.value)
