"""A tree written as markup: all of it as XML, or the kept part as HTML."""

import numpy as np

from libc.stdint cimport int64_t
from libc.string cimport strlen

from cedar.transforms.extractors.html._elements cimport FORMER_VOID, VOID, traits
from cedar.transforms.extractors.html._growing cimport ByteBuffer
from cedar.transforms.extractors.tree._tree cimport Tree, flags_of

# How bytes are written that XML keeps for itself, or has not: those below the space, which were references.
cdef list _IN_TEXT = [b""] * 256
cdef list _IN_VALUE = [b""] * 256
_IN_TEXT[:0x20] = [b"&#xFFFD;"] * 0x20
_IN_TEXT[ord("\t")] = _IN_TEXT[ord("\n")] = b""
_IN_TEXT[ord("\r")] = b"&#13;"
_IN_TEXT[ord("&")], _IN_TEXT[ord("<")], _IN_TEXT[ord(">")] = b"&amp;", b"&lt;", b"&gt;"
_IN_VALUE[:] = _IN_TEXT
_IN_VALUE[ord("\t")], _IN_VALUE[ord("\n")], _IN_VALUE[ord('"')] = b"&#9;", b"&#10;", b"&quot;"

cdef unsigned char[256] _marks_text
cdef unsigned char[256] _marks_value
for _byte in range(256):
    _marks_text[_byte] = bool(_IN_TEXT[_byte])
    _marks_value[_byte] = bool(_IN_VALUE[_byte])


cdef class _Writer:
    cdef Tree tree
    cdef ByteBuffer out

    def __cinit__(self, Tree tree not None):
        self.tree, self.out = tree, ByteBuffer(1 << 14)

    cdef int start_tag(self, Py_ssize_t element, bint is_empty) except -1:
        cdef Py_ssize_t stop = self.tree.markup_of[element + 1]
        cdef const unsigned char *word = <const unsigned char *>self.tree.markup + self.tree.markup_of[element]
        cdef const unsigned char *end = <const unsigned char *>self.tree.markup + stop
        cdef Py_ssize_t length
        self.out.put_byte(c'<')
        self.out.put_bytes(word, strlen(<const char *>word))
        word += strlen(<const char *>word) + 1
        while word < end:
            self.out.put_byte(c' ')
            self.out.put_bytes(word, strlen(<const char *>word))
            word += strlen(<const char *>word) + 1
            self.out.put_bytes(b'="', 2)
            length = strlen(<const char *>word)
            self.escaped(word, length, True)
            word += length + 1
            self.out.put_byte(c'"')
        if is_empty:
            self.out.put_byte(c'/')
        return self.out.put_byte(c'>')

    cdef int end_tag(self, Py_ssize_t element) except -1:
        cdef const unsigned char *name = <const unsigned char *>self.tree.markup + self.tree.markup_of[element]
        self.out.put_bytes(b"</", 2)
        self.out.put_bytes(name, strlen(<const char *>name))
        return self.out.put_byte(c'>')

    cdef int text(self, Py_ssize_t tag) except -1:
        """Write the text after a tag."""
        cdef Py_ssize_t start = self.tree.text_of[tag], stop = self.tree.text_of[tag + 1]
        return self.escaped(<const unsigned char *>self.tree.text + start, stop - start, False)

    cdef int escaped(self, const unsigned char *text, Py_ssize_t length, bint is_value) except -1:
        cdef const unsigned char *marks = &_marks_value[0] if is_value else &_marks_text[0]
        cdef Py_ssize_t start = 0, i
        cdef bytes reference
        for i in range(length):
            if marks[text[i]]:
                self.out.put_bytes(text + start, i - start)
                reference = (_IN_VALUE if is_value else _IN_TEXT)[text[i]]
                self.out.put_bytes(reference, len(reference))
                start = i + 1
        return self.out.put_bytes(text + start, length - start)


def as_xml(Tree tree not None):
    """Write a tree as XML: UTF-8, no declaration, `>` at the end of tags alone.

    Returns the XML, and where in it each tag starts and stops, int64 (t,) each, half-open.
    """
    cdef _Writer writer = _Writer(tree)
    cdef Py_ssize_t tag, element
    starts_array, stops_array = np.empty(tree.tags, np.int64), np.empty(tree.tags, np.int64)
    cdef int64_t[::1] starts = starts_array, stops = stops_array
    for tag in range(tree.tags):
        element = tree.of_tag[tag]
        starts[tag] = writer.out.size
        if tree.open_of[element] == tag:
            writer.start_tag(element, tree.close_of[element] == tag)
        else:
            writer.end_tag(element)
        stops[tag] = writer.out.size
        writer.text(tag)
    return writer.out.content(), starts_array, stops_array


def as_html(Tree tree not None, kept_elements not None, kept_text not None):
    """Write as HTML the elements of a tree whose tags stay, bool (n,), and the text after tags, bool (t,)."""
    cdef _Writer writer = _Writer(tree)
    cdef const unsigned char[::1] element_stays = flags_of(kept_elements, tree.size)
    cdef const unsigned char[::1] text_stays = flags_of(kept_text, tree.tags)
    cdef Py_ssize_t tag, element
    cdef bint is_empty
    for tag in range(tree.tags):
        element = tree.of_tag[tag]
        if element_stays[element]:
            is_empty = tree.open_of[element] == tree.close_of[element]
            if tree.open_of[element] != tag:
                writer.end_tag(element)
            elif is_empty and not traits(tree.key_of[element]) & (VOID | FORMER_VOID):
                # XML's <div/> is <div></div> in HTML.
                writer.start_tag(element, False)
                writer.end_tag(element)
            else:
                writer.start_tag(element, is_empty)
        if text_stays[tag]:
            writer.text(tag)
    return writer.out.content().decode()
