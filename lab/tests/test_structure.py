"""What structure is read from Markdown, and how two structures are compared."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.scoring.metrics import edit_distance
from lab.structure import AXES, OrderedTree, agreements, structure_of, tree_distance

PAGE = """# Pans

Some *text* and $x_1$.

- a
  1. b

| a | b |
| --- | --- |
| c | |

```python
x = 1
```

> said

## End
"""


def test_structure_is_what_a_parser_sees() -> None:
    found = structure_of(PAGE)
    assert found.heads == [(1, "pans"), (2, "end")]
    assert found.items == [(1, "ul", "a"), (2, "ol", "b")]
    assert found.tables == [(("a", "b"), ("c", ""))]
    assert found.code == [("python", "x = 1")]
    assert found.quotes == ["said"]
    assert found.math == ["x_1"]


def test_a_structure_agrees_with_itself_on_every_axis() -> None:
    found = agreements(structure_of(PAGE), structure_of(PAGE))
    assert found == dict.fromkeys(AXES, 1.0)


def test_an_axis_without_gold_is_not_measured() -> None:
    found = agreements(structure_of("plain"), structure_of(PAGE))
    assert {axis for axis, value in found.items() if value is not None} == {"text"}


@pytest.mark.parametrize(
    ("axis", "other", "value"),
    [
        ("head", PAGE.replace("## End", "End"), 2 / 3),
        ("level", PAGE.replace("## End", "# End"), 0.0),
        ("item", PAGE.replace("1. b", "- b"), 0.5),
        ("table", PAGE.replace("| c |", "| d |"), 0.5),
        ("teds", PAGE.replace("| c |", "| d |"), 1 - 1 / 7),
        ("code", PAGE.replace("x = 1", "x = 2"), 0.8),
        ("lang", PAGE.replace("```python", "```"), 0.0),
        ("quote", PAGE.replace("> said", "said"), 0.0),
        ("math", PAGE.replace("$x_1$", "`$x_1$`"), 0.0),
    ],
)
def test_each_axis_falls_with_what_it_measures(axis: str, other: str, value: float) -> None:
    assert agreements(structure_of(PAGE), structure_of(other))[axis] == pytest.approx(value)


WORDS = st.text("abc", max_size=12)


@settings(max_examples=100)
@given(WORDS, WORDS)
def test_edits_are_those_of_the_plain_table(one: str, other: str) -> None:
    row = list(range(len(one) + 1))
    for number, character in enumerate(other, 1):
        last = row
        row = [number]
        for (place, mine), (before, after) in zip(enumerate(one), pairwise(last), strict=True):
            row.append(min(before + (mine != character), after + 1, row[place] + 1))
    assert edit_distance(one, other) == row[-1]


TREES = st.recursive(
    st.builds(OrderedTree, st.sampled_from("ab"), WORDS),
    lambda inner: st.builds(
        OrderedTree, st.sampled_from("ab"), WORDS, st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


@settings(max_examples=60)
@given(TREES, TREES)
def test_distance_of_trees_is_a_metric_of_changes(one: OrderedTree, other: OrderedTree) -> None:
    assert tree_distance(one, one) == 0
    assert tree_distance(one, other) == pytest.approx(tree_distance(other, one))
    assert abs(one.size - other.size) <= tree_distance(one, other) <= one.size + other.size


def test_distance_of_trees_counts_what_is_put_in_and_changed() -> None:
    row = OrderedTree("tr", "", (OrderedTree("td", "abcd"), OrderedTree("td", "b")))
    assert tree_distance(OrderedTree("table", "", (row,)), OrderedTree("table", "", (row, row))) == 3
    other = OrderedTree("tr", "", (OrderedTree("td", "abcx"), OrderedTree("td", "b")))
    assert tree_distance(OrderedTree("table", "", (row,)), OrderedTree("table", "", (other,))) == 0.25
