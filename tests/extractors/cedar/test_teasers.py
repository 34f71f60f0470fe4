"""A card of another story amid the paragraphs of a text goes; what belongs to the text stays."""

from __future__ import annotations

import numpy as np
import pytest

from cedar.transforms.extractors.cedar._drops import drop_teasers, drop_tools
from cedar.transforms.extractors.cedar.model import UNIT
from cedar.transforms.extractors.segments._page import SegmentedPage

PARAGRAPH = "<p>The crew looks at the ropes each spring, in the order in which they were laid.</p>"


def stays(part: str, *, before: str = PARAGRAPH, after: str = PARAGRAPH, score: int = 2 * UNIT) -> bool:
    """Whether the winch stays, if all blocks were chosen."""
    page = SegmentedPage(
        f"<html><body><article>{PARAGRAPH * 3}{before}{part}{after}</article></body></html>".encode()
    )
    kept = np.ones(page.blocks.count, bool)
    drop_teasers(page, np.full(kept.size, score), kept)
    texts = [page.blocks.read(block) for block in np.flatnonzero(kept)]
    return any("Winch" in text for text in texts)


@pytest.mark.parametrize(
    "card",
    [
        "<div class=card><h6>Article</h6><a href=/winch><h3>Winch sold</h3></a></div>",
        "<div><div><h3><a href=/winch>Winch sold</a></h3></div><a href=/winch><img src=w.png></a></div>",
        "<aside><h4><a href=/winch>Winch sold</a></h4><p>So late.</p><a href=/winch>Read</a></aside>",
        "<div><section><div><p>Read also</p><h2><a href=/winch>Winch sold</a></h2></div></section></div>",
    ],
)
def test_a_card_amid_paragraphs_goes(card: str) -> None:
    assert not stays(card)
    assert stays(card, score=3 * UNIT)
    assert stays(card, after="")
    assert stays(card, before="<p>Few words.</p>")
    assert stays(card, before="<h2>The ropes are looked at each spring, as they were laid</h2>")


@pytest.mark.parametrize(
    "part",
    [
        "<h2><a href=/winch>Winch and rope</a></h2>",
        "<div><h2><a href=#winch>Winch and rope</a></h2><img src=x></div>",
        "<div><h2>Winch and <a href=/rope>rope</a></h2><p>It is new.</p></div>",
        "<div><p><a href=/winch>Winch</a></p><p>It is new.</p></div>",
        "<div><h2><a href=/w>Winch</a></h2><p>a</p><p>b</p><p>c</p><p>d</p></div>",
        "<div class=card><h3><a href=/w>Winch</a></h3><p>One</p></div>"
        "<div class=card><h3><a href=/v>Boat</a></h3><p>Two</p></div>",
    ],
)
def test_headings_of_the_text_and_rows_of_cards_stay(part: str) -> None:
    assert stays(part)


def tools_left(row: str, headings: int = 4) -> int:
    """How many blocks stay that say "edit", if all blocks were chosen."""
    rows = "".join(row.format(i) + PARAGRAPH for i in range(headings))
    page = SegmentedPage(f"<html><body><article>{rows}</article></body></html>".encode())
    kept = np.ones(page.blocks.count, bool)
    drop_tools(page, kept)
    return sum("edit" in page.blocks.read(block) for block in np.flatnonzero(kept).tolist())


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("<div><h2>Part {}</h2><span>edit</span></div>", 0),
        ("<div class=row><h2>Part {}</h2><div><a href=/e>edit</a></div><div>listen</div></div>", 0),
        ("<div><h2>Part {0}</h2><span>edit {0}</span></div>", 4),
        ("<div><h2><a href=/{0}>Part {0}</a></h2><span>edit</span></div>", 4),
        (
            "<div><h2>Part {}</h2><p>edit</p><p>What follows is a text.</p><p>So is this.</p></div>",
            4,
        ),
    ],
)
def test_tools_beside_most_headings_go(row: str, left: int) -> None:
    assert tools_left(row) == left
    assert tools_left(row, headings=2) == 2
