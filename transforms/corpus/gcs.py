"""Google Cloud Storage, by its own client with the credentials that the environment has."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar

from google.api_core.exceptions import GoogleAPIError, NotFound, PreconditionFailed
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.cloud.storage import Client

from transforms.corpus.object_stores import StoredObject, bucket_and_key

_Answer = TypeVar("_Answer")


class GcsClient:
    """The requests of a store, each as a method of Google's client."""

    def find(self, path: str) -> StoredObject | None:
        """Return the object's metadata."""
        bucket, key = bucket_and_key(path)
        if not key:
            return None
        blob = _asked(lambda client: client.bucket(bucket).get_blob(key), path)
        return None if blob is None else _object(path.partition("://")[0], bucket, blob)

    def objects(self, prefix: str, *, deep: bool) -> Iterator[StoredObject]:
        """`objects.list`, as many pages as it takes."""
        bucket, key = bucket_and_key(prefix)
        scheme = prefix.partition("://")[0]
        try:
            blobs = _asked(
                lambda client: client.list_blobs(bucket, prefix=key, delimiter=None if deep else "/"), prefix
            )
            while (blob := _asked(lambda _: next(blobs, None), prefix)) is not None:
                yield _object(scheme, bucket, blob)
        except NotFound as error:
            raise OSError(f"{prefix}: no such bucket") from error

    def fetch(self, found: StoredObject, start: int, stop: int) -> bytes:
        """Return a range of one generation, as it is stored; the client asks again where that may help."""
        bucket, key = bucket_and_key(found.path)

        def ask(client: Any) -> bytes:
            blob = client.bucket(bucket).blob(key, generation=int(found.tag))
            data: bytes = blob.download_as_bytes(start=start, end=stop - 1, raw_download=True, checksum=None)
            return data

        try:
            return _asked(ask, found.path)
        except NotFound as error:
            raise OSError(f"{found.path} changed while it was read") from error

    def fetch_now(self, path: str, start: int, stop: int) -> bytes:
        """Return a range of the newest generation, as it is stored."""
        span = {"start": start, "end": stop - 1, "raw_download": True, "checksum": None}
        try:
            data: bytes = _asked(lambda client: _blob(client, path).download_as_bytes(**span), path)
        except NotFound as error:
            raise FileNotFoundError(f"no such file: {path}") from error
        return data

    def read(self, path: str) -> bytes | None:
        """Download an object as it is stored."""
        try:
            data: bytes = _asked(
                lambda client: _blob(client, path).download_as_bytes(raw_download=True), path
            )
        except NotFound:
            return None
        return data

    def put(self, path: str, file: BinaryIO) -> None:
        """Upload an object, resumably where it is large."""
        try:
            _asked(lambda client: _blob(client, path).upload_from_file(file), path)
        except NotFound as error:
            raise OSError(f"{path}: {error}") from error

    def put_if_absent(self, path: str, content: bytes) -> bool:
        """Return an upload that wants generation 0: no object yet."""
        try:
            _asked(
                lambda client: _blob(client, path).upload_from_string(content, if_generation_match=0), path
            )
        except PreconditionFailed:
            return False
        except NotFound as error:
            raise OSError(f"{path}: {error}") from error
        return True

    def copy(self, source: str, target: str) -> bool:
        """Return a rewrite inside the store, in as many steps as it takes."""

        def rewrite(client: Any) -> None:
            origin, blob = _blob(client, source), _blob(client, target)
            token, _, _ = blob.rewrite(origin)
            while token is not None:
                token, _, _ = blob.rewrite(origin, token=token)

        try:
            _asked(rewrite, target)
        except NotFound:
            return False
        return True

    def delete(self, path: str) -> None:
        """One request."""
        with contextlib.suppress(NotFound):
            _asked(lambda client: _blob(client, path).delete(), path)


def _asked(request: Callable[[Any], _Answer], path: str) -> _Answer:
    """Send a request; answers that callers know stay what they are.

    Raises:
        NotFound: there is no such object or bucket.
        PreconditionFailed: a condition does not hold.
        OSError: any other fault.
    """
    try:
        return request(_client(os.getpid(), _settings()))
    except (NotFound, PreconditionFailed):
        raise
    except (GoogleAPIError, GoogleAuthError) as error:
        raise OSError(f"{path}: {error}") from error


def _settings() -> tuple[tuple[str, str], ...]:
    """Return what the environment says of the store."""
    names = ("STORAGE_EMULATOR_HOST", "GOOGLE_")
    return tuple(sorted(item for item in os.environ.items() if item[0].startswith(names)))


@functools.lru_cache(maxsize=4)
def _client(_process: int, _settings: tuple[tuple[str, str], ...]) -> Any:
    """Return the client of a process and an environment: it takes long to make, and threads may share it."""
    try:
        return Client(project=None)
    except DefaultCredentialsError:
        # Public buckets want none.
        return Client.create_anonymous_client()


def _blob(client: Any, path: str) -> Any:
    bucket, key = bucket_and_key(path)
    return client.bucket(bucket).blob(key)


def _object(scheme: str, bucket: str, blob: Any) -> StoredObject:
    return StoredObject(
        f"{scheme}://{bucket}/{blob.name}", int(blob.size or 0), blob.updated, str(blob.generation)
    )
