"""Reads preformatted blocks, without the numbers beside their lines, and what names their language."""

from libc.stdint cimport uint32_t, uint64_t

from transforms.extractors.cedar._blocks cimport Blocks
from transforms.extractors.cedar._elements cimport Elements
from transforms.extractors.cedar._markup cimport LINE_BREAK, Markup
from transforms.extractors.cedar._page cimport SegmentedPage
from transforms.extractors.cedar._text cimport BREAK, INLINE
from transforms.extractors.html._tags cimport END, Tags
from transforms.extractors.html._writer cimport HARD_LINE, HARD_SPACE, HARD_TAB, SPACE
from transforms.extractors.markdown._buffer cimport ByteBuffer

from transforms.extractors.cedar.names import CODE
from transforms.extractors.html._attributes import attributes
from transforms.extractors.html._tags import key
from transforms.extractors.markdown.languages import language

cdef enum:
    FEW = 4
    MOST_LINES = 100  # empty ones in a row
    NEAR = 3  # elements that may name a language: that of code, and two around it that are no parts of tables
    LEAST_TELLING = 12  # bytes of a tag that can have such a word

cdef uint64_t SPAN = key("span")
cdef uint32_t[4] LANGUAGE_WORDS, HIGHLIGHTER_WORDS
LANGUAGE_WORDS[0], LANGUAGE_WORDS[1], LANGUAGE_WORDS[2], LANGUAGE_WORDS[3] = [
    int.from_bytes(word, "big") for word in (b"lang", b"synt", b"brus", b"urce")  # the last of `sourceCode`
]
HIGHLIGHTER_WORDS[0], HIGHLIGHTER_WORDS[1], HIGHLIGHTER_WORDS[2], HIGHLIGHTER_WORDS[3] = [
    int.from_bytes(word, "big") for word in (b"high", b"hljs", b"pret", b"high")
]
_PARTS_OF_TABLES = frozenset(CODE[name] for name in ("table", "tbody", "tr", "td"))

GUTTERS = frozenset(
    (b"gutter", b"lineno", b"linenos", b"line-numbers", b"line-numbers-rows", b"ln", b"rouge-gutter")
    + (b"hljs-ln-numbers", b"blob-num", b"line-number", b"linenumber")
)


def is_gutter(given):
    """Whether attributes are those of line numbers beside code."""
    return not GUTTERS.isdisjoint(given.get(b"class", b"").split()) or b"data-line-number" in given


cdef bint speaks(
    const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop, const uint32_t *words
) noexcept nogil:
    """Whether one of `FEW` words of four letters, as big-endian numbers, stands in a tag."""
    cdef uint32_t letters = 0
    cdef Py_ssize_t at
    if stop - start < LEAST_TELLING:
        return False
    for at in range(start, stop):
        letters = letters << 8 | html[at] | 0x20
        if letters == words[0] or letters == words[1] or letters == words[2] or letters == words[3]:
            return True
    return False


GUTTER_WORDS[0], GUTTER_WORDS[1], GUTTER_WORDS[2], GUTTER_WORDS[3] = [
    int.from_bytes(word, "big") for word in (b"gutt", b"line", b"blob", b'"ln"')
]


cdef str code(SegmentedPage page, list blocks):
    """Reads preformatted blocks as they stand, outer blank lines apart."""
    cdef Markup markup = page.markup
    cdef Blocks table = page.blocks
    cdef const unsigned char[::1] text = table.text, html = markup.html
    cdef ByteBuffer out = ByteBuffer(1 << 12)
    cdef Py_ssize_t block, before = -1, i, tag, first, end, covered = -1
    cdef unsigned char byte
    cdef int owed
    for block in blocks:
        first, tag = table.starts[block], table.first_gaps[block]
        if before >= 0:
            owed = 1
            if block == before + 1:
                # What parts them: each line break counts, other tags for one line altogether.
                owed = 0
                for i in range(table.last_gaps[before], tag):
                    owed += markup.roles[i] == LINE_BREAK and not markup.tags.kind[i] & END
                owed = max(owed, 1)
                for i in range(table.stops[before], first):
                    owed += text[i] == HARD_LINE
            if out.size and out.bytes[out.size - 1] == c"\n":
                owed -= 1
            for i in range(min(owed, MOST_LINES)):
                out.put_byte(c"\n")
        for i in range(first, table.stops[block]):
            byte = text[i]
            if byte == INLINE or byte == BREAK:
                if tag > covered and markup.tags.name[tag] == SPAN and not markup.tags.kind[tag] & END:
                    if speaks(html, markup.tags.start[tag], markup.tags.stop[tag], GUTTER_WORDS) and is_gutter(
                        attributes(markup.html, markup.tags.start[tag], markup.tags.stop[tag])
                    ):
                        covered = _end(markup.tags, tag, table.last_gaps[block])
                tag += 1
            elif tag <= covered:
                continue
            elif byte == HARD_LINE:
                out.put_byte(c"\n")
            elif byte == HARD_SPACE:
                out.put_byte(SPACE)
            elif byte == HARD_TAB:
                out.put_byte(c"\t")
            elif byte >= SPACE:
                out.put_byte(byte)
        before = block
    lines = [line.rstrip(" \t") for line in out.text(0).split("\n")]
    first, end = 0, len(lines)
    while first < end and not lines[first]:
        first += 1
    while first < end and not lines[end - 1]:
        end -= 1
    return "\n".join(lines[first:end])


cdef Py_ssize_t _end(Tags tags, Py_ssize_t tag, Py_ssize_t last) noexcept:
    """The next end tag of the name of a start tag; itself, if none follows before `last`."""
    cdef Py_ssize_t at
    for at in range(tag + 1, min(last, tag + MOST_LINES)):
        if tags.name[at] == tags.name[tag] and tags.kind[at] & END:
            return at
    return tag


cdef str language_of(SegmentedPage page, Py_ssize_t element):
    """The language of an element of code, by the `code` in it, itself, and the two elements around it."""
    cdef Tags tags = page.markup.tags
    cdef Elements elements = page.elements
    cdef const unsigned char[::1] html = page.markup.html
    cdef Py_ssize_t tag = elements.opens[element], inner, near = 0
    cdef list asked = []
    for inner in range(tag + 1, min(tag + 3, tags.count)):
        if tags.kind[inner] & END:
            break
        if _names_language(html, tags.start[inner], tags.stop[inner]):
            asked.append((tags.start[inner], tags.stop[inner]))
    while element and near < NEAR:
        tag = elements.opens[element]
        if _names_language(html, tags.start[tag], tags.stop[tag]):
            asked.append((tags.start[tag], tags.stop[tag]))
        near += elements.codes[element] not in _PARTS_OF_TABLES
        element = elements.parents[element]
    return language(page.markup.html, asked) if asked else ""


cdef bint _names_language(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a tag may name the language of code."""
    return speaks(html, start, stop, LANGUAGE_WORDS) or speaks(html, start, stop, HIGHLIGHTER_WORDS)
