"""Amazon S3, and what speaks like it: by boto3, which is set up by the environment and its own files."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar

from boto3.session import Session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from transforms.corpus.object_stores import StoredObject, bucket_and_key

_Answer = TypeVar("_Answer")

_ATTEMPTS = 5


class S3Client:
    """The requests of a store, each as a method of boto3's client."""

    def find(self, path: str) -> StoredObject | None:
        """Return the first of a listing: sizes and times are those that inputs were listed with.

        Of a bucket that may be read and not listed, as Common Crawl's, `HeadObject` says the same.
        """
        try:
            first = next(self._listed(path, delimiter="", most=1), None)
        except PermissionError:
            return self._headed(path)
        return first if first is not None and first.path == path else None

    def objects(self, prefix: str, *, deep: bool) -> Iterator[StoredObject]:
        """`ListObjectsV2`, as many as it takes."""
        return self._listed(prefix, delimiter="" if deep else "/", most=1000)

    def fetch(self, found: StoredObject, start: int, stop: int) -> bytes:
        """`GetObject` of a range, with the entity tag as a condition; asked again where the body broke."""
        ask = _range(found.path, start, stop, IfMatch=found.tag)
        return _persistent(lambda: self._unchanged(ask, found.path))

    def fetch_now(self, path: str, start: int, stop: int) -> bytes:
        """`GetObject` of a range; asked again where the body broke."""
        return _persistent(lambda: _asked(_range(path, start, stop), path))

    def read(self, path: str) -> bytes | None:
        """`GetObject`."""
        bucket, key = bucket_and_key(path)
        try:
            return _asked(lambda client: _body_of(client.get_object(Bucket=bucket, Key=key)), path)
        except FileNotFoundError:
            return None

    def put(self, path: str, file: BinaryIO) -> None:
        """Upload an object, in parts where it is large."""
        bucket, key = bucket_and_key(path)
        _asked(lambda client: client.upload_fileobj(file, bucket, key), path)

    def put_if_absent(self, path: str, content: bytes) -> bool:
        """`PutObject` with `If-None-Match: *`; a conflict with a writer of the same moment is tried again."""
        bucket, key = bucket_and_key(path)
        for _ in range(_ATTEMPTS):
            try:
                _asked(
                    lambda client: client.put_object(Bucket=bucket, Key=key, Body=content, IfNoneMatch="*"),
                    path,
                )
            except _ConditionError:
                return False
            except _ConflictError:
                continue
            return True
        raise OSError(f"{path}: other writers at every attempt to create it")

    def copy(self, source: str, target: str) -> bool:
        """Copy inside the store, in parts where the object is large."""
        from_bucket, from_key = bucket_and_key(source)
        bucket, key = bucket_and_key(target)
        origin = {"Bucket": from_bucket, "Key": from_key}
        try:
            _asked(lambda client: client.copy(origin, bucket, key), source)
        except FileNotFoundError:
            return False
        return True

    def delete(self, path: str) -> None:
        """`DeleteObject`."""
        bucket, key = bucket_and_key(path)
        with contextlib.suppress(FileNotFoundError):
            _asked(lambda client: client.delete_object(Bucket=bucket, Key=key), path)

    def _headed(self, path: str) -> StoredObject | None:
        bucket, key = bucket_and_key(path)
        try:
            head = _asked(lambda client: client.head_object(Bucket=bucket, Key=key), path)
        except FileNotFoundError:
            return None
        return StoredObject(path, head["ContentLength"], head["LastModified"], head["ETag"])

    def _listed(self, prefix: str, *, delimiter: str, most: int) -> Iterator[StoredObject]:
        """Yield the objects whose URI begins with `prefix`, `most` in an answer."""
        bucket, key = bucket_and_key(prefix)
        scheme = prefix.partition("://")[0]
        wanted: dict[str, Any] = {
            "Bucket": bucket, "Prefix": key, "Delimiter": delimiter, "MaxKeys": most,
        }  # fmt: skip
        while True:
            answer = _asked(lambda client: client.list_objects_v2(**wanted), prefix)
            for entry in answer.get("Contents", ()):
                yield StoredObject(
                    f"{scheme}://{bucket}/{entry['Key']}", entry["Size"], entry["LastModified"], entry["ETag"]
                )
            if not answer.get("IsTruncated"):
                return
            wanted["ContinuationToken"] = answer["NextContinuationToken"]

    def _unchanged(self, ask: Callable[[Any], bytes], path: str) -> bytes:
        try:
            return _asked(ask, path)
        except (_ConditionError, FileNotFoundError) as error:
            raise OSError(f"{path} changed while it was read") from error


class _ConditionError(OSError):
    """The condition of a request does not hold."""


class _ConflictError(OSError):
    """Another request of the same moment was in the way."""


class _BrokenBodyError(OSError):
    """The connection broke before the end of an answer."""


_FAULTS = {
    403: PermissionError,
    404: FileNotFoundError,
    409: _ConflictError,
    412: _ConditionError,
}
"""Answers that callers know what to do with, by HTTP status."""


def _asked(request: Callable[[Any], _Answer], path: str) -> _Answer:
    """Send a request.

    Raises:
        FileNotFoundError: there is no such object or bucket.
        OSError: the store refused it or cannot be reached.
    """
    try:
        return request(_client(os.getpid(), _settings()))
    except ClientError as error:
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        raise _FAULTS.get(status, OSError)(f"{path}: {error}") from error
    except BotoCoreError as error:
        raise OSError(f"{path}: {error}") from error


def _range(path: str, start: int, stop: int, **conditions: str) -> Callable[[Any], bytes]:
    """Make the request for a range of an object."""
    bucket, key = bucket_and_key(path)

    def ask(client: Any) -> bytes:
        span = f"bytes={start}-{stop - 1}"
        return _body_of(client.get_object(Bucket=bucket, Key=key, Range=span, **conditions))

    return ask


def _persistent(ask: Callable[[], bytes]) -> bytes:
    """Ask, again where the body of an answer broke."""
    for _ in range(_ATTEMPTS - 1):
        with contextlib.suppress(_BrokenBodyError):
            return ask()
    return ask()


def _body_of(answer: Any) -> bytes:
    try:
        return bytes(answer["Body"].read())
    except (BotoCoreError, OSError) as error:
        raise _BrokenBodyError(f"the answer broke off: {error}") from error


def _settings() -> tuple[tuple[str, str], ...]:
    """Return what the environment says of the store."""
    return tuple(sorted(item for item in os.environ.items() if item[0].startswith("AWS_")))


@functools.lru_cache(maxsize=4)
def _client(_process: int, _settings: tuple[tuple[str, str], ...]) -> Any:
    """Return the client of a process and an environment: it takes long to make, and threads may share it."""
    return Session().client("s3", config=Config(retries={"mode": "standard", "max_attempts": _ATTEMPTS}))
