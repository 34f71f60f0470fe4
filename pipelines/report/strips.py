"""Signals as strips: how many pages have which value, and where the bounds are that judged them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipelines.drawing.charts import Tick
from pipelines.drawing.evidence import number
from pipelines.report.curation import (
    COUNTS,
    DECADES,
    LOWEST,
    SHARES,
    bounds_of,
    place_of,
    signal_docs,
    value_at,
)
from pipelines.report.facts import CorpusFacts
from pipelines.report.figures import power_of_ten

_HEIGHT = 22
_CELLS = 100


@dataclass(frozen=True, slots=True)
class Edge:
    """A bound on a strip, how many pages do not keep it, and the part that does not; in per cent."""

    x: str
    said: str
    out_x: str
    out_width: str


@dataclass(frozen=True, slots=True)
class Strip:
    """A signal's strip: the outline of its pages, in 100 by 22 units, its median in per cent, its bounds."""

    name: str
    doc: str
    path: str
    median: str
    median_said: str
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class StripChart:
    """Strips over one axis."""

    title: str
    ticks: tuple[Tick, ...]
    strips: tuple[Strip, ...]


def strip_charts(facts: CorpusFacts) -> Iterator[StripChart]:
    """Yield the strips of shares, and those of counts; of signals without bounds only where none has any."""
    curation, docs = facts.curation, signal_docs()
    tenths = tuple(Tick(f"{10 * tenth}", f"{tenth / 10:g}") for tenth in range(0, 11, 2))
    powers = [(end, LOWEST + end) for end in range(DECADES + 1)]
    names_of = {power: power_of_ten(power) if power >= 0 else f"{10.0**power:g}" for _, power in powers}
    decades = tuple(Tick(f"{100 * end / DECADES:.1f}", names_of[power]) for end, power in powers)
    bounded = {bound.signal for bound in curation.beyond}
    for title, names, ticks in (("Shares", SHARES, tenths), ("Counts and ratios", COUNTS, decades)):
        shown = [name for name in names if name in curation.signals and (name in bounded or not bounded)]
        if shown:
            yield StripChart(title, ticks, tuple(_strip(facts, name, docs[name]) for name in shown))


def _strip(facts: CorpusFacts, name: str, doc: str) -> Strip:
    curation = facts.curation
    counts = curation.signals[name].reshape(_CELLS, -1).sum(1)
    heights = _HEIGHT * (1 - np.cbrt(counts / max(1, int(counts.max()))))
    points = " ".join(f"H{place}V{height:.1f}" for place, height in enumerate(heights.tolist()))
    reached = np.cumsum(counts)
    median = float(np.searchsorted(reached, 0.5 * reached[-1]) + 0.5) / _CELLS
    return Strip(
        name,
        doc,
        f"M0 {_HEIGHT}{points}H{_CELLS}V{_HEIGHT}z",
        f"{100 * median:.1f}",
        number(float(f"{value_at(name, median):.2g}")),
        tuple(_edges(facts, name)),
    )


def _edges(facts: CorpusFacts, name: str) -> Iterator[Edge]:
    judged = max(1, int(facts.curation.signals[name].sum()))
    for bound in bounds_of(facts.reader.described):
        if bound.signal != name:
            continue
        x = 100 * place_of(name, bound.limit)
        fails = facts.curation.beyond[bound]
        out = (x, 100 - x) if bound.operator == "<=" else (0.0, x)
        sign = {"<=": "≤", ">=": "≥"}.get(bound.operator, bound.operator)
        said = f"{sign} {number(bound.limit)}: {fails:,} fail, {fails / judged:.1%}"
        yield Edge(f"{x:.2f}", said, f"{out[0]:.2f}", f"{out[1]:.2f}")
