"""Evidence agrees with the decision it explains."""

from __future__ import annotations

import contextlib
import re

import numpy as np
import pytest

from cedar.pipelines.drawing.charts import (
    HEIGHT,
    MAX_BARS,
    Axis,
    Bars,
    Binning,
    Evidence,
    Scale,
    Scatter,
    bar_picture,
    number,
    scatter_picture,
)
from cedar.pipelines.drawing.pages import environment
from cedar.pipelines.explain.evidence import evidence
from cedar.transforms.extractors import registry
from cedar.transforms.extractors.extraction import Block
from cedar.transforms.runtime.guard import Guard
from cedar.transforms.runtime.guard_limits import DEFAULT_LIMITS

PAGE = (
    "<html><head><title>Tide</title></head><body>\n<ul><li><a href='/'>Home</a></li>\n"
    "<li><a href='/n'>News</a></li></ul>\n<div id='main'>\n<h1>The tide mill</h1>\n"
    + "".join(
        f"<p>Paragraph {n} of the article says at length what the <b>mill</b> does.</p>\n" for n in range(8)
    )
    + "</div>\n<div>tail <a href='/c'>Contact</a> | <a href='/i'>Imprint</a></div>\n</body></html>"
).encode()


def explained(name: str, page: bytes = PAGE, **options: object) -> tuple[Evidence, tuple[Block, ...]]:
    record = registry.parse_options(name, options)
    result = registry.run(registry.get(name), page, record)
    return evidence(name, record, result, blocks=result.blocks), result.blocks


@pytest.mark.parametrize("name", registry.names())
def test_every_method_has_evidence_for_every_block(name: str) -> None:
    for page in (PAGE, b"", b"plain text", b"<p>one line</p>"):
        evidence, blocks = explained(name, page)
        assert len(evidence.reasons) == len(evidence.numbers) == len(blocks)
        axis = evidence.axis
        assert axis.kept.tolist() == [block.kept for block in blocks]
        for chart in evidence.charts:
            if isinstance(chart, Bars | Scatter):
                assert (chart.values if isinstance(chart, Bars) else chart.x).size == axis.size


@pytest.mark.parametrize("smoothing", ["fixed", "literal"])
def test_threshold_of_the_figure_parts_kept_from_dropped(smoothing: str) -> None:
    evidence, blocks = explained("cetr-tm", smoothing=smoothing)
    chart = evidence.charts[1]
    assert isinstance(chart, Bars)
    assert chart.threshold is not None
    assert (chart.values >= chart.threshold).tolist() == [block.kept for block in blocks]


@pytest.mark.parametrize("smoothing", ["fixed", "literal"])
def test_points_of_the_plane_are_nearest_to_the_centre_that_decided(smoothing: str) -> None:
    evidence, blocks = explained("cetr", smoothing=smoothing)
    chart = evidence.charts[3]
    assert isinstance(chart, Scatter)
    assert chart.centres[0] == (0.0, 0.0)
    distances = [np.hypot(chart.x - x, chart.y - y) for x, y in chart.centres]
    assert (np.argmin(distances, axis=0) != 0).tolist() == [block.kept for block in blocks]


def test_cetd_points_out_the_largest_sum() -> None:
    evidence, blocks = explained("cetd-ds")
    density, sums = evidence.charts
    assert isinstance(density, Bars)
    assert isinstance(sums, Bars)
    assert sums.winner == int(sums.values.argmax())
    assert density.values.tolist() == [block.score for block in blocks]
    assert blocks[sums.winner].kept
    assert all(f"{block.path}" in numbers for block, numbers in zip(blocks, evidence.numbers, strict=True))


@pytest.mark.parametrize("name", ["cetd-ds", "vips", "crunch", "coreex"])
def test_blocks_of_a_guarded_extractor_come_from_its_child(name: str) -> None:
    options = registry.options_json(registry.parse_options(name, {}))
    with contextlib.closing(Guard((name, options), DEFAULT_LIMITS, with_blocks=True)) as guard:
        found = guard.extract(PAGE)
    here = registry.bind(name, options)(PAGE)
    assert found == here
    assert found.blocks == here.blocks
    assert found.html == here.html


def test_bars_share_places_beyond_the_limit() -> None:
    size = 2 * MAX_BARS + 1
    places = np.arange(size)
    kept = places == size - 1
    axis = Axis("line", kept)
    picture = bar_picture(axis, Bars("", "", "", places.astype(float)))
    binning = Binning.of(size)
    assert (binning.size, binning.count) == (3, len(picture.values))
    assert picture.kept.index(True) == binning.count - 1
    assert picture.scale.up(picture.values[-1]) == 0
    points = scatter_picture(axis, Scatter("", "", "", "", places * 1.0, places * 1.0)).points
    assert len(points) == binning.count


def test_negative_values_hang_from_zero() -> None:
    axis = Axis("line", np.array([True, False]))
    picture = bar_picture(axis, Bars("", "", "", np.array([1.0, -1.0]), threshold=0.5))
    drawn = environment().get_template("charts.html").module.bars(picture)  # type: ignore[attr-defined]
    half = str(HEIGHT // 2)
    assert re.findall(r'%" y="(\w+)" width="\w+%" height="(\w+)"', drawn) == [("0", half), (half, half)]


@pytest.mark.parametrize("top", [0.003, 1.0, 7.0, 99.0, 1234.5, 3e9])
def test_ticks_are_few_and_inside(top: float) -> None:
    ticks = list(Scale(0.0, top).ticks())
    assert 3 <= len(ticks) <= 6
    assert ticks[0] == 0.0
    assert ticks[-1] <= top * 1.001


def test_numbers_are_short() -> None:
    assert [number(value) for value in (0.0, 1.23456, 23456.7, -3.0, 1e-7)] == [
        "0", "1.235", "23,457", "−3", "1e−07",
    ]  # fmt: skip


def test_what_stays_below_the_threshold_belongs_to_what_stays() -> None:
    paragraph = b"<p>Paragraphs of the article say at length what the mill does, and where the tide goes. "
    page = b"<main>" + 3 * paragraph + b"<footer><pre>x = 1</pre></footer>" + 3 * paragraph
    shown, blocks = explained("cedar", page)
    reasons = {block.text: reason for block, reason in zip(blocks, shown.reasons, strict=True)}
    assert reasons["x = 1"] == "it belongs to what stays, or an option asks for it"
