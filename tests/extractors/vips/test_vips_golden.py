"""Two pages whose blocks are known in full: rules, separators, degrees of coherence, segments."""

from __future__ import annotations

import pytest

from tests.extractors.vips.boxed_pages import PAGE_1, PAGE_2, cut, drawn, rules, segment_texts

ABOVE_THE_LINE = "SITE NAME Home News Sport Headline First paragraph of the story. Second bold paragraph."


@pytest.fixture(scope="module")
def page_1():
    return cut(PAGE_1, 1024, 382)


@pytest.fixture(scope="module")
def page_2():
    return cut(PAGE_2, 800, 640)


def test_rules_decide_in_order(page_1) -> None:
    first = ["body 3", "div 4", "div 12", "div 4", "div 10", "div 4"]
    assert rules(*page_1) == [*first, "div 3", "h1 4", "p 4", "p 4"]


def test_rules_of_a_table_decide_in_order(page_2) -> None:
    first = ["body 3", "table 2", "tbody 12", "tr 2", "td 9", "tr 8", "td 11", "div 4"]
    assert rules(*page_2) == [*first, "td 2", "td 3", "font 4", "p 4", "p 4", "td 4", "td 3"]


def test_blocks_of_a_page_in_columns(page_1) -> None:
    assert drawn(*page_1) == [
        "1 body",
        "  7 several",
        "    10 div SITE NAME",
        "    7 several",
        "      10 div Home News Sport",
        "      7 div",
        "        10 h1 Headline",
        "        9 several",
        "          10 p First paragraph of the story.",
        "          9 p Second bold paragraph.",
        "  10 div Copyright",
    ]


def test_blocks_of_a_page_in_a_table(page_2) -> None:
    assert drawn(*page_2) == [
        "1 body",
        "  8 several",
        "    8 td",
        "      10 img",
        "      10 text Daily News",
        "    8 several",
        "      8 td World Local Weather",
        "      8 td",
        "        8 several",
        "          10 font Storm hits coast",
        "          10 p Long first paragraph",
        "        10 p Long second paragraph",
        "    10 div All rights reserved",
        "  10 img",
    ]


def test_separators_and_their_weights(page_1) -> None:
    found = page_1[1].blocks.separators.tolist()
    # Block, axis (1: horizontal), where it starts and ends, how far it reaches, weight.
    assert found == [
        [0, 1, 169, 362, 0, 1024, 14],
        [1, 1, 40, 60, 0, 1024, 6],
        [3, 0, 48, 220, 60, 169, 12],
        [5, 1, 99, 110, 220, 499, 4],
        [8, 1, 129, 150, 220, 499, 2],
    ]


@pytest.mark.parametrize(
    ("pdoc", "segments"),
    [
        (5, [ABOVE_THE_LINE, "Copyright"]),
        (7, [ABOVE_THE_LINE, "Copyright"]),
        (
            8,
            [
                "SITE NAME",
                "Home News Sport",
                "Headline",
                "First paragraph of the story. Second bold paragraph.",
                "Copyright",
            ],
        ),
        (
            10,
            [
                "SITE NAME",
                "Home News Sport",
                "Headline",
                "First paragraph of the story.",
                "Second bold paragraph.",
                "Copyright",
            ],
        ),
    ],
)
def test_segments_at_permitted_degrees(page_1, pdoc: int, segments: list[str]) -> None:
    assert sorted(segment_texts(*page_1, pdoc)) == sorted(segments)
