"""Leases: empty files whose lock says that their maker still lives.

The lock (flock) goes when its process does, however that ends. Where a file system has no locks, a lease says
nothing, and nothing that stands under it is ever taken for left over.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator


@contextlib.contextmanager
def lease(path: str) -> Iterator[None]:
    """Hold a lease on `path`: the file is there and locked, and gone afterwards. Raises OSError."""
    yield from _held(_locked(path), path)


@contextlib.contextmanager
def sole_lease(path: str, refusal: str) -> Iterator[None]:
    """Hold a lease on `path`; raise BlockingIOError where somebody else does, OSError."""
    try:
        descriptor = _locked(path, fcntl.LOCK_NB)
    except BlockingIOError as fault:
        raise BlockingIOError(errno.EWOULDBLOCK, refusal, path) from fault
    yield from _held(descriptor, path)


@contextlib.contextmanager
def ended_lease(path: str) -> Iterator[bool]:
    """Find out whether the holder of a lease is gone; within the context no one else finds out the same."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ended = _is_at(descriptor, path)
    except OSError:
        ended = False
    try:
        yield ended
    finally:
        os.close(descriptor)


def _held(descriptor: int, path: str) -> Iterator[None]:
    try:
        yield
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)  # noqa: PTH108 - paths are plain strings here
        os.close(descriptor)


def _locked(path: str, how: int = 0) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | how)
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError:
            pass  # there are no locks here
        # Between the two calls another process may have taken the file for left over.
        if _is_at(descriptor, path):
            return descriptor
        os.close(descriptor)


def _is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116 - as above
    except FileNotFoundError:
        return False
