"""Attributes are read as an expression reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import attributes as plain
from transforms.extractors.html._attributes import attributes

PIECES = (
    "class",
    "ID",
    "a",
    "=",
    "==",
    '"',
    "'",
    " ",
    "\n",
    "/",
    ">",
    "é",
    "x y",
    "&amp;",
    "\v",
    "long-name",
)


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_attributes_are_those_of_the_expression(inner: str) -> None:
    tag = f"<p{inner}>".encode()
    assert attributes(b"xx" + tag + b" class=y>", 2, 2 + len(tag)) == plain.attributes(tag)


@pytest.mark.parametrize(
    ("tag", "found"),
    [
        (b"<a>", {}),
        (b"<a b C=d e = 'f g'/>", {b"b": b"", b"c": b"d", b"e": b"f g"}),
        (b'<a b="1" B="2">', {b"b": b"1"}),
        (b"<a/b=c/d>", {b"b": b"c/d"}),
        (b"<a =b>", {b"=b": b""}),
        (b'<a b="c d>', {b"b": b"c d"}),
    ],
)
def test_attributes_as_html_reads_them(tag: bytes, found: dict[bytes, bytes]) -> None:
    assert attributes(tag, 0, len(tag)) == found


def test_a_tag_that_is_not_there_has_none() -> None:
    assert attributes(b"<a b>", -1, 0) == {}
