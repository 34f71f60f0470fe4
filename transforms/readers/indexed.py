"""Captures of an archive's index, and where their records are among the inputs.

An index names files as its maker saw them, often by their last name alone. A file is the input whose path
ends with as much of that name as possible; what a WACZ holds is an input, too. The index inside a WACZ is of
the files of that WACZ.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from cedar.transforms.crawls.cdxj import Capture, read_captures
from cedar.transforms.crawls.manifest import SelectedRow
from cedar.transforms.files.input_kinds import WACZ_SUFFIX, InputError, has_suffix
from cedar.transforms.files.stores import StoredPath
from cedar.transforms.readers.wacz import WarcFiles, index_files


class _Place(NamedTuple):
    """A file that an index may name: its path in parts, the input that it is or is in, and its first byte."""

    parts: tuple[str, ...]
    source: str
    start: int


class IndexedFiles:
    """The files that an index may name, looked up by what it calls them.

    Raises OSError: a WACZ cannot be read.
    """

    def __init__(self, sources: Iterable[str], source_at: Callable[[str], StoredPath]) -> None:
        self._by_name: dict[str, list[_Place]] = {}
        for source in sources:
            parts = tuple(source.split("/"))
            if has_suffix(source, (WACZ_SUFFIX,)):
                with source_at(source).open() as file:
                    for name, start in WarcFiles.of(file).starts.items():
                        self._add(_Place((*parts, *name.split("/")), source, start))
            else:
                self._add(_Place(parts, source, 0))

    def _add(self, place: _Place) -> None:
        self._by_name.setdefault(place.parts[-1], []).append(place)

    def find(self, filename: str, within: str | None = None) -> _Place | None:
        """Return the file of a name, `within` an input if given; None if there is none.

        Raises InputError if several files could be meant.
        """
        parts = tuple(filename.split("/"))
        found = [p for p in self._by_name.get(parts[-1], ()) if within in (None, p.source)]
        longest = max((_shared_end(place.parts, parts) for place in found), default=0)
        best = [place for place in found if _shared_end(place.parts, parts) == longest]
        if len(best) > 1:
            first, second, *_ = ("/".join(place.parts) for place in best)
            raise InputError(f"{filename} of the index may be {first} or {second}: give one of them as input")
        return best[0] if best else None


def _shared_end(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return how many of the last parts of two paths are the same."""
    number = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        number += 1
    return number


def captures_of(index: StoredPath) -> Iterator[tuple[Capture, str | None]]:
    """Yield the captures of an index, and the WACZ that it is in, if it is; raises InputError, OSError."""
    with index.open() as file:
        if not has_suffix(index.path, (WACZ_SUFFIX,)):
            yield from ((capture, None) for capture in read_captures(file, index.path))
            return
        for name, opened in index_files(file):
            for capture in read_captures(opened, f"{index.path}, {name}"):
                yield capture, index.path


def indexed_rows(index: StoredPath, files: IndexedFiles, missing: Counter[str]) -> Iterator[SelectedRow]:
    """Yield where the records of an index are among the inputs, each once as it stands.

    Captures of files that are not there are counted in `missing` by the file's name.
    """
    for capture, wacz in captures_of(index):
        place = files.find(capture.filename, within=wacz)
        if place is None:
            missing[capture.filename] += 1
        else:
            yield SelectedRow(capture.url, place.source, place.start + capture.offset, capture.length)
