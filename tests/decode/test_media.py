"""Media types: reading the label, and sniffing where it says nothing."""

import gzip
import random

import pytest

from cedar.transforms.decode.media import charset_label, is_html, looks_like_text, media_type
from tests.helpers.shapes import assert_linear


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


def of_type(content_type, body):
    return is_html(media_type(content_type), body, charset_label(content_type))


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
    "label",
    [
        None,
        "text/plain",
        "application/octet-stream",
        "unknown/unknown",
        "application/unknown",
        "*/*",
        "binary/octet-stream",
        "application/x-download",
        "application/force-download",
    ],
)
@pytest.mark.parametrize(
    ("head", "expected"), [(h, True) for h in HTML_HEADS] + [(h, False) for h in OTHER_HEADS]
)
def test_the_head_decides_where_the_label_says_nothing(label, head, expected):
    assert of_type(label, head) is expected


@pytest.mark.parametrize("label", ["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"])
@pytest.mark.parametrize("head", HTML_HEADS + [h for h in OTHER_HEADS if not h.startswith(b"%PDF")])
def test_the_label_of_html_is_believed(label, head):
    assert of_type(label, head)


@pytest.mark.parametrize("label", ["application/json", "image/png", "application/rss+xml", "text/css"])
@pytest.mark.parametrize("head", HTML_HEADS)
def test_other_labels_are_believed(label, head):
    assert not of_type(label, head)


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


def noise(size: int) -> bytes:
    return random.Random(3).randbytes(size)


@pytest.mark.parametrize("label", ["text/html", "text/html; charset=utf-8", "text/html; charset=gbk"])
@pytest.mark.parametrize(
    "head",
    [
        b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom",  # mp4
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + b">\0\x03\0\xfe\xff\t\0",  # doc
        b"ID3\x03\0\0\0\0\x0fvTIT2\0\0\0\x0c\0\0\0A song of birds",  # mp3
        b"\xff\xfb\x90\x64\0",  # mp3 without a tag
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0",  # exe
        b"Rar!\x1a\x07\0",
        b"7z\xbc\xaf'\x1c\0\x04",
        b"wOFF\0\x01\0\0",
        b"wOF2\0\x01\0\0",
        b"CWS\x09",  # swf
        b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0",  # ico
        b"\x7fELF\x02\x01\x01",
        b"a/page.txt".ljust(257, b"\0") + b"ustar\x0000",  # tar
        b"BZh91AY&SY",
        b"\xfd7zXZ\0\0\x04",
        b"\0\x01\0\0\0\x0f\0\x80\0\x03\0pGDEF",  # ttf
        b"\x28\xb5\x2f\xfd\x04",  # zstd
        b"II*\0\x08\0\0\0",
        b"BM\x36\x10\0\0\0\0\0\0\x36\0\0\0\x28\0",  # bmp
        b"\x1aE\xdf\xa3\x9fB\x86\x81\x01",  # webm
        b"OggS\0\x02",
        b"\0asm\x01\0\0\0",
        b"8BPS\0\x01",
        b"SQLite format 3\0\x10\0\x01\x01\0",
    ],
)
def test_a_binary_file_labelled_as_html_is_not_html(label, head):
    for rest in (noise(4000), bytes(4000)):
        assert not of_type(label, head + rest)


@pytest.mark.parametrize(
    ("label", "page"),
    [
        ("text/html", b"A page \x0b of plain words\x1f with a few odd bytes" + b" and more words" * 20),
        ("text/html", b"\0\0\0\0<html><p>after NULs"),
        ("text/html", b"\x01\x02\x03<meta charset=latin1><p>x"),
        ("text/html", "\ufeff<p>seite".encode("utf-16-le")),
        ("text/html", "words, <b>then</b> a tag".encode("utf-16-le")),
        ("text/html", "words, <b>then</b> a tag".encode("utf-16-be")),
        ("text/html; charset=utf-16le", "words alone".encode("utf-16-le")),
        ("text/html", b"\0\0\xfe\xff" + "words".encode("utf-32-be")),
        ("text/html", "日本語の文章".encode("iso2022_jp") * 20),
        ("text/html", "日本語の文章と漢字".encode("shift_jis") * 20),
        ("text/html", "中文网页的文字".encode("gb18030") * 20),
        ("text/html", "Страница слов".encode("koi8-r") * 20),
        ("text/html", b"MZ is how programs begin. ID3 tags and BM, too."),
        ("text/html", b""),
    ],
)
def test_a_page_with_odd_bytes_stays_html(label, page):
    assert of_type(label, page)


@pytest.mark.parametrize("label", ["text/xml", "application/xml; charset=utf-8"])
def test_under_a_label_of_xml_the_root_element_decides(label):
    assert of_type(label, b"<?xml version='1.0'?><!-- a --><html xmlns='http://www.w3.org/1999/xhtml'>")
    assert of_type(label, b"\xef\xbb\xbf<!DOCTYPE html PUBLIC 'x'><html>")
    assert of_type(label, b" <html>")
    for other in (b"<?xml version='1.0'?><rss><html>", b"<title>a</title>", b"<table >", b"words", b""):
        assert not of_type(label, other)


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
def test_labels_are_read_in_linear_time(unit):
    def read(label):
        text = label.decode()
        return charset_label(text), media_type(text)

    assert_linear(read, lambda size: unit.encode() * (size // len(unit)), 2**16)


@pytest.mark.parametrize("unit", [b" ", b"<!--", b"<?xml ", b"<?xml ?>", b"<!---->", b"<", b"<!doctype "])
def test_sniffing_reads_the_head_only(unit):
    assert_linear(
        lambda body: is_html(None, body), lambda size: b"<?xml ?>" + unit * (size // len(unit)), 2**16
    )
