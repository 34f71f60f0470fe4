"""The encodings of the WHATWG Encoding Standard: labels to names, bytes to text.

Python's codecs do the work where they agree with the Standard's indexes; the places where they do not (found
by comparing every sequence of one and two bytes, and the ranges of the longer ones) are mended here. Never
`codecs.lookup` on a label from the web: it knows `unicode_escape`, `idna` and other things that are no
encodings of pages.
"""

from __future__ import annotations

import codecs
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from webencodings.labels import LABELS

from transforms.decode._iso_2022_jp import to_euc_jp
from transforms.decode._single_byte import to_utf8

REPLACEMENT = "\ufffd"

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
    """256 characters: an encoding's, with holes below 0xA0 as C1 controls and the others as U+FFFD.

    Made when the first page needs it: there are 28, each with a module of Python's.
    """
    if name == _USER_DEFINED:
        return "".join(chr(i if i < 0x80 else 0xF700 + i) for i in range(256))
    mended = _SINGLE_BYTE_MENDED.get(name, {})
    table = bytes(range(256)).decode(_SINGLE_BYTE_CODECS[name], "replace")
    return "".join(
        mended.get(i) or (chr(i) if char == REPLACEMENT and 0x80 <= i < 0xA0 else char)
        for i, char in enumerate(table)
    )


def _gb18030_addition(pair: bytes) -> tuple[str, int] | None:
    """Return the euro of code page 936, a byte of its own."""
    return ("€", 1) if pair[0] == 0x80 else None


def _euc_jp_addition(pair: bytes) -> tuple[str, int] | None:
    """Return the rows 13 (NEC) and 89 to 92 (IBM) of JIS X 0208's plane, which code page 932 knows."""
    if len(pair) < 2 or not (0xA1 <= pair[0] <= 0xFE and 0xA1 <= pair[1] <= 0xFE):
        return None
    row, cell = pair[0] - 0xA1, pair[1] - 0xA1
    lead, trail = row >> 1, cell + 94 * (row & 1)
    shift_jis = bytes((lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41)))
    char = shift_jis.decode("cp932", "replace")
    return (char, 2) if len(char) == 1 and char != REPLACEMENT else None


_ETEN_CODES = ("a3e1", "c6cf", "c6d3", "c6d5", "c6d7", "c6de", "c6df")
_ETEN = {bytes.fromhex(code): char for code, char in zip(_ETEN_CODES, "€廴无癶隶〃仝", strict=True)}


def _big5_addition(pair: bytes) -> tuple[str, int] | None:
    """Return the euro and six signs of ETEN's extensions."""
    char = _ETEN.get(pair)
    return (char, 2) if char else None


class _TooManyError(Exception):
    """So many errors that the bytes are no text: the codec's own handler, which is faster, will do."""


_MAX_HANDLED = 10_000


@dataclass(frozen=True, slots=True)
class _MultiByte:
    """How an encoding with sequences of several bytes is decoded.

    Attributes:
        codec: the name of Python's codec.
        leads: the bytes that begin a longer sequence, and how many bytes it has.
        addition: the character that the codec lacks at the beginning of a pair, and its bytes.
        mended: (what the codec gives, what the Standard has): pairs of characters.
    """

    codec: str
    leads: Mapping[int, int]
    addition: Callable[[bytes], tuple[str, int] | None] | None = None
    mended: tuple[tuple[str, str], ...] = ()

    def on_error(self, error: UnicodeError) -> tuple[str, int]:
        """Handle an error: return what stands for the bytes at it, and where to go on.

        A lead byte takes what should have gone on with it along, unless that is ASCII, as the Standard has
        it. Python's codecs go on with the second byte, and pair all that follows wrongly.

        Raises:
            _TooManyError: more than `_MAX_HANDLED` errors in one text.
        """
        assert isinstance(error, UnicodeDecodeError)
        # The codec hands in the same exception over and over while it decodes one text.
        handled = error.__dict__["handled"] = error.__dict__.get("handled", 0) + 1
        if handled > _MAX_HANDLED:
            raise _TooManyError
        body, start = error.object, error.start
        added = self.addition(body[start : start + 2]) if self.addition else None
        if added is not None:
            char, length = added
            # At the end of the body, the error covers digits that could have gone on with the byte.
            rest = body[start + length : error.end].decode("ascii", "replace")
            return char + rest, max(start + length, error.end)
        stop = start + 1
        while stop < min(start + self.leads.get(body[start], 1), len(body)) and body[stop] >= 0x80:
            stop += 1
        return REPLACEMENT, max(stop, error.end)


_PAIRS = dict.fromkeys(range(0x81, 0xFF), 2)
_GB18030 = _MultiByte(
    "gb18030",
    _PAIRS,
    _gb18030_addition,
    (
        ("\ue5e5", "\u3000"),
        *((chr(0xE78D + i), c) for i, c in enumerate("︐︒︑︓︔︕︖︗︘︙")),
        ("\ue7c7", "ḿ"),
        *zip("\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864", "龴龵龶龷龸龹龺龻", strict=True),
    ),
)
_MULTI_BYTE: Mapping[str, _MultiByte] = {
    "big5": _MultiByte(
        "big5hkscs", _PAIRS, _big5_addition, tuple(zip("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡", strict=True))
    ),
    "euc-jp": _MultiByte(
        "euc_jp",
        dict.fromkeys((0x8E, *range(0xA1, 0xFF)), 2) | {0x8F: 3},
        _euc_jp_addition,
        tuple(zip("〜‖−¢£¬", "～∥－￠￡￢", strict=True)),
    ),
    "euc-kr": _MultiByte("cp949", _PAIRS),
    "gb18030": _GB18030,
    "gbk": _GB18030,
    "shift_jis": _MultiByte(
        "cp932",
        dict.fromkeys((*range(0x81, 0xA0), *range(0xE0, 0xFD)), 2),
        mended=tuple((chr(0xF8F0 + i), REPLACEMENT) for i in range(4)),
    ),
}
for _name, _how in _MULTI_BYTE.items():
    codecs.register_error(f"transforms.decode.{_name}", _how.on_error)

_GB18030_REPLACEMENT = b"\x84\x31\xa4\x37"


def encoding_for(label: str) -> str | None:
    """Return the WHATWG name of a label, in lower case; None for no label, and for those of "replacement".

    Source: WHATWG Encoding, section 4.2, "get an encoding".
    """
    label = label.strip(_ASCII_WHITESPACE)
    # Lower case is ASCII's here: `str.lower` would make a `k` of the Kelvin sign.
    name = LABELS.get(label.lower()) if label.isascii() else None
    return name if name in ENCODINGS else None


def decode(body: bytes, encoding: str, *, final: bool = True) -> tuple[str, int]:
    """Decode `body`; a byte-order mark is not looked for.

    Never raises, and gives no lone surrogates.

    Args:
        body: the bytes.
        encoding: one of `ENCODINGS`.
        final: False where `body` is cut: an incomplete sequence at its end is then dropped.

    Returns:
        The text, and how many U+FFFD in it were put in here, not counting those that the bytes hold.
    """
    if encoding in _SINGLE_BYTE:
        text, _ = codecs.charmap_decode(body, "strict", _single_byte_table(encoding))
        return text, text.count(REPLACEMENT)
    if encoding == "utf-8":
        text, _ = codecs.utf_8_decode(body, "replace", final)
        # The first byte of U+FFFD never goes on with another sequence: each of these decodes to itself.
        return text, text.count(REPLACEMENT) - body.count(b"\xef\xbf\xbd")
    if encoding in ("utf-16le", "utf-16be"):
        return _decode_utf16(body, encoding, final)
    if encoding == "iso-2022-jp":
        return _decode_multi_byte(to_euc_jp(body, final), "euc-jp", final)
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
    decoder = codecs.getincrementaldecoder(how.codec)
    try:
        text = decoder(f"transforms.decode.{encoding}").decode(body, final)
    except _TooManyError:
        text = decoder("replace").decode(body, final)
    for wrong, right in how.mended:
        if wrong in text:
            text = text.replace(wrong, right)
    replaced = text.count(REPLACEMENT)
    if replaced and how is _GB18030 and _GB18030_REPLACEMENT in body:
        replaced -= body.decode(how.codec, "ignore").count(REPLACEMENT)
    return text, replaced


def _decode_utf16(body: bytes, encoding: str, final: bool) -> tuple[str, int]:
    units = np.frombuffer(body, "<u2" if encoding == "utf-16le" else ">u2", len(body) // 2)
    kind = units & 0xFC00
    high, low = kind == 0xD800, kind == 0xDC00
    paired = high[:-1] & low[1:]
    lone = high | low
    lone[:-1] &= ~paired
    lone[1:] &= ~paired
    if not final and len(units) and lone[-1] and high[-1]:
        units, lone = units[:-1], lone[:-1]
    replaced = int(np.count_nonzero(lone))
    if replaced:
        units = np.where(lone, units.dtype.type(0xFFFD), units).astype(units.dtype)
    text = units.tobytes().decode(encoding)
    if final and len(body) % 2:
        return text + REPLACEMENT, replaced + 1
    return text, replaced


ENCODINGS = frozenset({"utf-8", "utf-16le", "utf-16be", "iso-2022-jp", *_SINGLE_BYTE, *_MULTI_BYTE})
"""The names of the encodings that can be decoded."""
