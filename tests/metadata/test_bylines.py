"""Bylines as sites of many countries write them, and lines that look like one."""

from __future__ import annotations

import json

import pytest

import cedar

PROSE = "<p>The canal between Harrow Lock and Tessel Bridge was drained last week.</p>"


def author_of(byline: str = "", head: str = "", after: str = "") -> str | None:
    title = "Search for the ferry goes on"
    page = (
        f"<title>{title} | The Harrow Courier</title>{head}"
        f"<meta property=og:site_name content='The Harrow Courier'><h1>{title}</h1>{byline}{PROSE}{after}"
    )
    return cedar.metadata(page, "https://www.courier.example/a/b").author


@pytest.mark.parametrize(
    "byline",
    [
        "<div><span>By </span><a href=/profile/ana class=NU>Ana Lima</a></div>",
        "<div><span>By</span><ul><li><a href=/p/a>Ana Lima</a></li></ul></div>",
        "<p>By&nbsp;Ana Lima</p>",
        "<p>by: <b>Ana Lima</b></p>",
        "<p>Guest post by Ana Lima</p>",
        "<p>Opinion by Ana Lima</p>",
        "<p>Story by Ana Lima, photos by Ole Berg</p>",
        "<p>Written by <a href=/people/a>Ana Lima</a>. Edited by Ole Berg</p>",
        "<p>May 3, 2021 by Ana Lima</p>",
        "<p>Author: Ana Lima</p>",
        "<p><b>Author</b><br>Ana Lima</p>",
        "<p class=byline>By Ana Lima, Associated Press</p>",
        "<p class=byline>By Ana Lima, Staff Writers</p>",
        "<p>Text: Ana Lima</p>",
        "<p>Autor: Ana Lima</p>",
        "<p>Geschrieben von Ana Lima am 3. Mai 2021</p>",
        "<p>Ein Beitrag von Ana Lima</p>",
        "<p>Eine Kolumne von Ana Lima</p>",
        "<p>3. Mai 2021 von Ana Lima</p>",
        "<p>Von Ana Lima, Berlin</p>",
        "<p>Par Ana Lima, publié le 3 mai 2021</p>",
        "<p>Rédigé par Ana Lima le 3 mai 2021</p>",
        "<p>Texte : Ana Lima</p>",
        "<p>Escrito por: Ana Lima</p>",
        "<p>A cura di Ana Lima</p>",
        "<p>Autore: Ana Lima</p>",
        "<p>Tekst: Ana Lima</p>",
        "<p>Door: Ana Lima</p>",
        "<p>Av Ana Lima</p>",
        "<p>Autor článku: Ana Lima</p>",
        "<p>Szerző: Ana Lima</p>",
        "<p>Kirjoittaja: Ana Lima</p>",
        "<p>Yazan: Ana Lima</p>",
        "<p>Penulis: Ana Lima</p>",
        "<p>Tác giả: Ana Lima</p>",
        "<div class=k><a href=/author/anali>Ana Lima</a></div>",
        "<a class=th href=https://x.example/about/editors/ana-lima/>Ana Lima</a>, <a href=/t>@al</a>",
        "<div itemprop=author itemscope><meta itemprop=name content='Ana Lima'></div>",
        "<i itemprop=author itemscope><link itemprop=url><link itemprop=name content='Ana Lima'></i>",
    ],
)
def test_who_wrote_is_read_in_many_forms(byline: str) -> None:
    assert author_of(byline) == "Ana Lima"


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("<p>Автор: Анна Лима</p>", "Анна Лима"),
        ("<p>作者：谢若含</p>", "谢若含"),
        ("<p>作者 谢若含</p>", "谢若含"),
        ("<p>记者 谢若含 报道</p>", "谢若含"),
        ("<p>記者謝若含／台北報導</p>", "謝若含"),
        ("<p>2021-03-04 12:00 来源：水闸社 作者：谢若含</p>", "谢若含"),
        ("<p>著者：後藤大地</p>", "後藤大地"),
        ("<p>取材・文／後藤大地</p>", "後藤大地"),
        ("<p>بقلم أحمد علي</p>", "أحمد علي"),
        ("<p>By Ana Lima (Harrow) and Ole Berg (Tessel)</p>", "Ana Lima; Ole Berg"),
        ("<div>Von Ana Lima und Ole Berg, dpa</div>", "Ana Lima; Ole Berg"),
    ],
)
def test_names_of_other_scripts_and_of_several(byline: str, author: str) -> None:
    assert author_of(byline) == author


@pytest.mark.parametrize(
    "line",
    [
        "<p>By Tuesday Morning the water was gone.</p>",
        "<p>Photo by Ole Berg</p>",
        "<p>Illustration: Ole Berg</p>",
        "<p>Edited by Ole Berg</p>",
        "<p>Report ID: 17</p>",
        "<p>A Career</p>",
        "<p>Text Size</p>",
        "<p>Von Tessel nach Harrow fuhren Schiffe.</p>",
        "<p>Av <b>På</b></p>",
        "<ul><li><a href=/author/x>All Authors</a></ul>",
        "<p>责编：牛镛、岳弘彬</p>",
        "<p>2021-03-04 12:00 来源：水闸社 作者： 编辑：王</p>",
        "<div class=author-box>Share Follow Subscribe</div>",
    ],
)
def test_what_looks_like_a_byline_names_nobody(line: str) -> None:
    assert author_of(line) is None


def declared(author: object, kind: str = "NewsArticle") -> str:
    return f"<script type=application/ld+json>{json.dumps({'@type': kind, 'author': author})}</script>"


@pytest.mark.parametrize(
    ("head", "byline", "author"),
    [
        (declared([{"givenName": "Ana", "familyName": "Lima"}]), "", "Ana Lima"),
        (declared({"name": "Ana Lima"}, "WebPage"), "", "Ana Lima"),
        (declared({"name": "Ana Lima"}, "Book"), "", None),
        (declared({"@type": "Organization", "name": "The Harrow Courier"}), "", "The Harrow Courier"),
        (declared("The Harrow Courier"), "<p>By Ana Lima</p>", "Ana Lima"),
        (
            "<meta name=author content='Lock House'><meta name=article:author content='Ana Lima'>",
            "",
            "Ana Lima",
        ),
        ("<meta name=author content='Lock House Inc.'><meta name=author content='Ana Lima'>", "", "Ana Lima"),
        ("<meta name=author content='(Image: Lock Pictures)'>", "", None),
        ("<meta name=author content=analima>", "<p class=byline>Ana Lima</p>", "Ana Lima"),
        ("<meta name=author content=analima>", "", "analima"),
        ("<meta name=byline content='By Ana Lima | al@courier.example'>", "", "Ana Lima"),
        (
            "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ana Lima'>",
            "",
            "Ana Lima",
        ),
    ],
)
def test_a_person_comes_before_a_house(head: str, byline: str, author: str | None) -> None:
    assert author_of(byline, head) == author


def test_authors_of_other_stories_are_not_the_pages() -> None:
    others = "<h2>More</h2><p>by <a rel=author href=/author/b>Sami Fathi</a></p>"
    assert author_of("<p>by <a rel=author href=/author/a>Ana Lima</a></p>", after=others) == "Ana Lima"
    assert author_of(after="<div class=comment><b class=author>Troll Ofnet</b> says</div>") is None
