"""Why blocks were kept: the numbers of a decision, and charts of them.

Templates lay charts out as SVG. Places along x are in per cent of the width, those along y in pixels from the
top. Beyond `MAX_BARS` neighbours share a bar, which has the largest of their values and is coloured if one of
them was kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cedar.transforms.extractors.html.characters import Flags, Floats, Offsets


@dataclass(frozen=True, slots=True)
class Axis:
    """What a chart has n bars for: lines or blocks (`noun`, in the singular); those kept are bool (n,)."""

    noun: str
    kept: Flags

    @property
    def size(self) -> int:
        """Number of bars, n."""
        return self.kept.size


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart over an axis.

    Attributes:
        about: how to read it, a sentence or two.
        label: what the values are, with their symbol.
        values: float64 (n,).
        threshold: the line that decided, or None.
        winner: a bar to point out, or None.
    """

    title: str
    about: str
    label: str
    values: Floats
    threshold: float | None = None
    winner: int | None = None
    winner_label: str = ""


@dataclass(frozen=True, slots=True)
class Scatter:
    """A scatter plot with a point for each place of an axis: x and y are float64 (n,).

    `centres` are the centroids of clusters; the centroid of the lines that are no content comes first.
    """

    title: str
    about: str
    x_label: str
    y_label: str
    x: Floats
    y: Floats
    centres: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is shown of a decision.

    The rule, and for each block why it was kept or dropped, and the numbers it was judged by.
    """

    rule: str
    axis: Axis
    charts: tuple[Bars | Scatter, ...]
    reasons: tuple[str, ...]
    numbers: tuple[str, ...]


def number(value: float) -> str:
    """Return a number for people: four significant digits, thousands apart."""
    if not np.isfinite(value):
        return str(value)
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}").replace("-", "\N{MINUS SIGN}")


def typeset(cell: str) -> str:
    """Return a cell of numbers with a dash in a range and the sign of minus: 0.1–0.2, −0.1."""
    ranged = re.sub(r"(?<=\d)-(?=\d)", "\N{EN DASH}", cell)
    return re.sub(r"(?<!\S)-(?=\d)|(?<=\()-(?=\d)", "\N{MINUS SIGN}", ranged)


MAX_BARS = 2000
"""Bars of a chart."""

HEIGHT = 150
"""Pixels from the top of a chart to its x axis."""

_WIDE = 200  # up to this many bars a gap shows between them
_GAP = 0.16


@dataclass(frozen=True, slots=True)
class Scale:
    """The values that an axis goes from and to, and the round numbers that are marked on it."""

    bottom: float
    top: float

    @staticmethod
    def over(values: Floats, more: Sequence[float]) -> Scale:
        """Make the scale that has room for all values, and for 0."""
        finite = values[np.isfinite(values)]
        bottom = min([float(finite.min(initial=0.0)), *more])
        top = max([float(finite.max(initial=0.0)), *more])
        return Scale(bottom, top if top > bottom else bottom + 1.0)

    def share(self, value: float) -> float:
        """Return the share of the axis below a value, from 0 to 1; what lies beyond stands at the ends."""
        return (min(max(value, self.bottom), self.top) - self.bottom) / (self.top - self.bottom)

    def up(self, value: float) -> float:
        """Return the pixels of a value from the top."""
        return HEIGHT * (1 - self.share(value))

    def along(self, value: float) -> float:
        """Return the per cent of a value from the left, with some room at both ends."""
        return 2 + 95 * self.share(value)

    def ticks(self) -> Iterator[float]:
        """Yield round numbers between the ends, three to six of them."""
        rough = (self.top - self.bottom) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = min(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
        first = math.ceil(self.bottom / step - 1e-9)
        for index in range(first, first + 12):
            if index * step > self.top * (1 + 1e-9):
                return
            yield index * step


SHARES = Scale(0.0, 1.0)
"""The axis of scores, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: its place and its label."""

    place: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPicture:
    """A bar chart with its n values, and the bars that are coloured.

    `gap` is the share of a bar's width that lies between two, `labels` name the bars, `others`
    what bars are compared with; both may be empty. `winner` is an x to point out.
    """

    chart: Bars
    values: tuple[float, ...]
    kept: tuple[bool, ...]
    scale: Scale
    x_ticks: tuple[Tick, ...]
    x_label: str
    gap: float = _GAP
    labels: tuple[str, ...] = ()
    others: tuple[float, ...] = ()
    winner: float | None = None


@dataclass(frozen=True, slots=True)
class ScatterPicture:
    """A scatter plot and its points: x, y, and whether kept; there may be fewer than places of the axis."""

    chart: Scatter
    points: tuple[tuple[float, float, bool], ...]
    across: Scale
    scale: Scale


@dataclass(frozen=True, slots=True)
class Binning:
    """How places share bars: bar i has the places [i * size, (i + 1) * size)."""

    size: int
    count: int

    @staticmethod
    def of(places: int) -> Binning:
        """Return the binning that leaves at most `MAX_BARS`."""
        size = max(1, math.ceil(places / MAX_BARS))
        return Binning(size, math.ceil(places / size))

    @property
    def starts(self) -> Offsets:
        """The first place of each bar."""
        return np.arange(self.count) * self.size


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """A bar with its interval; `low` and `high` are None without one. `pages` are values drawn as dots."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    pages: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreBars:
    """Horizontal bars from 0 to 1, one below the other."""

    title: str
    rows: tuple[ScoreBar, ...]
    across: Scale = SHARES


@dataclass(frozen=True, slots=True)
class Series:
    """A point of a plane, or a line through several; y from 0 to 1."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Plane:
    """A square with a legend, in which are lines, or points with their numbers."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    across: Scale
    up: Scale
    has_lines: bool

    @staticmethod
    def of_points(title: str, labels: tuple[str, str], points: tuple[Series, ...]) -> Plane:
        """Lay points with x and y from 0 to 1 out; both axes begin where the lowest value needs it."""
        low = min((min(point) for one in points for point in one.points), default=0.0)
        scale = Scale(min(0.9, max(0.0, int(low * 10) / 10)), 1.0)
        return Plane(title, *labels, points, scale, scale, has_lines=False)

    @staticmethod
    def of_lines(title: str, labels: tuple[str, str], series: tuple[Series, ...]) -> Plane:
        """Lay lines over a common x axis out."""
        xs = [x for line in series for x, _ in line.points] or [0.0]
        left, right = min(xs), max(xs)
        across = Scale(left, right if right > left else left + 1)
        return Plane(title, *labels, series, across, SHARES, has_lines=True)


def bar_picture(axis: Axis, chart: Bars) -> BarPicture:
    """Lay a bar chart out."""
    binning = Binning.of(axis.size)
    values, kept = np.zeros(0), np.zeros(0, bool)
    if axis.size:
        values = np.maximum.reduceat(chart.values, binning.starts)
        kept = np.logical_or.reduceat(axis.kept, binning.starts)
    return BarPicture(
        chart=chart,
        values=tuple(values.tolist()),
        kept=tuple(kept.tolist()),
        scale=Scale.over(values, [0.0, *(() if chart.threshold is None else (chart.threshold,))]),
        x_ticks=_place_ticks(axis.size),
        x_label=f"{axis.noun}s of the page",
        gap=_GAP if binning.count <= _WIDE else 0.0,
        winner=None if chart.winner is None else (chart.winner // binning.size + 0.5) * (100 / binning.count),
    )


def scatter_picture(axis: Axis, chart: Scatter) -> ScatterPicture:
    """Lay a scatter plot out; of places that share a bar, the one farthest from the origin is drawn."""
    binning = Binning.of(axis.size)
    reach = np.hypot(chart.x, chart.y)
    chosen = [s + int(reach[s : s + binning.size].argmax()) for s in binning.starts.tolist()]
    columns = (column[chosen].tolist() for column in (chart.x, chart.y, axis.kept))
    across, scale = (
        Scale.over(values, [0.0, *(centre[side] for centre in chart.centres)])
        for side, values in enumerate((chart.x, chart.y))
    )
    return ScatterPicture(chart, tuple(zip(*columns, strict=True)), across, scale)


def _place_ticks(count: int) -> tuple[Tick, ...]:
    """Return round numbers of places, counted from 1."""
    if not count:
        return ()
    whole = sorted({max(1, round(value)) for value in Scale(0.0, float(count)).ticks()})
    return tuple(Tick(short(100 * (place - 0.5) / count), f"{place:,}") for place in whole if place <= count)


def short(value: float) -> str:
    """Return a place to three decimals, without the zeros at their end."""
    return f"{value:.3f}".rstrip("0").rstrip(".")
