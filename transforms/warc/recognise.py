"""The container of a file, told by its content and never by its name."""

from cedar.transforms.warc.containers import COMPRESSED, container_of_head
from cedar.transforms.warc.framing import Framed, Framing, UnreadableSpan
from cedar.transforms.warc.members import Container, FileWindow, PlainBytes
from cedar.transforms.warc.records import START_REACH, is_start
from cedar.transforms.warc.stream import MemberStream

NO_RECORD = "no WARC or ARC record was found"

_FOREIGN = {
    b"\x04\x22\x4d\x18": "an LZ4 frame",
    b"\xfd7zXZ\x00": "an xz stream",
    b"BZh": "a bzip2 stream",
    b"PK\x03\x04": "a zip archive",
}

_REACH = 16 * 1024 * 1024  # bytes after a record in plain within which members are looked for
_RECORDS = 8


def recognise(window: FileWindow) -> Container | str:
    """Return the container of a file, by its content; or, if it holds no record, a word for what it is.

    If the file starts with neither a member nor a record (its start is damaged), the first record found in it
    decides. A record in plain bytes may be the data of a stored member whose header is damaged, but only if
    no line end precedes it, and neither a record nor the file's end follows it.
    """
    start = window.skip_padding(0)
    head = bytes(window.view(start, START_REACH))
    compressed = container_of_head(head)
    if compressed is not None:
        return compressed(window)
    for magic, name in _FOREIGN.items():
        if head.startswith(magic):
            return name
    plain = PlainBytes(window)
    if is_start(head, 0):
        return plain
    first = plain.find(start, window.size)
    members = _members(window, start, window.size if first is None else first)
    if members is None and first is not None and not _is_plain(window, plain, first):
        # Members in the block of a whole record are nested there.
        record = _framed(plain, first)
        nested = 0 if record is None or record[0].truncated else record[1].offset
        members = _members(window, first + nested, first + _REACH)
    if members is None and first is None:
        members = _members(window, start, start + _REACH, whole=False)
    if members is not None:
        return members
    return NO_RECORD if first is None else plain


def _members(window: FileWindow, start: int, stop: int, *, whole: bool = True) -> Container | None:
    """Find the container of the first member in [start, stop) that begins a record, or inflates."""
    container: Container | None = None
    for kind in COMPRESSED:
        members = kind(window)
        found = (members.find if whole else members.find_member)(start, stop)
        if found is not None:
            stop, container = found, members
    return container


def _is_plain(window: FileWindow, plain: PlainBytes, offset: int) -> bool:
    """Tell whether one of the first records from `offset` on is followed as records in plain bytes are."""
    found: int | None = offset
    for _ in range(_RECORDS):
        if found is None:
            break
        if _is_followed(window, plain, found):
            return True
        found = plain.find(found + 1, offset + _REACH)
    return False


def _is_followed(window: FileWindow, plain: PlainBytes, offset: int) -> bool:
    """Tell whether a line begins at `offset`, or after the record there another one, or the file ends."""
    if offset == 0 or window.peek(offset - 1, 1) == b"\n":
        return True
    record = _framed(plain, offset)
    if record is None:
        return False
    _, stream = record
    if not stream.skip_padding():
        return True
    stream.need(START_REACH)
    return is_start(stream.buffer, stream.position)


def _framed(plain: PlainBytes, offset: int) -> tuple[Framed, MemberStream] | None:
    """Return the record at `offset` and the stream after it; None where no length says how far it goes."""
    member = plain.open(offset)
    assert member is not None
    stream = MemberStream(member, plain)
    found = Framing(frozenset(), 0).frame(stream)
    return None if isinstance(found, UnreadableSpan) or found.header.length is None else (found, stream)
