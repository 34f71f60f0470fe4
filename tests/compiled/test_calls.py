"""What a caller gives a compiled function is refused or answered: no argument ends the process."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

from cedar.transforms.curation import _duplicates, _signatures
from cedar.transforms.extractors.cedar._votes import vote
from cedar.transforms.extractors.cedar.columns import VOTES
from cedar.transforms.extractors.html._attributes import attributes
from cedar.transforms.extractors.html._elements import Lookup
from cedar.transforms.extractors.html._source import lex
from cedar.transforms.extractors.html.reading import read_page
from cedar.transforms.extractors.lines._lines import Lines, read_lines
from cedar.transforms.extractors.lines._source_lines import break_line
from cedar.transforms.extractors.markdown._roles import roles
from cedar.transforms.extractors.segments._markup import Markup
from cedar.transforms.extractors.segments._page import SegmentedPage, TitleMatch
from cedar.transforms.extractors.tokens._tokens import tag_lengths
from cedar.transforms.extractors.tree._tree import TreeBuilder
from cedar.transforms.metadata._places import Places
from cedar.transforms.metadata._texts import element_text, texts_with_dates
from tests.compiled import calls

ROUNDS = 12


def edges(*pairs: tuple[int, int]) -> np.ndarray:
    return np.array(pairs, np.uint64).reshape(len(pairs), 2)


def parents(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.uint32)


def lines_of(page: bytes) -> Lines:
    return read_lines(page, lex(page), keep_blank=True)


@pytest.mark.slow
def test_no_call_ends_the_process() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.compiled.calls", "1", str(ROUNDS)], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr[-2000:]


def test_functions_are_found_with_the_types_of_their_arguments() -> None:
    found = {
        str(function): function for name in calls.compiled_modules() for function in calls.functions(name)
    }
    assert len(found) > 150
    assert found["break_line"].plain == [
        ("const unsigned char[::1]", "html"),
        ("Lines", "lines"),
        ("tuple", "single"),
    ]
    assert found["break_line"].keyword == {"width": "Py_ssize_t", "before_text": "bint"}


@pytest.mark.parametrize("number", [0, 1, 3])
def test_sums_that_are_not_of_the_blocks_of_a_page_are_refused(number: int) -> None:
    page = SegmentedPage(b"<div class=notes><p>one</div>")
    assert not any(roles(page, np.arange(2)))
    with pytest.raises(ValueError, match=f"2 sums are wanted, {number} are given"):
        roles(page, np.arange(number))


@pytest.mark.parametrize(("bands", "rows"), [(65536, 65536), (113, 1), (1, 113), (0, 1), (1, 0), (-1, -1)])
def test_bands_that_signatures_have_no_lanes_for_are_refused(bands: int, rows: int) -> None:
    with pytest.raises(ValueError, match="bands of"):
        _signatures.keys_of(np.zeros((3, 112), np.uint32), bands, rows)
    assert _signatures.keys_of(np.zeros((3, 112), np.uint32), 112, 1).shape == (3, 112)


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        (parents(0, 1), np.zeros((1, 3), np.uint64)),
        (parents(0, 1), np.zeros((1, 1), np.uint64)),
        (parents(0, 1), edges((0, 2))),
        (parents(0, 9), edges((0, 1))),
        (parents(1, 0), edges((0, 1))),
        (parents(0, 2, 1), edges((2, 0))),
    ],
)
def test_edges_and_parents_that_are_of_no_page_are_refused(given: np.ndarray, pairs: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"words|page"):
        _duplicates.unite(given, pairs)


@pytest.mark.parametrize("given", [parents(9), parents(1, 0), parents(0, 0, 3)])
def test_parents_after_their_pages_are_not_settled(given: np.ndarray) -> None:
    with pytest.raises(ValueError, match="after it"):
        _duplicates.settle(given, np.zeros(len(given), np.uint8))


def test_records_of_no_words_are_neither_sorted_nor_spread() -> None:
    none = np.zeros((4, 0), np.uint64)
    with pytest.raises(ValueError, match="0 words"):
        _duplicates.sort(none, none.copy())
    with pytest.raises(ValueError, match="0 words"):
        _duplicates.spread(none, 2)
    for bits, width in ((25, 64), (-1, 64), (2, 0), (2, 65)):
        with pytest.raises(ValueError, match="bits"):
            _duplicates.spread(np.zeros((4, 2), np.uint64), bits, width)


@pytest.mark.parametrize("offset", [10**9, 2**62, -1, 6])
def test_an_offset_outside_of_a_text_is_refused(offset: int) -> None:
    text = lines_of(b"a&b;c").text
    assert len(text.coded) == 6
    if offset == 6:
        assert text.after_reference(6) == 6
        return
    with pytest.raises(IndexError):
        text.after_reference(offset)


def test_ranges_outside_of_a_text_are_not_counted() -> None:
    text = lines_of("né漢".encode()).text
    for start, stop in ((-1, 2), (0, 99), (3, 2**62)):
        with pytest.raises(IndexError):
            text.lengths(np.array([start]), np.array([stop]))
    assert text.lengths(np.array([0, 5]), np.array([3, 1])).tolist() == [2, -4]


@pytest.mark.parametrize("single", [(1, 0, 5), (-1, 0, 5), (0, 5, 0), (0, 0, 10**9), (0, -1, 5)])
def test_a_line_that_is_not_there_is_not_broken(single: tuple[int, int, int]) -> None:
    page = b"words and words"
    with pytest.raises(IndexError):
        break_line(page, lines_of(page), single, width=2, before_text=True)


def test_a_line_of_another_page_is_not_broken() -> None:
    with pytest.raises(IndexError):
        break_line(b"x" * 200, lines_of(b"a"), (0, 0, 200), width=2, before_text=True)


def test_a_table_of_equal_keys_is_refused() -> None:
    for keys in ({0: 1}, {1.5: 1, 1.2: 2}):
        with pytest.raises(ValueError, match="equal, or 0"):
            Lookup(keys)


def test_a_tree_is_made_whole_where_a_tag_of_it_was_refused() -> None:
    builder = TreeBuilder(5, False)
    with pytest.raises(TypeError):
        builder.open(b"p", [(b"class", "text")], False)
    with pytest.raises(ValueError, match="no element"):
        builder.close()
    builder.open(b"p", [(b"class", b"a")], False)
    builder.close()
    with pytest.raises(ValueError, match="no element"):
        builder.close()
    tree = builder.finish()
    assert (tree.size, tree.tags, tree.attributes(0)) == (1, 2, {"class": "a"})


def test_scores_tags_and_headlines_of_another_page_are_refused() -> None:
    short, long = (
        SegmentedPage(b"<title>a</title><h1>a</h1>"),
        SegmentedPage(b"<title>a</title><h1>a</h1><p>b<p>c"),
    )
    with pytest.raises(ValueError, match="another page"):
        TitleMatch(long.markup, long.blocks, short.elements)
    with pytest.raises(ValueError, match="another page"):
        tag_lengths(b"<p>", lex(b"<p><b>"))
    with pytest.raises(ValueError, match="scores"):
        vote(short, np.zeros(9, np.int64), np.zeros((len(VOTES), 9), np.float32))


@pytest.mark.parametrize(
    ("start", "stop"), [(0, -(2**63)), (2**63 - 1, 2**63 - 1), (-1, 9), (3, 3), (20, 30)]
)
def test_a_tag_that_is_not_in_the_page_has_no_attributes(start: int, stop: int) -> None:
    assert attributes(b"<p class=a>", start, stop) == {}
    assert attributes(b"<p class=a>", 0, 2**63 - 1) == {b"class": b"a"}


def test_tags_of_another_page_are_not_looked_at_for_metadata() -> None:
    page = read_page(b"<p>6 May 2024<b>by A. Writer</b>")
    page = dataclasses.replace(page, source=read_page(b"<p>").source)
    for call in (
        lambda page: Places(Markup(page)),
        lambda page: element_text(page, 0),
        lambda page: texts_with_dates(page, 0, 9),
    ):
        with pytest.raises(ValueError, match="another page"):
            call(page)
