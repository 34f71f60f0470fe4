"""What a page's head declares: its encoding and its language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode import _prescan
from cedar.transforms.decode.prescan import HEAD_BYTES, declared_charset, declared_language
from tests.helpers.shapes import assert_linear
from tests.oracles import prescan as oracle


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<meta charset=utf-8>", "utf-8"),
        (b"<META CHARSET='Windows-1251'>", "Windows-1251"),
        (b'<meta name=x charset = "koi8-r" />', "koi8-r"),
        (b"<meta/charset=big5>", "big5"),
        (b"<!doctype html><html><head><title>a > b</title><meta charset=gbk>", "gbk"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "iso-8859-2"),
        (b"<meta content='text/html;charset=\"euc-jp\"' http-equiv=content-type>", "euc-jp"),
        (b"<meta content='text/html; charset=euc-jp'>", None),
        (b"<meta http-equiv=refresh content='0; charset=utf-8'>", None),
        (b"<metal charset=utf-8>", None),
        (b"<meta charset>", None),
        (b"<meta charset=><meta charset=utf-8>", "utf-8"),
        (b"<meta charset=a charset=b>", "a"),
        (b"<!-- <meta charset=a> --><meta charset=b>", "b"),
        (b"<!--><meta charset=a>-->", "a"),
        (b"<!-- <meta charset=a>", None),
        (b"<a title='<meta charset=a>'><meta charset=b>", "b"),
        (b"<script>w('<meta charset=a>')</script><meta charset=b>", "b"),
        (b"<TITLE>The <meta charset=a> tag</Title><meta charset=b>", "b"),
        (b"<style><meta charset=a></style><textarea><meta charset=c></textarea>", None),
        (b"<title>never closed <meta charset=a>", "a"),
        (b"<script src=x><meta charset=a>", "a"),
        (b"<? <meta charset=a><meta charset=b>", "b"),
        (b"</ <meta charset=a><meta charset=b>", "b"),
        (b"<p <meta charset=a><meta charset=b>", "b"),
        (b"a < b <meta charset=c>", "c"),
        (b"<meta charset='a", None),
        (b"<meta x='a' y=\"b charset=c>", None),
        (b"", None),
        (b"<", None),
        (b"<meta", None),
        (b"<?xml version='1.0' encoding='koi8-r'?><html>", "koi8-r"),
        (b"<?xml version='1.0' encoding = \"koi8-r\"?><meta charset=gbk>", "gbk"),
        (b" <?xml version='1.0' encoding='koi8-r'?>", None),
        (b"<?xml version='1.0'?><p encoding='a'>", None),
    ],
)
def test_the_declared_charset_is_found(head, expected):
    assert declared_charset(head) == expected


def test_labels_that_are_not_accepted_are_passed_over():
    head = b"<?xml version='1.0' encoding='c'?><meta charset=a><meta charset=b>"
    assert declared_charset(head, lambda label: label != "a") == "b"
    assert declared_charset(head, lambda label: label == "c") == "c"
    assert declared_charset(head, lambda label: label == "") is None


def test_declarations_are_looked_for_in_the_head_only():
    meta = b"<meta charset=utf-8>"
    assert declared_charset(b" " * (HEAD_BYTES - len(meta)) + meta) == "utf-8"
    assert declared_charset(b" " * HEAD_BYTES + meta) is None


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<!doctype html>\n<html lang=de>", "de"),
        (b"<HTML class='x>y' LANG=' pt-BR ' dir=ltr>", "pt-BR"),
        (b"<html xml:lang='fr' >", "fr"),
        (b"<html xml:lang='fr' lang='en_GB'>", "en_GB"),
        (b"<html lang='' xml:lang='fr'>", "fr"),
        (b"<html\nlang\n=\nnl\n>", "nl"),
        (b"<html/lang=fi>", "fi"),
        (b"<html>", None),
        (b"<html lang>", None),
        (b"<html lang=''>", None),
        (b"<html lang='{{ lang }}'>", None),
        (b"<html lang='d\xc3\xa9'>", None),
        (b"<html lang='" + b"a" * 35 + b"'>", "a" * 35),
        (b"<html lang='" + b"a" * 36 + b"'>", None),
        (b"<html><body lang=de>", None),
        (b"<html><html lang=de>", None),
        (b"<htmlx lang=de><html lang=nl>", "nl"),
        (b"<!-- <html lang=a> --><html lang=b>", "b"),
        (
            b"<!--[if IE 8]> <html class=ie8 lang=en> <![endif]-->\n<!--[if gt IE 8]><!--> <html lang=sv>",
            "sv",
        ),
        (b"<!--a--><!--<html lang=a>--><!--<html lang=b>--><html lang=c>", "c"),
        (b"<!-- <html lang=a>", None),
        (b"<html lang='de", None),
        (b"<p lang=de>", None),
        (b"", None),
    ],
)
def test_the_declared_language_is_found(head, expected):
    assert declared_language(head) == expected


def test_the_language_is_looked_for_in_the_head_only():
    assert declared_language(b" " * HEAD_BYTES + b"<html lang=de>") is None


STORMS = [
    b"<meta ",
    b"<!--",
    b"<!-->",
    b"<html ",
    b'<meta charset="',
    b"<a b='",
    b"<",
    b"</",
    b"<a b=c ",
    b"a= ",
]


@pytest.mark.parametrize(
    "unit", [*STORMS, b"<html<!--", b"<html>-->", b'<meta content="charset=', b"<?xml", b"\n"]
)
def test_any_storm_costs_little(unit):
    assert_linear(
        lambda page: (declared_charset(page), declared_language(page)),
        lambda size: unit * (1 + size // len(unit)),
        1 << 18,
    )


@given(st.lists(st.sampled_from([*STORMS, b">", b"-->", b"'", b'"', b" lang=", b"=", b"charset=x", b"html"])))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_markup_is_read(parts):
    page = b"".join(parts)
    assert declared_charset(page, lambda label: label == "") is None
    language = declared_language(page)
    assert language is None or 1 <= len(language) <= 35


PARTS = (
    *(
        b"<html",
        b"<HtMl",
        b"<!--",
        b"-->",
        b"--",
        b"<",
        b">",
        b"/",
        b"!",
        b"\xc9",
        b"lang",
        b"LANG=",
        b"xml:lang",
    ),
    *(b"=", b'"', b"'", b" ", b"\n", b"\x0b", b"\0", b"de-AT", b"x" * 20),
)


@given(st.lists(st.sampled_from(PARTS), max_size=40).map(b"".join))
@settings(max_examples=500)
def test_tags_of_the_head_are_those_that_regular_expressions_find(head: bytes) -> None:
    assert _prescan.first_html_tag(head) == oracle.first_html_tag(head)
    for position in range(len(head) + 1):
        assert _prescan.attributes(head, position) == oracle.attributes(head, position)
        if head.startswith(b"<!--", position):
            assert _prescan.after_comment(head, position) == oracle.after_comment(head, position)
