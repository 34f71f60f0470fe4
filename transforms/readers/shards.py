"""Inputs split into shards, and the names of shards."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator

from cedar.transforms.files.http_options import is_web
from cedar.transforms.files.storage import StoredFile
from cedar.transforms.files.stores import storage_for
from cedar.transforms.model.records import Shard
from cedar.transforms.readers.kinds import kind_of
from cedar.transforms.readers.pages import is_folder
from cedar.transforms.warc.containers import COMPRESSION_SUFFIXES

_ARCHIVES = {*COMPRESSION_SUFFIXES, ".lz4", ".warc", ".arc", ".wat", ".wet", ".wacz"}
_STEM_SUFFIXES = _ARCHIVES | {".parquet", ".jsonl", ".ndjson", ".json", ".html", ".htm", ".xhtml"}
HIDDEN = ("_", ".")
"""How names begin that readers of data sets (Arrow, pandas, Spark, Hive) pass over in silence."""

_STEM_BYTES = 120


def shard_inputs(
    files: Iterable[StoredFile],
    split_size: int = 0,
    is_splittable: Callable[[StoredFile], bool | None] = lambda _: None,
) -> tuple[Shard, ...]:
    """Return the shards of `files`, in order; raise OSError where one cannot be read.

    Args:
        files: the inputs.
        split_size: bytes after which a file is split, if it can be; 0 = never. The last shard of a file takes
            the rest, up to half as much again. A file on a web server is never split: one request for all
            of a file is what servers ask for.
        is_splittable: tells whether a file can be split, where that is known without reading it; else None.
    """
    return tuple(
        Shard(
            shard_name(file.path, start, stop), file.path, file.size, file.version, start, stop, url=file.url
        )
        for file in files
        for start, stop in _ranges(file, split_size, is_splittable)
    )


def _ranges(
    file: StoredFile, split_size: int, is_splittable: Callable[[StoredFile], bool | None]
) -> Iterator[tuple[int, int | None]]:
    if file.size is None:
        yield 0, None
        return
    start = 0
    if split_size and file.size > split_size * 1.5:
        known = is_splittable(file)
        if not (_is_splittable(file, file.size) if known is None else known):
            split_size = file.size
        while file.size - start > split_size * 1.5:
            yield start, start + split_size
            start += split_size
    yield start, file.size


def _is_splittable(file: StoredFile, size: int) -> bool:
    if is_web(file.path) or is_folder(file.path):
        return is_folder(file.path)
    with storage_for(file.path).open(file.path) as opened:
        return kind_of(file.path).is_splittable(opened, size)


def shard_name(source: str, start: int, stop: int | None) -> str:
    """`<file name without suffixes>-<first 8 hex of sha256(source)>-<start>-<stop>`.

    In place of the stop stands `whole` for an input whose size is not known.

    Of a name that would not leave room for the rest within a file name, only the beginning is kept. An x
    stands in front of one that readers of data sets would pass over.
    """
    stem = source.rstrip("/").rpartition("/")[2]
    while (suffix := os.path.splitext(stem)[1].lower()) in _STEM_SUFFIXES:  # noqa: PTH122 - source may be a URI
        stem = stem[: -len(suffix)]
    stem = os.fsencode(stem)[:_STEM_BYTES].decode("utf-8", "ignore")
    if stem.startswith(HIDDEN):
        stem = f"x{stem}"
    end = "whole" if stop is None else f"{stop:012d}"
    return f"{stem}-{hashlib.sha256(os.fsencode(source)).hexdigest()[:8]}-{start:012d}-{end}"
