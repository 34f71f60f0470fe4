"""A WARC or ARC file as a stream of records, in order, with everything accounted for.

Each record whose header could be parsed, and each stretch in which no record could be read, is one item.
White space and NUL between records and members are not damage; anything else is.

**After damage** the reader continues at the next member that begins with a record. If members were cut
without regard to records, it continues at the next member that inflates: it may hold a record's beginning
further on. How a file was cut shows at its beginning, or in the record before the damage.

**Offsets.** In gzip a record's `offset` is its member's first byte, `inner_offset` its own place in the
inflated member, and `length` the member's length where the record is the last in it. Of earlier records
`length` is what had been read of the member when the record's end was inflated: enough to read it again. In
zstd the frames are the members. In plain files `offset` is the record's own first byte, `inner_offset` is 0
and `length` covers header and block without the line ends that close the record.

**Borders.** A record that is not whole at the end of its member continues in the next one (`MemberStream`),
if that inflates and does not begin with a record. Its `length` reaches to the end of the member in which it
ends. A member begins with a record even if the member's end cuts the record's first line.

**Lengths that lie.** A block is followed by padding and a record, or by the end. If not, its record has a
wrong Content-Length, or garbage follows. If two line ends close the block, the length is right. Else, if a
record begins in the block, the length is too great: the block ends there. Else the block stays as declared.
The bytes from there to the next record are damage. The record is `truncated` if its block is not as long as
declared, if it declares no length (the block then ends at the next record), or if neither a line end nor
another record follows at once.

**Checksums.** In a member with several records, those that are complete before the member's fault shows have
been handed out; the fault costs the one that was being read.

**Ranges.** No local test can tell a record that is nested in another's payload from a true one. So the items
of a range count only if the range `chains` to the ranges before it; else it is read again, from where those
ended.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple

from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.limits import DEFAULT_MAX_BODY, max_block
from cedar.transforms.model.records import Location, Record
from cedar.transforms.warc.containers import container_of_head, preamble_end
from cedar.transforms.warc.framing import Framed, Framing, UnreadableSpan
from cedar.transforms.warc.members import (
    FEED,
    CompressedContainer,
    Container,
    Ending,
    FileWindow,
    Member,
    rescan_from,
)
from cedar.transforms.warc.passing import PassedRecords
from cedar.transforms.warc.recognise import NO_RECORD, recognise
from cedar.transforms.warc.records import START_REACH, is_start, is_warc
from cedar.transforms.warc.stream import MemberStream

MAX_BLOCK = max_block(DEFAULT_MAX_BODY)
"""Bytes of a block that are kept by default."""

BEGINNING = 1024 * 1024
"""Bytes at the start of a file, after a dictionary, by which the layout of its records is judged."""

MAX_BEGINNING = 32 * 1024 * 1024
"""The same after damage, if a file's first member or record is so large that `BEGINNING` does not tell."""

_MIN_TRAILER = 4  # bytes of the checksum that closes a member, at least


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of the file that gave no record.

    Attributes:
        location: from the first byte of the stretch, or of the member in which it lies, to where reading
            continued.
        url: the target URI of the record that was lost, if its header has one.
    """

    location: Location
    url: str | None
    reason: RejectReason
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRange:
    """A byte range [start, stop) of a file of `size` bytes; a record belongs to it if it starts there.

    `source`, absolute path or URI, and `shard`, a name, are copied into the records.
    """

    source: str
    size: int
    shard: str = ""
    start: int = 0
    stop: int | None = None

    @property
    def end(self) -> int:
        """The byte after the last one of the range and of the file."""
        return self.size if self.stop is None else min(self.stop, self.size)

    def location(self, offset: int, length: int, inner_offset: int = 0) -> Location:
        """Return the location of a record in the file."""
        return Location(self.shard, self.source, offset, length, inner_offset)


@dataclass(frozen=True, slots=True)
class ReadEnd:
    """What closes the stream of records of a range.

    Attributes:
        first_offset: offset of the first item, or None where there was none.
        next_offset: where the first record at or after `stop` begins, found by reading on from the range's
            last record; the file's size if there is none. If no record begins in the range, it is the end
            of the range, because nothing after the range is read.
        records_read: number of items, records and damages, and of records that were passed over.
        bytes_in: bytes read from the file.
        passed: how many records of each kind were passed over.
    """

    first_offset: int | None
    next_offset: int
    records_read: int
    bytes_in: int
    passed: Mapping[str, int] = field(default_factory=dict)


class _PendingItem(NamedTuple):
    """An item that waits until its last member proves sound.

    Attributes:
        first: the member in which it begins, `inner` bytes after the member's first.
        last: the member in which it ends.
    """

    first: Member
    inner: int
    last: Member
    found: Framed | UnreadableSpan


def _as_truncated(item: _PendingItem) -> _PendingItem:
    """Return an item of a member that the end of the file cuts: its block may be cut, too."""
    if isinstance(item.found, UnreadableSpan):
        return item
    return item._replace(found=item.found._replace(truncated=True))


ReadItem = Record | Damage | ReadEnd
"""What a reader yields."""


class Reading:
    """One pass over a range.

    Args:
        block_compressed: whether members were cut without regard to records; None: look when it matters.
        passed: passes over records that nobody wants, if there are any.

    Attributes:
        offset: where the next record begins, as far as is known.
        count: items so far.
        first: offset of the first item, or None.
    """

    def __init__(
        self,
        window: FileWindow,
        container: Container,
        framing: Framing,
        *,
        file_range: FileRange,
        block_compressed: bool | None = None,
        passed: PassedRecords | None = None,
    ) -> None:
        self._window = window
        self._container = container
        self._range = file_range
        self._framing = framing
        self._block_compressed = block_compressed
        self._passed = passed
        self._record_crossed = False
        self._open_damage: Damage | None = None
        self.offset = 0
        self.count = 0
        self.first: int | None = None

    def items(self) -> Iterator[Record | Damage]:
        """Read all items of the range; leaves `offset` at the next record."""
        for item in self._range_items(self._range.start):
            if self.first is None:
                self.first = item.location.offset
            self.count += 1
            yield item

    def _range_items(self, start: int) -> Iterator[Record | Damage]:
        window, container, size, end = self._window, self._container, self._window.size, self._range.end
        if start:
            found = container.find(start, end)
            if found is None:
                self.offset = max(start, end)
                return
            self.offset = found
        else:
            self.offset = window.skip_padding(0)
        while self.offset < size and (self.offset < end or not self._next_range_begins(self.offset)):
            if self._passed is not None and (after := self._passed.pass_over(self.offset, end)) > self.offset:
                yield from self._close_damage()
                if self.first is None:
                    self.first = self.offset
                self.offset = after
                continue
            member = container.open(self.offset)
            if member is not None:
                yield from self._stream_items(member)
            elif (after := window.skip_padding(self.offset)) > self.offset:
                self.offset = after
            else:
                after, detail = self._resume(self.offset + 1), "bytes between members that begin none"
                length = after - self.offset
                location = self._range.location(self.offset, length)
                self._extend_damage(Damage(location, None, RejectReason.DAMAGED_RECORD, detail))
                self.offset = after
        yield from self._close_damage(whole=start == 0 and self.offset == size)

    def _next_range_begins(self, offset: int) -> bool:
        """Tell whether a record begins at `offset` that belongs to a later range."""
        return offset >= self._range.end and self._container.begins(offset)

    def _stream_items(self, member: Member) -> Iterator[Record | Damage]:
        """Yield the items of the stream that begins with a member; moves `offset` past it."""
        if self._record_crossed and self._container.begins(member.start):
            self._record_crossed = False
        piece = member.read()
        if self._container.has_member_ends and member.ending is Ending.SOUND:
            framed = self._framing.frame_whole_member(piece)
            if framed is not None:
                self.offset = member.end
                yield from self._placed_items([_PendingItem(member, 0, member, framed)])
                return
        stream = MemberStream(member, self._container, piece)
        pending: list[_PendingItem] = []
        while stream.skip_padding():
            stream.need(START_REACH)
            if pending and is_start(stream.buffer, stream.position):
                stream.handed_out += len(pending)
                yield from self._placed_items(pending)
                pending = []
            border, first = stream.member_at(stream.offset)
            inner = stream.offset - border
            if stream.is_plain and self._next_range_begins(first.start + inner):
                self.offset = first.start + inner
                return
            found = self._framing.frame(stream)
            _, last = stream.member_at(found.ends - 1)
            pending.append(_PendingItem(first, inner, last, found))
            if first is not last and isinstance(found, Framed):
                self._record_crossed = True
        if stream.member.ending is Ending.SOUND:
            self.offset = stream.member.end
            yield from self._placed_items(pending)
        else:
            yield from self._failed_items(stream, pending)

    def _placed_items(self, pending: list[_PendingItem]) -> Iterator[Record | Damage]:
        """Yield items whose members are sound as far as they were read, with their locations."""
        for first, inner, last, found in pending:
            if self._container.has_member_ends:
                offset, length = first.start, last.end - first.start
            else:
                offset, length, inner = first.start + inner, found.ends - inner, 0
            if isinstance(found, UnreadableSpan):
                location = self._range.location(offset, length)
                damage = Damage(location, found.url, found.reason, found.detail)
                if found.begins_no_record and not self._container.begins(offset):
                    self._extend_damage(damage)
                    continue
                yield from self._close_damage()
                yield damage
                continue
            if self._open_damage is not None:
                yield from self._close_damage()
            header = found.header
            yield Record(
                location=self._range.location(offset, length, inner),
                kind=header.kind,
                url=header.url,
                record_id=header.record_id,
                date=header.date,
                content_type=header.content_type,
                block=found.block,
                truncated=found.truncated,
                payload_digest=header.payload_digest,
                warcinfo_id=header.warcinfo_id,
                refers_to=header.refers_to,
                refers_to_url=header.refers_to_url,
                refers_to_date=header.refers_to_date,
            )

    def _failed_items(self, stream: MemberStream, pending: list[_PendingItem]) -> Iterator[Record | Damage]:
        """Yield the items for the end of a stream whose last member is damaged or cut; move `offset` on."""
        member, size = stream.member, self._window.size
        ending = member.ending
        assert ending is not None
        if ending.end_is_known and (member.end == size or self._may_go_on(member.end)):
            self.offset = self._swallowed(member) or member.end
        else:
            self.offset = self._resume(rescan_from(member, stream.handed_out))
        yield from self._placed_items([item for item in pending if item.last is not member])
        pending = [item for item in pending if item.last is member]
        reason, detail = RejectReason.DAMAGED_MEMBER, ending.detail
        if ending is Ending.CUT:
            # Cut by the file's end only if nothing sound follows; else the inflater ran on over others.
            detail = Ending.DAMAGED.detail
            if self.offset == size:
                reason, detail = RejectReason.TRUNCATED_MEMBER, ending.detail
                if pending:
                    yield from self._placed_items([_as_truncated(item) for item in pending])
                    return
        lost = pending[0].found if pending else None
        url = lost.header.url if isinstance(lost, Framed) else lost.url if lost else None
        begins = pending[0].first.start if pending else member.start
        damage = Damage(self._range.location(begins, self.offset - begins), url, reason, detail)
        if lost is None and not self._container.begins(begins):
            self._extend_damage(damage)
            return
        yield from self._close_damage()
        yield damage

    def _may_go_on(self, offset: int) -> bool:
        """Tell whether to continue at `offset`, after a member whose end is known though it is damaged."""
        return self._container.begins(offset) or (
            self._is_block_compressed() and self._container.find_member(offset, offset + 1) is not None
        )

    def _swallowed(self, member: Member) -> int | None:
        """Find where the sound members begin that `member`, which is not sound, took for its data, or None.

        Inflating a truncated member continues into the bytes of the next one. Because similar data have
        similar Huffman codes, this may succeed, and end where a later member or the padding after it ends.
        Members that are nested in a record end before its own member closes.
        """
        begins, budget = member.start, 2 * member.cost + FEED
        while (found := self._find(begins + 1, member.end)) is not None:
            offset = begins = found
            while offset < member.end and (inner := self._container.open(offset)) is not None:
                while inner.read():
                    pass
                budget -= inner.cost
                if budget < 0:
                    return None
                if inner.ending is not Ending.SOUND:
                    break
                offset = self._window.skip_padding(inner.end)
            if offset > member.end - _MIN_TRAILER:
                return begins
        return None

    def _resume(self, offset: int) -> int:
        """Find where to continue at or after `offset`, after damage; the file's size where nothing comes."""
        found = self._find(offset, self._window.size)
        return self._window.size if found is None else found

    def _find(self, offset: int, stop: int) -> int | None:
        """Return the first member in [offset, stop) at which reading may continue."""
        container = self._container
        return (container.find_member if self._is_block_compressed() else container.find)(offset, stop)

    def _is_block_compressed(self) -> bool:
        """Tell whether members were cut without regard to records, here or at the beginning of the file.

        "Here" means: since the last member that begins with a record, a record has continued in a second
        member. The answer is the same for every range that holds the damage.
        """
        if self._block_compressed is None and not self._record_crossed:
            self._block_compressed = is_block_compressed(self._window)
        return self._record_crossed or bool(self._block_compressed)

    def _is_nested(self) -> bool:
        """Tell whether the first member holds a compressed file, as a server's Content-Encoding leaves it."""
        member = self._container.open(self._window.skip_padding(0))
        head = b"" if member is None else member.read()[:18]
        return self._container.has_member_ends and container_of_head(head) is not None

    def _extend_damage(self, damage: Damage) -> None:
        """Extend the damaged stretch in which no record was seen to begin, or start one."""
        first = self._open_damage
        if first is not None:
            start = first.location.offset
            location = self._range.location(start, damage.location.end - start)
            damage = Damage(location, None, first.reason, first.detail)
        self._open_damage = damage

    def _close_damage(self, *, whole: bool = False) -> Iterator[Damage]:
        """Hand out the open damage; where the `whole` file has nothing else, it is not an archive."""
        damage, self._open_damage = self._open_damage, None
        if whole and self.first is None:
            location = self._range.location(0, self._window.size)
            detail = "compressed twice: decompress it once" if self._is_nested() else NO_RECORD
            yield Damage(location, None, RejectReason.NOT_AN_ARCHIVE, detail)
        elif damage is not None:
            yield damage


def is_block_compressed(window: FileWindow) -> bool:
    """Tell whether the file was cut into members without regard to its records.

    Then records begin in the middle of members that do not begin with one. After damage, such a file is
    entered at any member, and every other file only at a record, because what a record holds may look like
    members. Judged by the beginning of the file, so that all its ranges are read in the same manner: as much
    of it is read as shows where the records of a second member begin.
    """
    preamble = preamble_end(window)
    for reach in (BEGINNING, MAX_BEGINNING):
        beginning = window.peek(0, preamble + reach)
        prefix = FileWindow(io.BytesIO(beginning), len(beginning))
        container = recognise(prefix)
        if isinstance(container, str):
            return False
        begins_member = set()
        for record in records_of(prefix, container):
            offset = record.location.offset
            if record.location.inner_offset and not container.begins(offset):
                return True
            begins_member.add(offset)
        if len(begins_member) > 1 or len(beginning) == window.size:
            return False
    return False


def records_of(window: FileWindow, container: Container) -> Iterator[Record]:
    """Yield the records, without their blocks, of the beginning of a file: `window` holds nothing else."""
    file_range = FileRange(source="", size=window.size)
    framing = Framing(frozenset(), 0)
    reading = Reading(window, container, framing, file_range=file_range, block_compressed=True)
    return (item for item in reading.items() if isinstance(item, Record))


def chains(previous_next: int, first_offset: int | None, next_offset: int) -> bool:
    """Tell whether what was read of a range is what a reading of the whole file gives for it.

    The ranges of a file join without gaps. Walk them in order, with ``previous_next = 0`` before the first. A
    range that chains is accepted, and the greater of its `next_offset` and `previous_next` is the next one's
    `previous_next`. A range that does not is read again with ``start = previous_next`` and its own `stop`,
    and that reading is accepted as it is. By induction the accepted items are, in order, those of a reading
    from 0 to the end, and the sums of `records_read` are equal.

    A range chains if its first item is where the range before says that the next record begins; a range
    without items chains if that is not in it. The first range is right by definition: padding may precede its
    first item.
    """
    if previous_next == 0:
        return True
    return previous_next >= next_offset if first_offset is None else previous_next == first_offset


def is_splittable(file: BinaryIO, size: int) -> bool:
    """Tell whether ranges of a file can be read apart from each other to any profit.

    Judged by the file's first MiB: plain WARC, or gzip or zstd with one record a member. Files in one member,
    with members of several records or cut without regard to them, and plain ARC are best read whole. What
    comes later in a file may be otherwise: then fewer ranges chain, and repair may read to the file's end.
    Raises OSError from the file, or because it is shorter than `size`.
    """
    reach = min(size, preamble_end(FileWindow(file, size)) + BEGINNING)
    beginning = FileWindow(file, reach)
    container = recognise(beginning)
    if isinstance(container, str):
        return False
    if not container.has_member_ends:
        start = beginning.skip_padding(0)
        return is_warc(bytes(beginning.view(start, START_REACH)), 0)
    offsets = [record.location.offset for record in records_of(beginning, container)]
    if reach < size:
        offsets = offsets[:-1]  # of the last one, the rest was not looked at
    return bool(offsets) and len(set(offsets)) == len(offsets) and all(map(container.begins, offsets))


def read_records(
    file: BinaryIO,
    file_range: FileRange,
    *,
    kinds: frozenset[str] = frozenset({"response"}),
    max_block: int = MAX_BLOCK,
    is_wanted: Callable[[str], bool] | None = None,
) -> Iterator[ReadItem]:
    """Read the records that start in a byte range of a file, and damages, in order, then one `ReadEnd`.

    A range that does not begin at 0 begins at the first record that can be seen to start in it. What stands
    between the range's last record and the first one at or after `stop` belongs to the range. Of a block,
    the first `max_block` bytes are kept, and none in records of other kinds than `kinds`. Records of URLs
    that are not wanted, according to `is_wanted`, are passed over where that spares inflating them
    (`PassedRecords`), and counted in the end.
    Raises OSError from the file, or because it is shorter than it should be.
    """
    window = FileWindow(file, file_range.size, start=file_range.start, stop=file_range.stop)
    container = recognise(window)
    if isinstance(container, str):
        detail = container if file_range.size else "empty file"
        yield from not_an_archive(file_range, detail, window.bytes_in)
        return
    passed = None
    if is_wanted is not None and isinstance(container, CompressedContainer):
        passed = PassedRecords(container, is_wanted)
    reading = Reading(window, container, Framing(kinds, max_block), file_range=file_range, passed=passed)
    yield from reading.items()
    kinds_passed = {} if passed is None else dict(passed.kinds)
    count = reading.count + sum(kinds_passed.values())
    yield ReadEnd(reading.first, reading.offset, count, window.bytes_in, kinds_passed)


def not_an_archive(file_range: FileRange, detail: str, bytes_in: int) -> Iterator[ReadItem]:
    """Yield the items of a file without records: in its first range one damage, then the end."""
    is_first = file_range.start == 0
    if is_first:
        location = file_range.location(0, file_range.size)
        yield Damage(location, None, RejectReason.NOT_AN_ARCHIVE, detail)
    yield ReadEnd(0 if is_first else None, file_range.size, int(is_first), bytes_in)
