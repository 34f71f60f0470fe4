"""Rows of teasers of one page in another."""

from __future__ import annotations

import numpy as np

from pipelines.train.pasting import teaser_rows, with_rows
from transforms.extractors.segments._page import SegmentedPage

TEASER = "<li><a href=/{0}>Story {0}: a dog is found, and what became of its owner</a></li>"
ROW = f"<ul class=more>{''.join(TEASER.format(number) for number in range(3))}</ul>"
DONOR = f"<body><h1>Head</h1><p>The text of it.</p><div>{ROW}</div><ul><li>a<li>b<li>c</ul></body>".encode()
PAGE = (
    b"<body><nav>Menu</nav><main><div><p>one two</p><p>three four</p><p>five six</p><p>seven eight</p></div>"
    b"</main><footer>Foot</footer></body>"
)


def texts(html: bytes) -> list[str]:
    page = SegmentedPage(html)
    return [page.blocks.read(block) for block in range(page.blocks.count)]


def rows_of(shares: float) -> list[bytes]:
    page = SegmentedPage(DONOR)
    lengths = np.array([len(text.split()) for text in texts(DONOR)], float)
    return teaser_rows(page, np.full(lengths.size, shares), lengths, 3)


def test_a_row_is_an_element_of_like_children_with_links_apart_from_the_text() -> None:
    assert rows_of(0.0) == [ROW.encode()]
    assert rows_of(1.0) == []


def test_rows_stand_below_the_text_and_now_and_then_in_it() -> None:
    page, row = SegmentedPage(PAGE), ROW.encode()
    content = np.array(["e" in text and text != "Menu" for text in texts(PAGE)])
    teasers = texts(row)
    inside = 0
    for name in map(str, range(40)):
        found = texts(with_rows(page, content, [row], name))
        assert [text for text in found if text not in teasers] == texts(PAGE)
        first = found.index(teasers[0])
        inside += first < found.index("seven eight")
        assert found.index("seven eight") < len(found) - 1 - found[::-1].index(teasers[-1])
        assert found.index("one two") < first
    assert 5 <= inside <= 25
