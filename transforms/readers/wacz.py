"""WACZ: WARC files within a zip, read in place; nothing else of the zip is looked at.

Source: WACZ 1.1.1, which asks for members that are stored. A record's `offset` is its place in the zip. The
records of a member that is deflated have the member's place; `inner_offset` is their own in the WARC file.
`warc_name` and `warc_offset` say which WARC file it is, and where the record is in it.

Ranges chain as in WARC. One that holds the beginning of a member begins there; after the end of a
member the next record is where the next member begins.
"""

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import BinaryIO, cast

from cedar.transforms.files.input_kinds import ARCHIVE_SUFFIXES, InputError
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.records import Location, Record
from cedar.transforms.readers.choices import ReadOptions
from cedar.transforms.readers.rows import WatchedFile
from cedar.transforms.warc import reader as warc
from cedar.transforms.warc.reader import Damage, FileRange, ReadEnd, ReadItem

_LOCAL_HEADER = 30
_INDEX = re.compile(r"indexes/[^/]+\.cdxj?(?:\.gz)?")
_FAULTS = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, UnicodeError)


@dataclass(frozen=True, slots=True)
class _Member:
    """A WARC file in a zip: its bytes [start, stop) as stored, and what the directory says of it."""

    start: int
    stop: int
    info: zipfile.ZipInfo

    @property
    def is_stored(self) -> bool:
        return self.info.compress_type == zipfile.ZIP_STORED


class _Part:
    """The bytes of a file from one on, as a file."""

    def __init__(self, file: WatchedFile, start: int) -> None:
        self._file = file
        self._start = start

    def seek(self, offset: int) -> int:
        return self._file.seek(self._start + offset)

    def read(self, size: int) -> bytes:
        return self._file.read(size)


def is_splittable(file: BinaryIO, size: int) -> bool:  # noqa: ARG001 - the directory says more
    """Tell whether the largest member is a file that can be split."""
    watched = WatchedFile(file)
    try:
        members = _members(zipfile.ZipFile(cast(BinaryIO, watched)))
        stored = [member for member in members if member.is_stored]
        largest = max(stored, key=lambda member: member.stop - member.start)
        part = cast(BinaryIO, _Part(watched, largest.start))
        return warc.is_splittable(part, largest.stop - largest.start)
    except (*_FAULTS, ValueError):
        if watched.fault is not None:
            raise watched.fault from None
        return False


def read_wacz(file: BinaryIO, file_range: FileRange, options: ReadOptions) -> Iterator[ReadItem]:
    """Yield the records of members that start in a range of a zip, then its end; OSError from the file."""
    watched = WatchedFile(file)
    try:
        opened = zipfile.ZipFile(cast(BinaryIO, watched))
        members = _members(opened)
        refusal = "" if members else "a zip archive without WARC files"
    except (*_FAULTS, ValueError) as error:
        if watched.fault is not None:
            raise watched.fault from error
        members, refusal = [], f"not a whole zip archive: {error}"
    if refusal:
        yield from warc.not_an_archive(file_range, refusal, watched.bytes_in)
        return
    first, following, count = None, file_range.size, 0
    passed = Counter[str]()
    for member in members:
        if member.start >= file_range.end:
            following = min(following, member.start)
            break
        if member.stop <= file_range.start or (not member.is_stored and member.start < file_range.start):
            continue
        following = file_range.size
        if member.start >= file_range.start and first is None:
            first = member.start
        try:
            for item in _items(opened, watched, member, file_range=file_range, options=options):
                if isinstance(item, ReadEnd):
                    first = item.first_offset if first is None else first
                    following = item.next_offset if item.next_offset < member.stop else file_range.size
                    passed.update(item.passed)
                else:
                    count += 1
                    yield item
        except _FAULTS as error:
            if watched.fault is not None:
                raise watched.fault from error
            count += 1
            location = file_range.location(member.start, member.stop - member.start)
            location.warc_name, location.warc_offset = member.info.filename, 0
            detail = f"{member.info.filename}: {error}"
            yield Damage(location, None, RejectReason.DAMAGED_MEMBER, detail)
    yield ReadEnd(first, following, count + passed.total(), watched.bytes_in, passed)


def _items(
    opened: zipfile.ZipFile,
    file: WatchedFile,
    member: _Member,
    *,
    file_range: FileRange,
    options: ReadOptions,
) -> Iterator[ReadItem]:
    """Yield what a member holds of a range, at its places in the zip."""
    if member.is_stored:
        part = replace(
            file_range,
            size=member.stop - member.start,
            start=max(0, file_range.start - member.start),
            stop=min(file_range.end, member.stop) - member.start,
        )
        source = cast(BinaryIO, _Part(file, member.start))
        for item in warc.read_records(
            source, part, kinds=options.kinds, max_block=options.max_block, is_wanted=options.is_wanted
        ):
            if isinstance(item, ReadEnd):
                found = None if item.first_offset is None else member.start + item.first_offset
                yield replace(item, first_offset=found, next_offset=member.start + item.next_offset)
            else:
                yield replace(item, location=_in_zip(item.location, member))
        return
    whole = replace(file_range, size=member.info.file_size, start=0, stop=None)
    with opened.open(member.info) as inflated:
        for item in warc.read_records(
            cast(BinaryIO, inflated), whole, kinds=options.kinds, max_block=options.max_block
        ):
            if isinstance(item, ReadEnd):
                yield replace(item, first_offset=member.start, next_offset=member.stop)
            else:
                inner = item.location.offset if isinstance(item, Record) else 0
                location = file_range.location(member.start, member.stop - member.start, inner)
                location.warc_name, location.warc_offset = member.info.filename, item.location.offset
                yield replace(item, location=location)


def _in_zip(location: Location, member: _Member) -> Location:
    """Return the place in the zip that belongs to a place in a stored member."""
    offset = location.offset
    return replace(location, offset=member.start + offset, warc_name=member.info.filename, warc_offset=offset)


class WarcFiles:
    """The WARC files of a zip, by their places in it; they are stored.

    Attributes:
        starts: the first byte of each, by its name, in order.
    """

    def __init__(self, starts: dict[str, int]) -> None:
        self.starts = starts

    @staticmethod
    def of(file: BinaryIO) -> "WarcFiles":
        """Look through a zip.

        Raises InputError if it is no zip, or a file is deflated: no index leads into it; OSError.
        """
        with _opened_zip(file) as opened:
            members = _members(opened)
        for member in members:
            if not member.is_stored:
                raise InputError(f"{member.info.filename} is packed again in its WACZ: leave out --cdx")
        return WarcFiles({member.info.filename: member.start for member in members})

    def name_place(self, location: Location) -> None:
        """Add to a place in the zip in which file it is, and where in it."""
        before = [name for name, start in self.starts.items() if start <= location.offset]
        if before:
            location.warc_name = before[-1]
            location.warc_offset = location.offset - self.starts[before[-1]]


def index_files(file: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the CDXJ files of a zip, opened, by their names; raises InputError if there is none, OSError."""
    with _opened_zip(file) as opened:
        names = [name for name in opened.namelist() if _INDEX.fullmatch(name)]
        if not names:
            raise InputError("no index is in this WACZ: leave out --cdx")
        for name in names:
            with opened.open(name) as inflated:
                yield name, cast(BinaryIO, inflated)


@contextmanager
def _opened_zip(file: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """Open a zip; raise InputError for another or a damaged file."""
    watched = WatchedFile(file)
    try:
        yield zipfile.ZipFile(cast(BinaryIO, watched))
    except (*_FAULTS, ValueError) as error:
        if isinstance(error, InputError):
            raise
        if watched.fault is not None:
            raise watched.fault from error
        raise InputError(f"not a whole WACZ: {error}") from error


def _members(opened: zipfile.ZipFile) -> list[_Member]:
    """Return the WARC files of a zip in the order of their bytes; OSError from the file.

    One whose own header is damaged begins with that: the directory says how far it goes, nearly.
    """
    members = []
    for info in opened.infolist():
        if not info.filename.lower().endswith(ARCHIVE_SUFFIXES):
            continue
        file = opened.fp
        assert file is not None
        file.seek(info.header_offset)
        header = file.read(_LOCAL_HEADER)
        lengths = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        start, size = info.header_offset, info.compress_size
        if header.startswith(b"PK\x03\x04"):
            start += _LOCAL_HEADER + lengths
        else:
            size += _LOCAL_HEADER + len(info.filename.encode())
        members.append(_Member(start, start + size, info))
    return sorted(members, key=lambda member: member.start)
