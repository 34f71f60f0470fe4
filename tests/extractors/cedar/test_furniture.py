"""Forms, buttons, insets and what a class hides go where they are in doubt; captions by class."""

from __future__ import annotations

import time

import numpy as np
import pytest

from cedar import extract
from cedar.transforms.extractors.cedar import _drops
from cedar.transforms.extractors.cedar.model import UNIT
from cedar.transforms.extractors.segments._page import SegmentedPage

TEXT = "<h1>The bridge</h1>" + "<p>The council said on Monday that the work is done at last.</p>" * 8
NOTICE = "All stories by post"


def stays(notice: str, score: float = 0.9, before: str = TEXT) -> bool:
    """Whether a notice stays in a text of which all was kept, by its score."""
    page = SegmentedPage(f"<title>The bridge</title><body>{before}{notice}{TEXT}".encode())
    kept = np.ones(page.blocks.count, bool)
    scores = np.full(kept.size, 3 * UNIT)
    places = [block for block in range(kept.size) if NOTICE in page.blocks.read(block)]
    scores[places] = int(score * UNIT)
    _drops.drop_furniture(page, scores, kept)
    assert np.delete(kept, places).all()
    return bool(kept[places].all())


@pytest.mark.parametrize(
    "opened",
    [
        "<div class='box hidden'>",
        "<div class=Hide>",
        '<div class="is-hidden">',
        "<div id=a class = 'visually-hidden'>",
        "<div class='login-form'>",
        "<section id=signin>",
        "<p><button>",
        "<button class=x>",
    ],
)
def test_doubtful_furniture_goes_and_sure_text_stays(opened: str) -> None:
    notice = f"{opened}{NOTICE}</button></p></section></div>"
    assert not stays(notice)
    assert stays(notice, score=1.0)


@pytest.mark.parametrize(
    "opened",
    [
        "<div class='wide share-buttons'>",
        "<div class='post__byline'>",
        "<section id=newsletter class=x>",
        "<div class='Ad-Slot'>",
        "<div class=related>",
        "<div id=onetrust-consent-sdk>",
        "<p class=entry-date>",
        "<div class=author-bio>",
        "<aside><a href=/tides>The tides of the year</a> ",
    ],
)
def test_likely_insets_go_that_their_names_tell(opened: str) -> None:
    notice = f"{opened}{NOTICE}</section></aside></div>"
    assert not stays(notice, score=2.9)
    assert stays(notice, score=3.0)


@pytest.mark.parametrize(
    "opened",
    [
        "<div class=ad45>",
        "<div class=share-price>",
        "<p class='related-works'>",
        "<p data-class=date class=up-to-date>",
        "<aside>",
    ],
)
def test_no_other_names_tell_an_inset(opened: str) -> None:
    assert stays(f"{opened}{NOTICE}</aside></div>", score=-2.0)


def test_dates_and_tags_of_many_entries_stay() -> None:
    assert not stays(f"<p class=date>{NOTICE}</p><p class=tags>{NOTICE}</p>" * 2)
    assert stays(
        f"<p class=date>{NOTICE}</p><p class=tags>{NOTICE}</p>" * 2 + f"<p class=author>{NOTICE}</p>"
    )
    assert not stays(f"<p class=promo>{NOTICE}</p>" * 5)


@pytest.mark.parametrize(
    "opened", ["<div>", "<div class='hidden md:block'>", "<div class='overflow-hidden'>", "<form>", "<p>"]
)
def test_what_is_shown_stays(opened: str) -> None:
    assert stays(f"{opened}{NOTICE}</div>")


def test_nothing_goes_where_it_is_much_of_the_text() -> None:
    inside = f"<p>{NOTICE}</p>" * 60
    assert stays(f"<div class=hidden>{inside}</div>")
    assert stays(f"<div class=login>{inside}</div>")
    assert stays(f"<div class=newsletter>{inside}</div>")
    # A form or an inset around the page, headline and all, is none.
    assert stays(NOTICE, before=f"<div class=form>{TEXT}")
    assert stays(NOTICE, before=f"<div class=meta>{TEXT}")


def test_a_class_counts_however_long_its_tag_is() -> None:
    assert not stays(f"<div data-x='{'x' * 3000}' class=hidden id=modal>{NOTICE}</div>")


def test_short_captions_are_known_by_their_class() -> None:
    caption, long = "The bridge by night, seen from the river", "Much is said of it here. " * 30
    page = SegmentedPage(
        f"<p class=wp-caption-text>{caption}</p><figcaption>{caption}</figcaption>"
        f"<p class=image>{caption}</p><div class=caption>{long}</div>{TEXT}".encode()
    )
    assert _drops.captions(page)[:4].tolist() == [True, True, False, False]
    html = f"<title>The bridge</title>{TEXT}<p class=photoCaption>{caption}</p>{TEXT}"
    assert caption not in extract(html, "cedar", captions="drop").text
    assert caption in extract(html, "cedar", captions="keep").text


@pytest.mark.parametrize("name", ["aside", "div class=ad", "div class=tags"])
def test_furniture_in_furniture_takes_no_longer_than_furniture_in_a_row(name: str) -> None:
    inside = f"<{name}><a href=/x>x</a>" * 20_000 + f"</{name.split()[0]}>" * 20_000
    page = SegmentedPage(f"<body>{inside}{TEXT * 800}".encode())
    kept, started = np.ones(page.blocks.count, bool), time.process_time()
    _drops.drop_furniture(page, np.zeros(kept.size, np.int64), kept)
    assert time.process_time() - started < 1
