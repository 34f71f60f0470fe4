"""The summary of a shard: what its commit says, as JSON and as books."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from transforms.model.books import Books, Cost
from transforms.model.fetched import NOTHING_FETCHED, Fetched
from transforms.model.records import SCHEMA_VERSION, Shard


class SchemaVersionError(ValueError):
    """A summary is whole, but of another version of the schema."""


@dataclass(frozen=True, slots=True)
class FileSummary:
    """One output file of a shard: its rows and its size in bytes."""

    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class ShardSummary:
    """A shard that is done.

    Attributes:
        shard: the shard.
        first_offset, next_offset: as in `transforms.model.records.ShardEnd`.
        records_read, pages, rejected, dropped: the counts; they balance. Rejects are counted by reason,
            pages that a filter dropped by rule.
        bytes: bytes `in` (read from the input), of `html` (after the codings), of `text`.
        seconds: CPU and wall time by stage.
        finished_at: ISO 8601, UTC.
        attempt: id of the attempt that made the files; stands in their metadata, too.
        files: name below the corpus -> its rows and bytes.
        options_digest: digest of the options that `corpus.json` pins.
        fetched: what was fetched from a web server.
        judged: pages that presets judged, by language, where that is known.
        masked: places of personal data that were masked, by kind.
        table: the version of the table that the extractor learned, "" if it learned none.
        version: the version of Cedar that wrote it.
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
    dropped: Mapping[str, int] = field(default_factory=dict)
    fetched: Fetched = NOTHING_FETCHED
    judged: Mapping[str, int] = field(default_factory=dict)
    table: str = ""
    version: str = ""
    masked: Mapping[str, int] = field(default_factory=dict)

    @property
    def books(self) -> Books:
        """The shard's share of the sums."""
        return Books(
            shards=1,
            records_read=self.records_read,
            pages=self.pages,
            rejected=self.rejected,
            bytes=self.bytes,
            seconds=self.seconds,
            dropped=self.dropped,
            fetched=self.fetched,
            judged=self.judged,
            masked=self.masked,
        )

    def to_json(self) -> str:
        """Return the text of `shards/<name>.json`."""
        kind, _, version = (self.shard.version or "").partition(":")
        return json.dumps(
            {
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
                "files": {name: {"rows": f.rows, "bytes": f.bytes} for name, f in self.files.items()},
                "fetch": self.fetched.to_json(),
                "judged": dict(sorted(self.judged.items())),
                "masked": dict(sorted(self.masked.items())),
                "version": self.version,
                "table": self.table,
                "options_digest": self.options_digest,
            },
            indent=1,
        )

    @staticmethod
    def from_json(text: str | builtins.bytes) -> ShardSummary:
        """Read `to_json`'s text back.

        Raises:
            SchemaVersionError: it is of another version of the schema.
            ValueError: it is not a shard summary.
        """
        try:
            raw = _Fields(json.loads(text))
            if raw["schema"] != SCHEMA_VERSION:
                raise SchemaVersionError(f"schema {raw['schema']}, expected {SCHEMA_VERSION}")
            version = next(
                (f"{kind}:{raw.text(kind)}" for kind in ("etag", "mtime", "listing") if kind in raw), None
            )
            name, source, stop = raw.text("name"), raw.text("source"), raw.count_or_none("stop")
            mark = raw.text("mark") if "mark" in raw else ""
            size, start = raw.count_or_none("size"), raw.count("start")
            files = {name: _Fields(file) for name, file in _Fields(raw["files"]).items()}
            return ShardSummary(
                Shard(name, source, size, version, start, stop, mark=mark),
                raw.count_or_none("first_offset"),
                raw.count("next_offset"),
                raw.count("records_read"),
                raw.count("pages"),
                raw.counts("rejected"),
                raw.counts("bytes"),
                {stage: Cost(**_Fields(cost).numbers()) for stage, cost in _Fields(raw["seconds"]).items()},
                raw.text("finished_at"),
                raw.text("attempt"),
                {name: FileSummary(file.count("rows"), file.count("bytes")) for name, file in files.items()},
                raw.text("options_digest"),
                raw.counts("dropped"),
                _fetched(_Fields(raw["fetch"])),
                raw.counts("judged"),
                raw.text("table"),
                raw.text("version"),
                raw.counts("masked"),
            )
        except (LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"not a shard summary: {error!r}") from error


class _Fields(dict[str, Any]):
    """The fields of a JSON object, by what they must be; any other value raises `TypeError`."""

    def count(self, name: str) -> int:
        """Return a number of 0 or more."""
        if type(self[name]) is not int or self[name] < 0:
            raise TypeError(f"{name}: {self[name]!r}")
        return int(self[name])

    def count_or_none(self, name: str) -> int | None:
        """Return a number of 0 or more, or None."""
        return None if self[name] is None else self.count(name)

    def text(self, name: str) -> str:
        """Return a text."""
        if not isinstance(self[name], str):
            raise TypeError(f"{name}: {self[name]!r}")
        return str(self[name])

    def counts(self, name: str) -> dict[str, int]:
        """Return numbers of 0 or more by name."""
        found = _Fields(self[name])
        return {key: found.count(key) for key in found}

    def numbers(self) -> dict[str, Any]:
        """Return all fields, which are numbers."""
        if not all(type(number) in (int, float) for number in self.values()):
            raise TypeError(f"not numbers: {dict(self)!r}")
        return dict(self)


def _fetched(raw: _Fields) -> Fetched:
    retries = raw.counts("retries")
    del raw["retries"]
    return Fetched(retries=retries, **raw.numbers())


def seconds_json(seconds: Mapping[str, Cost]) -> dict[str, Any]:
    """Times by stage as JSON: ``{stage: {"cpu": s, "wall": s}}``, to the microsecond."""
    return {stage: asdict(cost.rounded()) for stage, cost in seconds.items()}
