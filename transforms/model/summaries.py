"""The summary of a shard, as JSON in its commit and as books."""

import builtins
import functools
import json
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from sys import intern
from typing import Any, TypeVar

from cedar.transforms.model.books import NOTHING_FETCHED, Books, Fetched
from cedar.transforms.model.costs import Cost
from cedar.transforms.model.records import SCHEMA_VERSION, Shard

T = TypeVar("T")
_shared = functools.lru_cache(maxsize=1024)(tuple[str, ...])


class Packed(Mapping[str, T]):
    """A mapping that cannot be changed, of `names` to numbers, or to what `make` makes of a few numbers each.

    A launcher holds the summaries of a hundred thousand shards. `numbers` has all values, one after the
    other; below 2**53, if they are whole.
    """

    __slots__ = ("_make", "_names", "_numbers")

    def __init__(self, names: tuple[str, ...], numbers: list[float], make: Callable[..., T]) -> None:
        self._names = _shared(names)
        self._numbers = array("d", numbers)
        self._make = make

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        place, numbers = self._names.index(name), self._numbers
        if len(numbers) == len(self._names):
            return self._make(numbers[place])
        width = len(numbers) // len(self._names)
        return self._make(*numbers[place * width : (place + 1) * width])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class SchemaVersionError(ValueError):
    """A summary is whole, but of another version of the schema."""


@dataclass(frozen=True, slots=True)
class FileSummary:
    """One output file of a shard: its rows, its size in bytes, and what its name ends with."""

    rows: int
    bytes: int
    suffix: str


@dataclass(frozen=True, slots=True)
class ShardSummary:
    """A shard that is done; offsets are as in `cedar.transforms.model.records.ShardEnd`.

    Attributes:
        records_read, pages, rejected, dropped: the counts; they balance. Rejects are counted by reason,
            pages that a filter dropped by rule.
        bytes: bytes `in` (read from the input), of `html` (after the codings), of `text`.
        finished_at: ISO 8601, UTC.
        attempt: id of the attempt that made the files; stands in their metadata, too.
        files: kind -> its file.
        options_digest: digest of the options that `corpus.json` pins.
        corpus_id: the id of the corpus that it is of; one that was overwritten had another.
        judged, masked, blocked, tokens: as in `cedar.transforms.model.books.Books`.
        table: the version of the table that the extractor learned, "" if it learned none.
    """

    shard: Shard
    first_offset: int | None
    next_offset: int
    records_read: int
    pages: int
    rejected: Mapping[str, int]
    bytes: Mapping[str, int]
    seconds: Mapping[str, Cost]
    finished_at: str
    attempt: str
    files: Mapping[str, FileSummary]
    options_digest: str
    corpus_id: str = ""
    dropped: Mapping[str, int] = field(default_factory=dict)
    fetched: Fetched = NOTHING_FETCHED
    judged: Mapping[str, int] = field(default_factory=dict)
    table: str = ""
    version: str = ""
    masked: Mapping[str, int] = field(default_factory=dict)
    blocked: Mapping[str, int] = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        """The shard's share of the sums."""
        return Books(1, **{name: getattr(self, name) for name in Books.__slots__[1:]})

    @property
    def pages_made(self) -> int:
        """Its pages, with those that a filter dropped: what --limit counts."""
        return self.pages + sum(self.dropped.values())

    @property
    def file_names(self) -> dict[str, FileSummary]:
        """Its files by their names below the corpus."""
        return {f"{kind}/{self.shard.name}.{file.suffix}": file for kind, file in self.files.items()}

    def to_json(self) -> str:
        """Return the text of `shards/<name>.json`."""
        return json.dumps(self.fields(), indent=1)

    def fields(self) -> dict[str, Any]:
        """Return what that text says."""
        kind, _, version = (self.shard.version or "").partition(":")
        return {
            "schema": SCHEMA_VERSION,
            "name": self.shard.name,
            "source": self.shard.source,
            "size": self.shard.size,
            **({kind: version} if kind else {}),
            **({"mark": self.shard.mark} if self.shard.mark else {}),
            "start": self.shard.start,
            "stop": self.shard.stop,
            "first_offset": self.first_offset,
            "next_offset": self.next_offset,
            "records_read": self.records_read,
            "pages": self.pages,
            "dropped": dict(sorted(self.dropped.items())),
            "rejected": dict(sorted(self.rejected.items())),
            "bytes": dict(self.bytes),
            "seconds": seconds_json(self.seconds),
            "finished_at": self.finished_at,
            "attempt": self.attempt,
            "files": {name: {"rows": f.rows, "bytes": f.bytes} for name, f in self.file_names.items()},
            "fetch": self.fetched.to_json(),
            "judged": dict(sorted(self.judged.items())),
            "masked": dict(sorted(self.masked.items())),
            "blocked": dict(sorted(self.blocked.items())),
            **({"tokens": dict(sorted(self.tokens.items()))} if self.tokens else {}),
            "version": self.version,
            "table": self.table,
            "options_digest": self.options_digest,
            "corpus_id": self.corpus_id,
        }

    @staticmethod
    def from_json(text: str | builtins.bytes) -> "ShardSummary":
        """Read `to_json`'s text back; raise SchemaVersionError, or ValueError for another text."""
        try:
            return ShardSummary.from_fields(json.loads(text))
        except RecursionError as error:
            raise ValueError("not a shard summary: nested too deeply") from error

    @staticmethod
    def from_fields(fields: Any) -> "ShardSummary":
        """Return the summary that such a text says.

        Raises SchemaVersionError: it is of another version of the schema; ValueError: it is not a shard
        summary.
        """
        try:
            raw = _Fields(fields)
            if raw["schema"] != SCHEMA_VERSION:
                raise SchemaVersionError(f"schema {raw['schema']!r}, expected {SCHEMA_VERSION}")
            version = next(
                (f"{kind}:{raw.text(kind)}" for kind in ("etag", "mtime", "listing") if kind in raw), None
            )
            name, source, stop = raw.text("name"), raw.text("source"), raw.count_or_none("stop")
            mark = raw.text("mark") if "mark" in raw else ""
            size, start = raw.count_or_none("size"), raw.count("start")
            files = {}
            for file_name, file in _Fields(raw["files"]).items():
                kind, suffix = file_name.split(f"/{name}.")
                numbers = _Fields(file)
                files[intern(kind)] = FileSummary(
                    numbers.count("rows"), numbers.count("bytes"), intern(suffix)
                )
            return ShardSummary(
                shard=Shard(name, source, size, version, start, stop, mark=mark),
                first_offset=raw.count_or_none("first_offset"),
                next_offset=raw.count("next_offset"),
                records_read=raw.count("records_read"),
                pages=raw.count("pages"),
                rejected=raw.counts("rejected"),
                bytes=raw.counts("bytes"),
                seconds=raw.costs("seconds"),
                finished_at=intern(raw.text("finished_at")),
                attempt=raw.text("attempt"),
                files=files,
                options_digest=intern(raw.text("options_digest")),
                corpus_id=intern(raw.text("corpus_id") if "corpus_id" in raw else ""),
                dropped=raw.counts("dropped"),
                fetched=_fetched(_Fields(raw["fetch"])),
                judged=raw.counts("judged"),
                table=intern(raw.text("table")),
                version=intern(raw.text("version")),
                masked=raw.counts("masked"),
                blocked=raw.counts("blocked"),
                tokens=raw.counts("tokens") if "tokens" in raw else _NONE,
            )
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"not a shard summary: {error!r}") from error


class _Fields(dict[str, Any]):
    """The fields of a JSON object, by what they must be; any other value raises `TypeError`."""

    def count(self, name: str) -> int:
        """Return a number of 0 or more."""
        if type(self[name]) is not int or self[name] < 0:
            raise TypeError(f"{name}: {self[name]!r}")
        return int(self[name])

    def count_or_none(self, name: str) -> int | None:
        return None if self[name] is None else self.count(name)

    def text(self, name: str) -> str:
        if not isinstance(self[name], str):
            raise TypeError(f"{name}: {self[name]!r}")
        return str(self[name])

    def counts(self, name: str) -> Mapping[str, int]:
        """Return numbers of 0 or more by name."""
        found = _Fields(self[name])
        return Packed(tuple(found), [found.count(key) for key in found], int) if found else _NONE

    def costs(self, name: str) -> Mapping[str, Cost]:
        found = _Fields(self[name])
        costs = [Cost(**_Fields(cost).numbers()) for cost in found.values()]
        return Packed(tuple(found), [number for cost in costs for number in (cost.cpu, cost.wall)], Cost)

    def numbers(self) -> dict[str, Any]:
        """Return all fields, which are numbers."""
        if not all(type(number) in (int, float) for number in self.values()):
            raise TypeError(f"not numbers: {dict(self)!r}")
        return dict(self)


_NONE: Mapping[str, int] = {}


def _fetched(raw: _Fields) -> Fetched:
    retries = raw.counts("retries")
    del raw["retries"]
    fetched = Fetched(retries=retries, **raw.numbers())
    return NOTHING_FETCHED if fetched == NOTHING_FETCHED else fetched


def seconds_json(seconds: Mapping[str, Cost]) -> dict[str, Any]:
    """Return times by stage as JSON: ``{stage: {"cpu": s, "wall": s}}``, to the microsecond."""
    return {s: {"cpu": round(cost.cpu, 6), "wall": round(cost.wall, 6)} for s, cost in seconds.items()}
