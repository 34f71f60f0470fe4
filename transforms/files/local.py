"""Files on the disks of this machine; leases: empty files whose lock says that their maker still lives.

The lock (flock) goes when its process does, however that ends. Where a file system has no locks, a lease says
nothing, and nothing that stands under it is ever taken for left over.
"""

import contextlib
import errno
import fcntl
import glob
import hashlib
import io
import os
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from typing_extensions import override

from cedar.transforms.files.storage import Move, Storage, StoredFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


@contextlib.contextmanager
def lease(path: str, *, makes_folder: bool = True) -> Iterator[None]:
    """Hold a lease on `path`: the file is there and locked, and gone afterwards.

    Raises OSError; FileNotFoundError if its folder is not there and `makes_folder` is False.
    """
    yield from _held(_locked(path, makes_folder=makes_folder), path)


class SharedLease:
    """A lease on `path` that several processes hold at once, or one alone.

    Raises BlockingIOError where somebody holds it who does not let it be shared, or, for one who wants to be
    `alone`, where anybody does; OSError. The last holder deletes the file, if it is empty.
    """

    def __init__(self, path: str, refusal: str, *, alone: bool) -> None:
        self._path = path
        how = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
        try:
            self._descriptor = _locked(path, how | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            raise BlockingIOError(errno.EWOULDBLOCK, refusal, path) from fault

    def share(self) -> None:
        """Let others hold it, too, from now on."""
        with contextlib.suppress(OSError):  # there are no locks here
            fcntl.flock(self._descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)

    def release(self) -> None:
        """Let go of it."""
        with contextlib.suppress(OSError):  # others hold it, or there are no locks
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A file that holds anything is not of Cedar's making.
            if _is_at(self._descriptor, self._path) and not os.fstat(self._descriptor).st_size:
                os.unlink(self._path)  # noqa: PTH108 - paths are plain strings here
        os.close(self._descriptor)


@contextlib.contextmanager
def ended_lease(path: str) -> Iterator[bool]:
    """Find out whether the holder of a lease is gone; within the context no one else finds out the same."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ended = _is_at(descriptor, path)
    except OSError:
        ended = False
    try:
        yield ended
    finally:
        os.close(descriptor)


def _held(descriptor: int, path: str) -> Iterator[None]:
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            if not os.fstat(descriptor).st_size:  # as above
                os.unlink(path)  # noqa: PTH108 - paths are plain strings here
        os.close(descriptor)


def _locked(path: str, how: int = fcntl.LOCK_EX, *, makes_folder: bool = True) -> int:
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:  # there is no folder, or another process has just deleted it as empty
            if not makes_folder:
                raise
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            continue
        try:
            fcntl.flock(descriptor, how)
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError:
            pass  # there are no locks here
        # Between the two calls another process may have taken the file for left over.
        if _is_at(descriptor, path):
            return descriptor
        os.close(descriptor)


def _is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116 - as above
    except FileNotFoundError:
        return False


_END = 4 << 10
_STAGED = re.compile(r"\.[0-9a-f]{32}")  # what `whole_file` puts after a name


class LocalStorage(Storage):
    """The local disk."""

    @override
    def open(self, path: str) -> BinaryIO:
        return Path(path).open("rb")

    @override
    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:
        file = self.open(path)
        file.seek(start)
        return file

    @override
    def stat(self, path: str) -> StoredFile:
        return _stored(path, Path(path).stat())

    @override
    def mark(self, path: str) -> str:
        """Return device, inode and a digest of the first and the last 4 KiB."""
        with self.open(path) as file:
            stat = os.fstat(file.fileno())
            ends = file.read(_END)
            file.seek(max(0, stat.st_size - _END))
            digest = hashlib.blake2b(ends + file.read(_END), digest_size=16)
        return f"{stat.st_dev}:{stat.st_ino}:{digest.hexdigest()}"

    @override
    def create(self, path: str) -> BinaryIO:
        while True:
            try:
                return cast(BinaryIO, _DurableFile(io.FileIO(path, "wb")))
            except FileNotFoundError:  # there is no folder, or another process has just deleted it as empty
                Path(path).parent.mkdir(parents=True, exist_ok=True)

    @override
    def read(self, path: str) -> bytes | None:
        try:
            # A file without a buffer costs half of `Path.read_bytes`: a resume reads each commit.
            with io.FileIO(path) as file:
                return file.readall()
        except FileNotFoundError:
            return None

    @override
    def write(self, path: str, content: bytes, staged: str) -> None:
        with self._staged(path, content, staged):
            Path(staged).replace(path)

    @override
    def write_if_absent(self, path: str, content: bytes, staged: str) -> bool:
        with self._staged(path, content, staged):
            return self.create_staged(path, content, staged)

    @override
    def stage(self, staged: str, content: bytes) -> None:
        with self.create(staged) as file:
            file.write(content)

    @override
    def create_staged(self, path: str, content: bytes, staged: str) -> bool:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(staged, path)
        except FileExistsError:
            return False
        self.delete(staged)
        return True

    @override
    def replace_staged(self, path: str, content: bytes, staged: str, *, before: bytes) -> bool:
        # Two steps are enough here: the staged file of a writer that must not replace it has been deleted.
        if self.read(path) != before:
            return False
        Path(staged).replace(path)
        return True

    @contextlib.contextmanager
    def _staged(self, path: str, content: bytes, staged: str) -> Iterator[None]:
        """Write a file that is gone at the end, and make the directory of the one that it is to become."""
        try:
            self.stage(staged, content)
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            yield
        finally:
            with contextlib.suppress(OSError):
                self.delete(staged)

    @override
    def moves(self, files: Sequence[Move]) -> Iterator[bool]:
        for file in files:
            Path(file.target).parent.mkdir(parents=True, exist_ok=True)
            try:
                Path(file.source).replace(file.target)
            except FileNotFoundError:
                yield False
            else:
                yield True

    @override
    def delete(self, *paths: str) -> None:
        for path in paths:
            Path(path).unlink(missing_ok=True)

    @override
    def list(self, directory: str, prefix: str = "") -> Iterator[StoredFile]:
        try:
            with os.scandir(directory) as found:
                entries = [entry for entry in found if entry.name.startswith(prefix)]
        except FileNotFoundError:
            return
        entries.sort(key=lambda entry: entry.name)
        for entry in entries:
            # A file may go between the listing and the question: another run tidies up, too.
            with contextlib.suppress(FileNotFoundError):
                if entry.is_file():
                    yield _stored(entry.path, entry.stat())

    @override
    def below(self, prefix: str) -> Iterator[StoredFile]:
        for folder, _, names in os.walk(prefix):
            yield from (self.stat(os.path.join(folder, name)) for name in sorted(names))  # noqa: PTH118

    @override
    def lease(self, path: str) -> AbstractContextManager[None]:
        return lease(path)

    @override
    def ended_lease(self, path: str) -> AbstractContextManager[bool]:
        return ended_lease(path)


def _stored(path: str, stat: os.stat_result) -> StoredFile:
    return StoredFile(path, stat.st_size, f"mtime:{stat.st_mtime_ns}")


def read_ends(path: str, count: int) -> bytes:
    """Return the first and the last `count` bytes of a file, or all of a shorter one; raises OSError."""
    with io.FileIO(path) as file:
        ends = file.read(count)
        size = os.fstat(file.fileno()).st_size
        if size > len(ends):
            file.seek(max(len(ends), size - count))
            ends += file.read(count)
        return ends


@contextlib.contextmanager
def whole_file(path: Path, *, tidy: bool = True) -> Iterator[Path]:
    """Give a file to be written that gets its name when it is whole and on the disk; else nothing is left.

    Faults name it, and not the staged file. With `tidy`, what killed writers of it have left is deleted.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if tidy:
        _delete_unfinished(path)
    staged = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        with staged.open("xb") as held:
            with contextlib.suppress(OSError):  # there are no locks here
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield staged
            with staged.open("rb") as file:
                os.fsync(file.fileno())
            staged.replace(path)
    except OSError as fault:
        if fault.filename in (None, str(staged)):
            fault.filename = str(path)
        raise
    finally:
        staged.unlink(missing_ok=True)


def _delete_unfinished(path: Path) -> None:
    """Delete the staged files of a file whose writers are gone."""
    for staged in path.parent.glob(f"{glob.escape(path.name)}.*"):
        if _STAGED.fullmatch(staged.name[len(path.name) :]):
            with ended_lease(str(staged)) as is_ended:
                if is_ended:
                    staged.unlink(missing_ok=True)


class _DurableFile(io.BufferedWriter):
    """A file that is on the disk once it is closed; its faults have its name."""

    @override
    def write(self, content: "ReadableBuffer") -> int:
        with self._naming():
            return super().write(content)

    def close(self) -> None:
        with self._naming():
            try:
                if not self.closed:
                    self.flush()
                    os.fsync(self.fileno())
            finally:
                super().close()

    @contextlib.contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            fault.filename = self.name
            raise
