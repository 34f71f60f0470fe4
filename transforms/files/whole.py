"""Files that are there whole or not at all, on a disk of this machine or in a store."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from transforms.files.local import whole_file
from transforms.files.storage import Storage, is_uri
from transforms.files.stores import storage_for


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file at an absolute path or a URI, which need not be there. All methods raise OSError."""

    path: str

    def __str__(self) -> str:
        """Return the path."""
        return self.path

    @property
    def storage(self) -> Storage:
        """What reaches it."""
        return storage_for(self.path)

    def exists(self) -> bool:
        """Whether it is there."""
        try:
            self.storage.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def open(self) -> BinaryIO:
        """Open for reading; raise FileNotFoundError where it is not there."""
        return self.storage.open(self.path)

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
    def writing(self) -> Iterator[BinaryIO]:
        """Give a file to be written that takes this one's place at the end, but not after a fault."""
        if is_uri(self.path):
            with self.storage.create(self.path) as file:
                yield file
        else:
            with whole_file(Path(self.path)) as staged, staged.open("wb") as file:
                yield file

    def delete(self) -> None:
        """Delete it, if it is there."""
        self.storage.delete(self.path)


def delete_below(directory: str, suffix: str = "") -> None:
    """Delete the files of a store below a directory whose names end so; raise OSError."""
    from transforms.files.stores import remote_storage_for

    storage = remote_storage_for(directory)
    storage.delete(*(file.path for file in storage.below(f"{directory}/") if file.path.endswith(suffix)))
