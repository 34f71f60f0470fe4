"""The tags of a page, and what the text in the gaps between them is: shown, linked, preformatted."""

import numpy as np

from libc.stdint cimport int64_t, uint32_t, uint64_t

from transforms.extractors.segments._hints cimport Hints, read_hints
from transforms.extractors.segments._lookup cimport Lookup, find
from transforms.extractors.html._attributes cimport AttributeScanner
from transforms.extractors.html._tags cimport BLOCK, END, Tags

from transforms.extractors.segments import names as vocabulary
from transforms.extractors.html._tags import lex
from transforms.extractors.html.reading import read_tags
from transforms.extractors.html.title import title

cdef Lookup MEANINGS = Lookup(vocabulary.TAGS)
cdef Py_ssize_t ROLES = vocabulary.ROLES

cdef enum:
    SHORTEST = 8  # bytes of the shortest tag with an attribute that is looked at: `<p id=x>`
    INSIDE = 256  # tags inside of a hidden inline element, at most


cdef class Markup:
    """The t tags of a page without comments, scripts and styles, and the t + 1 gaps around them.

    Attributes:
        html: the page, up to `reading.MAX_TAGS` tags if it is not read whole.
        title: text of its `<title>`, or None.
        tags: the tags.
        codes: uint8 (t,), their names in `names.ELEMENTS`, or `NO_CODE`.
        roles: uint8 (t,), what the name says of the text around the tag.
        shown: uint8 (t,), whether it stands outside of elements whose content is not shown.
        parting: uint8 (t,), whether it is shown and parts blocks.
        hiding, has_target: uint8 (t,), whether it is a start tag that hides its element (`html._styles`), or has
            a `href`.
        groups: uint32 (t,), of start tags of the tree's elements: bit g is set where a word of group g of
            `names.GROUPS` is said of the element.
        classes: uint64 (t,), of these: equal for equal values of `class`, 0 without one.
        starts_before: int64 (t + 1,), the shown start tags among the first tags.
        hidden_gaps, linked_gaps, preformatted_gaps: uint8 (t + 1,), gaps inside of elements whose content is
            not shown as text or that are inline and hidden, of links, and of `pre`.
    """

    def __init__(self, bytes html not None, bint whole=False):
        """Reads the tags of a page of valid UTF-8 without comments, scripts and styles."""
        html, tags = (html, lex(html)) if whole else read_tags(html)
        self.html, self.title, self.tags = html, title(html, tags), tags
        self._look_up()
        self._mark_gaps()

    cdef int _look_up(self) except -1:
        """Looks up what the tags' names say, and marks the gaps that are not shown.

        An element that is not shown reaches from a start tag to the next end tag of its name, if no other start
        tag of the name comes before. Hidden elements of the tree are left to what chooses among blocks.
        """
        cdef Tags tags = self.tags
        cdef Py_ssize_t size = tags.count, tag, role, end, seen = 0
        cdef int64_t meaning, depth = 0
        cdef unsigned char[:, ::1] of_tags = np.zeros((6, size), np.uint8)
        cdef unsigned char[:, ::1] of_gaps = np.empty((3, size + 1), np.uint8)
        cdef int64_t[:, ::1] counts = np.zeros((2, size + 2), np.int64)
        cdef int64_t[::1] change = counts[0]
        # For each name that is not shown, one more than the last tag of it, if that is a start tag.
        cdef int64_t[::1] opened = np.zeros(ROLES, np.int64)
        cdef unsigned char[::1] codes = of_tags[0], roles = of_tags[1], shown = of_tags[2], parting = of_tags[3]
        cdef unsigned char[::1] hidden = of_gaps[0], hiding = of_tags[4]
        cdef AttributeScanner scanner = AttributeScanner(self.html)
        cdef Hints hints
        self.hiding, self.has_target = hiding, of_tags[5]
        self.groups, self.classes = np.zeros(size, np.uint32), np.zeros(size, np.uint64)
        self.codes, self.roles, self.shown, self.parting = codes, roles, shown, parting
        self.hidden_gaps, self.linked_gaps, self.preformatted_gaps = hidden, of_gaps[1], of_gaps[2]
        self.starts_before = counts[1, : size + 1]
        for tag in range(size):
            meaning = find(MEANINGS, tags.name[tag])
            if meaning < 0:
                meaning = NO_CODE
            codes[tag] = <unsigned char>(meaning & 0xFF)
            roles[tag] = <unsigned char>(meaning >> 8 & 0xFF)
            parting[tag] = (tags.kind[tag] & BLOCK) != 0
            role = roles[tag]
            if role >= UNSEEN:
                if not tags.kind[tag] & END:
                    opened[role] = tag + 1
                elif opened[role]:
                    change[opened[role]] += 1
                    change[tag + 1] -= 1
                    opened[role] = 0
        for tag in range(size):
            if tags.kind[tag] & END or roles[tag] == EMPTY or tags.stop[tag] - tags.start[tag] < SHORTEST:
                continue
            scanner.open(tags.start[tag], tags.stop[tag])
            read_hints(scanner, tags.name[tag], codes[tag] != NO_CODE, &hints)
            hiding[tag], self.has_target[tag] = hints.hides, hints.has_target
            self.groups[tag], self.classes[tag] = hints.groups, hints.signature
            if hiding[tag] and codes[tag] == NO_CODE and tag >= seen:
                end = self._end_of_hidden(tag)
                if end >= 0:
                    change[tag + 1] += 1
                    change[end + 1] -= 1
                    seen = end
        hidden[0] = False
        for tag in range(size):
            depth += change[tag + 1]
            hidden[tag + 1] = depth > 0
            shown[tag] = not (hidden[tag] and hidden[tag + 1])
            parting[tag] &= shown[tag]
        return 0

    cdef Py_ssize_t _end_of_hidden(self, Py_ssize_t start) noexcept:
        """The tag that ends an inline element, at most `INSIDE` tags after its start tag; -1 if none does."""
        cdef Tags tags = self.tags
        cdef Py_ssize_t tag, depth = 1
        for tag in range(start + 1, min(start + 1 + INSIDE, tags.count)):
            if tags.name[tag] == tags.name[start]:
                depth += -1 if tags.kind[tag] & END else 1
                if not depth:
                    return tag
        return -1

    cdef int _mark_gaps(self) except -1:
        """Marks the gaps after a link's start tag with a target, and after a start tag of `pre`."""
        cdef Tags tags = self.tags
        cdef const unsigned char[::1] roles = self.roles, shown = self.shown
        cdef unsigned char[::1] linked = self.linked_gaps, preformatted = self.preformatted_gaps
        cdef int64_t[::1] before = self.starts_before
        cdef Py_ssize_t tag
        cdef bint in_link = False, in_pre = False, starts
        linked[0] = preformatted[0] = False
        for tag in range(tags.count):
            starts = not tags.kind[tag] & END
            if roles[tag] == ANCHOR and shown[tag]:
                in_link = starts and self.has_target[tag]
            elif roles[tag] == PREFORMATTED:
                in_pre = starts
            linked[tag + 1] = in_link
            preformatted[tag + 1] = in_pre
            before[tag + 1] = before[tag] + (shown[tag] & starts)
        return 0
