"""The compiled reading of a page, from its bytes to its lines, does what the numpy functions do."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.extractors.samples import PAGE_W, STORMS, paragraphs, pieces, single_lines
from transforms.extractors.html import characters, source, tag_names, tags
from transforms.extractors.lines import lines, reflow
from transforms.extractors.lines.document import LineOptions, read_document

MANY = settings(derandomize=True, max_examples=400, deadline=None)
SHREDS = [
    *(
        b"<",
        b">",
        b'"',
        b"'",
        b"=",
        b" ",
        b"\n",
        b"\r",
        b"\r\n",
        b"\t",
        b"\x0b",
        b"\x0c",
        b"\x1c",
        b"\x1f",
        b"/",
    ),
    *(b"!", b"?", b"--", b"-->", b"--!>", b"<!--", b"<a ", b"<b", b"</", b"<p>", b"</p>", b"<br/>", b"</a >"),
    *(
        b"<A\n>",
        b"<s",
        b"<st",
        b"<sc",
        b"<script",
        b"<SCRIPT",
        b"<style>",
        b"</script",
        b"</STYLE>",
        b"</style",
    ),
    *(
        b' b="',
        b" c='",
        b' d = "',
        b'=\n"',
        b"x",
        b"text",
        b"\x00",
        b"\x01",
        b"\x7f",
        b"\x80",
        b"\xc2",
        b"\xa0",
    ),
    *(b"\xe2\x80", b"\xe3", b"\xff", b"\xc3\xa9", b"\xc2\xa0", b"\xc2\x85", b"\xe3\x80\x80", b"\xe2\x80\x83"),
    *(b"\xf0\x9f\x98\x80", b"<title>", b"<\xc3\xa9"),
]
SHREDDED = st.lists(st.sampled_from(SHREDS), max_size=60).map(b"".join)
ANY_BYTES = SHREDDED | st.binary(max_size=300) | pieces.map(lambda page: page.encode(errors="replace"))
PAGES = ANY_BYTES.map(lambda data: data.decode(errors="replace").encode()) | single_lines.map(str.encode)
LIMIT = tags.QUOTE_LIMIT


def twin(function: Callable[..., Any]) -> Callable[..., Any]:
    """The numpy function of a compiled one."""
    return getattr(function, "__wrapped__", function)


def same(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns, which is what its twin returns, in value and in type."""
    found, expected = function(*arguments), twin(function)(*arguments)
    assert type(found) is type(expected)
    columns = (found, expected) if isinstance(found, tuple) else ((found,), (expected,))
    for column, own in zip(*columns, strict=True):
        assert type(column) is type(own)
        if isinstance(own, np.ndarray):
            assert column.dtype == own.dtype
            assert column.tolist() == own.tolist()
        else:
            assert column == own
    return found


def check_markup(html: bytes) -> tuple[tags.Tags, tag_names.TagNames]:
    """Removal, tags and names: of any bytes."""
    for removal in (source.HTML, source.AUTHOR_CODE):
        same(source._kept_ranges, html, removal.elements, removal.to_end, tags.TagScanner(html))
    found = tags.Tags(*same(tags._lex, html))
    names = tag_names.TagNames(*same(tag_names._names, html, found.starts))
    constants = (tag_names._BLOCK_LEVEL, tag_names._MULTIPLIER, tag_names._SHIFT)
    same(tag_names._hashed_in, names.keys, *constants)
    for name in ("a", "b", "title", "no-such"):
        same(tag_names._first_start, names.keys, names.ends, tag_names.key(name))
    return found, names


def check_page(html: bytes) -> None:
    """Text and lines as well: of valid UTF-8."""
    found, names = check_markup(html)
    same(characters.count, html)
    same(characters.blanks_as_spaces, np.frombuffer(html, np.uint8))
    for keep_blank in (False, True):
        columns = same(
            lines._read_lines,
            html,
            found.starts,
            found.stops,
            names.keys,
            names.ends,
            names.block_level,
            keep_blank,
        )
        same(lines.differ, same(lines.ratios, *columns[-2:]))
        single = same(reflow._single_line, html, columns[4], keep_blank, reflow.SINGLE_LINE_SHARE)
    if single:
        _, start, stop = single
        here = slice(found.stops.searchsorted(start, "right"), found.starts.searchsorted(stop))
        for before_text in (False, True):
            for width in (1, 7, reflow.WIDTH):
                on_line = (found.starts[here], found.stops[here])
                same(reflow._break_offsets, html, *on_line, start, stop, width, before_text)


@given(ANY_BYTES)
@example(b"")
@example(b"<")
@MANY
def test_the_markup_of_any_bytes(html: bytes) -> None:
    check_markup(html)


@given(PAGES)
@example(b"")
@example(b"<")
@example(b"\n")
@example(b"\r\n")
@example(b"<a\r\n\r\n\xe3\x80\x80\r>")
@MANY
def test_the_text_and_the_lines_of_any_utf8(html: bytes) -> None:
    check_page(html)


@given(paragraphs.map("\n".join), st.sampled_from(["\n", "\r\n", "\r", ""]))
def test_pages_as_people_write_them(page: str, line_end: str) -> None:
    check_page((PAGE_W + page).replace("\n", line_end).encode())


@given(
    PAGES, PAGES, st.integers(LIMIT - 3, LIMIT + 3), st.sampled_from("\"'"), st.sampled_from(["", ">", "<b>"])
)
def test_values_about_as_long_as_they_may_be(
    before: bytes, behind: bytes, length: int, quote: str, inside: str
) -> None:
    value = inside + (length - len(inside)) * "v"
    check_page(before + f"<a b={quote}{value}{quote}>".encode() + behind)


@pytest.mark.parametrize("size", [62, 63, 64, 65, 66, 67, 127, 128, 129, 200])
@pytest.mark.parametrize("opening", ["<!-- x -->", "<script>1</script>", "<STYLE >p</style\n>", "<strong>"])
def test_removal_at_the_edges_of_what_is_compared_at_once(size: int, opening: str) -> None:
    for filling in ("x", "<b", "é"):
        check_page((filling * size + opening + filling * 70).encode())


@pytest.mark.parametrize("size", range(1, 20))
def test_runs_of_text_of_any_length(size: int) -> None:
    for filling in ("x", " ", "\t", "\x1f", "\x7f", "é", "\u3000", "😀"):
        for end in ("", "<b>", "\n", "</a>\r\n"):
            check_page(("<a>" + filling * size + end).encode())
            check_page((filling * size + end + "<a>\n" + filling * size).encode())


def test_every_byte_and_every_blank_is_read_alike() -> None:
    everything = bytes(range(256))
    for behind in everything:
        check_markup(b"<" + bytes([behind]) + b" x></" + bytes([behind]) + b">" + everything)
    for code in range(0x3100):
        if chr(code).isspace() or code % 61 == 0:
            check_page(f"a{chr(code)}\n{chr(code)}<b {chr(code)}\n{chr(code)}\n>{chr(code)}".encode())


@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS.keys())
def test_storms(storm: Callable[[int], str]) -> None:
    for size in (1, 2, 7, 64, 500):
        check_page(storm(size).encode(errors="replace"))


GROWING = [
    *('<a b="', "<a x='", "<a b=\"'>", '<a b=">" ', "<a b='>", '<a b=">', "<a b = ' >", "=\"'>", "<a\n>"),
    *("<a =", "<!--", "<!-->", "<script>", "<script/>", "</script ", '<script b=">', "<style ", "<s", "<st"),
    *("<title>", "\n", "\r", "\r\n", "\u3000\n", "<b \n\n>", " ", "<b> ", "é", "\u3000", "<a>x", "<br>"),
    *(">", "'>", '">', "<"),
]


@pytest.mark.parametrize("shape", GROWING)
def test_time_grows_with_the_page(shape: str) -> None:
    def seconds(size: int) -> float:
        page = (shape * (size // len(shape.encode()))).encode()
        begin = process_time()
        for as_author in (False, True):
            read_document(page, LineOptions(), as_author=as_author)
        return process_time() - begin

    assert any(seconds(400_000) < 5 * seconds(100_000) + 0.02 for _ in range(3))


def test_tags_that_are_not_of_the_page_are_refused() -> None:
    html = b"<a>x<b>"
    found = tags.lex(html)
    names = tag_names.tag_names(html, found)
    with pytest.raises((ValueError, IndexError)):
        tag_names.tag_names(html, tags.Tags(found.starts + 9, found.stops + 9))
    if hasattr(lines._read_lines, "__wrapped__"):
        for moved in (tags.Tags(found.starts - 1, found.stops), tags.Tags(found.starts, found.stops + 1)):
            with pytest.raises(ValueError, match="overlap"):
                lines.read_lines(html, moved, names, keep_blank=False)
