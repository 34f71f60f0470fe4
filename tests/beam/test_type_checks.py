"""Beam's own checks of types, when the graph is built and while it runs."""

from __future__ import annotations

import logging
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

import cedar
from cedar.pipelines.cli import main
from tests.helpers.crawl import write_warc

CHECKS = {
    "runtime": {"runtime_type_check": True},
    "performance": {"performance_runtime_type_check": True},
    "strict": {"type_check_strictness": "ALL_REQUIRED"},
}


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS)
def test_pipelines_of_ones_own_pass_the_checks_of_beam(
    check: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    archive = write_warc(tmp_path / "a.warc.gz", 3)
    made = cedar.ExtractRows(signals=True, keep=("words > 1",))
    options = PipelineOptions(flags=[], **CHECKS[check])
    with beam.Pipeline(FnApiRunner(), options=options) as pipeline:
        pages = pipeline | cedar.ReadWarc(str(archive)) | cedar.DecodePage()
        _ = pages | made | cedar.WriteCorpus(str(tmp_path / "rows"), made)
        plain = cedar.Extract()
        _ = pages | "Plain" >> plain | "Write plain" >> cedar.WriteCorpus(str(tmp_path / "plain"), plain)
    for name in ("rows", "plain"):
        assert '"pages": 3' in (tmp_path / name / "run.json").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "option",
    ["--runtime_type_check", "--performance_runtime_type_check", "--type_check_strictness=ALL_REQUIRED"],
)
def test_the_job_passes_the_checks_of_beam(option: str, tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc.gz", 3)
    command = ["extract", str(archive), "--output", str(tmp_path / "corpus"), "--signals", "--quiet", option]
    assert main(command) == 0
    assert '"pages": 3' in (tmp_path / "corpus" / "run.json").read_text()
