"""What is known of the pages of a corpus besides their texts: languages, signals, and what rules dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from transforms.corpus.reading import CorpusReader, Place
from transforms.curation.languages import iso_639_3
from transforms.curation.presets import NOT_IF_DENSE, PRESETS, Bound
from transforms.curation.rules import rule_of
from transforms.model.annotations import Signals
from transforms.model.columns import columns_of

HOST = r"^[^:/?#]+://(?:[^/?#@]*@)?(?P<host>\[[^\]/?#]*\]|[^/?#:]*)"
"""Finds the host in a URL, as `host`."""

SHARES = tuple(c.name for c in columns_of(Signals) if "share" in c.doc or c.doc.startswith("the same of"))
"""The signals that are shares, from 0 to 1."""

COUNTS = tuple(c.name for c in columns_of(Signals) if c.kind != "bool" and c.name not in SHARES)
"""The other signals that are numbers."""

LOWEST, DECADES = -2, 8
"""Bins of `COUNTS` widen with the values: over `DECADES` powers of ten, from that of `LOWEST`."""

_BINS = 200
_MOST_RULES = 1000
_TEXTS = 3  # of a rule


@dataclass(frozen=True, slots=True)
class DroppedPage:
    """A page that a rule dropped; `kind` is that of its file, `pages` or `dropped`."""

    kind: str
    place: Place
    reason: str
    url: str
    source: str
    offset: int

    @property
    def host(self) -> str:
        """The host in its URL."""
        found = re.match(HOST, self.url)
        return found["host"].lower() if found else ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a rule dropped: how many pages, and some of them, of different hosts."""

    pages: int
    some: tuple[DroppedPage, ...]


@dataclass(slots=True)
class CurationFacts:
    """Sums over the pages of a corpus.

    Attributes:
        languages, scripts: pages by what was found; "none" if absent.
        disagreements: pages by the language that they declare and the one that was found, where they differ.
        signals: int64 (bins,) of each of `SHARES` and `COUNTS`: pages by their value, with those dropped.
        beyond: pages that do not keep a bound of the presets that judged them, by the bound.
        words: of the pages that are kept, by the language that was found, else declared.
        dropped: by reason without its value.
    """

    languages: Counter[str] = field(default_factory=Counter)
    scripts: Counter[str] = field(default_factory=Counter)
    disagreements: Counter[tuple[str, str]] = field(default_factory=Counter)
    signals: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    beyond: Counter[Bound] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    dropped: dict[str, Dropped] = field(default_factory=dict)

    def add(self, reader: CorpusReader, kind: str, place: Place, batch: pa.RecordBatch) -> None:
        """Add rows of `pages` or `dropped`, with the columns of `columns_read`."""
        if "signals" in reader.groups:
            self._add_signals(batch, bounds_of(reader.described))
        if "language" in reader.groups and kind == "pages":
            self._add_languages(batch)
        if "drop_reason" in reader.groups:
            self._add_dropped(kind, place, batch)
            batch = batch.filter(pc.is_null(batch.column("drop_reason")))
        if kind == "pages":
            for spoken, _, words in tally(batch, _spoken(reader.groups), sums=("words",)):
                self.words[iso_639_3(spoken or "none")] += words

    def _add_languages(self, batch: pa.RecordBatch) -> None:
        for declared, found, script, count in tally(batch, "lang", "language", "language_script"):
            said = iso_639_3(declared or "")
            self.languages[found or "none"] += count
            self.scripts[script or "none"] += count
            if found and said not in ("", found):
                self.disagreements[said, found] += count

    def _add_signals(self, batch: pa.RecordBatch, bounds: Mapping[Bound, str]) -> None:
        values = {c.name: batch.column(c.name).to_numpy(zero_copy_only=False) for c in columns_of(Signals)}
        for name in (*SHARES, *COUNTS):
            known = values[name][np.isfinite(values[name])]
            if name in COUNTS:
                known = (np.log10(np.maximum(known, 10.0**LOWEST)) - LOWEST) / DECADES
            counts = np.bincount(np.clip(known * _BINS, 0, _BINS - 1).astype(np.int64), minlength=_BINS)
            self.signals[name] = self.signals.get(name, np.zeros(_BINS, np.int64)) + counts
        is_dense = values["dense_share"] > 0.5
        for bound in bounds:
            found = values[bound.signal].astype(np.float64)
            fails = np.isfinite(found) & ~np.asarray(bound.holds(found))
            self.beyond[bound] += int((fails & ~is_dense if bound.signal in NOT_IF_DENSE else fails).sum())

    def _add_dropped(self, kind: str, place: Place, batch: pa.RecordBatch) -> None:
        columns = (batch.column(name).to_pylist() for name in ("drop_reason", "url", "source", "offset"))
        for row, (reason, *of_page) in enumerate(zip(*columns, strict=True)):
            if reason is None:
                continue
            rule, page = rule_of(reason), Place(place.shard, place.row + row)
            fresh = DroppedPage(kind, page, reason, *of_page)
            if rule in self.dropped or len(self.dropped) < _MOST_RULES:
                known = self.dropped.get(rule, Dropped(0, ()))
                is_new = len(known.some) < _TEXTS and fresh.host not in {one.host for one in known.some}
                some = (*known.some, fresh) if is_new else known.some
                self.dropped[rule] = Dropped(known.pages + 1, some)


def columns_read(groups: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of `pages` and `dropped` that `CurationFacts` reads, of these groups of columns."""
    return (
        *("lang", _spoken(groups), "words"),
        *(("language_script",) if "language" in groups else ()),
        *((column.name for column in columns_of(Signals)) if "signals" in groups else ()),
        *(("drop_reason", "url", "source", "offset") if "drop_reason" in groups else ()),
    )


def _spoken(groups: Sequence[str]) -> str:
    return "language" if "language" in groups else "lang"


def tally(
    rows: pa.RecordBatch | pa.Table, *names: str, sums: tuple[str, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of some columns, how many rows have them, and the sums of others over these rows."""
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_batches([rows])
    wanted = [([], "count_all"), *((name, "sum") for name in sums)]
    found = table.group_by(list(names), use_threads=False).aggregate(wanted)
    columns = (*names, "count_all", *(f"{name}_sum" for name in sums))
    return zip(*(found.column(name).to_pylist() for name in columns), strict=True)


def hosts_of(urls: pa.Array) -> pa.Array:
    """Return the host of each URL, "" without one."""
    found = pc.struct_field(pc.extract_regex(urls, HOST), "host")
    return pc.fill_null(pc.utf8_lower(found), "")


def bounds_of(described: Mapping[str, Any]) -> dict[Bound, str]:
    """Return the bounds of the presets that judged a corpus, by its `corpus.json`, and the preset of each."""
    named = (str(described.get(key) or "") for key in ("source_presets", "presets"))
    presets = dict.fromkeys(name for name in ",".join(named).split(",") if name in PRESETS)
    return {bound: preset for preset in presets for bound in PRESETS[preset]}


def signal_docs() -> dict[str, str]:
    """Return what each signal is; `the same of 3 tokens` is the last one before it that is told in full."""
    docs: dict[str, str] = {}
    whole = ""
    for column in columns_of(Signals):
        tokens = column.doc.removeprefix("the same of ")
        is_short = tokens != column.doc and tokens.endswith(" tokens")
        whole = whole if is_short else column.doc
        docs[column.name] = re.sub("[25] tokens", tokens, whole) if is_short else whole
    return docs


def quantile(counts: NDArray[np.int64], share: float) -> float:
    """Return the value below which a share of the pages is; they are counted in equal bins from 0 to 1."""
    return float(np.searchsorted(np.cumsum(counts), share * counts.sum())) / len(counts)


def value_at(name: str, place: float) -> float:
    """Return the value of a signal at a place of its bins, from 0 to 1."""
    return float(place) if name in SHARES else float(10 ** (LOWEST + DECADES * place))


def place_of(name: str, value: float) -> float:
    """Return the place of a value among the bins of its signal, from 0 to 1."""
    if name not in SHARES:
        value = (np.log10(max(value, 10.0**LOWEST)) - LOWEST) / DECADES
    return min(1.0, max(0.0, float(value)))
