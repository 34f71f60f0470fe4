"""The rows that a site shows: grouped into strata, sampled evenly from each, and read."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cedar.pipelines.dedup.result import ClusterPage, DedupResult
from cedar.pipelines.dedup.tables import LABELS
from cedar.transforms.corpus.corpus_reader import CorpusReader, as_lists
from cedar.transforms.curation.languages import iso_639_3
from cedar.transforms.curation.rules import rule_of
from cedar.transforms.model.columns import Column, columns_of
from cedar.transforms.model.records import RejectRow
from cedar.transforms.model.summaries import ShardSummary

VERDICTS = ("kept", "duplicate", "dropped", "rejected")
"""What becomes of rows."""

_ROWS_AT_ONCE = 512
_SEPARATE = ("url", "title", "html")
"""Columns that stand elsewhere, or nowhere."""


class Stratum(NamedTuple):
    """What rows are grouped by.

    Attributes:
        verdict: one of `VERDICTS`.
        rule: the rule, reason or kind of duplicate that decided; "" for kept rows.
        language: ISO 639-3; "" if it is not known.
        length: decimal digits of the number of characters.
    """

    verdict: str
    rule: str
    language: str
    length: int


class ShownPlace(NamedTuple):
    """The number of a file in a survey, and of a row in the file."""

    file: int
    row: int


@dataclass(frozen=True, slots=True)
class ShardFile:
    """A file of rows: its shard, its kind, and the duplicates in it by row."""

    summary: ShardSummary
    kind: str
    alike: Mapping[int, ClusterPage]


@dataclass(frozen=True, slots=True)
class Survey:
    """All rows of a corpus by stratum.

    Attributes:
        files: the files that have rows.
        codes: for each file the strata of its rows, int32 (rows,), as indices of `strata`.
        kept_of: cluster -> the page that is kept.
    """

    files: tuple[ShardFile, ...]
    codes: tuple[NDArray[np.int32], ...]
    strata: tuple[Stratum, ...]
    kept_of: Mapping[str, ShownPlace]

    @property
    def totals(self) -> dict[Stratum, int]:
        """Rows of each stratum."""
        counts = np.bincount(np.concatenate([np.zeros(0, np.int32), *self.codes]))
        return dict(zip(self.strata, counts.tolist(), strict=True))

    def chosen(self, number: int) -> list[ShownPlace]:
        """Return `number` rows of all strata, in order; the kept pages of chosen duplicates are added."""
        bounds = np.cumsum([0, *(codes.size for codes in self.codes)])
        rows = sample_evenly(np.concatenate([np.zeros(0, np.int32), *self.codes]), number)
        files = np.searchsorted(bounds, rows, side="right") - 1
        found = set(map(ShownPlace, files.tolist(), (rows - bounds[files]).tolist()))
        alike = [self.files[key.file].alike.get(key.row) for key in found]
        kept = {
            self.kept_of[page.cluster] for page in alike if page is not None and page.cluster in self.kept_of
        }
        return sorted(found | kept)


class ShownRow(NamedTuple):
    """A row of the site; its values are in the order of `shown_columns`."""

    stratum: Stratum
    url: str
    title: str
    values: dict[str, Any]
    alike: ClusterPage | None


def survey(reader: CorpusReader, result: DedupResult) -> Survey:
    """Find the stratum of each row of a corpus.

    Raises DamagedCorpusError if a file or a commit is gone or broken; OSError.
    """
    found: dict[Stratum, int] = {}
    files: list[ShardFile] = []
    codes = []
    kept_of: dict[str, ShownPlace] = {}
    for summary in reader.summaries():
        alike = result.pages_of(summary.shard.name)
        for kind in ("pages", "dropped", "rejects"):
            of_kind = ShardFile(summary, kind, alike if kind == "pages" else {})
            strata = [found.setdefault(one, len(found)) for one in _strata(reader, of_kind)]
            if strata:
                for row, page in of_kind.alike.items():
                    if page.kind is None:
                        kept_of[page.cluster] = ShownPlace(len(files), row)
                files.append(of_kind)
                codes.append(np.array(strata, np.int32))
    return Survey(tuple(files), tuple(codes), tuple(found), kept_of)


def _strata(reader: CorpusReader, file: ShardFile) -> Iterator[Stratum]:
    if file.kind == "rejects":
        for _, batch in reader.batches(file.summary, "rejects", ("reason",)):
            for reason in batch.column(0).to_pylist():
                yield Stratum("rejected", reason, "", 0)
        return
    marks = ("drop_reason",) if "drop_reason" in reader.groups else ()
    language = "language" if "language" in reader.groups else "lang"
    row = 0
    for _, batch in reader.batches(file.summary, file.kind, ("text_chars", language, *marks)):
        columns = [column.to_pylist() for column in batch.columns]
        for chars, spoken, *reasons in zip(*columns, strict=True):
            reason = reasons[0] if reasons else None
            alike = file.alike.get(row)
            if reason is not None:
                verdict, rule = "dropped", rule_of(reason)
            elif alike is not None and alike.kind is not None:
                verdict, rule = "duplicate", LABELS[alike.kind]
            else:
                verdict, rule = "kept", ""
            yield Stratum(verdict, rule, iso_639_3(spoken or ""), len(str(chars)))
            row += 1


def shown_columns(reader: CorpusReader, kind: str) -> tuple[Column, ...]:
    """Return the columns that the site shows for rows of a kind."""
    columns = columns_of(RejectRow) if kind == "rejects" else reader.page_table.columns
    return tuple(column for column in columns if column.name not in _SEPARATE)


def shown_rows(reader: CorpusReader, found: Survey, chosen: list[ShownPlace]) -> Iterator[ShownRow]:
    """Read rows, in order.

    Raises DamagedCorpusError if a file is gone or broken; OSError.
    """
    wanted: dict[int, list[int]] = {}
    for key in chosen:
        wanted.setdefault(key.file, []).append(key.row)
    for number, rows in wanted.items():
        file, at = found.files[number], np.array(rows)
        own = ["url"] if file.kind == "rejects" else ["url", "title"]
        names = [*(column.name for column in shown_columns(reader, file.kind)), *own]
        for place, batch in reader.batches(file.summary, file.kind, names, max_rows=_ROWS_AT_ONCE):
            here = at[(at >= place.row) & (at < place.row + batch.num_rows)]
            lists = _plain_lists(batch.take(here - place.row)) if here.size else {}
            for row, *values in zip(here.tolist(), *lists.values(), strict=True):
                named = dict(zip(lists, values, strict=True))
                url, title = named.pop("url"), named.pop("title", None)
                stratum = found.strata[found.codes[number][row]]
                yield ShownRow(stratum, url or "", title or "", named, file.alike.get(row))


def _plain_lists(batch: pa.RecordBatch) -> dict[str, list[Any]]:
    """Return columns as JSON holds them: numbers of 32 bits in the fewest digits that tell them."""
    lists = as_lists(batch)
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_floating(column.type):
            values = pc.cast(pc.cast(column, pa.string()), pa.float64()).to_pylist()
            lists[name] = [None if value is None or not math.isfinite(value) else value for value in values]
    return lists


def sample_evenly(codes: NDArray[np.int32], number: int) -> NDArray[np.int64]:
    """Return `number` rows, rising, equally many of each stratum, evenly spaced within it.

    `codes`, (n,), are the strata of the rows, from 0. If a stratum is too small, the others get more.
    """
    sizes = np.bincount(codes)
    rooms = _quotas(sizes, number)
    order, starts = np.argsort(codes, kind="stable"), np.cumsum(sizes) - sizes
    chosen = [
        order[starts[place] + (2 * np.arange(room) + 1) * sizes[place] // (2 * room)]
        for place, room in enumerate(rooms.tolist())
        if room
    ]
    return np.sort(np.concatenate(chosen)) if chosen else np.zeros(0, np.int64)


def _quotas(sizes: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return how many rows of each stratum are chosen."""
    rising = np.sort(sizes)
    before = np.cumsum(rising) - rising
    # What is left for a stratum and all larger ones, equally, once the smaller are whole.
    shares = (number - before) // np.arange(rising.size, 0, -1) if rising.size else rising
    cut = np.flatnonzero(rising > shares)
    if not cut.size:
        return sizes
    share = int(shares[cut[0]])
    rooms = np.minimum(sizes, share)
    larger = np.flatnonzero(sizes > share)
    rooms[larger[: number - int(rooms.sum())]] += 1
    return rooms


def json_of(value: object) -> str:
    """Return compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
