"""From a page's bytes to UTF-8: which encoding, and who says so.

The chain: byte-order mark; valid UTF-8 without NUL or ESC; the HTTP header; `<meta>`; a detector;
windows-1252. That valid UTF-8 comes before the labels departs from the HTML Standard on purpose: text in
another encoding is almost never valid UTF-8 by chance, and labels are often wrong. NUL and ESC betray UTF-16
and ISO-2022-JP, which may be valid UTF-8 to the letter. UTF-32, which the Standard does not have, is read
after its byte-order mark; its labels are unknown ones, as in browsers.

A wrong label UTF-8, the commonest, is passed over: it holds where more characters beyond ASCII are valid
UTF-8 than there are errors (other encodings have .4 or fewer for each error by chance), or where each error
is a character that was cut after two bytes or more, or a surrogate; without a label UTF-8 needs more than
twice as many. Where the only byte beyond ASCII is an error, it is an apostrophe or an accent of windows-1252.
"""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import cchardet

from cedar.transforms.decode._utf8 import survey, weigh
from cedar.transforms.decode.encodings import encoding_for, transcode
from cedar.transforms.decode.prescan import declared_charset

DETECTED_BYTES = 65536
"""Bytes of a page that the detector reads."""

FALLBACK = "windows-1252"

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32le"),  # begins as UTF-16's mark, after which no page has a NUL
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
# Names that the detector has for encodings of the Standard, but the Standard has not.
_DETECTOR_NAMES: Mapping[str, str] = {
    "uhc": "euc-kr",
    "maccyrillic": "x-mac-cyrillic",
    "mac-cyrillic": "x-mac-cyrillic",
}


class CharsetSource(StrEnum):
    """Who named the encoding."""

    BOM = "bom"
    UTF8 = "utf8"
    HEADER = "header"
    META = "meta"
    DETECTOR = "detector"
    FALLBACK = "fallback"


@dataclass(slots=True)
class DecodedText:
    """A page's text as UTF-8, always valid, without a byte-order mark, and how many code points it has.

    `charset` is the WHATWG name of the encoding it came in (or `utf-32le`, `utf-32be`), `source` who named
    it; `replaced` are the U+FFFD that decoding put in; those that the page itself holds do not count.
    """

    utf8: bytes
    chars: int
    charset: str
    source: CharsetSource
    replaced: int


def decode_text(body: bytes, *, header_label: str | None, truncated: bool) -> DecodedText:
    """Decode a page. Never raises, whatever the bytes and the label of the Content-Type header.

    Valid UTF-8 without a byte-order mark is handed back as it came, the same object. An incomplete sequence
    at the end of a `truncated` body is dropped, not replaced.
    """
    final = not truncated
    for bom, encoding in _BOMS:
        if body.startswith(bom):
            return _decoded(body[len(bom) :], encoding, CharsetSource.BOM, final=final)
    stop, chars, marked = survey(body, final)
    if chars >= 0 and not marked:
        return DecodedText(body if stop == len(body) else body[:stop], chars, "utf-8", CharsetSource.UTF8, 0)
    first_invalid = stop if chars < 0 else None
    encoding, source = _declared(body, header_label, first_invalid) or _undeclared(body, first_invalid)
    return _decoded(body, encoding, source, final=final)


def _decoded(body: bytes, encoding: str, source: CharsetSource, *, final: bool) -> DecodedText:
    utf8, chars, replaced = transcode(body, encoding, final=final)
    return DecodedText(utf8, chars, encoding, source, replaced)


def _declared(
    body: bytes, header_label: str | None, first_invalid: int | None
) -> tuple[str, CharsetSource] | None:
    """Find the encoding that the header declares, or else the page; UTF-8 only where the page is UTF-8."""
    encoding = encoding_for(header_label or "")
    if encoding and _may_be(encoding, body, first_invalid):
        return encoding, CharsetSource.HEADER
    encoding = encoding_for(declared_charset(body, lambda label: encoding_for(label) is not None) or "")
    if encoding is None:
        return None
    # HTML Standard, prescan: what could be read byte by byte is not in UTF-16, whatever it says.
    if encoding.startswith("utf-16"):
        encoding = "utf-8"
    elif encoding == "x-user-defined":
        encoding = "windows-1252"
    return (encoding, CharsetSource.META) if _may_be(encoding, body, first_invalid) else None


def _may_be(encoding: str, body: bytes, first_invalid: int | None) -> bool:
    """Return whether a label that names `encoding` is to be believed; only UTF-8 is ever in doubt."""
    if encoding != "utf-8":
        return True
    if first_invalid is None:  # UTF-16 or ISO-2022-JP, perhaps
        return _undeclared(body, None)[0] == "utf-8"
    right, wrong, alone = weigh(body)
    return right > wrong or not alone


def _undeclared(body: bytes, first_invalid: int | None) -> tuple[str, CharsetSource]:
    """Return the encoding of a page that declares none; without an invalid byte it has a NUL or an ESC."""
    detected = _utf16_by_nuls(body)
    if detected is None and first_invalid is not None:
        # Detectors give UTF-8 up for a single error.
        right, wrong, _ = weigh(body)
        detected = "utf-8" if right > 2 * wrong else None
    detected = detected or _detected(body, first_invalid or 0)
    if first_invalid is None and detected not in ("utf-16le", "utf-16be", "iso-2022-jp"):
        return "utf-8", CharsetSource.UTF8
    if detected:
        return detected, CharsetSource.DETECTOR
    return FALLBACK, CharsetSource.FALLBACK


def _detected(body: bytes, first_invalid: int) -> str | None:
    """Return what the detector says of the page, or None where that is not an encoding of the Standard.

    It reads the first `DETECTED_BYTES`; where all of these are valid UTF-8, it reads on up to the first byte
    that is not and beyond, as there is nothing to learn before.
    """
    start = max(0, first_invalid - DETECTED_BYTES // 2) if first_invalid >= DETECTED_BYTES else 0
    name = cchardet.detect(body[start : start + DETECTED_BYTES])["encoding"]
    name = (name or "").lower()
    # It also says ASCII or UTF-8 where it knows nothing; whether it is UTF-8 is known by now.
    if name in ("ascii", "utf-8"):
        return None
    return encoding_for(_DETECTOR_NAMES.get(name, name))


def _utf16_by_nuls(body: bytes) -> str | None:
    """UTF-16 without a byte-order mark: markup has a NUL in every other byte, on one side only."""
    sample = body[: DETECTED_BYTES // 8]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 5 < len(sample) // 2 or min(even, odd) * 8 > max(even, odd):
        return None
    return "utf-16le" if odd > even else "utf-16be"
