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
        table: the version of the table that the extractor learned, "" where none is known.
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
                **({"fetch": self.fetched.to_json()} if self.fetched.requests else {}),
                **({"judged": dict(sorted(self.judged.items()))} if self.judged else {}),
                **({"table": self.table} if self.table else {}),
                "options_digest": self.options_digest,
            },
            indent=1,
        )

    @staticmethod
    def from_json(text: str | builtins.bytes) -> ShardSummary:
        """Read `to_json`'s text back.

        Raises:
            SchemaVersionError: it is of another version of the schema.
            ValueError: it is no shard summary.
        """
        try:
            raw = json.loads(text)
            if raw["schema"] != SCHEMA_VERSION:
                raise SchemaVersionError(f"schema {raw['schema']}, expected {SCHEMA_VERSION}")
            version = next((f"{kind}:{raw[kind]}" for kind in ("etag", "mtime") if kind in raw), None)
            return ShardSummary(
                Shard(raw["name"], raw["source"], raw["size"], version, raw["start"], raw["stop"]),
                raw["first_offset"],
                raw["next_offset"],
                raw["records_read"],
                raw["pages"],
                raw["rejected"],
                raw["bytes"],
                {stage: Cost(**cost) for stage, cost in raw["seconds"].items()},
                raw["finished_at"],
                raw["attempt"],
                {name: FileSummary(**f) for name, f in raw["files"].items()},
                raw["options_digest"],
                raw.get("dropped", {}),
                Fetched(**raw.get("fetch", {})),
                raw.get("judged", {}),
                raw.get("table", ""),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no shard summary: {error!r}") from error


def seconds_json(seconds: Mapping[str, Cost]) -> dict[str, Any]:
    """Times by stage as JSON: ``{stage: {"cpu": s, "wall": s}}``, to the microsecond."""
    return {stage: asdict(cost.rounded()) for stage, cost in seconds.items()}
