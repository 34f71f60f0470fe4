"""Evidence of the methods that have charts of their own agrees with what they decided."""

from __future__ import annotations

import re

import pytest

from cedar.pipelines.drawing.charts import (
    MAX_OUTLINED,
    Bars,
    Outline,
    OutlineRow,
    Sheet,
    SheetBox,
    outline,
    separator_box,
)
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


def test_the_sheet_has_the_segments_of_what_is_kept_and_their_separators() -> None:
    evidence, blocks = explained("vips")
    sheet, tree, shares = evidence.charts
    assert isinstance(sheet, Sheet)
    assert isinstance(tree, Outline)
    assert isinstance(shares, Bars)
    assert sum(box.kept for box in sheet.segments) == sum(row.state == "k" for row in tree.rows) > 0
    assert len(sheet.separators) >= len(sheet.segments) - 1 > 0
    assert len(sheet.segments) == sum(row.state != "" for row in tree.rows)
    assert all(box.x >= 0 and box.x + box.width <= sheet.width for box in sheet.segments)
    assert tree.rows[0].degree == min(row.degree for row in tree.rows)
    parents = [tree.rows[row.parent] for row in tree.rows if row.parent >= 0]
    inner = [row for row in tree.rows if row.parent >= 0]
    assert all(one.degree <= row.degree for one, row in zip(parents, inner, strict=True))
    assert all(row.parent < place for place, row in enumerate(tree.rows))
    assert shares.values.tolist() == [block.score for block in blocks]
    for block, reason in zip(blocks, evidence.reasons, strict=True):
        assert reason.endswith("in the main column") == block.kept
    largest, blocks = explained("vips", choose="largest")
    assert {"in another segment than the largest"} == {
        reason for block, reason in zip(blocks, largest.reasons, strict=True) if not block.kept
    }


def test_an_outline_goes_down_the_tree_and_says_what_it_leaves_out() -> None:
    found = outline("t", "a", [OutlineRow(-1, 1, "", "top"), *[OutlineRow(0, 9, "s", "x" * 99)] * 500])
    assert [row.text for row in found.rows][:2] == ["top", "x" * 60 + " …"]
    assert (len(found.rows), found.left_out) == (MAX_OUTLINED, 501 - MAX_OUTLINED)
    assert separator_box(1, (10, 10), (0, 50), 3) == SheetBox(0, 9, 50, 3, label="3")
    assert separator_box(0, (10, 30), (5, 50), 7) == SheetBox(10, 5, 20, 45, label="7")


def test_crunch_names_the_filter_that_took_each_text() -> None:
    evidence, blocks = explained("crunch", preset="code", cells="blocks")
    assert any(not block.kept for block in blocks)
    for block, reason in zip(blocks, evidence.reasons, strict=True):
        assert (reason == "no filter took it") == block.kept
    taken = sum(int(number.replace(",", "")) for number in re.findall(r": ([\d,]+)", evidence.rule))
    assert taken >= sum(not block.kept for block in blocks)
