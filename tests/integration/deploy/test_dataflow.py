"""The job as Dataflow would get it: the graph is made and translated, nothing is sent."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.internal.gcp import auth
from apache_beam.options.pipeline_options import PipelineOptions

from cedar.pipelines.commands import command_parser
from cedar.pipelines.extract.graph import build_graph
from cedar.pipelines.extract.job import prepared
from cedar.pipelines.extract.options import extract_options

pytestmark = pytest.mark.needs("google")
ROOT = Path(__file__).resolve().parents[3]
DATAFLOW = [
    "--runner=DataflowRunner", "--project=test-project", "--job_name=cedar", "--region=us-central1",
    "--temp_location=gs://beam/tmp", "--staging_location=gs://beam/stage", "--no_auth", "--dry_run=true",
    "--sdk_container_image=REGISTRY/cedar-worker:0.1.0",
]  # fmt: skip


def script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / f"deploy/dataflow/{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def options_of(arguments: list[str]) -> Any:
    return extract_options(command_parser("extract"), arguments)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "sample.warc.gz"
    subprocess.run([sys.executable, "-m", "cedar", "sample", str(path)], cwd=ROOT, check=True)
    return path


def test_the_graph_is_translated_for_dataflow(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without these, Beam asks the network for credentials for a minute.
    monkeypatch.setattr(auth._Credentials, "get_service_credentials", lambda *_: None)
    monkeypatch.setattr(auth, "get_service_credentials", lambda *_: None)
    options = options_of([str(archive), "--output", str(tmp_path / "corpus"), *DATAFLOW])
    with prepared(options) as job:
        runner = f"--runner={options.runner}"
        pipeline = beam.Pipeline(options=PipelineOptions([*options.beam_arguments, runner]))
        build_graph(pipeline, job.remaining, job.plan)
        result = pipeline.run()
    assert result.state == "DONE"
    assert result.job is not None
    steps = {t.unique_name for t in pipeline.to_runner_api().components.transforms.values()}
    assert {"ReadShard", "DecodePage", "Extract", "WriteShard"} <= {name.split("/")[0] for name in steps}


def test_the_template_turns_parameters_into_arguments() -> None:
    given = [
        "--inputs=gs://a/1.warc.gz,@gs://a/list",
        "--output=gs://b/corpus",
        "--split_size=0",
        "--project=p",
    ]
    options = options_of(script("template").arguments(given)[1:])
    assert options.inputs == ("gs://a/1.warc.gz", "@gs://a/list")
    assert options.output == "gs://b/corpus"
    assert options.split_size == 0
    assert options.runner == "DataflowRunner"
    assert options.beam_arguments == ("--project=p",)


def test_parameters_are_the_options_as_they_are_and_patterns_hold() -> None:
    written = json.loads(script("parameters").metadata())
    parameters = {one["name"]: one for one in written["parameters"]}
    assert all(one["label"] and one["helpText"] for one in parameters.values())
    examples = {
        "inputs": "gs://a/*.warc.gz,@gs://a/warc.paths.gz", "output": "gs://b/corpus", "extractor": "cetr",
        "format": "avro", "status": "200-299,404", "slice": "0:900", "prefix": "gs://a/",
        "split_size": "128MiB", "with_markdown": "true", "signatures": "false", "mask": "email",
        "keep": "words > 50; status == 200", "preset": "gopher;c4", "dropped": "mark", "page_memory": "1GiB",
    }  # fmt: skip
    for name, value in examples.items():
        assert all(re.search(pattern, value) for pattern in parameters[name].get("regexes", []))
    words = [f"--{name}={value}" for name, value in examples.items()]
    options = options_of(script("template").arguments(words)[1:])
    assert options.beam_arguments == ()
    assert (options.lines.start, options.lines.stop) == (0, 900)
    assert (options.with_markdown, options.curation.signatures) == (True, False)
    assert options.curation.keep == ("words > 50", "status == 200")
    assert len(options.curation.preset) == 2


@pytest.mark.parametrize("name", ["build.sh", "launch.sh"])
def test_a_script_without_arguments_says_how_it_is_called(name: str) -> None:
    outcome = subprocess.run([ROOT / "deploy/dataflow" / name], capture_output=True, text=True, check=False)
    assert outcome.returncode == 2
    assert f"deploy/dataflow/{name} PROJECT REGION REPOSITORY" in outcome.stderr
