"""`TakeNamed`: an unbounded source of shards, from messages that name files."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import apache_beam as beam
from apache_beam.coders import PickleCoder
from apache_beam.metrics import Metrics
from apache_beam.transforms.timeutil import TimeDomain
from apache_beam.transforms.userstate import ReadModifyWriteStateSpec, TimerSpec, on_timer
from apache_beam.utils.timestamp import Timestamp

from transforms.corpus.arrivals import commits_of, compare
from transforms.corpus.commit import Corpus
from transforms.corpus.shards import shard_inputs
from transforms.files.http_client import Web
from transforms.files.http_options import WHILE_ONE_WAITS, WebOptions
from transforms.files.inputs import list_inputs
from transforms.files.storage import StoredFile, is_uri
from transforms.follow import Look, TakeFile
from transforms.model.records import Shard
from transforms.write import COUNTER_NAMESPACE

_MOST_DOUBLINGS = 6
_MOST_NAME_BYTES = 4096
"""PATH_MAX of Linux; object stores allow less."""

_LOGGER = logging.getLogger(__name__)


class TakeNamed(beam.PTransform):
    """PCollection of bytes -> PCollection of Shard: the files that messages name, a name a line.

    A name is kept until its files are in the corpus as they are now, and looked at again after rests that
    grow: one that names nothing yet is taken when it does, one that changes before it is read is taken
    as it is then. A name that comes again gives no second shard, as long as the file is the same.

    The prefix is put in front of each name, relative paths are below the directory, and the first rest takes
    `seconds`, the longest 64 times that.
    """

    def __init__(
        self, corpus: Corpus, *, prefix: str, directory: str, seconds: float, web: WebOptions | None = None
    ) -> None:
        super().__init__()
        self._split = SplitNames(prefix, directory)
        self._take = TakeUntilDone(corpus, seconds, web)

    def expand(self, messages: beam.PCollection) -> beam.PCollection:
        """Split, bring the same names together, take."""
        return (
            messages
            | "Names" >> beam.ParDo(self._split).with_output_types(tuple[bytes, bool])
            | "Take" >> beam.ParDo(self._take).with_output_types(Shard)
        )


class SplitNames(beam.DoFn):
    """(message) -> (absolute path or URI, True) for each line that is not blank.

    A message that is not UTF-8, and a line that can be no name, will never be better: they are logged and
    counted as `messages-refused`.
    """

    def __init__(self, prefix: str, directory: str) -> None:
        self._prefix = prefix
        self._directory = directory

    def process(self, message: bytes) -> Iterator[tuple[bytes, bool]]:
        """Split one message."""
        try:
            lines = message.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            self._refuse(message)
            return
        for line in lines:
            if not line.strip():
                continue
            path = self._prefix + line.strip()
            if not is_uri(path):
                path = os.path.abspath(os.path.join(self._directory, path))  # noqa: PTH100, PTH118 - links keep their names
            name = os.fsencode(path)
            if b"\0" in name or len(name) > _MOST_NAME_BYTES:
                self._refuse(line.encode())
            else:
                yield name, True

    def _refuse(self, what: bytes) -> None:
        Metrics.counter(COUNTER_NAMESPACE, "messages-refused").inc()
        _LOGGER.warning("no name of a file: %r", what[:80])


@dataclass(frozen=True, slots=True)
class Waiting:
    """A name whose files are not all in the corpus: those that were handed on, as they were then.

    `looks`: how often nothing new was found since. `missed`: the log has said that it cannot be looked up.
    """

    taken: tuple[StoredFile, ...] = ()
    looks: int = -1
    missed: bool = False


_WAITING = ReadModifyWriteStateSpec("waiting", PickleCoder())
_AGAIN = TimerSpec("again", TimeDomain.REAL_TIME)
_STATE = beam.DoFn.StateParam(_WAITING)
_TIMER = beam.DoFn.TimerParam(_AGAIN)


class TakeUntilDone(beam.DoFn):
    """(name, anything) -> Shard of each file that it names and that the corpus does not have as it is.

    A name that cannot be looked up is logged and counted as `inputs-missing`, once.
    """

    def __init__(self, corpus: Corpus, seconds: float, web: WebOptions | None = None) -> None:
        self._corpus = corpus
        self._seconds = seconds
        self._options = replace(web or WebOptions(), persistence=WHILE_ONE_WAITS)
        self._web: Web | None = None

    def setup(self) -> None:
        """Reach the stores."""
        self._corpus.environment.enter()
        self._web = Web(self._options)

    def process(
        self, element: tuple[bytes, bool], state: Any = _STATE, timer: Any = _TIMER
    ) -> Iterator[Shard]:
        """Hear a name, perhaps again: it is looked at whatever its rest."""
        known = state.read() or Waiting()
        yield from self._look(element[0], Waiting(known.taken, -1, known.missed), state, timer)

    @on_timer(_AGAIN)
    def again(
        self, key: Any = beam.DoFn.KeyParam, state: Any = _STATE, timer: Any = _TIMER
    ) -> Iterator[Shard]:
        """Look again as a rest is over."""
        waiting = state.read()
        if waiting is not None:
            yield from self._look(key, waiting, state, timer)

    def _look(self, name: bytes, waiting: Waiting, state: Any, timer: Any) -> Iterator[Shard]:
        path = os.fsdecode(name)
        missed = waiting.missed
        try:
            files = list_inputs([path], exclude=self._corpus.root, web=self._web)
            undone = [file for file in files if not self._has(file)]
            done = not undone
        except (OSError, ValueError) as fault:
            # A file that went away when it was done stays in the corpus.
            undone, done = [], any(True for _ in commits_of(self._corpus, path))
            if not done and not missed:
                missed = True
                Metrics.counter(COUNTER_NAMESPACE, "inputs-missing").inc()
                _LOGGER.warning("%s, which a message names, will be tried again: %s", path, fault)
        if done:
            state.clear()  # a timer that is still set finds nothing to do
            return
        fresh = [file for file in undone if file not in waiting.taken]
        looks = 0 if fresh else min(waiting.looks + 1, _MOST_DOUBLINGS)
        state.write(Waiting(tuple(undone), looks, missed))
        timer.set(Timestamp.now() + self._seconds * 2**looks)
        take = TakeFile(self._corpus)
        for file in fresh:
            _, stale = compare(shard_inputs([file]), commits_of(self._corpus, path))
            yield from take.process(Look(file, 0.0, tuple(summary.shard.name for summary in stale)))

    def _has(self, file: StoredFile) -> bool:
        (shard,) = shard_inputs([file])
        done = self._corpus.committed(shard.name)
        return done is not None and file.version in (None, done.shard.version)
