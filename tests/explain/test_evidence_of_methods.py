"""Evidence of the methods that have charts of their own agrees with what they decided."""

from __future__ import annotations

import re

import pytest

from cedar.pipelines.drawing.charts import Bars
from cedar.pipelines.explain.tree_evidence import WORDS
from cedar.transforms.extractors.cedar.columns import ALL_COLUMNS
from tests.explain.test_evidence import PAGE, explained


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_averaged_ratios_part_at_the_threshold(factor: float) -> None:
    evidence, blocks = explained("ttr-t", threshold_factor=factor)
    chart = evidence.charts[1]
    assert isinstance(chart, Bars)
    assert chart.threshold is not None
    assert (chart.values >= chart.threshold).tolist() == [block.kept for block in blocks]
    assert evidence.control is not None
    assert evidence.control.modes[0].unit * factor == pytest.approx(chart.threshold)


def test_prediction_keeps_from_a_rise_through_a_drop() -> None:
    evidence, blocks = explained("ttr-p")
    _, rise, drop = evidence.charts
    assert isinstance(rise, Bars)
    assert isinstance(drop, Bars)
    assert rise.threshold is not None
    inside = False
    for place, block in enumerate(blocks):
        inside = inside or (place > 0 and bool(rise.values[place] >= rise.threshold))
        assert block.kept == inside
        inside = inside and not drop.values[place] >= rise.threshold


@pytest.mark.parametrize(("name", "symbol"), [("cectd-ds", "CTD"), ("cetd-ds", "TD")])
def test_densities_of_blocks_are_those_of_their_bars(name: str, symbol: str) -> None:
    evidence, blocks = explained(name)
    chart = evidence.charts[0]
    assert isinstance(chart, Bars)
    for block, bar in zip(blocks, evidence.axis.of_block, strict=True):
        assert chart.values[bar] == block.score
        assert evidence.axis.notes[bar].startswith(f"{block.path}: {symbol} ")


def test_smoothed_densities_reach_the_threshold_somewhere_above_what_is_kept() -> None:
    evidence, blocks = explained("cectd-s")
    chart = evidence.charts[0]
    assert isinstance(chart, Bars)
    assert chart.threshold is not None
    assert any(block.kept for block in blocks)
    assert (chart.values >= chart.threshold).any()


def test_coreex_points_out_the_element_of_the_highest_score() -> None:
    evidence, blocks = explained("coreex")
    chart = evidence.charts[0]
    assert isinstance(chart, Bars)
    assert chart.winner is not None
    assert chart.values[chart.winner] == chart.values.max()
    winner = evidence.axis.notes[chart.winner].partition(": ")[0]
    for block, reason in zip(blocks, evidence.reasons, strict=True):
        assert reason.startswith("few links") == block.kept
        assert not block.kept or f"{block.path}/".startswith(f"{winner}/")


def test_votes_name_the_members_that_gave_them() -> None:
    evidence, blocks = explained("combine")
    chart = evidence.charts[0]
    assert isinstance(chart, Bars)
    assert chart.values.tolist() == [block.score for block in blocks]
    for block, reason in zip(blocks, evidence.reasons, strict=True):
        named = reason.removeprefix("votes of ").split(", ") if reason != "no vote" else []
        assert len(named) == block.score


def test_cues_are_named_with_the_score() -> None:
    evidence, blocks = explained("cedar")
    for block, numbers in zip(blocks, evidence.numbers, strict=True):
        weightiest = max(block.cues, key=lambda cue: abs(cue[1]))[0]
        assert f"it: {WORDS[weightiest]} " in numbers


def test_every_group_of_columns_has_words_for_people() -> None:
    assert WORDS.keys() == {"base", "rules", *(column.partition(".")[0] for column in ALL_COLUMNS)}


def test_a_page_without_links_says_why_all_of_it_is_kept() -> None:
    page = PAGE.replace(b"<a ", b"<i ").replace(b"</a>", b"</i>")
    for name in ("cectd-ds", "cectd-s"):
        evidence, blocks = explained(name, page)
        assert "without links" in evidence.rule
        assert all(block.kept for block in blocks)


def test_crunch_names_the_filter_that_took_each_text() -> None:
    evidence, blocks = explained("crunch", preset="code", cells="blocks")
    assert any(not block.kept for block in blocks)
    for block, reason in zip(blocks, evidence.reasons, strict=True):
        assert (reason == "no filter took it") == block.kept
    taken = sum(int(number.replace(",", "")) for number in re.findall(r": ([\d,]+)", evidence.rule))
    assert taken >= sum(not block.kept for block in blocks)
