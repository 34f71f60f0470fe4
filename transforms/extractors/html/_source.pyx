"""A page without what is not text, and its tags, in one walk from the left; and the way back to the page as given.

What is not text are comments, scripts and styles. Whichever opens first wins, so a comment opener inside of a script is
script text (as HTML5 reads it) and a script inside of a comment is comment. In values of attributes none of them opens;
in titles and text areas what would reach beyond these stays. Nothing is put in the place of what is removed: text
before and after it becomes one line. What is unclosed continues to the end of the input; so does a tag, with which many
a page that was cut ends.

Tags are the lexemes `<` + (letter | `/` | `!` | `?`) ... `>` of what is left; where they end: see `_tags`. Start tags,
end tags, declarations and processing instructions each count as one tag (CETR, Algorithm 1: `tags(D_i)`). What has no
`>` up to the end of the input is text, and so is a `<` before any other character.
"""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy
from cedar.transforms.extractors.html._bytes cimport (
    SPACE, Sixteen, below_or_equal, eight, equal, find, find_or_size, is_html_blank, lowest_bit, sixteen, word,
)
from cedar.transforms.extractors.html._elements cimport BLOCK_LEVEL, traits
from cedar.transforms.extractors.html._growing cimport Records
from cedar.transforms.extractors.html._tags cimport (
    BLOCK, COMMENT, END, SCRIPT, SCRIPT_NAME, STYLE, STYLE_NAME, TagScanner, Tags, ends_name, part_of, scanner_of,
)

from cedar.transforms.extractors.html._elements import key

cdef enum:
    MAX_TAG_BYTES = 400
    KEY_BYTES = 8

cdef uint64_t TITLE = key("title"), TEXTAREA = key("textarea")  # elements whose text has no tags


cdef class Source:
    """A page without what was removed from it.

    Attributes:
        original: the page as given, UTF-8.
        html: the page without the removed parts.
        tags: its tags.
        noted: the scripts of JSON-LD and of TeX that were removed: the bytes [start, stop) of each in
            `original`, and where it stood in `html`.
        kept: the half-open byte ranges of `original` that are left, in order, none empty.
    """

    cdef readonly bytes original, html
    cdef readonly list noted
    cdef readonly Tags tags
    cdef Records ranges

    def __cinit__(self, bytes original not None):
        self.original, self.noted, self.ranges = original, [], Records(2)

    @property
    def kept(self):
        return tuple(map(tuple, self.ranges.rows().tolist()))

    cdef int keep(self, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Add a range, unless it is empty."""
        cdef Py_ssize_t at
        if start < stop:
            at = self.ranges.add()
            self.ranges.numbers[at], self.ranges.numbers[at + 1] = start, stop
        return 0

    cdef int join(self) except -1:
        """Make `html` of the ranges."""
        cdef const int64_t[::1] edges = self.ranges.numbers
        cdef Py_ssize_t i, size = 0, stop = 2 * self.ranges.count
        cdef char* to
        if stop == 2 and edges[1] - edges[0] == len(self.original):
            self.html = self.original
            return 0
        for i in range(0, stop, 2):
            size += edges[i + 1] - edges[i]
        self.html = PyBytes_FromStringAndSize(NULL, size)
        to = PyBytes_AS_STRING(self.html)
        for i in range(0, stop, 2):
            # Within both: ranges of the page, whose sizes add up to `size`.
            size = edges[i + 1] - edges[i]
            memcpy(to, PyBytes_AS_STRING(self.original) + edges[i], size)
            to += size
        return 0

    def without(self, Py_ssize_t start, Py_ssize_t stop):
        """The source without bytes [start, stop) of `html` too."""
        cdef Source less = Source(self.original)
        cdef Py_ssize_t i, first, last, size, position = 0
        for i in range(0, 2 * self.ranges.count, 2):
            first, last = self.ranges.numbers[i], self.ranges.numbers[i + 1]
            size = last - first
            less.keep(first, first + min(max(start - position, 0), size))
            less.keep(first + min(max(stop - position, 0), size), last)
            position += size
        less.join()
        less.tags = lex(less.html)
        return less

    def find_removed(self, bytes name not None, Py_ssize_t most):
        """The first `most` places in `original`, ascending, at which a name stands in what was removed."""
        cdef Py_ssize_t i, at = 0, stop, last = 2 * self.ranges.count
        cdef list found = []
        for i in range(0, last + 1, 2):
            stop = self.ranges.numbers[i] if i < last else len(self.original)
            while stop - at >= len(name) and len(found) < most:
                at = self.original.find(name, at, stop)
                if at < 0:
                    break
                found.append(at)
                at += 1
            at = self.ranges.numbers[i + 1] if i < last else stop
        return found

    def original_offsets(self, offsets not None):
        """Where bytes of `html`, int64 (m,), each in [0, len(html)), stand in `original`; int64 (m,)."""
        firsts, lasts = self.ranges.rows().T
        if self.ranges.count == 1:
            return offsets + firsts[0]
        lengths = lasts - firsts
        begins = np.cumsum(lengths) - lengths
        piece = begins.searchsorted(offsets, "right") - 1
        return offsets + (firsts - begins)[piece]


def remove_invisible(bytes html not None):
    """Remove comments, scripts and styles from a page, and find its tags.

    A comment ends at `-->` or `--!>`; `<!-->` and `<!--->` are empty comments (HTML5, 13.2.5.43). An element
    ends with its end tag (`</script ...>`). Where no end tag follows any more, a self-closed tag
    (`<script .../>`, XHTML) goes alone; any other takes the rest of the page with it.
    """
    cdef Source source = Source(html)
    source.tags = Tags(len(html) // 32 + 16)
    walk(html, source.tags, source)
    source.join()
    return source


def lex(const unsigned char[::1] html not None):
    """Find all tags of a page from which nothing is to be removed."""
    cdef Tags tags = Tags(html.shape[0] // 32 + 16)
    walk(html, tags, None)
    return tags


cdef struct Ahead:
    # What was found ahead of the walk, so that nothing is sought twice.
    Py_ssize_t close  # a `>`
    Py_ssize_t after  # the first `<` in the last tag that was looked at closely, or after it
    Py_ssize_t quote  # a `'`
    Py_ssize_t[2] text_stops  # the next end tag of a text area and of a title; -1: not sought yet
    Py_ssize_t sealed  # no part is removed before this byte: it is in a title or a text area


cdef int walk(const unsigned char[::1] html, Tags tags, Source source) except -1:
    """Find the tags of a page and, for a source, the ranges that are left."""
    cdef Py_ssize_t size = html.shape[0], end = size, last = last_of(html, c">"), room = tags.start.shape[0]
    cdef Py_ssize_t start, stop, position = 0, first = 0, removed = 0, bits, count = 0
    cdef uint64_t name, held = 0, closing, doubtful, parts_names
    cdef TagScanner scanner = scanner_of(html)
    cdef Parts parts = Parts(html, scanner, last)
    cdef Ahead ahead
    cdef Sixteen bytes
    cdef unsigned char byte
    cdef bint is_end
    ahead.close = ahead.after = ahead.sealed = 0
    ahead.quote = ahead.text_stops[0] = ahead.text_stops[1] = -1
    if source is not None:
        start = last_of(html, c"<")
        if last < start < size - 1 and opens_element(html[start + 1]):
            end = start  # the end of the page cuts a tag
    while (start := find(html, c"<", max(position, ahead.after), end)) >= 0:
        position = start + 1
        if position == size:
            break
        byte = html[position]
        if (
            (byte == c"!" or byte | 0x20 == c"s")
            and source is not None
            and start >= ahead.sealed
            and part_of(word(html, position))
        ):
            stop = removed_stop(html, parts, start, held, &ahead)
            if stop >= 0:
                source.keep(first, start)
                if byte != c"!" and has_data(html, start, stop):
                    source.noted.append((start, stop, start - removed))
                removed += stop - start
                first = position = stop
                continue
        if start >= last or not (opens_element(byte) or byte == c"!" or byte == c"?"):
            continue
        bytes = sixteen(&html[position], size - position)  # within bounds
        closing = equal(bytes, c">")
        doubtful = equal(bytes, c"<") | equal(bytes, c'"') | equal(bytes, c"'")
        if closing and not doubtful & (closing ^ closing - 1):
            stop = position + lowest_bit(closing) + 1  # a short tag without quotes, as most end tags are
        else:
            stop = tag_stop(html, scanner, start, &ahead)
        if count == room:
            tags.grow()
            room *= 2
        is_end = byte == c"/"
        # A name ends at a blank, a control character, `/` or `>`.
        parts_names = (below_or_equal(bytes, SPACE) | equal(bytes, c"/") | closing) >> is_end | <uint64_t>1 << KEY_BYTES
        bits = 4 * lowest_bit(parts_names)  # half as many as the name has
        name = (word(html, position + is_end) | eight(0x20)) & (<uint64_t>1 << bits << bits) - 1
        if name == TITLE or name == TEXTAREA:
            held = 0 if is_end else name
        tags.start[count] = start - removed
        tags.stop[count] = stop - removed
        tags.name[count] = name
        tags.kind[count] = is_end * END + (traits(name) & BLOCK_LEVEL) * BLOCK
        count += 1
        position = stop
    tags.count = count
    return 0 if source is None else source.keep(first, end)


cdef inline Py_ssize_t removed_stop(
    const unsigned char[::1] html, Parts parts, Py_ssize_t start, uint64_t held, Ahead *ahead
) except -2:
    """The byte after the comment, script or style that begins at `start`; -1 if none goes.

    In a title or a text area (`held`) what would reach beyond its end stays.
    """
    cdef Py_ssize_t stop = parts.stop(start)
    cdef Py_ssize_t *text_end = &ahead.text_stops[held == TITLE]
    if stop < 0 or not held:
        return stop
    if text_end[0] < start:
        text_end[0] = text_stop(html, held, start)
    if stop <= text_end[0]:
        return stop
    ahead.sealed = text_end[0]
    return -1


cdef inline Py_ssize_t tag_stop(
    const unsigned char[::1] html, TagScanner scanner, Py_ssize_t start, Ahead *ahead
) except -2:
    """The byte after the tag that begins at `start`; a `>` follows.

    Its first `>` is doubtful only where a `<` is before it in the tag, or a quote that may open a value: few tags go
    through the exact rule.
    """
    cdef Py_ssize_t last_single = -1
    if ahead.close <= start:
        ahead.close = find(html, c">", start + 1, html.shape[0])
    ahead.after = find_or_size(html, c"<", start + 1)
    if ahead.after > ahead.close:
        if ahead.quote < start:
            ahead.quote = find_or_size(html, c"'", start)
        while ahead.quote < ahead.close:
            last_single = ahead.quote
            ahead.quote = find_or_size(html, c"'", ahead.quote + 1)
    if (
        ahead.after < ahead.close
        or may_open_value(html, last_single)
        or may_open_value(html, last_double(html, start, ahead.close))
    ):
        return scanner.stop(start)
    return ahead.close + 1


cdef inline Py_ssize_t last_double(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Where the last `"` of [start, stop) is; -1 if nowhere."""
    while stop > start:
        stop -= 1
        if html[stop] == c'"':
            return stop
    return -1


cdef inline bint may_open_value(const unsigned char[::1] html, Py_ssize_t quote) noexcept nogil:
    """Whether a quote may stand after `=`, and blanks; -1 = absent."""
    return quote > 0 and (html[quote - 1] == c"=" or is_html_blank(html[quote - 1]))


cdef inline bint opens_element(unsigned char byte) noexcept nogil:
    """Whether a byte after `<` makes it open the start tag or the end tag of an element."""
    return <unsigned char> ((byte | 0x20) - c"a") < 26 or byte == c"/"


cdef Py_ssize_t last_of(const unsigned char[::1] html, unsigned char byte) noexcept nogil:
    """Find a byte's last place; -1 if `html` does not have it."""
    cdef Py_ssize_t at = html.shape[0] - 1
    while at >= 0 and html[at] != byte:
        at -= 1
    return at


cdef Py_ssize_t text_stop(const unsigned char[::1] html, uint64_t name, Py_ssize_t start) noexcept nogil:
    """Find where an element without tags in it ends: its end tag, sought from `start` on; the size if it has none."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c"<", start, size)
    cdef uint64_t bits = 64 if name == TEXTAREA else 40
    while at >= 0 and not (
        at + 1 < size and html[at + 1] == c"/"
        and (word(html, at + 2) | eight(0x20)) & (<uint64_t>1 << bits // 2 << bits // 2) - 1 == name
    ):
        at = find(html, c"<", at + 1, size)
    return size if at < 0 else at


cdef class Parts:
    """Finds where the removed parts of a page end.

    A kind that does not close any more is not looked for again, which keeps it linear.
    """

    cdef const unsigned char[::1] html
    cdef TagScanner scanner
    cdef Py_ssize_t last  # the last `>`
    cdef bint[4] hopeless  # by kind: COMMENT, SCRIPT, STYLE

    def __cinit__(self, const unsigned char[::1] html, TagScanner scanner, Py_ssize_t last):
        self.html, self.scanner, self.last = html, scanner, last

    cdef Py_ssize_t stop(self, Py_ssize_t start) except -2:
        """The byte after what begins with the `<` at `start`; -1 if it is nothing that goes."""
        cdef uint64_t behind = word(self.html, start + 1), name
        cdef int kind = part_of(behind)
        cdef Py_ssize_t stop = -1
        if not kind:
            return -1
        name = (behind | eight(0x20)) & ((<uint64_t>1 << (40 if kind == STYLE else 48)) - 1)
        if kind != COMMENT and name != SCRIPT_NAME and name != STYLE_NAME:
            return -1
        if not self.hopeless[kind]:
            stop = comment_stop(self.html, start + 4) if kind == COMMENT else element_stop(self.html, start, name)
            self.hopeless[kind] = stop < 0
        if stop >= 0:
            return stop
        if kind != COMMENT and start < self.last:
            stop = self.scanner.stop(start)
            if self.html[stop - 2] == c"/" and self.html[stop - 1] == c">":
                return stop
        return self.html.shape[0]


cdef bint has_data(const unsigned char[::1] html, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether the tag that begins at `start` speaks of a script of TeX, of AsciiMath or of JSON-LD."""
    cdef Py_ssize_t block, at, last = min(stop - 5, start + MAX_TAG_BYTES)
    cdef Sixteen bytes
    cdef uint64_t marks
    for block in range(start + 7, last, 16):
        bytes = sixteen(&html[block], html.shape[0] - block)  # within bounds
        marks = equal(bytes, c"/") | equal(bytes, c"+") | equal(bytes, c">")
        while marks:
            at = block + lowest_bit(marks)
            marks &= marks - 1
            if html[at] == c">" or at >= last:
                return False
            # math/tex, math/asciimath, ld+json: bytes 5 on and 3 on of each.
            if html[at] == c"/" and html[at - 1] | 0x20 == c"h" and (
                html[at + 1] | 0x20 == c"t" and html[at + 2] | 0x20 == c"e"
                or html[at + 1] | 0x20 == c"a" and html[at + 2] | 0x20 == c"s"
            ):
                return True
            if html[at] == c"+" and html[at + 1] | 0x20 == c"j" and html[at - 1] | 0x20 == c"d":
                return True
    return False


cdef Py_ssize_t comment_stop(const unsigned char[::1] html, Py_ssize_t inner) noexcept nogil:
    """The byte after a comment whose text begins at `inner`; -1 if it does not end."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c">", inner, size)
    while at >= 0:
        if at == inner or at == inner + 1 and html[inner] == c"-":
            return at + 1
        if at >= inner + 2 and html[at - 1] == c"-" and html[at - 2] == c"-":
            return at + 1
        if at >= inner + 3 and html[at - 1] == c"!" and html[at - 2] == c"-" and html[at - 3] == c"-":
            return at + 1
        at = find(html, c">", at + 1, size)
    return -1


cdef Py_ssize_t element_stop(const unsigned char[::1] html, Py_ssize_t start, uint64_t name) noexcept nogil:
    """Find the byte after the first end tag after `start`; the size if it has no `>`; -1 if there is no end tag."""
    cdef Py_ssize_t size = html.shape[0], at = find(html, c"<", start + 1, size), stop
    cdef int bits = 40 if name == STYLE_NAME else 48
    cdef uint64_t behind
    while at >= 0:
        if at + 1 < size and html[at + 1] == c"/":
            behind = word(html, at + 2)
            if (
                (behind | eight(0x20)) & ((<uint64_t>1 << bits) - 1) == name
                and ends_name(<unsigned char>(behind >> bits))
            ):
                stop = find(html, c">", at, size)
                return size if stop < 0 else stop + 1
        at = find(html, c"<", at + 1, size)
    return -1
