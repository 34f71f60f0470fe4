"""The text of a page outside of its tags: one array of bytes, and what kinds of characters stand in it.

Each tag leaves a placeholder of one byte. References are decoded, runs of blanks shrink to one space, control
characters go; inside of `pre` blanks and line ends stay.
"""

from __future__ import annotations

import html as html_standard
import re
import unicodedata
from collections.abc import Callable
from html.entities import html5

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.html import characters
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets

BREAK, INLINE = np.uint8(0x1C), np.uint8(0x1D)
"""Placeholders: of tags that part blocks, and of others."""

HARD_LINE, HARD_SPACE, HARD_TAB = np.uint8(0x01), np.uint8(0x02), np.uint8(0x03)
"""Line feed, space and tab inside of `pre`."""

OTHER, LETTER, UPPER, DIGIT, UNSPACED, IDEOGRAPH, STOP, COMMA, COLON, RULE, AT, INNER = range(12)
"""Kinds of bytes: letters of scripts that part words (capitals apart), digits, characters of scripts that do
not (Thai and its kin; Han and kana), ends of sentences, commas, colons, rules between links (`|`, bullets,
copyright), signs of addresses and prices, and the later bytes of letters."""

KINDS = 12

_DROPPED = np.uint8(0x0E)
_REFERENCE = re.compile(rb"&(?:#[0-9]++|#[xX][0-9a-fA-F]++|[0-9A-Za-z]{1,32}+);?")
_HIGH_CONTROL = re.compile(rb"\xc2[\x80-\x9f]")
_STOPS = ".!?\u2026\u3002\uff01\uff1f\uff0e\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u17d4\u104b\u203d"
_COMMAS = ",;\u3001\uff0c\uff1b\uff64\u060c\u061b\u1363\u104a\u05be"
_COLONS = ':\uff1a\u2013\u2014"'
_RULES = (
    "|\u00bb\u00ab\u203a\u2039\u2022\u00b7\u00a9\u00ae\u2122\u2192\u2190\u25b6\u25ba>/\\\u2044\uff5c\u00a6"
)
_SIGNS = "@$\u20ac\u00a3\u00a5\u20b9%#+*="


def _kinds() -> Bytes:
    """The kind of each code point of the basic plane."""
    kinds = np.zeros(0x10000, np.uint8)
    for code in range(0x10000):
        category = unicodedata.category(chr(code))
        if category[0] in "LM":
            kinds[code] = LETTER
        elif category == "Nd":
            kinds[code] = DIGIT
    for first, stop in ((0x0E00, 0x0EFF), (0x0F00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF)):
        kinds[first:stop][kinds[first:stop] == LETTER] = UNSPACED
    for first, stop in (
        (0x2E80, 0x3000),
        (0x3005, 0x3008),
        (0x3041, 0x3100),
        (0x3400, 0xA000),
        (0xF900, 0xFB00),
    ):
        kinds[first:stop] = IDEOGRAPH
    kinds[ord("A") : ord("Z") + 1] = UPPER
    for text, kind in ((_STOPS, STOP), (_COMMAS, COMMA), (_COLONS, COLON), (_RULES, RULE), (_SIGNS, AT)):
        kinds[[ord(character) for character in text]] = kind
    return kinds


CODE_POINTS = _kinds()
"""The kind of each code point of the basic plane, uint8 (65536,)."""

_IN_WORD = np.isin(np.arange(KINDS), (LETTER, UPPER, DIGIT, INNER))
_PLACEHOLDERS = bytes((BREAK, INLINE))


def cleaned(data: Bytes, marks: Offsets, parts: Flags, preformatted: Flags) -> bytes:
    """Cleans the text of a page, but for its references.

    Args:
        data: uint8 (m,), UTF-8, the text with one byte for each tag.
        marks: int64 (t,), where these bytes are.
        parts: bool (t,), whether the tag parts blocks.
        preformatted: bool (t,), whether the text after the tag is inside of `pre`.

    Returns:
        The text as described above, with placeholders.
    """
    coded = characters.blanks_as_spaces(data)
    coded[coded < SPACE] = _DROPPED
    if preformatted.any():
        within = np.repeat(preformatted, np.diff(marks, append=data.size))
        offset = int(marks[0]) if marks.size else 0
        for byte, stand_in in ((0x0A, HARD_LINE), (0x20, HARD_SPACE), (0x09, HARD_TAB)):
            coded[offset:][within & (data[offset:] == byte)] = stand_in
    coded[marks] = np.where(parts, BREAK, INLINE)
    text = coded.tobytes().translate(None, _DROPPED.tobytes())
    if b"\xc2" in text:
        text = _HIGH_CONTROL.sub(b"", text)
    return shrunk(text).tobytes()


def unescaped(text: bytes) -> bytes:
    """Decodes references; what is a blank becomes a space, control characters go."""
    return _unescaped(text, _character) if b"&" in text else text


@compiled
def _unescaped(text: bytes, decoded: Callable[[bytes], bytes]) -> bytes:
    """Puts what each different reference is decoded to in its place."""
    known: dict[bytes, bytes] = {}

    def decode(reference: re.Match[bytes]) -> bytes:
        written = reference[0]
        if written not in known:
            known[written] = decoded(written)
        return known[written]

    return _REFERENCE.sub(decode, text)


def shrunk(text: bytes) -> Bytes:
    """Text of which each run of spaces is one space: uint8 (m,)."""
    coded = np.frombuffer(text, np.uint8)
    kept: Flags = coded != SPACE
    kept[:-1] |= kept[1:]
    kept[-1:] = True
    left: Bytes = coded[kept]
    return left


def _character(reference: bytes) -> bytes:
    written = reference.decode()
    decoded = html5.get(written[1:])
    if decoded is None:
        decoded = _numbered(written) if written[1] == "#" else html_standard.unescape(written)
    if decoded.isspace():
        return b" "
    return "".join(c for c in decoded if unicodedata.category(c) not in ("Cc", "Cs")).encode()


def _numbered(written: str) -> str:
    """What a reference by number stands for."""
    # Python refuses to read integers of thousands of digits; nine are beyond Unicode as well.
    base = 16 if written[2] in "xX" else 10
    digits = written[2:].lstrip("xX").rstrip(";").lstrip("0")[:9] or "0"
    code = int(digits, base)
    return chr(code) if _PLAIN[0] <= code < _PLAIN[1] else html_standard.unescape(f"&#{code};")


_PLAIN = 0xA0, 0xD800
"""Code points that references always stand for by their numbers."""


def byte_kinds(coded: Bytes, table: Bytes) -> Bytes:
    """The kind of each byte: of a code point beyond ASCII, the first has its kind.

    The other bytes are `INNER` in letters, so that these hold a word together, and `OTHER` elsewhere.

    Args:
        coded: UTF-8 with placeholders, uint8 (m,).
        table: `CODE_POINTS`.

    Returns:
        uint8 (m,).
    """
    of_ascii = table[:0x80].tobytes() + bytes([OTHER]) * 0x80
    kinds = np.frombuffer(bytearray(coded).translate(of_ascii), np.uint8)
    leads = (coded >= 0xC2).nonzero()[0]
    if not leads.size:
        return kinds
    data = np.concatenate((coded, np.zeros(3, np.uint8)))
    first = data[leads].astype(np.int64)
    second, third = (data[leads + 1] & 0x3F).astype(np.int64), (data[leads + 2] & 0x3F).astype(np.int64)
    two, three = first < 0xE0, first < 0xF0
    code = np.where(two, (first & 0x1F) << 6 | second, (first & 0x0F) << 12 | second << 6 | third)
    kind = np.where(three, table[code & 0xFFFF], OTHER)
    kind[(first == 0xF0) & (second >= 0x20)] = IDEOGRAPH  # planes 2 and 3
    kinds[leads] = kind
    inner = np.where((kind == LETTER) | (kind == DIGIT), INNER, OTHER)
    for place, some in ((1, np.ones(leads.size, bool)), (2, ~two), (3, ~three)):
        kinds[leads[some] + place] = inner[some]
    return kinds


def word_starts(kinds: Bytes) -> Offsets:
    """Where words of scripts that part them begin: int64 (w,), ascending."""
    inside = _IN_WORD.take(kinds)
    first = inside.copy()
    first[1:] &= ~inside[:-1]
    return first.nonzero()[0]


def readable(text: bytes) -> str:
    """A range of the array as it reads in the output: no placeholders, lines of `pre` kept."""
    plain = text.translate(None, _PLACEHOLDERS)
    if b"\x01" in plain or b"\x02" in plain or b"\x03" in plain:
        plain = plain.translate(_HARD)
        lines = [line.rstrip() for line in plain.decode().split("\n")]
        return "\n".join(filter(None, lines))
    return b" ".join(plain.split()).decode()


_HARD = bytes.maketrans(bytes((1, 2, 3)), b"\n \t")
