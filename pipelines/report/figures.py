"""The charts of a report: histograms, each with its numbers as a table, signals as strips, and the funnel.

The funnel goes from records to what is left, and has the words of that by language.

A strip says how many pages have which value of a signal, and where the bounds are that judged them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cedar.pipelines.dedup.tables import LABELS
from cedar.pipelines.drawing.charts import BarPicture, Bars, Scale, Tick, number
from cedar.pipelines.drawing.words import Piece
from cedar.pipelines.report.facts import (
    COUNTS,
    DECADES,
    LOWEST,
    SHARES,
    CorpusFacts,
    Histogram,
    bounds_of,
    place_of,
    value_at,
)
from cedar.transforms.curation.presets import Bound
from cedar.transforms.model.annotations import Signals
from cedar.transforms.model.columns import columns_of

_LOSSES = 8  # bars of a stage; smaller ones share the last
_LANGUAGES = 7
_CELLS = 100


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table with its caption, and a note below.

    Columns are numbers but for the first one and `texts`. Rows may have shares to draw, and commands.
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
    """Pages that stand together, as those that a rule dropped: what they are, and more of that."""

    title: str
    said: str
    samples: tuple[Sample, ...]


_DISTRIBUTIONS = (
    ("text", "Length of the text", "characters of text"),
    ("content_ratio", "Content ratio", "share of the visible text that was kept"),
    ("tag_ratio", "Mean tag ratio", "characters for each tag, mean over a page's lines"),
    ("html", "Size of the HTML", "bytes of HTML"),
    ("milliseconds", "Time for each page", "CPU milliseconds of decoding and extraction"),
)


def distributions(facts: CorpusFacts, first: CorpusFacts | None) -> Iterator[tuple[BarPicture, ReportTable]]:
    """Yield the histograms of a corpus, and their numbers as tables; those of the first of two as marks."""
    for name, title, label in _DISTRIBUTIONS:
        histogram = facts.histograms[name]
        other = first.histograms[name] if first else None
        if histogram.total:
            yield _distribution(title, label, histogram, other)


def _distribution(
    title: str, label: str, histogram: Histogram, other: Histogram | None
) -> tuple[BarPicture, ReportTable]:
    present = np.flatnonzero(histogram.counts + (0 if other is None else other.counts))
    low, high = int(present[0]), int(present[-1]) + 1
    if histogram.logarithmic and low == 0 and high > 1:
        # What is nothing at all stands next to the smallest values, not decades away.
        gap = int(present[1]) if present.size > 1 else 1
        chosen = [0, *range(max(1, gap - 1), high)]
    else:
        chosen = list(range(low, high)) if histogram.logarithmic else list(range(histogram.counts.size))
    counts = histogram.counts[chosen].astype(np.float64)
    others = None if other is None else other.counts[chosen] / max(1, other.total) * 100
    values = counts if other is None else counts / max(1, histogram.total) * 100
    names = [_bin_name(histogram, place) for place in chosen]
    quartiles = (_bin_name(histogram, histogram.quantile(share)) for share in (0.25, 0.5, 0.75))
    about = f"Quartiles: {', '.join(quartiles)}.{'' if other is None else ' Marks: the first corpus.'}"
    both = values if others is None else np.concatenate((values, others))
    rows = tuple((name, f"{int(count):,}") for name, count in zip(names, counts.tolist(), strict=True))
    picture = BarPicture(
        chart=Bars(title, about, "pages" if other is None else "% of pages", values),
        values=tuple(values.tolist()),
        kept=(True,) * len(values),
        scale=Scale.over(both, [0.0]),
        x_ticks=tuple(_bin_ticks(histogram, chosen)),
        x_label=label,
        labels=tuple(f"{name}: {count} pages" for name, count in rows),
        others=() if others is None else tuple(others.tolist()),
    )
    return picture, ReportTable(title, (label, "pages"), rows)


def _bin_name(histogram: Histogram, place: int) -> str:
    if histogram.logarithmic and place == 0:
        return f"under {number(histogram.edges[1])}"
    low, high = histogram.edges[place], histogram.edges[place + 1]
    return f"{number(float(f'{low:.2g}'))}–{number(float(f'{high:.2g}'))}"


def _bin_ticks(histogram: Histogram, chosen: Sequence[int]) -> Iterator[Tick]:
    """Ticks at the powers of ten, or at fifths of a linear scale."""
    count = len(chosen)
    for position, place in enumerate(chosen):
        edge = float(histogram.edges[place])
        power = math.log10(edge) if histogram.logarithmic and place else 0.5
        if abs(power - round(power)) <= 1e-6:
            yield Tick(f"{100 * position / count:.3f}", power_of_ten(round(power)))
        elif not histogram.logarithmic and place % 8 == 0:
            yield Tick(f"{100 * position / count:.3f}", number(edge))


def power_of_ten(exponent: int) -> str:
    """Return a power of ten with its unit: 10k, 1m."""
    units = ((9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"))
    found = (f"{10 ** (exponent - power)}{unit}" for power, unit in units if exponent >= power)
    return next(found, f"1e{exponent}")


def strip_charts(facts: CorpusFacts) -> Iterator[dict[str, Any]]:
    """Yield the strips of shares, and those of counts; of signals without bounds only where none has any.

    Strips share an axis. Places on it are in per cent, heights from left to right are at most 1.
    """
    curation = facts.curation
    docs = {column.name: column.doc for column in columns_of(Signals)}
    tenths = tuple(Tick(f"{10 * tenth}", f"{tenth / 10:g}") for tenth in range(0, 11, 2))
    powers = [(end, LOWEST + end) for end in range(DECADES + 1)]
    names_of = {power: power_of_ten(power) if power >= 0 else f"{10.0**power:g}" for _, power in powers}
    decades = tuple(Tick(f"{100 * end / DECADES:.1f}", names_of[power]) for end, power in powers)
    bounded = {bound.signal for bound in curation.beyond}
    for title, names, ticks in (("Shares", SHARES, tenths), ("Counts and ratios", COUNTS, decades)):
        shown = [name for name in names if name in curation.signals and (name in bounded or not bounded)]
        if shown:
            strips = [{"name": name, "doc": docs[name], **_strip(facts, name)} for name in shown]
            yield {"title": title, "ticks": ticks, "strips": strips}


def _strip(facts: CorpusFacts, name: str) -> dict[str, Any]:
    curation = facts.curation
    counts = curation.signals[name].reshape(_CELLS, -1).sum(1)
    reached = np.cumsum(counts)
    median = float(np.searchsorted(reached, 0.5 * reached[-1]) + 0.5) / _CELLS
    return {
        "heights": np.cbrt(counts / max(1, int(counts.max()))).tolist(),
        "median": 100 * median,
        "median_said": number(float(f"{value_at(name, median):.2g}")),
        "edges": [_edge(facts, bound) for bound in bounds_of(facts.reader.described) if bound.signal == name],
    }


def _edge(facts: CorpusFacts, bound: Bound) -> dict[str, Any]:
    """Return a bound on a strip, what is said of it, and whether what is beyond fails."""
    fails, judged = facts.curation.beyond[bound], int(facts.curation.signals[bound.signal].sum())
    sign = {"<=": "≤", ">=": "≥"}.get(bound.operator, bound.operator)
    said = f"{sign} {number(bound.limit)}: {fails:,} fail, {fails / max(1, judged):.1%}"
    x = 100 * place_of(bound.signal, bound.limit)
    return {"x": x, "said": said, "is_upper": bound.operator == "<="}


@dataclass(frozen=True, slots=True)
class FunnelBar:
    """A bar of a funnel: how many records are there, or lost; it ends where `right` records would.

    The stage of a loss is `rejected`, `dropped` or `duplicate`; else it is `kept`, or "".
    """

    label: str
    count: int
    right: int
    stage: str


@dataclass(frozen=True, slots=True)
class Funnel:
    """The steps from top to bottom, of a whole of records; and the words, with those of each language."""

    steps: tuple[FunnelBar, ...]
    whole: int
    words: int = 0
    languages: tuple[tuple[str, int], ...] = ()


def funnel(facts: CorpusFacts, duplicates: Mapping[str, int] | None) -> Funnel:
    """Lay the funnel of a corpus out, with its duplicates by kind if they are known."""
    spoken = facts.curation.words.most_common()
    shown, rest = spoken[:_LANGUAGES], sum(count for _, count in spoken[_LANGUAGES:])
    shown += [(f"{len(spoken) - _LANGUAGES:,} others", rest)] if rest else []
    steps = tuple(_steps(facts, duplicates))
    return Funnel(steps, facts.books.records_read, facts.curation.words.total(), tuple(shown))


def _steps(facts: CorpusFacts, duplicates: Mapping[str, int] | None) -> Iterator[FunnelBar]:
    books = facts.books
    drops = {rule: found.pages for rule, found in facts.curation.dropped.items()}
    alike = {LABELS[kind]: count for kind, count in (duplicates or {}).items()}
    left = books.records_read
    yield FunnelBar("records", left, left, "kept")
    for stage, losses, name in (
        ("rejected", books.rejected, "pages"),
        ("dropped", drops, "kept"),
        ("duplicate", alike, "unique"),
    ):
        ordered = sorted(losses.items(), key=lambda item: -item[1])
        shown = ordered[:_LOSSES]
        if len(ordered) > _LOSSES:
            shown = ordered[: _LOSSES - 1]
            others = ordered[_LOSSES - 1 :]
            shown.append((f"{len(others):,} others", sum(count for _, count in others)))
        for label, count in shown:
            yield FunnelBar(label, count, left, stage)
            left -= count
        if losses or stage == "rejected" or (stage == "duplicate" and duplicates is not None):
            yield FunnelBar(name, left, left, "kept")
