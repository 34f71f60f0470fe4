"""What is known of the pages of a corpus besides their texts: languages, signals, and what rules dropped."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from transforms.corpus.reading import CorpusReader
from transforms.curation.languages import iso_639_3
from transforms.model.annotations import Signals
from transforms.model.columns import columns_of
from transforms.model.summaries import ShardSummary

if TYPE_CHECKING:
    import pyarrow as pa

SHARES = tuple(c.name for c in columns_of(Signals) if "share" in c.doc or c.doc.startswith("the same of"))
"""The signals that are shares, from 0 to 1."""

_BINS = 200
_MOST_RULES = 1000


@dataclass(frozen=True, slots=True)
class Dropped:
    """What a rule dropped."""

    pages: int
    reason: str
    url: str


@dataclass(slots=True)
class CurationFacts:
    """Sums over the pages of a corpus.

    Attributes:
        languages: pages by the language that was found; "none" if absent.
        scripts: the same by script.
        disagreements: pages by the language that they declare and the one that was found, where they differ.
        signals: int64 (bins,) of each of `SHARES`: pages by their value.
        dropped: by reason without its value.
    """

    languages: Counter[str] = field(default_factory=Counter)
    scripts: Counter[str] = field(default_factory=Counter)
    disagreements: Counter[tuple[str, str]] = field(default_factory=Counter)
    signals: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    dropped: dict[str, Dropped] = field(default_factory=dict)

    def add(self, reader: CorpusReader, summary: ShardSummary) -> None:
        """Add the pages of a shard.

        Raises:
            LostFilesError: a file is gone, or is not the one that was committed.
            OSError: it cannot be read.
        """
        if "language" in reader.groups:
            for _, batch in reader.batches(summary, "pages", ("lang", "language", "language_script")):
                self._add_languages(batch)
        if "signals" in reader.groups:
            for _, batch in reader.batches(summary, "pages", SHARES):
                self._add_signals(batch)
        if "drop_reason" in reader.groups:
            for kind in ("pages", "dropped"):
                for _, batch in reader.batches(summary, kind, ("drop_reason", "url")):
                    self._add_dropped(batch)

    def _add_languages(self, batch: pa.RecordBatch) -> None:
        declared, found, scripts = (column.to_pylist() for column in batch.columns)
        self.languages.update(language or "none" for language in found)
        self.scripts.update(script or "none" for script in scripts)
        self.disagreements.update(
            (said, language)
            for said, language in zip(declared, found, strict=True)
            if said and language and iso_639_3(said) != language
        )

    def _add_signals(self, batch: pa.RecordBatch) -> None:
        for name, column in zip(SHARES, batch.columns, strict=True):
            bins = np.clip(np.asarray(column) * _BINS, 0, _BINS - 1).astype(np.int64)
            counts = np.bincount(bins, minlength=_BINS)
            self.signals[name] = self.signals.get(name, np.zeros(_BINS, np.int64)) + counts

    def _add_dropped(self, batch: pa.RecordBatch) -> None:
        reasons, urls = (column.to_pylist() for column in batch.columns)
        for reason, url in zip(reasons, urls, strict=True):
            if reason is None:
                continue
            rule = rule_of(reason)
            known = self.dropped.get(rule)
            if known is not None:
                self.dropped[rule] = Dropped(known.pages + 1, known.reason, known.url)
            elif len(self.dropped) < _MOST_RULES:
                self.dropped[rule] = Dropped(1, reason, url)


def rule_of(reason: str) -> str:
    """Name the rule of a `drop_reason`: of `fineweb: dup_lines 0.41 > 0.3` all but the page's value.

    Of `keep: words > 100 (words 57)` all but what stands in the last brackets, where no value has any.
    """
    words = reason.split(" ")
    if words[0] == "keep:":
        return reason.rpartition(" (")[0] if reason.endswith(")") else reason
    return " ".join((*words[:2], *words[3:])) if len(words) == 5 else reason


def quantile(counts: NDArray[np.int64], share: float) -> float:
    """Return the value below which a share of the pages is; they are counted in equal bins from 0 to 1."""
    return float(np.searchsorted(np.cumsum(counts), share * counts.sum())) / len(counts)
