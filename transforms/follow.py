"""`FollowFiles`: an unbounded source of shards, from files that arrive."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
from apache_beam.coders import PickleCoder
from apache_beam.transforms.periodicsequence import PeriodicImpulse, RebaseMode
from apache_beam.transforms.userstate import ReadModifyWriteStateSpec
from apache_beam.utils.timestamp import Timestamp

from transforms.corpus.arrivals import DoneInputs, compare, name_before
from transforms.corpus.commit import Corpus, revoke
from transforms.corpus.ledger import Ledger
from transforms.corpus.shards import shard_inputs
from transforms.files.storage import StoredFile
from transforms.model.records import Shard

Listing = Callable[[set[str]], Iterable[StoredFile]]
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
            >> beam.ParDo(ListUndone(self._listing, self._corpus)).with_output_types(tuple[bytes, Look])
            | "Whole" >> beam.ParDo(WholeFiles(self._seconds)).with_output_types(Look)
            | "Cut" >> beam.ParDo(TakeFile(self._corpus)).with_output_types(Shard)
        )


@dataclass(frozen=True, slots=True)
class Look:
    """A file as it was found at a moment (seconds since the epoch), and the shards of it as it was before."""

    file: StoredFile
    moment: float
    stale: tuple[str, ...] = ()


class ListUndone(beam.DoFn):
    """(anything) -> (path, Look) of each input that is not committed as it is now."""

    _ledger: Ledger

    def __init__(self, listing: Listing, corpus: Corpus) -> None:
        self._listing = listing
        self._corpus = corpus

    def setup(self) -> None:
        """Begin without knowledge of the commits: they are read at the first look."""
        self._corpus.environment.enter()
        self._ledger = Ledger(self._corpus)
        self._done = DoneInputs()

    def process(self, _: Any) -> Iterator[tuple[bytes, Look]]:
        """Look once."""
        if self._ledger.refresh(by_name=True):
            self._done.clear()
        moment = time.time()
        for file in self._done.look(self._listing):
            current, stale = compare(shard_inputs([file]), self._ledger.of_source(file.path))
            if stale or not (current or name_before(self._ledger, file)):
                names = tuple(summary.shard.name for summary in stale)
                # Taking the file makes them again, perhaps before the next look.
                self._ledger.forget(names)
                if stale:
                    self._done.clear()  # one of another name may have been read under this one
                yield os.fsencode(file.path), Look(file, moment, names)
            else:
                self._done.add(file)


_SEEN = beam.DoFn.StateParam(ReadModifyWriteStateSpec("seen", PickleCoder()))


class WholeFiles(beam.DoFn):
    """(path, Look) -> Look, once for each state in which a file rested for `seconds`.

    The looks may come in a burst, when a job catches up after a restart.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def process(self, element: tuple[bytes, Look], state: Any = _SEEN) -> Iterator[Look]:
        """Compare with the first look at the file as it is, kept with whether it was taken since."""
        look, (seen, is_taken) = element[1], state.read() or (None, False)
        if seen is None or seen.file != look.file:
            state.write((look, False))
        elif not is_taken and look.moment - seen.moment >= self._seconds:
            state.write((seen, True))
            yield look


class TakeFile(beam.DoFn):
    """(Look) -> Shard: the whole file, after its old commits are revoked."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def setup(self) -> None:
        """Reach the stores."""
        self._corpus.environment.enter()

    def process(self, look: Look) -> Iterator[Shard]:
        """Take a file."""
        for name in look.stale:
            revoke(self._corpus, name)
        yield from shard_inputs([look.file])
