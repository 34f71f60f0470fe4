"""Attributes are read as an expression reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cedar import extract
from cedar.transforms.extractors.html._attributes import attributes
from tests.oracles import attributes as plain
from tests.oracles.hidden import hides

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


STYLES = ("display", "DISPLAY", ":", " ", ";", "none", "None", "block", "!important", "-", "x", "\t")


@pytest.mark.parametrize("name", ["p", "BODY", "html"])
@pytest.mark.parametrize(
    ("attribute", "hidden"),
    [
        ("hidden", True),
        ("HIDDEN=''", True),
        ("style='display:none'", True),
        ("style='Display:None'", True),
        ("STYLE='a:b; display : none !important'", True),
        ("style='display:none;display:block'", False),
        ("style='display:none' style='display:block'", True),
        ("style='display:none-x'", False),
        ("style='--display:none'", False),
        ("style='visibility:hidden'", False),
        ("data-x='display:none'", False),
        ("data-hidden", False),
        ("aria-hidden=true", False),
        ("title='x hidden'", False),
    ],
)
def test_what_hides_an_element(name: str, attribute: str, hidden: bool) -> None:
    tag = f"<{name} {attribute}>".encode()
    assert _is_hidden(tag) == (hidden and name == "p")
    assert hides(name.lower(), _attributes(tag)) == (hidden and name == "p")


@given(st.lists(st.sampled_from(STYLES), max_size=12).map("".join))
def test_styles_hide_as_plain_loops_say(style: str) -> None:
    tag = f"<p style='{style}'>".encode()
    assert _is_hidden(tag) == hides("p", _attributes(tag))


def _is_hidden(tag: bytes) -> bool:
    return "within" not in extract(tag.decode() + "within<div>beyond", extractor="lp").text


def _attributes(tag: bytes) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in plain.attributes(tag).items()}
