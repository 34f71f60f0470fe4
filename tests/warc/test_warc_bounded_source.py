"""The reader as a source of Beam's, under Beam's own tests of sources: dynamic splits, re-entrant reads."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from apache_beam.io import iobase, source_test_utils
from apache_beam.io.range_trackers import OffsetRangeTracker

from cedar.transforms.warc.reader import FileRange, ReadEnd, read_records
from tests.warc.warc_samples import arc, arc_head, frames, members, packed, page, warc

Item = tuple[object, ...]


class WarcSource(iobase.BoundedSource):
    """The items of an archive by their offsets; the records of one member are one split point."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def estimate_size(self) -> int:
        return len(self._data)

    def split(
        self, desired_bundle_size: int, start_position: int | None = None, stop_position: int | None = None
    ) -> Iterator[iobase.SourceBundle]:
        stop = len(self._data) if stop_position is None else stop_position
        for start in range(start_position or 0, stop, desired_bundle_size):
            end = min(start + desired_bundle_size, stop)
            yield iobase.SourceBundle(end - start, self, start, end)

    def get_range_tracker(self, start_position: int | None, stop_position: int | None) -> OffsetRangeTracker:
        stop = len(self._data) if stop_position is None else stop_position
        return OffsetRangeTracker(start_position or 0, stop)

    def read(self, range_tracker: Any) -> Iterator[Item]:
        claimed = -1
        span = FileRange(
            source="s",
            size=len(self._data),
            start=range_tracker.start_position(),
            stop=range_tracker.stop_position(),
        )
        for item in read_records(io.BytesIO(self._data), span):
            if isinstance(item, ReadEnd):
                return
            if item.location.offset == claimed:
                range_tracker.set_current_position(item.location.offset)
            elif not range_tracker.try_claim(item.location.offset):
                return
            claimed = item.location.offset
            yield (
                type(item).__name__,
                item.location.offset,
                item.location.length,
                item.url,
                getattr(item, "block", None),
            )


RECORDS = [warc(page(number, 100 + 97 * number), f"http://a.example/{number}") for number in range(5)]
BAD = members(RECORDS)
BAD = BAD[: len(BAD) // 2] + b"\0\0\0\0\xff\xff\xff\xff" + BAD[len(BAD) // 2 + 8 :]
FILES = {
    "gzip": members(RECORDS),
    "gzip, damaged": BAD,
    "gzip, two records a member": b"".join(packed(b"".join(RECORDS[at : at + 2])) for at in range(0, 5, 2)),
    "zstd": frames(RECORDS),
    "plain": b"".join(RECORDS),
    "ARC": packed(arc_head()) + b"".join(packed(arc(number)) for number in range(5)),
}


@pytest.fixture(params=FILES, scope="module")
def source(request: pytest.FixtureRequest) -> WarcSource:
    return WarcSource(FILES[request.param])


@pytest.mark.parametrize("size", [17, 100, 1000])
def test_bundles_of_any_size_are_the_whole(source: WarcSource, size: int) -> None:
    bundles = [(bundle.source, bundle.start_position, bundle.stop_position) for bundle in source.split(size)]
    source_test_utils.assert_sources_equal_reference_source((source, None, None), bundles)


def test_reading_once_more_in_the_middle_of_a_reading_changes_nothing(source: WarcSource) -> None:
    source_test_utils.assert_reentrant_reads_succeed((source, None, None))


def test_a_split_at_any_time_and_place_neither_loses_nor_doubles(source: WarcSource) -> None:
    source_test_utils.assert_split_at_fraction_exhaustive(source, perform_multi_threaded_test=False)


def test_a_split_behind_what_was_read_succeeds_and_one_before_is_refused() -> None:
    outcome = source_test_utils.ExpectedSplitOutcome
    source = WarcSource(FILES["gzip"])
    source_test_utils.assert_split_at_fraction_behavior(
        source, 2, 0.8, outcome.MUST_SUCCEED_AND_BE_CONSISTENT
    )
    source_test_utils.assert_split_at_fraction_behavior(source, 5, 0.05, outcome.MUST_FAIL)
