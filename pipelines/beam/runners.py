"""Beam's remote runners: their options, and a job from its start to its end.

The launcher itself cancels a job on a Flink cluster: Beam's job server would only forget it.
"""

import contextlib
import json
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import (
    CrossLanguageOptions,
    FlinkRunnerOptions,
    PipelineOptions,
    PortableOptions,
)
from apache_beam.runners.portability.flink_runner import FlinkRunner
from apache_beam.runners.portability.job_server import JobServer, StopOnExitJobServer
from apache_beam.runners.runner import PipelineState
from apache_beam.utils.subprocess_server import JavaJarServer, SubprocessServer

from cedar.pipelines.common.logs import cause, threads_logged
from cedar.pipelines.local.stopping import StopRequest
from cedar.transforms.corpus.errors import ReplacedCorpusError
from cedar.transforms.files.storage import raised_as

_ENDED = frozenset({"FINISHED", "CANCELED", "FAILED", "SUSPENDED"})
_EMBEDDED = ("", "[local]", "[auto]", "[collection]")
_ANSWER_SECONDS = 10.0
_CANCEL_SECONDS = 60.0
_LATE_SECONDS = 3.0
"""A job that was being submitted when it was cancelled may come to the cluster this much later."""


@dataclass(frozen=True, slots=True)
class FlinkJob:
    """A job of a launcher on a cluster, known by its name; `others` are ids of earlier jobs of this name."""

    url: str
    name: str
    others: frozenset[str]

    @staticmethod
    def about_to_start(options: PipelineOptions) -> "FlinkJob | None":
        """Return the job that a pipeline with these options will be; None where no cluster is named."""
        master = str(options.view_as(FlinkRunnerOptions).flink_master or "").strip()
        name = options.get_all_options(drop_default=True).get("job_name")
        if master in _EMBEDDED or name is None:
            return None
        url = master if master.startswith(("http://", "https://")) else f"http://{master}"
        job = FlinkJob(url.rstrip("/"), str(name), frozenset())
        try:
            return FlinkJob(job.url, job.name, frozenset(job.running()))
        except OSError:
            # The job cannot be started there either, and the runner says why.
            return job

    def running(self) -> list[str]:
        """Return the ids of unfinished jobs of this name, without the `others`; raises OSError."""
        jobs = _ask(f"{self.url}/jobs/overview")["jobs"]
        return [
            job["jid"]
            for job in jobs
            if job["name"] == self.name and job["state"] not in _ENDED and job["jid"] not in self.others
        ]

    def cancel(self) -> None:
        """Cancel the job, and wait until it has ended; raise OSError if it continues, or nothing answers."""
        deadline = time.monotonic() + _CANCEL_SECONDS
        quiet_until = time.monotonic() + _LATE_SECONDS
        asked: set[str] = set()
        while True:
            running = self.running()
            for job in set(running) - asked:
                _ask(f"{self.url}/jobs/{job}?mode=cancel", method="PATCH")
                asked.add(job)
            if not running and (asked or time.monotonic() > quiet_until):
                return
            if time.monotonic() > deadline:
                raise TimeoutError(f"the job {self.name} on {self.url} continues: cancel it there")
            time.sleep(0.2)


def _ask(url: str, method: str = "GET") -> Any:
    """Return an answer of Flink's REST interface; raise OSError if none comes, or an error."""
    request = urllib.request.Request(url, method=method)  # noqa: S310 - an address that the user gave
    with (
        raised_as(OSError, ValueError, saying=f"{url} is not Flink's REST interface"),
        urllib.request.urlopen(request, timeout=_ANSWER_SECONDS) as answer,  # noqa: S310 - as above
    ):
        return json.loads(answer.read() or b"{}")


class OneJobServer(FlinkRunner):
    """Flink's runner that keeps its first job server: Beam's starts a JVM of 400 MiB for each pipeline."""

    def __init__(self) -> None:
        super().__init__()
        self._first: JobServer | None = None

    def default_job_server(self, options: PipelineOptions) -> JobServer:
        """Return the server that a job is handed to; options get the address of Flink as Beam writes it."""
        server: JobServer = super().default_job_server(options)
        if not isinstance(server, StopOnExitJobServer):
            return server  # made for the one job, and no process
        if self._first is None:
            self._first = server
        return self._first


_POLL_SECONDS = 0.5

FLINK_STREAMING_OPTIONS = (
    "--checkpointing_interval=30000",
    "--checkpoint_timeout_millis=1800000",
    "--min_pause_between_checkpoints=5000",
    "--unaligned_checkpoint_enabled",
    "--max_bundle_size=1",
    "--retain_externalized_checkpoints_on_cancellation",
)
"""A checkpoint waits for the shards at work, one in each slot: a bundle is one shard, and the barrier
overtakes those that are queued. So the timeout must be longer than the slowest shard takes, at least
three times as long."""


def beam_options(runner: str, beam_arguments: Sequence[str], *, streaming: bool = False) -> PipelineOptions:
    """Return Beam's options of a job: the user's, and those the runner needs that the user did not give."""
    needed = FLINK_STREAMING_OPTIONS if streaming and runner == "FlinkRunner" else ()
    given = {argument.partition("=")[0] for argument in beam_arguments}
    added = [argument for argument in needed if argument.partition("=")[0] not in given]
    added += ["--streaming"] if streaming else []
    if runner == "FlinkRunner" and "--job_name" not in given:
        added.append(f"--job_name=cedar-{uuid.uuid4().hex[:12]}")  # as no other job is called
    return PipelineOptions([*added, *beam_arguments, f"--runner={runner}"])


def pipeline_factory(runner: str, beam_arguments: Sequence[str]) -> Callable[[], beam.Pipeline]:
    """Return a function that makes the pipelines of a run, one after the other, on one runner."""
    shared = OneJobServer() if runner == "FlinkRunner" else None
    return lambda: beam.Pipeline(runner=shared, options=beam_options(runner, beam_arguments))


@contextlib.contextmanager
def java_services(pipeline: beam.Pipeline) -> Iterator[None]:
    """Within it, Java's transforms can be put on `pipeline` and be run.

    What `with pipeline:` does for them, without running it at the end: their services are found where
    `--beam_services` says, and one that is started lives until the end.
    """
    services = pipeline.options.view_as(CrossLanguageOptions).beam_services
    with JavaJarServer.beam_services(services), SubprocessServer.cache_subprocesses():
        yield


def is_written_down(beam_arguments: Sequence[str]) -> bool:
    """Tell whether the job is written for a later run: a template of Dataflow, or a jar for spark-submit."""
    names = {argument.partition("=")[0] for argument in beam_arguments}
    return not names.isdisjoint(("--template_location", "--output_executable_path"))


def write_down(pipeline: beam.Pipeline) -> None:
    """Write a pipeline for a later run, where its options say."""
    result = pipeline.run()
    if pipeline.options.view_as(PortableOptions).output_executable_path:
        result.wait_until_finish()


def run_until_done(
    pipeline: beam.Pipeline,
    stop: StopRequest,
    *,
    on_poll: Callable[[], None] | None = None,
    seconds: float = 10.0,
) -> str | None:
    """Run a pipeline until it is done, has failed, or the user says stop: then it is cancelled.

    `on_poll` is called every `seconds` while the job runs; what it cannot read, it may see the next time.
    Returns why the job failed, or could not be cancelled; else None.
    """
    job = FlinkJob.about_to_start(pipeline.options)
    ended: str | None = None
    with threads_logged():
        try:
            result, polled_at = pipeline.run(), time.monotonic()
            while not PipelineState.is_terminal(result.state):
                if stop.wait(_POLL_SECONDS):
                    break
                if on_poll is not None and time.monotonic() - polled_at >= seconds:
                    try:
                        on_poll()
                    except ReplacedCorpusError as fault:
                        ended = str(fault)
                        break
                    except OSError:
                        pass
                    polled_at = time.monotonic()
            else:
                result.wait_until_finish()
                return None
            result.cancel()
        except Exception as error:  # noqa: BLE001 - whatever a runner raises, its job has failed
            if not stop.asked or job is None:
                return cause(error)
            # Ctrl-C reaches the job server, too, which may be gone.
    try:
        if job is not None:
            job.cancel()
    except OSError as fault:
        return str(fault)
    return ended
