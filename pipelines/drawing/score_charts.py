"""Charts of scores, from 0 to 1: what `score_charts.html` draws as SVG, and the scales of its axes."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.drawing.charts import Scale

SHARES = Scale(0.0, 1.0)
"""From 0 to 1."""


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
