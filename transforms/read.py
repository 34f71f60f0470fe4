"""`ReadShard` and `ReadWarc`: records out of WARC and ARC files."""

from __future__ import annotations

from collections.abc import Iterator

import apache_beam as beam

from cedar.transforms.coders import RecordElement
from cedar.transforms.corpus.commit import Corpus
from cedar.transforms.corpus.shard_reader import ReadPlan, ShardReader, read_shard
from cedar.transforms.corpus.shards import shard_inputs
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.model.records import Record, Reject, Shard, ShardEnd
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.runtime.heartbeat import Slot


class ReadShard(beam.DoFn):
    """(Shard) -> (Record | Reject)..., ShardEnd; or the ShardSummary of a shard that is committed.

    Raises as `ShardReader.read`.
    """

    def __init__(self, corpus: Corpus, plan: ReadPlan, heartbeat: Slot | None = None) -> None:
        self._corpus = corpus
        self._plan = plan
        self._heartbeat = heartbeat
        self._reader: ShardReader | None = None

    def setup(self) -> None:
        """Reach the stores and the launcher's board, where there is one."""
        self._corpus.environment.enter()
        self._reader = ShardReader(self._corpus, self._plan, self._heartbeat)

    def process(self, shard: Shard) -> Iterator[Record | Reject | ShardEnd | ShardSummary]:
        """Read one shard."""
        assert self._reader is not None
        return self._reader.read(shard)

    def teardown(self) -> None:
        """Let go of the board."""
        if self._reader is not None:
            self._reader.close()


class ReadWarc(beam.PTransform):
    """(nothing) -> PCollection of Record | Reject: the records of WARC and ARC files, without marks.

    For pipelines of your own. Files are listed when the pipeline is built and spread over workers.

    Args:
        inputs: files, globs, directories, or `@list` files of paths.
        plan: what to read; by default every response.

    Raises:
        TypeError: an input is not a string, or there is not one; the plan is not a ReadPlan.
        ValueError: nothing matches an input; raised where the transform is applied.
    """

    def __init__(self, *inputs: str, plan: ReadPlan | None = None) -> None:
        super().__init__()
        if not inputs or not all(isinstance(path, str) for path in inputs):
            raise TypeError(f"inputs are paths, as in cedar.ReadWarc('crawl/*.warc.gz'), not {inputs!r}")
        if not isinstance(plan, ReadPlan | None):
            raise TypeError(f"plan is a ReadPlan or None, not {type(plan).__name__}")
        self._inputs = inputs
        self._plan = plan or ReadPlan()

    def expand(self, pbegin: beam.pvalue.PBegin) -> beam.PCollection:
        """List, spread, read."""
        shards = shard_inputs(list_inputs(self._inputs))
        return (
            pbegin
            | "Shards" >> beam.Create(shards).with_output_types(Shard)
            | "Spread" >> beam.Reshuffle()
            | "Read" >> beam.ParDo(_ReadUnmarked(self._plan)).with_output_types(RecordElement)
        )


class _ReadUnmarked(beam.DoFn):
    def __init__(self, plan: ReadPlan) -> None:
        self._plan = plan
        self._web: Web | None = None

    def setup(self) -> None:
        self._web = Web(self._plan.web)

    def process(self, shard: Shard) -> Iterator[Record | Reject]:
        for element in read_shard(shard, self._plan, self._web):
            if not isinstance(element, ShardEnd):
                yield element
