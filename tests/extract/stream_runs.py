"""Shards of files that arrive, worked on in this process."""

from __future__ import annotations

from pathlib import Path

import apache_beam as beam
from apache_beam.testing.test_pipeline import TestPipeline

from cedar.pipelines.beam.runners import beam_options
from cedar.pipelines.extract.graph import add_steps
from cedar.pipelines.extract.job import JobPlan
from cedar.pipelines.extract.options import ExtractOptions
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.shards import shard_inputs


def shard_of(path: Path) -> Shard:
    (shard,) = shard_inputs(list_inputs([str(path)]))
    return shard


def work(plan: JobPlan, *shards: Shard) -> None:
    with TestPipeline(runner="FnApiRunner") as pipeline:
        add_steps(pipeline | beam.Create(shards), plan)


def beam_flags(options: ExtractOptions) -> list[str]:
    return list(beam_options(options.runner, options.beam_arguments, streaming=bool(options.endless))._flags)
