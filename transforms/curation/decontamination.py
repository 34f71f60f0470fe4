"""Pages that contain passages of benchmarks: runs of words that both have (Brown et al. 2020, appendix C).

The runs of all benchmarks are sorted hashes in files that workers map into memory, so that they share them.
"""

import codecs
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cedar.transforms.curation import _tokens
from cedar.transforms.curation.rules import RuleFailure
from cedar.transforms.files.places import absolute
from cedar.transforms.files.storage import raised_as
from cedar.transforms.files.stores import inflated, read_small, source_for

_JSON_LINES = (".jsonl", ".ndjson", ".json")
_MAX_BYTES = 1 << 30
"""Bytes of a benchmark's file, packed or inflated."""

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_ARRAYS = ("runs", "files", "lines")


@dataclass(frozen=True, slots=True)
class BenchmarkFile:
    """A file of passages: fields of JSON lines, or plain text, a passage per line."""

    path: str
    fields: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return self.path.rpartition("/")[2]

    def passages(self) -> Iterator[tuple[int, str]]:
        """Yield its passages, each with the number of its line, from 1.

        Raises ValueError, in one line: it cannot be read, a line has none of the fields, or no line has one.
        """
        said = f"cannot read the benchmark {self.path}"
        with raised_as(ValueError, OSError, EOFError, ValueError, saying=said, short=True):
            data = inflated(read_small(source_for(absolute(self.path)), _MAX_BYTES), _MAX_BYTES)
            lines = _decoded(data).split("\n")
        without_text = set(self.fields)
        for number, line in enumerate(lines, 1):
            if self.fields and line.strip():
                for field, passage in self._fields_of(number, line):
                    without_text.discard(field)
                    yield number, passage
            elif line.strip():
                yield number, line
        if without_text:
            raise ValueError(f"{self.path}: no line has text in {','.join(sorted(without_text))}")

    def _fields_of(self, number: int, line: str) -> list[tuple[str, str]]:
        """Return the texts of a line, each with its field; a field may be a list of texts."""
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise ValueError(f"{self.path}, line {number}, is not JSON: {fault}") from fault
        fields = item if isinstance(item, dict) else {}
        found = [(name, text) for name in self.fields for text in _texts(fields.get(name))]
        if not found:
            known = ", ".join(name for name, value in fields.items() if _texts(value))
            asked = ",".join(self.fields)
            raise ValueError(f"{self.path}, line {number}, has no text in {asked}: it has {known}")
        return found


def _texts(value: object) -> list[str]:
    """Return the text that a value is, or those in a list."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _decoded(data: bytes) -> str:
    """Return the text of a file; raise ValueError for other encodings than UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError("it is UTF-16: write it in UTF-8")
    return data.removeprefix(codecs.BOM_UTF8).decode()


def benchmark_file(text: str) -> BenchmarkFile:
    """Read `FILE` or `FILE:FIELD,FIELD`; raise ValueError for JSON lines without fields."""
    path, colon, names = text.rpartition(":")
    if not colon or "/" in names or Path(text).exists():
        path, names = text, ""
    is_json = path.removesuffix(".gz").endswith(_JSON_LINES)
    if is_json and not names:
        raise ValueError(f"{path} is JSON lines: name the fields to look at, as {path}:question,answer")
    if names and not is_json:
        raise ValueError(f"{path} is plain text: leave out the fields {names}")
    return BenchmarkFile(path, tuple(names.split(",")) if names else ())


@dataclass(frozen=True, slots=True)
class Benchmarks:
    """The runs of benchmarks, in files of a folder of this machine.

    Attributes:
        names: the names of their files.
        words: words of a run.
        short: passages that are shorter than a run, and not looked for.
        common: runs on so many pages were taken out; None = none were.
    """

    folder: str
    names: tuple[str, ...]
    words: int
    digest: str
    short: int = 0
    common: int | None = None

    @property
    def identity(self) -> str:
        """The identity that a corpus is pinned to."""
        common = "" if self.common is None else f", on fewer than {self.common} pages"
        return f"{','.join(self.names)} {self.digest}: {self.words} words{common}"


def gather_benchmarks(files: Sequence[BenchmarkFile], words: int, folder: Path) -> Benchmarks:
    """Write the runs of benchmarks into a folder, each with its first place; raise ValueError."""
    runs, file_numbers, lines, short = [], [], [], 0
    for file_number, file in enumerate(files):
        for line, passage in file.passages():
            found = runs_of(passage, words)
            short += not found.size
            runs.append(found)
            file_numbers.append(np.full(found.size, file_number, np.uint16))
            lines.append(np.full(found.size, line, np.uint32))
    every, first = np.unique(np.concatenate([np.empty(0, np.uint64), *runs]), return_index=True)
    if not every.size:
        named = ", ".join(file.path for file in files)
        raise ValueError(f"{named}: no passage has {words} words: write a smaller --decontaminate-words")
    digest = hashlib.blake2b(every.tobytes(), digest_size=8).hexdigest()
    benchmarks = Benchmarks(str(folder), tuple(file.name for file in files), words, digest, short)
    _save(benchmarks, (every, np.concatenate(file_numbers)[first], np.concatenate(lines)[first]))
    return benchmarks


def without_common(benchmarks: Benchmarks, texts: Iterable[str], pages: int) -> Benchmarks:
    """Remove runs that this many texts or more have: licences, quotations, boilerplate."""
    arrays = _load(benchmarks)
    counts = np.zeros(arrays[0].size, np.uint32)
    for text in texts:
        counts[np.unique(_places(arrays[0], runs_of(text, benchmarks.words))[1])] += 1
    _save(benchmarks, [array[counts < pages] for array in arrays])
    return replace(benchmarks, common=pages)


class Decontaminator:
    """Finds passages of benchmarks in texts."""

    def __init__(self, benchmarks: Benchmarks) -> None:
        self._benchmarks = benchmarks
        self._runs, self._files, self._lines = _load(benchmarks)

    def find(self, text: str) -> RuleFailure | None:
        """Return a failure with file, line and words of the first run that a benchmark has, too."""
        starts, places = _places(self._runs, runs_of(text, self._benchmarks.words))
        if not starts.size:
            return None
        rule = f"decontaminate: {self._benchmarks.names[self._files[places[0]]]}"
        words = " ".join(_words(text, int(starts[0]), self._benchmarks.words).split())
        return RuleFailure(rule, f"{rule}, line {self._lines[places[0]]}: {words}", is_of_preset=False)


def runs_of(text: str, words: int) -> NDArray[np.uint64]:
    """Return the hashes of the runs of words of a text, in lower case, in their order."""
    hashes = np.array(_tokens.read(text).as_lists()[0], np.uint64)
    size = max(0, hashes.size - words + 1)
    runs = np.zeros(size, np.uint64)
    for at in range(words if size else 0):
        runs = runs * _FACTOR + hashes[at : at + size]
        runs ^= runs >> np.uint64(29)
    return runs


def _places(
    sorted_runs: NDArray[np.uint64], runs: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which runs are among the sorted runs, and their places there."""
    if not sorted_runs.size:
        return np.empty(0, np.intp), np.empty(0, np.intp)
    places = np.minimum(np.searchsorted(sorted_runs, runs), sorted_runs.size - 1)
    found = np.flatnonzero(sorted_runs[places] == runs)
    return found, places[found]


def _words(text: str, start: int, words: int) -> str:
    """Return the characters of the words [start, start + words) of a text."""
    lengths = _tokens.read(text).as_lists()[1]
    at = begin = 0
    for number, length in enumerate(lengths[: start + words]):
        while not (text[at].isalnum() or text[at] == "_"):
            at += 1
        if number == start:
            begin = at
        at += length
    return text[begin:at]


def _save(benchmarks: Benchmarks, arrays: Sequence[NDArray[np.generic]]) -> None:
    for name, array in zip(_ARRAYS, arrays, strict=True):
        np.save(f"{benchmarks.folder}/{name}.npy", array)


def _load(benchmarks: Benchmarks) -> list[Any]:
    return [np.load(f"{benchmarks.folder}/{name}.npy", mmap_mode="r") for name in _ARRAYS]
