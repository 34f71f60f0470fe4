"""Which store reaches a path."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from transforms.corpus.object_stores import GcsClient, ObjectClient, ObjectStorage, S3Client
from transforms.corpus.storage import BeamStorage, LocalStorage, Storage, is_uri

if TYPE_CHECKING:
    from transforms.corpus.http_client import Web


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
    if scheme in ("http", "https"):
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
