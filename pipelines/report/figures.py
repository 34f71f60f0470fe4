"""The charts of a report: the funnel from records to kept pages, histograms, and signals as strips.

A strip shows how many pages have which value of a signal, and the bounds that judged them.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cedar.pipelines.dedup.tables import LABELS
from cedar.pipelines.drawing.charts import BarPicture, Bars, Scale, Tick, number
from cedar.pipelines.drawing.words import Piece
from cedar.pipelines.report.counts import Histogram
from cedar.pipelines.report.facts import (
    COUNTS,
    DECADES,
    MIN_POWER,
    SHARES,
    CorpusFacts,
    bounds_of,
    language_name,
)
from cedar.transforms.curation.presets import Bound
from cedar.transforms.model.annotations import Signals
from cedar.transforms.model.books import RejectReason
from cedar.transforms.model.columns import columns_of

_LOSSES = 8  # bars of a stage; smaller ones share the last
_LANGUAGES = 7
_CELLS = 100
_FEW_BARS = 8  # that have room for a number each


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table with its caption, and a note below.

    The first column and `texts` hold words, the others numbers. Rows may have shares to draw, and commands.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shares: tuple[str, ...] = ()
    texts: tuple[int, ...] = ()
    note: str = ""
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """A page's text, cut and marked, and the command that explains it, or ""."""

    title: str
    url: str
    pieces: tuple[Piece, ...]
    command: str = ""


@dataclass(frozen=True, slots=True)
class SampleGroup:
    """Pages shown together, such as those that a rule dropped; `about` follows the title."""

    title: str
    about: str
    samples: tuple[Sample, ...]


_DISTRIBUTIONS = (
    ("text", "Length of the text", "characters of text"),
    ("content_ratio", "Content ratio", "share of the visible text that was kept"),
    ("tag_ratio", "Mean tag ratio", "characters for each tag, mean over a page's lines"),
    ("html", "Size of the HTML", "bytes of HTML"),
    ("milliseconds", "Time for each page", "CPU milliseconds of decoding and extraction"),
)


def distributions(facts: CorpusFacts, first: CorpusFacts | None) -> Iterator[tuple[BarPicture, ReportTable]]:
    """Yield the histograms of a corpus, and their numbers as tables; the first of two corpora is marked."""
    for name, title, label in _DISTRIBUTIONS:
        histogram = facts.histograms[name]
        other = first.histograms[name] if first else None
        if histogram.total:
            yield _distribution(title, label, histogram, other=other)


def _distribution(
    title: str, label: str, histogram: Histogram, *, other: Histogram | None
) -> tuple[BarPicture, ReportTable]:
    present = np.flatnonzero(histogram.counts + (0 if other is None else other.counts))
    low, high = int(present[0]), int(present[-1]) + 1
    is_log = histogram.is_log
    chosen = list(range(low, high)) if is_log else list(range(histogram.counts.size))
    if is_log and low == 0 and high > 1:
        # Values under the first power of ten stand next to the smallest others, not decades away.
        second = int(present[1]) if present.size > 1 else 1
        chosen = [0, *range(max(1, second - 1), high)]
    counts = histogram.counts[chosen].astype(np.float64)
    others = None if other is None else other.counts[chosen] / max(1, other.total) * 100
    values = counts if other is None else counts / max(1, histogram.total) * 100
    names = [_bin_name(histogram, place) for place in chosen]
    quarter, half, three_quarters = (_about(histogram, share) for share in (0.25, 0.5, 0.75))
    about = f"Half of the pages: {quarter} to {three_quarters}; median {half}."
    if quarter == three_quarters:
        about = f"Half of the pages or more: about {half}."
    if other is not None:
        about += " Marks: the first corpus."
    both = values if others is None else np.concatenate((values, others))
    rows = tuple((name, f"{int(count):,}") for name, count in zip(names, counts.tolist(), strict=True))
    picture = BarPicture(
        chart=Bars(title, about, "pages" if other is None else "% of pages", values),
        values=tuple(values.tolist()),
        kept=(True,) * len(values),
        scale=Scale.over(both, [0.0]),
        x_ticks=tuple(_bin_ticks(histogram, chosen)),
        x_label=label,
        labels=tuple(f"{name}: {count} {'page' if count == '1' else 'pages'}" for name, count in rows),
        others=() if others is None else tuple(others.tolist()),
    )
    return picture, ReportTable(title, (label, "pages"), rows)


def _bin_name(histogram: Histogram, place: int) -> str:
    if histogram.is_log and place == 0:
        return f"under {number(histogram.edges[1])}"
    low, high = histogram.edges[place], histogram.edges[place + 1]
    return f"{number(float(f'{low:.2g}'))}–{number(float(f'{high:.2g}'))}"


def _about(histogram: Histogram, share: float) -> str:
    """Return the value below which this share of the pages is, to the bin, in two digits."""
    place = histogram.quantile(share)
    if histogram.is_log and place == 0:
        return f"under {number(histogram.edges[1])}"
    low, high = histogram.edges[place], histogram.edges[place + 1]
    middle = math.sqrt(low * high) if histogram.is_log else (low + high) / 2
    return number(float(f"{middle:.2g}"))


def _bin_ticks(histogram: Histogram, chosen: Sequence[int]) -> Iterator[Tick]:
    """Yield ticks at the powers of ten, or at fifths of a linear scale; at each bar if there are few."""
    is_log = histogram.is_log
    for position, place in enumerate(chosen):
        edge, x = float(histogram.edges[place]), f"{100 * position / len(chosen):.3f}"
        if is_log and place and len(chosen) <= _FEW_BARS:
            yield Tick(x, number(float(f"{edge:.2g}")))
            continue
        power = math.log10(edge) if is_log and place else 0.5
        if abs(power - round(power)) <= 1e-6:
            yield Tick(x, power_of_ten(round(power)))
        elif not is_log and place % 8 == 0:
            yield Tick(x, number(edge))


def power_of_ten(exponent: int) -> str:
    """Return a power of ten with its unit: 10k, 1m."""
    for power, unit in ((9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ")):
        if exponent >= power:
            return f"{10 ** (exponent - power)}{unit}"
    return f"1e{exponent}"


def strip_charts(facts: CorpusFacts) -> Iterator[dict[str, Any]]:
    """Yield the strips of shares, then of counts. If any signal has a bound, the others are left out.

    Strips share an axis. Places on it are in per cent, heights from left to right are at most 1.
    """
    signals = facts.curation.signals
    docs = {column.name: column.doc for column in columns_of(Signals)}
    tenths = tuple(Tick(f"{10 * tenth}", f"{tenth / 10:g}") for tenth in range(0, 11, 2))
    powers = [(end, MIN_POWER + end) for end in range(DECADES + 1)]
    names_of = {power: power_of_ten(power) if power >= 0 else f"{10.0**power:g}" for _, power in powers}
    decades = tuple(Tick(f"{100 * end / DECADES:.1f}", names_of[power]) for end, power in powers)
    bounds = list(bounds_of(facts.reader.described))
    bounded = {bound.signal for bound in bounds}
    for title, names, ticks in (("Shares", SHARES, tenths), ("Counts and ratios", COUNTS, decades)):
        shown = [name for name in names if name in signals and (name in bounded or not bounded)]
        strips = [{"name": name, "doc": docs[name], **_strip_chart(facts, name, bounds)} for name in shown]
        if any(signals[name].total for name in shown):
            yield {"title": title, "ticks": ticks, "strips": strips}


def _strip_chart(facts: CorpusFacts, name: str, bounds: Sequence[Bound]) -> dict[str, Any]:
    histogram = facts.curation.signals[name]
    counts = histogram.counts.reshape(_CELLS, -1).sum(1)
    median = histogram.quantile(0.5)
    return {
        "heights": np.cbrt(counts / max(1, int(counts.max()))).tolist(),
        "median": 100 * (median + 0.5) / histogram.counts.size,
        "median_text": number(float(f"{histogram.edges[median]:.2g}")),
        "edges": [_bound_mark(facts, bound) for bound in bounds if bound.signal == name],
    }


def _bound_mark(facts: CorpusFacts, bound: Bound) -> dict[str, Any]:
    """Return the place of a bound on a strip, its text, and whether values above it fail."""
    histogram = facts.curation.signals[bound.signal]
    fails = facts.curation.failing[bound]
    sign = {"<=": "at most", ">=": "at least", "==": "exactly"}[bound.operator]
    share = fails / max(1, histogram.total)
    failing = f"{fails:,} fail, {share:.1%}" if fails else "none fails"
    text = f"{sign} {number(bound.limit)}: {failing}"
    x = np.interp(bound.limit, histogram.edges, np.linspace(0, 100, histogram.edges.size))
    return {"x": float(x), "text": text, "is_upper": bound.operator == "<="}


@dataclass(frozen=True, slots=True)
class FunnelBar:
    """A bar of a funnel: records that are left, or lost; it ends where a bar of `right` records would.

    The stage of a loss is `rejected`, `dropped` or `duplicate`; of other bars it is `kept`, or "". The page
    shows `meaning`, a reason or a rule in words, in place of the label, with the label in small letters.
    """

    label: str
    count: int
    right: int
    stage: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Funnel:
    """The steps from top to bottom, the records at the top, and the words that are left, by language.

    `words_name` says how they are counted: as the signal `cedar_words`, or split at blanks.
    """

    steps: tuple[FunnelBar, ...]
    whole: int
    words: int = 0
    words_name: str = "words"
    languages: tuple[tuple[str, int], ...] = ()


def funnel(facts: CorpusFacts, duplicates: Mapping[str, int] | None) -> Funnel:
    """Lay out the funnel of a corpus; `duplicates` are counts by kind, if they are known."""
    words: Counter[str] = Counter()
    for language, _, number_of_words in facts.curation.words:
        words[language_name(language)] += number_of_words or 0  # None: no page has the signal
    by_language = words.most_common()
    shown, rest = by_language[:_LANGUAGES], sum(count for _, count in by_language[_LANGUAGES:])
    shown += [(f"{len(by_language) - _LANGUAGES:,} others", rest)] if rest else []
    steps = tuple(_funnel_bars(facts, duplicates))
    name = "words" if facts.curation.words_column == "cedar_words" else "words split at blanks"
    return Funnel(steps, facts.books.records_read, words.total(), name, tuple(shown))


def _funnel_bars(facts: CorpusFacts, duplicates: Mapping[str, int] | None) -> Iterator[FunnelBar]:
    books = facts.books
    drops = {rule: found.pages for rule, found in facts.curation.dropped.items()}
    alike = {LABELS[kind]: count for kind, count in (duplicates or {}).items()}
    left = books.records_read
    yield FunnelBar("records", left, left, "kept")
    for stage, losses, name in (
        ("rejected", books.rejected, "pages extracted" if drops else "pages kept"),
        ("dropped", drops, "pages kept"),
        ("duplicate", alike, "unique pages"),
    ):
        ordered = sorted(losses.items(), key=lambda item: -item[1])
        shown = ordered[:_LOSSES]
        if len(ordered) > _LOSSES:
            shown = ordered[: _LOSSES - 1]
            others = ordered[_LOSSES - 1 :]
            shown.append((f"{len(others):,} others", sum(count for _, count in others)))
        for label, count in shown:
            yield FunnelBar(label, count, left, stage, _meaning(stage, label))
            left -= count
        if losses or stage == "rejected" or (stage == "duplicate" and duplicates is not None):
            yield FunnelBar(name, left, left, "kept")


def _meaning(stage: str, label: str) -> str:
    """Return what a reason of rejects or the signal of a preset's rule means; "" for other labels."""
    if stage == "rejected":
        meanings = {reason.value: reason.meaning for reason in RejectReason}
        return meanings.get(label, "")
    return rule_in_words(label)


def rule_in_words(rule: str) -> str:
    """Return what a preset's rule drops, as `share of lines that repeat an earlier line: above 0.3`.

    Return "" for other rules.
    """
    columns = {column.name: column for column in columns_of(Signals)}
    match rule.split(" "):
        case [_, signal, operator, limit] if signal in columns:
            meaning = re.split("[:;]", columns[signal].doc)[0]
            side = {">": "above", "<": "below"}.get(operator)
            return meaning if side is None else f"{meaning}: {side} {limit}"
    return ""
