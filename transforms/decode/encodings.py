"""The encodings of the WHATWG Encoding Standard: labels to names, bytes to text.

Python's codecs do the work; where they do not agree with the Standard's indexes they are mended here. Never
`codecs.lookup` on a label from the web: it knows `unicode_escape`, `idna` and other things that no page is
written in.
"""

import codecs
import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from webencodings.labels import LABELS

from cedar.transforms.decode._iso_2022_jp import OVERLINE, YEN, to_euc_jp
from cedar.transforms.decode._single_byte import to_utf8

REPLACEMENT = "\ufffd"
UTF_32 = ("utf-32le", "utf-32be")
"""Encodings that the Standard does not have: no label means them."""

_ASCII_WHITESPACE = "\t\n\f\r "

_SINGLE_BYTE_CODECS: Mapping[str, str] = {
    "ibm866": "cp866",
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    "iso-8859-8-i": "iso8859-8",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    **{f"windows-{page}": f"cp{page}" for page in range(1250, 1259)},
    "x-mac-cyrillic": "mac-cyrillic",
}
# Two letters of KOI8-RU stand in the Standard's KOI8-U, and one point that cp1255 leaves out.
_SINGLE_BYTE_MENDED: Mapping[str, Mapping[int, str]] = {
    "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"},
    "windows-1255": {0xCA: "\u05ba"},
}


_USER_DEFINED = "x-user-defined"
_SINGLE_BYTE = frozenset({*_SINGLE_BYTE_CODECS, _USER_DEFINED})


@functools.cache
def _single_byte_table(name: str) -> str:
    """256 characters: an encoding's, with holes below 0xA0 as C1 controls and the others as U+FFFD."""
    if name == _USER_DEFINED:
        return "".join(chr(i if i < 0x80 else 0xF700 + i) for i in range(256))
    mended = _SINGLE_BYTE_MENDED.get(name, {})
    table = bytes(range(256)).decode(_SINGLE_BYTE_CODECS[name], "replace")
    return "".join(
        mended.get(i) or (chr(i) if char == REPLACEMENT and 0x80 <= i < 0xA0 else char)
        for i, char in enumerate(table)
    )


def _euc_jp_addition(pair: bytes) -> str | None:
    """Return a character of the rows 13 (NEC) and 89 to 92 (IBM) of JIS X 0208, which code page 932 knows."""
    if len(pair) < 2 or not (0xA1 <= pair[0] <= 0xFE and 0xA1 <= pair[1] <= 0xFE):
        return None
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    lead, trail = row >> 1, cell + 94 * (row & 1)
    shift_jis = bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)))
    char = shift_jis.decode("cp932", "replace")
    return char if len(char) == 1 and char != REPLACEMENT else None


# Runs of characters by their first code: of ETEN, of HKSCS-2008, and those that HKSCS has unified.
_BIG5_RUNS = (
    "877a㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏"
    "䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69"
    "蒨 8f6e萏 8fcb覦覩 8ffe起 906d都 907a銹 90dc靜 90f1響 91bf鼖 9244蔃 92af兙兛兝兞 92c8鍮 92d1瑹 9447浧"
    " 94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨 9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 9bf6澶 9c42輶 9c53侻 9c"
    "62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐秣 9cd0婧 9d57輋 9d5a筑 9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fc"
    "b僭 9fd8弌 a063蠏 a077拎 a0d5瑨 a0df煢 a0e4牐 a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€ c6cf廴 c6d3无 c6"
    "d5癶 c6d7隶 c6de〃仝 fa5f倩 fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 fc4f彘 fc6c悤 fcb"
    "9撐 fce2晴 fcf1杞 fdb7沜渝 fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 fedd砉"
)
_BIG5_SLASHES = re.compile(rb"(?<![\x80-\xff])(?:[\x81-\xfe][\x80-\xff]|\x80|\xff)*+\xa2([AB])")
"""At what a run of bytes beyond ASCII ends, which whole sequences precede."""
_BIG5_TRAILS = (*range(0x40, 0x7F), *range(0xA1, 0xFF))


@functools.cache
def _big5_additions() -> Mapping[bytes, str]:
    """Characters of the Standard's Big5 that Python's codec lacks, by their codes."""
    added: dict[bytes, str] = {}
    for run in _BIG5_RUNS.split():
        lead, first = bytes.fromhex(run[:4])
        at = _BIG5_TRAILS.index(first)
        added |= {bytes((lead, _BIG5_TRAILS[at + i])): char for i, char in enumerate(run[4:])}
    return added


class _TooManyError(Exception):
    """This many errors that the bytes are not text: the codec's own handler, which is faster, will do."""


_MAX_HANDLED = 10_000


@dataclass(frozen=True, slots=True)
class _MultiByte:
    """How an encoding with sequences of several bytes is decoded.

    Attributes:
        codec: the name of Python's codec.
        extent: matches the bytes that one U+FFFD stands for, where an error is.
        addition: the character that the codec lacks, by its bytes.
        mended: what the codec gives and what the Standard has, replaced in this order.
    """

    codec: str
    extent: re.Pattern[bytes]
    addition: Callable[[bytes], str | None] = lambda _: None
    mended: tuple[tuple[str, str], ...] = ()

    def on_error(self, handler: str, error: UnicodeError) -> tuple[str, int]:
        """Return what stands for the bytes at an error, and where to continue; or raise _TooManyError."""
        assert isinstance(error, UnicodeDecodeError)
        # The codec hands in the same exception over and over while it decodes one text.
        handled = error.__dict__["handled"] = error.__dict__.get("handled", 0) + 1
        if handled > _MAX_HANDLED:
            raise _TooManyError
        body, start = error.object, error.start
        wrong = self.extent.match(body, start)
        assert wrong is not None
        pair = self.addition(body[start : start + 2])
        char = pair or self.addition(wrong[0]) or REPLACEMENT
        stop = start + 2 if pair else wrong.end()
        if error.end < len(body):
            return char, stop
        # The codec has all that is left for the beginning of a sequence, and would drop it.
        return char + body[stop:].decode(self.codec, handler), len(body)


# A lead byte takes the next one along, unless that is ASCII.
_PAIRS = re.compile(rb"[\x81-\xfe][\x80-\xff]?|.", re.DOTALL)
_GB18030 = _MultiByte(
    "gb18030",
    re.compile(rb"[\x81-\xfe](?:[0-9](?:\Z|[\x81-\xfe](?:[0-9]|\Z))|[\x80-\xff])?|.", re.DOTALL),
    {b"\x80": "€"}.get,
    (
        ("\ue5e5", "\u3000"),
        *((chr(0xE78D + i), char) for i, char in enumerate("︐︒︑︓︔︕︖︗︘︙")),
        *(("ḿ", "\ud800"), ("\ue7c7", "ḿ"), ("\ud800", "\ue7c7")),  # these two change places
        *zip("\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864", "龴龵龶龷龸龹龺龻", strict=True),
    ),
)
_EUC_JP = _MultiByte(
    "euc_jp",
    re.compile(rb"\x8f[\xa1-\xfe][\x80-\xff]?|[\x8e\x8f\xa1-\xfe][\x80-\xff]?|.", re.DOTALL),
    _euc_jp_addition,
    tuple(zip("〜‖−¢£¬", "～∥－￠￡￢", strict=True)),
)
_ROMAN = {YEN: "¥", OVERLINE: "‾"}
_MULTI_BYTE: Mapping[str, _MultiByte] = {
    "big5": _MultiByte(
        "big5hkscs",
        _PAIRS,
        lambda pair: _big5_additions().get(pair),
        tuple(zip("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡", strict=True)),
    ),
    "euc-jp": _EUC_JP,
    "euc-kr": _MultiByte("cp949", _PAIRS),
    "gb18030": _GB18030,
    "gbk": _GB18030,
    "iso-2022-jp": replace(_EUC_JP, addition=lambda pair: _ROMAN.get(pair) or _euc_jp_addition(pair)),
    "shift_jis": _MultiByte(
        "cp932",
        re.compile(rb"[\x81-\x9f\xe0-\xfc][\x80-\xff]?|.", re.DOTALL),
        mended=tuple((chr(0xF8F0 + i), REPLACEMENT) for i in range(4)),
    ),
}
for _name, _how in _MULTI_BYTE.items():
    _handler = f"cedar.transforms.decode.{_name}"
    codecs.register_error(_handler, functools.partial(_how.on_error, _handler))

_GB18030_REPLACEMENT = b"\x84\x31\xa4\x37"


def encoding_for(label: str) -> str | None:
    """Return the WHATWG name of a label, in lower case; None for no label, and for labels of "replacement".

    Source: WHATWG Encoding, section 4.2, "get an encoding".
    """
    label = label.strip(_ASCII_WHITESPACE)
    # Lower case is ASCII's here: `str.lower` would make a `k` of the Kelvin sign.
    name = LABELS.get(label.lower()) if label.isascii() else None
    return name if name in ENCODINGS else None


def decode(body: bytes, encoding: str, *, final: bool = True) -> tuple[str, int]:
    """Decode `body`; also says how many U+FFFD were put in, not counting those that the bytes hold.

    A byte-order mark is not looked for. Never raises, and gives no lone surrogates. An incomplete sequence at
    the end of what is not `final` is dropped.
    """
    if encoding in _SINGLE_BYTE:
        text, _ = codecs.charmap_decode(body, "strict", _single_byte_table(encoding))
        return text, text.count(REPLACEMENT)
    if encoding == "utf-8":
        text, _ = codecs.utf_8_decode(body, "replace", final)
        # The first byte of U+FFFD never continues with another sequence: each of these decodes to itself.
        return text, text.count(REPLACEMENT) - body.count(b"\xef\xbf\xbd")
    if encoding in ("utf-16le", "utf-16be"):
        return _decode_utf16(body, encoding, final)
    if encoding in UTF_32:
        body = body if final else body[: len(body) // 4 * 4]
        text = body.decode(encoding, "replace")
        return text, text.count(REPLACEMENT) - body.decode(encoding, "ignore").count(REPLACEMENT)
    if encoding == "iso-2022-jp":
        body = to_euc_jp(body, final)
    return _decode_multi_byte(body, encoding, final)


def transcode(body: bytes, encoding: str, *, final: bool = True) -> tuple[bytes, int, int]:
    """Decode `body` as `decode` does, and encode it as UTF-8, without byte-order marks at its beginning.

    Returns:
        The text as UTF-8, its code points, and how many U+FFFD in it were put in here.
    """
    if encoding in _SINGLE_BYTE:  # there is no byte-order mark in these
        utf8, replaced = to_utf8(body, _single_byte_table(encoding))
        return utf8, len(body), replaced
    text, replaced = decode(body, encoding, final=final)
    text = text.lstrip("\ufeff")
    return text.encode(), len(text), replaced


def _decode_multi_byte(body: bytes, encoding: str, final: bool) -> tuple[str, int]:
    how = _MULTI_BYTE[encoding]
    if encoding == "big5" and (b"\xa2A" in body or b"\xa2B" in body):
        text = _decode_slashes(body, final)
    elif encoding == "euc-jp" and b"\x8f\xa2\xb7" in body:
        # The codec makes a tilde of this code; ASCII, as which the others are written, parts any sequence.
        *pieces, last = body.split(b"~")
        texts = [
            *(_decode_by_codec(piece, encoding, True) for piece in pieces),
            _decode_by_codec(last, encoding, final),
        ]
        text = "~".join(piece.replace("~", "～") for piece in texts)
    else:
        text = _decode_by_codec(body, encoding, final)
    for wrong, right in how.mended:
        if wrong in text:
            text = text.replace(wrong, right)
    replaced = text.count(REPLACEMENT)
    if replaced and how is _GB18030 and _GB18030_REPLACEMENT in body:
        replaced -= body.decode(how.codec, "ignore").count(REPLACEMENT)
    return text, replaced


def _decode_by_codec(body: bytes, encoding: str, final: bool) -> str:
    decoder = codecs.getincrementaldecoder(_MULTI_BYTE[encoding].codec)
    try:
        return decoder(f"cedar.transforms.decode.{encoding}").decode(body, final)
    except _TooManyError:
        return decoder("replace").decode(body, final)


def _decode_slashes(body: bytes, final: bool) -> str:
    """Decode Big5 with two codes, A241 and A242, that the codec takes for others."""
    texts: list[str] = []
    start = 0
    for found in _BIG5_SLASHES.finditer(body):
        texts += (
            _decode_by_codec(body[start : found.end() - 2], "big5", True),
            "∕" if found[1] == b"A" else "﹨",
        )
        start = found.end()
    return "".join((*texts, _decode_by_codec(body[start:], "big5", final)))


def _decode_utf16(body: bytes, encoding: str, final: bool) -> tuple[str, int]:
    units = np.frombuffer(body, "<u2" if encoding == "utf-16le" else ">u2", len(body) // 2)
    kind = units & 0xFC00
    high, low = kind == 0xD800, kind == 0xDC00
    is_half_at_end = bool(len(units) and high[-1])
    paired = high[:-1] & low[1:]
    lone = high | low
    lone[:-1] &= ~paired
    lone[1:] &= ~paired
    if not final and is_half_at_end:
        units, lone = units[:-1], lone[:-1]
    replaced = int(np.count_nonzero(lone))
    if replaced:
        units = np.where(lone, units.dtype.type(0xFFFD), units).astype(units.dtype)
    text = units.tobytes().decode(encoding)
    # A byte that is left over is an error, which it shares with the half of a pair before it.
    if final and len(body) % 2 and not is_half_at_end:
        return text + REPLACEMENT, replaced + 1
    return text, replaced


ENCODINGS = frozenset({"utf-8", "utf-16le", "utf-16be", *_SINGLE_BYTE, *_MULTI_BYTE})
"""The names of the encodings that can be decoded."""
