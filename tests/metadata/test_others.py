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


BYLINE = "<span>By Rita Other</span> <time datetime=2020-05-05>5 May 2020</time>"
BOXES = [
    f"<div class=grid><div><a href=/other><h3>Windmills</h3></a>{BYLINE}</div></div>",
    f"<div><a href=/other>The windmills of the north</a> {BYLINE}</div>",
    f"<ul><li><a href=/other>Windmills</a> {BYLINE}</ul>",
    f"<nav><a href=/other>Next</a> {BYLINE}</nav>",
    f"<div class=weather>{BYLINE} 4 °C</div>",
    f"<div class=hentry><a class=entry-title href=/w>Windmills</a>{BYLINE}</div>",
    "<div itemscope itemtype='https://schema.org/NewsArticle'><a href=/w><b itemprop=headline>Mills</b></a>"
    "<b itemprop=author>Rita Other</b> <time itemprop=datePublished datetime=2020-05-05></time></div>",
]


@pytest.mark.parametrize("box", BOXES)
def test_cards_and_bars_are_of_other_pages_wherever_they_stand(box: str) -> None:
    assert read(f"<div><h1>{TITLE}</h1>{PROSE}</div>{box}") == (None, None)
    assert read(f"{box}<div><h1>{TITLE}</h1>{PROSE}</div>") == (None, None)


@pytest.mark.parametrize(
    "bar",
    [
        f"<header>{BYLINE}</header>",
        f"<div id=header>{BYLINE}</div>",
        f"<div class=topbar>{BYLINE}</div>",
        f"<div style='display:none'>{BYLINE}</div>",
        f"<div hidden>{BYLINE}</div>",
        f"<h4>Trending</h4><p>{BYLINE}</p>",
    ],
)
def test_bars_and_hidden_elements_before_the_headline_are_the_sites(bar: str) -> None:
    assert read(f"{bar}<div><h1>{TITLE}</h1>{PROSE}</div>") == (None, None)


@pytest.mark.parametrize("box", [f"<div>{OTHER}</div>", f"<p>{LINKED}</p>", *BOXES])
def test_the_article_of_the_headline_has_the_pages_author_and_date(box: str) -> None:
    article = f"<article><h1>{TITLE}</h1>{PROSE * 3}%s</article>"
    assert read(f"{article % ''}{box}") == (None, None)
    assert read(f"{box}{article % ''}") == (None, None)
    own = article % "<p class=posted>Posted by Ann Writer on 7 June 2021</p>"
    assert read(f"{box}{own}{box}") == ("Ann Writer", "2021-06-07")


def test_an_article_without_prose_is_only_the_head_of_the_page() -> None:
    byline = "<p class=byline>By Ann Writer, 7 June 2021</p>"
    assert read(f"<article><h1>{TITLE}</h1></article>{byline}{PROSE}") == ("Ann Writer", "2021-06-07")


@pytest.mark.parametrize(
    "heading",
    [
        "Das könnte Sie auch interessieren",
        "Mehr zum Thema",
        "Schreibe einen Kommentar",
        "À lire aussi",
        "Laisser un commentaire",
        "Deja un comentario",
        "Te puede interesar",
        "Leia também",
        "3 comentários",
        "Leggi anche",
        "Lascia un commento",
        "Lees ook",
        "Läs också",
        "Kommentarer",
        "Zobacz także",
        "Читайте также",
        "関連記事",
        "相关新闻",
        "관련기사",
        "You might also like",
        "See also",
    ],
)
def test_what_stands_below_a_heading_of_others_is_theirs_in_any_language(heading: str) -> None:
    lines = "<p>Windmills</p><p>By Rita Other</p><p>2020-05-05</p>"
    assert read(f"<div><h1>{TITLE}</h1>{PROSE}<h3>{heading}</h3>{lines}</div>") == (None, None)


@pytest.mark.parametrize(
    "line",
    [
        "When: 5 May 2020, 7 pm",
        "Aktion bis 5. Mai 2020",
        "Oferta hasta el 5 de mayo de 2020",
        "Next issue: 5 May 2020",
        "Page checked: 5 May 2020",
        "You last visited on 5 May 2020",
        "On 5 May 2020 the mill burnt down, and it was built again by Rita Other.",
        "Le 5 mai 2020, le moulin a été détruit par un incendie.",
        "“Mills are the past.” – Rita Other, 5 May 2020",
        "Book review: The Mills by Rita Other, published 2020-05-05",
        "<img src=a> <em class=caption>The ferry on 5 May 2020</em>",
    ],
)
def test_a_line_on_another_day_or_another_work_dates_no_page(line: str) -> None:
    assert read(f"<h1>{TITLE}</h1><p>{line}</p>{PROSE}") == (None, None)


def test_videos_of_json_ld_and_objects_of_scripts_may_be_of_other_pages() -> None:
    video = {
        "@type": "VideoObject",
        "name": "Bakers win",
        "author": {"name": "Rita Other"},
        "uploadDate": "2020-05-05",
    }
    body = f"<h1>{TITLE}</h1>{PROSE}"
    assert read(body, json_ld(video)) == (None, None)
    assert read(body, json_ld({**video, "name": TITLE})) == ("Rita Other", "2020-05-05")
    script = '<script>window.stories=[{"title":"%s","publishedAt":"2020-05-05"}]</script>'
    assert read(body + script % "Bakers win") == (None, None)
    assert read(body + script % TITLE) == (None, "2020-05-05")
