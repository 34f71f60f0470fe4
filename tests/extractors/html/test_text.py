"""Texts are rendered and counted as Python's own functions do it."""

from __future__ import annotations

import re
from html.entities import html5

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.html import _text
from cedar.transforms.extractors.html._source import lex
from cedar.transforms.extractors.html._text import Text
from cedar.transforms.extractors.lines._lines import read_lines
from tests.oracles import text as oracle
from tests.oracles.line_methods import rendered as plainly_rendered

NAMES = sorted(html5)
PIECES = [
    *"aZ7&#xX;é漢𝒜\0\x01\x1b\x7f\x80\x84\x9f ",
    *re.findall(
        "[^|]+",
        "  |\0\0|&#|&#x|&amp|&amp;|&lt;|&notit;|&not|&nGt;|&ThickSpace;|&nbsp;|&nbsp|&#160;|&#xA0|&#32;|&#032"
        "|&Tab;|&NewLine;|&emsp;|&zwj;|&shy;|&#0;|&#1;|&#9|&#10;|&#13;|&#30;|&#127;|&#128;|&#129;|&#133;|&#x85"
        "|&#159;|&#xD800;|&#57343|&#xFDD0;|&#xFFFE;|&#x1F600;|&#x10FFFF;|&#x110000;|&#99999999999|amp|nbsp;|lt"
        "|&CounterClockwiseContourIntegral;|&" + "a" * 31 + "|&" + "b" * 33 + ";|160|00",
    ),
]
BLANKS = ["\t", "\n", "\r", "\x1c", "\x1e", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u202f", "\u3000"]
LIKE_TEXT = st.lists(
    st.one_of(st.sampled_from(PIECES), st.sampled_from(NAMES).map("&".__add__), st.text(max_size=3)),
    max_size=30,
).map("".join)
SETTINGS = settings(derandomize=True, max_examples=200, deadline=None)
TAGS = ["<b>", "</b>", "<p>", "<br/>", "<td x=1>"]


def text_of(page: str) -> Text:
    """The text of a page with its tags."""
    html = page.encode(errors="replace")
    return read_lines(html, lex(html), keep_blank=False).text


@pytest.mark.slow
@given(st.lists(LIKE_TEXT | st.sampled_from([*TAGS, *BLANKS, "\n"]), max_size=12).map("".join), st.data())
@SETTINGS
def test_pages_are_rendered_and_counted_as_python_does_it(page: str, data: st.DataObject) -> None:
    text = text_of(page)
    coded = text.coded.tobytes()
    may_end = [i for i, byte in enumerate(coded) if byte <= 0x20]
    stops = data.draw(st.lists(st.sampled_from(may_end), unique=True, max_size=8).map(sorted))
    kept = data.draw(st.lists(st.booleans(), min_size=len(stops), max_size=len(stops)))
    ends = np.array(stops, np.int64)
    starts = np.array([0, *(stop + 1 for stop in stops)], np.int64)[: len(stops)]
    assert text.line_texts(ends) == oracle.line_texts(coded, stops)
    content, words, points = text.kept_text(np.stack((starts, ends), 1), np.array(kept, bool))
    assert points == sum(len(line) + 1 for line in oracle.line_texts(coded, stops) if line)
    assert content == oracle.kept_text(coded, stops, kept)
    assert words == len(content.split())


@pytest.mark.slow
@given(st.lists(LIKE_TEXT | st.sampled_from([*TAGS, *BLANKS]), max_size=12).map("".join))
@SETTINGS
def test_a_text_is_the_page_with_a_byte_for_each_tag_and_spaces_for_blanks(page: str) -> None:
    html = page.encode(errors="replace")
    tags = lex(html)
    text = read_lines(html, tags, keep_blank=False).text
    pieces, after, block_level = [], 0, tags.block_level.tolist()
    for start, stop, parts in zip(tags.starts.tolist(), tags.stops.tolist(), block_level, strict=True):
        pieces += [oracle.blanks_as_spaces(html[after:start]), b" " if parts else b"\0"]
        after = stop
    assert text.coded.tobytes() == b"".join([*pieces, oracle.blanks_as_spaces(html[after:]), b" "])
    outside = np.setdiff1d(np.arange(text.coded.size - 1), text.placeholders)
    places = text.page_offsets(outside)
    in_tags = {i for a, b in zip(tags.starts.tolist(), tags.stops.tolist(), strict=True) for i in range(a, b)}
    assert places.tolist() == [i for i in range(len(html)) if i not in in_tags]
    edges = np.arange(text.coded.size)
    points = text.lengths(np.zeros_like(edges), edges)
    inner = np.zeros(edges.size, np.int64)
    inner[outside] = [byte & 0xC0 == 0x80 for byte in np.frombuffer(html, np.uint8)[places].tolist()]
    assert points.tolist() == (edges - np.concatenate(([0], np.cumsum(inner)[:-1]))).tolist()


@given(st.lists(st.sampled_from(["a", "é", "word", "12345678"]), max_size=200), st.sampled_from(" \n"))
def test_words_are_counted_as_python_does_it(words: list[str], between: str) -> None:
    assert _text.count_words(between.join(words).encode()) == len(words)


@pytest.mark.slow
@given(st.lists(st.one_of(LIKE_TEXT, st.sampled_from(BLANKS)), max_size=4).map("".join))
@SETTINGS
def test_one_line_is_rendered_as_python_does_it(line: str) -> None:
    written = line.encode("utf-8", "replace")
    assert _text.rendered(written) == plainly_rendered(written.decode())


@pytest.mark.parametrize("after", ["", ";", "x", ";;", "\0;", " ", "&"])
def test_each_name_of_a_character_is_decoded_as_python_does_it(after: str) -> None:
    for name in NAMES:
        for written in (f"&{name}{after}", f"&{name.rstrip(';')}{after}", f"&{name[:-2]}{after}"):
            line = f"a {written} b"
            assert _text.rendered(line.encode()) == plainly_rendered(line), written


def test_each_kind_of_number_is_decoded_as_python_does_it() -> None:
    numbers = [*range(0x400), *range(0x1650, 0x1690), *range(0x1FF0, 0x2070), *range(0x2FF0, 0x3010)]
    numbers += [edge + near for edge in (0xD800, 0xE000, 0xFDD0, 0xFDF0) for near in (-1, 0, 1)]
    numbers += [(plane << 16) + near for plane in range(1, 19) for near in (-3, -2, -1, 0, 1)]
    numbers += [10**8, 10**9, 2**31, 2**32, 2**32 + 65, 2**64, 2**64 + 65]
    for number in numbers:
        for written in (f"&#{number}", f"&#x{number:x}", f"&#000{number};", f"&#X0{number:X};"):
            line = f"a {written} b{written}c"
            assert _text.rendered(line.encode()) == plainly_rendered(line), written
    assert _text.rendered(b"a &#1" + b"0" * 4000 + b"; b") == "a \ufffd b"


@pytest.mark.parametrize(
    "piece",
    [
        "&",
        "&#",
        "&#x",
        "&amp",
        "&amp;",
        "&#0;",
        "&nGt;",
        "&nLt;",
        "&#1;",
        "\0",
        "&\0",
        "\0a",
        "&a\0;",
        "&foo;",
        " &#32",
    ],
)
def test_repeated_pieces_are_rendered_and_counted_as_python_does_it(piece: str) -> None:
    for times in (1, 63, 64, 65, 191, 192, 193, 1000):
        page = piece * times + " "
        text = text_of(page)
        stop = text.coded.size - 1
        expected = plainly_rendered(page)
        lines = np.array([[0, stop]])
        taken = len(expected) + bool(expected)
        assert text.kept_text(lines, np.ones(1, bool)) == (
            expected,
            len(expected.split()),
            taken,
        )
        assert text.kept_text(lines, np.zeros(1, bool)) == ("", 0, taken)
        assert text.range_text(0, stop) == expected


def test_a_line_outside_of_the_text_is_refused() -> None:
    text, one = text_of("text"), np.ones(1, bool)
    for stop in (6, 2**40):
        with pytest.raises(IndexError):
            text.kept_text(np.array([[0, stop]]), one)
        with pytest.raises(IndexError):
            text.line_texts(np.array([stop]))
