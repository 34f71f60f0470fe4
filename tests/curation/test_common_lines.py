"""Common lines go from a text and its Markdown, which goes where the rest would be read otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar.transforms.curation.common_lines import long_lines, markdown_without_lines, without_lines
from cedar.transforms.curation.duplicates import LINE_BITS, common_places, line_records
from tests.curation.test_duplicates import ANY_FOLDER
from tests.oracles import duplicates as oracle

NOTICE = "All rights reserved by the makers."


def test_long_lines_are_those_of_twenty_characters_once_each() -> None:
    assert long_lines(f"short\n {NOTICE} \n{'x' * 19}\n{'ü' * 20}\n{NOTICE}") == [NOTICE, "ü" * 20]


def test_every_occurrence_of_a_line_goes_and_no_blank_end_stays() -> None:
    assert without_lines(f"one\n\n{NOTICE}\ntwo\n {NOTICE}", {NOTICE}) == ("one\n\ntwo", 2)


@pytest.mark.parametrize(
    ("markdown", "left"),
    [
        (f"# Head\n\n{NOTICE}\n\nText\n", "# Head\n\nText\n"),
        ("All **rights** reserved by [the makers](https://a.example/x).\n\nText\n", "Text\n"),
        (f"Text\n\n## {NOTICE}\n", "Text\n"),
        (f"- one\n- {NOTICE}\n- two\n", "- one\n- two\n"),
        (f"> {NOTICE}\n\nText\n\n```\n{NOTICE}\n```\n", "Text\n\n```\n```\n"),
        (f"Text ![{NOTICE}](a.png)\n\n{NOTICE}\n", f"Text ![{NOTICE}](a.png)\n"),
        (f"```\ndef f():\n{NOTICE}\n    pass\n```\n", "```\ndef f():\n    pass\n```\n"),
        (f"- {NOTICE}\n  - below\n", None),
        (f"1. one\n2. {NOTICE}\n\n   more\n", None),
        (f"Text\\\n{NOTICE}\n", None),
        (f"| {NOTICE} |\n| --- |\n| cell |\n", None),
        ("Text\n", None),
    ],
)
def test_a_line_goes_from_markdown_by_what_is_seen_of_it(markdown: str, left: str | None) -> None:
    assert markdown_without_lines(markdown, {NOTICE}) == left


@ANY_FOLDER
@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6), max_size=30),
    st.integers(2, 5),
    st.sampled_from([1, 1 << 20]),
)
def test_places_are_those_of_lines_that_enough_pages_have(
    tmp_path: Path, lines: list[list[str]], min_pages: int, memory: int
) -> None:
    scopes = ["odd" if number % 2 else "even" for number in range(len(lines))]
    blocks = [
        line_records([of], [scope], page) for page, (of, scope) in enumerate(zip(lines, scopes, strict=True))
    ]
    found = [
        tuple(row)
        for some in common_places(blocks, min_pages, memory, folder=tmp_path)
        for row in some.tolist()
    ]
    expected = []
    for places in oracle.common_lines(lines, scopes, min_pages):
        (first, *others) = [page << LINE_BITS | number for page, number in places]
        expected += [(first, len(places)), *((place, 0) for place in others)]
    assert sorted(found) == sorted(expected)


def test_a_key_of_many_records_goes_over_the_ends_of_runs(tmp_path: Path) -> None:
    lines = [["a line that all pages have", f"a line of page {n}"] for n in range(3000)]
    found = common_places([line_records(lines, [""] * 3000, 0)], 3000, 1, folder=tmp_path)
    rows = [tuple(row) for some in found for row in some.tolist()]
    assert sorted(rows) == [(page << LINE_BITS, 0 if page else 3000) for page in range(3000)]
