"""Inputs and shards: what there is to read, and the pieces that it is read in."""

from __future__ import annotations

import contextlib
import glob
import gzip
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from transforms.corpus.storage import LocalStorage, StoredFile, filesystems, is_uri, storage_for, stored_file
from transforms.model.records import Shard
from transforms.warc.reader import is_splittable

ARCHIVE_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
"""Names that a directory is searched for; a file that is named itself may be called anything."""

UNFINISHED_SUFFIXES = (".open", ".tmp", ".part")
"""Names that writers give to files that are not whole yet; so are names that begin with a dot."""

_STEM_SUFFIXES = frozenset({".gz", ".zst", ".warc", ".arc", ".wat", ".wet", ".lz4"})
HIDDEN = ("_", ".")
"""How names begin that readers of data sets (Arrow, pandas, Spark, Hive) pass over in silence."""

_STEM_BYTES = 120
_GLOB_CHARACTERS = frozenset("*?[")


class InputError(ValueError):
    """An input that cannot be read as the user asked; the message says what to do."""


def list_inputs(
    inputs: Iterable[str],
    *,
    prefix: str = "",
    lines: tuple[int, int | None] = (0, None),
    exclude: str | None = None,
    arriving: bool = False,
) -> tuple[StoredFile, ...]:
    """The files that `inputs` name, each once, in the order of the arguments.

    Args:
        inputs: files, globs, directories (searched recursively for `ARCHIVE_SUFFIXES`), `@list` files
            (a path a line, perhaps gzipped), or URIs of these.
        prefix: put in front of each line of a list.
        lines: half-open range of a list's lines.
        exclude: a directory that is not searched (the output).
        arriving: files may still come and go: what matches nothing now is no fault, names of files that
            are not whole yet are passed over, and whether a file can be read is found out when it is.

    Raises:
        InputError: an input matches nothing, or a file cannot be read.
    """
    found: dict[str, StoredFile] = {}
    for argument in inputs:
        for path in _listed(argument, prefix, lines) if argument.startswith("@") else (argument,):
            for file in _arriving(path, exclude) if arriving else _matches(path, exclude):
                found.setdefault(file.path, file)
    return tuple(found.values())


def is_unfinished(path: str) -> bool:
    """Whether the name says that somebody is still writing the file."""
    name = path.rpartition("/")[2]
    return name.startswith(".") or name.lower().endswith(UNFINISHED_SUFFIXES)


def shard_inputs(files: Iterable[StoredFile], split_size: int = 0) -> tuple[Shard, ...]:
    """The shards of `files`, in order.

    Args:
        files: the inputs.
        split_size: bytes after which a file is cut, if it can be; 0 = never. The last shard of a file takes
            what is left, up to half as much again.

    Raises:
        OSError: a file cannot be read.
    """
    return tuple(
        Shard(shard_name(file.path, start, stop), file.path, file.size, file.version, start, stop)
        for file in files
        for start, stop in _ranges(file, split_size)
    )


def _ranges(file: StoredFile, split_size: int) -> Iterator[tuple[int, int]]:
    """The half-open ranges that a file is cut into."""
    start = 0
    if split_size and file.size > split_size * 1.5:
        with storage_for(file.path).open(file.path) as opened:
            if is_splittable(opened, file.size):
                while file.size - start > split_size * 1.5:
                    yield start, start + split_size
                    start += split_size
    yield start, file.size


def shard_name(source: str, start: int, stop: int) -> str:
    """`<file name without suffixes>-<first 8 hex of sha256(source)>-<start>-<stop>`.

    Of a name that would not leave room for the rest within a file name, only the beginning is kept. An x
    stands in front of one that readers of data sets would pass over.
    """
    stem = source.rpartition("/")[2]
    while (suffix := os.path.splitext(stem)[1].lower()) in _STEM_SUFFIXES:  # noqa: PTH122 - source may be a URI
        stem = stem[: -len(suffix)]
    stem = os.fsencode(stem)[:_STEM_BYTES].decode("utf-8", "ignore")
    if stem.startswith(HIDDEN):
        stem = f"x{stem}"
    return f"{stem}-{hashlib.sha256(os.fsencode(source)).hexdigest()[:8]}-{start:012d}-{stop:012d}"


def names_of(shard: str) -> tuple[str, ...]:
    """The names that a shard may be committed under: its own, and what 0.1.0 called it if that is another.

    Args:
        shard: its name, or the beginning of it.
    """
    return (shard, shard[1:]) if shard[:1] == "x" and shard[1:2] in HIDDEN else (shard,)


def _listed(argument: str, prefix: str, lines: tuple[int, int | None]) -> Iterator[str]:
    path = argument[1:]
    try:
        data = _read_list(path)
    except OSError as fault:
        raise InputError(f"cannot read the list {path}: {fault.strerror or fault}") from fault
    try:
        names = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"the list {path} is no text: give a file with a path a line") from error
    entries = [name.strip() for name in names if name.strip()]
    chosen = entries[lines[0] : lines[1]]
    if not chosen:
        raise InputError(f"the list {path} has {len(entries)} lines, none of them in the slice")
    yield from (prefix + name for name in chosen)


def _read_list(path: str) -> bytes:
    if is_uri(path):
        from transforms.corpus.storage import BeamStorage

        data = BeamStorage().read(path)
        if data is None:
            raise FileNotFoundError(f"no such file: {path}")
    else:
        data = Path(path).read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def _matches(path: str, exclude: str | None) -> Iterator[StoredFile]:
    files = list(
        _remote_matches(path) if is_uri(path) else (_checked(p) for p in _local_paths(path, exclude))
    )
    if not files:
        if not is_uri(path) and Path(path).is_dir():
            raise InputError(f"no {' '.join(ARCHIVE_SUFFIXES)} file below {path}")
        raise InputError(f"nothing matches {path}: check the path, or quote the glob")
    yield from files


def _arriving(path: str, exclude: str | None) -> Iterator[StoredFile]:
    if is_uri(path):
        yield from (file for file in _remote_matches(path) if not is_unfinished(file.path))
        return
    storage = LocalStorage()
    for found in _local_paths(path, exclude):
        # Between the listing and the question a file may have got its final name.
        with contextlib.suppress(FileNotFoundError):
            if not is_unfinished(found) and Path(found).is_file():
                yield storage.stat(found)


def _local_paths(path: str, exclude: str | None) -> Iterator[str]:
    path = os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow links, and the name would change
    if os.path.lexists(path):
        paths: Iterable[str] = (path,)
    elif _GLOB_CHARACTERS & set(path):
        paths = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - keeps the order and the spelling
    else:
        paths = ()
    for found in paths:
        if Path(found).is_dir():
            yield from _below(found, exclude)
        else:
            yield found


def _below(directory: str, exclude: str | None) -> Iterator[str]:
    for parent, directories, files in os.walk(directory):
        directories[:] = sorted(
            d for d in directories if f"{parent}/{d}" != exclude and not d.startswith(".")
        )
        for name in sorted(files):
            if name.lower().endswith(ARCHIVE_SUFFIXES) and not name.startswith("."):
                yield f"{parent}/{name}"


def _checked(path: str) -> StoredFile:
    try:
        # Asked before it is opened: opening a pipe would wait for ever.
        if not Path(path).is_file() and Path(path).exists():
            raise InputError(f"{path} is no file")
        with LocalStorage().open(path) as file:
            stat = os.fstat(file.fileno())
    except OSError as fault:
        raise InputError(f"cannot read {path}: {fault.strerror}") from fault
    return StoredFile(path, stat.st_size, f"mtime:{stat.st_mtime_ns}")


def _remote_matches(path: str) -> Iterator[StoredFile]:
    from apache_beam.io.filesystem import BeamIOError

    directory = path.endswith("/")
    try:
        (result,) = filesystems().match([f"{path}**" if directory else path])
    except (BeamIOError, ValueError) as error:
        raise InputError(f"cannot list {path}: {error}") from error
    for metadata in result.metadata_list:
        if not directory or metadata.path.lower().endswith(ARCHIVE_SUFFIXES):
            yield stored_file(metadata)
