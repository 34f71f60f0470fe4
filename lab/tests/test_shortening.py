"""Short copies of articles."""

from __future__ import annotations

import numpy as np

from cedar.transforms.extractors.segments._page import SegmentedPage
from lab.train.examples import kept_and_cut, without_blocks

PAGE = (
    b"<script>var a</script><nav><a href=x>Home</a></nav><h1>Head</h1><div><p class=a>one<!-- b --></p>"
    b"<p>two <b>words</b><p>three</div><ul><li>four<li>five</ul>six<br>seven<aside>eight</aside>"
)


def texts(html: bytes) -> list[str]:
    page = SegmentedPage(html)
    return [page.blocks.read(block) for block in range(page.blocks.count)]


def without(*words: str) -> bytes:
    page = SegmentedPage(PAGE)
    return without_blocks(page, np.isin(texts(PAGE), words))


def test_blocks_go_with_the_elements_that_hold_nothing_else() -> None:
    assert without("one", "two words", "three") == (
        b"<script>var a</script><nav><a href=x>Home</a></nav><h1>Head</h1>"
        b"<ul><li>four<li>five</ul>six<br>seven<aside>eight</aside>"
    )


def test_what_stays_is_as_it_was() -> None:
    assert without() == PAGE
    for gone in texts(PAGE):
        assert texts(without(gone)) == [text for text in texts(PAGE) if text != gone]


def test_an_element_without_an_end_tag_ends_where_the_next_begins() -> None:
    assert b"<ul><li>five</ul>" in without("four")
    assert b"<ul><li>four</ul>" in without("five")


def test_content_is_cut_after_whole_blocks() -> None:
    shares, lengths = np.array([0.0, *[1.0] * 40, 0.1]), np.array([9.0, *[20.0] * 40, 30.0])
    marks = kept_and_cut(shares, lengths, "a page")
    assert marks is not None
    kept, cut = marks
    assert (kept | cut).tolist() == (shares == 1).tolist()
    assert kept.argmax() == 1
    assert np.all(np.diff(kept[1:41].astype(int)) <= 0)
    assert 30 <= lengths[kept].sum() < 220 + 20


def test_what_is_short_has_no_short_copy() -> None:
    assert kept_and_cut(np.ones(3), np.full(3, 20.0), "a page") is None
    assert kept_and_cut(np.ones(1), np.full(1, 9000.0), "a page") is None
