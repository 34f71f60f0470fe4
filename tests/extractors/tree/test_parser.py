"""Pages through libxml2: its nodes read where they lie, and by what lxml shows, are one tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from cedar import extract
from cedar.transforms.extractors.html._source import lex
from cedar.transforms.extractors.tree import _parser
from cedar.transforms.extractors.tree import tree as parser
from cedar.transforms.extractors.tree._limits import flattened
from cedar.transforms.extractors.tree._markup import as_xml
from cedar.transforms.extractors.tree._tree import Tree
from cedar.transforms.extractors.tree.limits import MAX_DEPTH, TooDeepError, TreeLimitError
from cedar.transforms.extractors.tree.tree import visible_source
from tests.extractors.tree.markup import markup

DEPTH = MAX_DEPTH

_NAMES = ["<svg>", "<math>", "<xml:a>", "<x:y ", "xmlns=", "xmlns:x='y' ", "xml:lang=", "<style>", "</style>"]
_REST = ["<plaintext>", "<xmp>", "<title>", "<?x", "<!x", "&#x0;", "&#xD;", "&foo;", "\x00", "\x7f", "\ufffe"]
_ODD = st.sampled_from([*"<>/=\"' &;a\n\té", *_NAMES, *_REST])
any_markup = markup | st.lists(_ODD, max_size=40).map("".join)


def root_of(page: str) -> etree._Element | None:
    """A page as the parser gives it; None where it finds nothing or gives up."""
    try:
        return parser.parsed(visible_source(page.encode("utf-8", "replace")).html)
    except TreeLimitError:
        return None


def fields(tree: Tree) -> list[object]:
    """All that a tree holds."""
    found = []
    for name in sorted(name for name in dir(tree) if not name.startswith("_")):
        value = getattr(tree, name)
        if isinstance(value, np.ndarray):
            found.append((name, value.dtype, value.tolist()))
        elif not callable(value):
            found.append((name, value))
    return found


@pytest.mark.slow
@settings(max_examples=400)
@given(any_markup, st.booleans())
@example("<p>&#1;<p title='&#31;' hidden>", False)
@example("<svg:a xmlns:svg='s' xml:lang='x' svg:b='c'>x</svg:a>", False)
@example("<frameset hidden><frame>", False)
@example("<x:y <!x><xmp>", False)
@example("</html>x<html><body hidden><p>y", False)
@example("<iframe><p>x</iframe>y<xmp><b></xmp><p>z<plaintext><b>x", True)
def test_nodes_and_what_lxml_shows_of_them_make_the_same_tree(page: str, keep_hidden: bool) -> None:
    root = root_of(page)
    if root is not None:
        shown = parser.tree_of_elements(root, DEPTH, keep_hidden)
        assert fields(_parser.tree_of_nodes(root, DEPTH, keep_hidden)) == fields(shown)


@pytest.mark.parametrize("depth", [8, 9, 40])
@pytest.mark.parametrize("around", ["%s", "<template>%s</template>", "<p hidden>%s"])
def test_a_tree_that_is_too_deep_is_refused_in_the_same_words_by_both(depth: int, around: str) -> None:
    root = root_of(around % ("<div>" * (depth - 2) + "x<hr>" + "</div>" * (depth - 2)))
    said = []
    for read in (_parser.tree_of_nodes, parser.tree_of_elements):
        try:
            said.append(f"{read(root, 8, False).depths.max()} deep")
        except TooDeepError as refused:
            said.append(str(refused))
    assert said[0] == said[1]
    assert depth == 8 or said[0].endswith("open elements")


@settings(max_examples=200)
@given(any_markup)
def test_a_tree_is_written_as_libxml2_writes_it(page: str) -> None:
    root = root_of(page)
    if root is None:
        return
    unseen = ("script", "style", "title", "iframe", "noframes", "noembed", "xmp", "template")
    if root.tag in unseen:
        return
    tree = parser.tree_of_elements(root, DEPTH, True)
    etree.strip_elements(root, *unseen, with_tail=False)
    root.getroottree().docinfo.clear()
    expected = etree.tostring(root, encoding="utf-8", method="xml", with_tail=False)
    # An element that lost all it held is not empty in the tree: it has two tags.
    plain = as_xml(tree)[0]
    for name in {element.tag.encode() for element in root.iter() if not len(element) and not element.text}:
        plain = plain.replace(b"></" + name + b">", b"/>")
        expected = expected.replace(b"></" + name + b">", b"/>")
    assert plain == expected


def test_nodes_are_read_only_with_the_libxml2_that_was_compiled_for() -> None:
    assert (_parser.COMPILED_VERSION[:2] == etree.LIBXML_VERSION[:2]) == parser.READS_NODES


def test_with_another_libxml2_extractions_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<title>t</title><body><p hidden>no<div><p>Some <b>text</b> &amp; <a href=/>a link</a><br>more"
    before = extract(page, "cectd-ds")
    monkeypatch.setattr(parser, "READS_NODES", False)
    monkeypatch.setattr(_parser, "tree_of_nodes", None)
    after = extract(page, "cectd-ds")
    assert (after.text, after.html, after.blocks, after.metrics) == (
        before.text,
        before.html,
        before.blocks,
        before.metrics,
    )


def test_a_builder_refuses_what_makes_no_tree() -> None:
    builder = parser.TreeBuilder(8, False)
    with pytest.raises(ValueError, match="no element is open"):
        builder.close()
    with pytest.raises(ValueError, match="not a number"):
        parser.TreeBuilder(0, False)


@pytest.mark.parametrize(
    ("page", "flat"),
    [
        (b"<div><section><i>x</section></i>y", b"<div><section>x</section></i>y"),
        (b"<div><section><i>x<p>y</p></i></section>z", b"<div><section>x<br>y<br></section>z"),
        (b"<div><section><i><b>x</i></b>y</section><i>z</i>", b"<div><section>x</b>y</section><i>z</i>"),
    ],
)
def test_elements_that_an_outer_end_tag_closed_have_no_end_tag_any_more(page: bytes, flat: bytes) -> None:
    assert flattened(page, lex(page), 2) == flat
