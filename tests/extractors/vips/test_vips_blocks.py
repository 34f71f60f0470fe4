"""What VIPS makes of any boxes, and what single rules decide."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from cedar.transforms.extractors.vips import _visual
from cedar.transforms.extractors.vips._visual import text_extents
from cedar.transforms.extractors.vips.vips import Boxes, estimated_boxes, segmented_page
from tests.extractors.tree_samples import pages, read
from tests.extractors.vips.boxed_pages import cut, drawn, rules, segment_texts
from tests.helpers.shapes import assert_linear


def random_boxes(tree: Tree, seed: int) -> Boxes:
    """Boxes of whole pixels anywhere."""
    boxes = estimated_boxes(tree, text_extents(tree)[0])
    numbers = np.random.default_rng(seed)
    elements = boxes.elements.copy()
    elements["box"] = numbers.integers(-3, 60, elements["box"].shape)
    elements["size"] = numbers.choice([12, 16, 16, 24], tree.size)
    elements["weight"] = numbers.choice([400, 400, 700], tree.size)
    elements["background"] = numbers.choice([-1, -1, -1, 0xFFFFFF, 0xEEEEEE], tree.size)
    elements["visible"] = numbers.random(tree.size) < 0.95
    if not seed % 2:
        elements["display"] = numbers.integers(1, 4, tree.size)
    texts = numbers.integers(-3, 60, boxes.texts.shape).astype(np.float32)
    return Boxes(elements, texts, 60.0, 60.0)


@settings(max_examples=12)
@given(pages, st.integers(0, 2**32))
def test_degrees_grow_downwards_and_each_leaf_is_in_one_segment(html: str, seed: int) -> None:
    tree = read(html)
    blocks = segmented_page(tree, random_boxes(tree, seed)).blocks
    parents = blocks.parents
    assert (parents[1:] < np.arange(1, parents.size)).all()
    assert (blocks.degrees[1:] >= blocks.degrees[parents[1:]]).all()
    assert ((blocks.degrees >= 1) & (blocks.degrees <= 10)).all()
    for pdoc in range(1, 11):
        segments = blocks.segments(pdoc)[blocks.of_leaves]
        assert (segments >= 0).all()
        finer = blocks.segments(min(10, pdoc + 1))[blocks.of_leaves]
        # Segments are nested: leaves that a finer cut leaves together are together.
        assert all(len(set(segments[finer == one].tolist())) == 1 for one in set(finer.tolist()))


def column(*parts: str) -> str:
    return f"<body box='0 0 1000 1000' style='background: white'>{''.join(parts)}</body>"


def line(top: int, text: str, name: str = "p", more: str = "") -> str:
    return f"<{name} box='0 {top} 1000 20' texts='0 {top} 900 20' {more}>{text}</{name}>"


def weights(*parts: str) -> list[int]:
    _, page = cut(column(*parts), 1000, 1000)
    return sorted(weight for *_, weight in page.blocks.separators)


@pytest.mark.parametrize(
    ("gap", "weight"), [(-1, 1), (0, 1), (8, 1), (9, 2), (15, 2), (16, 4), (26, 6), (400, 12)]
)
def test_wider_separators_weigh_more(gap: int, weight: int) -> None:
    # Without texts, nothing else counts; boxes that touch have a separator, too.
    parts = [f"<p box='0 {top} 100 20'><img box='0 {top} 100 20'></p>" for top in (0, 20 + gap)]
    assert weights(*parts) == [weight]


def test_lines_fonts_and_backgrounds_add_to_weights() -> None:
    assert weights(line(0, "one"), line(60, "two")) == [6]  # 40 px: 8, alike: -2
    assert weights(line(0, "one"), "<hr box='0 30 1000 2'>", line(60, "two")) == [8]
    assert weights(line(0, "one", "h3"), line(60, "two")) == [10]
    assert weights(line(0, "one"), line(60, "two", "h1")) == [12]
    assert weights(line(0, "one"), line(60, "two", more="style='background: red'")) == [8]


def test_blocks_that_overlap_are_siblings() -> None:
    parts = [f"<p box='{at} {at} 100 100' texts='{at} {at} 100 100'>{at}</p>" for at in (0, 50)]
    tree, page = cut(column(*parts), 1000, 1000)
    assert drawn(tree, page) == ["1 body", "  10 p 0", "  10 p 50"]
    assert not page.blocks.separators.size


def test_a_block_of_lines_in_one_font_is_more_coherent() -> None:
    bold = "<p box='0 0 500 20' texts='0 0 90 20'>one <b box='90 0 90 20' texts='90 0 90 20'>two</b></p>"
    assert drawn(*cut(column(bold, line(40, "three")), 1000, 1000)) == [
        "1 body",
        "  9 p one two",
        "  10 p three",
    ]


def test_what_cannot_be_seen_is_no_block() -> None:
    hidden = line(40, "hidden", more="style='visibility: hidden'")
    outside = "<p box='0 60 9 9' texts='-100 60 90 20'>outside</p>"
    empty = "<p box='0 80 9 9'></p><p box='0 90 9 9'><br></p>"
    found = cut(column(line(0, "one"), hidden, outside, empty, line(100, "two")), 1000, 1000)
    assert segment_texts(*found, 10) == ["one", "two"]
    assert rules(*found)[0] == "body 3"
    nothing = cut(column(hidden, outside), 1000, 1000)[1]
    assert (nothing.visual.size, nothing.blocks.parents.size) == (0, 0)


def test_an_element_whose_box_is_empty_has_that_of_what_floats_in_it() -> None:
    floats = "<div box='0 0 1000 0'><p box='0 0 400 90' texts='0 0 400 90'>one</p>{}</div>".format(
        "<p box='500 0 400 90' texts='500 0 400 90'>two</p>"
    )
    assert segment_texts(*cut(column(floats), 1000, 1000), 10) == ["one", "two"]


def test_places_beyond_all_bounds_are_the_farthest_there_are() -> None:
    tall = "<p style='height: 999999999px'>one</p>" * 9
    tree = read(f"<body>{tall}<p>two</p>")
    boxes = segmented_page(tree).blocks.boxes
    assert boxes.max() == 10**9
    assert (boxes[:, 2:] >= boxes[:, :2]).all()


def test_boxes_must_be_as_many_as_elements_and_tags() -> None:
    tree = read("<body><p>one")
    other = estimated_boxes(read("<body><p>one<p>two"), np.zeros(8, np.float32))
    with pytest.raises(ValueError, match="not as many boxes"):
        segmented_page(tree, other)


def test_a_page_with_too_many_nodes_is_for_the_stand_in() -> None:
    found = extract(b"<body>" + b"<p>x" * (_visual.MAX_NODES // 2), "vips")
    assert found.fallback == f"cetr: {_visual.MAX_NODES + 1} visual nodes"


@pytest.mark.parametrize(
    "piece",
    [
        b"<tr><td>x<td>yy<td><b>z</b>",
        b"<div style='float:left;width:10%'>x<hr>",
        b"<p>word <a href=x>word</a></p><h2>x</h2>",
    ],
)
def test_time_is_linear_in_the_page(piece: bytes) -> None:
    def run(html: bytes) -> object:
        return segmented_page(read_tree(visible_source(html), keep_hidden=False))

    assert_linear(run, lambda n: b"<body><table>" + piece * n, 500)
