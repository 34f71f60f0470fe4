"""A folder for the temporary files of a run, deleted with it.

A run that is killed leaves its folder; the next run finds that its lease has ended, and deletes it.
"""

import atexit
import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cedar.transforms.files.local import ended_lease, lease

_PREFIX = "cedar-"
_JOB_SERVER = "beam-temp"
"""How the folders of Beam's job server begin."""
_LEASE = "lease"


@contextlib.contextmanager
def workspace() -> Iterator[Path]:
    """Make the folder, in which this process and those that it starts make all temporary files."""
    sweep_workspaces(Path(tempfile.gettempdir()))
    before, variable = tempfile.tempdir, os.environ.get("TMPDIR")
    with contextlib.ExitStack() as held:
        folder = _leased_folder(held)
        # What is left goes as the process ends, after what Beam does then: that was registered later.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        # Beam makes a folder for each pipeline, and takes it away only if it comes to its end.
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
        held.callback(_restore, folder, before, variable)
        yield folder


def _leased_folder(held: contextlib.ExitStack) -> Path:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        try:
            held.enter_context(lease(str(folder / _LEASE), makes_folder=False))
        except FileNotFoundError:
            # Another run has found the lease before it was locked, and deleted the folder.
            continue
        return folder


def _restore(folder: Path, before: str | None, variable: str | None) -> None:
    tempfile.tempdir = before
    if variable is None:
        os.environ.pop("TMPDIR", None)
    else:
        os.environ["TMPDIR"] = variable
    # Beam's job server takes its own folder away as the process ends, and complains if it is gone by then.
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(_JOB_SERVER):
            shutil.rmtree(entry.path, ignore_errors=True)
        elif not entry.name.startswith(_JOB_SERVER):
            with contextlib.suppress(OSError):
                Path(entry.path).unlink()
    with contextlib.suppress(OSError):
        folder.rmdir()


def sweep_workspaces(directory: Path) -> None:
    """Delete the folders in `directory` of runs that are gone."""
    for entry in os.scandir(directory):
        if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
            with ended_lease(f"{entry.path}/{_LEASE}") as ended:
                if ended:
                    shutil.rmtree(entry.path, ignore_errors=True)
