"""Object stores by obstore: `s3://`, `gs://`, `az://` and `abfs://`, with the credentials of the environment.

They can create an object only if none has its name, and say which of two writers was first: that is
the commit. A move is a copy and a delete. Until the copy is whole the target does not exist, and afterwards
a source that could not be deleted is litter, not a fault. Lengths are checked where all files are listed.

Cedar repeats failed requests (`retry`). obstore itself sends each request once, but for the parts of a large
upload, which it alone knows.
"""

import contextlib
import functools
import importlib.util
import io
import itertools
import os
import random
import re
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO, cast

from obstore.exceptions import (
    AlreadyExistsError,
    BaseError,
    InvalidPathError,
    PermissionDeniedError,
    PreconditionError,
    UnauthenticatedError,
)
from obstore.store import from_url
from typing_extensions import override

from cedar.transforms.files.ranged_file import MAX_RANGE_BYTES, RangedFile
from cedar.transforms.files.retry import OBJECT_STORE, Retries, TransientStorageError
from cedar.transforms.files.storage import Move, R, Storage, StoredFile, T

Connect = Callable[[str, int], Any]
"""Gives obstore's store of a root (`s3://bucket`) that sends a request again at most that many times."""

_CREATE_ATTEMPTS = 10
_PART_BYTES = 16 << 20
"""Bytes of a file being written that are held in memory, and of a part of the upload of a longer one."""

_PARTS_AT_ONCE = 4
_QUESTIONS_AT_ONCE = 32
_MAX_COPY_BYTES = 5 << 30
"""Bytes of the largest object that S3 copies by one request."""

_STATUS = re.compile(r"status code: (\d{3})")
_TRANSIENT = frozenset({408, 409, 425, 429})
"""Refusals of a request that may be granted later; so may all of 500 and over."""

_FINAL = re.compile(
    r"Received redirect|Account must be specified"
    r"|(/latest/api/token|/computeMetadata/|/metadata/identity).*(error sending request|status code: 4)"
)
"""A wrong region, no account, or no credentials: a cloud's own machines ask these paths for theirs."""


class _ChangedError(OSError):
    """An object is another than it was when it began to be read."""


class ObjectStorage(Storage):
    """Stores without directories and renames."""

    def __init__(self, connect: Connect | None = None, sleep: Callable[[float], None] = time.sleep) -> None:
        self._connect = connect or (
            lambda root, again: _connected(os.getpid(), _settings(), root, again=again)
        )
        self._sleep = sleep
        self._jitter = random.SystemRandom().random

    @override
    def open(self, path: str) -> BinaryIO:
        found = self._found(path)
        fetch = functools.partial(self._fetch, path, tag=found["e_tag"])
        return cast(BinaryIO, io.BufferedReader(RangedFile(fetch, found["size"])))

    @override
    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:
        """Open a range for reading: by one request, unless it is longer than a block.

        Of a longer one, which takes several, all bytes are of one version.
        """
        tag, end = None, stop
        if stop - start > MAX_RANGE_BYTES:
            found = self._found(path)
            tag, end = found["e_tag"], min(stop, found["size"])
        file = RangedFile(functools.partial(self._fetch, path, tag=tag), end, first=stop - start)
        file.seek(start)
        return cast(BinaryIO, io.BufferedReader(file))

    @override
    def stat(self, path: str) -> StoredFile:
        return _stored(path, self._found(path))

    @override
    def create(self, path: str) -> BinaryIO:
        """Create or replace an object when the file is closed: one that is abandoned leaves nothing."""
        return cast(BinaryIO, _Upload(functools.partial(self._upload, path)))

    @override
    def read(self, path: str) -> bytes | None:
        try:
            return self._asked(path, lambda store, key: bytes(store.get(key).bytes()))
        except FileNotFoundError:
            return None

    @override
    def write(self, path: str, content: bytes, staged: str) -> None:
        self._upload(path, io.BytesIO(content), len(content))

    @override
    def write_if_absent(self, path: str, content: bytes, staged: str) -> bool:
        """Write on the condition that there is no such object; as atomic as link(2).

        A refusal may be the answer to a request of ours whose first answer was lost: the object tells.
        """
        for _ in range(_CREATE_ATTEMPTS):
            try:
                self._asked(path, lambda store, key: store.put(key, content, mode="create"))
            except FileExistsError:
                there = self.read(path)
                if there is None:  # another writer of the same moment, who failed
                    continue
                return there == content
            return True
        raise OSError(f"{path}: other writers at every attempt to create it")

    @override
    def stage(self, staged: str, content: bytes) -> None:
        """Do nothing: an object is written under its name by one request."""

    @override
    def replace_staged(self, path: str, content: bytes, staged: str, *, before: bytes) -> bool:
        """Write on the condition that the object is the one whose content was `before`."""

        def replaced(store: Any, key: str) -> bool:
            found = store.get(key)
            if bytes(found.bytes()) != before:
                return False
            version = {name: found.meta[name] for name in ("e_tag", "version") if found.meta[name]}
            store.put(key, content, mode=version)
            return True

        try:
            return self._asked(path, replaced)
        except (_ChangedError, FileNotFoundError):
            return False

    @override
    def moves(self, files: Sequence[Move]) -> Iterator[bool]:
        """Copy one after the other; when all have their names, the sources are deleted."""
        for file in files:
            try:
                if file.size > _MAX_COPY_BYTES:
                    with self.open(file.source) as opened:
                        self._upload(file.target, opened, file.size)
                else:
                    target = _bucket_and_key(file.target)[1]
                    self._asked(file.source, lambda store, key: store.copy(key, target))  # noqa: B023 - at once
            except FileNotFoundError:
                yield False
            else:
                yield True
        with contextlib.suppress(OSError):
            self.delete(*(file.source for file in files))

    @override
    def delete(self, *paths: str) -> None:
        """Delete by one request, where there are several and the store can."""
        if len(paths) > 1:
            # What one request has not deleted, or not every store knows, is deleted one by one.
            with contextlib.suppress(BaseError, OSError, ValueError):
                store = self._connect(_bucket_and_key(paths[0])[0], 0)
                store.delete([_bucket_and_key(path)[1] for path in paths])
                return
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                self._asked(path, lambda store, key: store.delete(key))

    @override
    def list(self, directory: str, prefix: str = "") -> Iterator[StoredFile]:
        folder = directory.rstrip("/") + "/"
        return (file for file in self.below(folder + prefix) if "/" not in file.path.removeprefix(folder))

    @override
    def below(self, prefix: str) -> Iterator[StoredFile]:
        """Yield the objects whose URI begins so; a listing that breaks off is continued where it did."""
        root, wanted = _bucket_and_key(prefix)
        folder, after = wanted.rpartition("/")[0], wanted[:-1]
        retries = self._retries()
        while True:
            try:
                for found in itertools.chain.from_iterable(
                    self._connect(root, 0).list(folder or None, offset=after or None)
                ):
                    retries, after = self._retries(), found["path"]
                    if after.startswith(wanted):
                        yield _stored(f"{root}/{after}", found)
                    elif after > wanted:
                        return
                return
            except InvalidPathError:
                # One key with an empty part spoils a listing of a thousand.
                for file in self._by_folder(root, folder):
                    if file.path.startswith(prefix) and file.path > f"{root}/{after}":
                        yield file
                return
            except (BaseError, OSError, ValueError) as error:
                self._wait_and_retry(prefix, error, retries)

    def _by_folder(self, root: str, folder: str) -> Iterator[StoredFile]:
        """Yield the objects below a folder, listed folder by folder.

        obstore cannot read keys with an empty part (`folder//name`). A folder that has some gives one entry
        that ends in `//`, and the objects whose names come after a slash in ASCII.
        """
        try:
            listed = self._asked(
                f"{root}/{folder}", lambda store, key: store.list_with_delimiter(key or None)
            )
        except ValueError:
            yield StoredFile(f"{root}/{folder}//", None, None)
            start = f"{folder}/0"
            with contextlib.suppress(FileNotFoundError):
                yield self.stat(f"{root}/{start}")
            found = self._asked(
                f"{root}/{folder}",
                lambda store, key: [one for chunk in store.list(key or None, offset=start) for one in chunk],
            )
            yield from (_stored(f"{root}/{one['path']}", one) for one in found)
            return
        objects = {one["path"]: one for one in listed["objects"]}
        for path in sorted([*objects, *(f"{below}/" for below in listed["common_prefixes"])]):
            if path in objects:
                yield _stored(f"{root}/{path}", objects[path])
            else:
                yield from self._by_folder(root, path.rstrip("/"))

    @override
    def each(self, ask: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        with ThreadPoolExecutor(_QUESTIONS_AT_ONCE) as pool:
            pending: deque[Future[R]] = deque()
            for item in items:
                if len(pending) == _QUESTIONS_AT_ONCE:
                    yield pending.popleft().result()
                pending.append(pool.submit(ask, item))
            yield from (answer.result() for answer in pending)

    def _found(self, path: str) -> Any:
        return self._asked(path, lambda store, key: store.head(key))

    def _fetch(self, path: str, start: int, stop: int, *, tag: str | None) -> bytes:
        """Return the bytes [start, stop) of an object, of one version if `tag` names it."""
        options = {"range": (start, stop), **({"if_match": tag} if tag else {})}
        try:
            return self._asked(path, lambda store, key: bytes(store.get(key, options=options).bytes()))
        except (_ChangedError, FileNotFoundError) as fault:
            if tag is None:
                raise
            raise OSError(f"{path} changed while it was read") from fault

    def _upload(self, path: str, file: BinaryIO, size: int) -> None:
        """Create or replace an object, in parts if it is large."""
        in_parts = size > _PART_BYTES

        def put(store: Any, key: str) -> None:
            file.seek(0)
            content = file if in_parts else file.read()
            store.put(
                key, content, chunk_size=_PART_BYTES, max_concurrency=_PARTS_AT_ONCE, use_multipart=in_parts
            )

        try:
            self._asked(path, put, again=OBJECT_STORE.attempts - 1 if in_parts else 0)
        except FileNotFoundError:
            # An upload in parts that is over is no longer known: the answer to its end may have been lost.
            if not in_parts or self._found(path)["size"] != size:
                raise

    def _asked(self, path: str, request: Callable[[Any, str], T], *, again: int = 0) -> T:
        """Send a request, again where that may help; raises what `_fault` makes of obstore's errors."""
        root, key = _bucket_and_key(path)
        retries = self._retries()
        while True:
            try:
                return request(self._connect(root, again), key)
            except (BaseError, OSError, ValueError) as error:
                self._wait_and_retry(path, error, retries)

    def _retries(self) -> Retries:
        return Retries(OBJECT_STORE, jitter=self._jitter)

    def _wait_and_retry(self, path: str, error: Exception, retries: Retries) -> None:
        """Wait after a transient fault; raise any other, and the last one."""
        fault = _fault(path, error)
        if not isinstance(fault, TransientStorageError):
            raise fault from error
        self._sleep(retries.wait_after(fault))


class _Upload(tempfile.SpooledTemporaryFile[bytes]):
    """A file that is uploaded once it is closed."""

    def __init__(self, upload: Callable[[BinaryIO, int], None]) -> None:
        super().__init__(_PART_BYTES)
        self._upload = upload

    def close(self) -> None:
        if not self.closed:
            try:
                self._upload(cast(BinaryIO, self), self.seek(0, io.SEEK_END))
            finally:
                super().close()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Upload, unless the writing failed."""
        if kind is None:
            self.close()
        else:
            super().close()


def _fault(path: str, error: Exception) -> OSError | ValueError:
    """Return an error of obstore's as one that callers know, in one line."""
    why = re.split(r"\n|: <", str(error), maxsplit=1)[0]
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(f"{path}: no such object or bucket")
    if isinstance(error, AlreadyExistsError):
        return FileExistsError(path)
    if isinstance(error, PreconditionError):
        return _ChangedError(f"{path} is another than it was")
    if isinstance(error, PermissionError | PermissionDeniedError | UnauthenticatedError):
        return PermissionError(f"{path}: {why}")
    if isinstance(error, ValueError | InvalidPathError):
        return ValueError(f"not a name that a store can have: {path} ({why})")
    if _FINAL.search(str(error)):
        return PermissionError(f"{path}: no account, credentials or region in the environment ({why})")
    status = _STATUS.search(why)
    if status is None or int(status[1]) >= 500 or int(status[1]) in _TRANSIENT:
        return TransientStorageError(f"{path}: {why}")
    return OSError(f"{path}: {why}")


def _stored(path: str, found: Any) -> StoredFile:
    """Return an object as listings have it; Azure quotes the entity tags of answers, not of listings."""
    tag = (found["e_tag"] or "").strip('"')
    return StoredFile(path, found["size"], f'etag:"{tag}"' if tag else None)


def _bucket_and_key(path: str) -> tuple[str, str]:
    """Return the root of a URI, as `s3://bucket`, and its key."""
    scheme, _, rest = path.partition("://")
    bucket, _, key = rest.partition("/")
    return f"{scheme}://{bucket}", key


def _settings() -> tuple[tuple[str, str], ...]:
    names = ("AWS_", "AZURE_", "GOOGLE_")
    return tuple(sorted(item for item in os.environ.items() if item[0].startswith(names)))


@functools.lru_cache(maxsize=16)
def _connected(_process: int, settings: tuple[tuple[str, str], ...], root: str, *, again: int) -> Any:
    """Return obstore's store of a bucket, of a process and an environment; threads may share it."""
    bundle = dict(settings).get("AWS_CA_BUNDLE")
    options: dict[str, Any] = {
        "retry_config": {"max_retries": again},
        "client_options": {
            "allow_http": True,  # an endpoint that the environment names, never another
            "connect_timeout": timedelta(seconds=15),
            "read_timeout": timedelta(seconds=60),
            "timeout": timedelta(minutes=10),
            **({"root_certificate": Path(bundle).read_bytes()} if bundle else {}),
        },
    }
    if root.startswith("s3://") and "AWS_ACCESS_KEY_ID" not in dict(settings):
        options |= _profile()
        if not options.get("credential_provider") and dict(settings).keys().isdisjoint(_OTHER_CREDENTIALS):
            _ask_instance(dict(settings).get("AWS_METADATA_ENDPOINT", _METADATA))
    return from_url(root, **options)


_METADATA = "http://169.254.169.254"
_METADATA_SECONDS = 5.0
_OTHER_CREDENTIALS = (
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
)


def _ask_instance(endpoint: str) -> None:
    """Raise PermissionError if no machine of Amazon's answers: obstore would wait a minute."""
    import urllib3

    headers = {"X-aws-ec2-metadata-token-ttl-seconds": "60"}
    try:
        with urllib3.PoolManager(retries=False, timeout=_METADATA_SECONDS) as pool:
            pool.request("PUT", f"{endpoint.rstrip('/')}/latest/api/token", headers=headers)
    except urllib3.exceptions.HTTPError as error:
        raise PermissionError(
            "no account, credentials or region in the environment: set AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for a public bucket"
        ) from error


def _profile() -> dict[str, Any]:
    """Return the credentials of a user's profile or single sign-on, which boto3 reads if it is installed."""
    if importlib.util.find_spec("boto3") is None:
        return {}
    import boto3
    from obstore.auth.boto3 import Boto3CredentialProvider

    session = boto3.Session()
    known = session.get_credentials() is not None
    return {"credential_provider": Boto3CredentialProvider(session)} if known else {}
