"""The WHATWG encodings: labels, indexes where Python's codecs differ, errors."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cedar.transforms.decode.encodings import ENCODINGS, decode, encoding_for
from tests.decode.sequences import SUMS, sequences, sum_of
from tests.helpers.shapes import assert_linear
from tests.oracles import encodings as oracle

PIECES = (
    *(bytes((byte,)) for byte in b"a~0\\\n\x7f\x80\x81\x84\x8e\x8f\x90\xa0\xa1\xa2\xa4\xb7"),
    *(bytes((byte,)) for byte in b"\xe0\xe3\xfc\xfe\xff"),
    *(b"\x1b$B", b"\x1b$@", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b", b'$"', b"\x0e"),
    *(b"\xa2A", b"\x8f\xa2\xb7"),
)


@pytest.mark.parametrize("name", SUMS)
def test_every_sequence_is_decoded_as_the_standard_has_it(name):
    assert sum_of(decode(sequence, name)[0] for sequence in sequences(name)) == SUMS[name]


@given(st.sampled_from(sorted(SUMS)), st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join))
def test_malformed_text_is_decoded_as_the_standard_has_it(name, body):
    assert decode(body, name)[0] == oracle.text_of(body, name)


MULTI_BYTE = ("big5", "euc-jp", "euc-kr", "gb18030", "gbk", "shift_jis")
SINGLE_BYTE = sorted(
    name for name in ENCODINGS if not name.startswith(("utf-", "iso-2022")) and name not in MULTI_BYTE
)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("utf-8", "utf-8"),
        (" UTF8\n", "utf-8"),
        ("latin1", "windows-1252"),
        ("ISO-8859-1", "windows-1252"),
        ("ascii", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("tis-620", "windows-874"),
        ("gb2312", "gbk"),
        ("x-gbk", "gbk"),
        ("GB18030", "gb18030"),
        ("ks_c_5601-1987", "euc-kr"),
        ("windows-949", "euc-kr"),
        ("sjis", "shift_jis"),
        ("windows-31j", "shift_jis"),
        ("x-euc-jp", "euc-jp"),
        ("big5-hkscs", "big5"),
        ("utf-16", "utf-16le"),
        ("koi8", "koi8-r"),
        ("cp866", "ibm866"),
        ("logical", "iso-8859-8-i"),
        ("mac", "macintosh"),
    ],
)
def test_labels_are_those_of_the_standard(label, name):
    assert encoding_for(label) == name


@pytest.mark.parametrize(
    "label",
    [
        *(
            "utf-7",
            "unicode_escape",
            "raw_unicode_escape",
            "idna",
            "punycode",
            "rot13",
            "base64",
            "hex",
            "mbcs",
        ),
        *("utf-32", "cp437", "utf_8", "utf 8", "", " ", "\0", "none", "{charset}", "utf-8\xa0", "x" * 10_000),
        *("hz-gb-2312", "iso-2022-kr", "iso-2022-cn", "replacement"),
        "\u212aoi8-r",
    ],
)
def test_other_labels_are_no_labels(label):
    assert encoding_for(label) is None


@pytest.mark.parametrize("name", SINGLE_BYTE)
def test_single_bytes_decode_to_one_character_each(name):
    text, replaced = decode(bytes(range(256)), name)
    assert len(text) == 256
    assert text[:128] == bytes(range(128)).decode()
    assert replaced == text.count("\ufffd")
    assert "\ufffd" not in text[128:160]


@pytest.mark.parametrize(
    ("name", "body", "text"),
    [
        ("windows-1252", b"\x80\x81\x8d\x9d\xa0\xff", "€\x81\x8d\x9d\xa0ÿ"),
        ("windows-1253", b"\x81\xaa\xd2", "\x81\ufffd\ufffd"),
        ("windows-1255", b"\xca\xd9\xe0", "\u05ba\ufffdא"),
        ("windows-1257", b"\xa1\xe0", "\ufffdą"),
        ("windows-874", b"\x81\xa1\xdb", "\x81ก\ufffd"),
        ("iso-8859-6", b"\x80\xa1\xc7", "\x80\ufffdا"),
        ("iso-8859-8-i", b"\xf9\xec\xe5\xed", "שלום"),
        ("iso-8859-15", b"\xa4\xbc", "€Œ"),
        ("koi8-u", b"\xa6\xae\xbe", "іўЎ"),
        ("x-mac-cyrillic", b"\xa2\xb6\xff", "Ґґ€"),
        ("macintosh", b"\x8a\xdb", "ä€"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
    ],
)
def test_holes_and_late_changes_of_single_byte_indexes(name, body, text):
    assert decode(body, name) == (text, text.count("\ufffd"))


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        ("shift_jis", "8740 fbfc 8160 817c 80 b1", "①髙～－\x80ｱ"),
        ("euc-jp", "ada1 fce2 f9a1 a1c1 a1dd a1f1 8eb1 8fb0a1", "①髙纊～－￠ｱ丂"),
        ("iso-2022-jp", "1b2442 2d21 2473 1b2842 61 1b2849 31 1b284a 62", "①んaｱb"),
        ("euc-kr", "b0a1 8c63 c8fe", "가똠힝"),
        ("gbk", "80 a1a3 a2e3 a3a0 a8bc a6d9 a6da fe50 fe59", "€。€\u3000ḿ︐︒⺁龴"),
        ("gb18030", "8139ef30 9439da33 d2bb", "㐁💩一"),
        ("big5", "a145 a14e a1e3 a246 a3e1 c6a1 c6cf c6de f9d6 8862 a440", "‧﹑～￠€①廴〃碁\u00ca\u0304一"),
        ("utf-16le", "6100 3dd8a9dc", "a💩"),
        ("utf-16be", "0061 d83ddca9", "a💩"),
    ],
)
def test_code_points_where_codecs_and_the_standard_differ(name, code, text):
    assert decode(bytes.fromhex(code), name) == (text, 0)


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [
        ("utf-8", "61 ff c3 28 e282 62 f09f92", "a\ufffd\ufffd(\ufffdb\ufffd"),
        ("shift_jis", "85 3c 61 a0 fd", "\ufffd<a\ufffd\ufffd"),
        ("shift_jis", "8540 8580 b1", "\ufffd@\ufffdｱ"),
        ("euc-kr", "c9a1 b0a1 c93c", "\ufffd가\ufffd<"),
        ("euc-jp", "a9a1 a4a2 a43c ff", "\ufffdあ\ufffd<\ufffd"),
        ("big5", "86a1 a440 a43c 80", "\ufffd一\ufffd<\ufffd"),
        ("gbk", "81ff b0a1 813c ff", "\ufffd啊\ufffd<\ufffd"),
        ("iso-2022-jp", "61 1b2442 2422 30 1b2842 62 80", "aあ\ufffdb\ufffd"),
        ("utf-16le", "3dd8 6100 a9dc", "\ufffda\ufffd"),
        ("utf-16le", "3dd8 3dd8a9dc 61", "\ufffd💩\ufffd"),
        ("utf-16be", "d83d", "\ufffd"),
    ],
)
def test_errors_become_replacement_characters_and_swallow_no_ascii(name, code, text):
    assert decode(bytes.fromhex(code), name) == (text, text.count("\ufffd"))


@pytest.mark.parametrize(
    ("name", "own", "wrong"),
    [
        ("utf-8", b"\xef\xbf\xbd", b"\xff"),
        ("utf-8", b"\xe2\xef\xbf\xbd", b""),
        ("utf-16le", b"\xfd\xff", b"\x00\xd8"),
        ("utf-16be", b"\xff\xfd", b"\xd8\x00"),
        ("gb18030", b"\x84\x31\xa4\x37", b"\xff"),
    ],
)
def test_replacement_characters_of_the_page_itself_do_not_count(name, own, wrong):
    text, replaced = decode(own + wrong + own, name)
    assert replaced == text.count("\ufffd") - 2


CUT = {
    "utf-8": "é漢💩",
    "shift_jis": "漢字",
    "euc-jp": "漢字",
    "iso-2022-jp": "漢字",
    "gb18030": "漢字㐀",
    "big5": "漢字",
    "euc-kr": "가똠",
    "utf-16le": "a💩",
    "utf-16be": "a💩",
}
PYTHON_NAMES = {"shift_jis": "cp932", "euc-kr": "cp949"}


@pytest.mark.parametrize("name", CUT)
def test_a_cut_text_loses_its_last_sequence_and_has_no_replacement(name):
    body = CUT[name].encode(PYTHON_NAMES.get(name, name))
    for stop in range(len(body)):
        text, replaced = decode(body[:stop], name, final=False)
        assert CUT[name].startswith(text)
        assert replaced == 0


@pytest.mark.parametrize("name", MULTI_BYTE)
def test_bytes_that_are_no_text_are_decoded_with_what_the_codec_has(name):
    text, replaced = decode(b"\xff" * 20_000 + b"text", name)
    assert text == "\ufffd" * 20_000 + "text"
    assert replaced == 20_000


@pytest.mark.parametrize("name", sorted(ENCODINGS))
@pytest.mark.parametrize(
    "unit", [b"\xff", b"\x80", b"\xad\xfd", b"\xad\xa1", b"\x00\xd8", b"\x1b$B", b"\x81\x30"]
)
def test_any_storm_of_errors_is_decoded_in_little_time(name, unit):
    assert_linear(lambda body: decode(body, name), lambda size: unit * (size // len(unit)), 2**15)


@given(st.sampled_from(sorted(ENCODINGS)), st.binary(max_size=100), st.booleans())
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_bytes_give_text_without_surrogates(name, body, final):
    text, replaced = decode(body, name, final=final)
    assert text.encode().decode() == text
    assert 0 <= replaced <= text.count("\ufffd")


@pytest.mark.parametrize("name", ["gb18030", "gbk"])
def test_no_four_bytes_of_gb18030_give_a_surrogate(name):
    body = b"".join(
        bytes((a, b, c, 0x30 + d))
        for a in (0x81, 0x82, 0x83, 0x84, 0x90, 0xE3)
        for b in range(0x30, 0x3A)
        for c in range(0x81, 0xFF)
        for d in range(10)
    )
    text, _ = decode(body, name)
    assert text.encode().decode() == text
