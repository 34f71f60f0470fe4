from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.compiled.tree_pages import agree, markup, root_of, same, xml_of
from transforms.extractors.html.tag_names import key
from transforms.extractors.tree import dom, dom_parser
from transforms.extractors.tree.dom_limits import TooDeepError
from transforms.model.caps import DEFAULT_CAPS

_NAMES = ["<svg>", "<math>", "<xml:a>", "<x:y ", "xmlns=", "xmlns:x='y' ", "xml:lang=", "<style>", "</style>"]
_REST = ["<plaintext>", "<xmp>", "<title>", "<?x", "<!x", "&#x0;", "&#xD;", "&foo;", "\x00", "\x7f", "\ufffe"]
_ODD = st.sampled_from([*"<>/=\"' &;a\n\té", *_NAMES, *_REST])


@settings(max_examples=400)
@given(markup, st.booleans())
@example("", True)
@example("<p hidden>all", False)
@example("<x:y <!x><xmp>", False)
@example("<frameset hidden><frame>", False)
@example("<p title=' style='>display:none\"", False)
def test_the_arrays_of_a_tree_are_those_of_the_definition(page: str, keep_hidden: bool) -> None:
    xml = xml_of(page)
    assert xml is None or agree(dom.seen_arrays, xml, DEFAULT_CAPS.max_depth, keep_hidden)


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"<p/>",
        b"<script/>",
        b'<p hidden=""/>',
        b'<a><b/><script>x</script>tail<b hidden=""><b hidden=""/>x</b><c/></a>',
        b"<a><noframes/><noframesets/><title/></a>",
        b'<a<b c<d="&lt;">x</a<b>',
        b'<a x="y=" style=""/>',
        b'<a x="y style=">display:none"</a>',
        b'<a style="display:none">x</a>',
        b'<b><a style="display&#13;:&#10;none">x</a><a style="display&#1;:none">x</a></b>',
        b'<b><a style="display&#9;&#10:none">x</a><a style="display:&#">x</a></b>',
        b'<html hidden=""><body style="display:none"/></html>',
    ],
)
@pytest.mark.parametrize("keep_hidden", [False, True])
def test_trees_of_few_elements_are_those_of_the_definition(xml: bytes, keep_hidden: bool) -> None:
    assert agree(dom.seen_arrays, xml, DEFAULT_CAPS.max_depth, keep_hidden)


@settings(max_examples=600)
@given(markup | st.lists(_ODD, max_size=40).map("".join), st.booleans())
@example("", True)
@example("<p>a&amp;&lt;&gt;&#13;&quot;\"\t\n<i title='&amp;&lt;&gt;&#13;&#10;&#9;&quot;'>", True)
@example("<p>&#1;<p title='&#31;' hidden>", False)
@example("<svg:a xmlns:svg='s' xml:lang='x' svg:b='c'>x</svg:a>", False)
@example("<frameset hidden><frame>", False)
@example("<p title=' style='>display:none\"", False)
@example("<p>" + "word &amp; " * 20_000 + "<i title='" + "&quot;" * 30_000 + "'>", False)
@example("</html>x<html><body hidden><p>y", False)
def test_the_nodes_of_a_page_are_read_as_libxml2_writes_them(page: str, keep_hidden: bool) -> None:
    root = root_of(page)
    if root is not None:
        found = dom_parser._element_arrays(root, DEFAULT_CAPS.max_depth, keep_hidden)
        expected = dom.seen_arrays(dom_parser.written(root), DEFAULT_CAPS.max_depth, keep_hidden)
        assert found is None or same(found, expected)


@pytest.mark.parametrize(
    "page", ["<p>x", "<title>t</title><p hidden>x<br>", "<a><b c='d'>x</b></a>", "<iframe></iframe>"]
)
def test_common_pages_are_read_from_their_nodes(page: str) -> None:
    assert dom_parser._element_arrays(root_of(page), DEFAULT_CAPS.max_depth, False) is not None


@pytest.mark.parametrize(
    "page", ["<iframe><p>x</iframe>y", "<xmp><b></xmp><p>z", "<plaintext><b>x", "<noframes>&amp;</noframes>"]
)
def test_what_is_not_markup_to_the_parser_is_left_to_libxml2(page: str) -> None:
    arrays = dom_parser.tree_arrays(page.encode(), DEFAULT_CAPS, False)
    xml = dom_parser.written(root_of(page))
    assert same(arrays, dom.seen_arrays(xml, DEFAULT_CAPS.max_depth, False))


@pytest.mark.parametrize("depth", [9, 40])
@pytest.mark.parametrize("around", ["%s", "<template>%s</template>", "<p hidden>%s"])
def test_a_page_whose_nodes_are_too_deep_is_refused_in_the_same_words(depth: int, around: str) -> None:
    root = root_of(around % ("<div>" * depth + "x<hr>" + "</div>" * depth))
    said = []
    for function in (
        dom_parser._element_arrays,
        lambda *rest: dom.seen_arrays(dom_parser.written(rest[0]), *rest[1:]),
    ):
        with pytest.raises(TooDeepError) as refused:
            function(root, 8, False)
        said.append(str(refused.value))
    assert said[0] == said[1]


@given(st.binary(max_size=60) | st.text('<>/=" apstylehidn&#19;:', max_size=80).map(str.encode))
@settings(max_examples=300)
def test_bytes_that_are_no_tree_do_no_harm(data: bytes) -> None:
    arrays = dom.seen_arrays(data, 8, False)
    assert all(np.all(array <= len(data)) for array in arrays[1:3])


def _nested(depth: int) -> bytes:
    return b"<a>" * depth + b"x" + b"<b/>" + b"</a>" * depth


@pytest.mark.parametrize("depth", [1, 8, 9])
def test_a_tree_may_be_as_deep_as_the_cap(depth: int) -> None:
    assert agree(dom.seen_arrays, _nested(depth), depth, False)


@pytest.mark.parametrize("depth", [9, 40])
def test_a_deeper_tree_is_refused_in_the_same_words(depth: int) -> None:
    said = []
    for function in (dom.seen_arrays, dom.seen_arrays.__wrapped__):
        with pytest.raises(TooDeepError) as refused:
            function(_nested(depth), 8, False)
        said.append(str(refused.value))
    assert said == [f"{depth} open elements"] * 2


def test_depth_counts_within_what_goes() -> None:
    for function in (dom.seen_arrays, dom.seen_arrays.__wrapped__):
        with pytest.raises(TooDeepError):
            function(b"<script>" + _nested(9) + b"</script>", 8, False)


@given(st.text("\t\n\r \x0b\x0c\x00\x01\x1c\x1f\x7fab\x85", max_size=40))
def test_control_characters_are_found(page: str) -> None:
    assert agree(dom._has_controls, page.encode())


@given(markup)
def test_sums_names_and_subtrees_are_those_of_the_definition(page: str) -> None:
    xml = xml_of(page)
    if xml is None:
        return
    tree = dom.tree_of(dom.seen_arrays(xml, DEFAULT_CAPS.max_depth, True))
    numbers = np.random.default_rng(len(page))
    marks = numbers.random(tree.size) < 0.3
    values = numbers.integers(0, 9, tree.starts.size)
    assert agree(dom._text_sums, values, tree.opens, tree.closes)
    assert agree(dom._named, tree.names.keys, tree.opens, (key("a"), key("p"), key("template")))
    assert agree(dom.covered, marks, tree.ends)
    for written in (b' href="', b' class="', b" ", b'"'):
        assert agree(dom._with_attribute, xml, tree.starts, tree.stops, tree.opens, marks, written)
