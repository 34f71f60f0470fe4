"""Write the kept blocks as text: one per line, cells of one table row in a line with tabs, `pre` with its lines."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t

from cedar.transforms.extractors.html._bytes cimport bits_set, eight, find, word
from cedar.transforms.extractors.segments._blocks cimport Blocks, render
from cedar.transforms.extractors.segments._elements cimport Elements
from cedar.transforms.extractors.segments._page cimport SegmentedPage

from cedar.transforms.extractors.segments.names import CODE

cdef int64_t DATA_CELL = CODE["td"], HEADING_CELL = CODE["th"], ROW = CODE["tr"]


def write(SegmentedPage page not None, kept not None):
    """Write the blocks of a page that are kept, bool (n,), in its order.

    Returns:
        The text, UTF-8, and its number of words; the blocks that stay, and their share of the page's characters.
    """
    cdef const unsigned char[::1] stays = kept.view("u1")
    cdef Blocks blocks = page.blocks
    cdef Elements elements = page.elements
    cdef Py_ssize_t block, at = 0, begin, end, room = 0, count = 0
    cdef int64_t line = -1, row, chars = 0, all_chars
    if stays.shape[0] != blocks.count:
        raise ValueError("marks of the blocks of another page")
    for block in range(blocks.count):
        if stays[block]:
            count += 1
            chars += blocks.chars[block]
            room += blocks.stops[block] - blocks.starts[block] + 1  # and the tab or line feed before it
    cdef bytes buffer = PyBytes_FromStringAndSize(NULL, room)
    cdef unsigned char *out = <unsigned char *><char *>buffer
    for block in range(blocks.count):
        if not stays[block]:
            continue
        begin = at + (at > 0)
        end = render(blocks.text, blocks.starts[block], blocks.stops[block], out, begin)
        if end == begin:
            continue
        row = _row(elements, elements.nearest[block])
        if at:
            out[at] = c"\t" if row >= 0 and row == line else c"\n"
        line = row
        at = end
    text = buffer[:at]
    # A no-break space is left where a reference without `;` runs into letters.
    words = len(text.decode().split()) if _has_no_break_space(text) else _words(text)
    all_chars = max(blocks.char_sums[blocks.count] + blocks.cut_chars, <int64_t>1)
    return text, words, count, <double>chars / <double>all_chars


cdef inline int64_t _row(Elements elements, Py_ssize_t element) noexcept nogil:
    """The table row around a cell of one block; -1 if the element is not such a cell."""
    cdef int64_t code = elements.codes[element], around = elements.parents[element]
    if code != DATA_CELL and code != HEADING_CELL or elements.codes[around] != ROW:
        return -1
    return around if elements.last[element] - elements.first[element] == 1 else -1


cdef bint _has_no_break_space(const unsigned char[::1] text) noexcept nogil:
    """Whether U+00A0 is in a text, C2 A0."""
    cdef Py_ssize_t at = find(text, 0xC2, 0, text.shape[0])
    while at >= 0 and text[at + 1] != 0xA0:  # a byte of a character follows
        at = find(text, 0xC2, at + 1, text.shape[0])
    return at >= 0


cdef Py_ssize_t _words(const unsigned char[::1] text) noexcept nogil:
    """Runs of bytes above the space, eight bytes at a time."""
    cdef Py_ssize_t size = text.shape[0], i = 0, words = 0
    cdef uint64_t letters, solid, before = 0
    while i + 8 <= size:
        letters = word(text, i)
        solid = ((letters & eight(0x7F)) + eight(0x80 - 0x21) | letters) & eight(0x80)
        words += bits_set(solid & ~(solid << 8 | before))
        before = solid >> 56
        i += 8
    while i < size:
        words += text[i] > 0x20 and not before
        before = 0x80 if text[i] > 0x20 else 0
        i += 1
    return words
