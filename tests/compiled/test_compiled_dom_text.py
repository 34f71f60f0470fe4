from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings

from tests.compiled.tree_pages import agree, markup, xml_of
from transforms.extractors.tree import dom, dom_text
from transforms.model.caps import DEFAULT_CAPS


def _agrees(xml: bytes) -> bool:
    tree = dom.tree_of(dom.seen_arrays(xml, DEFAULT_CAPS.max_depth, True))
    return agree(dom_text._text_arrays, tree.xml, tree.starts, tree.stops, tree.names.block_level)


@settings(max_examples=400)
@given(markup)
@example("")
@example("&#1;&#1; x")
def test_the_text_of_a_tree_is_that_of_the_definition(page: str) -> None:
    xml = xml_of(page)
    assert xml is None or _agrees(xml)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "&amp;&lt;&gt;",
            "&#13;&#10; &#9;x",
            "x&#x20;&#32;y",
            "&#xFFFD;&#xe9;",
            "&#8195;a&#133;b",
            "&quot;&apos;",
        ),
        *(
            "a&#133;b&#159;c",
            "\u0085\u0085a\u0080b",
            "\u00a0",
            " \u3000 \u1680",
            "\u2009\u200a\u200b",
        ),
        *(
            "\x1e\x1f a",
            "\x7f",
            "é",
            "\u2027\u2028\u2029\u202a",
            "\u3001\u1681\u2060",
            "a\u00bf\u00c0",
        ),
    ],
)
def test_blanks_controls_and_references_are_read_as_in_the_definition(text: str) -> None:
    assert _agrees(f"<p>{text}<b>{text}</b>{text} <i/> {text}</p>".encode())


def test_a_reference_without_an_end_does_no_harm() -> None:
    tree = dom.tree_of(dom.seen_arrays(b"<p>a&am<b/>p;</p>&", DEFAULT_CAPS.max_depth, True))
    text = dom_text.tree_text(tree)
    assert text.coded.tobytes().translate(None, b"\x00\x1e") == b"a&amp;&"


@settings(max_examples=200)
@given(markup)
@example("<font>a <b>b</b> c")
@example("")
def test_words_lines_and_counts_are_those_of_the_definition(page: str) -> None:
    xml = xml_of(page)
    if xml is None:
        return
    text = dom_text.tree_text(dom.tree_of(dom.seen_arrays(xml, DEFAULT_CAPS.max_depth, True)))
    numbers = np.random.default_rng(len(page))
    assert agree(dom_text._words, text.coded, text.marks)
    for share in (0.0, 0.5, 0.9, 1.0):
        kept = numbers.random(text.chars.size) < share
        assert agree(dom_text._joined, text.coded, text.marks, text.chars, text.blocks, kept)
        assert agree(dom_text._count, text.chars, text.before, text.after, text.blocks, kept)
        assert agree(dom_text._solid_chars, text.coded, text.marks, kept)


def test_text_before_the_first_block_level_tag_is_joined_as_in_the_definition() -> None:
    for xml in (b"<i> ab <b>c</b> d<p>e</p> f</i>", b"<i>a</i>", b"<i> </i>", b"<i/>"):
        text = dom_text.tree_text(dom.tree_of(dom.seen_arrays(xml, 8, True)))
        kept = np.ones(text.chars.size, bool)
        assert agree(dom_text._joined, text.coded, text.marks, text.chars, text.blocks, kept)
