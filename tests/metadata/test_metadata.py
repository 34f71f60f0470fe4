"""What pages say of themselves: sources in their order, and null rather than wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cedar
from cedar import Metadata
from cedar.transforms.decode.media import is_html
from cedar.transforms.metadata.finding_authors import clean
from cedar.transforms.metadata.reading import page_metadata

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
        (HEADLINE + "<time class=x>31-Dec-00</time>", "2000-12-31", "time"),
        ('<meta name=DC.Issued content="2024-04-06">', "2024-04-06", "meta"),
        ('<meta property=og:regDate content="20240406101112">', "2024-04-06T10:11:12", "meta"),
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
        (json_ld({"@type": "Question", "dateCreated": "2024-04-02"}), "2024-04-02", "json-ld"),
        ("<h3>06.04.2024</h3>" + HEADLINE, "2024-04-06", "text"),
        ("<p>6. April 2024 | <a href=/p>Press</a></p>" + HEADLINE, "2024-04-06", "text"),
        (HEADLINE + "<p>Updated May 9, 2024; published April 6, 2024</p>", "2024-04-06", "text"),
        (HEADLINE + "<relative-time datetime=2024-04-06>long ago</relative-time>", "2024-04-06", "time"),
        (HEADLINE + "<p>令和6年4月6日</p>", "2024-04-06", "text"),
        (HEADLINE + "<p>6 tháng 4, 2024</p>", "2024-04-06", "text"),
        (HEADLINE + "<p>6 באפריל 2024</p>", "2024-04-06", "text"),
        ("<script>go({publishedAt: '2024-04-06T08:00'})</script>", "2024-04-06", "script"),
        ('<script>go("{\\"datePublished\\":\\"2024-04-06\\"}")</script>', "2024-04-06", "script"),
        (
            "<script>go([{publishedAt: '2024-04-06'}, {publishedAt: '2024-04-07'}])</script>",
            None,
            None,
        ),
        ("<p>Termin: 6. April 2024</p>" + HEADLINE, None, None),
        (HEADLINE + "<table><tr><td>Due</td><td>06.04.2024</td></tr></table>", None, None),
        (HEADLINE + "<p>Joined: 6 April 2024</p>", None, None),
        (HEADLINE + "<p>Born 6 April 1999 in Harrow</p>", None, None),
    ],
)
def test_dates_come_from_the_first_source_that_is_valid(
    html: str, published: str | None, source: str | None
) -> None:
    found = read(html)
    assert (found.date_published, found.date_source) == (published, source)


def test_the_address_names_the_day_of_the_place() -> None:
    named = read("<p>x</p>", "https://sea.example/2024/04/06/mills")
    assert (named.date_published, named.date_source) == ("2024-04-06", "url")
    utc = '<meta property="article:published_time" content="2024-04-07T01:00:00Z">'
    assert read(utc, "https://sea.example/2024/04/06/mills").date_source == "url"
    assert read(utc, "https://sea.example/2024/01/06/mills").date_published == "2024-04-07T01:00:00+00:00"


def test_a_change_before_the_publication_is_none() -> None:
    change = '<meta property="article:modified_time" content="{}">'
    assert read(META + change.format("2024-04-09")).date_modified == "2024-04-09"
    assert read(META + change.format("2024-03-09")).date_modified is None


@pytest.mark.parametrize(
    ("html", "modified"),
    [
        ("<p>Last updated: 6 April 2024</p>", "2024-04-06"),
        ("<p>Last updated: <b>6 April 2024</b></p>", "2024-04-06"),
        ("<p>Published 3 April 2024, updated 6 April 2024</p>", "2024-04-06"),
        ("<p>Letzte Aktualisierung: 6. April 2024</p>", "2024-04-06"),
        ("<time class=updated datetime='2024-04-06T10:00:00Z'>x</time>", "2024-04-06T10:00:00+00:00"),
        ("<p class=last-modified>6 April 2024</p>", "2024-04-06"),
        ("<meta name=dc.modified content=2024-04-06>", "2024-04-06"),
        ("<p>We met on 6 April 2024.</p>", None),
        ("<p>Copyright 6 April 2024</p>", None),
        ("<div class=comments><p>Updated 6 April 2024</p></div>", None),
    ],
)
def test_changes_are_read_where_the_page_says_so(html: str, modified: str | None) -> None:
    assert read(HEADLINE + html).date_modified == modified


COMMENT = (
    '<li id="comment-5" class="comment even depth-1"><article class="comment-body">'
    '<footer class="comment-meta">'
    '<div class="comment-author vcard"><b class="fn">Bob Stone</b> says:</div><div class="comment-metadata">'
    '<a href="#c"><time datetime="2024-04-09T10:00:00Z">April 9, 2024</time></a></div></footer>'
    "<p>Nice, of 9 April 2024!</p></article></li>"
)


@pytest.mark.parametrize(
    "html",
    [
        f"<ol class=comment-list>{COMMENT}</ol>",
        COMMENT,
        COMMENT * 300,
        "<div itemprop=comment itemscope itemtype='https://schema.org/Comment'>"
        "<span itemprop=author>Bob Stone</span>"
        "<time itemprop=datePublished datetime=2024-04-09>x</time></div>",
        "<div id=comments><p class=author>Bob Stone</p><p class=date>9 April 2024</p></div>",
        "<div class=related-posts><time datetime=2024-04-09>x</time><p class=byline>By Bob Stone</p></div>",
        "<section id=recommended><p class=date>Published 9 April 2024</p></section>",
        "<p class=quote-author>Bob Stone, 9 April 2024</p>",
        "<blockquote><p>Mills.</p><p class=author>Bob Stone</p><time>9 April 2024</time></blockquote>",
        "<div class=sidebar><p class=author>Bob Stone</p><p class=post-date>9 April 2024</p></div>",
        "<div class='widget primary-sidebar'><a rel=author>Bob Stone</a><time>9 April 2024</time></div>",
    ],
)
def test_what_others_say_is_not_the_pages(html: str) -> None:
    found = read(HEADLINE + "<p>Tides turn mills.</p>" + html)
    assert (found.date_published, found.date_modified, found.author) == (None, None, None)
    own = "<p class=byline>By Ole Berg, 6 April 2024</p>"
    found = read(HEADLINE + own + "<p>Tides turn mills.</p>" + html)
    assert found.date_published == "2024-04-06"


@pytest.mark.parametrize(
    "html",
    [
        f"<body class='comments-open has-sidebar'>{HEADLINE}<time datetime=2024-04-06>x</time>",
        f"<div class=sidebar>{HEADLINE}<time datetime=2024-04-06>x</time></div>",
        f"<div class='post no-comments'>{HEADLINE}<time datetime=2024-04-06>x</time></div>",
        f"{HEADLINE}<p class=quote>Mills!<p><time datetime=2024-04-06>x</time>",
        f"{HEADLINE}<link class=comments><time datetime=2024-04-06>x</time>",
        f"{HEADLINE}<img class='related-image' src=/mill><time datetime=2024-04-06>x</time>",
        f"{HEADLINE}<a name=comments id=comments><a href=/>x</a><time datetime=2024-04-06>x</time>",
        HEADLINE + "<div class=post><time>6 April 2024</time>Hi</div>"
        "<div class=post><time>7 April 2024</time>Ho</div>",
    ],
)
def test_what_holds_the_headline_or_stands_next_to_it_is_the_pages(html: str) -> None:
    assert read(html).date_published == "2024-04-06"


PEOPLE = [
    {"@type": "Person", "@id": "#ole", "name": "Ole Berg"},
    {"@type": "Person", "@id": "#ana", "name": "Ana Lima"},
]


@pytest.mark.parametrize(
    ("author", "graph", "names"),
    [
        ({"@id": "#ole"}, PEOPLE, "Ole Berg"),
        ([{"@id": "#ana"}, {"@id": "#ole"}], PEOPLE, "Ana Lima; Ole Berg"),
        ({"@id": "#ole", "@type": "Person"}, PEOPLE, "Ole Berg"),
        ({"@id": "#ole", "name": "O. Berg"}, PEOPLE, "O. Berg"),
        ({"@id": "#eva"}, PEOPLE, None),
        ({"@id": ["#ole"]}, PEOPLE, None),
        ({"@id": "#ole"}, [{"@id": "#ole", "author": {"@id": "#ole"}}], None),
        ({"@id": "#a"}, [{"@id": "#a", "name": {"@id": "#b"}}, {"@id": "#b", "name": {"@id": "#a"}}], None),
    ],
)
def test_people_are_found_by_their_ids(author: object, graph: list[object], names: str | None) -> None:
    article = {"@type": "Article", "author": author}
    assert read(json_ld({"@graph": [article, *graph]})).author == names
    assert read(json_ld({"@graph": [*graph, article]})).author == names
    assert read(json_ld(article, *graph)).author == names


def test_a_publisher_is_found_by_its_id() -> None:
    article = {"@type": "Article", "publisher": {"@id": "#sea"}}
    assert read(json_ld({"@graph": [article, {"@id": "#sea", "name": "Sea Press"}]})).site_name == "Sea Press"


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Jenny Smith — The Sea", "Jenny Smith"),
        ("Jenny Smith - Elsewhere", "Jenny Smith"),
        ("Jenny Smith | The Sea", "Jenny Smith"),
        ("Jenny Smith Editor", "Jenny Smith"),
        ("Jenny Smith, Senior Staff Writer", "Jenny Smith"),
        ("By Jenny Smith, Editor-in-Chief", "Jenny Smith"),
        ("Jenny Smith 🌊✍️", "Jenny Smith"),
        ("👩‍💻 Jenny Smith", "Jenny Smith"),
        ("Jane Reporter", "Jane Reporter"),
        ("Anne-Marie Smith", "Anne-Marie Smith"),
        ("Senior Editor", None),
        ("The Sea — Editor", None),
    ],
)
def test_names_are_without_pictures_site_and_role(written: str, name: str | None) -> None:
    html = f"<meta property=og:site_name content='The Sea'><meta name=author content='{written}'>"
    assert read(html).author == name


def test_a_page_without_a_title_has_another() -> None:
    heading = "<h1>Mills <b>of</b><br>the <i>sea</i></h1>"
    card = "<meta property=og:title content='Tide &amp; mills'>"
    for method in ("cedar", "cetr", "cetd-ds", "keep-all"):
        assert cedar.extract(f"<title>Own</title>{card}{heading}<p>x", method).title == "Own"
        assert cedar.extract(f"<title> </title>{card}{heading}<p>x", method).title == "Tide & mills"
        assert cedar.extract(f"{heading}<h1>Other</h1><p>x", method).title == "Mills of the sea"
        assert cedar.extract("<h2>x</h2><p>x", method).title is None


@pytest.mark.parametrize(
    ("html", "site", "description"),
    [
        ("<meta property=article:publisher content='The Sea'>", "The Sea", None),
        ("<meta property=article:publisher content='https://face.example/sea'>", None, None),
        ("<meta name=dc.description content=Mills>", None, "Mills"),
        ("<meta name=twitter:description content=Mills><meta name=dc.description content=x>", None, "Mills"),
        ("<meta name=description content=Mills><meta name=twitter:description content=x>", None, "Mills"),
    ],
)
def test_other_names_of_sites_and_descriptions(html: str, site: str | None, description: str | None) -> None:
    assert (read(html).site_name, read(html).description) == (site, description)


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


def test_a_base_longer_than_an_address_counts_by_its_origin() -> None:
    base = f"<base href='https://other.example/{'a/' * 1000}'>"
    assert read(f"{base}<link rel=canonical href=../y>").canonical_url == "https://other.example/y"


def test_an_address_is_valid_if_some_before_it_are_not() -> None:
    found = read("<link rel=canonical href='https://[broken'>" * 20 + "<link rel=canonical href=/y>")
    assert found.canonical_url == "https://sea.example/y"


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
        ("http://creativecommons.org/licenses/publicdomain/", "CC-PDDC"),
        ("https://creativecommons.org/mission/", None),
        ("https://creativecommons.org/", None),
        ("https://wiki.creativecommons.org/licenses", None),
        ("https://doi.org/10.1000/1", None),
        ("/terms", "https://sea.example/terms"),
        ("javascript:x", None),
    ],
)
def test_licences_have_their_names_in_spdx(address: str, licence: str | None) -> None:
    assert read(f"<p>x<a rel='nofollow license' href='{address}'>terms</a>").licence == licence


def test_a_link_to_the_licence_names_no_author() -> None:
    assert read("<p>x<a rel=license href='/x'>Ann Lee</a> <a rel=author>Bo Stone</a>").author == "Bo Stone"
    assert read("<p>x<a rel=license href='/terms'>Ann Lee</a>").author is None


def test_links_to_licensed_works_are_not_the_pages_licence() -> None:
    link = "<a href='https://creativecommons.org/licenses/by/4.0/'>by</a>"
    assert read(f"<p>a photo {link}</p>" + "<p>text of the page</p>" * 20).licence is None
    assert read("<p>text of the page</p>" * 20 + link).licence == "CC-BY-4.0"


def test_the_pages_licence_comes_before_the_licence_in_the_sites_footer() -> None:
    link = "<a rel=license href='https://creativecommons.org/licenses/%s/4.0/'>x</a>"
    footer = f"<footer>{link % 'by-nc'}</footer>"
    article = f"<article><h1>Mills</h1><p>text</p>{link % 'by'}</article>"
    assert read(f"{footer}{article}").licence == "CC-BY-4.0"
    stated = (
        '<script type=application/ld+json>{"@type":"Article","license":"https://mit-license.org/"}</script>'
    )
    assert read(f"{stated}<h1>Mills</h1><p>text</p>{footer}").licence == "MIT"
    assert read(f"<h1>Mills</h1><p>text</p>{footer}").licence == "CC-BY-NC-4.0"
    home = "<a href='https://creativecommons.org/'>x</a>"
    assert read("<p>text of the page</p>" * 20 + home + link % "by").licence == "CC-BY-4.0"


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
    page = cedar.extract(html).markup
    assert page is not None
    assert page_metadata(page, URL) == cedar.metadata(html, URL)


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_long_texts_are_cut_between_characters(before: str) -> None:
    assert read(f"<h1>潮汐</h1><p>{before}{'磨' * 300}</p><p>2024年4月6日</p>").date_published == "2024-04-06"


@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_a_date_after_a_long_text_of_wide_characters_is_read(before: str) -> None:
    text = "潮汐磨坊" * 200
    page = f"<h1>潮汐磨坊</h1><p>{before}{text}<time datetime=2024-04-06>4月6日</time>"
    assert read(page).date_published == "2024-04-06"


@given(st.binary(max_size=200) | st.text(alphabet="<>=\"'/ ametimh1ldjson20-5:{}[],", max_size=200))
def test_any_page_gives_a_record_of_clean_texts(html: bytes | str) -> None:
    assume(isinstance(html, str) or is_html("text/html", html))
    for value in read(html):
        assert value is None or (value and value == value.strip() and value.isprintable())


_NAME_WORDS = (
    "Ann John Maria Lee By Von Par Door Autor Autoren Autora Author Written Posted Story Text Tekst Skrevet"
    " Senior Editor Editorial Chief In Large At Reporter Correspondent Columnist Journalist Journaliste"
    " Writer Contributor Producer Photographer Blogger Redakteur Redakteurin Redactor Redactora Periodista"
    " Giornalista Redattore Site Super User Staff Web News Desk Guest Admin Team Unknown And En"
)


@given(st.lists(st.sampled_from(_NAME_WORDS.split()), min_size=1, max_size=5).map(" ".join))
def test_a_name_that_is_plain_is_read_as_any_other(name: str) -> None:
    sites = frozenset({"annlee", "guestjohn"})
    assert clean([name], sites) == clean([f" {name}"], sites)


def test_a_link_in_the_head_has_no_text_that_were_the_author() -> None:
    assert read("<link rel=author href=/me>Skip to content<h1>Tide mills</h1>").author is None


def test_a_change_beside_the_headline_is_read_after_hundreds_of_others() -> None:
    others = "<i class=updated>Never</i>" * 300
    html = f"{others}<h1>Tide mills</h1><p class=updated>6 April 2024</p>"
    assert read(html).date_modified == "2024-04-06"


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("<p class=byline>By ANA LIMA, OLE BERG and JAN MOOR</p>", "ANA LIMA; OLE BERG; JAN MOOR"),
        ("<p class=author><a href=/a/1>Ana Lima</a><br>Own Correspondent</p>", "Ana Lima"),
        ("<div class=byline><b>Ana Lima</b> <i>Senior Oslo Correspondent</i></div>", "Ana Lima"),
        ("<p class=byline>Written by Ana Lima<br>Edited by Ole Berg</p>", "Ana Lima"),
        (
            "<p class='byline vcard'><i>By </i><i class=fn>ANA LIMA</i> <i>May 3, 2024 3:46 PM</i></p>",
            "ANA LIMA",
        ),
        ("<p><span itemprop=author><a href=/j>Ana Lima</a> (avec Ole Berg)</span></p>", "Ana Lima"),
        ("<p class=author>Eingestellt von <span class=fn>Michel</span></p>", "Michel"),
        (
            "<i class=meta-prep-author>Posted on</i> <i>May 3</i> by <b class='author vcard'>quayman</b>",
            "quayman",
        ),
        ("<p>By <a href=/author/ana>Ana Lima</a></p><p>In <a href=/coast>Coast</a></p>", "Ana Lima"),
        ("<p>Von Ana Lima | 3. Mai 2024</p>", "Ana Lima"),
        ("<p><i>3 points</i> by <a href='user?id=ana'>ana</a></p>", "ana"),
        ("<p>By the way, the mill is open.</p>", None),
        ("<p>By <a href=/terms>using this site</a> you agree.</p>", None),
        ("<p class=byline>Twitter Facebook</p>", None),
    ],
)
def test_bylines_in_many_forms(byline: str, author: str | None) -> None:
    assert read(HEADLINE + byline + "<p>Mills.</p>").author == author


@pytest.mark.parametrize(
    ("meta", "author"),
    [
        ("<meta name=author content='Ana Lima (lia)'>", "Ana Lima"),
        ("<meta name=authors content='Ana Lima'>", "Ana Lima"),
        ("<meta name=author content='신현주 기자'>", "신현주"),
        ("<meta name=parsely-author content='Lima, Ana'>", "Ana Lima"),
        (
            "<meta name=author content='The Anvil Cart Team'><meta name=generator content='Anvil Cart 2'>",
            None,
        ),
        ("<meta name=author content='Quay Weekly Staff'>", "Quay Weekly Staff"),
        ("<meta name=author content='Quay Weekly Staff'><p rel=author>Ana Lima</p>", "Ana Lima"),
    ],
)
def test_names_in_meta(meta: str, author: str | None) -> None:
    assert read(meta).author == author


LISTED = "".join(
    f"<div class=slide><h3><a href=/{day}>Another story</a></h3><p class=post_date>{day} May 2024</p></div>"
    for day in (3, 4, 5)
)


@pytest.mark.parametrize(
    ("html", "day"),
    [
        (HEADLINE + "<p>Words.</p>" + LISTED, None),
        (HEADLINE + "<p class=post_date>1 May 2024</p><p>Words.</p>" + LISTED, "2024-05-01"),
        (HEADLINE + "<p>Words.</p><aside><h3>Latest</h3><time datetime=2024-05-03></time></aside>", None),
        (HEADLINE + "<h2><a href=/x>A story <b>that stands elsewhere on this site</b>, and at length "
         "<time datetime=2024-05-03>May</time></a></h2>", None),
        (HEADLINE + "<p id=page-info>revision: 8, last edited: <b class=odate>3 May 2024</b></p>", None),
        (HEADLINE + "<p>Due: <i class=startDate>03.05.2024</i>", None),
        ("<table>" + "".join(f"<tr><td>A<td class=when>0{n}.05.2024" for n in range(1, 6)), None),
        (HEADLINE + "<svg><path/></svg>" * 200 + "<time datetime=2024-05-03>May</time>", "2024-05-03"),
        (HEADLINE + "<b>a</b>" * 500 + "<p>Dieser Artikel wurde am 3. Mai 2024 geschrieben.", "2024-05-03"),
        ("<p>This story is from May 3, 2024</p>" + HEADLINE, "2024-05-03"),
        (HEADLINE + '<i title="2024-05-03T09:00:00 1714726800">3 hours ago</i>', "2024-05-03T09:00:00"),
        (HEADLINE + '<i title="Friday, 3 May 2024">2 years ago</i>', "2024-05-03"),
        (HEADLINE + '<i title="May 3, 2024 at 9:30 AM">2 years ago</i>', "2024-05-03"),
        (HEADLINE + "<i title='viernes, 3 de mayo de 2024 09:30'>hace dos años</i>", "2024-05-03"),
        (HEADLINE + '<td><i title="03.05.2024 09:30">09:30</i>', None),
        (HEADLINE + '<a href=/m title="Minutes of the meeting of 3 May 2024">minutes</a>', None),
        (HEADLINE + "<p>發布於民國113年5月3日</p>", "2024-05-03"),
        (HEADLINE + "<p>วันศุกร์ที่ 3 พฤษภาคม พ.ศ. 2567</p>", "2024-05-03"),
        (HEADLINE + "<p>शुक्रवार, 3 मई 2024</p>", "2024-05-03"),
        (HEADLINE + "<p class=date>03 | 05 | 2024</p>", "2024-05-03"),
        ("<meta name=date content='الجمعة، 03 مايو 2024 - 12:09 م'>", "2024-05-03"),
        (json_ld({"@type": "HowTo", "datePublished": "2024-05-03T22:06:08:684"}), "2024-05-03T22:06:08"),
    ],
)  # fmt: skip
def test_a_date_is_the_own_one_of_the_page(html: str, day: str | None) -> None:
    assert read(html).date_published == day


@pytest.mark.parametrize(
    ("html", "site"),
    [
        (
            "<title>Tide mills | The Sea Press</title><a href=/>The Sea Press</a><h1>Tide mills</h1>",
            "The Sea Press",
        ),
        ("<title>Tide mills - Sea Press</title><h1>Tide mills</h1>", "Sea Press"),  # as the host
        (
            "<title>The Letter: Tide mills</title><a href=/><img alt='The Letter'></a><h1>Tide mills</h1>",
            "The Letter",
        ),
        ("<title>Tide mills | Kent</title><h1>Tide mills</h1>", None),
        ("<title>Tide mills of the sea</title>", None),
        ("<meta property=og:site_name content='Rope &amp;amp; Winch'>", "Rope & Winch"),
    ],
)
def test_the_site_is_named_in_the_title_if_the_page_confirms_it(html: str, site: str | None) -> None:
    assert read(html, "https://seapress.example/mills").site_name == site


def test_a_description_that_holds_escaped_tags_is_read_without_them() -> None:
    written = "&lt;p&gt;&lt;b&gt;Mills&lt;/b&gt; of su&amp;eacute;de &lt;/p&gt;"
    assert read(f"<meta name=description content='{written}'>").description == "Mills of suéde"
    kept = "The tag &lt;b&gt; makes it bold"
    assert read(f"<meta name=description content='{kept}'>").description == "The tag <b> makes it bold"
