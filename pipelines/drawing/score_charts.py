"""Small charts as SVG: bars with intervals, points, lines. Plain text in, escaped text out.

Colours come from the page's style by class (`bar`, `whisker`, `grid`, `label`, `s0` to `s7` for series);
nothing here needs a script or the network. Numbers are shares from 0 to 1 unless said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pipelines.drawing.evidence import number
from pipelines.drawing.scales import Scale

SERIES = 8
"""Number of colours of series; further ones begin again."""

_WIDTH = 720
_LABEL_WIDTH = 230
_ROW = 22
_PLOT = 360
_MARGIN = 46
_LEGEND_ROW = 17


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """A bar with its interval; `low` and `high` are None if absent."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A point with its label; x and y from 0 to 1."""

    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points (x, y); y from 0 to 1."""

    label: str
    points: tuple[tuple[float, float], ...]


def bars(rows: Sequence[ScoreBar], title: str) -> str:
    """Horizontal bars from 0 to 1, one below the other."""
    height = _ROW * len(rows) + 26
    parts = [_open(_WIDTH, height, title)]
    right = _WIDTH - 60
    span, scale = right - _LABEL_WIDTH, Scale(0.0, 1.0)
    for value in scale.ticks():
        x = _LABEL_WIDTH + span * scale.share(value)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 20}"/>')
        parts.append(_text(x, height - 6, number(value), "middle"))
    for place, row in enumerate(rows):
        y = 4 + _ROW * place
        length = span * scale.share(row.value)
        parts.append(_text(_LABEL_WIDTH - 8, y + 15, _cut(row.label, 34), "end"))
        parts.append(
            f'<rect class="bar" x="{_LABEL_WIDTH}" y="{y + 3}" width="{length:.1f}" height="{_ROW - 6}">'
            f"<title>{escape(row.label)}: {row.value:.4f}</title></rect>"
        )
        if row.low is not None and row.high is not None:
            x1, x2 = (_LABEL_WIDTH + span * scale.share(v) for v in (row.low, row.high))
            parts.append(f'<line class="whisker" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y + 11}" y2="{y + 11}"/>')
        parts.append(_text(right + 8, y + 15, f"{row.value:.3f}", "start"))
    return "".join(parts) + "</svg>"


def scatter(points: Sequence[ScorePoint], title: str, x_label: str, y_label: str) -> str:
    """Numbered points in a square with a legend; the axes begin where the lowest value needs it."""
    low = min((min(p.x, p.y) for p in points), default=0.0)
    low = min(0.9, max(0.0, int(low * 10) / 10))
    scale = Scale(low, 1.0)
    parts = [_open_square(len(points), title), *_square_axes(scale, scale, x_label, y_label)]
    for place, point in enumerate(points):
        x, y = _x(scale, point.x), _y(scale, point.y)
        parts.append(
            f'<circle class="s{place % SERIES}" cx="{x:.1f}" cy="{y:.1f}" r="5">'
            f"<title>{escape(point.label)}: {point.x:.3f}, {point.y:.3f}</title></circle>"
        )
        parts.append(_text(x + 7, y + 4, str(place + 1), "start"))
        parts += _legend(place, f"{place + 1} {point.label}")
    return "".join(parts) + "</svg>"


def lines(series: Sequence[Line], title: str, x_label: str, y_label: str) -> str:
    """Lines over a common x axis, with a legend; y from 0 to 1."""
    xs = [x for line in series for x, _ in line.points] or [0.0]
    left, right = min(xs), max(xs)
    across, up = Scale(left, right if right > left else left + 1), Scale(0.0, 1.0)
    parts = [_open_square(len(series), title), *_square_axes(across, up, x_label, y_label)]
    for place, line in enumerate(series):
        path = " ".join(f"{_x(across, x):.1f},{_y(up, y):.1f}" for x, y in line.points)
        parts.append(f'<polyline class="s{place % SERIES} line" points="{path}"/>')
        parts += _legend(place, line.label)
    return "".join(parts) + "</svg>"


def _open_square(entries: int, title: str) -> str:
    return _open(_WIDTH, max(_PLOT + 2 * _MARGIN, _MARGIN + _LEGEND_ROW * entries), title)


def _legend(place: int, label: str) -> list[str]:
    x, y = _PLOT + _MARGIN + 40, _MARGIN / 2 + 8 + _LEGEND_ROW * place
    return [
        f'<circle class="s{place % SERIES}" cx="{x}" cy="{y:.1f}" r="5"/>',
        _text(x + 10, y + 4, _cut(label, 40), "start"),
    ]


def _square_axes(across: Scale, up: Scale, x_label: str, y_label: str) -> list[str]:
    parts = []
    top, foot = _MARGIN / 2, _MARGIN / 2 + _PLOT
    for value in across.ticks():
        x = _x(across, value)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top:.1f}" y2="{foot:.1f}"/>')
        parts.append(_text(x, foot + 16, number(value), "middle"))
    for value in up.ticks():
        y = _y(up, value)
        parts.append(f'<line class="grid" x1="{_MARGIN}" x2="{_MARGIN + _PLOT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text(_MARGIN - 6, y + 4, number(value), "end"))
    parts.append(_text(_MARGIN + _PLOT / 2, foot + 34, x_label, "middle"))
    parts.append(_text(_MARGIN, top - 8, y_label, "start"))
    return parts


def _x(scale: Scale, value: float) -> float:
    return _MARGIN + _PLOT * scale.share(value)


def _y(scale: Scale, value: float) -> float:
    return _MARGIN / 2 + _PLOT * (1 - scale.share(value))


def _open(width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}">'
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text class="label" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
