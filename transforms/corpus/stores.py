"""Which store reaches a path, and what reaches an input."""

from __future__ import annotations

import importlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from transforms.corpus.http_options import is_web
from transforms.corpus.object_stores import GcsClient, ObjectClient, ObjectStorage, S3Client
from transforms.corpus.storage import BeamStorage, LocalStorage, Storage, StoredFile, is_uri

if TYPE_CHECKING:
    from transforms.corpus.http_client import Web
    from transforms.corpus.http_file import HttpFile


class StoreMissingError(OSError):
    """The package that reaches a store is not installed; the message says what to do."""


@dataclass(frozen=True, slots=True)
class _ObjectStore:
    """A kind of object stores: its client, the package that this needs, and the extra that brings it."""

    client: type[ObjectClient]
    package: str
    extra: str


_OBJECT_STORES = {
    "s3": _ObjectStore(S3Client, package="boto3", extra="aws"),
    "gs": _ObjectStore(GcsClient, package="google.cloud.storage", extra="gcp"),
}


def storage_for(path: str, web: Web | None = None) -> Storage:
    """The storage that reaches `path`.

    Args:
        path: a path or URI.
        web: sends requests to web servers; None = one of its own, that asks as is usual.

    Raises:
        StoreMissingError: its package is not installed.
    """
    if not is_uri(path):
        return LocalStorage()
    scheme = path.partition("://")[0].lower()
    if is_web(path):
        from transforms.corpus.http_client import Web
        from transforms.corpus.http_file import HttpStorage

        return HttpStorage(web or Web())
    store = _OBJECT_STORES.get(scheme)
    if store is None:
        return BeamStorage()
    try:
        importlib.import_module(store.package)
    except ImportError as error:
        raise StoreMissingError(
            f"{scheme}:// needs a package: pip install 'cedar-corpus[{store.extra}]'"
        ) from error
    return ObjectStorage(store.client())


@dataclass(frozen=True, slots=True)
class Source:
    """An input, where it is to be had, and what reaches it."""

    path: str
    storage: Storage

    def open(self) -> BinaryIO:
        """Open for reading, as stored."""
        return self.storage.open(self.path)

    def stat(self) -> StoredFile:
        """The file as a listing has it; `FileNotFoundError` where there is none."""
        return self.storage.stat(self.path)

    def stat_open(self, file: BinaryIO) -> StoredFile:
        """As `stat`, of the file that was opened: the answers of a web server say it of themselves."""
        if not is_web(self.path):
            return self.stat()
        state = cast("HttpFile", cast(io.BufferedReader, file).raw).state()
        return StoredFile(self.path, state.size, state.version)


def source_for(source: str, web: Web | None = None) -> Source:
    """What reaches an input.

    Args:
        source: its path or URI, as rows have it.
        web: sends requests to web servers, and knows where the files of crawls are.

    Raises:
        StoreMissingError: a package is not installed.
    """
    place = source if web is None else web.options.place_of(source)
    return Source(place, storage_for(place, web))
