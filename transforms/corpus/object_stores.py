"""Corpora on object stores: the commit as a conditional write, and moves where there is no rename.

S3 and Google Cloud Storage can create an object only if there is none of that name, and say which of two
writers was first: `If-None-Match: *` there, generation 0 here. That is the commit. What Beam's file systems
do not offer (conditions, and copies that fail loudly) is asked of the store's own client, which is set up as
Beam's is: by pipeline options if there are any, else by the environment.

A move is a copy, a check of the copy's length, and a delete. Until the copy is whole the target does not
exist, and afterwards a source that could not be deleted is litter, not a fault.
"""

from __future__ import annotations

import contextlib
import tempfile
from typing import Any, BinaryIO, Protocol, cast

from transforms.corpus.storage import BeamStorage, filesystems

_PRECONDITION_FAILED = 412
_CONFLICT = 409
_NOT_FOUND = 404
_ATTEMPTS = 5
_IN_MEMORY = 16 << 20
"""Bytes of a file being written that are held in memory; what is longer goes to the local disk."""


class ObjectClient(Protocol):
    """What a store's own client is asked for. Paths are URIs; faults are `OSError`."""

    def put(self, path: str, file: BinaryIO) -> None:
        """Create or replace an object with what `file` holds from its position on."""

    def put_if_absent(self, path: str, content: bytes) -> bool:
        """Create an object unless there is one of that name, in one step; whether it was created."""

    def copy(self, source: str, target: str) -> bool:
        """Copy within the store, replacing `target`; False where `source` does not exist."""

    def size(self, path: str) -> int | None:
        """Bytes of an object, or None where there is none."""

    def delete(self, path: str) -> None:
        """Delete an object; one that is not there is no fault."""


class ObjectStorage(BeamStorage):
    """A store without directories and renames; reading and listing are Beam's."""

    def __init__(self, client: ObjectClient) -> None:
        self._client = client

    def create(self, path: str) -> BinaryIO:
        """Create or replace an object when the file is closed: one that is abandoned leaves nothing."""
        return cast(BinaryIO, _Upload(self._client, path))

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

    def delete(self, path: str) -> None:
        """Delete an object."""
        self._client.delete(path)

    def move(self, source: str, target: str) -> bool:
        """Copy, check, delete."""
        wanted = self._client.size(source)
        if wanted is None or not self._client.copy(source, target):
            return False
        if self._client.size(target) != wanted:
            raise OSError(f"{target} is not the {wanted} bytes of {source} that were copied to it")
        with contextlib.suppress(OSError):
            self.delete(source)
        return True


class _Upload(tempfile.SpooledTemporaryFile[bytes]):
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


class S3Client:
    """Amazon S3, and what speaks like it."""

    def put(self, path: str, file: BinaryIO) -> None:
        """An upload, in parts where the object is large."""
        bucket, key = _parts(path)
        if _s3_code(lambda client: client.upload_fileobj(file, bucket, key), path):
            raise OSError(f"{path}: no such bucket")

    def put_if_absent(self, path: str, content: bytes) -> bool:
        """`PutObject` with `If-None-Match: *`; a conflict with a writer of the same moment is tried again."""
        bucket, key = _parts(path)
        for _ in range(_ATTEMPTS):
            code = _s3_code(
                lambda client: client.put_object(Bucket=bucket, Key=key, Body=content, IfNoneMatch="*"), path
            )
            if code == _PRECONDITION_FAILED:
                return False
            if code == 0:
                return True
        raise OSError(f"{path}: other writers at every attempt to create it")

    def copy(self, source: str, target: str) -> bool:
        """A copy inside the store, in parts where the object is large."""
        from_bucket, from_key = _parts(source)
        bucket, key = _parts(target)
        origin = {"Bucket": from_bucket, "Key": from_key}
        return _s3_code(lambda client: client.copy(origin, bucket, key), source) == 0

    def size(self, path: str) -> int | None:
        """`HeadObject`."""
        bucket, key = _parts(path)
        sizes: list[int] = []
        _s3_code(
            lambda client: sizes.append(client.head_object(Bucket=bucket, Key=key)["ContentLength"]), path
        )
        return sizes[0] if sizes else None

    def delete(self, path: str) -> None:
        """`DeleteObject`."""
        bucket, key = _parts(path)
        _s3_code(lambda client: client.delete_object(Bucket=bucket, Key=key), path)


def _s3_code(request: Any, path: str) -> int:
    """Send a request; 0, or the code of an answer that the caller knows what to do with."""
    from apache_beam.io.aws.s3io import S3IO
    from botocore.exceptions import BotoCoreError, ClientError

    client = S3IO(options=_beam_options(path)).client.client
    try:
        request(client)
    except ClientError as error:
        code: int = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in (_PRECONDITION_FAILED, _CONFLICT, _NOT_FOUND):
            return code
        raise OSError(f"{path}: {error}") from error
    except BotoCoreError as error:
        raise OSError(f"{path}: {error}") from error
    return 0


class GcsClient:
    """Google Cloud Storage."""

    def put(self, path: str, file: BinaryIO) -> None:
        """An upload, resumable where the object is large."""
        from google.api_core.exceptions import NotFound

        try:
            _gcs(lambda blob: blob.upload_from_file(file), path)
        except NotFound as error:
            raise OSError(f"{path}: {error}") from error

    def put_if_absent(self, path: str, content: bytes) -> bool:
        """An upload that wants generation 0: no object yet."""
        from google.api_core.exceptions import PreconditionFailed

        try:
            _gcs(lambda blob: blob.upload_from_string(content, if_generation_match=0), path)
        except PreconditionFailed:
            return False
        return True

    def copy(self, source: str, target: str) -> bool:
        """A rewrite inside the store, in as many steps as it takes."""
        from google.api_core.exceptions import NotFound

        origin = _blob(source)

        def rewrite(blob: Any) -> None:
            token, _, _ = blob.rewrite(origin)
            while token is not None:
                token, _, _ = blob.rewrite(origin, token=token)

        try:
            _gcs(rewrite, target)
        except NotFound:
            return False
        return True

    def size(self, path: str) -> int | None:
        """The object's metadata."""
        found: list[int] = []

        def ask(blob: Any) -> None:
            if blob.exists():
                blob.reload()
                found.append(int(blob.size))

        _gcs(ask, path)
        return found[0] if found else None

    def delete(self, path: str) -> None:
        """One request."""
        from google.api_core.exceptions import NotFound

        with contextlib.suppress(NotFound):
            _gcs(lambda blob: blob.delete(), path)


def _gcs(request: Any, path: str) -> None:
    """Send a request; answers that callers know stay what they are, all other faults become `OSError`."""
    from google.api_core.exceptions import GoogleAPIError, NotFound, PreconditionFailed

    try:
        request(_blob(path))
    except (NotFound, PreconditionFailed):
        raise
    except GoogleAPIError as error:
        raise OSError(f"{path}: {error}") from error


def _blob(path: str) -> Any:
    from apache_beam.io.gcp.gcsio import GcsIO

    bucket, name = _parts(path)
    return GcsIO(pipeline_options=_beam_options(path)).client.bucket(bucket).blob(name)


def _beam_options(path: str) -> Any:
    """The options that Beam's own file system of `path` has."""
    system = filesystems().get_filesystem(path)
    return getattr(system, "_options", None) or getattr(system, "_pipeline_options", None)


def _parts(path: str) -> tuple[str, str]:
    """Bucket and key of a URI."""
    bucket, _, key = path.partition("://")[2].partition("/")
    return bucket, key
