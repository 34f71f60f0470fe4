"""A WARC or ARC file as a stream of records, in order, with everything accounted for.

Each record whose header could be parsed, and each stretch in which no record could be read, is one item.
After damage the reader continues at the next true record start. White space and NUL between records and
members are not damage; anything else is.

**Offsets.** In gzip a record's `offset` is its member's first byte, `inner_offset` its own place in the
inflated member, and `length` the member's length where the record is the last in it. Of earlier records
`length` is what had been read of the member when the record's end was inflated: enough to read it again. In
zstd the frames are the members. In plain files `offset` is the record's own first byte, `inner_offset` is 0
and `length` covers header and block without the line ends that close the record.

**Borders.** A record that is not whole at the end of its member continues in the next one, where that
inflates and begins no record. Its `length` reaches to the end of the member in which it ends. A member begins
a record also where the border after it cuts the record's first line.

**Lengths that lie.** What follows a block is padding and then a record, or the end; if not, its record has a
wrong Content-Length or garbage after it. If two line ends close it, its length is right. Else, if the block
holds the beginning of a record, the length is too great: the block ends there. Else the block stays as
declared. What follows, up to the next record, is damage. The record is `truncated` where its block is not
what was declared, where nothing was (it then ends where the next one begins), or where neither a line end
closes it nor another record follows at once.

**Checksums.** In a member with several records, those that are complete before the member's fault shows have
been handed out; the fault costs the one that was being read.

**Ranges.** No local test can tell a record that is nested in another's payload from a true one. So what a
range gave is taken only where it `chains` to the ranges before it; else it is read again, from where those
ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from transforms.model.books import RejectReason
from transforms.model.caps import DEFAULT_CAPS, Caps
from transforms.model.records import Record
from transforms.warc.framing import Framing
from transforms.warc.reading import BEGINNING, Damage, FileRange, Reading, records_of
from transforms.warc.recognise import recognise
from transforms.warc.records import START_REACH, is_warc
from transforms.warc.window import Window
from transforms.warc.zstd_frames import dictionary_end

__all__ = ["Damage", "FileRange", "ReadEnd", "chains", "is_splittable", "read_records"]


@dataclass(frozen=True, slots=True)
class ReadEnd:
    """What closes the stream of records of a range.

    Attributes:
        first_offset: offset of the first item, or None where there was none.
        next_offset: where the first record at or after `stop` begins, as read on to from the range's last;
            the file's size if absent.
        records_read: number of items, records and damages.
        bytes_in: bytes read from the file.
    """

    first_offset: int | None
    next_offset: int
    records_read: int
    bytes_in: int


def chains(previous_next: int, first_offset: int | None, next_offset: int) -> bool:
    """Tell whether what was read of a range is what a reading of the whole file gives for it.

    The ranges of a file join without gaps. Walk them in order, with ``previous_next = 0`` before the first. A
    range that chains is accepted, and its `next_offset` is the next one's `previous_next`. A range that does
    not is read again with ``start = previous_next`` and its own `stop`, and that reading is accepted as it
    is. By induction the accepted items are, in order, those of a reading from 0 to the end, and the sums of
    `records_read` are equal.

    A range chains if it began where the one before had ended: at its first item, or, where it gave none, at
    its `next_offset`. The first range is right by definition: padding may precede its first item.
    """
    return previous_next in (0, next_offset if first_offset is None else first_offset)


def is_splittable(file: BinaryIO, size: int) -> bool:
    """Tell whether ranges of a file can be read apart from each other to any profit.

    Judged by the file's first MiB: plain WARC, or gzip or zstd with one record a member. Files in one member,
    with members of several records or cut without regard to them, and plain ARC are best read whole. What
    comes later in a file may be otherwise: then fewer ranges chain, and repair may read to the file's end.

    Raises:
        OSError: from the file, or because it is shorter than `size`.
    """
    reach = min(size, dictionary_end(Window(file, size)) + BEGINNING)
    beginning = Window(file, reach)
    container = recognise(beginning)
    if isinstance(container, str):
        return False
    if not container.closes:
        start = beginning.skip_padding(0)
        return is_warc(bytes(beginning.view(start, START_REACH)), 0)
    offsets = [record.offset for record in records_of(beginning, container)]
    if reach < size:
        offsets = offsets[:-1]  # of the last one, the rest was not looked at
    return bool(offsets) and len(set(offsets)) == len(offsets) and all(map(container.begins, offsets))


def read_records(
    file: BinaryIO,
    span: FileRange,
    *,
    kinds: frozenset[str] = frozenset({"response"}),
    caps: Caps = DEFAULT_CAPS,
) -> Iterator[Record | Damage | ReadEnd]:
    """Read the records that start in a byte range of a file, and damages, in order, then one `ReadEnd`.

    A range that does not begin at 0 begins at the first record that can be seen to start in it. What stands
    between the range's last record and the first one at or after `stop` belongs to the range. Of records of
    other kinds than `kinds` the block is empty.

    Raises:
        OSError: from the file, or because it is shorter than it should be.
    """
    window = Window(file, span.size)
    container = recognise(window, caps)
    if isinstance(container, str):
        items = 0
        if span.start == 0:
            items = 1
            detail = container if span.size else "empty file"
            yield Damage(0, span.size, RejectReason.NOT_AN_ARCHIVE, detail, None)
        yield ReadEnd(0 if items else None, span.size, items, window.bytes_in)
        return
    framing = Framing(window, container, kinds, caps)
    reading = Reading(window, container, framing, span)
    yield from reading.items()
    yield ReadEnd(reading.first, reading.offset, reading.count, window.bytes_in)
