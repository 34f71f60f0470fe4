"""Trees as arrays: against a plain walk, and what becomes of hostile pages."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from lxml import etree

from cedar.transforms.extractors.tree._markup import as_xml
from cedar.transforms.extractors.tree._tree import count, joined, solid_chars
from cedar.transforms.extractors.tree.limits import (
    FLAT_DEPTH,
    MAX_ATTRIBUTES,
    MAX_TAGS,
    TreeLimitError,
    cap_attributes,
)
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from tests.extractors.samples import pieces
from tests.extractors.tree_samples import pages
from tests.helpers.shapes import assert_linear
from tests.oracles import trees as plain_tree


def read(page: str, *, keep_hidden: bool = False) -> Tree:
    return read_tree(visible_source(page.encode()), keep_hidden=keep_hidden)


def lines(page: str, *, keep_hidden: bool = False) -> list[str]:
    tree = read(page, keep_hidden=keep_hidden)
    return joined(tree, tree.body_text).decode().splitlines()


def names(tree: Tree) -> list[str]:
    return [tree.name(element) for element in range(tree.size)]


@settings(max_examples=30)
@given(pages)
@example('<p a"<b=1 c=\'>\' d="<" ="x">t<a<b>z</a<b>')
def test_the_arrays_are_the_tree_that_libxml2_made(page):
    root = plain_tree.read(page.encode())
    walked = list(root.subtree())
    tree = read(page)
    index = {node: i for i, node in enumerate(walked)}
    assert names(tree) == [node.name for node in walked]
    assert tree.parents.tolist() == [-1 if node.parent is None else index[node.parent] for node in walked]
    assert tree.ends.tolist() == [index[node] + node.t + 1 for node in walked]
    assert all(tag in (tree.opens[i], tree.closes[i]) for tag, i in enumerate(tree.of_tags))
    direct = np.bincount(tree.inside % (tree.size + 1), tree.chars, tree.size + 1)[:-1]
    assert direct.tolist() == [sum(map(len, node.texts)) for node in walked]
    assert tree.text_sums(tree.chars).tolist() == [node.c for node in walked]


@settings(max_examples=30)
@given(pages)
def test_the_lines_are_the_text_between_block_level_tags(page):
    root = plain_tree.read(page.encode())
    body = next((node for node in root.subtree() if node.name == "body"), root)
    expected = plain_tree.lines(body, set(body.subtree()))
    tree = read(page)
    assert joined(tree, tree.body_text).decode().splitlines() == expected
    assert count(tree, tree.body_text) == len("\n".join(expected))
    solid = solid_chars(tree, tree.body_text)
    assert solid == sum(len("".join(line.split())) for line in expected)


@settings(max_examples=30)
@given(pieces)
def test_any_markup_gives_clean_text_and_a_tree_that_holds_together(page):
    tree = read_tree(visible_source(page.encode(errors="replace")), keep_hidden=False)
    for decoded in joined(tree, tree.body_text).decode().split("\n"):
        assert decoded == " ".join(decoded.split())
        assert not any(c < " " or "\x7f" <= c < "\xa0" for c in decoded)
    assert (tree.parents < np.arange(tree.size)).all()
    assert (tree.opens <= tree.closes).all()
    assert ((tree.ends > np.arange(tree.size)) & (tree.ends <= tree.size)).all()
    assert not tree.size or tree.ends[0] == tree.size


@pytest.mark.parametrize(
    "page", ["", " \n", "<!-- comment -->", "<!doctype html>", "<!-- a --><!-- b", "\0\x01"]
)
def test_a_page_without_elements_or_text_is_an_empty_tree(page):
    tree = read(page)
    assert (tree.size, tree.tags) == (0, 0)
    assert lines(page) == []


def test_what_follows_the_document_belongs_to_the_body():
    assert lines("<body><p>a</p></body></html>tail<p>b</p>") == ["a", "tail", "b"]
    second = "<html><head><title>t</title></head><body><p>two</p></body></html>"
    page = f"<html><body>one</body></html><i>tail</i> {second}"
    assert lines(page) == ["one", "tail", "two"]
    tree = read(page)
    assert names(tree)[:2] == ["html", "body"]
    assert "head" not in names(tree)
    assert (tree.parents[2:] > 0).all()


def test_a_later_body_is_the_body_where_the_first_document_has_none():
    assert lines("<html><head></head></html><body>later</body>") == ["later"]


def test_without_a_body_the_root_counts():
    assert lines("<frameset><frame></frameset><noframes>no</noframes>") == []
    assert lines("<html><head><x-app>all there is</x-app></head></html>") == ["all there is"]


def test_what_browsers_do_not_show_is_left_out_and_noscript_is_kept():
    page = "<div>a<%s>no</%s>b</div>"
    for name in ("script", "style", "title", "iframe", "noframes", "noembed", "xmp", "template"):
        assert lines(page % (name, name)) == ["ab"]
    assert lines("<div>a<!-- no --><?no no?><![CDATA[no]]>b") == ["ab"]
    assert lines(page % ("noscript", "noscript")) == ["a", "no", "b"]
    assert lines("<p title='no'>yes") == ["yes"]


@pytest.mark.parametrize(
    "tag",
    [
        "<p hidden>",
        "<p HIDDEN=hidden>",
        "<p style='display:none'>",
        "<p style='a:b;\tDISPLAY :\n None !important'>",
        '<p title="display:none" style="display:none">',
    ],
)
def test_hidden_elements_go_unless_they_are_wanted(tag):
    page = f"<div>a{tag}b<b>c</b></p>d</div>"
    assert lines(page) == ["ad"]
    assert lines(page, keep_hidden=True) == ["a", "bc", "d"]


@pytest.mark.parametrize(
    "tag",
    [
        "<p style='display:block'>",
        "<p style='display:nonesuch'>",
        "<p style='--display:none'>",
        "<p title='display:none'>",
        "<p data-style='display:none'>",
        "<p hiddenn>",
        "<p title=' hidden=\"\"'>",
    ],
)
def test_elements_that_are_not_hidden_stay(tag):
    assert lines(f"<div>a{tag}b</p>c</div>") == ["a", "b", "c"]


def test_a_page_whose_body_is_hidden_until_a_script_runs_stays():
    assert lines("<html hidden><body style='display:none'>text") == ["text"]


def test_text_that_looks_like_hiding_markup_is_text():
    assert lines('<p> hidden="" style="display:none"<b>x</b>') == ['hidden="" style="display:none"x']


def test_references_blanks_and_control_characters():
    page = "<p>a&amp;amp;&nbsp;&#13;b\x0b\x1ec\x01d\x7f\x85e&#1;&lt;i>&foo;\u2003 f\0g"
    (line,) = lines(page)
    assert line.replace("\ufffd", "") == "a&amp; b cd e<i>&foo; fg"


def test_words_do_not_fuse_at_block_level_tags_nor_break_at_others():
    assert lines("<p>one<br>two<b>th</b>ree <i> four </i> five</p>six<td>seven") == [
        "one",
        "twothree four five",
        "six",
        "seven",
    ]


def test_an_xhtml_doctype_changes_nothing():
    doctype = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
        ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
    )
    page = "<html lang='en'><head></head><body><div></div><br/>x</body></html>"
    assert as_xml(read(doctype + page))[0] == as_xml(read(page))[0]


def test_entities_beyond_those_of_html_are_not_expanded(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("password")
    page = f'<!DOCTYPE html [<!ENTITY a "aaa"><!ENTITY f SYSTEM "file://{secret}">]><p>&a;&f;</p>'
    assert "password" not in " ".join(lines(page))
    assert "aaaaaa" not in " ".join(lines(page))


def test_unclosed_inline_tags_keep_the_text():
    page = "".join(f"<font><b>word{i} " for i in range(1500)) + "<p>end"
    assert lines(page) == [" ".join(f"word{i}" for i in range(1500)), "end"]


@pytest.mark.parametrize("depth", [300, 1900, 2100, 30_000])
@pytest.mark.parametrize(("opening", "closing"), [("<div>", "</div>"), ("<div>", ""), ("<b><div>", "</b>")])
def test_deep_trees_keep_their_text(depth, opening, closing):
    start = time.process_time()
    page = f"before{(opening + 'x ') * depth}inner{closing * depth}after<p>end"
    found = lines(page)
    assert time.process_time() - start < 5
    words = " ".join(found).split()
    assert words[:2] == ["before", "x"]
    assert words.count("x") == depth
    assert "".join(found).endswith("innerafterend")
    assert len(found) > depth


def test_a_tree_that_is_too_deep_keeps_its_structure_where_it_is_not():
    page = f"<ul><li>a</li><li>b</li></ul>{'<div>' * 3000}x{'</div>' * 3000}<ol><li>c</ol>"
    tree = read(page)
    assert [names(tree).count(name) for name in ("ul", "ol", "li", "div")] == [1, 1, 3, FLAT_DEPTH]
    assert tree.parents[names(tree).index("ol")] == 1
    assert lines(page) == ["a", "b", "x", "c"]


def test_flattening_knows_nothing_of_scripts_and_comments():
    page = "<div>" * 3000 + "<script>'</div><p>'</script><!-- <p> -->x" + "</div>" * 3000 + "<p>y"
    assert lines(page) == ["x", "y"]


def test_hundreds_of_thousands_of_elements_keep_their_text():
    start = time.process_time()
    tree = read_tree(visible_source(b"<p>x" * 200_000), keep_hidden=False)
    assert tree.size == 200_002
    assert int(tree.chars.sum()) == 200_000
    assert time.process_time() - start < 4


def test_more_tags_than_the_limit_are_refused():
    with pytest.raises(TreeLimitError):
        read_tree(visible_source(b"<p>" * (MAX_TAGS + 1)), keep_hidden=False)


@pytest.mark.parametrize("value", ["", "='x'", "='>'", "='<'", "=<", '=">" '])
def test_attributes_beyond_the_limit_go_and_nothing_else(value):
    attributes = " ".join(f"a{i}{value}" for i in range(30_000))
    start = time.process_time()
    page = f"<p>before</p><p {attributes}>text</p><p class=c>after"
    assert lines(page) == ["before", "text", "after"]
    assert time.process_time() - start < 2
    (tag,) = (part for part in as_xml(read(page))[0].split(b"<p") if b"a0=" in part)
    assert f"a{MAX_ATTRIBUTES - 1}=".encode() in tag
    assert f"a{MAX_ATTRIBUTES}=".encode() not in tag


def test_pages_without_such_tags_are_not_copied():
    long_script = b"<script>" + b"if (a<b) c = d; " * 1000 + b"</script>"
    long_value = b"<p title='" + b"x = y " * 2000 + b"'>"
    for page in (b"", b"x", b"<p a b c>", long_script, long_value, b"<p>" + b"x y " * 5000):
        assert cap_attributes(page, MAX_ATTRIBUTES) is page


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div><p>text <a href='/x'>link</a></p></div>" * (n // 40),
        lambda n: b"<div>" * (n // 5),
        lambda n: b"<b><div>x</b>" * (n // 12),
        lambda n: b"<" * n,
        lambda n: b"<!--" * (n // 4),
        lambda n: b"&lt;&#13;" * (n // 9),
        lambda n: b"</html>x" * (n // 8),
        lambda n: b"<i hidden>x</i>" * (n // 15),
        lambda n: b"<i style='" + b"display:none;" * (n // 13) + b"'>x",
        lambda n: b"<i title='" + b"display:none;" * (n // 13) + b"'>x",
        lambda n: b"<p " + b" a='" * (n // 4),
        lambda n: b"<p" + b" b" * (n // 2) + b">x",
        lambda n: (b"<p" + b" b" * 4000 + b">x") * (n // 8004),
        lambda n: b" \n" * (n // 2) + b"<p>x",
        lambda n: b"<i style='" + b"display:" * (n // 8) + b"'>x",
        lambda n: b"<template>" * 4 + b"<b>x</b>" * (n // 8) + b"</template>" * 4,
        lambda n: b"<p>" + b"\xc2\xa0\xe2\x80\x83" * (n // 5),
    ],
)
def test_time_grows_with_the_page_not_with_its_square(make):
    def run(page: bytes) -> None:
        tree = read_tree(visible_source(page), keep_hidden=False)
        joined(tree, tree.body_text)

    assert_linear(run, make, 1 << 15)


def test_the_tree_reads_again_as_the_same_tree():
    page = "<div><p>a<b>b</b> c</p><br>d &amp; e</div>"
    tree = read(page)
    xml, _, _ = as_xml(tree)
    assert etree.fromstring(xml).tag == "html"
    assert as_xml(read(xml.decode()))[0] == xml
