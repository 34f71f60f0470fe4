"""Shreds of markup are read as the plain reading reads them, in time that grows with the page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.html._source import lex, remove_invisible
from cedar.transforms.extractors.html._tags import QUOTE_LIMIT, key
from cedar.transforms.extractors.html.title import title
from cedar.transforms.extractors.lines.document import Decision, LineExtraction, LineOptions, read_document
from tests.extractors.samples import PAGE_W, STORMS, paragraphs, pieces, single_lines
from tests.helpers.shapes import assert_linear, repeated
from tests.oracles import line_methods as plain
from tests.oracles import markup

SETTINGS = settings(derandomize=True, max_examples=250, deadline=None)
SHREDS = [
    *("<", ">", '"', "'", "=", " ", "\n", "\r", "\r\n", "\t", "\x0b", "\x0c", "\x1c", "\x1f", "/"),
    *("<textarea>", "</textarea>", '"z', "<img alt='", 'b="<script>', "<script/>", "<style/>"),
    *(
        "!",
        "?",
        "--",
        "-->",
        "--!>",
        "<!--",
        "<!---->b",
        "<a ",
        "<b",
        "</",
        "<p>",
        "</p>",
        "<br/>",
        "</a >",
        "<A\n>",
    ),
    *("<s", "<st", "<sc", "<script", "<SCRIPT", "<style>", "</script", "</STYLE>", "</style", ' b="', " c='"),
    *(' d = "', '=\n"', "x", "text", "\x00", "\x01", "\x7f", "é", "\xa0", "\x85", "\u3000", "\u2003", "😀"),
    *("<title>", "</title>", "<é"),
]
PAGES = (
    st.lists(st.sampled_from(SHREDS), max_size=50).map("".join)
    | pieces.map(lambda page: page.encode(errors="replace").decode())
    | single_lines
)


def check(page: str) -> None:
    """Holds removal, tags, names, lines and what is kept of them to the plain reading."""
    html = page.encode()
    source = remove_invisible(html)
    visible, tags = source.html, source.tags
    assert visible.decode() == "".join(page[i] for i in plain.visible(page))
    found = [visible[a:b].decode() for a, b in zip(tags.starts.tolist(), tags.stops.tolist(), strict=True)]
    assert found == [visible.decode()[slice(*tag)] for tag in plain.visible_tags(page)]
    assert tags.block_level.tolist() == [plain.is_block_level(tag) for tag in found]
    assert tags.ends.tolist() == [tag.startswith("</") for tag in found]
    read = markup.read(html)
    assert tags.keys.tolist() == [tag.key for tag in read.tags]
    assert title(visible, tags) == read.title
    for keep_blank in ("drop", "keep"):
        for line_break in ("before_text", "after_tag"):
            document = read_document(html, LineOptions(blank_lines=keep_blank, line_break=line_break))
            expected = plain.lines(page, keep_blank=keep_blank == "keep", line_break=line_break)
            assert document.lines.table[:, 2].tolist() == [line.x for line in expected]
            assert document.lines.table[:, 3].tolist() == [line.y for line in expected]
            assert document.ratios.tolist() == [line.ratio for line in expected]
            assert document.telling == (tags.count > 0 and len({line.ratio for line in expected}) > 1)
    kept = np.arange(len(expected)) % 3 != 1
    result = LineExtraction.of(document, Decision(kept, document.ratios, None))
    assert result.text == plain.kept_text(expected, kept.tolist())
    visible = len(plain.kept_text(expected, [True] * len(expected)))
    assert result.metrics.content_ratio == (len(result.text) / visible if visible else 0.0)


@pytest.mark.slow
@given(PAGES)
@example("")
@example("<")
@example("\n")
@example("\r\n")
@example("<a\r\n\r\n\u3000\r>")
@example("a<!---->b<p>c<!-- x -->d")
@example("a<!---!>b<p>c<!-- x --!>d")
@example("<title><b <script a='>'>c</title></script>")
@example("<!----><title>t</titles>u</title >v<!-- x -->w")
@SETTINGS
def test_shreds_of_pages(page: str) -> None:
    check(page)


@given(st.binary(max_size=300))
@SETTINGS
def test_tags_of_any_bytes_are_in_order_and_apart(html: bytes) -> None:
    source = remove_invisible(html)
    visible, tags = source.html, source.tags
    edges = np.stack((tags.starts, tags.stops), axis=1).ravel().tolist()
    assert edges == sorted(edges)
    assert all(visible[start] == 0x3C for start in tags.starts.tolist())
    for stop, place in zip(
        tags.stops.tolist(), source.original_offsets(tags.stops - 1).tolist(), strict=True
    ):
        assert visible[stop - 1] == 0x3E or plain.part(html.decode("latin-1"), place + 1)


@given(paragraphs.map("\n".join), st.sampled_from(["\n", "\r\n", "\r", ""]))
@settings(max_examples=20, deadline=None)
def test_pages_as_people_write_them(page: str, line_end: str) -> None:
    check((PAGE_W + page).replace("\n", line_end))


@pytest.mark.parametrize("length", range(QUOTE_LIMIT - 2, QUOTE_LIMIT + 3))
@pytest.mark.parametrize("quote", "\"'")
@pytest.mark.parametrize("inside", ["", ">", "<b>"])
def test_values_about_as_long_as_they_may_be(length: int, quote: str, inside: str) -> None:
    value = inside + (length - len(inside)) * "v"
    page = f"<p>before<a b={quote}{value}{quote}>after</p>"
    found = lex(page.encode())
    tags = list(zip(found.starts.tolist(), found.stops.tolist(), strict=True))
    assert tags == plain.tags(page)


@pytest.mark.parametrize("size", [62, 63, 64, 65, 66, 67, 127, 128, 129, 200])
@pytest.mark.parametrize("opening", ["<!-- x -->", "<script>1</script>", "<STYLE >p</style\n>", "<strong>"])
def test_removal_at_the_edges_of_what_is_compared_at_once(size: int, opening: str) -> None:
    for filling in ("x", "<b", "é"):
        page = filling * size + opening + filling * 70
        assert remove_invisible(page.encode()).html.decode() == "".join(page[i] for i in plain.visible(page))


@pytest.mark.parametrize("size", range(1, 18))
def test_runs_of_text_of_any_length(size: int) -> None:
    for filling in ("x", " ", "\t", "\x1f", "\x7f", "é", "\u3000", "😀"):
        for end in ("", "<b>", "\n", "</a>\r\n"):
            check("<a>" + filling * size + end)
            check(filling * size + end + "<a>\n" + filling * size)


def test_every_blank_ends_and_trims_lines_as_python_does() -> None:
    for code in range(0x3100):
        if chr(code).isspace() or code % 97 == 0:
            check(f"a{chr(code)}\n{chr(code)}<b {chr(code)}\n{chr(code)}\n>{chr(code)}")


@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS.keys())
def test_storms(storm: Callable[[int], str]) -> None:
    for size in (1, 2, 7, 40):
        check(storm(size).encode(errors="replace").decode())


GROWING = [
    *('<a b="', "<a x='", "<a b=\"'>", '<a b=">" ', "<a b='>", '<a b=">', "<a b = ' >", "=\"'>", "<a\n>"),
    *("<a =", "<!--", "<!-->", "<script>", "<script/>", "</script ", '<script b=">', "<style ", "<s", "<st"),
    *(
        '<a b="<script/>',
        "<a b='\">' ",
        "<a b='<script>'z ",
        "<a b='<!--' ",
        "<title><script/>",
        "<textarea><!-- ",
    ),
    *("<title></title><script/>", '<a b="<style>"z>', "<a b=\"'>' <script/>", "<title><script/></title>"),
    *("<title>", "\n", "\r", "\r\n", "\u3000\n", "<b \n\n>", " ", "<b> ", "é", "\u3000", "<a>x", "<br>"),
    *(">", "'>", '">', "<", "&", "&am", "&nbsp;", "&#1"),
]


@pytest.mark.parametrize("shape", GROWING)
@pytest.mark.parametrize("end", ["", "<a b='<script>'z>"])
def test_time_grows_with_the_page(shape: str, end: str) -> None:
    def read(page: bytes) -> None:
        document = read_document(page, LineOptions())
        LineExtraction.of(document, Decision(np.ones(document.ratios.size, bool), document.ratios, None))

    assert_linear(read, repeated(shape, before="", after=end), 100_000)


def test_names_of_elements_are_found_from_a_tag_on() -> None:
    tags = lex(b"<p></p><B><p x></P >")
    assert (tags.first("p"), tags.first("P", start=1), tags.first("p", end=True)) == (0, 3, 1)
    assert (tags.first("p", end=True, start=2), tags.first("i"), tags.first("p", start=9)) == (4, -1, -1)
    assert tags.keys.tolist()[2] == key("b")
