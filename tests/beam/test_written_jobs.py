"""Jobs that are written for a later run, and not run."""

from __future__ import annotations

from typing import Any

import pytest
from apache_beam.options.pipeline_options import PipelineOptions

from cedar.pipelines.beam.runners import is_written_down, write_down


@pytest.mark.parametrize(
    ("argument", "is_written"),
    [
        ("--template_location=gs://a/b", True),
        ("--output_executable_path=job.jar", True),
        ("--output_executable=job.jar", False),
        ("--parallelism=2", False),
    ],
)
def test_a_job_for_later_is_told_by_its_options(argument: str, is_written: bool) -> None:
    assert is_written_down(("--project=p", argument)) is is_written


class RecordedPipeline:
    """Notes what is done with it."""

    def __init__(self, *arguments: str) -> None:
        self.options = PipelineOptions(list(arguments))
        self.done: list[str] = []

    def run(self) -> RecordedPipeline:
        self.done.append("run")
        return self

    def wait_until_finish(self) -> None:
        self.done.append("waited")


def test_a_jar_is_waited_for_and_a_template_is_not() -> None:
    jar: Any = RecordedPipeline("--output_executable_path=job.jar")
    template: Any = RecordedPipeline()
    write_down(jar)
    write_down(template)
    assert (jar.done, template.done) == (["run", "waited"], ["run"])
