"""Voting over texts."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.decode.charset import decode_text
from cedar.transforms.extractors.lines import document
from cedar.transforms.extractors.options import NoOptions
from cedar.transforms.extractors.tokens import bte, tokens
from cedar.transforms.extractors.tree import combine
from cedar.transforms.extractors.tree._markup import as_xml
from cedar.transforms.extractors.tree.combine import (
    CombineOptions,
    ballots,
    solid_before,
    solid_chars,
)
from cedar.transforms.extractors.tree.limits import TreeLimitError
from cedar.transforms.extractors.tree.tree import Tree, read_tree, visible_source
from tests.extractors.samples import PAGE_W, pieces
from tests.extractors.tree_samples import ARTICLE, PAGE_W2, WHOLE_BODY, pages
from tests.helpers.shapes import assert_linear

MEMBERS = (
    "cetr",
    "cetr-tm",
    "cetr-km",
    "bte",
    "cetd-ds",
    "cectd-ds",
    "cectd-s",
    "coreex",
    "coreex-modern",
    "lqf",
)


def read(page: str) -> Tree:
    return read_tree(visible_source(page.encode(errors="replace")), keep_hidden=False)


def test_worked_pages():
    # Of four members two keep all of the first page, cectd-ds one of them.
    assert extract(PAGE_W, "combine").text == WHOLE_BODY
    assert extract(PAGE_W, "combine", members="bte,cectd-s,coreex").text == ARTICLE
    assert extract(PAGE_W2, "combine").text == ARTICLE
    assert extract(PAGE_W2, "combine").metrics.threshold == 2.0


@pytest.mark.parametrize("member", MEMBERS)
@pytest.mark.parametrize("page", [PAGE_W, PAGE_W2])
def test_a_single_member_has_its_way_with_the_tree(member, page):
    alone = extract(page, "combine", members=member, votes=1)
    options = {"variant": "modern"} if member == "coreex-modern" else {}
    xml, _, _ = as_xml(read(page))
    if member == "bte":
        expected = bte.bte(xml, NoOptions())
    else:
        expected = extract(xml, member.removesuffix("-modern"), **options)
    assert alone.text.split() == expected.text.split()


def test_ballots_are_counted_and_a_tie_goes_with_cectd_ds(monkeypatch):
    tree = read("<p>a</p><p>b</p><p>c</p><p>d</p>")
    stands = np.flatnonzero(tree.chars > 0)
    votes = {"cetr": "ab", "bte": "ac", "cectd-ds": "ad", "coreex": "cd", "lqf": "bc"}

    def kept(*members: str, needed: int = 2) -> str:
        decision = combine.combine.decide(tree, CombineOptions(members=members, votes=needed))
        return "".join(letter for letter, tag in zip("abcd", stands, strict=True) if decision.kept_text[tag])

    def fixed(member: str) -> np.ndarray:
        marks = np.zeros(tree.tags, bool)
        marks[stands[["abcd".index(letter) for letter in votes[member]]]] = True
        return marks

    monkeypatch.setattr(combine, "ballots", lambda _, members: {member: fixed(member) for member in members})
    assert kept("cetr", "bte", "cectd-ds", "coreex") == "ad"  # c and d have two votes of four
    assert kept("cetr", "bte", "cectd-ds") == "a"
    assert kept("cetr", "bte", "coreex", "lqf") == "abc"
    assert kept("cetr", "bte", "coreex", "lqf", needed=3) == "c"
    assert kept("cetr", "cectd-ds") == "ad"
    assert kept("cetr", "bte", "cectd-ds", "coreex", "lqf") == "abcd"


def test_scores_are_votes():
    blocks = extract(PAGE_W2, "combine").blocks
    assert {block.score for block in blocks} <= {0.0, 1.0, 2.0, 3.0, 4.0}
    assert all(block.kept == (block.score >= 2) for block in blocks)


@pytest.mark.parametrize("letters", ["a", "漢", "é", "😀"])
def test_ranges_of_line_methods_fall_on_the_texts_they_kept(letters):
    links = "<li><a href='/'>x</a></li>\n" * 20
    words = f"{letters * 9} " * 20
    page = f"<body><ul>\n{links}</ul>\n<p>{words}</p>\n<p>{words * 2}</p>\n<ol>\n{links}</ol>"
    tree = read(page)
    for member in ("cetr-tm", "bte"):
        marks = ballots(tree, [member])[member] & (tree.chars > 0)
        assert set(tree.chars[marks].tolist()) >= {199, 399}
        assert np.count_nonzero(marks) < 20


@settings(max_examples=100)
@given(st.text("ab é漢\n", max_size=40), st.data())
def test_characters_in_ranges_are_counted_one_by_one(page, data):
    xml = page.encode()
    cuts = st.lists(st.integers(0, len(xml)), max_size=12).map(
        lambda found: sorted(found)[: len(found) // 2 * 2]
    )
    texts, ranges = (np.array(data.draw(cuts), np.int64).reshape(-1, 2).T.copy() for _ in range(2))
    inside = {at for start, stop in ranges.T for at in range(start, stop)}
    expected = [
        sum(at in inside and xml[at] > 0x20 and xml[at] & 0xC0 != 0x80 for at in range(start, stop))
        for start, stop in texts.T
    ]
    assert solid_chars(solid_before(xml), tuple(texts), tuple(ranges)).tolist() == expected


@pytest.mark.parametrize("name", ["cetr", "cetr-tm", "cetr-km", "bte", "ttr-t", "ccb"])
@settings(max_examples=25)
@given(page=pages | pieces)
def test_kept_ranges_are_those_of_the_kept_blocks_in_bytes(name, page):
    found = extract(page, name)
    source = decode_text(page.encode("utf-8", "replace"), header_label=None, truncated=False).utf8.decode()
    starts, stops = found.kept_ranges
    kept = [(block.start, block.stop) for block in found.blocks if block.kept]
    assert [
        (len(source.encode()[:start].decode()), len(source.encode()[:stop].decode()))
        for start, stop in zip(starts, stops, strict=True)
    ] == kept


def test_the_work_of_combine_makes_no_block(monkeypatch):
    # A page of a million lines has as many blocks: only where they are is asked for.
    monkeypatch.setattr(document, "Block", None)
    monkeypatch.setattr(tokens, "Block", None)
    assert "a line" in extract("<p>a line\n" * 30, "combine").text


@pytest.mark.parametrize("page", ["", " ", "<!-- c -->", "<p></p>", "<a></a>", "<frameset><frame>"])
def test_pages_without_text(page):
    found = extract(page, "combine")
    assert (found.text, found.blocks) == ("", ())


@settings(max_examples=25)
@given(pages | pieces, st.lists(st.sampled_from(MEMBERS), min_size=1, unique=True), st.integers(1, 4))
def test_what_holds_of_every_result(page, members, votes):
    found = extract(page, "combine", members=members, votes=votes)
    assert found.text == "\n".join(block.text for block in found.blocks if block.kept)
    assert found.metrics.lines == len(found.blocks)
    assert 0.0 <= found.metrics.content_ratio <= 1.0


@pytest.mark.parametrize(
    "make",
    [
        lambda n: b"<div><p>Some text with a <a href='/x'>link</a>.</p></div>\n" * (n // 57),
        lambda n: b"<div>x\n" * (n // 7),
        lambda n: b"<p>\xe2\x80\x83x" * (n // 7),
    ],
)
def test_time_grows_with_the_page_not_with_its_square(make):
    def extracted(page: bytes) -> None:
        with contextlib.suppress(TreeLimitError):
            extract(page, "combine")

    assert_linear(extracted, make, 1 << 15)
