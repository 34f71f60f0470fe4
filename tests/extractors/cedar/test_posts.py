"""Posts of threads stay without what stands around each; reviews of a product are readers' comments."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from cedar import extract
from cedar.transforms.extractors.cedar._drops import drop_post_furniture
from cedar.transforms.extractors.cedar._options import apply_options
from cedar.transforms.extractors.cedar.cedar import CedarOptions
from cedar.transforms.extractors.cedar.kinds import states_discussion
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.extractors.cedar.pages import SENTENCES

DISCUSSION = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
PRODUCT = '<script type="application/ld+json">{"@type": "Product"}</script>'
QUESTION = "<p>The bridge creaks when more than one cart is on it. What did you do about it?</p>" * 12
ANSWERS = "".join(
    f"<li class=comment><b>rower{number}</b><p>Grease the {part} twice a year, and rest them in winter.</p>"
    for number, part in enumerate(("ropes", "rollers", "hinges", "chains"))
)


def page(head: str, main: str) -> str:
    title = "A bridge that creaks"
    return f"<title>{title}</title>{head}<body><main><h1>{title}</h1>{main}</main></body>"


@pytest.mark.parametrize(
    "head",
    [
        DISCUSSION,
        '<script type="application/ld+json">{"@graph": [{"@type": "QAPage"}]}</script>',
        '<meta itemprop=x><div itemscope itemtype="https://schema.org/QAPage"></div>',
    ],
)
def test_a_page_that_says_that_it_is_a_discussion_keeps_its_posts(head: str) -> None:
    html = page(head, f"<article>{QUESTION}</article><ol id=comments>{ANSWERS}</ol>")
    assert states_discussion(SegmentedPage(html.encode()))
    found = extract(html).text
    assert all(part in found for part in ("ropes", "rollers", "hinges", "chains"))
    assert "rollers" not in extract(html, comments="drop").text


@pytest.mark.parametrize("type_", ["Article", "FAQPage", "Question"])
def test_other_pages_say_no_such_thing(type_: str) -> None:
    html = page(f'<script type="application/ld+json">{{"@type": "{type_}"}}</script>', QUESTION)
    assert not states_discussion(SegmentedPage(html.encode()))


REVIEWS = "".join(
    f"<div class=review-item><p>I bought the {part} in May and would buy them again at any price.</p></div>"
    for part in ("ropes", "rollers", "hinges", "chains")
)
FACTS = (
    "<p>The rope carries two tons, is laid of three strands of hemp, and comes on a drum of fifty metres.</p>"
    * 8
)


@pytest.mark.parametrize(
    ("head", "comments", "stay"),
    [
        (PRODUCT, "auto", False),
        (PRODUCT, "keep", True),
        (PRODUCT, "drop", False),
        ("", "drop", True),
        (PRODUCT + '<meta property="og:type" content="article">', "auto", True),
    ],
)
def test_reviews_go_from_a_page_that_says_that_it_is_a_product(
    head: str, comments: Literal["auto", "keep", "drop"], *, stay: bool
) -> None:
    read = SegmentedPage(
        page(head, f"<div class=product>{FACTS}</div><div class=product-reviews>{REVIEWS}</div>").encode()
    )
    kept = np.ones(read.blocks.count, bool)
    apply_options(read, kept, CedarOptions(comments=comments), apart=False)
    assert kept[:9].all()
    assert kept[9:].tolist() == [stay] * 4


def test_reviews_of_a_product_of_few_words_stay() -> None:
    html = page(PRODUCT, f"<p>A rope of hemp.</p><div class=product-reviews>{REVIEWS}</div>")
    read = SegmentedPage(html.encode())
    kept = np.ones(read.blocks.count, bool)
    apply_options(read, kept, CedarOptions(), apart=False)
    assert kept.all()


@pytest.mark.parametrize(
    "opened",
    [
        "<div class=signature>",
        "<div class='message-userExtras'>",
        "<h5 class='userTitle message-userTitle'>",
        "<dl class=postprofile id=profile7>",
        "<div class='user-stats'>",
        "<aside class='related-topics'>",
        "<div class='similar-threads related'>",
    ],
)
def test_what_stands_around_posts_goes(opened: str) -> None:
    beside = "Forty messages since 2009"
    html = page(
        "", f"<div class=post>{QUESTION}</div>{opened}{beside}</div></dl></h5></aside>{SENTENCES['en'] * 9}"
    )
    read = SegmentedPage(html.encode())
    kept = np.ones(read.blocks.count, bool)
    drop_post_furniture(read, kept)
    left = " ".join(read.blocks.read(block) for block in kept.nonzero()[0].tolist())
    assert beside not in left
    assert left.count("creaks when") == 12


@pytest.mark.parametrize(
    "opened", ["<div class='user-post'>", "<div class=username>", "<div class='related posts'>"]
)
def test_posts_and_what_holds_most_of_a_thread_stay(opened: str) -> None:
    html = page("", f"{opened}{QUESTION}</div>")
    read = SegmentedPage(html.encode())
    kept = np.ones(read.blocks.count, bool)
    drop_post_furniture(read, kept)
    assert kept.all()


def test_signatures_go_from_a_thread_and_stay_in_an_article() -> None:
    dishes = "<div class=signature><p>The signature dish here is a soup of five fish and saffron.</p></div>"
    posts = "".join(f"<div class=post><p>{SENTENCES['en'] * 3}</p></div>{dishes}" for _ in range(4))
    assert "saffron" not in extract(page(DISCUSSION, posts)).text
    assert "saffron" in extract(page("", f"<article>{QUESTION}{dishes}{QUESTION}</article>")).text
