"""Files on the file systems that pyarrow reaches: `hdfs://`, `viewfs://`, `abfs://`, ...

They rename, but none of them creates a file only if it is absent in one step.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

import pyarrow as pa
from pyarrow import fs

from transforms.corpus.storage import StoredFile, StoreMissingError


@dataclass(frozen=True, slots=True)
class ArrowStorage:
    """The files below the root of one file system.

    Attributes:
        root: what their URIs begin with, a slash at its end.
        system: the file system.
        base: what the paths that it knows them by begin with.
    """

    root: str
    system: Any
    base: str = "/"

    def open(self, path: str) -> BinaryIO:
        """Open for reading, as stored."""
        return cast(BinaryIO, self.system.open_input_file(self._inner(path)))

    def open_range(self, path: str, start: int, stop: int) -> BinaryIO:  # noqa: ARG002 - nothing is read ahead
        """Open for reading, at a byte."""
        file = self.open(path)
        file.seek(start)
        return file

    def stat(self, path: str) -> StoredFile:
        """Size and time of change."""
        info = self._info(path)
        if info.type != fs.FileType.File:
            raise FileNotFoundError(f"no such file: {path}")
        return self._file(info)

    def create(self, path: str) -> BinaryIO:
        """Create or replace a file."""
        self._make_directory(path)
        return cast(BinaryIO, self.system.open_output_stream(self._inner(path), compression=None))

    def read(self, path: str) -> bytes | None:
        """Return the whole content, or None."""
        try:
            with self.open(path) as file:
                return file.read()
        except FileNotFoundError:
            return None

    def create_if_absent(self, staged: str, final: str) -> bool:
        """Check for existence, then rename: weaker than elsewhere."""
        if self._exists(final):
            return False
        if not self.move(staged, final):
            raise FileNotFoundError(staged)
        return True

    def move(self, source: str, target: str) -> bool:
        """Rename."""
        if not self._exists(source):
            return False
        self._make_directory(target)
        self.delete(target)
        self.system.move(self._inner(source), self._inner(target))
        return True

    def delete(self, path: str) -> None:
        """Delete a file."""
        with contextlib.suppress(FileNotFoundError):
            self.system.delete_file(self._inner(path))

    def list(self, directory: str) -> Iterator[StoredFile]:
        """Yield the files directly in `directory`."""
        return self._selected(directory.rstrip("/"), deep=False)

    def below(self, prefix: str) -> Iterator[StoredFile]:
        """Yield the files whose URI begins so; the directory that it stands in is searched."""
        for file in self._selected(prefix.rpartition("/")[0], deep=True):
            if file.path.startswith(prefix):
                yield file

    def lease(self, path: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """Nothing: there are no locks."""
        return contextlib.nullcontext()

    def ended_lease(self, path: str) -> AbstractContextManager[bool]:  # noqa: ARG002
        """Nobody can tell."""
        return contextlib.nullcontext(False)

    def _selected(self, directory: str, *, deep: bool) -> Iterator[StoredFile]:
        """Yield the files in a directory in order of their names."""
        selector = fs.FileSelector(self._inner(directory), allow_not_found=True, recursive=deep)
        infos = (info for info in self.system.get_file_info(selector) if info.type == fs.FileType.File)
        yield from sorted(map(self._file, infos), key=lambda file: file.path)

    def _inner(self, path: str) -> str:
        return self.base + path.removeprefix(self.root.rstrip("/")).lstrip("/")

    def _file(self, info: Any) -> StoredFile:
        path = self.root + info.path.removeprefix(self.base)
        return StoredFile(path, info.size, None if info.mtime_ns is None else f"mtime:{info.mtime_ns}")

    def _info(self, path: str) -> Any:
        return self.system.get_file_info(self._inner(path))

    def _exists(self, path: str) -> bool:
        return bool(self._info(path).type != fs.FileType.NotFound)

    def _make_directory(self, path: str) -> None:
        self.system.create_dir(self._inner(path.rpartition("/")[0]), recursive=True)


def arrow_storage(path: str) -> ArrowStorage:
    """Return what reaches a URI.

    Raises:
        StoreMissingError: nothing does, or what is needed is not installed.
        OSError: it cannot be reached.
    """
    scheme, _, rest = path.partition("://")
    return _storage_at(f"{scheme}://{rest.partition('/')[0]}/")


@functools.lru_cache(maxsize=8)
def _storage_at(root: str) -> ArrowStorage:
    """Return the storage of a host: a connection is made once."""
    scheme = root.partition("://")[0]
    try:
        system, base = fs.FileSystem.from_uri(root)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise StoreMissingError(
            f"not a place that can be reached: {root} (write a path, or s3://, gs://, hdfs:// or abfs://)"
        ) from error
    except OSError as fault:
        # The message has a line for each place where a library was looked for.
        why = str(fault).partition("\n")[0]
        raise StoreMissingError(
            f"{scheme}:// cannot be reached: {why}" + (_HDFS if "lib" in why else "")
        ) from fault
    return ArrowStorage(root, system, base.rstrip("/") + "/")


_HDFS = " (hdfs:// needs Hadoop and Java: set HADOOP_HOME, JAVA_HOME and CLASSPATH)"
