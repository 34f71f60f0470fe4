"""Runners of Beam's that work elsewhere: their options, and a job from its start to its end."""

from __future__ import annotations

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineState

from pipelines.logs import first_line
from pipelines.options import ExtractOptions
from pipelines.stopping import Stop

_POLL_SECONDS = 0.5


def runner_options(options: ExtractOptions, *more: str) -> PipelineOptions:
    """Beam's options: the user's, and `more` where the user says nothing of the kind."""
    given = {argument.partition("=")[0] for argument in options.beam_arguments}
    defaults = [argument for argument in more if argument.partition("=")[0] not in given]
    return PipelineOptions([*defaults, *options.beam_arguments, f"--runner={options.runner}"])


def run_to_its_end(pipeline: beam.Pipeline, stop: Stop) -> str | None:
    """Run a pipeline until it is done, has failed, or the user says stop: then it is cancelled.

    Returns:
        Why it failed; None if it did not.
    """
    try:
        result = pipeline.run()
        while not PipelineState.is_terminal(result.state):
            if stop.wait(_POLL_SECONDS):
                result.cancel()
                return None
        result.wait_until_finish()
    except Exception as error:  # noqa: BLE001 - whatever a runner raises, its job has failed
        return first_line(error)
    return None
