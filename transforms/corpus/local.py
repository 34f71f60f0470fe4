"""Files on the disks of this machine."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, cast

from transforms.corpus.leases import ended_lease, lease
from transforms.corpus.storage import StoredFile


class LocalStorage:
    """The local disk."""

    def open(self, path: str) -> BinaryIO:
        """Open for reading."""
        return Path(path).open("rb")

    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:  # noqa: ARG002 - nothing is read ahead
        """Open for reading, at a byte."""
        file = self.open(path)
        file.seek(start)
        return file

    def stat(self, path: str) -> StoredFile:
        """Size and time of change."""
        stat = Path(path).stat()
        return StoredFile(path, stat.st_size, f"mtime:{stat.st_mtime_ns}")

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file; closing it makes it durable."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return cast(BinaryIO, _DurableFile(io.FileIO(path, "wb")))

    def read(self, path: str) -> bytes | None:
        """Return the whole content, or None."""
        try:
            return Path(path).read_bytes()
        except FileNotFoundError:
            return None

    def create_if_absent(self, staged: str, final: str) -> bool:
        """link(2): atomic on every POSIX file system."""
        Path(final).parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(staged, final)
        except FileExistsError:
            return False
        self.delete(staged)
        return True

    def move(self, source: str, target: str) -> bool:
        """rename(2)."""
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        try:
            Path(source).replace(target)
        except FileNotFoundError:
            return False
        return True

    def delete(self, path: str) -> None:
        """Delete a file."""
        Path(path).unlink(missing_ok=True)

    def list(self, directory: str) -> Iterator[StoredFile]:
        """Yield the files directly in `directory`."""
        try:
            entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
        except FileNotFoundError:
            return
        for entry in entries:
            # A file may go between the listing and the question: another run tidies up, too.
            with contextlib.suppress(FileNotFoundError):
                if entry.is_file():
                    stat = entry.stat()
                    yield StoredFile(entry.path, stat.st_size, f"mtime:{stat.st_mtime_ns}")

    def lease(self, path: str) -> AbstractContextManager[None]:
        """Hold a lock."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return lease(path)

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:
        """Tell whether the lock can be had."""
        return ended_lease(path)


class _DurableFile(io.BufferedWriter):
    """A file that is on the disk once it is closed."""

    def close(self) -> None:
        """Write out, wait for the disk, close."""
        try:
            if not self.closed:
                self.flush()
                os.fsync(self.fileno())
        finally:
            super().close()
