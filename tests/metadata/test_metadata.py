"""What pages say of themselves: sources in their order, and null rather than wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cedar
from cedar import Metadata
from transforms.metadata.reading import page_metadata

FETCHED = datetime(2025, 1, 1, tzinfo=UTC)
URL = "https://sea.example/mills"


def read(html: str | bytes, url: str = URL) -> Metadata:
    return cedar.metadata(html, url, FETCHED)


def json_ld(*things: object) -> str:
    return "".join(f"<script type='application/ld+json'>{json.dumps(thing)}</script>" for thing in things)


ARTICLE = {"@type": "NewsArticle", "datePublished": "2024-04-02T10:00:00Z", "author": {"name": "Ole Berg"}}
META = '<meta property="article:published_time" content="2024-04-01T08:00:00+09:00">'
HEADLINE = "<title>Tide mills of the coast</title><h1>Tide mills of the coast</h1>"


def test_a_page_that_says_nothing_has_nothing() -> None:
    assert read("<p>Mills.</p>") == Metadata()
    assert read(b"") == Metadata()


@pytest.mark.parametrize(
    ("html", "published", "source"),
    [
        (META + json_ld(ARTICLE), "2024-04-01T08:00:00+09:00", "meta"),
        (
            json_ld(ARTICLE) + "<span itemprop=datePublished>2024-04-05</span>",
            "2024-04-02T10:00:00+00:00",
            "json-ld",
        ),
        ("<span itemprop=datePublished>5 April 2024</span>", "2024-04-05", "microdata"),
        (HEADLINE + "<time datetime=2024-04-06>long ago</time>", "2024-04-06", "time"),
        (
            "<time class=comment-date datetime=2024-04-05>x</time><time pubdate>6 April 2024</time>",
            "2024-04-06",
            "time",
        ),
        (HEADLINE + "<p class=byline>Ole Berg, 6 April 2024</p>", "2024-04-06", "time"),
        (HEADLINE + "<p>6 April 2024</p>", "2024-04-06", "text"),
        ("<p>Veröffentlicht am 6. April 2024</p>", "2024-04-06", "text"),
        (HEADLINE + "<p>Letzte Aktualisierung: 6. April 2024</p>", None, None),
        ("<p>We met on 6 April 2024 at the mill.</p>", None, None),
        ('<meta name=date content="2026-01-01">', None, None),
        (
            json_ld({"@type": "NewsArticle", "comment": {"@type": "Article", "datePublished": "2024-01-01"}}),
            None,
            None,
        ),
        (json_ld({"@graph": [{"@type": ["WebPage"]}, ARTICLE]}), "2024-04-02T10:00:00+00:00", "json-ld"),
        ("<!--" + json_ld(ARTICLE) + "-->", None, None),
    ],
)
def test_dates_come_from_the_first_source_that_is_valid(
    html: str, published: str | None, source: str | None
) -> None:
    found = read(html)
    assert (found.date_published, found.date_source) == (published, source)


def test_the_address_names_the_day_of_the_place() -> None:
    assert read("<p>x</p>", "https://sea.example/2024/04/06/mills")[:2] == ("2024-04-06", "url")
    utc = '<meta property="article:published_time" content="2024-04-07T01:00:00Z">'
    assert read(utc, "https://sea.example/2024/04/06/mills")[:2] == ("2024-04-06", "url")
    assert read(utc, "https://sea.example/2024/01/06/mills")[:2] == ("2024-04-07T01:00:00+00:00", "meta")


def test_a_change_before_the_publication_is_none() -> None:
    change = '<meta property="article:modified_time" content="{}">'
    assert read(META + change.format("2024-04-09")).date_modified == "2024-04-09"
    assert read(META + change.format("2024-03-09")).date_modified is None


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (json_ld({**ARTICLE, "author": [{"name": "Ole Berg"}, {"name": "Ana Lima"}]}), "Ole Berg; Ana Lima"),
        ("<meta name=author content='By Ole Berg and Ana Lima'>", "Ole Berg; Ana Lima"),
        ("<meta name=author content='José Ortega y Gasset'>", "José Ortega y Gasset"),
        ("<meta name=citation_author content='Berg, Ole'><meta name=citation_author content='Lima, Ana'>",
         "Ole Berg; Ana Lima"),
        ("<meta name=author content=admin><a rel=author href=/ole>Ole Berg</a>", "Ole Berg"),
        ("<meta property=og:site_name content='The Sea'><meta name=author content='The Sea'>", None),
        ("<meta property=article:author content='https://face.example/ole'>", None),
        (HEADLINE + "<p class=byline>Von Ole Berg</p>", "Ole Berg"),
        (json_ld({**ARTICLE, "author": {"@type": "Organization", "name": "Sea Press"}}), "Sea Press"),
    ],
)  # fmt: skip
def test_authors_are_people_and_not_the_site(html: str, author: str | None) -> None:
    assert read(html).author == author


def test_addresses_are_absolute_and_of_the_web() -> None:
    assert read("<link rel=canonical href='../a?b=1&amp;c#d'>").canonical_url == "https://sea.example/a?b=1&c"
    assert read("<base href='https://other.example/x/'><link rel=canonical href=y>").canonical_url == (
        "https://other.example/x/y"
    )
    assert read("<link rel=canonical href='javascript:x()'>").canonical_url is None
    assert read("<link rel=canonical href='https://[broken'>").canonical_url is None


def test_the_site_and_what_the_page_is_about() -> None:
    found = read(
        "<meta property=og:site_name content='The  Sea'><meta name=description content='Mills &amp; tides'>"
    )
    assert (found.site_name, found.description) == ("The Sea", "Mills & tides")
    assert len(read(f"<meta name=description content='{'x' * 5000}'>").description or "") == 2000


@pytest.mark.parametrize(
    ("address", "licence"),
    [
        ("https://creativecommons.org/licenses/by-sa/4.0/deed.de", "CC-BY-SA-4.0"),
        ("http://creativecommons.org/licenses/by/3.0/de/", "CC-BY-3.0-DE"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("/terms", "https://sea.example/terms"),
        ("javascript:x", None),
    ],
)
def test_licences_have_their_names_in_spdx(address: str, licence: str | None) -> None:
    assert read(f"<p>x<a rel='nofollow license' href='{address}'>terms</a>").licence == licence


def test_links_to_licensed_works_are_not_the_pages_licence() -> None:
    link = "<a href='https://creativecommons.org/licenses/by/4.0/'>by</a>"
    assert read(f"<p>a photo {link}</p>" + "<p>text of the page</p>" * 20).licence is None
    assert read("<p>text of the page</p>" * 20 + link).licence == "CC-BY-4.0"


def test_broken_json_ld_gives_its_date_and_its_author() -> None:
    html = (
        "<script type=application/ld+json>"
        '{\'x: "datePublished": "2024-04-02", "author": {"name": "Ole Berg"},}'
    )
    found = read(html + "</script>")
    assert (found.date_published, found.author) == ("2024-04-02", "Ole Berg")


@pytest.mark.parametrize(
    "html",
    [
        "<script type=application/ld+json>" + "[" * 100_000 + "</script>",
        "<script type=application/ld+json>" + '{"a":' * 20_000 + "1" + "}" * 20_000 + "</script>",
        "<meta name=date content='" * 20_000,
        "<meta itemprop=datePublished content=x>" * 20_000,
        "<h1>" * 50_000 + "<time>" * 50_000,
        "<p class=date>" * 50_000 + "1" * 50_000,
        "<!-- ld+json" * 50_000,
        "<script type=ld+json " * 50_000,
        HEADLINE + "<p>" + "1 a " * 100_000,
    ],
)
def test_hostile_pages_end_without_a_date(html: str) -> None:
    assert read(html).date_published is None


@pytest.mark.parametrize("html", [HEADLINE + META + json_ld(ARTICLE), "<!-- x --><p>6 April 2024</p>", ""])
def test_a_page_that_cedar_has_read_says_the_same(html: str) -> None:
    page = cedar.extract(html).reading
    assert page is not None
    assert page_metadata(page, URL) == cedar.metadata(html, URL)


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_long_texts_are_cut_between_characters(before: str) -> None:
    assert read(f"<h1>潮汐</h1><p>{before}{'磨' * 300}</p><p>2024年4月6日</p>").date_published == "2024-04-06"


@given(st.binary(max_size=200) | st.text(alphabet="<>=\"'/ ametimh1ldjson20-5:{}[],", max_size=200))
def test_any_page_gives_a_record_of_clean_texts(html: bytes | str) -> None:
    for value in read(html):
        assert value is None or (value and value == value.strip() and value.isprintable())
