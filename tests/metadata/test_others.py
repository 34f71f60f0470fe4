"""Authors and dates of other pages, of commenters and of the site's software are not the page's own."""

from __future__ import annotations

import json

import pytest

import cedar

URL = "https://www.courier.example/news/ferry"
TITLE = "Search for the ferry goes on"
PROSE = "<p>The canal between Harrow Lock and Tessel Bridge was drained last week, and nothing was found.</p>"
OTHER = "<span class=byline>By Rita Other</span> <time datetime=2020-05-05>5 May 2020</time>"
LINKED = "<a rel=author href=/author/rita>Rita Other</a> <time datetime=2020-05-05>5 May 2020</time>"
CARD = f"<h3><a href=/other>Another story of the week</a></h3>{OTHER}"


def read(body: str, head: str = "") -> tuple[str | None, str | None]:
    found = cedar.metadata(f"<html lang=en><title>{TITLE} | The Courier</title>{head}<body>{body}", URL)
    return found.author, found.date_published


def json_ld(*things: object) -> str:
    return f"<script type=application/ld+json>{json.dumps(things)}</script>"


@pytest.mark.parametrize(
    "box",
    [
        f"<aside>{OTHER}</aside>",
        f"<aside>{LINKED}</aside>",
        f"<footer>{OTHER}</footer>",
        f"<div class=site-footer>{OTHER}</div>",
        f"<div class=widget><h3>Latest</h3>{OTHER}</div>",
        f"<div class='sidebar-widget'>{CARD}</div>",
        f"<div class=card>{CARD}</div>",
        f"<div class='teaser big'>{CARD}</div>",
        f"<div class=story-card>{CARD}</div>",
        f"<article><h2><a href=/other>Another story</a></h2>{OTHER}</article>",
        f"<article><a href=/other><h2>Another story</h2></a>{LINKED}</article>",
        f"<section class=discussion><ol><li>{OTHER}</ol></section>",
        f"<div class=responses><p>{LINKED}</p></div>",
        f"<div id=replies><p>{LINKED}</p></div>",
        f"<h2>Comments</h2><ol><li>{LINKED}</ol>",
        f"<h2>3 comments</h2><ol><li>{OTHER}</ol>",
        f"<h3>Related stories</h3><p>{OTHER}</p>",
        "<footer>Last build 2021-03-04 by Web Team</footer>",
        "<div id=footer>Last build 2021-03-04 by Web Team</div>",
        "<p>This is a reply to <a rel=author href=/author/rita>Rita Other</a> of 5 May 2020.</p>",
    ],
)
def test_others_below_a_story_are_not_its_author(box: str) -> None:
    assert read(f"<h1>{TITLE}</h1>{PROSE}{box}") == (None, None)


@pytest.mark.parametrize("box", [f"<div class=card>{CARD}</div>", f"<article>{CARD}</article>"])
def test_a_card_above_the_headline_is_another_story(box: str) -> None:
    assert read(f"{box}<h1>{TITLE}</h1>{PROSE}") == (None, None)


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>{TITLE}</h1><aside>{OTHER}</aside>{PROSE}",
        f"<h1>{TITLE}</h1><div class=card>{OTHER}</div>{PROSE}",
        f"<div class=card><h1>{TITLE}</h1>{OTHER}{PROSE}</div>",
        f"<article><h1>{TITLE}</h1>{PROSE}<footer>{OTHER}</footer></article>",
        f"<article><header><h1><a href=/news/ferry>{TITLE}</a></h1></header>{OTHER}{PROSE}</article>",
        f"<h1>{TITLE}</h1><p>Posted by {LINKED}</p>{PROSE}",
        f"<h1>{TITLE}</h1>{PROSE}<div class='widget article-authors'>{OTHER}</div>",
    ],
)
def test_boxes_around_or_beside_the_headline_are_its_own(body: str) -> None:
    assert read(body) == ("Rita Other", "2020-05-05")


OTHERS = {
    "@type": "Article",
    "headline": "Bakers win a prize",
    "author": "Rita Other",
    "datePublished": "2020-05-05",
}
OWN = {"@type": "Article", "headline": TITLE, "author": "Ann Writer", "datePublished": "2021-06-07"}
AWAY = "https://www.courier.example/news/bakers"


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (json_ld({**OTHERS, "url": AWAY}), (None, None)),
        (json_ld({**OTHERS, "mainEntityOfPage": AWAY}), (None, None)),
        (json_ld({**OTHERS, "mainEntityOfPage": {"@type": "WebPage", "@id": AWAY}}), (None, None)),
        (
            json_ld({"@type": "ItemList", "itemListElement": [{"item": {**OTHERS, "url": AWAY}}]}),
            (None, None),
        ),
        (json_ld(OTHERS, OWN), ("Ann Writer", "2021-06-07")),
        (json_ld(OTHERS, {**OWN, "headline": "Ferry", "url": URL}), ("Ann Writer", "2021-06-07")),
        (json_ld({**OWN, "url": AWAY}), ("Ann Writer", "2021-06-07")),
        (json_ld({**OWN, "headline": "Divers at work", "url": URL + "/"}), ("Ann Writer", "2021-06-07")),
        (json_ld({**OWN, "headline": "Divers at work"}), ("Ann Writer", "2021-06-07")),
    ],
)
def test_the_article_of_json_ld_is_the_pages(head: str, found: tuple[str | None, str | None]) -> None:
    assert read(f"<h1>{TITLE}</h1>{PROSE}", head) == found


@pytest.mark.parametrize(
    "line",
    [
        "<div class=today>5 May 2020</div>",
        "<div class=current-date>Tuesday, 5 May 2020</div>",
        "<p>Today is 5 May 2020</p>",
        "<p>Event date: 5 May 2020</p>",
        "<p>Event date: <b>5 May 2020</b></p>",
        "<p>Closing date: 5 May 2020</p>",
        "<p>Date of birth: 5 May 2020</p>",
        "<p>Geburtsdatum: 5. Mai 2020</p>",
    ],
)
def test_dates_of_today_and_of_events_are_not_of_publication(line: str) -> None:
    assert read(f"<h1>{TITLE}</h1>{line}{PROSE}") == (None, None)
    assert read(f"{line}<h1>{TITLE}</h1>{PROSE}") == (None, None)


@pytest.mark.parametrize(
    "byline",
    [
        "By Ann Writer, translated by Tess Lator",
        "By Ann Writer (translated by Tess Lator)",
        "By Ann Writer; illustrated by Tess Lator",
        "By Ann Writer with reporting from Tess Lator",
        "By Ann Writer, with additional reporting by Tess Lator",
        "By Ann Writer with contributions from Tess Lator",
        "By <a href=/a>Ann Writer</a>, translated by <a href=/t>Tess Lator</a>",
        "Von Ann Writer, übersetzt von Tess Lator",
        "Par Ann Writer, traduit par Tess Lator",
    ],
)
def test_who_translated_or_helped_is_no_author(byline: str) -> None:
    assert read(f"<h1>{TITLE}</h1><p>{byline}</p>{PROSE}")[0] == "Ann Writer"
    assert read(f"<h1>{TITLE}</h1><p class=byline>{byline}</p>{PROSE}")[0] == "Ann Writer"
