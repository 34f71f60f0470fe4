"""Charts: SVG that parses, with escaped text and points where they belong."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from cedar.pipelines.drawing.charts import Plane, ScoreBar, ScoreBars, Series
from cedar.pipelines.drawing.pages import environment

HOSTILE = "</text><script>alert('1')</script>&\""


def shapes(svg: str, tag: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter(f"{{http://www.w3.org/2000/svg}}{tag}"))


def bars(rows: list[ScoreBar], title: str = "t") -> str:
    macros = environment().get_template("score_charts.html").module
    return str(macros.score_bars(ScoreBars(title, tuple(rows))))  # type: ignore[attr-defined]


def plane(chart: Plane) -> str:
    return str(environment().get_template("score_charts.html").module.plane(chart))  # type: ignore[attr-defined]


def place(shape: ET.Element, name: str) -> float:
    """The per cent or the pixels of an attribute."""
    return float(shape.attrib[name].removesuffix("%"))


def scatter(*points: tuple[str, float, float], words: str = "t") -> str:
    series = tuple(Series(label, ((x, y),)) for label, x, y in points)
    return plane(Plane.of_points(words, (words, words), series))


def lines(*series: Series, words: str = "t") -> str:
    return plane(Plane.of_lines(words, (words, words), series))


def test_bars_are_as_long_as_their_values() -> None:
    svg = bars([ScoreBar("half", 0.5, 0.4, 0.6), ScoreBar("whole", 1.0), ScoreBar("beyond", 1.5)])
    half, whole, beyond = (place(rect, "width") for rect in shapes(svg, "rect"))
    assert whole == pytest.approx(2 * half)
    assert beyond == whole
    (whisker,) = (line for line in shapes(svg, "line") if line.attrib["class"] == "whisker")
    span = place(whisker, "x2") - place(whisker, "x1")
    assert span == pytest.approx(0.2 * whole, abs=0.2)


def test_points_rise_with_y_and_go_right_with_x() -> None:
    circles = shapes(scatter(("a", 0.5, 0.5), ("b", 0.9, 0.9)), "circle")
    low, high = circles
    assert place(low, "cx") < place(high, "cx")
    assert place(low, "cy") > place(high, "cy")


def test_lines_go_through_their_points() -> None:
    (line,) = shapes(lines(Series("F1", ((0.0, 0.1), (1.0, 0.9), (2.0, 0.5)))), "polyline")
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert points[1][1] < points[2][1] < points[0][1]


def test_text_is_escaped_everywhere() -> None:
    for svg in (
        bars([ScoreBar(HOSTILE, 0.5)], HOSTILE),
        scatter((HOSTILE, 0.1, 0.2), words=HOSTILE),
        lines(Series(HOSTILE, ((0.0, 0.0),)), words=HOSTILE),
    ):
        assert not shapes(svg, "script")
        assert "<script" not in svg


def test_charts_are_as_wide_as_the_window() -> None:
    charts = (
        bars([ScoreBar("a", 0.5, 0.4, 0.6, (0.5, 0.7))]),
        scatter(("a", 0.5, 0.5)),
        lines(Series("F1", ((0.0, 0.1),))),
    )
    for svg in charts:
        for name in ("x", "x1", "x2", "cx"):
            places = [shape.attrib[name] for shape in ET.fromstring(svg).iter() if name in shape.attrib]
            assert all(each.endswith("%") or each == "0" for each in places)


def test_nothing_to_draw_is_drawn() -> None:
    for svg in (bars([]), scatter(), lines()):
        ET.fromstring(svg)
