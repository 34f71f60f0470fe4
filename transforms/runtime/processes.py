"""Starting another Python: it imports from where this one does, and nothing from the current directory."""

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_OURS = Path(__file__).resolve().parents[2]
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # mallopt(3)


def child_environment() -> dict[str, str]:
    """Return the environment for another Python."""
    return {**os.environ, **_safe_path()}


@contextlib.contextmanager
def safe_starts() -> Iterator[None]:
    """Have what `multiprocessing` starts within begin with `child_environment`."""
    safe = _safe_path()
    before = {name: os.environ.get(name) for name in safe}
    os.environ.update(safe)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _safe_path() -> dict[str, str]:
    # As -P, for the children's children, too.
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(import_path())}


def import_path() -> list[str]:
    """`sys.path` without the current directory and without what PYTHONPATH names relative to it.

    The current directory stays if PYTHONPATH names it by its absolute path, or if Cedar is imported from it.
    """
    # An empty entry is the current directory. At its start Python makes all of them absolute.
    given = [Path(entry) for entry in ("", *os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    named = {entry.resolve() for entry in given if entry.is_absolute()}
    unsafe = {entry.resolve() for entry in given if not entry.is_absolute()} - named - {_OURS}
    return [entry for entry in sys.path if Path(entry).is_absolute() and Path(entry).resolve() not in unsafe]


def keep_freed_memory() -> None:
    """Have glibc keep freed memory for later requests: each 4 KiB from the system cost a page fault.

    As if `MALLOC_TRIM_THRESHOLD_` and `MALLOC_MMAP_THRESHOLD_` were set; other C libraries are left alone.
    """
    with contextlib.suppress(AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_TRIM_THRESHOLD, 64 << 20)
        mallopt(_M_MMAP_THRESHOLD, 32 << 20)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
