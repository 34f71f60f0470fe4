"""What goes of what was chosen is what goes by plain sets and loops."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extractors.cedar.fragments import PAGES
from tests.oracles import cedar_drops
from transforms.extractors.cedar._drops import drop_furniture, drop_unstated
from transforms.extractors.segments._page import SegmentedPage

SENTENCES = [
    *(
        f"Of the sea and the land, {name} says a_b much in Zürich."
        for name in ("Anne", "Bea", "Carl", "Dora")
    ),
    *(f"On day {day} the crew moved {day} stones, day {day} of all." for day in range(16)),
    *("Read on", "One two three", "Ελλάδα και θάλασσα πάλι", "x"),
]
OPENED = [
    *("<div class='box hidden'>", "<div class=Hide>", "<div class='hidden md:block'>", "<p><button>"),
    *("<div class='newsletter-form'>", "<section id=subscribe>", "<form class=login>", "<div class=modal>"),
    *(
        '<div id=popup class = "a visually-hidden">',
        "<p class=entry-date>",
        "<div class=author-bio>",
        "<aside>",
    ),
    *("<aside><a href=/x>More</a>", "<div class=ad45>", "<h1>", "<div title=' class=hide' id=sr>"),
    *("<div>", "<p>"),
]
SCORES = [0, 9_999, 10_000, 19_999, 20_000, 30_000]


def check(page: str, chance: np.random.Generator) -> tuple[bool, bool]:
    """Hold what goes of a page against plain sets and loops; return what did anything."""
    read = SegmentedPage(page.encode())
    kept = chance.random(read.blocks.count) < chance.choice([0.6, 0.9, 1.0])
    scores = chance.choice(SCORES, kept.size)
    changed = []
    for drop, plain in (
        (drop_unstated, cedar_drops.without_unstated),
        (drop_furniture, cedar_drops.without_furniture),
    ):
        left = kept.copy()
        drop(read, scores, left)
        assert left.tolist() == plain(read, scores.tolist(), kept.tolist())
        changed.append(bool((left != kept).any()))
    return changed[0], changed[1]


def page_of(chance: np.random.Generator) -> str:
    """A page of sentences in elements of all kinds, of which JSON-LD states some."""
    said = chance.choice(SENTENCES, int(chance.integers(8, 40))).tolist()
    stated = [line for line in said if chance.random() < 0.8] + ["The end &amp; <b>more</b> of it."]
    scripts = [json.dumps({"articleBody": " ".join(stated)}), '{"articleBody": "\\u12"}', "{}"]
    openings = chance.choice(OPENED, len(said), p=[0.02] * 16 + [0.28, 0.4])
    lines = zip(openings.tolist(), said, strict=True)
    parts = [f"{opened}{line}</button></form></section></div>" for opened, line in lines]
    head = f'<script type="application/ld+json">{chance.choice(scripts, p=[0.8, 0.1, 0.1])}</script>'
    return f"<title>Anne says</title>{head}<body>{''.join(parts)}"


@given(page=PAGES, seed=st.integers(0, 1 << 30))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_what_goes_of_any_page_is_what_plain_loops_drop(page: str, seed: int) -> None:
    check(page, np.random.default_rng(seed))


def test_what_goes_of_pages_that_state_and_hide_some_is_what_plain_loops_drop() -> None:
    chance = np.random.default_rng(0)
    changed = [check(page_of(chance), chance) for _ in range(300)]
    assert min(map(sum, zip(*changed, strict=True))) > 30
