"""Authors and dates where content systems, forums and shops write them, in their own markup and languages."""

from __future__ import annotations

import pytest

import cedar

PROSE = "<p>The harbour of Elling lies on the north shore, and its mills still grind flour on every ebb.</p>"
DAY = "2024-05-03"


def read(before: str, after: str, *, lang: str = "en", head: str = "") -> tuple[str | None, str | None]:
    page = f"<html lang={lang}><title>Tide mills of Elling | Sea Weekly</title>{head}<body>{before}"
    found = cedar.metadata(
        f"{page}<h1>Tide mills of Elling</h1>{after}{PROSE * 4}", "https://sea.example/tide-mills"
    )
    return found.author, found.date_published and found.date_published[:10]


@pytest.mark.parametrize(
    ("lang", "after", "author"),
    [
        ("en", "<p class=username><a href=/user/style2k6/>style2k6</a></p>", "style2k6"),
        ("en", "<p class=author>by <a class=username href=/member/2>ana_lima</a></p>", "ana_lima"),
        (
            "en",
            "<div class=userinfo><a class='username offline' href=/u/1><b>Ana Lima</b></a></div>",
            "Ana Lima",
        ),
        ("en", "<li>Thread starter <a class=username href=/members/1>Ana Lima</a></li>", "Ana Lima"),
        ("en", "<p>Asked by <a href=/users/1>Ana Lima</a></p>", "Ana Lima"),
        ("ru", "<a class=tm-user-info__username href=/users/lima>lima</a>", "lima"),
        ("ko", "<span class=writer><span class=nick>김하나</span></span>", "김하나"),
        ("ko", "<span class=txt_info>김하나 기자</span>", "김하나"),
        ("ja", "<p>文・田中花子</p>", "田中花子"),
        ("tr", "<p>Haber: Ana Lima</p>", "Ana Lima"),
        ("sv", "<p>Text: Ana Lima Foto: Ole Berg</p>", "Ana Lima"),
        ("en", "<p class=byline>By Jane Berg and Marco Lima</p>", "Jane Berg; Marco Lima"),
        (
            "en",
            "<p class=author><span>By <a>Julio Berg</a>, </span><span>Vice President</span></p>",
            "Julio Berg",
        ),
        ("en", "<p>By Ana Lima, University Communications</p>", "Ana Lima"),
        ("nb", "<a rel=author href=/a><span>Ingrid</span> <span>Berg</span></a>", "Ingrid Berg"),
        (
            "fr",
            "<span class=meta-prep-author>Publié le</span> <span class='author vcard'>Ana Lima</span>",
            "Ana Lima",
        ),
    ],
)
def test_an_author_is_found_where_systems_name_one(lang: str, after: str, author: str) -> None:
    assert read("", f"<div>{after}</div>", lang=lang)[0] == author


@pytest.mark.parametrize(
    "after",
    [
        "<section class=reviews><p class=review-author>Bo Falk</p></section>",
        "<ol><li itemscope itemtype=http://schema.org/Review>Review by <b itemprop=author>Bo Falk</b></ol>",
        "<div itemscope itemtype=https://schema.org/Comment><span itemprop=author>Bo Falk</span></div>",
        "<figure><img src=m.jpg><figcaption>By Bo Falk, 3 May 2024</figcaption></figure>",
        "<span class=username>Guest</span>",
        "<p class=author-title>Registered Member</p>",
        "<p class=byline>Redaktion: Bo Falk und <a href=/x>Eva Moe</a></p>",
    ],
)
def test_a_reviewer_a_photographer_and_a_reader_are_no_author(after: str) -> None:
    assert read("", after) == (None, None)


def test_the_next_post_of_a_thread_has_another_author() -> None:
    post = "<div><b itemprop=author>{}</b> <time itemprop=datePublished datetime={}>x</time>"
    posts = post.format("ana_lima", DAY) + PROSE + post.format("bofalk", "2024-05-05")
    assert read("", posts) == ("ana_lima", DAY)


@pytest.mark.parametrize(
    ("lang", "date"),
    [
        ("fa", "تاریخ انتشار: ۱۴ اردیبهشت ۱۴۰۳ - ۱۰:۰۵"),
        ("fa", "1403/02/14 - 10:05"),
        ("fa", "۱۴۰۳/۰۲/۱۴"),
        ("fa", "۱۴ ارديبهشت ۱۴۰۳"),
        ("fa-AF", "۱۴ ثور ۱۴۰۳"),
        ("prs", "۱۴ ثور ۱۴۰۳"),
        ("fa-IR", "جمعه ۱۴ اردیبهشت ۱۴۰۳"),
        ("ar", "٣ مايو ٢٠٢٤"),
        ("hi", "३ मई २०२४"),
        ("th", "๓ พฤษภาคม ๒๕๖๗"),
    ],
)
def test_digits_and_calendars_of_other_scripts_are_read(lang: str, date: str) -> None:
    assert read("", f"<p>{date}</p>", lang=lang)[1] == DAY


@pytest.mark.parametrize("day", ["1403/13/01", "1403/02/32", "1403/12/31", "1299/01/01", "۳۰ اسفند ۱۴۰۰"])
def test_what_is_no_day_of_the_persian_calendar_is_no_date(day: str) -> None:
    assert read("", f"<p>{day}</p>", lang="fa")[1] is None


def test_leap_years_of_the_persian_calendar_have_a_day_more() -> None:
    days = {"1399/12/30": "2021-03-20", "1400/01/01": "2021-03-21", "1403/12/30": "2025-03-20"}
    assert {day: read("", f"<p>{day}</p>", lang="fa")[1] for day in days} == days
    assert read("", "<p>1400/12/29</p>", lang="fa")[1] == "2022-03-20"


def test_numbers_of_four_digits_are_years_of_the_persian_calendar_only_in_persian() -> None:
    assert read("", "<p>1403/02/14</p>")[1] is None


PRODUCT = '<script type=application/ld+json>{"@type": "Product", "name": "Flour"}</script>'
EVENT = '<script type=application/ld+json>{"@type": "Event", "startDate": "2024-05-03"}</script>'


@pytest.mark.parametrize(
    ("before", "after", "head"),
    [
        ("", "<p>In the shops on 3 May 2024</p>", PRODUCT),
        ("", "<p class=date>3 May 2024</p>", EVENT),
        ("", "<p>3 May 2024</p>", "<meta property=og:type content=product.item>"),
        ("", "<p>Delivery by 3 May 2024</p>", ""),
        ("", "<p>Last built 03 May 2024</p>", ""),
        ("", "<p>The vote takes place on 3 May 2024 in the town hall.</p>", ""),
        ("", "<p>Opening hours: 3 May 2024 to 31 October 2024</p>", ""),
        ("", f"{PROSE * 3}<h3>2 Responses to “Mills”</h3><ol><li>Bo <small>May 5, 2024</small></ol>", ""),
        ("", f"{PROSE * 3}<h3>One thought on “Mills”</h3><ol><li>Bo <small>May 5, 2024</small></ol>", ""),
        ("", "<p>Term starts 3 May 2024</p>", ""),
        ("", "<table><tr><td>2024-05-03<td>12<tr><td>2024-05-02<td>11</table>", ""),
        ("<div>Friday, May 3, 2024 <a href=/l>Log in</a></div><nav><a href=/>Home</a></nav><main>", "", ""),
        ("<div>Friday, May 3, 2024</div><main>", "", ""),
        ("", f"{PROSE}<h2>About</h2><p><a href=/t>Terms of Use</a> (3 May 2024)</p>", ""),
    ],
)
def test_a_day_of_another_thing_is_no_date_of_publication(before: str, after: str, head: str) -> None:
    assert read(before, after, head=head)[1] is None


def test_the_date_of_publication_stands_beside_that_of_a_change() -> None:
    line = "<p class=post-meta><span class=updated>2024-06-01</span> <span>May 3rd, 2024</span></p>"
    assert read("", line)[1] == DAY


def test_a_picture_has_its_own_date() -> None:
    picture = "<figure><img src=m.jpg><figcaption>Photo: Ole Berg, 2 January 2019</figcaption></figure>"
    assert read("", f"{picture}<p>3 May 2024</p>")[1] == DAY


@pytest.mark.parametrize(
    "named", ['"VideoObject", "uploadDate"', '"JobPosting", "datePosted"', '"Article", "dateCreated"']
)
def test_videos_and_open_positions_have_dates_of_their_own(named: str) -> None:
    head = f'<script type=application/ld+json>{{"@type": {named}: "{DAY}"}}</script>'
    assert read("", "<p>Apply by 30 June 2024</p>", head=head)[1] == DAY
