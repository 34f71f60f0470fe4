"""`FollowFiles` and `ResolveNames`, unbounded sources of shards: files that arrive, and messages."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import apache_beam as beam
from apache_beam.coders import PickleCoder
from apache_beam.metrics import Metrics
from apache_beam.transforms.periodicsequence import PeriodicImpulse, RebaseMode
from apache_beam.transforms.timeutil import TimeDomain
from apache_beam.transforms.userstate import ReadModifyWriteStateSpec, TimerSpec, on_timer
from apache_beam.utils.timestamp import Timestamp

from cedar.transforms.corpus.commit import revoke
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.ledger import Ledger
from cedar.transforms.corpus.unread import DoneInputs, commits_of, former_name, split_stale
from cedar.transforms.files.http_client import Web
from cedar.transforms.files.http_options import WebConfig
from cedar.transforms.files.inputs import list_inputs
from cedar.transforms.files.retry import INTERACTIVE
from cedar.transforms.files.storage import StoredFile, is_uri
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.shards import shard_inputs
from cedar.transforms.write import COUNTER_NAMESPACE

Listing = Callable[[], Iterable[StoredFile]]
"""Lists the files that are there, as `DoneInputs` asks for them; pickles."""


class FollowFiles(beam.PTransform):
    """(nothing) -> unbounded PCollection of Shard: whole files that are not in the corpus yet.

    The inputs are listed every `seconds`. A file is taken when two looks at least that long apart find the
    same size and time of change. What is done is what the corpus says: its commits are the only ledger, and
    after a restart without state only files that are not committed come again. Commits of a file as it was
    before it changed are revoked.
    """

    def __init__(self, listing: Listing, corpus: Corpus, seconds: float) -> None:
        super().__init__()
        self._listing = listing
        self._corpus = corpus
        self._seconds = seconds

    def expand(self, pbegin: beam.pvalue.PBegin) -> beam.PCollection:
        """Tick, list, wait until whole, cut."""
        ticks = PeriodicImpulse(
            start_timestamp=Timestamp.now(), fire_interval=self._seconds, rebase=RebaseMode.REBASE_START
        )
        return (
            pbegin
            | "Tick" >> ticks
            | "List"
            >> beam.ParDo(ListUndone(self._listing, self._corpus)).with_output_types(
                tuple[bytes, FileObservation]
            )
            | "Whole" >> beam.ParDo(WholeFiles(self._seconds)).with_output_types(FileObservation)
            | "Cut" >> beam.ParDo(TakeFile(self._corpus)).with_output_types(Shard)
        )


@dataclass(frozen=True, slots=True)
class FileObservation:
    """A file as it was found at a moment (seconds since the epoch), and the shards of it as it was before."""

    file: StoredFile
    moment: float
    stale: tuple[str, ...] = ()


class ListUndone(beam.DoFn):
    """(anything) -> (path, FileObservation) of each input that is not committed as it is now."""

    _ledger: Ledger

    def __init__(self, listing: Listing, corpus: Corpus) -> None:
        self._listing = listing
        self._corpus = corpus

    def setup(self) -> None:
        """Begin without knowledge of the commits: they are read at the first look."""
        self._corpus.environment.enter()
        self._ledger = Ledger(self._corpus)
        self._done = DoneInputs()

    def process(self, _: Any) -> Iterator[tuple[bytes, FileObservation]]:
        """List the inputs once."""
        if self._ledger.refresh():
            self._done.clear()
        moment = time.time()
        for file in self._done.undone(self._listing()):
            current, stale = split_stale(shard_inputs([file]), self._ledger.of_source(file.path))
            if stale or not (current or former_name(self._ledger, file)):
                names = tuple(summary.shard.name for summary in stale)
                # Taking the file makes them again, perhaps before the next look.
                self._ledger.forget(names)
                if stale:
                    self._done.clear()  # one of another name may have been read under this one
                yield os.fsencode(file.path), FileObservation(file, moment, names)
            else:
                self._done.add(file)


_SEEN = beam.DoFn.StateParam(ReadModifyWriteStateSpec("seen", PickleCoder()))


class WholeFiles(beam.DoFn):
    """(path, FileObservation) -> FileObservation, once for each state in which a file rested for `seconds`.

    The looks may come in a burst, when a job catches up after a restart.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def process(
        self, element: tuple[bytes, FileObservation], state: Any = _SEEN
    ) -> Iterator[FileObservation]:
        """Compare with the first look at the file as it is, kept with whether it was taken since."""
        look, (seen, is_taken) = element[1], state.read() or (None, False)
        if seen is None or seen.file != look.file:
            state.write((look, False))
        elif not is_taken and look.moment - seen.moment >= self._seconds:
            state.write((seen, True))
            yield look


class TakeFile(beam.DoFn):
    """(FileObservation) -> Shard: the whole file, after its old commits are revoked."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def setup(self) -> None:
        """Reach the stores."""
        self._corpus.environment.enter()

    def process(self, look: FileObservation) -> Iterator[Shard]:
        """Take a file."""
        revoke(self._corpus, *look.stale)
        yield from shard_inputs([look.file])


_MAX_DOUBLINGS = 6
_MAX_NAME_BYTES = 4096
"""PATH_MAX of Linux; object stores allow less."""

_LOGGER = logging.getLogger(__name__)


class ResolveNames(beam.PTransform):
    """PCollection of bytes -> PCollection of Shard: the files that messages name, a name a line.

    A name is kept until its files are in the corpus as they are now, and looked at again after rests that
    grow: one that names nothing yet is taken when it does, one that changes before it is read is taken
    as it is then. A name that comes again gives no second shard, as long as the file is the same.

    The prefix is put in front of each name, relative paths are below the directory, and the first rest takes
    `seconds`, the longest 64 times that.
    """

    def __init__(
        self, corpus: Corpus, *, prefix: str, directory: str, seconds: float, web: WebConfig | None = None
    ) -> None:
        super().__init__()
        self._split = SplitNames(prefix, directory)
        self._take = EmitUntilCommitted(corpus, seconds, web)

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
            if b"\0" in name or len(name) > _MAX_NAME_BYTES:
                self._refuse(line.encode())
            else:
                yield name, True

    def _refuse(self, what: bytes) -> None:
        Metrics.counter(COUNTER_NAMESPACE, "messages-refused").inc()
        _LOGGER.warning("no name of a file: %r", what[:80])


@dataclass(frozen=True, slots=True)
class PendingInput:
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


class EmitUntilCommitted(beam.DoFn):
    """(name, anything) -> Shard of each file that it names and that the corpus does not have as it is.

    A name that cannot be looked up is logged and counted as `inputs-missing`, once.
    """

    def __init__(self, corpus: Corpus, seconds: float, web: WebConfig | None = None) -> None:
        self._corpus = corpus
        self._seconds = seconds
        self._options = replace(web or WebConfig(), retry_policy=INTERACTIVE)
        self._web: Web | None = None

    def setup(self) -> None:
        """Reach the stores."""
        self._corpus.environment.enter()
        self._web = Web(self._options)

    def process(
        self, element: tuple[bytes, bool], state: Any = _STATE, timer: Any = _TIMER
    ) -> Iterator[Shard]:
        """Handle a message: check its files now."""
        known = state.read() or PendingInput()
        yield from self._check(element[0], PendingInput(known.taken, -1, known.missed), state, timer=timer)

    @on_timer(_AGAIN)
    def again(
        self, key: Any = beam.DoFn.KeyParam, state: Any = _STATE, timer: Any = _TIMER
    ) -> Iterator[Shard]:
        """Check again when the timer fires."""
        waiting = state.read()
        if waiting is not None:
            yield from self._check(key, waiting, state, timer=timer)

    def _check(self, name: bytes, waiting: PendingInput, state: Any, *, timer: Any) -> Iterator[Shard]:
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
        looks = 0 if fresh else min(waiting.looks + 1, _MAX_DOUBLINGS)
        state.write(PendingInput(tuple(undone), looks, missed))
        timer.set(Timestamp.now() + self._seconds * 2**looks)
        take = TakeFile(self._corpus)
        for file in fresh:
            _, stale = split_stale(shard_inputs([file]), commits_of(self._corpus, path))
            yield from take.process(
                FileObservation(file, 0.0, tuple(summary.shard.name for summary in stale))
            )

    def _has(self, file: StoredFile) -> bool:
        (shard,) = shard_inputs([file])
        done = self._corpus.commit_of(shard.name)
        return done is not None and file.version in (None, done.shard.version)
