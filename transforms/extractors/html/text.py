"""How a page's text reads in the output.

Rendering decodes entities, makes each run of blanks one space, trims, and drops the control characters that
are no blanks (they go first: they part no words and hold no blanks apart).
"""

from __future__ import annotations

import html as html_standard
import re
from collections import Counter

import numpy as np

from transforms.compiled import compiled
from transforms.extractors.html import characters
from transforms.extractors.html.characters import SPACE, Bytes, Flags, Offsets
from transforms.extractors.html.text_bytes import TextBytes

_DELETE = np.uint8(0x7F)
_SEPARATOR = 0x1E  # a blank, so the text holds none once its blanks are spaces; no entity decodes to it
_DROPPED = bytes(b for b in [*range(0x20), 0x7F] if not chr(b).isspace())
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_SPACE_REFERENCE = re.compile(
    rb"&(?:nbsp;|#0*(?:32|160)(?:;|(?![0-9]))|#[xX]0*(?:20|[aA]0)(?:;|(?![0-9a-fA-F])))"
)
_HIGH_CONTROL = re.compile(rb"\xc2[\x80-\x84\x86-\x9f]")
_REFERENCE = re.compile("&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[0-9A-Za-z]{1,32});?")
_LONGEST_REFERENCE = 40
_BLANK_SPELLINGS = 16  # of blanks as references, which cost a pass each
_REFERENCE_IN_TEXT = re.compile(rb"&[#0-9A-Za-z]*+[;\0]?")
"""What may be a reference, with what else its last part could be; a NUL behind it may hide more of it."""

_LONG_DECIMAL = re.compile("&#[0-9]{9,}")


# The references that pages are full of, and that stand for one visible character.
_USUAL = {
    reference: html_standard.unescape(reference)
    for reference in re.findall(
        "&[^&]+;",
        "&amp;&lt;&gt;&quot;&apos;&#34;&#38;&#39;&#039;&#x27;&copy;&reg;&middot;&laquo;&raquo;&ndash;&mdash;&hellip;"
        "&lsquo;&rsquo;&ldquo;&rdquo;&#8211;&#8212;&#8216;&#8217;&#8220;&#8221;&#8230;",
    )
}
_USUAL_LENGTHS = dict.fromkeys(map(str.encode, ("&", *_USUAL)), 1) | {b"&nbsp;": 0, b"&#160;": 0}


def render_lines(text: TextBytes, stops: Offsets) -> list[str]:
    """Renders the whole page, cut into lines.

    Args:
        text: the page's text.
        stops: int64 (n,), ascending, where each line ends in `text.coded`; the byte there is no part of a
            line. A line begins after the one before.

    Returns:
        The lines as they read in the output; "" where nothing is visible.
    """
    return line_texts(text.coded, stops)


@compiled
def line_texts(coded: Bytes, stops: Offsets) -> list[str]:
    """The lines of `render_lines`, from `TextBytes.coded`."""
    coded = coded.copy()
    coded[stops] = _SEPARATOR
    return _rendered_lines(coded.tobytes())


def render_kept(text: TextBytes, starts: Offsets, stops: Offsets, kept: Flags) -> tuple[str, int]:
    """Renders the lines that are kept, as `render_lines` does, and nothing else.

    Args:
        text: the page's text.
        starts: int64 (n,), where each line starts in `text.coded`.
        stops: int64 (n,), where it ends, as for `render_lines`.
        kept: bool (n,), the lines to render.

    Returns:
        The lines in which anything is visible, joined by line feeds; and their number of words.
    """
    return kept_text(text.coded, starts, stops, kept)


@compiled
def kept_text(coded: Bytes, starts: Offsets, stops: Offsets, kept: Flags) -> tuple[str, int]:
    """The text of `render_kept` and its number of words, from `TextBytes.coded`."""
    coded = coded.copy()
    coded[stops] = _SEPARATOR
    edges = characters.edges(kept)
    firsts, lasts = starts[edges[::2]], stops[edges[1::2] - 1]
    runs = [coded[a : b + 1].tobytes() for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True)]
    page = "\n".join(filter(None, _rendered_lines(b"".join(runs))))
    return page, words(page)


def words(text: str) -> int:
    """Number of words of rendered text: there is one blank or line feed between two of them."""
    if not text:
        return 0
    return int(np.count_nonzero(np.frombuffer(text.encode(), np.uint8) <= SPACE)) + 1


def visible_chars(text: TextBytes, starts: Offsets, stops: Offsets) -> int:
    """Code points of the whole page in the output, line feeds between its lines included.

    Not rendered but counted: every word is followed by one blank or line feed, save for the last.

    Args:
        text: the page's text.
        starts: int64 (n,), where each line starts in `text.coded`.
        stops: int64 (n,), where it ends; lines that do not end behind their start are of no account.
    """
    return visible_code_points(text.coded, text.placeholders, starts, stops)


@compiled
def visible_code_points(coded: Bytes, placeholders: Offsets, starts: Offsets, stops: Offsets) -> int:
    """The number of `visible_chars`, from `TextBytes.coded` and its placeholders."""
    coded = coded.copy()
    coded[stops[stops > starts]] = SPACE
    # Where tags leave nothing; any other NUL is one of the controls.
    nul = placeholders.compress(coded.take(placeholders) == 0)
    continuations = characters.continuation(coded).nonzero()[0]
    if _holds_controls(coded, continuations, nul.size):
        return len(rendered(coded.tobytes()))
    written, grown = coded.tobytes(), 0
    blanks = 0
    for token, times in Counter(_REFERENCE_IN_TEXT.findall(written)).items():
        length = _decoded_length(token)
        blanks += length == 0
        if length is None or blanks > _BLANK_SPELLINGS:
            return len(rendered(coded.tobytes()))
        if length:
            grown += (length - len(token)) * times
        else:
            written = written.replace(token, b" " * len(token))
    solid = np.frombuffer(written, np.uint8) > SPACE
    before = np.empty_like(solid)
    before[:1] = False
    before[1:] = solid[:-1]
    found = np.count_nonzero(solid > before)
    if not found:
        return 0
    # A tag that leaves nothing parts no word.
    if nul.size:
        apart = np.diff(nul) != 1
        first, last = nul[np.concatenate(([True], apart))], nul[np.concatenate((apart, [True]))]
        found -= np.count_nonzero(before[first] & solid[last + 1])
    visible = np.count_nonzero(solid) - np.count_nonzero(solid[continuations])
    return int(visible + found - 1 + grown)


def _holds_controls(coded: Bytes, continuations: Offsets, nul: int) -> bool:
    """Whether the text holds control characters but for the NUL, so many, that tags leave."""
    if np.count_nonzero(coded < SPACE) != nul or (coded == _DELETE).any():
        return True
    # C2 begins U+0080 to U+00BF; what was a blank among them is a space by now.
    return bool(((coded[continuations - 1] == 0xC2) & (coded[continuations] < 0xA0)).any())


def _decoded_length(token: bytes) -> int | None:
    """Characters that a `_REFERENCE_IN_TEXT` stands for; 0 for a blank; None where it is not that simple."""
    if (known := _USUAL_LENGTHS.get(token)) is not None:
        return known
    if token.endswith(b"\0"):
        return None
    decoded = _unescaped(token.decode(), {})
    if decoded.isspace() and token.endswith(b";"):  # or longer ones could begin with it
        return 0
    return len(decoded) if decoded and " " not in decoded and _tidied(decoded) == decoded else None


def _rendered_lines(coded: bytes) -> list[str]:
    """Renders text of which each line is closed by a separator."""
    packed = _without_controls(coded)
    if b"&" in packed:
        packed = _SPACE_REFERENCE.sub(b" ", packed)
    # A run of blanks shrinks to its last space, and to nothing before a separator.
    data = np.frombuffer(packed, np.uint8)
    kept = np.ones(data.size, bool)
    kept[:-1] = (data[:-1] != SPACE) | (data[1:] > SPACE)
    decoded: dict[str, str] = {}
    page = _unescaped(data[kept].tobytes().decode(), decoded)
    lines = list(map(str.strip, page.split("\x1e")[:-1]))
    # What is left to do was made by references: blanks other than spaces, and control characters.
    # Those that html.unescape drops may leave two spaces.
    if all(character and _tidied(character) == character for character in decoded.values()):
        return lines
    return [line if line.isprintable() and "  " not in line else _tidied(line) for line in lines]


def _without_controls(text: bytes) -> bytes:
    """UTF-8 without the control characters that are no blanks."""
    packed = text.translate(None, _DROPPED)
    return _HIGH_CONTROL.sub(b"", packed) if b"\xc2" in packed else packed


def render_range(text: TextBytes, start: int, stop: int) -> str:
    """Renders the range [start, stop) of `text.coded` as one line."""
    return rendered(text.coded[start:stop].tobytes())


@compiled
def rendered(text: bytes) -> str:
    """Renders UTF-8 text without tags as one line: entities decoded, blanks collapsed, controls dropped."""
    return _tidied(_unescaped(_without_controls(text).decode(), {}))


def after_reference(text: TextBytes, offset: int) -> int:
    """The end of the character reference that `offset` of `text.coded` cuts in two; `offset` if none.

    A reference belongs to the line in which it begins, and comes out whole.
    """
    first = max(0, offset - _LONGEST_REFERENCE)
    around = text.coded[first : offset + _LONGEST_REFERENCE].tobytes().decode("latin-1")
    ampersand = around.rfind("&", 0, offset - first)
    found = _REFERENCE.match(around, ampersand) if ampersand >= 0 else None
    if found is None or first + found.end() <= offset:
        return offset
    return first + found.end() if _unescaped(found[0], {}) != found[0] else offset


def _unescaped(text: str, decoded: dict[str, str]) -> str:
    """Decodes the character references of `text`, and puts each but the usual ones into `decoded`."""

    def decode(reference: re.Match[str]) -> str:
        written = reference[0]
        if usual := _USUAL.get(written):
            return usual
        if written not in decoded:
            # Python refuses to read integers of thousands of digits; nine are beyond Unicode as well.
            short = _LONG_DECIMAL.sub(_shortened, written)
            decoded[written] = html_standard.unescape(short)
        return decoded[written]

    return _REFERENCE.sub(decode, text) if "&" in text else text


def _shortened(reference: re.Match[str]) -> str:
    return "&#" + (reference[0][2:].lstrip("0") or "0")[:9]


def _tidied(text: str) -> str:
    return " ".join(_CONTROLS.sub("", text).split())
