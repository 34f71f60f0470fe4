"""Twins of `transforms.extractors.dom_text`."""

import html
import unicodedata

import numpy as np

from libc.stdint cimport int64_t
from libc.string cimport memcpy
from transforms.compiled.markup cimport find_before

cdef unsigned char _SPACE = 0x20
cdef unsigned char _BLOCK = 0x1E
cdef unsigned char _INLINE = 0x00


def _text_arrays(
    const unsigned char[::1] xml not None,
    const int64_t[::1] starts not None,
    const int64_t[::1] stops not None,
    parts not None,
):
    """The fields of a `TreeText`: one sweep over the text, a placeholder for each tag on the way."""
    cdef Py_ssize_t tags = starts.shape[0], tag, at, stop, out = 0, first, length, inner
    cdef Py_ssize_t size = 0
    cdef int64_t block = 0
    cdef const unsigned char[::1] is_part = parts.view(np.uint8)
    for tag in range(tags):
        size += _text_stop(xml, starts, tag) - stops[tag]
    # References shrink, but for two of HTML's: `&nLt;`, of five bytes, stands for six.
    coded_array = np.empty(size + size // 4 + tags, np.uint8)
    marks_array = np.empty(tags + 1, np.int64)
    chars_array = np.empty(tags, np.int64)
    blocks_array = np.empty(tags, np.int64)
    before_array = np.empty(tags, np.uint8)
    after_array = np.empty(tags, np.uint8)
    cdef unsigned char[::1] coded = coded_array, before = before_array, after = after_array
    cdef int64_t[::1] marks = marks_array, chars = chars_array, blocks = blocks_array
    cdef unsigned char byte, second
    for tag in range(tags):
        marks[tag] = out
        block += is_part[tag]
        blocks[tag] = block
        coded[out] = _BLOCK if is_part[tag] else _INLINE
        out += 1
        first = out
        inner = 0
        at = stops[tag]
        stop = _text_stop(xml, starts, tag)
        while at < stop:
            byte = xml[at]
            at += 1
            # Most bytes are letters, and single spaces between them: without a branch for each.
            if (byte < 0x7F) & (byte != c'&') & (
                (byte > _SPACE) | ((byte == _SPACE) & (coded[out - 1] != _SPACE))
            ):
                coded[out] = byte
                out += 1
                continue
            if byte <= _SPACE:
                # The other control characters go.
                if byte >= 0x1C or 0x09 <= byte <= 0x0D:
                    out = _with_space(coded, out)
                continue
            if byte == c'&':
                length = _plain_reference(xml, at, stop)
                if length:
                    byte = c'&' if xml[at] == c'a' else c'<' if xml[at] == c'l' else c'>'
                    at += length
                else:
                    length = out
                    at, out = _with_reference(xml, at, stop, coded, out)
                    while length < out:
                        inner += (coded[length] & 0xC0) == 0x80
                        length += 1
                    continue
            else:
                if byte == 0x7F:
                    continue
                if byte == 0xC2 and at < stop and xml[at] <= 0xA0:
                    second = xml[at]
                    at += 1
                    if second == 0x85 or second == 0xA0:
                        out = _with_space(coded, out)
                        continue
                    if second < 0xA0:
                        continue
                    at -= 1
                elif 0xE1 <= byte <= 0xE3 and stop - at >= 2 and _is_wide_blank(byte, xml[at], xml[at + 1]):
                    at += 2
                    out = _with_space(coded, out)
                    continue
                inner += (byte & 0xC0) == 0x80
            coded[out] = byte
            out += 1
        length = out - first
        before[tag] = length > 0 and coded[first] == _SPACE
        after[tag] = length > 1 and coded[out - 1] == _SPACE
        chars[tag] = length - inner - before[tag] - after[tag]
    marks[tags] = out
    return (
        coded_array[:out],
        marks_array,
        chars_array,
        before_array.view(np.bool_),
        after_array.view(np.bool_),
        blocks_array,
    )


cdef inline Py_ssize_t _text_stop(
    const unsigned char[::1] xml, const int64_t[::1] starts, Py_ssize_t tag
) noexcept nogil:
    """Where the text after a tag ends."""
    return starts[tag + 1] if tag + 1 < starts.shape[0] else xml.shape[0]


cdef inline Py_ssize_t _with_space(unsigned char[::1] coded, Py_ssize_t out) noexcept nogil:
    """Writes a space, unless it follows one; the byte after it. A placeholder stands before all text."""
    if coded[out - 1] == _SPACE:
        return out
    coded[out] = _SPACE
    return out + 1


cdef inline bint _is_wide_blank(unsigned char first, unsigned char second, unsigned char third) noexcept nogil:
    """Whether three bytes are a blank: U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000."""
    if first == 0xE1:
        return second == 0x9A and third == 0x80
    if first == 0xE3:
        return second == 0x80 and third == 0x80
    if second == 0x80:
        return third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
    return second == 0x81 and third == 0x9F


cdef inline Py_ssize_t _plain_reference(
    const unsigned char[::1] xml, Py_ssize_t at, Py_ssize_t stop
) noexcept nogil:
    """The length of `amp;`, `lt;` or `gt;` if one is at `at`, else 0."""
    if stop - at >= 3 and (xml[at] == c'l' or xml[at] == c'g') and xml[at + 1] == c't' and xml[at + 2] == c';':
        return 3
    if stop - at >= 4 and xml[at] == c'a' and xml[at + 1] == c'm' and xml[at + 2] == c'p' and xml[at + 3] == c';':
        return 4
    return 0


cdef (Py_ssize_t, Py_ssize_t) _with_reference(
    const unsigned char[::1] xml, Py_ssize_t at, Py_ssize_t stop, unsigned char[::1] coded, Py_ssize_t out
) except *:
    """Writes what any other reference stands for, whose name begins at `at`; the bytes after both."""
    cdef Py_ssize_t end = find_before(xml, c';', at, stop), i
    cdef const unsigned char[::1] piece
    if end < 0:
        coded[out] = c'&'
        return at, out + 1
    character = html.unescape(f"&{bytes(xml[at:end]).decode()};")
    if character.isspace():
        return end + 1, _with_space(coded, out)
    if unicodedata.category(character) == "Cc":
        return end + 1, out
    piece = character.encode()
    for i in range(piece.shape[0]):
        coded[out + i] = piece[i]
    return end + 1, out + piece.shape[0]


def _words(const unsigned char[::1] coded not None, const int64_t[::1] marks not None):
    """How many words follow each tag: spaces stand alone, so there is one before each word but the first."""
    cdef Py_ssize_t tags = marks.shape[0] - 1, tag, at
    words_array = np.empty(tags, np.int64)
    cdef int64_t[::1] words = words_array
    cdef int64_t count
    for tag in range(tags):
        count = 0
        for at in range(marks[tag] + 1, marks[tag + 1]):
            count += (coded[at] > _SPACE) & (coded[at - 1] <= _SPACE)
        words[tag] = count
    return words_array


def _joined(
    const unsigned char[::1] coded not None,
    const int64_t[::1] marks not None,
    const int64_t[::1] chars not None,
    const int64_t[::1] blocks not None,
    kept not None,
):
    """The blocks of which some text is kept, a line for each."""
    cdef const unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t tags = chars.shape[0], tag, first = 0, last, at, stop, out = 0
    joined_array = np.empty(coded.shape[0] + 1, np.uint8)
    cdef unsigned char[::1] joined = joined_array
    cdef bint some, fresh = False, waiting = False, trailing  # at a line's begin; a space before what comes
    while first < tags:
        some = False
        last = first
        while last < tags and blocks[last] == blocks[first]:
            some |= stays[last] and chars[last] > 0
            last += 1
        if not some:
            first = last
            continue
        for tag in range(first, last):
            at, stop = marks[tag] + 1, marks[tag + 1]
            if coded[at - 1] == _BLOCK:
                joined[out] = c'\n'
                out += 1
                fresh = True
                waiting = False
            if not stays[tag] and chars[tag] > 0:
                waiting = True
                continue
            if at < stop and coded[at] == _SPACE:
                waiting = True
                at += 1
            trailing = at < stop and coded[stop - 1] == _SPACE
            stop -= trailing
            if at >= stop:
                continue
            if waiting and not fresh:
                joined[out] = _SPACE
                out += 1
            # [at, stop) are bytes of `coded`; nothing is written twice, and of each tag at most as many
            # bytes as it has there.
            memcpy(&joined[out], &coded[at], stop - at)
            out += stop - at
            fresh = False
            waiting = trailing
        first = last
    # But for the line feed in front.
    return joined_array[1:out].tobytes()


def _count(
    const int64_t[::1] chars not None,
    before not None,
    after not None,
    const int64_t[::1] blocks not None,
    kept not None,
):
    """Code points of the lines of part of the text, line feeds between them included."""
    cdef const unsigned char[::1] space_before = before.view(np.uint8)
    cdef const unsigned char[::1] space_after = after.view(np.uint8)
    cdef const unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t tag
    cdef int64_t count = 0, block = -1
    cdef bint parted = False
    for tag in range(chars.shape[0]):
        parted |= space_before[tag]
        if stays[tag] and chars[tag] > 0:
            if block >= 0 and (parted or blocks[tag] != block):
                count += 1
            count += chars[tag]
            block = blocks[tag]
            parted = False
        parted |= space_after[tag]
    return count


def _solid_chars(const unsigned char[::1] coded not None, const int64_t[::1] marks not None, kept not None):
    """How many code points, blanks not counted, follow the tags that are marked."""
    cdef const unsigned char[::1] stays = kept.view(np.uint8)
    cdef Py_ssize_t tag, at
    cdef int64_t count = 0
    for tag in range(stays.shape[0]):
        if stays[tag]:
            for at in range(marks[tag], marks[tag + 1]):
                count += (coded[at] > _SPACE) & ((coded[at] & 0xC0) != 0x80)
    return count
