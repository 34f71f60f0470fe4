"""The tags and texts that metadata are read from are those of the plain definitions."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.extractors.html._text import rendered
from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.metadata._places import MAX_FINDS, MAX_METAS, Places
from cedar.transforms.metadata._texts import (
    SHORT,
    START,
    FirstWords,
    WordFinder,
    element_stop,
    element_text,
    texts_with_dates,
    titles_with_dates,
)
from cedar.transforms.metadata.dates import DateReader
from cedar.transforms.metadata.others import Asides
from tests.oracles import markup
from tests.oracles import metadata as plain

NAMES = (
    "blockquote",
    "nav",
    "meta",
    "link",
    "base",
    "time",
    "h1",
    "H2",
    "html",
    "a",
    "p",
    "span",
    "img",
    "input",
)
ATTRIBUTES = (
    "class=DatE", "id='meta'", "class='posted-by x'", "class=by-line", "class=upd", "id=database",
    "class='data news'", "itemprop=data", "id=entry-data_",
    "property=info", "class=comment-list", "itemprop=comment", "id=sidebar",
    "class=wp-caption", "class=hentry",
    "class='x quoted'", "property=article:author", "itemprop='x datePublished'", "ITEMPROP=author",
    "itemprop=dateModified", "itemproperty=author", "rel=author", "rel='nofollow license'", "rel=canonical",
    "rel=stylesheet", "href=/a?b&amp;c", "href='https://creativecommons.org/by'", "href=creativecommons.or",
    "name=' Author '", "name=description", "content='6 April 2024'", "content=''", "value=v", "lang=en-US",
    "http-equiv=last-modified", "http-equivalent=date", "data-date=2024", "class='", "href=",
)  # fmt: skip
TAGS = st.builds(
    lambda name, given, end: f"<{'/' * end}{name} {' '.join(given)}>",
    st.sampled_from(NAMES),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=4),
    st.booleans(),
)
WORDS = (
    "6", "04", "1999", "2024", "24", "199", "20245", ".", "/", "-", " ", "  ", ", ", "May", "de ", "年",
    "月", "日", "é", "٣", "２０", "th", ":", "&nbsp;", "&#50;", "&#1;", "&#8217;", "&copy", "\x01", "\x7f",
    "磨" * 30,
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), max_size=30).map("".join)


@given(st.lists(TAGS | st.just("text"), max_size=12).map("".join), st.integers(-2, 12), st.integers(-2, 12))
def test_places_are_those_that_each_tag_is_asked_for(html: str, first: int, last: int) -> None:
    places, read = Places(Markup(read_page(html.encode()))), markup.read(html.encode())
    for name, found in plain.places(read).items():
        assert getattr(places, name) == found, name
    asides = [tag for tag in plain.asides(read) if first <= tag < last]
    assert [places.asides(first, last, most) for most in range(4)] == [asides[:most] for most in range(4)]
    for name, found in plain.marked(read, first, last).items():
        assert places.marked(name, first, last) == found, name


@given(
    st.lists(
        st.builds("<{}>{}".format, st.sampled_from(["p", "/p", "b", "/b", "br", "a", "/a"]), TEXTS),
        max_size=8,
    )
)
def test_texts_of_elements_and_with_dates_are_among_the_texts_of_the_page(pieces: list[str]) -> None:
    html = "".join(pieces).encode()
    page, read = read_page(html), markup.read(html)
    for tag in range(len(read.tags)):
        assert element_text(page, tag) == plain.element_text(read, tag)
        assert element_stop(page, tag) == plain.element_stop(read, tag)
    texts, reader = plain.texts_after(read, 0, 600), DateReader()
    found = texts_with_dates(page, 0, 600)
    assert all(text == texts[number] for number, _, _, text in found)
    assert all(before == (texts[number - 1] if number else "") for number, _, before, _ in found)
    assert all(text in rendered(page.source.html[page.tags.stops[tag] :]) for _, tag, _, text in found)
    dated = [n for n, text in enumerate(texts) if reader.written(text, SHORT) or reader.written(text, START)]
    assert set(dated) <= {number for number, *_ in found}


@given(
    st.lists(st.sampled_from(["By ", "by:", "BYE", "б", "Від ", "від\t", "\n", "<b>", "</b>"]), max_size=12)
)
def test_texts_begin_with_a_word_or_not(pieces: list[str]) -> None:
    html = "<p>" + "".join(pieces)
    found = FirstWords(frozenset(map(str.encode, ("by", "від")))).texts_that_begin(
        read_page(html.encode()), 0, 99
    )
    texts = re.split("<[^>]*>", html)[1:]
    assert found == [n for n, text in enumerate(texts) if re.match(r"\s*(?:[bB][yY]|від)(?=[\s:]|$)", text)]


@given(
    st.lists(
        st.sampled_from(["<a href='", "<p id='", "</a x='", "/", "by", "BY", "bye", "x", "від", "'>"]),
        max_size=15,
    )
)
def test_links_lead_to_a_word_or_not(pieces: list[str]) -> None:
    page = read_page(("<p>" + "".join(pieces) + "<i>").encode())
    tags = [
        page.source.html[start:stop]
        for start, stop in zip(page.tags.starts.tolist(), page.tags.stops.tolist(), strict=True)
    ]
    found = FirstWords(frozenset((b"by",))).links_to(page, 0, 99)
    assert found == [n for n, tag in enumerate(tags) if re.match(rb"(?i)<a .*/by(?![a-z])", tag)]


@given(st.text(alphabet="adetupé©发布 ", max_size=12))
def test_words_stand_in_a_text_or_not(text: str) -> None:
    words = ("upd", "ate", "a e", "©", "发布", "éta")
    assert WordFinder(words).stand_in(text) is any(word in text for word in words)


@given(
    st.lists(st.sampled_from(["ab", "a", "b", "<script>", "</script>", "<!--", "-->", "<p>"]), max_size=15)
)
def test_names_are_found_in_what_was_removed(pieces: list[str]) -> None:
    html = "".join(pieces).encode()
    source = read_page(html).source
    kept = [range(start, stop) for start, stop in source.kept]
    places = [found.start() for found in re.finditer(b"(?=ab)", html)]
    hidden = [at for at in places if not any(at in each or at + 1 in each for each in kept)]
    assert source.find_removed(b"ab", 99) == hidden
    assert source.find_removed(b"ab", 1) == hidden[:1]


TITLES = (
    'title="2024-05-02"',
    'data-title="20240502"',
    "title='2024'",
    'title="1 of 20 pages"',
    'title="Mon, 3 May 2021"',
    "title='Mon, 3 May 2021'",
    'title="3 May 2021, a day on which nothing happened that anybody would write of"',
    "class=a",
    "=",
    'TITLE="20240502"',
)


@given(
    st.lists(st.builds("<{}{} {}>".format, st.sampled_from(["", "/"]), st.just("p"), st.sampled_from(TITLES)))
)
def test_titles_of_start_tags_that_may_hold_a_date(tags: list[str]) -> None:
    html = "title='2' ".join(tags)
    found = titles_with_dates(read_page(html.encode()), 0, len(tags))
    titles = [html[start:stop] for start, stop in found]
    wanted = ('<p title="2024-05-02"', '<p title="Mon, 3 May 2021"', "<p title='Mon, 3 May 2021'")
    assert titles == [tag[10:-2] for tag in tags if tag.startswith(wanted)]


@given(TEXTS)
def test_a_text_that_may_hold_no_date_holds_none(text: str) -> None:
    html = f"<p>{text}".encode()
    if not texts_with_dates(read_page(html), 0, 1):
        (read,) = plain.texts_after(markup.read(html), 0, 1) or ("",)
        assert DateReader().written(read, SHORT) is None
        assert DateReader().written(read, START) is None


def test_digits_of_all_scripts_are_digits() -> None:
    for digit in filter(str.isdecimal, map(chr, range(sys.maxunicode + 1))):
        page = read_page(f"<p>{digit}.{digit}.{digit * 2}".encode(errors="replace"))
        assert len(texts_with_dates(page, 0, 1)) == 1, digit


def test_few_texts_are_read() -> None:
    html = "<p>Posts: 2047</p><p>12.34</p><p>call 0123456789</p><p>in May 2024</p><p>6 April 2024</p>"
    assert texts_with_dates(read_page(html.encode()), 0, 600) == [(4, 8, "in May 2024", "6 April 2024")]


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize(
    ("tag", "most", "name"),
    [
        ("<meta name=author content=a{}>", MAX_METAS, "metas"),
        ("<link rel=canonical href=/{}>", MAX_METAS, "links"),
        ("<time id={}>", MAX_FINDS, "times"),
        ("<p itemprop=author id={}>", MAX_FINDS, "authored"),
        ("<p itemprop=datePublished id={}>", MAX_FINDS, "published"),
        ("<p itemprop=dateModified id={}>", MAX_FINDS, "modified"),
        ("<a rel=author id={}>", MAX_FINDS, "by_authors"),
        ("<a rel=license id={}>", MAX_FINDS, "to_licences"),
        ("<h1 id={}>", 8, "headings"),
        ("<h2 id={}>", 8, "headings"),
    ],
)
def test_as_many_tags_of_a_kind_are_noted_as_are_promised(tag: str, most: int, name: str, more: int) -> None:
    html = "".join(tag.format(number) for number in range(most + more)).encode()
    found = getattr(Places(Markup(read_page(html))), name)
    assert found == plain.places(markup.read(html))[name]
    assert (len(found["author"]) if name == "metas" else len(found)) == most + min(more, 0)


@given(st.lists(TAGS, max_size=12).map("".join), st.lists(st.integers(0, 11), max_size=6))
def test_asides_are_the_same_however_far_they_were_looked_for(html: str, asked: list[int]) -> None:
    read = Markup(read_page(html.encode()))
    shared = Asides(read.reading, Places(read), 0)
    for tag in (tag for tag in asked if tag < read.tags.count):
        assert shared.hold(tag) == Asides(read.reading, Places(read), 0).hold(tag)


@pytest.mark.parametrize("more", [-1, 0])
def test_after_as_many_asides_as_are_told_apart_all_is_one(more: int) -> None:
    read = Markup(read_page(b"<q class=comment></q>" * (MAX_FINDS + more) + b"<p>x"))
    asides, last = Asides(read.reading, Places(read), 0), 2 * (MAX_FINDS + more)
    assert asides.hold(last) == (more == 0)
    assert asides.hold(last - 2)


@pytest.mark.parametrize("tag", [-1, 1])
def test_tags_that_are_not_there_are_refused(tag: int) -> None:
    page = read_page(b"<p>")
    with pytest.raises(IndexError):
        Places(Markup(page)).attributes(tag)
    with pytest.raises(IndexError):
        element_text(page, tag)
    with pytest.raises(IndexError):
        element_stop(page, tag)
