"""The store of a path, and files with the store that reaches them."""

import contextlib
import gzip
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from cedar.transforms.files.http_options import is_web, without_secrets
from cedar.transforms.files.local import LocalStorage, whole_file
from cedar.transforms.files.storage import Storage, StoredFile, StoreMissingError, is_uri

if TYPE_CHECKING:
    from cedar.transforms.files.http_client import Web


def storage_for(path: str, web: "Web | None" = None) -> Storage:
    """Return the store that reaches a path or URI; raise StoreMissingError if no store does.

    Requests to web servers are sent by `web`, or by one of its own that asks as is usual.
    """
    if is_web(path):
        from cedar.transforms.files.http_client import Web
        from cedar.transforms.files.http_file import HttpStorage

        return HttpStorage(web or Web())
    if not is_uri(path):
        return LocalStorage()
    scheme, _, rest = without_secrets(path).partition("://")
    hint = ""
    if scheme not in _SCHEMES:
        hint = _INSTEAD.get(scheme.lower(), f"write a path, or {', '.join(f'{one}://' for one in _SCHEMES)}")
    elif ":" in path.partition("://")[2].partition("/")[0].rpartition("@")[0]:
        hint = "leave out the password: credentials are taken from the environment"
    if hint:
        place = f"{scheme}://{rest.partition('/')[0]}"
        raise StoreMissingError(f"not a place that can be reached: {place} ({hint})")
    from cedar.transforms.files.object_stores import ObjectStorage

    return ObjectStorage()


_SCHEMES = ("s3", "gs", "az", "abfs", "abfss")

_INSTEAD = {
    "s3a": "write it as s3://",
    "s3n": "write it as s3://",
    "gcs": "write it as gs://",
    "wasb": "write it as az://container/path",
    "wasbs": "write it as az://container/path",
    "hdfs": "mount it, or copy the files to a disk or an object store",
    "viewfs": "mount it, or copy the files to a disk or an object store",
}


@dataclass(frozen=True, slots=True)
class StoredPath:
    """An absolute path or a URI, where a file may be, and the store that reaches it; raises OSError."""

    path: str
    storage: Storage

    def __str__(self) -> str:
        """Return the path."""
        return self.path

    def open(self) -> BinaryIO:
        """Open for reading, as stored."""
        return self.storage.open(self.path)

    def open_range(self, start: int, stop: int) -> BinaryIO:
        """Open a range for reading, at its start."""
        return self.storage.open_range(self.path, start, stop)

    def tail(self, size: int) -> tuple[bytes, StoredFile]:
        """Return the last bytes, perhaps fewer, and the file as a listing has it."""
        return self.storage.tail(self.path, size)

    def stat(self) -> StoredFile:
        """Return the file as a listing has it; `FileNotFoundError` if it does not exist."""
        return self.storage.stat(self.path)

    def stat_open(self, file: BinaryIO) -> StoredFile:
        """Return as `stat` does the file that was opened."""
        return self.storage.stat_open(self.path, file)

    def exists(self) -> bool:
        """Tell whether it is there."""
        try:
            self.storage.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def read(self) -> bytes:
        """Return the content; raise FileNotFoundError where it is not there."""
        content = self.storage.read(self.path)
        if content is None:
            raise FileNotFoundError(self.path)
        return content

    def write(self, content: bytes) -> None:
        """Create or replace it."""
        with self.writing() as file:
            file.write(content)

    @contextlib.contextmanager
    def writing(self, *, tidy: bool = False) -> Iterator[BinaryIO]:
        """Give a file to be written that takes this one's place at the end, but not after a fault.

        With `tidy`, what killed writers of it have left beside it on a local disk is deleted.
        """
        if is_uri(self.path):
            with self.storage.create(self.path) as file:
                yield file
        else:
            with whole_file(Path(self.path), tidy=tidy) as staged, staged.open("wb") as file:
                yield file

    def delete(self) -> None:
        """Delete it, if it is there."""
        self.storage.delete(self.path)


def read_small(input_: StoredPath, max_bytes: int) -> bytes:
    """Read a list or another file that is small by its nature; raise OSError if it is larger."""
    with input_.open() as file:
        data = file.read(max_bytes + 1)
    return _held(data, max_bytes)


def inflated(data: bytes, max_bytes: int) -> bytes:
    """Return what gzip packed, or `data` itself if it is not gzip's.

    Raises OSError, EOFError or zlib.error for a damaged or cut file, or one of more than `max_bytes`.
    """
    if data[:2] != b"\x1f\x8b":
        return data
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        return _held(file.read(max_bytes + 1), max_bytes)


def json_object(text: bytes | str | None) -> dict[str, Any] | None:
    """Return the JSON object that a text is; None where it is not one."""
    try:
        try:
            found = json.loads(text or b"")
        except json.JSONDecodeError:
            return None
        except ValueError:  # an integer of more digits than Python reads
            found = json.loads(text or b"", parse_int=float)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _held(data: bytes, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise OSError(f"larger than {max_bytes >> 20} MiB")
    return data


def source_for(source: str, web: "Web | None" = None) -> StoredPath:
    """Return an input and the store that reaches it; raise StoreMissingError if no store does."""
    place = source if web is None else web.options.place_of(source)
    return StoredPath(place, storage_for(place, web))


def delete_below(directory: str, part: str = "") -> None:
    """Delete the files below a directory whose names hold `part`, and folders left empty; raise OSError."""
    storage = storage_for(directory)
    storage.delete(*(f.path for f in storage.below(f"{directory}/") if part in f.path.rpartition("/")[2]))
    for folder, *_ in () if is_uri(directory) else os.walk(directory, topdown=False):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
