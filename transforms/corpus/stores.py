"""Which store reaches a path."""

from __future__ import annotations

from transforms.corpus.local import LocalStorage
from transforms.corpus.object_stores import ObjectClient, ObjectStorage
from transforms.corpus.storage import RemoteStorage, Storage, StoreMissingError, is_uri


def storage_for(path: str) -> Storage:
    """The storage that reaches `path`.

    Raises:
        StoreMissingError: its package is not installed.
    """
    return remote_storage_for(path) if is_uri(path) else LocalStorage()


def remote_storage_for(path: str) -> RemoteStorage:
    """The storage that reaches a URI and can list what is below it.

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
    return StoreMissingError(f"{scheme}:// needs a package: pip install 'cedar-corpus[{extra}]'")
