"""A run that is ready to start: its options, its inputs, and where its files are.

A run compares the shards of corpora and of earlier results, and numbers their pages over all of them.
"""

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from cedar.pipelines.common.errors import UsageError, usage_errors
from cedar.pipelines.dedup.options import DedupOptions
from cedar.transforms.corpus.cleanup import delete_corpus, traces_of_corpus
from cedar.transforms.corpus.corpus import Corpus
from cedar.transforms.corpus.corpus_reader import CorpusReader, broken_data
from cedar.transforms.corpus.errors import LostFilesError
from cedar.transforms.corpus.formats import FORMATS
from cedar.transforms.corpus.outputs import exclusive_output, refuse_other_result, refuse_overlap
from cedar.transforms.corpus.settle import refuse_unsettled
from cedar.transforms.curation.banding import BANDS, ROWS
from cedar.transforms.curation.duplicates import MAX_PAGES, PAGE_BYTES
from cedar.transforms.curation.signatures import SHINGLE
from cedar.transforms.files.http_options import is_web
from cedar.transforms.files.places import absolute, relation
from cedar.transforms.files.storage import StoredFile, StoreMissingError, is_uri, writing
from cedar.transforms.files.stores import StoredPath, delete_below, json_object, source_for, storage_for
from cedar.transforms.model.columns import PageTable
from cedar.transforms.model.options import shaping

RESULT_SCHEMA = 1
"""Version of the layout of a result."""


@dataclass(frozen=True, slots=True)
class ShardRef:
    """A shard of a corpus, or of an earlier result.

    `number` counts from 0 among all shards, `origin_number` among the origins. Its pages are numbered from
    `first` on; work is divided by the `bytes` of its file. Results come first.
    """

    number: int
    origin_number: int
    name: str
    first: int
    pages: int
    bytes: int
    is_old: bool


@dataclass(frozen=True, slots=True)
class ShardPack:
    """Shards in a row that are worked on together; all of earlier results, or none."""

    number: int
    shards: tuple[ShardRef, ...]

    @property
    def first(self) -> int:
        """Number of the first page."""
        return self.shards[0].first

    @property
    def stop(self) -> int:
        """One more than the number of the last page."""
        return self.shards[-1].first + self.shards[-1].pages

    @property
    def is_old(self) -> bool:
        """Whether the shards belong to earlier results."""
        return self.shards[0].is_old


@dataclass(frozen=True, slots=True)
class Origin:
    """A corpus, or an earlier result, which has no reader.

    `label` is its name in results; `shards` has the digest of each shard's commit by the shard's name.
    """

    root: str
    label: str
    shards: Mapping[str, str]
    reader: CorpusReader | None


@dataclass(frozen=True, slots=True)
class DedupInputs:
    """The corpora and earlier results that are compared."""

    origins: tuple[Origin, ...]
    shards: tuple[ShardRef, ...]

    @property
    def pages(self) -> int:
        """The number of all pages, also of earlier results."""
        return sum(shard.pages for shard in self.shards)

    @property
    def readers(self) -> list[CorpusReader]:
        """The readers of the corpora, without earlier results."""
        return [origin.reader for origin in self.origins if origin.reader is not None]

    @property
    def new(self) -> tuple[ShardRef, ...]:
        """The shards of corpora."""
        return tuple(shard for shard in self.shards if not shard.is_old)


def packed(shards: Sequence[ShardRef], pages: int) -> tuple[ShardPack, ...]:
    """Put shards together until they have this many pages."""
    packs: list[ShardPack] = []
    held: list[ShardRef] = []
    for shard in shards:
        if held and (held[0].is_old != shard.is_old or shard.first - held[0].first >= pages):
            packs.append(ShardPack(len(packs), tuple(held)))
            held = []
        held.append(shard)
    return (*packs, ShardPack(len(packs), tuple(held))) if held else tuple(packs)


def find_inputs(corpora: Sequence[str], against: Sequence[str]) -> DedupInputs:
    """Open the corpora and earlier results.

    Raises UsageError: one of them is not a corpus or a result, or is not settled; or an earlier result is
    missing that one of them was made against; DamagedCorpusError: a commit, or a file of a result, is broken;
    OSError: one cannot be read.
    """
    origins: list[Origin] = []
    shards: list[ShardRef] = []

    def add(name: str, pages: int, size: int, *, is_old: bool) -> None:
        first = shards[-1].first + shards[-1].pages if shards else 0
        shards.append(ShardRef(len(shards), len(origins), name, first, pages, size, is_old))

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
        reader = CorpusReader.at(path)
        root = reader.corpus.root
        for there in origins:
            if relation(root, there.root) == "is":
                other = "" if there.root == root else f": it is {there.root}"
                raise UsageError(f"{path} is named twice{other}")
        digests = {}
        refuse_unsettled(reader.corpus, path)
        for summary in reader.summaries():
            name, pages = summary.shard.name, summary.files["pages"]
            digests[name] = hashlib.sha256(f"{summary.attempt} {summary.to_json()}".encode()).hexdigest()[:32]
            add(name, pages.rows, pages.bytes, is_old=False)
        origins.append(Origin(root, label_of(root), digests, reader))
    return DedupInputs(tuple(origins), tuple(shards))


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
        by_path = {file.path: file for file in storage_for(folder).list(folder)}
        for name in sorted(corpus["shards"]):
            path = f"{folder}/{name}.parquet"
            if path not in by_path:
                raise LostFilesError(f"{path} is gone; if a run is at work on its corpus, try again")
            yield by_path[path]


def read_metadata(path: StoredPath) -> pq.FileMetaData:
    """Read the metadata of a table of a result; LostFilesError where it is broken, OSError from the disk."""
    with path.open() as file, broken_data(str(path)):
        return pq.read_metadata(file)


_CHOSEN = ("signature", "choices")  # of `dedup.json`
_MAX_BITS = 10
_SHARE_BYTES = 64 << 10
"""Bytes of a pack's share of a part, about."""
_ORDERED = frozenset({"bool", "int32", "int64", "float32", "float64", "timestamp"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DedupPlan:
    """Everything that a worker needs; pickles.

    The first `bits` bits of a record's key are the number of its part. A pack has enough shards that its
    share of a part is worth opening a file. A worker may sort in `memory` bytes. `corpus_id` is the id of
    the corpus that is written, if one is.
    """

    root: str
    options: DedupOptions
    inputs: DedupInputs
    packs: tuple[ShardPack, ...]
    bits: int
    memory: int
    corpus_id: str = ""

    def work(self, kind: str, name: object) -> StoredPath:
        """A file that only the run needs."""
        return source_for(f"{self.root}/_work/{kind}/{name}")

    @contextlib.contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for sorted runs, next to the result: another disk may be too small.

        If the result is in a store, the folder is among the temporary files of this machine.
        """
        folder = None if is_uri(self.root) else Path(self.root, "_work", "runs")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as path:
            yield Path(path)

    def table(self, kind: str, shard: ShardRef) -> StoredPath:
        """A shard's `duplicates`, `index` (for later results), `lines`, or `signatures` that are made."""
        label = self.inputs.origins[shard.origin_number].label
        return source_for(f"{self.root}/{kind}/{label}/{shard.name}.parquet")

    @property
    def books(self) -> StoredPath:
        """`run.json`: the result as it stands."""
        return source_for(f"{self.root}/run.json")


@contextlib.contextmanager
def prepared(options: DedupOptions) -> Iterator[DedupPlan]:
    """Check everything that can be wrong with the user's input, write `dedup.json`, keep other runs out.

    Raises UsageError before anything starts; BlockingIOError: another run is at work; OSError from the store.
    """
    root = absolute(options.output)
    if is_web(root):
        raise UsageError(f"{options.output}: nothing can be written to a web server")
    with usage_errors(StoreMissingError):
        storage_for(root)
    with usage_errors(OSError, saying="cannot read the corpora"):
        inputs = find_inputs(options.corpora, options.against)
    refuse_overlap(root, (origin.root for origin in inputs.origins))
    _check_inputs(options, inputs)
    _check_memory(options.memory, inputs.pages)
    with exclusive_output(root, "result"):
        with writing(root, UsageError):
            bits = _claim(root, options, inputs)
        yield DedupPlan(
            root=root,
            options=options,
            inputs=inputs,
            packs=packed(inputs.shards, (_SHARE_BYTES << bits) // options.record_bytes),
            bits=bits,
            memory=options.memory,
        )


def _check_memory(memory: int, pages: int) -> None:
    """Raise UsageError for more pages than one array can hold: in memory, or at all."""
    if pages > MAX_PAGES:
        raise UsageError(f"{pages:,} pages are too many for one result: at most {MAX_PAGES:,}")
    needed = PAGE_BYTES * pages
    if needed > memory:
        mebibytes = -(-needed >> 20)
        raise UsageError(
            f"the clusters of {pages:,} pages need {needed:,} bytes: give --memory {mebibytes}MiB or more"
        )


def _check_inputs(options: DedupOptions, inputs: DedupInputs) -> None:
    """Raise UsageError unless the corpora and the earlier results have what the options need."""
    if options.format is not None and options.format not in FORMATS:
        raise UsageError(f"unknown format {options.format!r}: choose one of {', '.join(FORMATS)}")
    for reader in inputs.readers:
        options.masks.refuse_html(reader.corpus.root, reader.groups)
    if options.write:
        options.masks.refuse_other_style(reader.described for reader in inputs.readers)
        _check_columns(inputs.readers)
    prefer = options.prefer_column
    for origin in inputs.origins:
        if origin.reader is None:
            # Only like keys can be compared.
            theirs = (read_description(origin.root) or {}).get("signature", {})
            bands, rows = theirs.get("bands", BANDS), theirs.get("rows", ROWS)
            if (bands, rows) != (options.bands, options.rows):
                raise UsageError(f"{origin.root} was made otherwise: give --bands {bands} --rows {rows}, too")
            continue
        described = origin.reader.described
        kinds = {column.name: column.kind for column in PageTable.of(origin.reader.groups).columns}
        if prefer is not None and kinds.get(prefer[0]) not in _ORDERED:
            known = sorted(name for name, kind in kinds.items() if kind in _ORDERED)
            raise UsageError(
                f"--prefer {options.prefer}: {origin.root} has no such column of numbers or times; "
                f"it has first, newest, longest, {', '.join(known)}"
            )
        if options.scope == "language" and "language" not in kinds:
            raise UsageError(
                f"{origin.root} has no column language: extract it with --language, or leave out --scope"
            )
        if options.lines and (described.get("token_counts") or described.get("source_token_counts")):
            raise UsageError(
                f"{origin.root} has counts of tokens, which --lines would make wrong: extract it without "
                "--count-tokens, and count them by `cedar filter --count-tokens` of the result"
            )
        if options.takes_minima and described.get("signatures") and not described.get("full_signatures"):
            option = "--verify" if options.verify is not None else "--bands and --rows"
            raise UsageError(
                f"{origin.root} has no full signatures: extract it with --full-signatures, or "
                f"leave out {option}"
            )


def _check_columns(readers: Sequence[CorpusReader]) -> None:
    """Raise UsageError unless one corpus can have the columns of all of these."""
    kinds: dict[str, tuple[str, str]] = {}
    for reader in readers:
        root = reader.corpus.root
        for column in reader.page_table.columns:
            kind, other = kinds.setdefault(column.name, (column.kind, root))
            if column.kind != kind:
                raise UsageError(
                    f"column {column.name} is {kind} in {other} and {column.kind} in {root}: make one "
                    "again with another name or type, or leave out --write"
                )
    for group in PageTable.of({name for reader in readers for name in reader.groups}).groups:
        lacks = next((reader.corpus.root for reader in readers if group.name not in reader.groups), None)
        if lacks is not None and not all(column.nullable for column in group.columns):
            has = next(reader.corpus.root for reader in readers if group.name in reader.groups)
            names = f"{group.columns[0].name} to {group.columns[-1].name}"
            raise UsageError(
                f"{lacks} lacks the columns {names} that {has} has: extract it with --{group.name}, "
                f"add them with `cedar filter {lacks} --{group.name}`, or leave out --write"
            )


def _claim(root: str, options: DedupOptions, inputs: DedupInputs) -> int:
    """Write `dedup.json`, or find one that means the same; returns the bits that it parts records by."""
    described = _described(options, inputs)
    wanted = 4 * options.record_bytes * inputs.pages / options.memory
    bits = min(_MAX_BITS, max(0, int(wanted).bit_length()))
    before = read_description(root)
    if before is None:
        refuse_other_result(storage_for(root), root, "dedup.json")
        named = (name for name in (*_FOLDERS, "corpus.json") if _is_there(f"{root}/{name}"))
        found = next(chain(named, traces_of_corpus(Corpus(root, "parquet"))), None)
        if found is not None:
            raise UsageError(f"{root} holds {found} but no dedup.json: choose another --output")
    if before is not None and not options.overwrite:
        chosen = [
            (before[part], name, choice) for part in _CHOSEN for name, choice in described[part].items()
        ]
        other = [name for theirs, name, choice in chosen if theirs.get(name) != choice]
        if other or [o["root"] for o in before["corpora"]] != [o["root"] for o in described["corpora"]]:
            what = (
                ", ".join(f"--{'mask' if name == 'masks' else name.replace('_', '-')}" for name in other)
                or "other corpora"
            )
            raise UsageError(
                f"{root} was made otherwise ({what}): choose another --output, or --overwrite to start again"
            )
        if before["id"] == described["id"]:
            return int(before["bits"])
        if not options.restart:
            given = ((name, one) for name in ("corpora", "against") for one in described[name])
            changed = next((one["root"] for name, one in given if one not in before[name]), "an input")
            raise UsageError(f"{changed} has changed since {root} was made: --restart starts again")
    if before is not None:
        clear_result(root)
    source_for(f"{root}/dedup.json").write(json.dumps({**described, "bits": bits}, indent=1).encode())
    return bits


def _described(options: DedupOptions, inputs: DedupInputs) -> dict[str, Any]:
    """What `dedup.json` says, but for the bits."""
    results = [origin.root for origin in inputs.origins if origin.reader is None]
    against = [{"root": root, "id": (read_description(root) or {}).get("id")} for root in results]
    corpora = [
        {"root": origin.root, "label": origin.label, "shards": dict(origin.shards)}
        for origin in inputs.origins
        if origin.reader is not None
    ]
    chosen = json.loads(json.dumps({**shaping(options), "masks": asdict(options.masks)}))
    described: dict[str, Any] = {
        "schema": RESULT_SCHEMA,
        "signature": {"bands": options.bands, "rows": options.rows, "shingle": SHINGLE},
        "choices": chosen,
        "corpora": corpora,
        "against": against,
    }
    text = json.dumps(described, sort_keys=True)
    return {**described, "id": hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}


_TABLES = ("duplicates", "index", "signatures", "lines")
_FOLDERS = (*_TABLES, "corpus", "_work", "run.json")


def _is_there(path: str) -> bool:
    """Whether there is a file or a folder."""
    return source_for(path).exists() or next(storage_for(path).below(f"{path}/"), None) is not None


def sweep_result(root: str) -> None:
    """Delete what only the run needed, and files that killed processes have begun; OSError if it cannot."""
    for folder in _TABLES:
        delete_below(f"{root}/{folder}", ".parquet.")
    delete_below(f"{root}/_work")


def clear_result(root: str) -> None:
    """Delete a result, `dedup.json` last; files that are not Cedar's stay. OSError if it cannot."""
    source_for(f"{root}/run.json").delete()
    for folder in _TABLES:
        delete_below(f"{root}/{folder}", ".parquet")
    delete_corpus(Corpus(f"{root}/corpus", "parquet"))
    delete_below(f"{root}/_work")
    source_for(f"{root}/dedup.json").delete()
