"""Stores of objects: the commit as a conditional write, and moves where there is no rename.

S3 and Google Cloud Storage can create an object only if there is none of that name, and say which of two
writers was first: `If-None-Match: *` there, generation 0 here. That is the commit.

A move is a copy, a check of the copy's length, and a delete. Until the copy is whole the target does not
exist, and afterwards a source that could not be deleted is litter, not a fault.
"""

from __future__ import annotations

import contextlib
import functools
import io
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Protocol, cast

from transforms.corpus.ranged_file import MOST_AT_ONCE, RangedFile
from transforms.corpus.storage import StoredFile

_IN_MEMORY = 16 << 20
"""Bytes of a file being written that are held in memory; what is longer goes to the local disk."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as its store lists it.

    Attributes:
        path: its URI.
        size: bytes.
        changed: when it was written.
        tag: the store's own name for this version: entity tag or generation.
    """

    path: str
    size: int
    changed: datetime
    tag: str

    @property
    def file(self) -> StoredFile:
        """The object as inputs and corpora know it; its version is the time of its last change."""
        # In floating point: corpora that exist have versions that were made so.
        seconds = int(self.changed.timestamp() // 1) + self.changed.microsecond / 1e6
        return StoredFile(self.path, self.size, f"mtime:{int(seconds * 1e9)}")


class ObjectClient(Protocol):
    """What a store's own client is asked for. Paths are URIs; faults are `OSError`."""

    def find(self, path: str) -> StoredObject | None:
        """Return the object as it is now, or None where there is none."""

    def objects(self, prefix: str, *, deep: bool) -> Iterator[StoredObject]:
        """List objects whose URI begins with `prefix`, by name; not `deep`: none with a slash after it."""

    def fetch(self, found: StoredObject, start: int, stop: int) -> bytes:
        """Return the bytes [start, stop), of this version and of no other."""

    def fetch_now(self, path: str, start: int, stop: int) -> bytes:
        """Fetch the bytes [start, stop) of an object as it is, fewer where it ends before."""

    def read(self, path: str) -> bytes | None:
        """Return all bytes of an object as they are stored, or None where there is none."""

    def put(self, path: str, file: BinaryIO) -> None:
        """Create or replace an object with what `file` holds from its position on."""

    def put_if_absent(self, path: str, content: bytes) -> bool:
        """Create an object unless there is one of that name, in one step; whether it was created."""

    def copy(self, source: str, target: str) -> bool:
        """Copy within the store, replacing `target`; False where `source` does not exist."""

    def delete(self, path: str) -> None:
        """Delete an object; one that is not there is no fault."""


class ObjectStorage:
    """A store without directories and renames."""

    def __init__(self, client: ObjectClient) -> None:
        self._client = client

    def open(self, path: str) -> BinaryIO:
        """Open for reading: this version and no other."""
        found = self._found(path)
        fetch = functools.partial(self._client.fetch, found)
        return cast(BinaryIO, io.BufferedReader(RangedFile(fetch, found.size)))

    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:
        """Open a range for reading: one request for all of it, where it is no longer than a block.

        Of a longer one, which takes several, all bytes are of one version.
        """
        if stop - start <= MOST_AT_ONCE:
            at_once = RangedFile(functools.partial(self._client.fetch_now, path), stop, first=stop - start)
            at_once.seek(start)
            return cast(BinaryIO, io.BufferedReader(at_once))
        found = self._found(path)
        fetch = functools.partial(self._client.fetch, found)
        file = RangedFile(fetch, min(stop, found.size), first=stop - start)
        file.seek(start)
        return cast(BinaryIO, io.BufferedReader(file))

    def stat(self, path: str) -> StoredFile:
        """Size and time of change."""
        return self._found(path).file

    def create(self, path: str) -> BinaryIO:
        """Create or replace an object when the file is closed: one that is abandoned leaves nothing."""
        return cast(BinaryIO, Upload(self._client, path))

    def read(self, path: str) -> bytes | None:
        """Return the whole content, or None."""
        return self._client.read(path)

    def create_if_absent(self, staged: str, final: str) -> bool:
        """One conditional write: as atomic as link(2)."""
        content = self.read(staged)
        if content is None:
            raise FileNotFoundError(staged)
        if not self._client.put_if_absent(final, content):
            return False
        with contextlib.suppress(OSError):
            self.delete(staged)
        return True

    def move(self, source: str, target: str) -> bool:
        """Copy, check, delete."""
        before = self._client.find(source)
        if before is None or not self._client.copy(source, target):
            return False
        copied = self._client.find(target)
        if copied is None or copied.size != before.size:
            raise OSError(f"{target} is not the {before.size} bytes of {source} that were copied to it")
        with contextlib.suppress(OSError):
            self.delete(source)
        return True

    def delete(self, path: str) -> None:
        """Delete an object."""
        self._client.delete(path)

    def list(self, directory: str) -> Iterator[StoredFile]:
        """Yield the objects whose names have no further slash after the directory's."""
        return self._files(directory.rstrip("/") + "/", deep=False)

    def below(self, prefix: str) -> Iterator[StoredFile]:
        """Yield the objects whose URI begins so."""
        return self._files(prefix, deep=True)

    def lease(self, path: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """Nothing: there are no locks. What is staged becomes an object only when it is whole."""
        return contextlib.nullcontext()

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:  # noqa: ARG002
        """Nobody can tell."""
        return contextlib.nullcontext(False)

    def _found(self, path: str) -> StoredObject:
        found = self._client.find(path)
        if found is None:
            raise FileNotFoundError(f"no such file: {path}")
        return found

    def _files(self, prefix: str, *, deep: bool) -> Iterator[StoredFile]:
        for found in self._client.objects(prefix, deep=deep):
            # An empty object with a slash at its end is how some programs show a directory.
            if not found.path.endswith("/"):
                yield found.file


class Upload(tempfile.SpooledTemporaryFile[bytes]):
    """A file that becomes an object once it is closed."""

    def __init__(self, client: ObjectClient, path: str) -> None:
        super().__init__(_IN_MEMORY)
        self._client = client
        self._path = path
        self._uploading = False

    def close(self) -> None:
        """Upload, and let go of the local copy."""
        if self.closed or self._uploading:  # clients close what they have read
            return
        self._uploading = True
        try:
            self.seek(0)
            self._client.put(self._path, cast(BinaryIO, self))
        finally:
            super().close()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Upload, unless the writing failed."""
        if kind is None:
            self.close()
        else:
            super().close()


def bucket_and_key(path: str) -> tuple[str, str]:
    """Bucket and key of a URI."""
    bucket, _, key = path.partition("://")[2].partition("/")
    return bucket, key
