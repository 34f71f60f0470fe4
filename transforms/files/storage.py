"""What Cedar asks of a place where files are: the protocol of the stores.

`write_if_absent` is atomic everywhere: link(2) on the local disk, a conditional write in object stores.
"""

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol, TypeVar

from cedar.transforms.files.retry import TransientStorageError

T = TypeVar("T")
R = TypeVar("R")

_URI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")


def is_uri(path: str) -> bool:
    """Tell whether `path` is a URI (``s3://...``), and not a path of this machine."""
    return _URI.match(path) is not None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as listed.

    Attributes:
        path: its path or URI, which is its name everywhere.
        size: bytes; None = not known before it is read.
        version: `etag:...` or `mtime:...`; None = not known before it is read.
        url: where it is read, with its signature, which is shown nowhere; "" = at `path`.
    """

    path: str
    size: int | None
    version: str | None
    url: str = field(default="", compare=False, repr=False)

    @property
    def place(self) -> str:
        """Where it is read."""
        return self.url or self.path


@dataclass(frozen=True, slots=True)
class Move:
    """A file of so many bytes that is to get another name."""

    source: str
    target: str
    size: int


@dataclass(frozen=True, slots=True)
class StoreEnvironment:
    """Variables that the clients of stores read, in every process that works on a job, wherever it runs.

    Names and values; they may be secrets, and are not shown.
    """

    variables: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def enter(self) -> None:
        """Set these variables in this process; others stay."""
        os.environ.update(self.variables)


class StoreMissingError(OSError):
    """Nothing here reaches a store; the message says what to install or to write."""


class CannotWriteError(OSError):
    """What was asked for cannot be written; the message says where, why, and what to do."""


_FULL = {errno.EFBIG: "longer files are not allowed there"}
_FULL |= dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "make room, then run this again")
_ADVICE = _FULL | dict.fromkeys(
    (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR), "choose a place where you may write"
)
_ADVICE[errno.ENOENT] = "make its directory first"


def cannot_write(place: str, fault: Exception) -> str:
    """Say that a place of output cannot be written, why, and what to do; temporary files are not named."""
    if isinstance(fault, CannotWriteError):
        return str(fault)
    why = getattr(fault, "strerror", None) or str(fault)
    if why.startswith(place):  # the name of a file below it
        why = why.partition(": ")[2] or why
    advice = "run this again" if isinstance(fault, TransientStorageError) else ""
    advice = _ADVICE.get(getattr(fault, "errno", None) or 0, advice)
    return f"cannot write {place}: {why}{advice and f' ({advice})'}"


@contextlib.contextmanager
def writing(
    place: str,
    kind: type[Exception] = CannotWriteError,
    faults: tuple[type[Exception], ...] = (OSError,),
    *,
    reads: bool = False,
) -> Iterator[None]:
    """Raise faults as errors which say that a place cannot be written.

    With `reads`, a fault of the system that names another place, and no full disk, is raised unchanged.
    """
    try:
        yield
    except faults as fault:
        name, number = (getattr(fault, which, None) for which in ("filename", "errno"))
        is_other = number not in _FULL and not str(name).startswith(place)
        if reads and is_other and not isinstance(fault, CannotWriteError):
            raise
        raise kind(cannot_write(place, fault)) from fault


@contextlib.contextmanager
def raised_as(
    kind: type[Exception], *faults: type[Exception], saying: str = "", short: bool = False
) -> Iterator[None]:
    """Raise errors of the kinds `faults` as errors of `kind`, with their message after what `saying` says.

    An error of the system is told without its number, and if `short` without its path.
    """
    try:
        yield
    except faults as fault:
        why = str(fault)
        if isinstance(fault, OSError) and fault.strerror is not None:
            why = f"{fault.filename}: {fault.strerror}" if fault.filename and not short else fault.strerror
        raise kind(f"{saying}: {why}" if saying else why) from fault


class Storage(Protocol):
    """What Cedar asks of a store. Paths are absolute paths or URIs; faults are `OSError`."""

    def open(self, path: str) -> BinaryIO:
        """Open for reading, as stored: nothing is decompressed."""

    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:
        """Open as `open` does, at byte `start`; another machine is not asked for bytes at or after `stop`."""

    def stat(self, path: str) -> StoredFile:
        """Return the file as a listing has it; `FileNotFoundError` if it does not exist."""

    def stat_open(self, path: str, file: BinaryIO) -> StoredFile:  # noqa: ARG002 - some stores' answers say it
        """Return as `stat` does the file that was opened."""
        return self.stat(path)

    def mark(self, path: str) -> str:  # noqa: ARG002
        """Return a mark that no other file of the same size and version has; "" if the store knows none."""
        return ""

    def tail(self, path: str, size: int) -> tuple[bytes, StoredFile]:
        """Return the last bytes, perhaps fewer, and the file as a listing has it."""
        file = self.stat(path)
        assert file.size is not None
        start = max(0, file.size - size)
        with self.open_range(path, start, file.size) as opened:
            return opened.read(), file

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file; its directory is made if need be."""

    def read(self, path: str) -> bytes | None:
        """Return the whole content, or None if there is no such file."""

    def write(self, path: str, content: bytes, staged: str) -> None:
        """Create or replace a small file at once; where that takes two steps, it is `staged` before."""

    def write_if_absent(self, path: str, content: bytes, staged: str) -> bool:
        """Create a small file at once, if its name is free; whether it was."""

    def stage(self, staged: str, content: bytes) -> None:
        """Write the file that `create_staged` is to name; stores that name by the same request do nothing."""

    def create_staged(self, path: str, content: bytes, staged: str) -> bool:
        """Give a staged file its name if the name is free; whether it was.

        Raises FileNotFoundError where the staged file has been deleted meanwhile.
        """
        return self.write_if_absent(path, content, staged)

    def replace_staged(self, path: str, content: bytes, staged: str, *, before: bytes) -> bool:
        """Give a staged file the name of another one whose content is still `before`; whether it was."""

    def moves(self, files: Sequence[Move]) -> Iterator[bool]:
        """Rename one file after the other, replacing its target; False for one that is not there."""

    def delete(self, *paths: str) -> None:
        """Delete files; one that is not there is not a fault."""

    def list(self, directory: str, prefix: str = "") -> Iterator[StoredFile]:
        """Yield the files directly in `directory`, if it exists, whose names begin so, in order of names."""

    def below(self, prefix: str) -> Iterator[StoredFile]:
        """Yield the files whose path begins with `prefix`: of a store a bucket at least, here a directory."""

    def each(self, ask: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the answers to small questions, in order; where it helps, many are asked at a time."""
        return map(ask, items)

    def lease(self, path: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """Say by a file at `path`, for as long as the context lasts, that its maker is alive.

        Stores without locks say nothing: a staged object becomes a file there only when it is whole.
        """
        return contextlib.nullcontext()

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:  # noqa: ARG002
        """Tell whether the maker of a lease is surely gone; within the context only the caller is told so."""
        return contextlib.nullcontext(False)
