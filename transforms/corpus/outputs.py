"""Where an output may not be: nothing is ever written over, into or around an input.

A command that writes a directory asks `refuse_overlap` (`extract`: `refuse_own_files`) and
`refuse_other_result`; one that writes a file asks `refuse_overwriting`, `refuse_foreign_file`, and
`refuse_inside` if it also writes a directory.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cedar.transforms.corpus.errors import CorpusError
from cedar.transforms.corpus.layout import FILE_KINDS
from cedar.transforms.files.local import SharedLease, read_ends
from cedar.transforms.files.places import lies_in, relation
from cedar.transforms.files.storage import Storage, cannot_write, is_uri

LOCK = "_lock"
"""The file that runs lock while they write to a place of output."""

_RESULTS = {
    "corpus.json": "a corpus",
    "dedup.json": "a result of cedar dedup",
    "export.json": "a data set of cedar export",
    "browse.js": "a site of cedar browse",
}
"""What a directory is, by a file in it."""

_END_BYTES = 8192

_CORPUS_FILES = ("corpus.json", "dedup.json", "run.json")
"""What Cedar writes directly into a corpus, or a result of `cedar dedup`."""


@contextlib.contextmanager
def exclusive_output(root: str, what: str) -> Iterator[None]:
    """Keep other runs out of a place of output; raises as `held_output`."""
    with held_output(root, what, alone=True):
        yield


@contextlib.contextmanager
def held_output(root: str, what: str, *, alone: bool) -> Iterator[Callable[[], None]]:
    """Hold a place of output, which is made if need be: several runs may hold it together, or one `alone`.

    Yields a function that lets other runs in, if this one began `alone`. `what` is the place to hold, in
    words; in stores nothing is held. Raises CorpusError if the place cannot be written, BlockingIOError if
    another run holds it, and one of the two is to be `alone`. Directories that were made for it go again if
    they are empty at the end, as after a refusal.
    """
    if is_uri(root):
        yield lambda: None
        return
    try:
        made = [folder for folder in (Path(root), *Path(root).parents) if not folder.exists()]
        Path(root).mkdir(parents=True, exist_ok=True)
        refusal = f"another run is at work on this {what}; wait until it has ended"
        lease = SharedLease(f"{root}/{LOCK}", refusal, alone=alone)
    except BlockingIOError:
        raise
    except OSError as fault:
        if isinstance(fault, FileExistsError) and Path(root).is_file():
            raise CorpusError(f"{root} is a file: choose another --output") from fault
        raise CorpusError(cannot_write(root, fault)) from fault
    try:
        yield lease.share
    finally:
        lease.release()
        with contextlib.suppress(OSError):  # they hold something
            for folder in made:
                folder.rmdir()


def refuse_overlap(output: str, inputs: Iterable[str]) -> None:
    """Raise CorpusError for an output that is, holds or lies in an input, through any links."""
    for read in inputs:
        found = relation(output, read)
        if found is not None:
            named = "an input" if read == output else f"the input {read}"
            raise CorpusError(f"{output} {found} {named}: choose another --output")


def refuse_own_files(output: str, inputs: Iterable[str]) -> None:
    """Raise CorpusError for inputs among the rows of the output, which would change while they are read."""
    rows = [f"{output}/{kind}" for kind in FILE_KINDS]
    # A crawl has thousands of files in one folder.
    folders = {path.rpartition("/")[0]: path for path in inputs if is_uri(path) == is_uri(output)}
    for folder, path in folders.items():
        if any(lies_in(folder, own) for own in rows):
            raise CorpusError(f"{path} is part of the output {output}: choose another --output")


def refuse_overwriting(file: str, inputs: Iterable[str], *, is_folder: bool = False) -> None:
    """Raise CorpusError for a file of output that would take the place of an input, or of a part of one.

    Unless it is a folder, what `refuse_special` refuses is refused, too. Inputs are files, directories and
    URIs; corpora may have other files directly in them.
    """
    for read in inputs:
        if is_uri(read) or not lies_in(file, read):
            continue
        folder, name = os.path.split(os.path.realpath(file))
        is_beside = relation(folder, read) == "is" and name not in _CORPUS_FILES
        if is_beside and any(os.path.exists(f"{read}/{own}") for own in _CORPUS_FILES):  # noqa: PTH110
            continue
        found = "is" if relation(file, read) == "is" else "lies in"
        named = "an input" if read == file else f"the input {read}"
        raise CorpusError(f"{file} {found} {named}: choose another name")
    if not is_folder:
        refuse_special(file)


def refuse_other_result(storage: Storage, root: str, own: str) -> None:
    """Raise CorpusError if a directory without the file `own` is a result of Cedar's of another kind."""
    for name, what in _RESULTS.items():
        if name != own and storage.read(f"{root}/{name}") is not None:
            raise CorpusError(f"{root} is {what}: choose another --output")


def refuse_foreign_file(file: str, mark: bytes) -> None:
    """Raise CorpusError if a file is there that lacks the mark near the start or end of Cedar's own files."""
    try:
        ends = read_ends(file, _END_BYTES)
    except OSError:  # none is there, or the attempt to write will name the fault
        return
    if ends and mark not in ends:
        raise foreign_file(file)


def foreign_file(file: str) -> CorpusError:
    """Return the refusal to write over a file of somebody else."""
    return CorpusError(f"{file} is there, and Cedar did not write it: choose another name")


def refuse_inside(file: str, output: str) -> None:
    """Raise CorpusError if a file lies in a directory of output."""
    if not is_uri(output) and lies_in(file, output):
        raise CorpusError(f"{file} lies in the output {output}: choose another name")


def refuse_special(file: str) -> None:
    """Raise CorpusError where anything but a regular file is: a new file would take its place.

    Links are not followed: what they lead to, as `/proc/self/fd/1` does, may be a pipe or have no name.
    """
    try:
        mode = os.lstat(file).st_mode
    except OSError:  # nothing is there, or the attempt to write will name the fault
        return
    if not stat.S_ISREG(mode):
        found = "a link" if stat.S_ISLNK(mode) else "not a regular file"
        raise CorpusError(f"{file} is {found}: name a file")
