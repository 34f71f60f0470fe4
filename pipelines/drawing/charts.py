"""Charts as geometry: where bars, points, lines and ticks go. Templates write them as SVG.

Places along x are in per cent of the width, those along y in pixels from the top. Beyond `MAX_BARS`
neighbours share a bar, which has the largest of their values and is coloured if one of them was kept.
Charts of scores, from 0 to 1, are laid out by `score_charts.html`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from pipelines.drawing.evidence import Axis, Bars, Scatter, number
from transforms.extractors.html.characters import Floats, Offsets

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

    def ticks(self) -> Iterator[float]:
        """Yield round numbers between the ends, three to six of them."""
        rough = (self.top - self.bottom) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
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


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: left edge and width in per cent, top and height in pixels; `label` says what it shows."""

    x: str
    width: str
    y: str
    height: str
    kept: bool
    label: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a scatter plot: x in per cent, y in pixels."""

    x: str
    y: str
    kept: bool


@dataclass(frozen=True, slots=True)
class BarPicture:
    """A bar chart laid out, with the values at its top and bottom.

    `threshold` is a y and `winner` an x; `others` are what bars are compared with, marks at their heights.
    """

    chart: Bars
    bars: tuple[Bar, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_label: str
    top: float
    bottom: float
    threshold: str | None = None
    winner: str | None = None
    others: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True)
class ScatterPicture:
    """A scatter plot laid out; `points` may be fewer than the places of the axis."""

    chart: Scatter
    points: tuple[Point, ...]
    centres: tuple[Point, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


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
    """A bar with its interval; `low` and `high` are None if absent."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


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
    if axis.size:
        values = np.maximum.reduceat(chart.values, binning.starts)
        kept = np.logical_or.reduceat(axis.kept, binning.starts)
    else:
        values, kept = np.zeros(0), np.zeros(0, bool)
    limits = [0.0, *(() if chart.threshold is None else (chart.threshold,))]
    ticks, scale = _y_axis(values, limits)
    bars = _bars(scale, values, kept.tolist(), repeat(""), _GAP if binning.count <= _WIDE else 0.0)
    winner = None if chart.winner is None else (chart.winner // binning.size + 0.5) * (100 / binning.count)
    return BarPicture(
        chart,
        bars,
        _place_ticks(axis.size),
        ticks,
        f"{axis.noun}s of the page",
        scale.top,
        scale.bottom,
        threshold=None if chart.threshold is None else _short(_up(scale, chart.threshold)),
        winner=None if winner is None else _short(winner),
    )


def histogram_picture(
    chart: Bars, labels: Sequence[str], x_ticks: tuple[Tick, ...], x_label: str, others: Floats | None = None
) -> BarPicture:
    """Lay a chart of n counts or rates out, what is said of each, and what they are compared with, (n,)."""
    values = chart.values
    both = values if others is None else np.concatenate((values, others))
    ticks, scale = _y_axis(both, [0.0])
    compared = () if others is None else _bars(scale, others, repeat(True), repeat(""))
    bars = _bars(scale, values, repeat(True), labels)
    return BarPicture(chart, bars, x_ticks, ticks, x_label, scale.top, scale.bottom, others=compared)


def scatter_picture(axis: Axis, chart: Scatter) -> ScatterPicture:
    """Lay a scatter plot out; of places that share a bar, the one farthest from the origin is drawn."""
    binning = Binning.of(axis.size)
    reach = np.hypot(chart.x, chart.y)
    chosen = [s + int(reach[s : s + binning.size].argmax()) for s in binning.starts.tolist()]
    y_ticks, y_scale = _y_axis(chart.y, [0.0, *(y for _, y in chart.centres)])
    across = Scale.over(chart.x, [0.0, *(x for x, _ in chart.centres)])

    def point(x: float, y: float, kept: bool) -> Point:
        return Point(_short(_across(across, x)), _short(_up(y_scale, y)), kept)

    columns = (column[chosen].tolist() for column in (chart.x, chart.y, axis.kept))
    points = tuple(map(point, *columns))
    centres = tuple(point(x, y, place > 0) for place, (x, y) in enumerate(chart.centres))
    x_ticks = tuple(Tick(_short(_across(across, value)), number(value)) for value in across.ticks())
    return ScatterPicture(chart, points, centres, x_ticks, y_ticks)


def _bars(
    scale: Scale, values: Floats, kept: Iterable[bool], labels: Iterable[str], gap: float = _GAP
) -> tuple[Bar, ...]:
    """Lay bars out side by side, from the 0 of a scale; the gap is a share of a bar's width."""
    step, zero = 100 / max(1, values.size), _up(scale, 0.0)
    bars = []
    for place, (value, is_kept, label) in enumerate(zip(values.tolist(), kept, labels, strict=False)):
        y = _up(scale, value)
        upper, height = (y, zero - y) if value >= 0 else (zero, y - zero)
        x, width = place * step + step * gap / 2, step * (1 - gap)
        bars.append(Bar(_short(x), _short(width), _short(upper), _short(height), is_kept, label))
    return tuple(bars)


def _up(scale: Scale, value: float) -> float:
    """Return the pixels of a value from the top."""
    return HEIGHT * (1 - scale.share(value))


def _across(scale: Scale, value: float) -> float:
    """Return the per cent of a value from the left, with some room at both ends."""
    return 2 + 95 * scale.share(value)


def _y_axis(values: Floats, more: Sequence[float]) -> tuple[tuple[Tick, ...], Scale]:
    scale = Scale.over(values, more)
    return tuple(Tick(_short(_up(scale, value)), number(value)) for value in scale.ticks()), scale


def _place_ticks(count: int) -> tuple[Tick, ...]:
    """Round numbers of places, counted from 1."""
    if not count:
        return ()
    whole = sorted({max(1, round(value)) for value in Scale(0.0, float(count)).ticks()})
    return tuple(Tick(_short(100 * (place - 0.5) / count), f"{place:,}") for place in whole if place <= count)


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
