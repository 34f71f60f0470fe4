"""What is compared: shards of corpora and of earlier results, and the numbers of their pages."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.common.errors import UsageError
from pipelines.filter.source import FilterSource
from transforms.corpus.storage import is_uri

RESULT_SCHEMA = 1
"""Version of the layout of a result."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A shard of a corpus, or of the pages that an earlier result keeps.

    Attributes:
        number: from 0, in the order of the inputs.
        origin: number of the corpus or result among the inputs; results come first.
        shard: its name.
        first: number of its first page; the others follow.
        pages: how many it has.
        bytes: of its file of pages.
        is_old: it is of an earlier result.
    """

    number: int
    origin: int
    shard: str
    first: int
    pages: int
    bytes: int
    is_old: bool

    @property
    def length(self) -> int:
        """Bytes, by which work is parted."""
        return self.bytes


@dataclass(frozen=True, slots=True)
class Pack:
    """Shards, one after the other, whose pages are worked on together.

    Attributes:
        number: from 0, in the order of the inputs.
        units: the shards; all of earlier results, or none.
    """

    number: int
    units: tuple[Unit, ...]

    @property
    def first(self) -> int:
        """Number of the first page."""
        return self.units[0].first

    @property
    def stop(self) -> int:
        """One more than the number of the last page."""
        return self.units[-1].first + self.units[-1].pages

    @property
    def length(self) -> int:
        """Bytes, by which work is parted."""
        return sum(unit.bytes for unit in self.units)

    @property
    def is_old(self) -> bool:
        """Whether the shards are of earlier results."""
        return self.units[0].is_old


@dataclass(frozen=True, slots=True)
class Origin:
    """A corpus, or an earlier result.

    Attributes:
        root: its absolute path or URI.
        label: its name in results: the last part of the path, and a digest of the whole.
        shards: name of each shard -> a digest of its commit.
        source: how it is read; None for an earlier result.
    """

    root: str
    label: str
    shards: Mapping[str, str]
    source: FilterSource | None


@dataclass(frozen=True, slots=True)
class DedupInputs:
    """All that is compared."""

    origins: tuple[Origin, ...]
    units: tuple[Unit, ...]

    @property
    def pages(self) -> int:
        """Number of pages, those of earlier results among them."""
        return sum(unit.pages for unit in self.units)

    @property
    def new(self) -> tuple[Unit, ...]:
        """The shards of corpora."""
        return tuple(unit for unit in self.units if not unit.is_old)


def packed(units: Sequence[Unit], pages: int) -> tuple[Pack, ...]:
    """Put shards together until they have so many pages.

    Args:
        units: all shards.
        pages: as many pages are worth a pack.
    """
    packs: list[Pack] = []
    held: list[Unit] = []
    for unit in units:
        if held and (held[0].is_old != unit.is_old or unit.first - held[0].first >= pages):
            packs.append(Pack(len(packs), tuple(held)))
            held = []
        held.append(unit)
    return (*packs, Pack(len(packs), tuple(held))) if held else tuple(packs)


def find_inputs(corpora: Sequence[str], against: Sequence[str]) -> DedupInputs:
    """Open the corpora and earlier results.

    Raises:
        UsageError: one of them is none, or is not settled; or a chain of results is not whole.
        OSError: one cannot be read.
    """
    origins: list[Origin] = []
    counts: list[tuple[int, str, int, int, bool]] = []
    results = [_result(path) for path in against]
    named = {described["id"] for _, described in results}
    for root, described in results:
        for earlier in described["against"]:
            if earlier["id"] not in named:
                raise UsageError(f"{root} was made against {earlier['root']}: give it with --against, too")
        shards = dict(_index_files(root))
        origins.append(Origin(root, label_of(root), shards, None))
        for name in shards:
            file = Path(root, name)
            counts.append((len(origins) - 1, name, _rows_of(file), file.stat().st_size, True))
    for path in corpora:
        source = FilterSource.at(path)
        root = source.corpus.root
        if any(origin.root == root for origin in origins):
            raise UsageError(f"{path} is named twice")
        digests: dict[str, str] = {}
        _check_settled(source, path)
        for summary in source.corpus.summaries():
            name = summary.shard.name
            pages = summary.files[source.corpus.file_name("pages", name)]
            digests[name] = hashlib.sha256(f"{summary.attempt} {summary.to_json()}".encode()).hexdigest()[:32]
            counts.append((len(origins), name, pages.rows, pages.bytes, False))
        origins.append(Origin(root, label_of(root), digests, source))
    units, first = [], 0
    for number, (origin, name, rows, size, is_old) in enumerate(counts):
        units.append(Unit(number, origin, name, first, rows, size, is_old))
        first += rows
    return DedupInputs(tuple(origins), tuple(units))


def label_of(root: str) -> str:
    """Name a corpus in a result: the last part of its path, `-`, and 8 digits of the whole path's digest."""
    last = root.rstrip("/").rpartition("/")[2].lstrip("_.") or "corpus"
    return f"{last}-{hashlib.sha256(root.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def absolute(path: str) -> str:
    """A path as it is named in results; URIs stay what they are."""
    return path.rstrip("/") if is_uri(path) else os.path.abspath(path)  # noqa: PTH100 - links keep their names


def read_description(root: str) -> dict[str, Any] | None:
    """What the `dedup.json` of a result says; None where there is none.

    Raises:
        UsageError: Cedar did not write it, or another version did.
    """
    try:
        text = Path(root, "dedup.json").read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        described = json.loads(text)
    except ValueError:
        described = None
    if not isinstance(described, dict) or not {"schema", "id", "against", "choices"} <= described.keys():
        raise UsageError(f"{root}/dedup.json was not written by Cedar: choose another directory")
    if described["schema"] != RESULT_SCHEMA:
        raise UsageError(f"{root} is a result of another version of Cedar: make it anew with --overwrite")
    return described


def _result(path: str) -> tuple[str, dict[str, Any]]:
    root = absolute(path)
    described = read_description(root)
    if described is None:
        raise UsageError(f"{path} is no result of `cedar dedup`: it has no dedup.json")
    if not Path(root, "run.json").is_file():
        raise UsageError(f"{path} is not finished: run its command again")
    return root, described


def _index_files(root: str) -> Iterator[tuple[str, str]]:
    """The files of a result's index, and a digest of each."""
    import pyarrow.parquet as pq

    for path in sorted(Path(root, "index").glob("*/*.parquet")):
        metadata = pq.read_metadata(path).metadata or {}
        yield str(path.relative_to(root)), metadata.get(b"cedar.digest", b"").decode()


def _rows_of(path: Path) -> int:
    import pyarrow.parquet as pq

    return int(pq.read_metadata(path).num_rows)


def _check_settled(source: FilterSource, path: str) -> None:
    text = source.corpus.storage.read(source.corpus.books_path)
    try:
        books = json.loads(text or b"")
        shards, broken = books["shards"], books.get("broken_shards")
    except (ValueError, KeyError, TypeError):
        shards, broken = None, None
    commits = sum(1 for _ in source.corpus.commits())
    if shards != commits or broken:
        raise UsageError(
            f"{path} is not settled: its books have {shards} shards, but {commits} are committed; "
            "finish its run, or `cedar report --settle` it"
        )
