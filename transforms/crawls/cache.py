"""Small files that were looked up, kept in the user's cache; each is replaced whole."""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from cedar.transforms.files.local import whole_file

FOREVER = float("inf")


def default_directory() -> Path:
    """`$XDG_CACHE_HOME/cedar/crawls`, or below `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    return Path(base) / "cedar" / "crawls"


class Cache:
    """Files by the URIs that they were read from. One that cannot be kept is read again each time."""

    def __init__(self, directory: Path, now: Callable[[], float] = time.time) -> None:
        self._directory = directory
        self._now = now

    def get(self, uri: str, longest: float) -> bytes | None:
        """Return what was kept at most `seconds` ago, or None."""
        path = self._path(uri)
        with contextlib.suppress(OSError):
            if self._now() - path.stat().st_mtime <= longest:
                return path.read_bytes()
        return None

    def put(self, uri: str, data: bytes) -> None:
        """Keep a file."""
        path = self._path(uri)
        with contextlib.suppress(OSError):
            moment = self._now()
            with whole_file(path) as staged:
                staged.write_bytes(data)
                os.utime(staged, (moment, moment))

    def _path(self, uri: str) -> Path:
        name = uri.rpartition("/")[2]
        return self._directory / f"{hashlib.sha256(uri.encode()).hexdigest()[:16]}-{name}"
