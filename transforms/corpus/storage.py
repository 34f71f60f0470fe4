"""What Cedar asks of a place where files are: the protocol of the stores.

Only `create_if_absent` differs in strength: on the local disk it is link(2), on S3 and Google Cloud Storage
a conditional write, both atomic; elsewhere it is a check for existence and a rename, so that two attempts
that finish within the same moment could both believe to have won.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO, Protocol

_URI = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")


def is_uri(path: str) -> bool:
    """Tell whether `path` is a URI (``s3://...``), and not a path of this machine."""
    return _URI.match(path) is not None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as listed: its path or URI, size in bytes, and version (`etag:...` or `mtime:...`).

    Size and version are None where a listing does not tell them: they are found out when the file is read.
    """

    path: str
    size: int | None
    version: str | None


class StoreMissingError(OSError):
    """Nothing here reaches a store; the message says what to install or to write."""


class Storage(Protocol):
    """What Cedar asks of a store. Paths are absolute paths or URIs; faults are `OSError`."""

    def open(self, path: str) -> BinaryIO:
        """Open for reading, as stored: nothing is decompressed."""

    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:
        """As `open`, at byte `start`; another machine is not asked for bytes at or after `stop`."""

    def stat(self, path: str) -> StoredFile:
        """Return the file as a listing has it; `FileNotFoundError` where there is none."""

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file; its directory is made if need be."""

    def read(self, path: str) -> bytes | None:
        """Return the whole content, or None where there is no such file."""

    def create_if_absent(self, staged: str, final: str) -> bool:
        """Give the file `staged` the name `final` if that name is free; whether it was."""

    def move(self, source: str, target: str) -> bool:
        """Rename, replacing `target`; False where `source` does not exist."""

    def delete(self, path: str) -> None:
        """Delete a file; one that is not there is no fault."""

    def list(self, directory: str) -> Iterator[StoredFile]:
        """Yield the files directly in `directory` in order of their names; none where it does not exist."""

    def lease(self, path: str) -> AbstractContextManager[None]:
        """Say by a file at `path`, for as long as the context lasts, that its maker is alive."""

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:
        """Tell whether the maker of a lease is surely gone; within the context nobody else is told so."""


class RemoteStorage(Storage, Protocol):
    """A store that can list all that is below a place in one go."""

    def below(self, prefix: str) -> Iterator[StoredFile]:
        """Yield the files whose path begins with `prefix`, which has at least a bucket or a host.

        Raises:
            OSError: it cannot be listed.
        """
