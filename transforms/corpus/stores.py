"""Which store reaches a path, and what reaches an input."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from transforms.corpus.http_options import is_web
from transforms.corpus.local import LocalStorage
from transforms.corpus.object_stores import ObjectClient, ObjectStorage
from transforms.corpus.storage import RemoteStorage, Storage, StoredFile, StoreMissingError, is_uri
from transforms.model.extras import install_command

if TYPE_CHECKING:
    from transforms.corpus.http_client import Web
    from transforms.corpus.http_file import HttpFile, HttpStorage


def storage_for(path: str, web: Web | None = None) -> Storage:
    """Return the storage that reaches `path`.

    Args:
        path: a path or URI.
        web: sends requests to web servers; None = one of its own, that asks as is usual.

    Raises:
        StoreMissingError: its package is not installed.
    """
    if is_web(path):
        from transforms.corpus.http_client import Web
        from transforms.corpus.http_file import HttpStorage

        return HttpStorage(web or Web())
    return remote_storage_for(path) if is_uri(path) else LocalStorage()


def remote_storage_for(path: str) -> RemoteStorage:
    """Return the storage that reaches a URI and can list what is below it.

    Raises:
        StoreMissingError: its package is not installed.
    """
    scheme = path.partition("://")[0].lower()
    if scheme == "s3":
        return ObjectStorage(_s3_client())
    if scheme == "gs":
        return ObjectStorage(_gcs_client())
    from transforms.corpus.arrow_files import arrow_storage

    return arrow_storage(path)


def _s3_client() -> ObjectClient:
    try:
        from transforms.corpus.s3 import S3Client
    except ImportError as error:
        raise _missing("s3", "aws") from error
    return S3Client()


def _gcs_client() -> ObjectClient:
    try:
        from transforms.corpus.gcs import GcsClient
    except ImportError as error:
        raise _missing("gs", "gcp") from error
    return GcsClient()


def _missing(scheme: str, extra: str) -> StoreMissingError:
    return StoreMissingError(f"{scheme}:// needs a package: {install_command(extra)}")


@dataclass(frozen=True, slots=True)
class StoredInput:
    """An input, where it is to be had, and what reaches it."""

    path: str
    storage: Storage

    def open(self) -> BinaryIO:
        """Open for reading, as stored."""
        return self.storage.open(self.path)

    def open_range(self, start: int, stop: int) -> BinaryIO:
        """Open a range for reading, at its start."""
        return self.storage.open_range(self.path, start, stop)

    def tail(self, size: int) -> tuple[bytes, StoredFile]:
        """Return the last bytes, perhaps fewer, and the file as a listing has it.

        Raises:
            OSError: they cannot be had.
        """
        if is_web(self.path):
            return cast("HttpStorage", self.storage).tail(self.path, size)
        file = self.stat()
        assert file.size is not None
        start = max(0, file.size - size)
        with self.open_range(start, file.size) as opened:
            return opened.read(), file

    def stat(self) -> StoredFile:
        """Return the file as a listing has it; `FileNotFoundError` where there is none."""
        return self.storage.stat(self.path)

    def stat_open(self, file: BinaryIO) -> StoredFile:
        """As `stat`, of the file that was opened: the answers of a web server say it of themselves."""
        if not is_web(self.path):
            return self.stat()
        state = cast("HttpFile", cast(io.BufferedReader, file).raw).state()
        return StoredFile(self.path, state.size, state.version)


def source_for(source: str, web: Web | None = None) -> StoredInput:
    """Return what reaches an input.

    Args:
        source: its path or URI, as rows have it.
        web: sends requests to web servers, and knows where the files of crawls are.

    Raises:
        StoreMissingError: a package is not installed.
    """
    place = source if web is None else web.options.place_of(source)
    return StoredInput(place, storage_for(place, web))
