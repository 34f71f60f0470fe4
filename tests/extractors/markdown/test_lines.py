"""Lines of Markdown: backslashes and marks are where the plain definition has them."""

from __future__ import annotations

from html import escape

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cedar import MarkdownOptions
from cedar.transforms.extractors.markdown._document import write
from cedar.transforms.extractors.markdown._escaping import begun, code_span, described, escaped
from cedar.transforms.extractors.segments._page import SegmentedPage
from tests.oracles import markdown_lines as oracle

PIECES = [
    *"`*_[]()<>#|$\\~-+=!&^:;. 1xX",
    "重",
    "。",
    "é",
    "€",
    "](",
    "]:",
    "---",
    "&amp;",
    "&#35;",
    "[x]",
    "~~~",
    "12)",
]
RULE_SIGNS = " -_=*~"
"""Signs of which a paragraph draws a rule, which Markdown leaves out."""

LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map("".join)
NAMES = {oracle.EM: "em", oracle.STRONG: "b", oracle.STRUCK: "del", oracle.CODE: "code"}
STYLES = tuple(NAMES)


@settings(max_examples=400)
@given(text=LINES, links=st.integers(-1, 8), around=st.integers(0, 127))
@example(text="é_é", links=-1, around=0)
@example(text="<é", links=-1, around=0)
def test_backslashes_stand_where_a_parser_would_read_a_mark(text: str, links: int, around: int) -> None:
    in_bytes = len(text[: max(links, 0)].encode()) if links >= 0 else links
    assert escaped(text, in_bytes, around) == oracle.escaped(text, (0, len(text)), links, around)


@settings(max_examples=400)
@given(st.lists(st.sampled_from([*"-=*_|:#>+~ 1a.)", "1234567890"]), max_size=9).map("".join))
def test_a_line_that_would_begin_something_else_has_a_backslash(text: str) -> None:
    assert begun(text) == oracle.begun(text)


@given(st.text("`a| ", min_size=1, max_size=9))
def test_code_stands_between_more_backticks_than_it_has(text: str) -> None:
    assert code_span(text, False) == oracle.code_span(text)
    assert code_span(text, True) == oracle.code_span(text).replace("|", "\\|")


@given(st.text("[]a", max_size=9))
def test_brackets_of_descriptions_stay_if_taking_pairs_away_leaves_none(text: str) -> None:
    left = text.replace("a", "")
    while "[]" in left:
        left = left.replace("[]", "")
    plain = not left and "][" not in text
    assert described(text) == (text if plain else text.replace("[", "\\[").replace("]", "\\]"))


def html_of(pieces: list[tuple[str, set[int]]]) -> str:
    """Pieces of a paragraph, each in elements of its own."""
    out = ""
    for text, styles in pieces:
        names = [NAMES[style] for style in STYLES if style in styles]
        out += "".join(f"<{name}>" for name in names) + escape(text, quote=False)
        out += "".join(f"</{name}>" for name in reversed(names))
    return f"<p>{out}</p>"


PIECE = st.tuples(LINES, st.sets(st.sampled_from(STYLES), max_size=2))


@settings(max_examples=400)
@given(st.lists(PIECE, min_size=1, max_size=5))
def test_lines_are_marked_and_escaped_as_defined(pieces: list[tuple[str, set[int]]]) -> None:
    # As the text has them: no blank beside another, and none at an edge; elements of their own part names.
    text = ""
    ended = False  # whether an element ended since the last text
    runs: list[oracle.Run] = []
    for piece, styles in pieces:
        begins = ended and styles and oracle.CODE not in styles and piece[:1] == "X"
        if begins and text[-1:] in set("abcdefghijklmnopqrstuvwxyz0123456789.!?"):
            text += " "
        ended = bool(styles) or (ended and not piece)
        start = len(text)
        for character in piece:
            if character != " " or (not text.endswith(" ") and text):
                text += character
        runs += [(start, len(text), style) for style in styles if start < len(text)]
    text = text.rstrip(" ")
    assume(set(text) - set(RULE_SIGNS))
    runs = [(start, min(stop, len(text)), style) for start, stop, style in runs if start < len(text)]
    page = SegmentedPage(html_of(pieces).encode())
    written = write(page, np.ones(page.blocks.count, bool), MarkdownOptions(formulas="drop"), None)
    assert written == oracle.written(text, runs)
