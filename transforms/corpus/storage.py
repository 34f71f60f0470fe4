"""Files of inputs and corpora: the local disk, and whatever Beam's file systems reach.

Only `create_if_absent` differs in strength: on the local disk it is link(2), on S3 and Google Cloud Storage
a conditional write (`object_stores`), both atomic; elsewhere it is a check for existence and a rename, so
that two attempts that finish within the same moment could both believe to have won.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from transforms.corpus.leases import ended_lease, lease

_URI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")


def is_uri(path: str) -> bool:
    """Whether `path` names something behind a file system of Beam's (``s3://...``)."""
    return _URI.match(path) is not None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as listed: its path or URI, size in bytes, and version (`etag:...` or `mtime:...`).

    Size and version are None where a listing does not tell them: they are found out when the file is read.
    """

    path: str
    size: int | None
    version: str | None


class Storage(Protocol):
    """What Cedar asks of a file system. Paths are absolute paths or URIs; faults are `OSError`."""

    def open(self, path: str) -> BinaryIO:
        """Open for reading, as stored: nothing is decompressed."""

    def stat(self, path: str) -> StoredFile:
        """The file as a listing has it; `FileNotFoundError` where there is none."""

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file; its directory is made if need be."""

    def read(self, path: str) -> bytes | None:
        """The whole content, or None where there is no such file."""

    def create_if_absent(self, staged: str, final: str) -> bool:
        """Give the file `staged` the name `final` if that name is free; whether it was."""

    def move(self, source: str, target: str) -> bool:
        """Rename, replacing `target`; False where `source` does not exist."""

    def delete(self, path: str) -> None:
        """Delete a file; one that is not there is no fault."""

    def list(self, directory: str) -> Iterator[StoredFile]:
        """The files directly in `directory` in order of their names; none where it does not exist."""

    def lease(self, path: str) -> AbstractContextManager[None]:
        """Say by a file at `path`, for as long as the context lasts, that its maker is alive."""

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:
        """Whether the maker of a lease is surely gone; within the context nobody else is told so."""


class LocalStorage:
    """The local disk."""

    def open(self, path: str) -> BinaryIO:
        """Open for reading."""
        return Path(path).open("rb")

    def stat(self, path: str) -> StoredFile:
        """Size and time of change."""
        stat = Path(path).stat()
        return StoredFile(path, stat.st_size, f"mtime:{stat.st_mtime_ns}")

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file; closing it makes it durable."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return cast(BinaryIO, _DurableFile(io.FileIO(path, "wb")))

    def read(self, path: str) -> bytes | None:
        """The whole content, or None."""
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
        """The files directly in `directory`."""
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
        """A lock."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return lease(path)

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:
        """Whether the lock can be had."""
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


class BeamStorage:
    """Whatever Beam's file systems reach: `s3://`, `gs://`, `hdfs://`, ..., and the local disk."""

    def open(self, path: str) -> BinaryIO:
        """Open for reading, as stored."""
        return cast(BinaryIO, filesystems().open(path, compression_type=_uncompressed()))

    def stat(self, path: str) -> StoredFile:
        """Size and time of change, asked for as a listing asks."""
        (result,) = filesystems().match([path])
        for metadata in result.metadata_list:
            if metadata.path == path:
                return stored_file(metadata)
        raise FileNotFoundError(f"no such file: {path}")

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file."""
        self._make_directory(path)
        return cast(BinaryIO, filesystems().create(path, compression_type=_uncompressed()))

    def read(self, path: str) -> bytes | None:
        """The whole content, or None."""
        if not filesystems().exists(path):
            return None
        with self.open(path) as file:
            return file.read()

    def create_if_absent(self, staged: str, final: str) -> bool:
        """A check for existence, then a rename: weaker than `LocalStorage`'s."""
        if filesystems().exists(final):
            return False
        return self.move(staged, final)

    def move(self, source: str, target: str) -> bool:
        """Rename: on object stores a copy and a delete."""
        if not filesystems().exists(source):
            return False
        self._make_directory(target)
        self.delete(target)
        filesystems().rename([source], [target])
        return True

    def delete(self, path: str) -> None:
        """Delete a file."""
        if filesystems().exists(path):
            filesystems().delete([path])

    def list(self, directory: str) -> Iterator[StoredFile]:
        """The files directly in `directory`."""
        pattern = directory.rstrip("/") + "/*"
        (result,) = filesystems().match([pattern])
        for metadata in sorted(result.metadata_list, key=lambda m: m.path):
            if "/" not in metadata.path.removeprefix(directory.rstrip("/") + "/"):
                yield stored_file(metadata)

    def lease(self, path: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """Nothing: there are no locks. What is staged becomes an object only when it is whole."""
        return contextlib.nullcontext()

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:  # noqa: ARG002
        """Nobody can tell."""
        return contextlib.nullcontext(False)

    def _make_directory(self, path: str) -> None:
        parent = path.rpartition("/")[0]
        if not filesystems().exists(parent):
            # Object stores have no directories: some of Beam's file systems say so by this fault.
            with contextlib.suppress(OSError):
                filesystems().mkdirs(parent)


def stored_file(metadata: Any) -> StoredFile:
    """A `FileMetadata` of Beam as `StoredFile`; its version is the time of its last change."""
    changed = metadata.last_updated_in_seconds
    return StoredFile(metadata.path, metadata.size_in_bytes, f"mtime:{int(changed * 1e9)}")


def filesystems() -> Any:
    """Beam's file systems; where no pipeline has set them up, from the environment."""
    from apache_beam.io.filesystems import FileSystems
    from apache_beam.options.pipeline_options import PipelineOptions

    if FileSystems._pipeline_options is None:
        FileSystems.set_options(PipelineOptions([]))
    return FileSystems


def _uncompressed() -> str:
    from apache_beam.io.filesystem import CompressionTypes

    return cast(str, CompressionTypes.UNCOMPRESSED)
