"""Where the estimate puts elements and texts: by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from cedar.transforms.extractors.vips._styles import Styles, parsed_colour, parsed_length
from cedar.transforms.extractors.vips._visual import text_extents
from cedar.transforms.extractors.vips.vips import Boxes, estimated_boxes


def read(html: str) -> Tree:
    return read_tree(visible_source(f"<body>{html}".encode()), keep_hidden=False)


def boxes_of(html: str) -> tuple[Tree, Boxes]:
    tree = read(html)
    return tree, estimated_boxes(tree, text_extents(tree)[0])


def box(html: str, name: str, number: int = 0) -> list[float]:
    """The box of the element of a name that has a number among these."""
    tree, boxes = boxes_of(html)
    found: list[float] = boxes.elements["box"][np.flatnonzero(tree.named(name))[number]].tolist()
    return found


def test_words_flow_in_lines_and_blocks_stack() -> None:
    assert box("<div>four</div><div>x</div>", "div", 1) == pytest.approx([8, 27.2, 1008, 19.2])
    # 3,000 characters of 8 px in lines of 1008 px: 24 lines.
    assert box(f"<div>{'x' * 3000}</div>", "div")[3] == pytest.approx(24 * 19.2)
    assert box("<div><b>one</b> <i>two</i></div>", "i") == pytest.approx([36, 8, 24, 19.2])
    assert box(f"<div><b>{'漢' * 10}</b></div>", "b")[2] == pytest.approx(160)


def test_floats_with_a_width_stand_side_by_side() -> None:
    floats = "<div style='float: left; width: 30%'>a</div><p style='float: left; width: 60%'>b</p><h1>c</h1>"
    assert box(floats, "p") == pytest.approx([310.4, 8, 604.8, 19.2])
    assert box(floats, "h1")[1] == pytest.approx(48.64)


def test_columns_have_the_widths_given_and_share_the_rest() -> None:
    table = f"<table><tr><td width=200>a<td>{'b' * 30}<td>{'c' * 10}<tr><td colspan=2>d<td>e</table>"
    assert box(table, "td")[2] == pytest.approx(200)
    assert box(table, "td", 1)[2] == pytest.approx(808 * 0.75)
    assert box(table, "td", 3)[2] == pytest.approx(200 + 606)
    assert box(table, "td", 4)[0] == pytest.approx(8 + 806)
    assert box("<table><form><tr><td>a<td>b</form></table>", "td", 1)[1] == pytest.approx(8)


def test_what_holds_a_block_is_one() -> None:
    tree, boxes = boxes_of("<b><div>x</div></b><i>y</i>")
    places = [np.flatnonzero(tree.named(name))[0] for name in ("b", "div", "i")]
    assert boxes.elements["display"][places].tolist() == [3, 3, 1]


def test_normal_is_the_weight_that_pages_begin_with() -> None:
    tree = read("<p>x</p><b><i style='font-weight:normal'>y</i></b><b><u style='font-weight:400'>z</u></b>")
    weights = Styles(tree).elements["weight"]
    assert [weights[np.flatnonzero(tree.named(name))[0]] for name in ("p", "i", "u")] == [400, 400, 400]


def test_styles_win_over_attributes_and_inherit() -> None:
    style = "font-weight:bold;FONT-SIZE:20px;visibility:hidden"
    tree = read(f"<div style='{style}' bgcolor=red><b>x</b><i style='font:1'>y</i></div>")
    elements = Styles(tree).elements
    at = int(np.flatnonzero(tree.named("i"))[0])
    assert elements[["size", "weight", "visible"]][at].item() == (20, 700, False)
    assert elements["background"][np.flatnonzero(tree.named("div"))[0]] == 0xFF0000
    over = read("<td></td><p width=9 style='width:40px;background:blue' bgcolor=red>x")
    assert Styles(over).elements["background"][np.flatnonzero(over.named("p"))[0]] == 0x0000FF
    assert box("<p width=9 style='width:40px'>x", "p")[2] == 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", 12),
        (" 12.5px", 12.5),
        ("50%", -0.5),
        ("2em", 40),
        ("2rem", 32),
        ("12pt", 16),
        (".5em", 10),
        ("auto", 0),
        ("-3px", 0),
        ("", 0),
    ],
)
def test_lengths_are_pixels_or_shares(text: str, expected: float) -> None:
    assert parsed_length(text.encode(), 20.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#fff", 0xFFFFFF),
        ("#A1b2c3", 0xA1B2C3),
        ("a1b2c3", 0xA1B2C3),
        ("fed", -1),
        ("White !important", 0xFFFFFF),
        ("url(x.gif) navy", 0x000080),
        ("rgb(255, 0, 16)", 0xFF0010),
        ("rgba(1,2,3,.5)", 0x010203),
        ("rgba(1,2,3,0)", -1),
        ("rgb(100%,0%,0%)", 0xFF0000),
        ("transparent", -1),
        ("#ggg", -1),
        ("", -1),
    ],
)
def test_colours_are_those_of_css(text: str, expected: int) -> None:
    assert parsed_colour(text.encode()) == expected


def test_words_are_runs_between_blanks_and_han_is_a_word_each() -> None:
    tree = read("<p>two words<p>漢字かな<p>ab漢字cd<p>한국어 말")
    assert [count for count in text_extents(tree)[1].tolist() if count] == [2, 4, 4, 2]
