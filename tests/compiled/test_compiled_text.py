"""The compiled rendering and counting of text do what the numpy functions do."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.extractors.html import characters, text

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
SETTINGS = settings(derandomize=True, max_examples=400, deadline=None)


def twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """The numpy function of a compiled one."""
    return getattr(function, "__wrapped__", function)


@st.composite
def pages(draw: st.DrawFn) -> tuple[Any, ...]:
    """A page's text, placeholders, and lines with their marks."""
    written = draw(LIKE_TEXT.map(lambda page: page.encode("utf-8", "replace")))
    coded = np.append(characters.blanks_as_spaces(np.frombuffer(written, np.uint8)), np.uint8(0x20))
    may_end = [i for i in range(coded.size) if coded[i] <= 0x20]
    tags = np.array([i for i in may_end if coded[i] == 0 and draw(st.integers(0, 5))], np.int64)
    ends = st.lists(st.sampled_from(may_end), unique=True, max_size=8).map(sorted)
    stops = np.array([*draw(ends)], np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), stops + 1))[: stops.size]
    for row in range(stops.size):
        while starts[row] < stops[row] and coded[starts[row]] == 0x20:
            starts[row] += 1
    kept = np.array(draw(st.lists(st.booleans(), min_size=stops.size, max_size=stops.size)), bool)
    return coded, tags, starts, stops, kept


def check(coded: Any, tags: Any, starts: Any, stops: Any, kept: Any) -> None:
    assert text.line_texts(coded, stops) == twin(text.line_texts)(coded, stops)
    found = text.kept_text(coded, starts, stops, kept)
    assert found == twin(text.kept_text)(coded, starts, stops, kept)
    assert found[1] == len(found[0].split())
    visible = text.visible_code_points(coded, tags, starts, stops)
    assert visible == twin(text.visible_code_points)(coded, tags, starts, stops)
    assert visible == len(text.rendered(bytes(cut(coded, stops[stops > starts]))))


def cut(coded: Any, stops: Any) -> Any:
    """The text with a space where lines end."""
    coded = coded.copy()
    coded[stops] = 0x20
    return coded


@given(pages())
@SETTINGS
def test_pages_are_rendered_and_counted_alike(page: tuple[Any, ...]) -> None:
    check(*page)


@given(st.lists(st.one_of(LIKE_TEXT, st.sampled_from(BLANKS)), max_size=4).map("".join))
@SETTINGS
def test_one_line_is_rendered_alike(line: str) -> None:
    written = line.encode("utf-8", "replace")
    assert text.rendered(written) == twin(text.rendered)(written)


@pytest.mark.parametrize("behind", ["", ";", "x", ";;", "\0;", " ", "&"])
def test_each_name_of_a_character_is_decoded_alike(behind: str) -> None:
    for name in NAMES:
        for written in (f"&{name}{behind}", f"&{name.rstrip(';')}{behind}", f"&{name[:-2]}{behind}"):
            line = f"a {written} b".encode()
            assert text.rendered(line) == twin(text.rendered)(line), written


def test_each_kind_of_number_is_decoded_alike() -> None:
    numbers = [*range(0x400), *range(0x1650, 0x1690), *range(0x1FF0, 0x2070), *range(0x2FF0, 0x3010)]
    numbers += [edge + near for edge in (0xD800, 0xE000, 0xFDD0, 0xFDF0) for near in (-1, 0, 1)]
    numbers += [(plane << 16) + near for plane in range(1, 19) for near in (-3, -2, -1, 0, 1)]
    numbers += [10**8, 10**9, 2**31, 2**32, 2**32 + 65, 2**64, 2**64 + 65, 10**4000]
    for number in numbers:
        for written in (f"&#{number}", f"&#x{number:x}", f"&#000{number};", f"&#X0{number:X};"):
            line = f"a {written} b{written}c".encode()
            assert text.rendered(line) == twin(text.rendered)(line), written


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
        "&#1;",
        "\0",
        "&\0",
        "\0a",
        "&a\0;",
        "&foo;",
        " &#32",
    ],
)
def test_repeated_pieces_are_rendered_and_counted_alike(piece: str) -> None:
    for times in (1, 63, 64, 65, 191, 192, 193, 1000):
        coded = np.frombuffer((piece * times + " ").encode(), np.uint8)
        stops = np.array([coded.size - 1])
        check(coded, np.flatnonzero(coded == 0), np.zeros(1, np.int64), stops, np.ones(1, bool))


def test_a_line_outside_of_the_text_is_refused() -> None:
    coded, none, one = np.frombuffer(b"text ", np.uint8), np.zeros(0, np.int64), np.ones(1, bool)
    for stop in (-1, 5, 2**40):
        with pytest.raises(IndexError):
            text.visible_code_points(coded, none, np.array([-9]), np.array([stop - 5 * (stop < 0)]))
    for stop in (6, 2**40):
        with pytest.raises(IndexError):
            text.kept_text(coded, np.zeros(1, np.int64), np.array([stop]), one)
        with pytest.raises(IndexError):
            text.line_texts(coded, np.array([stop]))
