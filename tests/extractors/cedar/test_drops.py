"""What a page states stays, and what goes of what was chosen goes, as by plain sets and loops."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.cedar import model
from cedar.transforms.extractors.cedar._drops import drop_furniture
from cedar.transforms.extractors.cedar._stated import keep_stated
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.extractors.cedar.fragments import PAGES
from tests.oracles import cedar_drops, cedar_stated

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
    *("<p itemprop=recipeIngredient>", "<p>A <b itemprop='x ingredients'>", "<div>", "<p>"),
]
SCORES = [0, 9_999, 10_000, 19_999, 20_000, 30_000]


def check(page: str, chance: np.random.Generator) -> tuple[bool, ...]:
    """Hold what stays and goes of a page against plain sets and loops; return what did anything."""
    read = SegmentedPage(page.encode())
    kept = chance.random(read.blocks.count) < chance.choice([0.6, 0.9, 1.0])
    scores = chance.choice(SCORES, kept.size)
    left = kept.copy()
    drop_furniture(read, scores, left)
    assert left.tolist() == cedar_drops.without_furniture(read, scores.tolist(), kept.tolist())
    changed = bool((left != kept).any())
    left, raised, one_text = kept & (scores > 0), scores - 2 * model.UNIT, bool(chance.random() < 0.5)
    kept = left.copy()
    plain_scores, plain_kept = cedar_stated.with_stated(
        read, raised.tolist(), kept.tolist(), one_text=one_text
    )
    keep_stated(read, raised, left, one_text=one_text)
    assert raised.tolist() == plain_scores
    assert left.tolist() == plain_kept
    return changed, bool((left != kept).any())


def page_of(chance: np.random.Generator) -> str:
    """A page of sentences in elements of all kinds, of which JSON-LD states some."""
    said = chance.choice(SENTENCES, int(chance.integers(8, 40))).tolist()
    some = chance.choice(said, 6).tolist()
    scripts = [
        json.dumps({"acceptedAnswer": {"text": some[0]}}),
        '{"recipeIngredient" : ["\\u12", "x"]}',
        json.dumps(
            {chance.choice(["recipeIngredient", "ingredients"]): some[1:5], "recipeInstructions": some[3:]}
        ),
    ]
    openings = chance.choice(OPENED, len(said), p=[0.02] * 18 + [0.24, 0.4])
    lines = zip(openings.tolist(), said, strict=True)
    parts = [f"{opened}{line}</button></form></section></div>" for opened, line in lines]
    head = f'<script type="application/ld+json">{chance.choice(scripts, p=[0.7, 0.1, 0.2])}</script>'
    head += f'<meta name=description content="{some[5]}"><meta content=x property="og:description">'
    return f"<title>Anne says</title>{head}<body><h1>Anne says</h1>{''.join(parts)}"


@given(page=PAGES, seed=st.integers(0, 1 << 30))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_what_goes_of_any_page_is_what_plain_loops_drop(page: str, seed: int) -> None:
    check(page, np.random.default_rng(seed))


def test_what_goes_of_pages_that_state_and_hide_some_is_what_plain_loops_drop() -> None:
    chance = np.random.default_rng(0)
    changed = [check(page_of(chance), chance) for _ in range(300)]
    assert min(map(sum, zip(*changed, strict=True))) > 30
