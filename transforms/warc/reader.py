"""A WARC or ARC file as a stream of records, in order, with everything accounted for.

Each record whose header could be parsed, and each stretch in which no record could be read, is one item.
After damage the reader goes on at the next true record start. White space and NUL between records and
members are no damage; anything else is.

**Offsets.** In gzip a record's `offset` is its member's first byte, `inner_offset` its own place in the
inflated member, and `length` the member's length where the record is the last in it. Of earlier records
`length` is what had been read of the member when the record's end was inflated: enough to read it again. In
plain files `offset` is the record's own first byte, `inner_offset` is 0 and `length` covers header and block
without the line ends that close the record.

**Lengths that lie.** A record whose block is followed by neither padding and a record nor an end has a wrong
Content-Length or garbage behind it. If the block holds a line that begins a record, the length is too great:
the block ends there. Else the block stays as declared and what follows, up to the next record, is damage. The
record is `truncated` where its block is not what was declared, or where no line end closes it.

**Checksums.** In a member with several records, those that are complete before the member's fault shows have
been handed out; the fault costs the one that was being read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from transforms.accounting import RejectReason
from transforms.records import Record
from transforms.warc.framing import Found, Framing, Lost, ReadCaps
from transforms.warc.members import Container, Ending, Member, recognise, rescan_from
from transforms.warc.records import START_REACH, is_start
from transforms.warc.stream import Inflated
from transforms.warc.window import Window

__all__ = ["Damage", "ReadCaps", "ReadEnd", "read_records"]


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of the file that gave no record.

    Attributes:
        offset: its first byte; that of the member where the stretch lies inside one.
        length: bytes of the file from `offset` to where reading went on.
        reason: why.
        detail: the particulars, for people.
        url: the target URI of the record that was lost, where its header told.
    """

    offset: int
    length: int
    reason: RejectReason
    detail: str
    url: str | None


@dataclass(frozen=True, slots=True)
class ReadEnd:
    """What closes the stream of records of a range.

    Attributes:
        first_offset: offset of the first item, or None where there was none.
        next_offset: where the first record at or after `stop` begins; the file's size where there is none.
        records_read: number of items, records and damages.
        bytes_in: bytes read from the file.
    """

    first_offset: int | None
    next_offset: int
    records_read: int
    bytes_in: int


def read_records(
    file: BinaryIO,
    *,
    source: str,
    size: int,
    shard: str = "",
    start: int = 0,
    stop: int | None = None,
    kinds: frozenset[str] = frozenset({"response"}),
    caps: ReadCaps = ReadCaps(),  # noqa: B008 (frozen)
) -> Iterator[Record | Damage | ReadEnd]:
    """Read the records that start in the byte range [start, stop) of a file.

    A range that does not begin at 0 begins at the first record that can be seen to start in it. What stands
    between the range's last record and the first one at or after `stop` belongs to the range.

    Args:
        file: the file's raw bytes; needs `read` and `seek`.
        source: absolute path or URI, copied into the records.
        size: bytes of the file.
        shard: name of the shard, copied into the records.
        start: first byte of the range.
        stop: the byte after its last; None: `size`.
        kinds: record types whose block is wanted; of others `block` is empty.
        caps: limits of what is kept.

    Yields:
        Records and damages in the order of the file, then one `ReadEnd`.

    Raises:
        OSError: from the file, or because it is shorter than `size`.
    """
    window = Window(file, size)
    container = recognise(window)
    end = size if stop is None else min(stop, size)
    if isinstance(container, str):
        items = 0
        if start == 0:
            items = 1
            yield Damage(0, size, RejectReason.NOT_AN_ARCHIVE, container if size else "empty file", None)
        yield ReadEnd(0 if items else None, size, items, window.bytes_in)
        return
    framing = Framing(window, container, kinds, caps)
    reading = _Reading(window, container, framing, source, shard, end)
    yield from reading.items(start)
    yield ReadEnd(reading.first, reading.offset, reading.count, window.bytes_in)


class _Reading:
    """One pass over a range: the place reached, the count, and the stretch of damage that is open."""

    __slots__ = (
        "_container",
        "_framing",
        "_shard",
        "_source",
        "_stop",
        "_stretch",
        "_window",
        "count",
        "first",
        "offset",
    )

    def __init__(
        self,
        window: Window,
        container: Container,
        framing: Framing,
        source: str,
        shard: str,
        stop: int,
    ) -> None:
        self._window = window
        self._container = container
        self._source = source
        self._shard = shard
        self._stop = stop
        self._framing = framing
        self._stretch: Damage | None = None
        self.offset = 0
        self.count = 0
        self.first: int | None = None

    def items(self, start: int) -> Iterator[Record | Damage]:
        """All items of the range that begins at `start`; leaves `offset` at the next record."""
        for item in self._members(start):
            if self.first is None:
                self.first = item.offset
            self.count += 1
            yield item

    def _members(self, start: int) -> Iterator[Record | Damage]:
        window, container, size = self._window, self._container, self._window.size
        if start:
            found = container.find(start, size)
            self.offset = size if found is None else found
        else:
            self.offset = window.skip_padding(0)
        while self.offset < size and not self._at_next(self.offset):
            member = container.open(self.offset)
            if member is not None:
                yield from self._member(member)
            elif (behind := window.skip_padding(self.offset)) > self.offset:
                self.offset = behind
            else:
                self._skip_garbage()
        yield from self._close_stretch(whole=start == 0 and self.offset == size)

    def _at_next(self, offset: int) -> bool:
        return offset >= self._stop and self._container.begins(offset)

    def _skip_garbage(self) -> None:
        found = self._container.find(self.offset + 1, self._window.size)
        following = self._window.size if found is None else found
        detail = "bytes between members that begin none"
        self._widen(Damage(self.offset, following - self.offset, RejectReason.DAMAGED_RECORD, detail, None))
        self.offset = following

    def _member(self, member: Member) -> Iterator[Record | Damage]:
        """The items of a member; leaves `offset` where to go on."""
        stream = Inflated(member)
        held: list[tuple[int, Found | Lost]] = []
        while stream.skip_padding():
            stream.need(START_REACH)
            place = member.start + stream.inner
            if held and is_start(stream.buffer, stream.position):
                yield from self._placed(member, held)
                held = []
            if not self._container.closes and self._at_next(place):
                self.offset = place
                return
            held.append((stream.inner, self._framing.next(stream)))
        if member.ending is Ending.SOUND:
            self.offset = member.end
            yield from self._placed(member, held)
        else:
            yield from self._fault(member, held)

    def _placed(self, member: Member, held: list[tuple[int, Found | Lost]]) -> Iterator[Record | Damage]:
        """The items for what was held of a member that is sound as far as it was read."""
        for begins, found in held:
            if self._container.closes:
                offset, length, inner = member.start, member.end - member.start, begins
            else:
                offset, length, inner = member.start + begins, found.ends - begins, 0
            if isinstance(found, Lost):
                damage = Damage(offset, length, found.reason, found.detail, found.url)
                if found.blind and not self._container.begins(offset):
                    self._widen(damage)
                    continue
                yield from self._close_stretch()
                yield damage
                continue
            if self._stretch is not None:
                yield from self._close_stretch()
            header = found.header
            yield Record(
                self._shard,
                self._source,
                offset,
                length,
                inner,
                header.kind,
                header.url,
                header.record_id,
                header.date,
                header.content_type,
                found.block,
                found.truncated,
            )

    def _fault(self, member: Member, held: list[tuple[int, Found | Lost]]) -> Iterator[Record | Damage]:
        """The item for the end of a member that is damaged or cut; finds where to go on."""
        ending, size = member.ending, self._window.size
        assert ending is not None
        following: int | None = None
        if ending is Ending.CHECKSUM:
            behind = self._window.skip_padding(member.end)
            following = behind if behind == size or self._container.begins(behind) else None
        if following is None:
            following = self._container.find(rescan_from(member), size)
        self.offset = size if following is None else following
        reason = RejectReason.DAMAGED_MEMBER
        if ending is Ending.CUT and following is None:
            reason = RejectReason.TRUNCATED_MEMBER
            if held:
                yield from self._placed(member, [(begins, _as_cut(found)) for begins, found in held])
                return
        first = held[0][1] if held else None
        url = first.header.url if isinstance(first, Found) else first.url if first else None
        damage = Damage(member.start, self.offset - member.start, reason, ending.value, url)
        if first is None and not self._container.begins(member.start):
            self._widen(damage)
            return
        yield from self._close_stretch()
        yield damage

    def _widen(self, damage: Damage) -> None:
        """Add to the stretch in which no record was seen to begin, or open one."""
        first = self._stretch
        if first is not None:
            length = damage.offset + damage.length - first.offset
            damage = Damage(first.offset, length, first.reason, first.detail, None)
        self._stretch = damage

    def _close_stretch(self, *, whole: bool = False) -> Iterator[Damage]:
        """Hand out the open stretch; where the `whole` file has nothing else, it is no archive."""
        stretch, self._stretch = self._stretch, None
        if whole and not self.count:
            yield Damage(
                0, self._window.size, RejectReason.NOT_AN_ARCHIVE, "no WARC or ARC record was found", None
            )
        elif stretch is not None:
            yield stretch


def _as_cut(found: Found | Lost) -> Found | Lost:
    return dataclasses.replace(found, truncated=True) if isinstance(found, Found) else found
