"""Metadata of hostile pages: CPU grows with their size and no faster."""

from __future__ import annotations

import pytest

from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.metadata.reading import page_metadata
from tests.helpers.shapes import Make, assert_time_is_linear, cpu_seconds, nested, numbered, repeated

HEADLINE = "<title>Tide mills</title><h1>Tide mills</h1>"
DATE = "<time>6 April 2024"
LD = "<script type=application/ld+json>"
ENTRY = '{{"@type":"Person","@id":"#{0}","author":{{"@id":"#{0}"}}}},'


def based(unit: str, before: str = "", after: str = "") -> Make:
    """Half of a page is the address of its base, the other half are units."""

    def make(size: int) -> str:
        base = "<base href='https://sea.example" + "/a" * (size // 4) + "'>"
        return base + repeated(unit, before, after)(size // 2)

    return make


SHAPES = {
    # Tags.
    "metas": repeated("<meta name=date content=x>", ""),
    "metas with dates that are none": repeated("<meta name=date content='31.31.2024 '>", ""),
    "metas of one author": repeated("<meta name=author content='Ole Berg'>", ""),
    "metas of authors": numbered("<meta name=citation_author content='B{0}, Ole'>", ""),
    "links": repeated("<link rel=canonical href=//>", ""),
    "headings": repeated("<h1>x", ""),
    "headings like the title": repeated("<h2>Tide mills", HEADLINE),
    "times": repeated("<time>x", HEADLINE),
    "times with dates that are none": repeated("<time datetime=2024-31-31>x</time>", HEADLINE),
    "tags without attributes": repeated("<p>x", HEADLINE),
    "tags without a title": repeated("<meta name=og:title>", ""),
    # Attributes.
    "classes of dates": repeated("<p class=date>x", HEADLINE),
    "classes of authors": repeated("<p class=author>By", HEADLINE),
    "classes of comments": repeated("<p class=comment>x", HEADLINE, DATE),
    "comments that are not closed": repeated("<div class=comment>x", HEADLINE, DATE),
    "comments and dates": repeated(f"<i class=comment></i>{DATE}</time>", HEADLINE + "<p class=comments>"),
    "no comments": repeated("<i class=no-comments>x</i>", HEADLINE, DATE),
    "one long class": repeated("date-related_", HEADLINE + "<p class='", "'><b class=comment>6 April 2024"),
    "a class of words": repeated("no-comments ", HEADLINE + "<p class='", "'>6 April 2024"),
    "many attributes": repeated(" a=b", HEADLINE + "<p class=date", ">6 April 2024"),
    "items": repeated("<i itemprop=datePublished>x</i>", HEADLINE),
    "items of authors": repeated("<i itemprop=author>1</i>", HEADLINE),
    "links to licences": repeated("<a rel=license href=x>y</a>", HEADLINE),
    "links to Creative Commons": repeated("<a href=//creativecommons.org/x>y</a>", HEADLINE),
    "an attribute that is not closed": repeated("2024-05-", HEADLINE + "<time datetime='"),
    # Addresses that are not valid, relative to a long base.
    "canonical links": based("<link rel=canonical href='../b%\\'>"),
    "links to licences and a base": based("<link rel=license href='b%\\'>"),
    "anchors to licences and a base": based("<a rel=license href='b%\\'>y</a>"),
    "rights and a base": based("<meta name=dc.rights content='b \\'>"),
    "articles and a base": based('{"@type":"Article","url":"b%\\\\"},', LD + "[", "{}]</script>"),
    "licences of articles and a base": based(
        '{"@type":"Article","license":"b%\\\\"},', LD + "[", "{}]</script>"
    ),
    "a page of articles and a base": based(
        '{"@type":"Article","mainEntityOfPage":{"@id":"b%\\\\"}},', LD + "[", "{}]</script>"
    ),
    # Brackets of JSON-LD.
    "lists in lists": nested("[", "]", LD, "</script>"),
    "things in things": nested('{"a":', "}", LD, "</script>"),
    "lists that are not closed": repeated("[", LD, "</script>"),
    "scripts": repeated(f"{LD}{{}}</script>", ""),
    "scripts that are not closed": repeated(LD, ""),
    "broken authors": repeated('"author": [{ ', LD + "{'", "</script>"),
    "broken dates": repeated('"datePublished" : "2024', LD + "{'", "</script>"),
    # References.
    "articles of one person": repeated('{"@type":"Article","author":{"@id":"#"}},', LD + "[", "{}]</script>"),
    "people who name each other": numbered(ENTRY, LD + "["),
    "people of one article": repeated('{"@id":"#a"},', LD + '{"@type":"Article","author":[', "{}]}</script>"),
    "references of HTML": repeated("&#50;", HEADLINE + "<p class=date>"),
    "references in a class": repeated("&amp;date", HEADLINE + "<p class='", "'>x"),
    # Nestings.
    "quotes in quotes": nested("<blockquote>", "</blockquote>", HEADLINE, DATE),
    "comments in comments": nested("<div class=comment>", "</div>", HEADLINE, DATE),
    "dates in dates": nested("<b class=date>", "</b>", HEADLINE),
    "lists of the page": nested("<ul><li class=related>", "</ul>", HEADLINE),
    # Texts.
    "numbers": repeated("1 a ", HEADLINE),
    "numbers beside tags": repeated("1.2.3<br>", HEADLINE),
    "dates that are none": repeated("31.31.2024<br>", HEADLINE),
    "changes without a date": repeated("updated 2024 1<br>", HEADLINE),
    "months": repeated("May ", HEADLINE + "<p class=date>1"),
    "names": repeated("Ole Berg, ", HEADLINE + "<meta name=author content='", "'>"),
    "roles": repeated("senior ", HEADLINE + "<meta name=author content='Ole Berg ", "'>"),
    "dashes": repeated(" - ", HEADLINE + "<meta name=author content='Ole Berg", "'>"),
    "a licence": repeated("comm", HEADLINE + "<a href='", "'>"),
    "an address": repeated("/2024/13", HEADLINE + "<link rel=canonical href='//a", "'>"),
}  # fmt: skip


def seconds(html: bytes) -> float:
    """CPU of reading a page's metadata, without reading the page."""
    page = Markup(read_page(html))
    return cpu_seconds(lambda: page_metadata(page, "https://sea.example/mills", 1_735_689_600_000_000))


@pytest.mark.parametrize("shape", SHAPES)
def test_metadata_of_hostile_pages_take_linear_time(shape: str) -> None:
    assert_time_is_linear(seconds, SHAPES[shape])
