"""Twins of `dom_limits` and `dom_parser`."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.compiled.tree_pages import agree
from transforms.extractors.tree import dom_limits, dom_parser

_RUNS = st.lists(st.tuples(st.sampled_from("<>x"), st.integers(0, 40)), max_size=14).map(
    lambda runs: "".join(letter + "y" * more for letter, more in runs)
)


@settings(max_examples=400)
@given(_RUNS, st.sampled_from([8, 16, 24]), st.sampled_from("<>"))
@example("", 8, "<")
@example("y" * 8, 8, "<")
@example("y" * 7 + "<" + "y" * 8 + "<", 8, "<")
def test_long_stretches_are_those_of_the_definition(page: str, chunk: int, bracket: str) -> None:
    assert agree(dom_limits._long_stretches, page.encode(), ord(bracket), chunk)


@given(st.text("<!a", max_size=12))
@example("")
@example("!")
def test_sections_are_found_as_in_the_definition(xml: str) -> None:
    assert agree(dom_parser._holds_sections, xml.encode())
