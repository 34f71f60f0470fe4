"""The text of trees, against what it is in plain words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cedar.transforms.extractors.tree._tree import block_counts, count, joined, solid_chars, words
from cedar.transforms.extractors.tree.limits import TreeLimitError
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from tests.extractors.tree.markup import markup
from tests.oracles import tree_text as plain


def read(page: str) -> Tree | None:
    try:
        return read_tree(visible_source(page.encode("utf-8", "replace")), keep_hidden=True)
    except TreeLimitError:
        return None


trees = markup.map(read).filter(lambda tree: tree is not None)


def fields_are_plain(tree: Tree) -> bool:
    texts = list(map(plain.shrunk, plain.texts(tree)))
    return (
        tree.chars.tolist() == [len(text.strip(" ")) for text in texts]
        and tree.blocks.tolist() == plain.blocks(tree)
        and words(tree).tolist() == list(map(plain.words, plain.texts(tree)))
    )


@settings(max_examples=200)
@given(trees)
def test_characters_blocks_and_words_of_each_tag(tree: Tree) -> None:
    assert fields_are_plain(tree)


@pytest.mark.parametrize(
    "text",
    [
        *("&amp;&lt;&gt;", "&#13;&#10; &#9;x", "x&#x20;&#32;y", "&#xFFFD;&#xe9;", "&#8195;a&#133;b"),
        *("&quot;&apos;", "a\x85b\x9fc", "\x85\x85a\x80b", "\xa0", " \u3000 \u1680", "\u2009\u200a\u200b"),
        *("&#1;&#1; x", "&#11;x&#12;y&#28;", "&#31;", "\x7f", "a \x7f b", "é", "\u2027\u2028\u2029\u202a"),
        *("\u3001\u1681\u2060", "a\xbf\xc0", "&nLt;", "&nGt;" * 30, "😀"),
    ],
)
def test_blanks_controls_and_references_in_text(text: str) -> None:
    tree = read(f"<p>{text}<b>{text}</b>{text} <i></i> {text}</p>")
    assert tree is not None
    assert fields_are_plain(tree)
    everything = np.ones(tree.tags, bool)
    assert joined(tree, everything).decode().split("\n") == (list(plain.lines(tree, everything)) or [""])


@settings(max_examples=200)
@given(trees, st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 0.9, 1.0]))
@example(read("<font>a <b>b</b> c"), 1, 0.5)
def test_lines_and_counts_of_part_of_the_text(tree: Tree, seed: int, share: float) -> None:
    kept = np.random.default_rng(seed).random(tree.tags) < share
    expected = list(plain.lines(tree, kept))
    assert joined(tree, kept).decode() == "\n".join(expected)
    texts = plain.texts(tree)
    assert solid_chars(tree, kept) == sum(map(plain.solid, np.array(texts, object)[kept]))
    first, last = tree.body_tags
    some = [
        (block, bool(stays))
        for block, stays, chars in zip(tree.blocks, kept, tree.chars, strict=True)
        if chars
    ]
    some = some[np.count_nonzero(tree.chars[:first]) : np.count_nonzero(tree.chars[:last])]
    assert block_counts(tree, kept) == tuple(
        len({block for block, stays in some if stays == wanted}) for wanted in (True, False)
    )
    # A block goes, or stays, as a whole.
    whole = np.random.default_rng(seed).random(tree.tags + 1)[tree.blocks] < share
    assert count(tree, whole) == len("\n".join(plain.lines(tree, whole)))


def test_flags_of_another_tree_are_refused() -> None:
    tree = read("<p>x")
    assert tree is not None
    for function in (joined, count, solid_chars, block_counts):
        with pytest.raises(ValueError, match=f"1 flags for {tree.tags} elements or tags"):
            function(tree, np.ones(1, bool))
