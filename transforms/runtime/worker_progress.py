"""The progress that a worker reports of its shards, and the request to stop that it obeys."""

import time
from collections.abc import Iterator
from pathlib import Path

from typing_extensions import override

from cedar.transforms.decode.page import rejected_record
from cedar.transforms.model.books import RejectedError, Stage
from cedar.transforms.model.records import Record, Reject, Shard, ShardEnd
from cedar.transforms.runtime.progress_file import (
    Progress,
    ProgressFile,
    RecordPlace,
    StoppedError,
    Wait,
    WorkerSlot,
)

Element = Record | Reject | ShardEnd

_POLL_SECONDS = 0.2
"""How often a worker that waits for a web server looks whether a stop was requested."""

_PAGE, _REJECT = Progress(pages=1), Progress(rejects=1)


class NullProgress:
    """Progress that nobody follows, with the methods of `WorkerProgress`."""

    pace_folder: Path | None = None
    """Where the workers of a run share the pace of hosts."""

    def refuse_stopped(self) -> None:
        """Raise StoppedError if no further shard may begin."""

    def open_shard(self, name: str) -> None:
        """Report which shard is read now."""

    def reading(self, shard: Shard, elements: Iterator[Element]) -> Iterator[Element]:  # noqa: ARG002
        """Yield the elements of a shard, and report on it; skipped records become rejects."""
        return elements

    def refusal(self, place: RecordPlace) -> RejectedError | None:  # noqa: ARG002
        """Return why to skip a record, or a page of a corpus; else None."""
        return None

    def begin_record(self, offset: int, number: int, url: str = "") -> None:
        """Report which record of the shard is worked on."""

    def end_record(self) -> None:
        """Report that the record has reached its file."""

    def written(self, *, is_page: bool) -> None:
        """Count a page, or a reject."""

    def committed(self, pages: int) -> None:
        """Count pages that are committed."""

    def sleep(self, seconds: float, why: str) -> None:  # noqa: ARG002
        """Wait for a web server; raise StoppedError if a stop is requested."""
        time.sleep(seconds)

    def close(self) -> None:
        """Close the progress file."""


NULL_PROGRESS = NullProgress()


class WorkerProgress(NullProgress):
    """Progress that the worker of a slot reports to its launcher."""

    def __init__(self, slot: WorkerSlot) -> None:
        self.pace_folder = Path(slot.path).parent / "pace"
        self._slot = slot
        self._progress_file = ProgressFile(slot.path)

    @override
    def refuse_stopped(self) -> None:
        if self._progress_file.stopping:
            raise StoppedError

    @override
    def open_shard(self, name: str) -> None:
        self._progress_file.open_shard(self._slot.index, name)

    @override
    def reading(self, shard: Shard, elements: Iterator[Element]) -> Iterator[Element]:
        self.open_shard(shard.name)
        reported = 0
        for number, element in enumerate(elements):
            if self._progress_file.stopping_now:
                raise StoppedError
            step = _bytes_done(shard, element, reported)
            reported += step
            passed = sum(element.passed.values()) if isinstance(element, ShardEnd) else 0
            self._progress_file.add(self._slot.index, Progress(step, 1 + passed, rejects=passed))
            if isinstance(element, Record):
                why = self.refusal(RecordPlace(shard.name, element.location.offset, number))
                if why is None:
                    self.begin_record(element.location.offset, number, element.url or "")
                else:
                    element = rejected_record(element, Stage.READ, why)
            yield element

    @override
    def refusal(self, place: RecordPlace) -> RejectedError | None:
        return self._slot.refusal(place)

    @override
    def begin_record(self, offset: int, number: int, url: str = "") -> None:
        self._progress_file.begin_record(self._slot.index, offset, number, url=url)

    @override
    def end_record(self) -> None:
        self._progress_file.end_record(self._slot.index)

    @override
    def written(self, *, is_page: bool) -> None:
        self._progress_file.add(self._slot.index, _PAGE if is_page else _REJECT)

    @override
    def committed(self, pages: int) -> None:
        self._progress_file.add(self._slot.index, Progress(committed_pages=pages))

    @override
    def sleep(self, seconds: float, why: str) -> None:
        end = time.monotonic() + seconds
        self._progress_file.wait(self._slot.index, Wait(why, end))
        try:
            while (left := end - time.monotonic()) > 0:
                if self._progress_file.stopping_now:
                    raise StoppedError
                time.sleep(min(_POLL_SECONDS, left))
        finally:
            self._progress_file.wait(self._slot.index, None)

    @override
    def close(self) -> None:
        self._progress_file.close()


def progress_of(slot: WorkerSlot | None) -> NullProgress:
    """Return the progress of a worker's slot, or one that nobody follows."""
    return NULL_PROGRESS if slot is None else WorkerProgress(slot)


def _bytes_done(shard: Shard, element: Element, before: int) -> int:
    """Return the bytes of a shard's input that an element adds to the bytes of the elements before."""
    if isinstance(element, ShardEnd):
        return max(0, shard.length - before)
    location = element.location
    if location.source != shard.source:  # a part of a listing or of a selection, whose files are others
        return max(0, min(location.length, shard.length - before))
    return max(0, min(location.end - shard.start, shard.length) - before)
