"""The chain that finds a page's encoding, and what comes out of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode.charset import DETECTED_BYTES, CharsetSource, DecodedText, decode_text
from cedar.transforms.decode.prescan import HEAD_BYTES
from tests.helpers.shapes import assert_linear

GERMAN = "Größere Häuser können schöner sein als ältere Hütten, sagte die Bürgermeisterin. "
POLISH = "Zażółć gęślą jaźń, powiedział mały książę i poszedł spać późną nocą. "
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю в тихой роще. "
UKRAINIAN = "Щастям б'єш жук їх глицю в фон й ґедзь пріч, казала їхня бабуся. "
GREEK = "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είπε ο γέρος και έφυγε. "
TURKISH = "Pijamalı hasta yağız şoföre çabucak güvendi ve gülümsedi. "
HEBREW = "דג סקרן שט בים מאוכזב ולפתע מצא חברה נעימה. "
ARABIC = "صف خلق خود كمثل الشمس إذ بزغت يحظى الضجيع بها. "
VIETNAMESE = "Trong đêm, con thuyên nho trôi qua lang. "
THAI = "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน "
LITHUANIAN = "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė apvalų arbūzą. "
JAPANESE = "これは文字コードの判定試験のために書かれた日本語の文章です。①髙い山。"
CHINESE = "这是一个用于测试字符编码的简体中文句子，春天来了，花开了。"
TAIWANESE = "這是一個用於測試字元編碼的繁體中文句子，春天來了，花開了。"
KOREAN = "이것은 문자 인코딩을 시험하기 위한 한국어 문장입니다. 똠방각하. "

# WHATWG name, Python's codec to write it, text.
PAGES = [
    ("windows-1252", "cp1252", GERMAN + "€ – “x”"),
    ("iso-8859-15", "iso8859-15", GERMAN + "€"),
    ("macintosh", "mac-roman", GERMAN),
    ("windows-1250", "cp1250", POLISH),
    ("iso-8859-2", "iso8859-2", POLISH),
    ("windows-1251", "cp1251", RUSSIAN),
    ("koi8-r", "koi8-r", RUSSIAN),
    ("ibm866", "cp866", RUSSIAN),
    ("iso-8859-5", "iso8859-5", RUSSIAN),
    ("x-mac-cyrillic", "mac-cyrillic", RUSSIAN),
    ("koi8-u", "koi8-u", UKRAINIAN),
    ("windows-1253", "cp1253", GREEK),
    ("iso-8859-7", "iso8859-7", GREEK),
    ("windows-1254", "cp1254", TURKISH),
    ("windows-1255", "cp1255", HEBREW),
    ("iso-8859-8-i", "iso8859-8", HEBREW),
    ("windows-1256", "cp1256", ARABIC),
    ("iso-8859-6", "iso8859-6", ARABIC),
    ("windows-1257", "cp1257", LITHUANIAN),
    ("iso-8859-13", "iso8859-13", LITHUANIAN),
    ("windows-1258", "cp1258", VIETNAMESE),
    ("windows-874", "cp874", THAI),
    ("shift_jis", "cp932", JAPANESE),
    ("euc-jp", "euc_jp", JAPANESE.replace("①髙", "高")),
    ("gbk", "gbk", CHINESE),
    ("gb18030", "gb18030", CHINESE + "㐀💩"),
    ("big5", "big5", TAIWANESE),
    ("euc-kr", "cp949", KOREAN),
]


def page(text: str, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}<title>x</title></head><body>" + f"<p>{text}</p>\n" * 8


def decoded(body: bytes, header_label: str | None = None, truncated: bool = False) -> DecodedText:
    return decode_text(body, header_label=header_label, truncated=truncated)


def expected(text: str, charset: str, source: CharsetSource, replaced: int = 0) -> DecodedText:
    return DecodedText(text.encode(), len(text), charset, source, replaced)


@pytest.mark.parametrize(("name", "codec", "text"), PAGES)
def test_a_page_labelled_by_its_header(name, codec, text):
    html = page(text)
    assert decoded(html.encode(codec), name.upper()) == expected(html, name, CharsetSource.HEADER)


@pytest.mark.parametrize(("name", "codec", "text"), PAGES)
def test_a_page_labelled_by_its_meta(name, codec, text):
    html = page(text, f"<meta charset='{name}'>")
    assert decoded(html.encode(codec)) == expected(html, name, CharsetSource.META)


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [p for p in PAGES if p[0] in {"windows-1251", "koi8-r", "shift_jis", "euc-jp", "big5", "euc-kr"}],
)
def test_a_page_without_a_label_is_detected(name, codec, text):
    html = page(text.replace("똠방각하. ", ""))
    assert decoded(html.encode(codec)) == expected(html, name, CharsetSource.DETECTOR)


def test_simplified_chinese_without_a_label_is_detected():
    html = page(CHINESE)
    assert decoded(html.encode("gbk")) == expected(html, "gb18030", CharsetSource.DETECTOR)


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, JAPANESE, "plain ASCII", "💩 \x01\x7f \ufffd \ufeff"])
@pytest.mark.parametrize(
    "label", [None, "utf-8", "iso-8859-1", "windows-1251", "utf-16", "unicode_escape", "\0"]
)
def test_valid_utf8_comes_before_the_labels_and_is_not_copied(text, label):
    body = page(text, "<meta charset=gbk>").encode()
    result = decoded(body, label)
    assert result == expected(body.decode(), "utf-8", CharsetSource.UTF8)
    assert result.utf8 is body


@pytest.mark.parametrize(
    ("bom", "codec", "name"),
    [
        (b"\xef\xbb\xbf", "utf-8", "utf-8"),
        (b"\xff\xfe", "utf-16-le", "utf-16le"),
        (b"\xfe\xff", "utf-16-be", "utf-16be"),
        (b"\xff\xfe\0\0", "utf-32-le", "utf-32le"),
        (b"\0\0\xfe\xff", "utf-32-be", "utf-32be"),
    ],
)
def test_a_byte_order_mark_comes_before_all_and_is_left_out(bom, codec, name):
    html = page(RUSSIAN + "💩", "<meta charset=koi8-r>")
    assert decoded(bom + html.encode(codec), "windows-1251") == expected(html, name, CharsetSource.BOM)


def test_further_byte_order_marks_at_the_beginning_are_left_out_too():
    html = page(RUSSIAN)
    assert decoded(b"\xef\xbb\xbf" * 3 + html.encode()) == expected(html, "utf-8", CharsetSource.BOM)
    assert decoded(("\ufeff" * 2 + html).encode("gb18030"), "gbk") == expected(
        html, "gbk", CharsetSource.HEADER
    )


def test_utf32_is_read_by_its_mark_and_not_by_its_label():
    body = b"\xff\xfe\0\0" + "a\ufffdb".encode("utf-32-le")
    assert decoded(body + b"\0\xd8\0\0") == expected("a\ufffdb\ufffd", "utf-32le", CharsetSource.BOM, 1)
    assert decoded(body + b"c\0") == expected("a\ufffdb\ufffd", "utf-32le", CharsetSource.BOM, 1)
    assert decoded(body + b"c\0", truncated=True) == expected("a\ufffdb", "utf-32le", CharsetSource.BOM)
    for label in ("utf-32", "utf-32le", None):
        assert decoded("<p>a".encode("utf-32-le"), label).charset not in ("utf-32le", "utf-32be")


def test_a_byte_order_mark_of_utf8_before_bad_bytes():
    result = decoded(b"\xef\xbb\xbfa\xffb", "latin1")
    assert result == expected("a\ufffdb", "utf-8", CharsetSource.BOM, 1)


def test_the_header_comes_before_the_meta():
    body = page(RUSSIAN, "<meta charset=koi8-r>").encode("cp1251")
    assert decoded(body, "windows-1251").source is CharsetSource.HEADER
    assert decoded(body, "windows-1251").charset == "windows-1251"


@pytest.mark.parametrize(
    "label", ["utf-7", "unicode_escape", "idna", "punycode", "rot13", "replacement", "", "none"]
)
def test_a_header_that_names_no_encoding_is_passed_over(label):
    html = page(RUSSIAN, "<meta charset=koi8-r>")
    assert decoded(html.encode("koi8-r"), label) == expected(html, "koi8-r", CharsetSource.META)


@pytest.mark.parametrize("label", ["utf-7", "unicode_escape", "iso-2022-kr", "x"])
def test_a_meta_that_names_no_encoding_is_passed_over(label):
    html = page(
        RUSSIAN, f"<meta charset={label}><meta http-equiv=content-type content='text/html;charset=koi8-r'>"
    )
    assert decoded(html.encode("koi8-r")) == expected(html, "koi8-r", CharsetSource.META)


@pytest.mark.parametrize("label", ["utf-16", "utf-16be", "utf-16le"])
def test_utf16_in_a_meta_means_utf8(label):
    html = page(GERMAN, f"<meta charset={label}>")
    result = decoded(html.encode() + b"\xff")
    assert result == expected(html + "\ufffd", "utf-8", CharsetSource.META, 1)


def test_x_user_defined_in_a_meta_means_windows_1252():
    html = page(GERMAN, "<meta charset=x-user-defined>")
    assert decoded(html.encode("cp1252")) == expected(html, "windows-1252", CharsetSource.META)


def test_an_xml_declaration_names_the_encoding():
    html = "<?xml version='1.0' encoding='ISO-8859-2'?>" + page(POLISH)
    assert decoded(html.encode("iso8859-2")) == expected(html, "iso-8859-2", CharsetSource.META)


def test_a_meta_beyond_the_head_is_not_read():
    html = page(RUSSIAN, " " * HEAD_BYTES + "<meta charset=windows-1252>")
    assert decoded(html.encode("cp1251")) == expected(html, "windows-1251", CharsetSource.DETECTOR)


def test_what_the_detector_does_not_know_is_windows_1252():
    html = "<p>€ 5 © 2003 The Company"
    assert decoded(html.encode("cp1252")) == expected(html, "windows-1252", CharsetSource.FALLBACK)


@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, JAPANESE])
def test_a_page_without_a_label_that_is_utf8_but_for_a_few_bytes_is_utf8(text):
    html = page(text)
    result = decoded(html.encode() + b"\xff\x80")
    assert result == expected(html + "\ufffd\ufffd", "utf-8", CharsetSource.DETECTOR, 2)


def test_the_detector_reads_where_the_page_stops_being_ascii():
    html = "<script>" + "var a = 1;\n" * (DETECTED_BYTES // 5) + "</script>" + page(RUSSIAN)
    assert decoded(html.encode("cp1251")) == expected(html, "windows-1251", CharsetSource.DETECTOR)


def test_a_broken_byte_in_a_page_labelled_utf8_is_one_replacement():
    html = page(GERMAN)
    body = html.encode()
    result = decoded(body + b"\xe4" + body, "utf-8")
    assert result == expected(html + "\ufffd" + html, "utf-8", CharsetSource.HEADER, 1)


@pytest.mark.parametrize("label", ["utf-8", "UTF8", "unicode-1-1-utf-8"])
@pytest.mark.parametrize(("name", "codec", "text"), PAGES)
def test_a_header_that_says_utf8_over_other_bytes_is_passed_over_for_the_meta(name, codec, text, label):
    html = page(text, f"<meta charset='{name}'>")
    assert decoded(html.encode(codec), label) == expected(html, name, CharsetSource.META)


@pytest.mark.parametrize("head", ["", "<meta charset=utf-8>", "<meta charset=utf-16>"])
@pytest.mark.parametrize(("name", "codec", "text"), PAGES)
def test_labels_that_say_utf8_over_other_bytes_are_passed_over_for_the_detector(name, codec, text, head):
    body = page(text, head).encode(codec)
    unlabelled = decoded(page(text).encode(codec))
    result = decoded(body, "utf-8")
    assert (result.charset, result.source) == (unlabelled.charset, unlabelled.source)
    assert decoded(body) == result


def test_a_header_that_says_utf8_over_utf16_or_iso_2022_jp_is_passed_over():
    html = page("The river froze. ")
    assert decoded(html.encode("utf-16-le"), "utf-8") == expected(html, "utf-16le", CharsetSource.DETECTOR)
    html = page(JAPANESE)
    assert decoded(html.encode("utf-16-be"), "utf-8") == expected(html, "utf-16be", CharsetSource.DETECTOR)
    html = page(JAPANESE.replace("①髙", "高"), "<meta charset=iso-2022-jp>")
    assert decoded(html.encode("iso2022_jp"), "utf-8") == expected(html, "iso-2022-jp", CharsetSource.META)


@pytest.mark.parametrize("stray", ["\0", "\x1b"])
def test_valid_utf8_with_a_stray_nul_or_escape_stays_what_its_label_says(stray):
    html = page(RUSSIAN + stray)
    assert decoded(html.encode(), "utf-8") == expected(html, "utf-8", CharsetSource.HEADER)


@pytest.mark.parametrize("byte", ["’", "é", "ß"])
def test_one_letter_of_another_encoding_is_read_in_a_page_labelled_utf8(byte):
    html = page(f"The caf{byte} by the river.", "<meta charset=utf-8>").replace("\n", "")
    assert decoded(html.encode("cp1252"), "utf-8").utf8.decode() == html


@pytest.mark.parametrize(
    ("right", "wrong", "is_utf8"), [(3, 2, True), (2, 2, False), (40, 1, True), (1, 40, False)]
)
def test_the_line_is_more_characters_right_than_wrong(right, wrong, is_utf8):
    body = b"<p>" + "ж".encode() * right + b" \xe4 " * wrong
    result = decoded(body, "utf-8")
    assert (result.source is CharsetSource.HEADER) == is_utf8
    assert (result.replaced == wrong) == is_utf8


def test_words_cut_in_the_middle_of_a_character_leave_the_page_utf8():
    teaser = RUSSIAN.encode()[:37] + b"..."  # half a letter, as programs that count bytes cut
    body = page(RUSSIAN).encode() + b"<p>" + b"</p><p>".join([teaser] * 9)
    result = decoded(body, "utf-8")
    assert (result.charset, result.source, result.replaced) == ("utf-8", CharsetSource.HEADER, 9)


@pytest.mark.parametrize(
    ("cut", "replaced"),
    [(b"\xe2\x82", 1), (b"\xe2\x80", 1), (b"\xf0\x9f\x98", 1), (b"\xed\xa0\xbd\xed\xb8\x80", 6)],
    ids=["euro", "quote", "emoji", "surrogates"],
)
@pytest.mark.parametrize("times", [1, 7])
def test_english_labelled_utf8_with_cut_characters_alone_stays_utf8(cut, replaced, times):
    body = b"<html lang=en>" + b"<p>A paragraph that is long, and in English.</p>" * 40
    body += b"<p>A price of 5 " + cut + b" and more.</p>"
    result = decoded(body * times, "utf-8")
    assert (result.charset, result.source) == ("utf-8", CharsetSource.HEADER)
    assert result.replaced == replaced * times


def test_replacement_characters_of_the_page_itself_do_not_count():
    assert decoded("a\ufffdb".encode()).replaced == 0
    assert decoded("a\ufffdbé".encode() + b"\xff", "utf-8").replaced == 1
    assert decoded("\ufeffa\ufffdb".encode("utf-16-le")).replaced == 0


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [GERMAN, "The river froze. ", JAPANESE])
def test_utf16_without_byte_order_mark_and_label_is_detected(codec, text):
    html = page(text)
    assert decoded(html.encode(codec)) == expected(
        html, codec.replace("-le", "le").replace("-be", "be"), CharsetSource.DETECTOR
    )


def test_utf16_by_its_header():
    html = page(GERMAN)
    assert decoded(html.encode("utf-16-le"), "utf-16") == expected(html, "utf-16le", CharsetSource.HEADER)


@pytest.mark.parametrize("stray", ["\0", "\x1b", "\0\x1b"])
def test_valid_utf8_with_a_stray_nul_or_escape_and_no_label_stays_utf8(stray):
    html = page(RUSSIAN + stray + GERMAN)
    assert decoded(html.encode()) == expected(html, "utf-8", CharsetSource.UTF8)


def test_iso_2022_jp_is_not_taken_for_utf8():
    html = page(JAPANESE.replace("①髙", "高"))
    body = html.encode("iso2022_jp")
    assert body.isascii()
    assert decoded(body) == expected(html, "iso-2022-jp", CharsetSource.DETECTOR)
    assert decoded(body, "iso-2022-jp") == expected(html, "iso-2022-jp", CharsetSource.HEADER)


@pytest.mark.parametrize("tail", ["é", "漢", "💩"])
def test_an_incomplete_sequence_at_the_end_of_a_cut_page_is_dropped(tail):
    html = page(GERMAN)
    for kept in range(1, len(tail.encode())):
        body = html.encode() + tail.encode()[:kept]
        assert decoded(body, truncated=True) == expected(html, "utf-8", CharsetSource.UTF8)
        whole = decoded(body, "utf-8")
        assert whole == expected(html + "\ufffd", "utf-8", CharsetSource.HEADER, 1)


def test_an_incomplete_sequence_at_the_end_of_a_cut_labelled_page_is_dropped():
    html = page(JAPANESE)
    body = html.encode("cp932") + "漢".encode("cp932")[:1]
    assert decoded(body, "shift_jis", truncated=True) == expected(html, "shift_jis", CharsetSource.HEADER)


def test_a_bad_byte_before_the_end_of_a_cut_page_is_not_dropped():
    result = decoded("éé".encode() + b"\xffb", "utf-8", truncated=True)
    assert result == expected("éé\ufffdb", "utf-8", CharsetSource.HEADER, 1)


def test_an_empty_page_is_empty_utf8():
    assert decoded(b"") == expected("", "utf-8", CharsetSource.UTF8)


LABELS = st.one_of(
    st.none(),
    st.text(max_size=20),
    st.sampled_from(
        [name for name, _, _ in PAGES] + ["utf-8", "utf-16", "iso-2022-jp", "x-user-defined", "utf-7"]
    ),
)
PARTS = st.sampled_from(
    [
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xfe\xff",
        b"<meta charset=",
        b"sjis>",
        b"utf-8>",
        b"\0",
        b"\x1b$B",
        b"\x1b(B",
    ]
)


@given(st.lists(st.one_of(PARTS, st.binary(max_size=20)), max_size=8), LABELS, st.booleans())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_bytes_under_any_label_give_valid_utf8(parts, label, truncated):
    result = decode_text(b"".join(parts), header_label=label, truncated=truncated)
    text = result.utf8.decode()
    assert result.chars == len(text)
    assert 0 <= result.replaced <= text.count("\ufffd")
    assert not text.startswith("\ufeff")


@given(st.text(max_size=100), LABELS, st.booleans())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_utf8_round_trips_under_any_label(text, label, truncated):
    text = text.replace("\0", "").replace("\x1b", "").lstrip("\ufeff")
    result = decode_text(text.encode(), header_label=label, truncated=truncated)
    assert result == expected(text, "utf-8", CharsetSource.UTF8)


@pytest.mark.parametrize(
    "unit", [b"\xff", b"\0", b"\x1b", b"\x80a", b"<meta ", b"\xef\xbb\xbf", "é".encode(), b"\xfe\xff\0"]
)
def test_any_storm_is_decoded_in_linear_time(unit):
    assert_linear(decoded, lambda size: unit * (size // len(unit)) + b"\xff", 2**18)
