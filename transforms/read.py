"""`ReadShard` and `ReadWarc`: records out of WARC and ARC files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import apache_beam as beam

from cedar.transforms.coders import RecordElement
from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.crawls.selected import SelectedFaultError
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.model.records import Record, Reject, Shard, ShardEnd
from cedar.transforms.model.summaries import ShardSummary
from cedar.transforms.readers.shard_reader import ReadPlan, is_as_listed, read_file, read_shard
from cedar.transforms.readers.shards import shard_inputs
from cedar.transforms.runtime.events import event
from cedar.transforms.runtime.progress_file import WorkerSlot
from cedar.transforms.runtime.worker_progress import NullProgress, progress_of


class ShardFaultError(Exception):
    """Reading a shard failed for a reason that is not its content: I/O, permission, no space."""

    def __init__(self, shard: str, source: str, fault: str) -> None:
        super().__init__(f"{source}: {fault} [shard {shard}]")
        self.shard = shard


class ReadShard(beam.DoFn):
    """(Shard) -> (Record | Reject)..., ShardEnd; or the ShardSummary of a shard that is committed.

    Raises ShardFaultError where a shard cannot be read, StoppedError at the user's word to stop.
    """

    _progress: NullProgress
    _web: Web

    def __init__(self, corpus: Corpus, plan: ReadPlan, slot: WorkerSlot | None = None) -> None:
        self._corpus = corpus
        self._plan = plan
        self._slot = slot

    def setup(self) -> None:
        """Reach the stores, and the launcher's file of progress if there is one."""
        self._corpus.environment.enter()
        self._progress = progress_of(self._slot)
        self._web = Web(self._plan.web, self._progress.pace_folder, self._progress.sleep)

    def process(self, shard: Shard) -> Iterator[Record | Reject | ShardEnd | ShardSummary]:
        """Read one shard."""
        try:
            self._progress.refuse_stopped()
            done = self._corpus.commit_of(shard.name)
            if done is not None and self._plan.arriving and shard.version not in (None, done.shard.version):
                # Of the file as it was before: an attempt that came late, or a file that changed.
                revoke(self._corpus, done.shard.name)
            elif done is not None:
                yield done
                return
            if self._plan.arriving and not is_as_listed(shard, self._web):
                return
            event("shard begun", shard=shard.name, source=shard.source)
            elements = read_shard(shard, self._plan, self._web, open_listing=self._open_listing)
            yield from self._progress.reading(shard, elements)
        except SelectedFaultError as fault:
            raise ShardFaultError(shard.name, fault.source, str(fault)) from fault
        except OSError as fault:
            kind = "" if type(fault) is OSError and fault.errno is None else f"{type(fault).__name__}: "
            raise ShardFaultError(shard.name, shard.source, f"{kind}{fault}") from fault

    def _open_listing(self, name: str) -> BinaryIO:
        return self._corpus.storage.open(f"{self._corpus.root}/{name}")

    def teardown(self) -> None:
        """Let go of the file of progress."""
        self._progress.close()


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
        for element in read_file(shard, self._plan, self._web):
            if not isinstance(element, ShardEnd):
                yield element
