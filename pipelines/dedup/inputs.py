"""What is compared: shards of corpora and of earlier results, and the numbers of their pages."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow.parquet as pq

from pipelines.common.errors import UsageError
from transforms.corpus.errors import LostFilesError
from transforms.corpus.reading import CorpusReader, broken_data
from transforms.corpus.settle import refuse_unsettled
from transforms.files.places import absolute, relation
from transforms.files.storage import StoredFile
from transforms.files.stores import StoredPath, json_object, source_for, storage_for

RESULT_SCHEMA = 1
"""Version of the layout of a result."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A shard of a corpus, or of the pages that an earlier result keeps; numbers are those among the inputs.

    Its pages are numbered from `first` on; by the `bytes` of its file work is parted. Results come first.
    """

    number: int
    origin: int
    shard: str
    first: int
    pages: int
    bytes: int
    is_old: bool


@dataclass(frozen=True, slots=True)
class Pack:
    """Shards, one after the other, whose pages are worked on together; all of earlier results, or none."""

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
    """A corpus, or an earlier result, which has no source.

    Its label is its name in results; `shards` are their names and the digests of their commits.
    """

    root: str
    label: str
    shards: Mapping[str, str]
    source: CorpusReader | None


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
    def sources(self) -> list[CorpusReader]:
        """What reads the corpora; earlier results are not among them."""
        return [origin.source for origin in self.origins if origin.source is not None]

    @property
    def new(self) -> tuple[Unit, ...]:
        """The shards of corpora."""
        return tuple(unit for unit in self.units if not unit.is_old)


def packed(units: Sequence[Unit], pages: int) -> tuple[Pack, ...]:
    """Put shards together until they have this many pages."""
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

    Raises UsageError: one of them is not a corpus or a result, or is not settled; or a result of a chain
    lacks; DamagedCorpusError: a commit, or a file of a result, is broken; OSError: one cannot be read.
    """
    origins: list[Origin] = []
    units: list[Unit] = []

    def add(name: str, pages: int, size: int, *, is_old: bool) -> None:
        first = units[-1].first + units[-1].pages if units else 0
        units.append(Unit(len(units), len(origins), name, first, pages, size, is_old))

    results = [(absolute(path), read_finished(path)) for path in against]
    named = {described["id"] for _, described in results}
    for root, described in results:
        for earlier in described["against"]:
            if earlier["id"] not in named:
                raise UsageError(f"{root} was made against {earlier['root']}: give it with --against, too")
        digests: dict[str, str] = {}
        for file in tables_of(root, described, "index"):
            name, metadata = file.path.removeprefix(f"{root}/"), read_metadata(source_for(file.path))
            digests[name] = (metadata.metadata or {}).get(b"cedar.digest", b"").decode()
            add(name, metadata.num_rows, file.size or 0, is_old=True)
        origins.append(Origin(root, label_of(root), digests, None))
    for path in corpora:
        source = CorpusReader.at(path)
        root = source.corpus.root
        for there in origins:
            if relation(root, there.root) == "is":
                other = "" if there.root == root else f": it is {there.root}"
                raise UsageError(f"{path} is named twice{other}")
        digests = {}
        refuse_unsettled(source.corpus, path)
        for summary in source.summaries():
            name, pages = summary.shard.name, summary.files["pages"]
            digests[name] = hashlib.sha256(f"{summary.attempt} {summary.to_json()}".encode()).hexdigest()[:32]
            add(name, pages.rows, pages.bytes, is_old=False)
        origins.append(Origin(root, label_of(root), digests, source))
    return DedupInputs(tuple(origins), tuple(units))


def label_of(root: str) -> str:
    """Name a corpus in a result: the last part of its path, `-`, and 8 digits of the whole path's digest."""
    last = root.rstrip("/").rpartition("/")[2].lstrip("_.") or "corpus"
    return f"{last}-{hashlib.sha256(root.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def read_description(root: str) -> dict[str, Any] | None:
    """What the `dedup.json` of a result says, or None; UsageError if not this version of Cedar wrote it."""
    try:
        text = source_for(f"{root}/dedup.json").read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    described = json_object(text) or {}
    if not {"schema", "id", "against", "choices"} <= described.keys():
        raise UsageError(f"{root}/dedup.json was not written by Cedar: choose another directory")
    if described["schema"] != RESULT_SCHEMA:
        raise UsageError(f"{root} is a result of another version of Cedar: make it again with --overwrite")
    return described


def read_finished(path: str) -> dict[str, Any]:
    """Return what the `dedup.json` of a finished result says; raise UsageError for anything else."""
    described = read_description(path)
    if described is None:
        raise UsageError(f"not a result of `cedar dedup`: {path} (it has no dedup.json)")
    if not source_for(f"{path}/run.json").exists():
        raise UsageError(f"{path} is not finished: run its command again")
    return described


def tables_of(root: str, described: Mapping[str, Any], kind: str) -> Iterator[StoredFile]:
    """Yield the tables of a result, `index` or `duplicates`, by shards; LostFilesError if one is gone."""
    for corpus in sorted(described["corpora"], key=lambda corpus: str(corpus["label"])):
        folder = f"{absolute(root)}/{kind}/{corpus['label']}"
        there = {file.path: file for file in storage_for(folder).list(folder)}
        for shard in sorted(corpus["shards"]):
            path = f"{folder}/{shard}.parquet"
            if path not in there:
                raise LostFilesError(f"{path} is gone")
            yield there[path]


def read_metadata(path: StoredPath) -> pq.FileMetaData:
    """Read the metadata of a table of a result; LostFilesError where it is broken, OSError from the disk."""
    with path.open() as file, broken_data(str(path)):
        return pq.read_metadata(file)
