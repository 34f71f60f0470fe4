"""The charts of a report, each with its numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.drawing.charts import BarPicture, Tick, histogram_picture
from pipelines.drawing.evidence import Bars, number
from pipelines.report.facts import CorpusFacts, Histogram


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
class Figure:
    """A chart, and its numbers as a table."""

    picture: BarPicture
    table: ReportTable


_DISTRIBUTIONS = (
    ("text", "Length of the text", "characters of text"),
    ("content_ratio", "Content ratio", "share of the visible text that was kept"),
    ("tag_ratio", "Mean tag ratio", "characters for each tag, mean over a page's lines"),
    ("html", "Size of the HTML", "bytes of HTML"),
    ("milliseconds", "Time for each page", "CPU milliseconds of decoding and extraction"),
)


def distributions(facts: CorpusFacts, first: CorpusFacts | None) -> Iterator[Figure]:
    """Yield the histograms of a corpus; those of the first of two as marks."""
    for name, title, label in _DISTRIBUTIONS:
        histogram = facts.histograms[name]
        other = first.histograms[name] if first else None
        if histogram.total:
            yield _distribution(title, label, histogram, other)


def _distribution(title: str, label: str, histogram: Histogram, other: Histogram | None) -> Figure:
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
    bars = Bars(title, about, "pages" if other is None else "% of pages", values)
    rows = tuple((name, f"{int(count):,}") for name, count in zip(names, counts.tolist(), strict=True))
    labels = [f"{name}: {count} pages" for name, count in rows]
    return Figure(
        histogram_picture(bars, labels, tuple(_bin_ticks(histogram, chosen)), label, others),
        ReportTable(title, (label, "pages"), rows),
    )


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
