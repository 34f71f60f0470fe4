"""Media types: reading the label, and sniffing where it says nothing."""

import gzip

import pytest

from cedar.transforms.decode.media import charset_label, is_html, looks_like_text, media_type


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html", "text/html"),
        (" Text/HTML ; charset=utf-8", "text/html"),
        ("text/html;charset=utf-8", "text/html"),
        ("text/html charset=utf-8", "text/html"),
        ("text/html, text/html", "text/html"),
        ("application/xhtml+xml", "application/xhtml+xml"),
        ("*/*", "*/*"),
        ("html", None),
        ("text/", None),
        ("/html", None),
        ("text/html/x", None),
        ("", None),
        (None, None),
        (";charset=utf-8", None),
        ("täxt/html", None),
    ],
)
def test_media_type_is_lower_case_and_without_parameters(content_type, expected):
    assert media_type(content_type) == expected


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ("text/html;CHARSET = 'Windows-1251' ", "Windows-1251"),
        ('text/html; charset="iso-8859-2"; x=y', "iso-8859-2"),
        ('text/html; charset="utf-8', "utf-8"),
        ("text/html charset=koi8-r;x", "koi8-r"),
        ("charset charset=big5", "big5"),
        ("text/html; charset=utf-8, text/html", "utf-8"),
        ("text/html; charset=", None),
        ("text/html; charset=;", None),
        ("text/html", None),
        ("", None),
        (None, None),
    ],
)
def test_charset_label_is_read_quoted_or_not(content_type, expected):
    assert charset_label(content_type) == expected


HTML_HEADS = [
    b"<!DOCTYPE html>",
    b"<!doctype HTML PUBLIC",
    b"\xef\xbb\xbf \r\n\t<HTML>",
    b"<html lang=de>",
    b"<!-- a comment -->",
    b"<p>text",
    b"<a href=x>",
    b"<body\n>",
    b"<?xml version='1.0'?><html>",
    b"<?xml version='1.0'?>\n<!-- a > b --><?x y?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML'>",
    "\ufeff<!doctype html><p>".encode("utf-16-le"),
    "\ufeff <html>".encode("utf-16-be"),
]
OTHER_HEADS = [
    b"",
    b"plain text",
    b"<abbr>",
    b"<pre>",
    b"<!doctype htmlx>",
    b"<?xml version='1.0'?><rss><html>",
    b"<?xml version='1.0'?><!-- <html> ",
    b"<?xml version='1.0'?><!DOCTYPE svg><html>",
    b"{'html': '<html>'}",
    b"%PDF-1.4 <html>",
    b" " * 2000 + b"<html>",
    "\ufeffplain".encode("utf-16-le"),
]


@pytest.mark.parametrize(
    "label", [None, "text/plain", "application/octet-stream", "unknown/unknown", "application/unknown", "*/*"]
)
@pytest.mark.parametrize(
    ("head", "expected"), [(h, True) for h in HTML_HEADS] + [(h, False) for h in OTHER_HEADS]
)
def test_the_head_decides_where_the_label_says_nothing(label, head, expected):
    assert is_html(label, head) is expected


@pytest.mark.parametrize("label", ["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"])
@pytest.mark.parametrize("head", HTML_HEADS + [h for h in OTHER_HEADS if not h.startswith(b"%PDF")])
def test_the_label_of_html_is_believed(label, head):
    assert is_html(label, head)


@pytest.mark.parametrize(
    "label", ["application/json", "image/png", "text/xml", "application/rss+xml", "text/css"]
)
@pytest.mark.parametrize("head", HTML_HEADS)
def test_other_labels_are_believed(label, head):
    assert not is_html(label, head)


@pytest.mark.parametrize(
    "head",
    [
        b"%PDF-1.7",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
        b"\xff\xd8\xff\xe0",
        b"PK\x03\x04",
        b"RIFF\x0a\x00\x00\x00WEBPVP8 ",
        gzip.compress(b"<html>", mtime=0),
    ],
)
def test_a_known_binary_format_is_not_html_whatever_the_label(head):
    assert not is_html("text/html", head)
    assert not is_html(None, head)


def test_a_page_about_riff_is_html():
    assert is_html("text/html", b"RIFF is a container format")


def test_text_is_told_from_binary_data():
    assert looks_like_text(b"")
    assert looks_like_text("Größe\t\r\n\x0c\x1b".encode("latin-1"))
    assert looks_like_text(b"<html>\0")
    assert looks_like_text(memoryview("\ufeffa".encode("utf-16-be")))
    assert not looks_like_text(b"a\0b")
    assert not looks_like_text(gzip.compress(b"text", mtime=0))


@pytest.mark.parametrize("unit", ["charset", "charset ", "charset=", "charset= ", "charset=\"'", " ", "a/"])
def test_labels_are_read_in_linear_time(unit, assert_linear):
    def read(label):
        text = label.decode()
        return charset_label(text), media_type(text)

    assert_linear(read, lambda size: unit.encode() * (size // len(unit)), 2**16)


@pytest.mark.parametrize("unit", [b" ", b"<!--", b"<?xml ", b"<?xml ?>", b"<!---->", b"<", b"<!doctype "])
def test_sniffing_reads_the_head_only(unit, assert_linear):
    assert_linear(
        lambda body: is_html(None, body), lambda size: b"<?xml ?>" + unit * (size // len(unit)), 2**16
    )
