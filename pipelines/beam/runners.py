"""Runners of Beam's that work elsewhere: their options, and a job from its start to its end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence

import apache_beam as beam
from apache_beam.options.pipeline_options import CrossLanguageOptions, PipelineOptions
from apache_beam.runners.runner import PipelineState
from apache_beam.utils.subprocess_server import JavaJarServer, SubprocessServer

from pipelines.beam.flink import FlinkJob, OneJobServer, job_name
from pipelines.common.logs import cause, threads_logged
from pipelines.local.stopping import Stop

_POLL_SECONDS = 0.5

STREAM_ON_FLINK = (
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
    needed = STREAM_ON_FLINK if streaming and runner == "FlinkRunner" else ()
    given = {argument.partition("=")[0] for argument in beam_arguments}
    added = [argument for argument in needed if argument.partition("=")[0] not in given]
    added += ["--streaming"] if streaming else []
    if runner == "FlinkRunner" and "--job_name" not in given:
        added.append(f"--job_name={job_name()}")
    return PipelineOptions([*added, *beam_arguments, f"--runner={runner}"])


def pipelines_of(runner: str, beam_arguments: Sequence[str]) -> Callable[[], beam.Pipeline]:
    """Return what makes the pipelines of a run that has several, one after the other, on one runner."""
    shared = OneJobServer() if runner == "FlinkRunner" else None
    return lambda: beam.Pipeline(runner=shared, options=beam_options(runner, beam_arguments))


@contextlib.contextmanager
def connectors(pipeline: beam.Pipeline) -> Iterator[None]:
    """Within it, Java's transforms can be put on `pipeline` and be run.

    What `with pipeline:` does for them, without running it at the end: their services are found where
    `--beam_services` says, and one that is started lives until the end.
    """
    services = pipeline.options.view_as(CrossLanguageOptions).beam_services
    with JavaJarServer.beam_services(services), SubprocessServer.cache_subprocesses():
        yield


def is_template(beam_arguments: Sequence[str]) -> bool:
    """Tell whether the job is to be written down for a service, not run."""
    return any(argument.partition("=")[0] == "--template_location" for argument in beam_arguments)


def run_to_its_end(
    pipeline: beam.Pipeline, stop: Stop, *, look: Callable[[], None] = lambda: None, seconds: float = 10.0
) -> str | None:
    """Run a pipeline until it is done, has failed, or the user says stop: then it is cancelled.

    `look` is called every `seconds` while the job runs; what it cannot read, it may see the next time.
    Returns why the job failed, or could not be cancelled; else None.
    """
    job = FlinkJob.about_to_start(pipeline.options)
    with threads_logged():
        try:
            result, looked = pipeline.run(), time.monotonic()
            while not PipelineState.is_terminal(result.state):
                if stop.wait(_POLL_SECONDS):
                    break
                if time.monotonic() - looked >= seconds:
                    with contextlib.suppress(OSError):
                        look()
                    looked = time.monotonic()
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
    return None
